/** Activity of the workers' threads in a time range; the parts add up to wall time × threads. */
import type { Seconds } from '../../../base/units';
import { KIND } from '../../../feed/schema';
import { type Chunk, ERRED } from '../../../run/lanes/lane-chunk';
import { busyBetween } from '../../../run/lanes/busy-periods';
import { eachBetween } from '../../../run/lanes/lane-search';
import type { Run } from '../../../run/run';
import { selectedComputation } from '../../../selectors/computations/selected';
import { afterAllSteps } from '../../../selectors/all-steps';
import { integral } from '../../../selectors/integral';
import { threadsOf } from '../../../selectors/selection/threads';
import { type SilentTime, silencesIn, silentTime } from '../../../selectors/silent-time';
import { Matcher } from '../../../run/selection/matcher';
import { NOTHING_SELECTED, selectionOf } from '../../../run/selection/selection';
import type { PlotOption } from '../../../plot/plot';
import { liveWorkers, total } from '../../../selectors/workers/worker-rows';
import { type Own, othersIn, ownOf, runningIn } from './others';

/** The choice of a range. */
export const RANGE: PlotOption = {
  id: 'range',
  label: 'Time',
  choices: [
    { value: 'work', label: 'first task to last' },
    { value: 'whole', label: 'first task to now' },
    { value: '600', label: 'last 10 minutes' },
    { value: '60', label: 'last minute' }
  ],
  initial: 'work'
};

/** A time range in scheduler time. */
export interface Range {
  readonly from: Seconds;
  readonly to: Seconds;
  /** Whether it includes all work. */
  readonly whole: boolean;
  /** Whether it is the period that is selected in the run; default: not. */
  readonly selected?: boolean;
}

/** Thread-seconds. */
export interface ThreadTime {
  readonly range: Range;
  /** Wall time × threads. */
  readonly capacity: Seconds;
  readonly compute: Seconds;
  /**
   * Tasks of other computations than the selected one, also those that run, which are in no other part; NaN if none is selected, or
   * if it is not known which tasks are its own.
   */
  readonly others: Seconds;
  /** Running tasks, without those in `others`. */
  readonly running: Seconds;
  /** Threads that waited during an interval of their next task. */
  readonly transfer: Seconds;
  readonly disk: Seconds;
  /** NaN if the range covers only part of the work: Dask measures it only for the whole run. */
  readonly serialise: Seconds;
  /**
   * Time without a task while the scheduler did not answer, and threads that ran something without a record: attempts that
   * failed and were retried or ended with their worker, and cancelled tasks; for schedulers that do not report running tasks,
   * those as well. From Dask's fine metrics if the range includes all work, and from samples, one per second.
   */
  readonly unobserved: Seconds;
  /** Whether anything is known to have run without a record. Else `unobserved` may be what samples do not show exactly. */
  readonly seen: boolean;
  /** The part of `unobserved` in which nothing was executed while the scheduler did not answer. */
  readonly unseen: Seconds;
  /** Threads that ran no task although there were tasks for them: from samples, one per second. */
  readonly waiting: Seconds;
  readonly idle: Seconds;
}

/** Activities of Dask's fine metrics that serialize and deserialize results. */
export const SERIALISING: ReadonlySet<string> = new Set(['serialize', 'deserialize', 'compress', 'decompress']);

/** Activities of Dask's fine metrics that are whole executions without a result. */
const IN_VAIN: ReadonlySet<string> = new Set(['failed', 'cancelled']);

/** The selected period as far as there is work in it, else the chosen range; `null` before the first task. */
export function rangeOf(run: Run, choice: string): Range | null {
  const { firstStart, lastEnd, dropped, lost, incompleteUntil } = run.tasks;
  const now = run.clock.latest;
  const { earliest } = run.running;
  const begin = Math.min(Number.isFinite(firstStart) ? firstStart : Number.POSITIVE_INFINITY, earliest);
  if (!Number.isFinite(begin)) {
    return null;
  }
  const { period } = selectionOf(run).current;
  // A selected computation begins with its submission: threads that wait for its first task are part of where its time goes.
  const earliestKnown = selectedComputation(run) === null ? begin : Number.NEGATIVE_INFINITY;
  const [first, last] = [Math.max(period?.from ?? now, earliestKnown, incompleteUntil), Math.min(period?.to ?? now, now)];
  if (period !== null && first < last) {
    return { from: first, to: last, whole: false, selected: true };
  }
  // Running tasks count as work up to now.
  const to = choice === 'work' && !Number.isFinite(earliest) ? Math.min(lastEnd, now) : now;
  // Before that, what threads waited for is not known.
  const from = Math.max(begin, now - Number(choice) || Number.NEGATIVE_INFINITY, incompleteUntil);
  return from < to ? { from, to, whole: from === begin && dropped + lost === 0 } : null;
}

const cache = new WeakMap<Run, { readonly key: string; readonly time: ThreadTime }>();

/** Activity of threads in a range; computed at most once per second of scheduler time. */
export function threadTime(run: Run, range: Range): ThreadTime {
  const own = range.selected ? ownOf(run) : null;
  const versions = ['series', 'activities', 'workers', 'running'] as const;
  const key = [
    ...(range.selected ? [range.from, range.to] : [range.from.toFixed(1), Math.floor(range.to)]),
    range.whole,
    run.tasks.count > 0,
    ...versions.map(t => run.version(t) > 0),
    ...(range.selected ? [own?.id, own?.rows.end, own?.rows.functions?.number] : [])
  ];
  const text = `${key.join(' ')} ${Math.floor(run.clock.latest)}`;
  const last = cache.get(run);
  if (last?.key === text) {
    return last.time;
  }
  const time = reckon(run, range, own);
  cache.set(run, { key: text, time });
  return time;
}

