import type { IDisposable } from '@lumino/disposable';
import type { ISignal } from '@lumino/signaling';
import type { Milliseconds, Seconds } from '../base/units';
import type { Frame, Scalar } from './frame';
import type { Topic } from './schema';

/**
 * What a feed can say of itself.
 *
 * - `connecting`: nothing has come yet;
 * - `live`: frames come, or would come if something happened;
 * - `silent`: the kernel does not answer (its GIL may be held), or the scheduler does not answer it; what is shown is old;
 * - `disconnected`: the connection to the Jupyter server is lost: nothing is known of the kernel; what is shown is old;
 * - `limited`: the scheduler lets us read only its standard RPCs;
 * - `recorded`: it comes from a file, and stands or plays as its clock is set;
 * - `closed`: the client, the cluster or the kernel is gone; what was seen stays.
 */
export type FeedStatus = 'connecting' | 'live' | 'silent' | 'disconnected' | 'limited' | 'recorded' | 'closed';

/** The state of a feed with what a person needs to know about it. */
export interface FeedState {
  readonly status: FeedStatus;
  /** When the kernel last answered, or the scheduler where that is silent: `performance.now()` of then. */
  readonly answered: Milliseconds;
  /** Who does not answer, where the status is `silent`. */
  readonly silent?: 'kernel' | 'scheduler';
  /** A sentence for people where the status is not `live`: what is wrong and what to do. */
  readonly reason: string;
  /** Whether the clock of a recording runs. */
  readonly playing?: boolean;
  /** Wall clock (seconds since the epoch) of the close, where closed. */
  readonly closedAt?: Seconds;
}

/**
 * An ordered log of frames about one scheduler: a live kernel, a recording and a generator all look like this.
 *
 * Guarantees: `frame` fires synchronously and in order; after a gap the feed asks again from its cursor by itself;
 * a topic flows only while somebody holds a subscription to it.
 */
export interface Feed extends IDisposable {
  readonly frame: ISignal<Feed, Frame>;
  readonly stateChanged: ISignal<Feed, FeedState>;
  readonly state: FeedState;
  /** Ask for topics until the returned disposable is disposed. */
  subscribe(topics: readonly Topic[]): IDisposable;
  /**
   * Ask for one thing now (`task`, `worker`, …) or act (`scale`, `cancel`, …).
   *
   * @throws Error with a sentence for people when the kernel refuses, fails or does not answer in time
   */
  request(op: string, args?: Record<string, Scalar>): Promise<Scalar>;
}

/** Whether no scheduler is behind a feed: a recording tells the keys of executions, and nothing else can be asked. */
export function isRecorded(feed: Feed | null): boolean {
  return feed?.state.status === 'recorded';
}
