import type { Kernel, KernelMessage } from '@jupyterlab/services';
import type { IDisposable } from '@lumino/disposable';
import type { Milliseconds } from '../../base/units';

/** Arguments of a request, and the body of a reply as far as we trust it: JSON of any shape. */
export type Arguments = Record<string, unknown>;
export type Reply = Record<string, unknown>;

/** What a refusal gives as its reason where the kernel does not know the subscription (any more). */
export const SUBSCRIPTION = 'subscription';

/** The kernel answered, and said no. */
export class Refusal extends Error {
  constructor(readonly body: Reply) {
    super(typeof body.message === 'string' ? body.message : 'The kernel does not know Dask Panes.');
  }

  /** Whether it comes from the bridge, with a sentence for people. */
  get explained(): boolean {
    return typeof this.body.message === 'string';
  }
}

let seq = 0;

/** The content of a request of ours: what goes under `command` to the debugger's handler goes to the bridge instead. */
export function envelope(op: string, args: Arguments): KernelMessage.IDebugRequestMsg['content'] {
  seq += 1;
  return { type: 'request', seq, command: 'daskPanes', arguments: { op, ...args } };
}

/** What a reply says; the content of one of a kernel without the bridge is empty. */
export function bodyOf(message: KernelMessage.IDebugReplyMsg): { success: boolean; body: Reply } {
  const content = message.content as unknown;
  const map = typeof content === 'object' && content !== null ? (content as Reply) : {};
  const body = map.body;
  return { success: map.success === true, body: typeof body === 'object' && body !== null ? (body as Reply) : { value: body } };
}

/** A question on its way; disposed before the answer, it fails. */
export interface Question extends IDisposable {
  /**
   * The body of the reply.
   *
   * @throws Refusal where the kernel says no; Error where it is silent or goes
   */
  readonly reply: Promise<Reply>;
}

/**
 * Ask the bridge in a kernel for one thing, over its control channel.
 *
 * @param patience - after which the question has failed
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
    // The promise of a future that was disposed rejects; that is how it ends.
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
    dispose: () => fail('The kernel was restarted or closed.')
  };
}
