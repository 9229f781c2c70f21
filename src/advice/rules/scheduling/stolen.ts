/** Tasks that work stealing moved to other workers: what the move took, and what the workers that had them lost. */
import type { Seconds } from '../../../base/units';
import { KIND } from '../../../feed/schema';
import { DURATION, INTERVAL_WORDS, LABEL_MASK, LOOKS, ROW, START_STRIDE } from '../../../run/lanes/lane-chunk';
import type { Lane } from '../../../run/lanes/task-store';
import type { Steal } from '../../../run/logs/steals';
import { Intervals, subtract, union } from '../../../selectors/selection/intervals';
import { LaneTime, lengthOf } from '../../../selectors/selection/lane-time';
import { byFrequency, type Facts } from '../../facts';
import { type Span, within } from '../../spans';

const TRANSFER = KIND.indexOf('transfer');
/** Clocks of two workers may differ by this much. */
const CLOCKS: Seconds = 0.05;
/** A thread that waits for less has lost nothing by a move. */
const SHORTEST: Seconds = 0.005;
/** Transfers that are looked at more closely, the longest ones: it is done every second. */
const MOST_TRANSFERS = 2000;
/** Executions after a transfer that are looked at for the one that waited for it. */
const MOST_EXECUTIONS = 100;

/** Transfer of inputs to a worker that got a task. */
interface Waited {
  readonly from: Seconds;
  readonly to: Seconds;
  readonly sender: number;
  readonly thief: number;
  readonly prefix: number;
}

/** What a worker lost whose tasks were moved. */
export interface Loser {
  readonly worker: number;
  /** Tasks that were moved away, less those that were moved to it. */
  readonly given: number;
  /** Wall time that it would have needed less, had it kept its tasks. */
  readonly lost: Seconds;
  /** When inputs of the moved tasks were sent; the threads are those that lost something, on average. */
  readonly spans: readonly Span[];
}

/** Tasks that were moved in a period. */
export interface Stolen {
  readonly steals: readonly Steal[];
  /** Ids of their functions, the one with the most moves first. */
  readonly prefixes: readonly number[];
  /** What the moved tasks take, by the mean of their functions. */
  readonly work: Seconds;
  /** Time that threads waited for inputs of moved tasks. */
  readonly waited: Seconds;
  /** The one that lost most first. */
  readonly losers: readonly Loser[];
}

/** The moves of a period and what they cost. */
export function stolenIn(facts: Facts): Stolen {
  const { run } = facts;
  const steals = run.steals.list.filter(
    ({ time, outcome, victim, thief }) => outcome === 'confirmed' && victim >= 0 && thief >= 0 && within(facts, time)
  );
  const prefixes = byFrequency(steals);
  const work = steals.reduce((sum, { prefix }) => sum + meanOf(facts, prefix), 0);
  const waits = waitsFor(facts, steals);
  const losers = [...new Set(waits.map(({ sender }) => sender))]
    .map(worker => loser(facts, worker, steals, waits))
    .filter(each => each.lost > 0)
    .sort((a, b) => b.lost - a.lost);
  return { steals, prefixes, work, waited: waits.reduce((sum, { from, to }) => sum + to - from, 0), losers };
}

function meanOf({ byPrefix }: Facts, prefix: number): Seconds {
  const known = byPrefix.get(prefix);
  return known !== undefined && known.count > 0 ? known.total / known.count : 0;
}

/** Transfers for moved tasks: at most as many as there were moves, since other tasks of a function wait, too. */
function waitsFor(facts: Facts, steals: readonly Steal[]): readonly Waited[] {
  const got = new Map<string, Seconds[]>();
  for (const { thief, prefix, time } of steals) {
    const name = `${thief} ${prefix}`;
    const times = got.get(name) ?? [];
    got.set(name, times);
    times.push(time);
  }
  const used = new Map<string, number>();
  return longestTo(facts, steals)
    .sort((a, b) => a.from - b.from)
    .flatMap(({ lane, row, end, ...wait }) => {
      const prefix = prefixOf(lane, row, end);
      const name = `${wait.thief} ${prefix}`;
      const next = used.get(name) ?? 0;
      const time = got.get(name)?.[next];
      if (time === undefined || time > wait.from + CLOCKS) {
        return [];
      }
      used.set(name, next + 1);
      return [{ ...wait, prefix }];
    });
}

/** A transfer for which it is not yet known which function waited. */
interface Received extends Omit<Waited, 'prefix'> {
  readonly lane: Lane;
  readonly row: number;
  readonly end: Seconds;
}

/**
 * The longest transfers from workers that had moved tasks to those that got some, after the first move to them. A million
 * may be looked at every second, so it is done without an object for each.
 */
