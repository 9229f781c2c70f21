/** Work that a client submits piece by piece while the pieces before still run. */
import { countLeading } from '../../../base/arrays';
import type { Seconds, Share } from '../../../base/units';
import { DURATION, INTERVAL_WORDS, START_STRIDE } from '../../../run/lanes/lane-chunk';
import type { Computation } from '../../../run/tables/computations';
import { type Facts, LEAST_SHARE, once, shareOf } from '../../facts';
import { joined, lostIn, type Span } from '../../spans';
import type { Parts } from '../../time/parts';
import { areIrregular, isClocked, LEAST_BEATS } from './clocked';
import { isOfTasks } from '../../../selectors/tasks/computation-words';
import { CLOCKS } from './gathered';
import { isOwn, loopOf, only, type Round } from './rounds';

/** Of the tasks: others come with the graph of a few. */
export const ALONE: Share = 0.8;
/** Of the time in which they run: a client that takes so long to submit them does so as results come, or as something else does. */
export const SPREAD: Share = 0.5;
/** Of the time that is lost: with less, there was mostly nothing at all, as between rounds. */
export const BESIDE: Share = 0.33;
/** Of all tasks: or it is not what the period is about. */
export const MOST_TASKS: Share = 0.5;
/** Fewer pieces are no stream. */
export const LEAST_PIECES = 10;
/** Of the beginnings: with fewer after ends of others, batches come one after the other. */
export const LATER: Share = 0.25;
/**
 * Of the pieces: with more rounds, or with more pieces in rounds of as many each time, a loop asks for the results of a few
 * before it submits more.
 */
export const ROUNDS = 0.5;
/** Of the rounds: the first may have more or fewer tasks. */
export const ALIKE: Share = 0.8;
/** A shorter time without any of them belongs to it. */
const GAP: Seconds = 1;
/** A piece that follows sooner is on its way when the one before ends. */
const ON_ITS_WAY: Seconds = 0.05;
/** Of the beginnings: a client that submits a piece when one has ended has no pace of its own. */
const FOLLOWING: Share = 0.5;
/**
 * Of the beginnings after the first result: of work that comes when it comes, none or several results are taken in between as
 * often.
 */
const TURNS: Share = 0.8;
/** Beats of a clock: how long each piece is prepared is not known, so it takes more of them than for rounds. */
export const LEAST_PACED = 4 * LEAST_BEATS;
/** Executions that are looked at, the newest of each thread: with thousands of threads as many as with a few. */
const MOST_EXECUTIONS = 16_384;

/** Pieces that a client submits. */
export interface Fed {
  readonly spans: readonly Span[];
  readonly submissions: number;
  /** What threads lost meanwhile, mostly since they had no task while others ran. */
  readonly lost: Partial<Parts>;
  /** Whether they come at the beat of a clock. */
  readonly clocked: boolean;
  /**
   * Whether they may come at a pace of their own: they seem to keep time, but are too few to know it, or come now soon and now
   * late, and neither as others end nor as results are taken.
   */
  readonly ownPace: boolean;
  /** Id of the client that submits them; `undefined` if that is not known, or if several do. */
  readonly client: string | undefined;
}

/** Pieces that a client submits one by one while others run; `null` if it is something else that threads wait for. */
export const fedIn = once((facts): Fed | null => {
  const fed = piecesIn(facts);
  const spans = joined(
    fed.map(each => ({ from: each.values.since, to: fedUntil(facts, each) })).sort((a, b) => a.from - b.from),
    GAP
  );
  const lost = lostIn(facts, spans, ['starved', 'outside', 'quiet', 'overhead']);
  const { starved = 0, overhead = 0, quiet = 0, outside = 0 } = lost;
  if (shareOf(facts, starved) < LEAST_SHARE || starved < BESIDE * (starved + overhead + quiet + outside)) {
    return null;
  }
  const { starts, later, following } = beginningsIn(facts, spans);
  const loop = loopOf(facts);
  // Each of a few rounds may be such pieces.
  const rounds = loop === null || loop.few ? [] : loop.rounds;
  if (later < LATER * starts.length || rounds.length > ROUNDS * starts.length || areAlike(rounds, starts.length)) {
    return null;
  }
  const beats = beatsOf(starts);
  const waits = beats.slice(1).map((time, k) => time - beats[k]);
  return {
    ...{ spans, lost },
    client: only(fed.map(({ client }) => client)),
    submissions: fed.reduce((sum, { values }) => sum + values.submissions, 0),
    clocked: isClocked(beats, waits, 0, LEAST_PACED),
    ownPace:
      isClocked(beats, waits, 0) || (following < FOLLOWING * starts.length && areIrregular(waits) && !takesTurns(facts, starts))
  };
});

/**
 * Whether rounds have as many tasks each time, and most of all: a loop asks for the result of some steps before it submits them again.
 * A client that submits ahead runs out of tasks only by chance, after any number of tasks.
 */
