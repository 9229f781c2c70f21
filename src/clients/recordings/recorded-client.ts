import { type ISignal, Signal } from '@lumino/signaling';
import type { FileFeed, RecordedRows } from '../../feed/recordings/file-feed';
import type { Frame } from '../../feed/frame';
import type { ClientInfo } from '../../feed/kernel/kernel-channel';
import { Run } from '../../run/run';
import type { LiveClient } from '../model';

/** A recording, folded into one run for all viewers: the state at the moment of its clock. */
export class RecordedClient {
  readonly run = new Run();

  /**
   * @param path - of the file
   * @param info - its facts, as for a client
   */
  constructor(
    readonly path: string,
    readonly info: ClientInfo,
    readonly feed: FileFeed
  ) {
    this.run.anchor = feed.start;
    this.run.clock.stand(feed.start);
    this.run.apply(feed.begin, performance.now());
    feed.rows.connect(this.take, this);
    feed.rewound.connect(this.rewind, this);
    feed.frame.connect(this.fold, this);
    feed.moved.connect(this.show, this);
  }

  /** The last handle was disposed. */
  get released(): ISignal<this, void> {
    return this.releasedSignal;
  }

  /** Whether there is a handle. */
  get used(): boolean {
    return this.handles > 0;
  }

  /** Another handle. */
  share(): LiveClient {
    this.handles += 1;
    return new Handle(this, () => {
      this.handles -= 1;
      if (this.handles === 0) {
        this.releasedSignal.emit();
      }
    });
  }

  /** The file was read again by a new instance: nothing more will arrive. */
  get isDisposed(): boolean {
    return this.feed.isDisposed;
  }

  dispose(): void {
    this.feed.dispose();
    Signal.clearData(this);
  }

  private take(_: FileFeed, { names, tasks }: RecordedRows): void {
    for (const entries of names) {
      this.run.learn(entries);
    }
    for (const body of tasks) {
      this.all.apply(body);
      this.hasTasks = true;
    }
    this.cutAt = Number.NaN;
  }

  private rewind(): void {
    this.run.rewind();
  }

  private fold(_: FileFeed, frame: Frame): void {
    this.run.apply(frame, performance.now());
  }

  private show(): void {
    const { feed, run } = this;
    run.clock.stand(feed.position);
    const at = feed.atEnd ? Number.POSITIVE_INFINITY : feed.position;
    if (at === this.cutAt) {
      return;
    }
    if (run.tasks !== this.all || at !== Number.POSITIVE_INFINITY) {
      // Views that remember what they drew start over.
      run.tasks = at === Number.POSITIVE_INFINITY ? this.all : this.all.until(at);
      this.all.changes.reset();
    }
    this.cutAt = at;
    run.touch(this.hasTasks ? ['tasks'] : []);
  }

  private handles = 0;
  /** Whether the file reports executions, or that there are none. */
  private hasTasks = false;
  /** All executions read from the file. */
  private readonly all = this.run.tasks;
  /** Moment of the executions in the run; infinite if it has all, NaN if more was read since. */
  private cutAt = Number.NaN;
  private readonly releasedSignal = new Signal<this, void>(this);
}

class Handle implements LiveClient {
  constructor(
    private readonly client: RecordedClient,
    private readonly release: () => void
  ) {}

  readonly borrowed = false;

  get severed(): boolean {
    return this.client.isDisposed;
  }

  get path(): string {
    return this.client.path;
  }

  get info(): ClientInfo {
    return this.client.info;
  }

  get feed(): FileFeed {
    return this.client.feed;
  }

  get run(): Run {
    return this.client.run;
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  dispose(): void {
    if (!this.disposed) {
      this.disposed = true;
      this.release();
    }
  }

  private disposed = false;
}
