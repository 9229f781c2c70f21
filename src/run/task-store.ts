import type { Seconds } from '../base/units';
import type { TopicBody } from '../feed/frame';

/**
 * Every execution that the browser holds, by lane, with a summary pyramid for drawing: see
 * `design/dense-views.md`, "Timeline". Written together with the timeline view.
 */
export class TaskStore {
  /** Executions appended so far. */
  count = 0;
  /** Rows that had left the collector's ring before we could read them. */
  lost = 0;
  /** Least start of all compute intervals; Infinity while there is none. */
  firstStart: Seconds = Number.POSITIVE_INFINITY;
  /** Greatest end of all intervals; -Infinity while there is none. */
  lastEnd: Seconds = Number.NEGATIVE_INFINITY;

  /** Take over one body of topic `tasks`, with its moves. */
  append(body: TopicBody): void {
    this.count += body.columns.lane?.length ?? 0;
  }

  /** Forget everything: another feed or epoch begins. */
  clear(): void {
    this.count = 0;
  }
}
