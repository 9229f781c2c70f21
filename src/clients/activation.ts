import type { Kernel } from '@jupyterlab/services';
import type { IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';
import type { Milliseconds } from '../base/units';
import type { KernelChannel } from '../feed/kernel-channel';

/** After the line ran, the kernel's announcement and the hello that follows it need a moment. */
const GRACE: Milliseconds = 1500;

/** The line to run, and whether the person lets us. */
export interface ActivationOptions {
  readonly line: string;
  /** Settled when `enabled` knows what the person wants; until then nothing is run. */
  readonly ready: Promise<void>;
  enabled(): boolean;
}

/**
 * Makes the bridge known to a kernel that has it but has not imported it (design decision 6, way ii).
 *
 * One silent line, once after each start of the kernel, only when the kernel said that the bridge is missing and
 * is idle: a running cell is never made to wait, and a kernel that Dask's preload has already reached runs nothing.
 */
export class Activation implements IDisposable {
  constructor(
    private readonly kernel: Kernel.IKernelConnection,
    private readonly channel: KernelChannel,
    private readonly options: ActivationOptions
  ) {
    kernel.statusChanged.connect(this.onStatus, this);
    channel.changed.connect(this.attempt, this);
    void options.ready.then(() => {
      this.known = true;
      this.attempt();
      this.changedSignal.emit();
    });
  }

  /** Whether "missing" may still turn out to be "not imported yet". */
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
      this.kernel.statusChanged.disconnect(this.onStatus, this);
      this.channel.changed.disconnect(this.attempt, this);
      Signal.clearData(this);
    }
  }

  private onStatus(_: unknown, status: Kernel.Status): void {
    if (status === 'starting' || status === 'restarting' || status === 'autorestarting') {
      clearTimeout(this.timer);
      this.stage = 'waiting';
    }
    this.attempt();
  }

  private attempt(): void {
    const due = this.stage === 'waiting' && this.channel.state === 'missing' && this.kernel.status === 'idle';
    if (!due || !this.known || this.disposed || this.kernel.isDisposed || !this.options.enabled()) {
      return;
    }
    this.stage = 'running';
    const future = this.kernel.requestExecute({
      code: this.options.line,
      silent: true,
      store_history: false,
      stop_on_error: false
    });
    // A restart in between rejects; the next status begins again, so the outcome does not matter here.
    future.done.then(this.settle, this.settle);
  }

  private readonly settle = (): void => {
    if (this.disposed || this.stage !== 'running') {
      return;
    }
    this.timer = setTimeout(() => {
      this.stage = 'over';
      this.changedSignal.emit();
    }, GRACE);
  };

  private disposed = false;
  private known = false;
  private stage: 'waiting' | 'running' | 'over' = 'waiting';
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly changedSignal = new Signal<this, void>(this);
}
