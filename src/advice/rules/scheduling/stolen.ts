/** Tasks that work stealing moved to other workers: what the move took, and what the workers that had them lost. */
import type { Seconds } from '../../../base/units';
import { KIND } from '../../../feed/schema';
import type { Lane } from '../../../run/lanes/task-store';
import { eachBetween } from '../../../run/lanes/lane-search';
import type { Steal } from '../../../run/logs/steals';
import { Intervals, subtract, union } from '../../../selectors/selection/intervals';
import { LaneTime, lengthOf } from '../../../selectors/selection/lane-time';
import type { Facts } from '../../facts';
import { type Span, within } from '../../spans';

const TRANSFER = KIND.indexOf('transfer');
/** Times of two workers may differ by so much. */
const CLOCKS: Seconds = 0.05;
/** Transfers that are looked at: more say the same, and it is done every second. */
const MOST_TRANSFERS = 20_000;
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
  const counts = new Map<number, number>();
  for (const { prefix } of steals) {
    counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
  }
  const prefixes = [...counts].sort((a, b) => b[1] - a[1]).map(([prefix]) => prefix);
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

/**
 * Transfers for moved tasks: those of threads of a worker that had got a task of that function before. Of as many moves
 * as there were, at most so many transfers: other tasks of the function wait for inputs, too.
 */
function waitsFor({ run, period }: Facts, steals: readonly Steal[]): readonly Waited[] {
  const got = new Map<string, Seconds[]>();
  for (const { thief, prefix, time } of steals) {
    const name = `${thief} ${prefix}`;
    const times = got.get(name) ?? [];
    got.set(name, times);
    times.push(time);
  }
  const first = steals.reduce((least, { time }) => Math.min(least, time), Number.POSITIVE_INFINITY);
  const thieves = new Set(steals.map(each => each.thief));
  const found: Waited[] = [];
  let left = MOST_TRANSFERS;
  for (const [number, lane] of run.tasks.lanes.entries()) {
    const thief = run.laneNames[number]?.[0] ?? -1;
    if (!lane?.moves || !thieves.has(thief)) {
      continue;
    }
    eachBetween(lane.moves, first - CLOCKS, period.to, ({ start, duration, label, row, detail }) => {
      left -= 1;
      const [from, to] = [Math.max(start, period.from), Math.min(start + duration, period.to)];
      if (label === TRANSFER && detail > 0 && from < to && start >= first - CLOCKS) {
        const prefix = prefixOf(lane, row, start + duration);
        if (got.has(`${thief} ${prefix}`)) {
          found.push({ from, to, sender: detail - 1, thief, prefix });
        }
      }
      return left > 0;
    });
  }
  found.sort((a, b) => a.from - b.from);
  const used = new Map<string, number>();
  return found.filter(({ thief, prefix, from }) => {
    const name = `${thief} ${prefix}`;
    const next = used.get(name) ?? 0;
    const time = got.get(name)?.[next];
    if (time === undefined || time > from + CLOCKS) {
      return false;
    }
    used.set(name, next + 1);
    return true;
  });
}

/** Function of the execution that waited for a transfer; -1 if it is not found. */
function prefixOf({ compute }: Lane, row: number, end: Seconds): number {
  let prefix = -1;
  let left = MOST_EXECUTIONS;
  eachBetween(compute, end - CLOCKS, Number.POSITIVE_INFINITY, found => {
    left -= 1;
    prefix = found.row === row ? found.label : prefix;
    return prefix < 0 && left > 0;
  });
  return prefix;
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
