import type { IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';
import type { Seconds } from '../base/units';
import { frozen } from '../run/frozen';
import type { Run } from '../run/run';

/** The run as shown by a view: the run itself, or, while paused, its state at the time of the pause. */
export class ShownRun implements IDisposable {
  constructor(private readonly live: Run) {
    live.began.connect(this.onBegan, this);
  }

  /** Another run is shown: one that began, or, after a pause during which it began, the next one. */
  get began(): ISignal<this, void> {
    return this.beganSignal;
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  /** The run to draw. */
  get run(): Run {
    return this.held ?? this.live;
  }

  /** The copy drawn while paused, else `null`. */
  get copy(): Run | null {
    return this.held;
  }

  get paused(): boolean {
    return this.held !== null;
  }

  /** Scheduler time of the picture while paused, else NaN. */
  get at(): Seconds {
    return this.held === null ? Number.NaN : this.held.clock.latest;
  }

  /**
   * @param moment - the copy of the run to show while paused; by default a new one
   * @returns whether this was a change
   */
  setPaused(paused: boolean, moment?: Run): boolean {
    if (paused === this.paused) {
      return false;
    }
    const { identity } = this.run;
    this.held = paused ? (moment ?? frozen(this.live)) : null;
    if (this.run.identity !== identity) {
      this.beganSignal.emit();
    }
    return true;
  }

  dispose(): void {
    if (!this.disposed) {
      this.disposed = true;
      this.live.began.disconnect(this.onBegan, this);
      Signal.clearData(this);
    }
  }

  /** While paused, the picture stays that of the run that has ended. */
  private onBegan(): void {
    if (!this.paused) {
      this.beganSignal.emit();
    }
  }

  private disposed = false;
  private readonly beganSignal = new Signal<this, void>(this);
  private held: Run | null = null;
}
