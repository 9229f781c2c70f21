import type { Seconds } from '../../base/units';
import { TABLE_HISTORY } from '../../feed/history';

/** Maximum number of values, whatever their times: heartbeats come at most twice per second. */
const MOST = 2 * TABLE_HISTORY;

/**
 * Values of the last minute by id, such as the CPU of a worker. Times of an id only increase; if one goes back, its
 * history starts over.
 */
export class RecentValues {
  /** Add a value; an unknown value or a known time is ignored. */
  note(id: number, time: Seconds, value: number): void {
    const { times, values } = this.byId.get(id) ?? EMPTY;
    const last = times[times.length - 1] ?? Number.NEGATIVE_INFINITY;
    if (!Number.isFinite(value) || !Number.isFinite(time) || time === last) {
      return;
    }
    const from = time < last ? times.length : Math.max(times.length + 1 - MOST, firstAfter(times, time - TABLE_HISTORY));
    // Allocate new arrays: a copy may read the old ones.
    this.byId.set(id, { times: [...times.slice(from), time], values: [...values.slice(from), value] });
  }

  /** Values of the last minute, oldest first. */
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
