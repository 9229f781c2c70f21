import type { Kernel } from '@jupyterlab/services';
import type { IDisposable } from '@lumino/disposable';
import type { Milliseconds } from '../../../base/units';
import { type Arguments, askKernel, envelope, type Question, Refusal, type Reply } from '../ask-kernel';

/** Why a request fails whose answer may have been sent over a connection that is not used any more. */
export const CONNECTION_CHANGED = 'The connection to the kernel changed before the answer came: the action may go on.';

/**
 * Requests to a kernel over the connection that a channel uses now.
 *
 * Guarantees:
 * 1. Nothing is sent over a connection that is closed or lost.
 * 2. Every answer, also a refusal, is reported to `answered` before its caller gets it.
 * 3. After `drop` no request is pending and no future is left: each request has failed.
 */
export class KernelRequests implements IDisposable {
  /**
   * @param kernel - the connection in use; `null` if there is none
   * @param answered - called with each answer
   */
  constructor(
    public kernel: Kernel.IKernelConnection | null,
    private readonly answered: () => void
  ) {}

  get connected(): boolean {
    return this.kernel?.isDisposed === false && this.kernel.connectionStatus === 'connected';
  }

  /** Send without waiting: the future is disposed at once, or the connection would keep it forever. */
  notify(op: string, args: Arguments): void {
    if (this.kernel !== null && this.connected) {
      const future = this.kernel.requestDebug(envelope(op, args), true);
      // The promise of a disposed future rejects; this is expected.
      future.done.catch(() => undefined);
      future.dispose();
    }
  }

  /**
   * Send and wait for the answer.
   *
   * @param patience - timeout
   * @throws Refusal if the kernel refuses; Error if it does not answer or there is no connection
   */
  async ask(op: string, args: Arguments, patience: Milliseconds): Promise<Reply> {
    if (this.disposed || this.kernel === null || this.kernel.isDisposed) {
      throw new Error('The connection to the kernel is closed.');
    }
    if (!this.connected) {
      throw new Error('The connection to the Jupyter server is lost.');
    }
    const question = askKernel(this.kernel, op, args, patience);
    this.pending.add(question);
    try {
      const reply = await question.reply;
      this.answered();
      return reply;
    } catch (error) {
      if (error instanceof Refusal) {
        this.answered();
      }
      throw error;
    } finally {
      this.pending.delete(question);
    }
  }

  /**
   * Let all pending requests fail: their answers will not arrive.
   *
   * @param reason - a message for users; default: the kernel has ended
   */
  drop(reason?: string): void {
    for (const pending of [...this.pending]) {
      pending.dispose(reason);
    }
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  dispose(): void {
    this.disposed = true;
    this.drop();
  }

  private disposed = false;
  private readonly pending = new Set<Question>();
}