function longestTo({ run, period }: Facts, steals: readonly Steal[]): Received[] {
  const since = new Map<number, Seconds>();
  for (const { thief, time } of steals) {
    since.set(thief, Math.min(time - CLOCKS, since.get(thief) ?? Number.POSITIVE_INFINITY));
  }
  const victims = new Set(steals.map(each => each.victim));
  let found: Received[] = [];
  let shortest: Seconds = SHORTEST;
  for (const [number, lane] of run.tasks.lanes.entries()) {
    const thief = run.laneNames[number]?.[0] ?? -1;
    const first = Math.max(period.from, since.get(thief) ?? Number.POSITIVE_INFINITY);
    for (const chunk of (lane?.moves?.chunks ?? []).filter(({ end, first: begin }) => end > first && begin < period.to)) {
      const { f64, f32, u32, length } = chunk;
      for (let i = 0, word = 0; i < length; i++, word += INTERVAL_WORDS) {
        const duration = f32[word + DURATION];
        const start = f64[i * START_STRIDE];
        if (duration <= shortest || start < first || start >= period.to || (u32[word + LOOKS] & LABEL_MASK) !== TRANSFER) {
          continue;
        }
        const { detail, row } = chunk.at(i);
        if (lane !== undefined && victims.has(detail - 1)) {
          const end = start + duration;
          found.push({ from: start, to: Math.min(end, period.to), sender: detail - 1, thief, lane, row, end });
        }
        if (found.length >= 2 * MOST_TRANSFERS) {
          found = found.sort((a, b) => b.end - b.from - (a.end - a.from)).slice(0, MOST_TRANSFERS);
          const last = found[found.length - 1];
          shortest = Math.max(shortest, last.end - last.from);
        }
      }
    }
  }
  return found;
}

/** Function of the execution that waited for a transfer; -1 if it is not found. */
function prefixOf({ compute }: Lane, row: number, end: Seconds): number {
  for (const chunk of compute.chunks) {
    if (chunk.end <= end - CLOCKS) {
      continue;
    }
    const begin = chunk.upperBound(end - CLOCKS);
    const stop = Math.min(chunk.length, begin + MOST_EXECUTIONS);
    for (let i = begin; i < stop; i++) {
      if (chunk.u32[i * INTERVAL_WORDS + ROW] === row) {
        return chunk.u32[i * INTERVAL_WORDS + LOOKS] & LABEL_MASK;
      }
    }
  }
  return -1;
}

/** What a worker lost that sent inputs of tasks it had had: its threads did nothing meanwhile, for longer than the tasks take. */
function loser(facts: Facts, worker: number, steals: readonly Steal[], waits: readonly Waited[]): Loser {
  const { period } = facts;
  const nothing = { worker, given: 0, lost: 0, spans: [] };
  let [given, work] = [0, 0];
  for (const { victim, thief, prefix } of steals) {
    const sign = Number(victim === worker) - Number(thief === worker);
    given += sign;
    work += sign * meanOf(facts, prefix);
  }
  const threads = threadsOf(facts, worker);
  if (given <= 0 || !(threads > 0)) {
    return nothing;
  }
  const own = waits.filter(({ sender }) => sender === worker);
  const sent = new Intervals();
  for (const { from, to } of own) {
    sent.add(from, to, period.from, period.to);
  }
  const length = union(sent);
  const lost = (threads * length - busyIn(facts, worker, sent) - work) / threads;
  if (!(lost > 0)) {
    return nothing;
  }
  const all = [...new Set(own.map(({ thief }) => thief))].reduce((sum, thief) => sum + (threadsOf(facts, thief) || 0), threads);
  const spans = Array.from({ length: sent.length }, (_, i) => ({
    from: sent.begins[i],
    to: sent.ends[i],
    threads: (all * lost) / length
  }));
  return { worker, given, lost, spans };
}

/** Also of a worker that has left. */
function threadsOf({ run: { workers, workerNames } }: Facts, id: number): number {
  return workers.get(id, 'nthreads') || (workerNames[id]?.nthreads ?? Number.NaN);
}

/** Thread-seconds in which a worker computed within disjoint intervals. */
function busyIn({ run, period }: Facts, worker: number, inside: Intervals): Seconds {
  const time = new LaneTime(period);
  const rest = new Intervals();
  let busy = 0;
  for (const [number, lane] of run.tasks.lanes.entries()) {
    if (lane !== undefined && run.laneNames[number]?.[0] === worker) {
      time.read(lane, null);
      busy += lengthOf(time.computed) - subtract(time.computed, inside, rest);
    }
  }
  for (const { start, seceded } of run.running.of(worker)) {
    const now = new Intervals();
    now.add(start, run.clock.latest, period.from, period.to);
    busy += seceded ? 0 : lengthOf(now) - subtract(now, inside, rest);
  }
  return busy;
}
