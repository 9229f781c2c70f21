import { DisposableDelegate, type IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';
import type { Feed, FeedState } from '../../feed/feed';
import type { Frame, Scalar } from '../../feed/frame';
import type { Profile } from './read';

/** The feed of a finished profile: nothing more arrives, and keys of tasks are in memory. */
export class ProfileFeed implements Feed {
  constructor(private readonly profile: Profile) {}

  readonly state: FeedState = { status: 'closed', answered: 0, reason: '' };
  readonly isDisposed = false;

  get frame(): ISignal<this, Frame> {
    return this.frameSignal;
  }

  get stateChanged(): ISignal<this, FeedState> {
    return this.stateSignal;
  }

  subscribe(): IDisposable {
    return new DisposableDelegate(() => undefined);
  }

  /** @returns key and task of a row, `null` if the output does not contain them */
  async request(op: string, args: Readonly<Record<string, Scalar>> = {}): Promise<Scalar> {
    const row = op === 'key' && typeof args.row === 'number' ? args.row : -1;
    const { keys, tasks } = this.profile;
    return keys[row] === undefined ? null : { key: keys[row], task: tasks[row] ?? '' };
  }

  dispose(): void {
    Signal.clearData(this);
  }

  private readonly frameSignal = new Signal<this, Frame>(this);
  private readonly stateSignal = new Signal<this, FeedState>(this);
}