function reckon(run: Run, range: Range, own: Own | null): ThreadTime {
  const found = intervals(run, range);
  const measured = range.whole
    ? run.activities.sumObserved('seconds', ({ context, activity }) => context === 'execute' && SERIALISING.has(activity)) || 0
    : Number.NaN;
  const threads = integral(run, 'threads', range);
  const silence = silenceIn(run, range);
  const capacity = Number.isFinite(threads)
    ? threads - integralInSilence(run, 'threads', range) + silence.all
    : (range.to - range.from) * total(liveWorkers(run), row => row.nthreads);
  // Coroutines share a thread, and clocks are estimates: limit the measured time to the available time.
  let left = capacity;
  const take = (seconds: Seconds): Seconds => {
    const taken = Math.max(0, Math.min(seconds || 0, left));
    left -= taken;
    return taken;
  };
  const computed = take(found.compute);
  const executed = own === null ? Number.NaN : Math.min(computed, othersIn(run, own, range));
  const compute = computed - (executed || 0);
  const ran = runningIn(run, own, range);
  const running = take(ran.own);
  const others = executed + take(ran.others);
  const transfer = take(found.transfer);
  const disk = take(found.disk);
  const serialise = Number.isNaN(measured) ? Number.NaN : take(measured);
  const unrecorded = take(range.whole ? unrecordedTime(run) : 0);
  // Dask does not count cancelled tasks as assigned, but their threads go on with them.
  const cancelled = integral(run, 'cancelled', range) || 0;
  const assigned = integral(run, 'assigned', range);
  const occupied = integral(run, 'computing', range) + cancelled;
  // Tasks that do not run stand behind the cancelled ones of their worker first: samples do not tell on which workers they are.
  const engaged = Math.max(assigned || 0, occupied || cancelled);
  const rest = take(Math.max(0, engaged - (capacity - left)));
  // Only threads that had tasks but ran none, not even cancelled ones, can have waited for the scheduler.
  const waiting = Math.max(0, Math.min(rest, engaged - occupied || 0));
  // Threads that had tasks are in other parts.
  const unseen = take(Math.min(silence.unknown, silence.all - integralInSilence(run, 'assigned', range)));
  const unobserved = unrecorded + rest - waiting + unseen;
  const seen = unrecorded > 0 || cancelled > 0 || !run.has('running') || hasAttempts(run, range);
  return { range, capacity, compute, others, running, transfer, disk, serialise, unobserved, seen, unseen, waiting, idle: left };
}

/** Time of all threads while the scheduler did not answer, as their workers came and left. */
function silenceIn(run: Run, range: Range): SilentTime {
  const sums = { all: 0, unknown: 0 };
  if (silencesIn(run, range).length > 0) {
    for (const worker of afterAllSteps(threadsOf(run, new Matcher(run, NOTHING_SELECTED), range)).workers) {
      const { all, unknown } = silentTime(run, worker);
      sums.all += all;
      sums.unknown += unknown;
    }
  }
  return sums;
}

/** The integral of a measure over the time in which the scheduler did not answer: samples stay as they were before. */
function integralInSilence(run: Run, measure: 'threads' | 'assigned', range: Range): number {
  return silencesIn(run, range).reduce((sum, gap) => sum + (integral(run, measure, gap) || 0), 0);
}

/** Whether an attempt ended without a record in a range; also where that is not known. */
function hasAttempts({ attempts }: Run, { from, to }: Range): boolean {
  return !attempts.knowsSince(from) || attempts.timed.some(({ begin, end }) => begin < to && end > from);
}

/** Time of executions without a result, except for those that are among the tasks, as errors without another attempt are. */
function unrecordedTime(run: Run): Seconds {
  const inVain = run.activities.sumObserved('seconds', ({ context, activity }) => context === 'execute' && IN_VAIN.has(activity));
  return inVain > 0 ? Math.max(0, inVain - erredTime(run)) : 0;
}

const erredOf = new WeakMap<Chunk, { readonly length: number; readonly seconds: Seconds }>();

/** Time of all executions that are kept and ended with an error. */
function erredTime(run: Run): Seconds {
  let sum = 0;
  for (const lane of run.tasks.lanes) {
    for (const chunk of lane?.compute.chunks ?? []) {
      let known = erredOf.get(chunk);
      if (known?.length !== chunk.length) {
        let seconds = 0;
        for (let i = 0; i < chunk.length; i++) {
          seconds += chunk.flagsOf(i) & ERRED ? chunk.durationOf(i) : 0;
        }
        known = { length: chunk.length, seconds };
        erredOf.set(chunk, known);
      }
      sum += known.seconds;
    }
  }
  return sum;
}

function intervals(run: Run, { from, to }: Range): Pick<ThreadTime, 'compute' | 'transfer' | 'disk'> {
  const sum = { compute: 0, transfer: 0, disk: 0 };
  for (const lane of run.tasks.lanes) {
    if (lane === undefined) {
      continue;
    }
    sum.compute += busyBetween(lane.compute, from, to);
    if (lane.moves === null) {
      continue;
    }
    eachBetween(lane.moves, from, to, ({ start, duration, label }) => {
      const [begin, end] = [Math.max(from, start), Math.min(to, start + duration)];
      // The transfer did not block the thread while it computed something else.
      const kept = Math.max(0, end - begin - busyBetween(lane.compute, begin, end));
      sum[KIND[label] === 'transfer' ? 'transfer' : 'disk'] += kept;
      return true;
    });
  }
  return sum;
}
