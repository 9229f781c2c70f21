import type { Seconds } from '../../base/units';
import { TABLE_HISTORY } from '../../feed/history';

/** Values that are kept, whatever their times are: heartbeats come twice a second at most. */
const MOST = 2 * TABLE_HISTORY;

/** A value of the last minute by id, such as the CPU of a worker. Times of an id only grow; where one goes back, its history begins again. */
export class RecentValues {
  /** Note a value; one that is unknown, or of a time that is known, is left out. */
  note(id: number, time: Seconds, value: number): void {
    const { times, values } = this.byId.get(id) ?? EMPTY;
    const last = times[times.length - 1] ?? Number.NEGATIVE_INFINITY;
    if (!Number.isFinite(value) || !Number.isFinite(time) || time === last) {
      return;
    }
    const from = time < last ? times.length : Math.max(times.length + 1 - MOST, firstAfter(times, time - TABLE_HISTORY));
    // New arrays: a copy may read the old ones.
    this.byId.set(id, { times: [...times.slice(from), time], values: [...values.slice(from), value] });
  }

  /** Values of the last minute, the oldest first. */
  of(id: number): readonly number[] {
    return (this.byId.get(id) ?? EMPTY).values;
  }

  clear(): void {
    this.byId.clear();
  }

  copy(): RecentValues {
    const copy = new RecentValues();
    for (const [id, history] of this.byId) {
      copy.byId.set(id, history);
    }
    return copy;
  }

  private readonly byId = new Map<number, History>();
}

interface History {
  readonly times: readonly Seconds[];
  readonly values: readonly number[];
}

const EMPTY: History = { times: [], values: [] };

function firstAfter(times: readonly Seconds[], time: Seconds): number {
  const found = times.findIndex(each => each >= time);
  return found < 0 ? times.length : found;
}
