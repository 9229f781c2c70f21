import { DisposableDelegate, type IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';
import type { Feed, FeedState } from '../feed/feed';
import type { Frame, Scalar } from '../feed/frame';
import type { Recording } from '../feed/recording';

/** The feed of a report: everything has come; the keys of tasks are asked for when somebody points at one. */
export class RecordedFeed implements Feed {
  constructor(private readonly recording: Recording) {}

  readonly state: FeedState = { status: 'closed', answered: 0, reason: 'This is a recording.' };
  readonly isDisposed = false;

  get frame(): ISignal<Feed, Frame> {
    return this.frameSignal;
  }

  get stateChanged(): ISignal<Feed, FeedState> {
    return this.stateSignal;
  }

  subscribe(): IDisposable {
    return new DisposableDelegate(() => undefined);
  }

  /**
   * @returns key and type of a row, `null` where the recording has none
   * @throws Error for everything but `key`: there is no cluster to ask
   */
  async request(op: string, args: Readonly<Record<string, Scalar>> = {}): Promise<Scalar> {
    if (op !== 'key' || typeof args.row !== 'number') {
      throw new Error('A report has no cluster to ask.');
    }
    const found = await this.recording.key(args.row);
    return found === null ? null : { key: found.key, type: found.type };
  }

  /** A report lives as long as its page. */
  dispose(): void {
    Signal.clearData(this);
  }

  private readonly frameSignal = new Signal<Feed, Frame>(this);
  private readonly stateSignal = new Signal<Feed, FeedState>(this);
}
