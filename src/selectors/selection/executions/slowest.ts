import type { Seconds } from '../../../base/units';
import { type Chunk, ERRED } from '../../../run/lanes/lane-chunk';

/** One execution. */
export interface ExecutionRow {
  readonly lane: number;
  readonly prefix: number;
  readonly row: number;
  readonly start: Seconds;
  readonly duration: Seconds;
  readonly erred: boolean;
}

const SLOWEST = 10;

/** The ten longest executions, longest first. */
export class Slowest {
  readonly list: ExecutionRow[] = [];
  /** Executions that are not longer are not among them. */
  threshold: Seconds = -1;

  /** Add executions `begin` to `stop` (exclusive) of a chunk, of which none is longer than `longest`. */
  noteSome(lane: number, chunk: Chunk, begin: number, stop: number, longest: Seconds): void {
    for (let i = begin; longest > this.threshold && i < stop; i++) {
      if (chunk.durationOf(i) > this.threshold) {
        this.note(lane, chunk, i);
      }
    }
  }

  /** Add execution `i` of a chunk, which is longer than {@link threshold}. */
  note(lane: number, chunk: Chunk, i: number): void {
    const [duration, row, start] = [chunk.durationOf(i), chunk.rowOf(i), chunk.startOf(i)];
    const erred = (chunk.flagsOf(i) & ERRED) !== 0;
    const at = this.list.findIndex(each => each.duration < duration);
    this.list.splice(at < 0 ? this.list.length : at, 0, { lane, prefix: chunk.labelOf(i), row, start, duration, erred });
    if (this.list.length > SLOWEST) {
      this.list.pop();
    }
    this.threshold = this.list.length < SLOWEST ? -1 : this.list[SLOWEST - 1].duration;
  }
}
