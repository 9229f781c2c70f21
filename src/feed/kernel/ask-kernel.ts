import type { Kernel, KernelMessage } from '@jupyterlab/services';
import type { IDisposable } from '@lumino/disposable';
import type { Milliseconds } from '../../base/units';
import { isMap, mapOf } from '../../base/untrusted';

/** Arguments of a request, or the untrusted body of a reply: JSON of any shape. */
export type Arguments = Record<string, unknown>;
export type Reply = Record<string, unknown>;

/** Reason of a refusal if the kernel does not know the subscription (any more). */
export const SUBSCRIPTION = 'subscription';

/** The kernel refused the request. */
export class Refusal extends Error {
  constructor(readonly body: Reply) {
    super(typeof body.message === 'string' ? body.message : 'The kernel does not know Dask Panes.');
  }

  /** Whether the bridge sent it, with a message for users. */
  get explained(): boolean {
    return typeof this.body.message === 'string';
  }
}

let seq = 0;

/** The content of a request: its `command` would go to the debugger's handler, but goes to the bridge. */
export function envelope(op: string, args: Arguments): KernelMessage.IDebugRequestMsg['content'] {
  seq += 1;
  return { type: 'request', seq, command: 'daskPanes', arguments: { op, ...args } };
}

/** Content of a reply; empty from a kernel without the bridge. */
export function bodyOf(message: KernelMessage.IDebugReplyMsg): { success: boolean; body: Reply } {
  const { success, body } = mapOf(message.content);
  return { success: success === true, body: isMap(body) ? body : { value: body } };
}

/** A pending request; it fails if disposed before the answer. */
export interface Question extends IDisposable {
  /**
   * The body of the reply.
   *
   * @throws Refusal if the kernel refuses; Error if it is silent or ends
   */
  readonly reply: Promise<Reply>;
  /** Give up waiting for the answer. */
  dispose(reason?: string): void;
}

/**
 * Send one request to the bridge in a kernel, over its control channel.
 *
 * @param patience - timeout
 */
export function askKernel(kernel: Kernel.IKernelConnection, op: string, args: Arguments, patience: Milliseconds): Question {
  let settled = false;
  let settle: (act: () => void) => void = () => undefined;
  let fail: (reason: string) => void = () => undefined;
  const reply = new Promise<Reply>((resolve, reject) => {
    const future = kernel.requestDebug(envelope(op, args), true);
    settle = act => {
      if (!settled) {
        settled = true;
        clearTimeout(timer);
        future.dispose();
        act();
      }
    };
    fail = reason => settle(() => reject(new Error(reason)));
    const timer = setTimeout(() => fail(`The kernel has not answered for ${patience / 1000} s.`), patience);
    // The promise of a disposed future rejects; this is expected.
    future.done.catch(() => undefined);
    future.onReply = message => {
      const { success, body } = bodyOf(message);
      settle(() => (success ? resolve(body) : reject(new Refusal(body))));
    };
  });
  return {
    reply,
    get isDisposed() {
      return settled;
    },
    dispose: (reason = 'The kernel was restarted or closed.') => fail(reason)
  };
}
