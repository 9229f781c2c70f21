import type { Kernel, KernelMessage } from '@jupyterlab/services';
import { isAnnouncement } from '../announcement';

/** What a kernel's connection reports. */
export interface KernelHandlers {
  /** The kernel restarts: another process follows. */
  restarting(): void;
  died(): void;
  /** The kernel is idle or busy. */
  up(): void;
  /** The connection was lost or is back: messages in transit are lost. */
  connection(status: Kernel.ConnectionStatus): void;
  /** The bridge announced itself. */
  announced(): void;
}

/** Translates the signals of one connection at a time into calls. */
export class KernelEvents {
  constructor(private readonly handlers: KernelHandlers) {}

  /** Listen to a connection instead of the previous one; `null` for none. */
  listenTo(kernel: Kernel.IKernelConnection | null): void {
    this.kernel?.statusChanged.disconnect(this.onStatus, this);
    this.kernel?.connectionStatusChanged.disconnect(this.onConnection, this);
    this.kernel?.iopubMessage.disconnect(this.onIOPub, this);
    this.kernel = kernel;
    kernel?.statusChanged.connect(this.onStatus, this);
    kernel?.connectionStatusChanged.connect(this.onConnection, this);
    kernel?.iopubMessage.connect(this.onIOPub, this);
  }

  private onStatus(_: Kernel.IKernelConnection, status: Kernel.Status): void {
    if (status === 'starting' || status === 'restarting' || status === 'autorestarting') {
      this.handlers.restarting();
    } else if (status === 'dead') {
      this.handlers.died();
    } else if (status === 'idle' || status === 'busy') {
      this.handlers.up();
    }
  }

  private onConnection(_: Kernel.IKernelConnection, status: Kernel.ConnectionStatus): void {
    this.handlers.connection(status);
  }

  private onIOPub(_: Kernel.IKernelConnection, message: KernelMessage.IIOPubMessage): void {
    if (isAnnouncement(message)) {
      this.handlers.announced();
    }
  }

  private kernel: Kernel.IKernelConnection | null = null;
}
