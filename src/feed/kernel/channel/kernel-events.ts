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

/** Number of processes whose late messages are recognised. */
const PROCESSES_KEPT = 8;

/**
 * Translates the signals of one connection at a time into calls.
 *
 * A restart over another connection may send no status to this one: its channels to the new process open a moment too
 * late. The first message of the new process shows the restart, by its session id.
 */
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
      this.restarting = true;
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
    this.recognise(message);
    if (isAnnouncement(message)) {
      this.handlers.announced();
    }
  }

  private recognise({ header, parent_header: parent }: KernelMessage.IIOPubMessage): void {
    // Messages without a request may be the server's, which has a session id of its own.
    if (!('msg_id' in parent) || this.processes.includes(header.session)) {
      return;
    }
    const unseen = this.processes.length > 0 && !this.restarting;
    this.processes = [...this.processes, header.session].slice(-PROCESSES_KEPT);
    this.restarting = false;
    if (unseen) {
      this.handlers.restarting();
      this.handlers.up();
    }
  }

  /** Session ids of the kernel's processes, latest last. */
  private processes: readonly string[] = [];
  /** Whether the next session id is expected. */
  private restarting = false;
  private kernel: Kernel.IKernelConnection | null = null;
}