function areAlike(rounds: readonly Round[], tasks: number): boolean {
  const counts = rounds.map(round => round.tasks).sort((a, b) => a - b);
  const usual = counts[Math.floor(counts.length / 2)] ?? 0;
  const alike = counts.filter(each => each === usual).length;
  return alike >= ALIKE * counts.length && alike * usual > ROUNDS * tasks;
}

/** Whether the work of the period comes at the beat of a clock. */
export function isPaced(facts: Facts): boolean {
  return (fedIn(facts) ?? loopOf(facts))?.clocked === true;
}

/** Computations with as many submissions as tasks, if most of the time in which they run more are submitted. */
function piecesIn(facts: Facts): readonly Computation[] {
  const { computations } = facts;
  const fed = computations.filter(each => {
    const { submissions, tasks } = each.values;
    return submissions > 0 && submissions >= ALONE * tasks && isOwn(facts, each) && !isOfTasks(each.client);
  });
  const sum = (list: readonly Computation[], of: (each: Computation) => number): number =>
    list.reduce((all, each) => all + of(each), 0);
  const tasks = sum(fed, ({ values }) => values.tasks);
  const submitting = sum(fed, ({ values: { since, last } }) => Math.max(0, last - since));
  const running = sum(fed, each => endOf(facts, each) - each.values.since);
  const most = tasks >= LEAST_PIECES && tasks >= MOST_TASKS * sum(computations, ({ values }) => values.tasks);
  return most && submitting >= SPREAD * running ? fed : [];
}

/** When the next piece would have come: threads that have none after the last one do not wait for the client. */
function fedUntil(facts: Facts, each: Computation): Seconds {
  const { since, last, submissions } = each.values;
  return Math.min(endOf(facts, each), last + (last - since) / submissions);
}

function endOf({ run }: Facts, { values: { since, last, stop, left } }: Computation): Seconds {
  return left > 0 ? run.clock.latest : Math.max(since, last, stop || 0);
}

/** Tasks of some spans. */
interface Beginnings {
  /** In order. */
  readonly starts: readonly Seconds[];
  /** How many began after others had ended since nothing had run for a while. */
  readonly later: number;
  /** How many began right after another had ended. */
  readonly following: number;
}

function beginningsIn({ run, period }: Facts, spans: readonly Span[]): Beginnings {
  const ran: Span[] = [];
  const lanes = run.tasks.lanes.filter(lane => lane !== undefined);
  const most = Math.ceil(MOST_EXECUTIONS / Math.max(1, lanes.length));
  for (const { compute } of lanes) {
    let left = most;
    for (let k = compute.chunks.length - 1; k >= 0 && left > 0; k--) {
      const { f64, f32, length } = compute.chunks[k];
      for (let i = length - 1; i >= 0 && left > 0; i--) {
        left -= 1;
        const from = f64[i * START_STRIDE];
        if (from >= period.from && from < period.to && spans.some(span => from >= span.from && from <= span.to)) {
          ran.push({ from, to: from + f32[i * INTERVAL_WORDS + DURATION] });
        }
      }
    }
  }
  ran.sort((a, b) => a.from - b.from);
  let [first, last, later] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const { from, to } of ran) {
    if (from >= last + ON_ITS_WAY) {
      [first, last] = [to, to];
      continue;
    }
    later += from >= first ? 1 : 0;
    first = Math.min(first, to);
    last = Math.max(last, to);
  }
  const ends = ran.map(({ to }) => to).sort((a, b) => a - b);
  const starts = ran.map(({ from }) => from);
  return { starts, later, following: starts.filter(start => followsOne(ends, start)).length };
}

/** Whether a piece began when it could have been submitted because another had ended. */
function followsOne(ends: readonly Seconds[], start: Seconds): boolean {
  const ended = countLeading(ends.length, i => ends[i] <= start + CLOCKS);
  return ended > 0 && ends[ended - 1] >= start - ON_ITS_WAY;
}

/**
 * Whether the client took one result between almost any two beginnings, as one does that submits a piece when it has done
 * something with a result.
 */
function takesTurns({ run }: Facts, starts: readonly Seconds[]): boolean {
  const gathers = run.events.list.filter(({ action }) => action === 'gather').map(({ time }) => time);
  gathers.sort((a, b) => a - b);
  const before = (time: Seconds): number => countLeading(gathers.length, i => gathers[i] <= time);
  // The first pieces come together.
  const taken = starts.map(before).filter(count => count > 0);
  const turns = taken.filter((count, k) => count === (taken[k - 1] ?? 0) + 1).length;
  return taken.length >= LEAST_PIECES && turns >= TURNS * taken.length;
}

/** Beginnings after half of the usual time between two, by the time that most of them take: others come together. */
function beatsOf(starts: readonly Seconds[]): readonly Seconds[] {
  const steps = starts.slice(1).map((time, k) => time - starts[k]);
  const longest = [...steps].sort((a, b) => b - a);
  const half = steps.reduce((sum, step) => sum + step, 0) / 2;
  let [passed, k] = [0, 0];
  while (k < longest.length - 1 && passed + longest[k] < half) {
    passed += longest[k];
    k += 1;
  }
  return starts.filter((_, i) => i === 0 || steps[i - 1] > longest[k] / 2);
}
