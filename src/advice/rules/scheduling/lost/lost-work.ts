/** What workers cost that left with work: attempts that ended with them, results that were computed again, and what waited. */
import { countLeading } from '../../../../base/arrays';
import type { Seconds } from '../../../../base/units';
import type { Attempt } from '../../../../run/logs/attempts';
import { type Removal, removals } from '../../../../selectors/events/removals';
import { type Facts, once } from '../../../facts';
import { type Claim, claimIn, joined, lostIn, type Span, sumOf, within } from '../../../spans';
import { unrecordedIn } from '../../compute/unrecorded';
import { Grid } from '../../../time/grid';
import { type Parts, partOf } from '../../../time/parts';

/** Parts in which threads do nothing because what they need is not there. */
const WAITING = ['quiet', 'straggler', 'starved', 'overhead'] as const;
/** Less lies between the event of a worker's end and the notes of its attempts' ends. */
const LATE: Seconds = 0.05;
/** Of a shorter time without such waiting it is not known how much is usual. */
const LEAST_USUAL: Seconds = 1;

/** Time of threads. */
export interface LostWork {
  /** Of attempts that ended with their workers. */
  readonly attempts: Seconds;
  /**
   * Of attempts of which it is not recorded when they began, as of a worker that is killed before its next heartbeat: nothing
   * else ran meanwhile.
   */
  readonly unseen: Claim;
  /** Of computing results again that were lost. */
  readonly again: Seconds;
  /** How many. */
  readonly renewed: number;
  /** Of threads that had nothing else meanwhile, more than before and after. */
  readonly waited: Partial<Parts>;
  /** When that was. */
  readonly spans: readonly Span[];
  /** Threads that were there before and not afterwards. */
  readonly missing: Missing;
  /** When the last of these results was there again, or would have been; the last worker's end if there is none. */
  readonly until: Seconds;
}

/** Threads that were missing until other workers came, at most, and for how long. */
interface Missing {
  readonly threads: number;
  readonly time: Seconds;
  /** Time in which none was left for a computation in progress. */
  readonly none: Seconds;
  /** Thread-seconds of both. */
  readonly seconds: Seconds;
}

/** Workers of the period that left with tasks or results, although nobody is known to have asked for it. */
export const lostWorkers = once((facts): readonly Removal[] =>
  removals(facts.run).filter(each => each.how !== 'asked' && each.tasks + each.results > 0 && within(facts, each.time))
);

/** What these workers cost, as far as it was recorded. */
export function lostWork(facts: Facts): LostWork {
  const { run, period, partition } = facts;
  const lost = new Set(lostWorkers(facts));
  const ended: Attempt[] = [];
  const again: Seconds[] = [];
  // The time until which others waited for what a worker had; for attempts that have not run again at least as long as they had.
  const until = new Map<Removal, Seconds>();
  const guessed = new Map<Removal, Seconds>();
  const timed = new Set<Removal>();
  const wait = (of: Map<Removal, Seconds>, removal: Removal, end: Seconds): void => {
    of.set(removal, Math.max(of.get(removal) ?? end, end));
  };
  const all = removals(run);
  const [busy, holding] = [all.filter(({ tasks }) => tasks > 0), all.filter(({ results }) => results > 0)];
  for (const attempt of run.attempts.timed) {
    const { how, begin, end } = attempt;
    // The scheduler logs the end of a worker before that of its attempts.
    const removal = how === 'renewed' ? lastBefore(holding, begin) : lastBefore(busy, how === 'lost' ? end + LATE : begin);
    if (how === 'retried' || how === 'rescheduled' || removal === undefined || !lost.has(removal) || !(begin < end)) {
      continue;
    }
    if (how === 'lost') {
      ended.push(attempt);
      timed.add(removal);
      wait(guessed, removal, 2 * end - begin);
      continue;
    }
    if (how === 'renewed') {
      again.push(Math.max(0, Math.min(period.to, end) - Math.max(period.from, begin)));
    }
    wait(until, removal, end);
  }
  // Many may have left at once.
  const spans = joined(
    [...lost].map(removal => {
      const to = until.get(removal) ?? guessed.get(removal) ?? removal.time;
      return { from: removal.time, to: Math.min(period.to, to) };
    })
  );
  return {
    attempts: unrecorded(facts, ended),
    unseen: unseenIn(
      facts,
      [...lost].filter(removal => !timed.has(removal))
    ),
    again: Math.min(partition.parts.compute, sumOf(again)),
    renewed: again.filter(seconds => seconds > 0).length,
    waited: waitedIn(facts, spans),
    spans,
    missing: missingAfter(facts, lost),
    until: Math.max(...spans.map(({ to }) => to))
  };
}

