import type { IDisposable } from '@lumino/disposable';
import type { Settings } from '../base/jupyter/settings';
import type { Feed, FeedState } from '../feed/feed';
import type { Frame } from '../feed/frame';
import type { ClientInfo } from '../feed/kernel/kernel-channel';
import { Run } from '../run/run';
import type { LiveClient } from './model';

/** Facts of a client apart from its feed; they may change while the feed continues. */
export interface SharedClientFacts {
  readonly path: string;
  readonly info: ClientInfo;
  readonly borrowed: boolean;
  /** Keep the connection open until the returned disposable is disposed. */
  hold(): IDisposable;
}

/** One client's feed, folded into one run for all viewers; ends when the last handle is disposed. */
export class SharedClient {
  constructor(
    readonly feed: Feed,
    private readonly facts: SharedClientFacts,
    private readonly settings: Pick<Settings, 'values' | 'changed'>,
    private onEnd: () => void
  ) {
    this.run.client = facts.info.key;
    this.lease = facts.hold();
    feed.frame.connect(this.fold, this);
    feed.stateChanged.connect(this.endRun, this);
    settings.changed.connect(this.keepTasks, this);
    this.keepTasks();
  }

  /** Its conversation has ended. */
  get severed(): boolean {
    return this.isSevered;
  }

  readonly run = new Run();

  /** Path of its Jupyter session; the last one after {@link retire}. */
  get path(): string {
    return this.lastPath ?? this.facts.path;
  }

  get info(): ClientInfo {
    return this.facts.info;
  }

  get borrowed(): boolean {
    return !this.isSevered && this.facts.borrowed;
  }

  /** The conversation ended: handles keep the run, but nothing more will arrive. */
  sever(): void {
    this.isSevered = true;
  }

  /**
   * The conversation ended with its kernel's last location.
   *
   * @param path - of that location
   * @param onEnd - called when the last handle is disposed
   */
  retire(path: string, onEnd: () => void): void {
    this.sever();
    this.lastPath = path;
    this.onEnd = onEnd;
  }

  /** Another handle. */
  share(): LiveClient {
    this.handles += 1;
    return new Handle(this);
  }

  /** A handle was disposed. */
  release(): void {
    this.handles -= 1;
    if (this.handles === 0) {
      this.feed.frame.disconnect(this.fold, this);
      this.feed.stateChanged.disconnect(this.endRun, this);
      this.settings.changed.disconnect(this.keepTasks, this);
      this.feed.dispose();
      this.lease.dispose();
      this.onEnd();
    }
  }

  private keepTasks(): void {
    this.run.keepTasks(this.settings.values.keepTasks);
  }

  private endRun(_: Feed, { status, answered }: FeedState): void {
    if (status === 'closed') {
      this.run.end(answered);
    }
  }

  private fold(_: Feed, frame: Frame): void {
    this.run.apply(frame, performance.now());
    // The last frames of a client that closes may arrive after that is known.
    this.endRun(this.feed, this.feed.state);
  }

  private handles = 0;
  private isSevered = false;
  private lastPath: string | null = null;
  private readonly lease: IDisposable;
}

class Handle implements LiveClient {
  constructor(private readonly shared: SharedClient) {}

  get path(): string {
    return this.shared.path;
  }

  get info(): ClientInfo {
    return this.shared.info;
  }

  get feed(): Feed {
    return this.shared.feed;
  }

  get run(): Run {
    return this.shared.run;
  }

  get borrowed(): boolean {
    return this.shared.borrowed;
  }

  get severed(): boolean {
    return this.shared.severed;
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  dispose(): void {
    if (!this.disposed) {
      this.disposed = true;
      this.shared.release();
    }
  }

  private disposed = false;
}
