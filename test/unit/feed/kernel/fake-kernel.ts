/** A kernel of a test, which answers what the test says. */
import type { Kernel } from '@jupyterlab/services';
import { Signal } from '@lumino/signaling';

export interface Sent {
  readonly op: string;
  readonly args: Record<string, unknown>;
  reply(body: unknown, success?: boolean): void;
  disposed: boolean;
}

/** As much of a kernel connection as the channel uses. */
export class FakeKernel {
  readonly statusChanged = new Signal<this, Kernel.Status>(this);
  readonly connectionStatusChanged = new Signal<this, Kernel.ConnectionStatus>(this);
  readonly iopubMessage = new Signal<this, unknown>(this);
  readonly disposed = new Signal<this, void>(this);
  isDisposed = false;
  connectionStatus: Kernel.ConnectionStatus = 'connected';
  status: Kernel.Status = 'idle';
  readonly sent: Sent[] = [];
  readonly serverSettings = {};
  reconnects = 0;

  connect(status: Kernel.ConnectionStatus): void {
    this.connectionStatus = status;
    this.connectionStatusChanged.emit(status);
  }

  reconnect(): Promise<void> {
    this.reconnects += 1;
    return Promise.resolve();
  }

  requestDebug(content: { arguments: Record<string, unknown> }): unknown {
    const { op, ...args } = content.arguments;
    const future = {
      done: new Promise(() => undefined),
      onReply: (_: unknown): void => undefined,
      dispose: (): void => {
        sent.disposed = true;
      }
    };
    const sent: Sent = {
      op: String(op),
      args,
      disposed: false,
      reply: (body, success = true) => {
        if (!sent.disposed) {
          future.onReply({ content: success === undefined ? {} : { success, body }, buffers: [] });
        }
      }
    };
    this.sent.push(sent);
    return future;
  }

  last(op: string): Sent {
    const found = this.sent.filter(sent => sent.op === op).at(-1);
    if (!found) {
      throw new Error(`nothing was sent for ${op}`);
    }
    return found;
  }

  count(op: string): number {
    return this.sent.filter(sent => sent.op === op).length;
  }
}