/** What the threads of workers did before these ended with tasks, where nothing shows when they had begun them. */
function unseenIn(facts: Facts, ended: readonly Removal[]): Claim {
  const names = new Map(facts.run.workerNames.map(name => [name?.address, name?.nthreads]));
  const spans = ended.flatMap(({ time, tasks, worker }): Span[] => {
    const before = unrecordedIn(facts).find(({ from, to, cancelled }) => from < time && time <= to + LATE && !cancelled);
    // A feed may leave out how many there were: 0.
    const threads = Math.min(tasks, names.get(worker) || tasks);
    return before === undefined || threads === 0 ? [] : [{ from: before.from, to: Math.min(before.to, time), threads }];
  });
  return claimIn(facts, spans, ['quiet']);
}

/** The last worker that left until a time. */
function lastBefore(all: readonly Removal[], time: Seconds): Removal | undefined {
  return all[countLeading(all.length, i => all[i].time <= time) - 1];
}

/** Time of threads in attempts: what of them the partition has. */
function unrecorded({ partition }: Facts, ended: readonly Attempt[]): Seconds {
  const grid = new Grid(partition.steps);
  for (const { begin, end } of ended) {
    grid.add(begin, end);
  }
  return sumOf(grid.seconds().map((seconds, i) => Math.min(seconds, partition.activity.ended[i])));
}

/** What threads lost within spans, without what they lose as well in the rest of the period. */
function waitedIn(facts: Facts, spans: readonly Span[]): Partial<Parts> {
  const { partition, wall } = facts;
  const length = countedIn(facts, spans);
  const lost = lostIn(facts, spans, WAITING);
  const inside = sumOf(WAITING.map(part => lost[part] ?? 0));
  const outside = sumOf(WAITING.map(part => partition.parts[part])) - inside;
  const usual = wall - length >= LEAST_USUAL ? (outside * length) / (wall - length) : 0;
  const part = inside > usual ? 1 - usual / inside : 0;
  return partOf(lost, part);
}

/** How long spans that do not overlap are, without time in which no thread counts. */
function countedIn({ partition: { steps, uncounted } }: Facts, spans: readonly Span[]): Seconds {
  const grid = new Grid(steps);
  for (const { from, to } of spans) {
    grid.add(from, to);
  }
  return sumOf(grid.seconds().map((seconds, i) => seconds * (1 - uncounted[i] / steps.width)));
}

/** How many threads fewer there are than before workers were lost, until others have come; not those of workers that were stopped. */
function missingAfter({ run, partition }: Facts, lost: ReadonlySet<Removal>): Missing {
  const { threads, steps, unattended, unanswered } = partition;
  const stepAt = (time: Seconds): number => Math.max(0, Math.floor((time - steps.from) / steps.width));
  const names = new Map(run.workerNames.map(name => [name?.address, name?.nthreads]));
  const left = removals(run).filter(({ time }) => time >= steps.from);
  let [most, count, next, before, gone] = [0, 0, 0, 0, 0];
  let [none, seconds] = [0, 0];
  for (let i = 0; i < steps.count; i++) {
    for (; next < left.length && stepAt(left[next].time) < i; next++) {
      const own = names.get(left[next].worker);
      if (lost.has(left[next])) {
        before = gone > 0 ? before : threads[Math.max(0, stepAt(left[next].time) - 1)];
        gone += own || Number.POSITIVE_INFINITY;
      } else {
        before -= own ?? 0;
      }
    }
    if (gone > 0) {
      none += unattended[i];
      seconds += unattended[i] * Math.max(0, Math.min(gone, before));
    }
    // Where none is there, a pause may be; while the scheduler did not answer, those that ran nothing do not count.
    if (gone > 0 && threads[i] > 0 && unanswered[i] === 0) {
      const missing = Math.min(gone, Math.round(before - threads[i]));
      gone = missing > 0 ? gone : 0;
      most = Math.max(most, missing);
      count += missing > 0 ? 1 : 0;
      seconds += Math.max(0, missing) * steps.width;
    }
  }
  return { threads: most, time: count * steps.width, none, seconds };
}
