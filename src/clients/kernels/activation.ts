import type { Kernel } from '@jupyterlab/services';
import type { IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';
import type { Settings } from '../../base/jupyter/settings';
import type { Milliseconds } from '../../base/units';
import type { KernelChannel } from '../../feed/kernel/kernel-channel';

/** After the line ran, the kernel's announcement and the following hello take a moment. */
const GRACE: Milliseconds = 1500;

function starts(status: Kernel.Status): boolean {
  return status === 'starting' || status === 'restarting' || status === 'autorestarting';
}

/** The message specification has `aborted`; older releases and types have `abort`. */
function isAborted(status: string | undefined): boolean {
  return status === 'aborted' || status === 'abort';
}

/** The line to run, and whether the user allows it. */
export interface ActivationSettings {
  readonly line: string;
  /** Resolved when `enabled` reflects the user's setting; nothing is run before. */
  readonly ready: Promise<void>;
  enabled(): boolean;
}

/** Dependencies of an {@link Activation}. */
export interface ActivationOptions extends ActivationSettings {
  /** What `enabled` depends on. */
  readonly settings: Pick<Settings, 'changed'>;
  /** Whether the connection is our own, to a kernel without an open document here. */
  readonly borrowed: boolean;
}

/**
 * Loads the bridge in a kernel that has it installed but not imported: one silent line, once after each start of the
 * kernel. A start without a status shows itself: the bridge, which answered, is missing.
 *
 * The kernel of a document receives the line before anything else, when it starts and when the document opens, so that
 * the bridge is loaded before the first cell and "Restart and run all". A busy kernel, or one without a document here,
 * receives it only after it has reported that the bridge is missing; the line is queued.
 */
export class Activation implements IDisposable {
  constructor(
    private kernel: Kernel.IKernelConnection | null,
    private readonly channel: KernelChannel,
    private readonly options: ActivationOptions
  ) {
    this.first = kernel !== null && !options.borrowed && kernel.status !== 'busy';
    kernel?.statusChanged.connect(this.onStatus, this);
    channel.changed.connect(this.attempt, this);
    options.settings.changed.connect(this.attempt, this);
    void options.ready.then(() => {
      this.known = true;
      this.attempt();
      this.changedSignal.emit();
    });
  }

  /** Continue over another connection to the same kernel; code that ran there counts as run. */
  moveTo(kernel: Kernel.IKernelConnection | null): void {
    this.kernel?.statusChanged.disconnect(this.onStatus, this);
    this.kernel = kernel;
    kernel?.statusChanged.connect(this.onStatus, this);
    this.attempt();
  }

  /** Whether "missing" may still mean "not imported yet". */
  get pending(): boolean {
    return !this.known || (this.options.enabled() && this.stage !== 'over');
  }

  /** `pending` may have become false. */
  get changed(): ISignal<this, void> {
    return this.changedSignal;
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  dispose(): void {
    if (!this.disposed) {
      this.disposed = true;
      clearTimeout(this.timer);
      // As a receiver, too.
      Signal.clearData(this);
    }
  }

  private onStatus(_: unknown, status: Kernel.Status): void {
    if (starts(status)) {
      clearTimeout(this.timer);
      this.stage = 'waiting';
      this.first = true;
      // The connection drops its queue right after it has emitted this status.
      queueMicrotask(() => this.attempt());
    } else {
      this.attempt();
    }
  }

  private attempt(): void {
    const { kernel } = this;
    if (this.channel.state === 'ready') {
      this.answered = true;
    } else if (this.channel.state === 'missing' && this.answered && this.stage === 'over') {
      // Another process answers, and its status did not reach this connection.
      this.answered = false;
      this.stage = 'waiting';
    }
    const due = this.stage === 'waiting' && (this.first || this.channel.state === 'missing');
    if (!due || !this.known || this.disposed || kernel === null || kernel.isDisposed || !this.options.enabled()) {
      return;
    }
    this.stage = 'running';
    this.first = false;
    const attempt = ++this.attempts;
    const future = kernel.requestExecute({
      code: this.options.line,
      silent: true,
      store_history: false,
      stop_on_error: false
    });
    future.done.then(
      reply => this.settle(attempt, isAborted(reply?.content.status)),
      // Disposed by a restart, whose status starts over.
      () => this.settle(attempt, false)
    );
  }

  /** The line has run, or a previous cell failed and dropped the queue. */
  private settle(attempt: number, aborted: boolean): void {
    if (this.disposed || this.stage !== 'running' || attempt !== this.attempts) {
      return;
    }
    if (aborted) {
      this.stage = 'waiting';
      this.attempt();
      return;
    }
    this.timer = setTimeout(() => {
      this.stage = 'over';
      this.attempt();
      this.changedSignal.emit();
    }, GRACE);
  }

  private disposed = false;
  /** Whether the bridge has answered since the line ran last. */
  private answered = false;
  private known = false;
  private stage: 'waiting' | 'running' | 'over' = 'waiting';
  /** Whether to send the line first, whatever the kernel reports of the bridge. */
  private first: boolean;
  private attempts = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly changedSignal = new Signal<this, void>(this);
}
