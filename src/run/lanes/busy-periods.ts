import type { Seconds } from '../../base/units';
import { Columns, EXACT, fold } from './lane-fold';
import type { Track } from './lane-track';

/** A period in which no thread of any worker computed or transferred. */
export interface Pause {
  readonly from: Seconds;
  readonly to: Seconds;
}

/** How much of a period is paused. */
export function pausedIn(pauses: readonly Pause[], from: Seconds, to: Seconds): Seconds {
  return pauses.reduce((sum, pause) => sum + Math.max(0, Math.min(pause.to, to) - Math.max(pause.from, from)), 0);
}

/**
 * A shorter time without work is part of the work, for all views and for advice (`docs/architecture.md`, "What is kept, and for how
 * long", calls a cluster idle after as long).
 */
export const SHORTEST_PAUSE: Seconds = 10;

/** Periods kept; beyond that, the shortest pauses are forgotten. */
const MOST_PERIODS = 4096;

/**
 * When anything ran: the union of intervals, where gaps of at most {@link SHORTEST_PAUSE} are closed.
 *
 * Guarantees:
 * 1. The periods are the same for any order of arrival, as long as there are at most {@link MOST_PERIODS}.
 * 2. An interval in or right after the newest period costs two comparisons.
 */
export class BusyPeriods {
  /** Changes with the pauses between the periods, but not while the newest period grows. */
  version = 0;

  /** End of the newest period; -Infinity without any. */
  get end(): Seconds {
    return this.ends[this.ends.length - 1] ?? Number.NEGATIVE_INFINITY;
  }

  /** Something ran. */
  add(from: Seconds, to: Seconds): void {
    const last = this.ends.length - 1;
    if (last >= 0 && from >= this.starts[last] && from <= this.ends[last] + SHORTEST_PAUSE) {
      if (to > this.ends[last]) {
        this.ends[last] = to;
      }
    } else {
      this.insert(from, to);
    }
  }

  /**
   * Pauses between the periods, in order.
   *
   * @param running - earliest start of what still runs: from then on there is none; infinite if nothing does
   */
  pauses(running: Seconds): Pause[] {
    const list: Pause[] = [];
    const { starts, ends } = this;
    for (let i = 0; i < ends.length; i++) {
      const to = Math.min(starts[i + 1] ?? running, running);
      if (Number.isFinite(to) && to - ends[i] > SHORTEST_PAUSE) {
        list.push({ from: ends[i], to });
      }
    }
    return list;
  }

  /** The periods before a moment, as a separate object. */
  until(moment: Seconds): BusyPeriods {
    const cut = new BusyPeriods();
    cut.version = this.version;
    for (const [i, start] of this.starts.entries()) {
      if (start < moment) {
        cut.starts.push(start);
        cut.ends.push(Math.min(this.ends[i], moment));
      }
    }
    return cut;
  }

  clear(): void {
    this.starts.length = 0;
    this.ends.length = 0;
    this.version += 1;
  }

  private insert(from: Seconds, to: Seconds): void {
    const { starts, ends } = this;
    let first = starts.length;
    while (first > 0 && ends[first - 1] + SHORTEST_PAUSE >= from) {
      first -= 1;
    }
    let end = first;
    let [begin, stop] = [from, to];
    while (end < starts.length && starts[end] <= stop + SHORTEST_PAUSE) {
      begin = Math.min(begin, starts[end]);
      stop = Math.max(stop, ends[end]);
      end += 1;
    }
    starts.splice(first, end - first, begin);
    ends.splice(first, end - first, stop);
    this.version += 1;
    if (starts.length > MOST_PERIODS) {
      this.closeShortest();
    }
  }

  private closeShortest(): void {
    const { starts, ends } = this;
    let best = 0;
    for (let i = 1; i + 1 < starts.length; i++) {
      if (starts[i + 1] - ends[i] < starts[best + 1] - ends[best]) {
        best = i;
      }
    }
    ends.splice(best, 1);
    starts.splice(best + 1, 1);
  }

  /** Sorted and disjoint. */
  private readonly starts: Seconds[] = [];
  private readonly ends: Seconds[] = [];
}

/** Busy time of a track between two moments; intervals at the same time count twice. */
export function busyBetween(track: Track, from: Seconds, to: Seconds): Seconds {
  const length = to - from;
  if (!(length > 0)) {
    return 0;
  }
  fold(track, { anchor: from, first: 0, perColumn: length }, 0, 1, EXACT, single);
  return single.busy[0] * length;
}

const single = new Columns(1);
