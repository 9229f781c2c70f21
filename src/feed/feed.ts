import type { IDisposable } from '@lumino/disposable';
import type { ISignal } from '@lumino/signaling';
import type { Milliseconds, Seconds } from '../base/units';
import type { Frame, Scalar } from './frame';
import type { Topic } from './schema';

/**
 * Status of a feed.
 *
 * - `connecting`: nothing has arrived yet;
 * - `live`: frames arrive, or would if something happened;
 * - `silent`: the kernel does not answer (its GIL may be held), or the scheduler does not answer the kernel; the data
 *   is outdated;
 * - `disconnected`: the connection to the Jupyter server is lost, so the kernel's state is unknown; the data is
 *   outdated;
 * - `limited`: the scheduler permits only its standard RPCs;
 * - `recorded`: from a file, paused or playing as its clock is set;
 * - `closed`: the client, the cluster or the kernel is gone; the data stays.
 */
export type FeedStatus = 'connecting' | 'live' | 'silent' | 'disconnected' | 'limited' | 'recorded' | 'closed';

/** The state of a feed, with details for users. */
export interface FeedState {
  readonly status: FeedStatus;
  /**
   * Time of the last answer of the kernel, or of the scheduler if that is silent, by `performance.now()`; once closed, of the
   * last before.
   */
  readonly answered: Milliseconds;
  /** Which of them does not answer, if the status is `silent`. */
  readonly silent?: 'kernel' | 'scheduler';
  /** A message for users if the status is not `live`: what is wrong and what to do. */
  readonly reason: string;
  /** Whether the clock of a recording runs. */
  readonly playing?: boolean;
  /** Wall clock (seconds since the epoch) of the close, if closed. */
  readonly closedAt?: Seconds;
}

/** Whether there are answers, so that the figures are the present ones. */
export function isAnswered({ status }: Pick<FeedState, 'status'>): boolean {
  return status === 'live' || status === 'limited';
}

/** Whether there is no answer, so that all figures are those of the last answer. */
export function isUnanswered({ status }: Pick<FeedState, 'status'>): boolean {
  return status === 'silent' || status === 'disconnected';
}

/**
 * An ordered log of frames about one scheduler: a live kernel, a recording or a generator.
 *
 * Guarantees: `frame` fires synchronously and in order; after a gap the feed requests the rest from its cursor by
 * itself; a topic is sent only while there is a subscription to it.
 */
export interface Feed extends IDisposable {
  readonly frame: ISignal<Feed, Frame>;
  readonly stateChanged: ISignal<Feed, FeedState>;
  readonly state: FeedState;
  /** Subscribe to topics until the returned disposable is disposed. */
  subscribe(topics: readonly Topic[]): IDisposable;
  /**
   * Send a single query (`task`, `worker`, …) or action (`scale`, `cancel`, …).
   *
   * @throws Error with a message for users if the kernel refuses, fails or does not answer in time
   */
  request(op: string, args?: Record<string, Scalar>): Promise<Scalar>;
}

/** Whether a feed has no scheduler: a recording answers only for keys of executions. */
export function isRecorded(feed: Pick<Feed, 'state'> | null): boolean {
  return feed?.state.status === 'recorded';
}

/** Whether time passes for a feed: in a recording only while that plays. */
export function flows(feed: Pick<Feed, 'state'> | null): boolean {
  return !isRecorded(feed) || feed?.state.playing === true;
}

/** A question that has waited this long for an answer is said to wait. */
const LATE_AFTER: Milliseconds = 5000;

/** Call back once if the answer to a request has not come after {@link LATE_AFTER}; returns the answer. */
export function notifyLate<T>(answer: Promise<T>, late: () => void): Promise<T> {
  const timer = setTimeout(late, LATE_AFTER);
  return answer.finally(() => clearTimeout(timer));
}
