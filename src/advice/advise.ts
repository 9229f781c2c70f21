/** The adviser: asks every rule, and gives each second of the threads to one cause at most. */
import { formatDuration } from '../base/format';
import { messageOf } from '../base/untrusted';
import type { Seconds, Share } from '../base/units';
import type { Translate } from '../plot/plot';
import { oneLine } from '../plot/text';
import type { Run } from '../run/run';
import type { Period } from '../run/selection/selection';
import type { Advice, Cost, Sought, Unknown, Verdict } from './advice';
import { type Facts, factsOf, LEAST_SHARE, LEAST_WALL, shareOf } from './facts';
import { busyMachine } from './headline/busy-machine';
import { headlineWords } from './headline/headline';
import { type AskedPeriod, clipped, wholePeriod } from './period';
import type { Finding, Rule } from './rule';
import { RULES } from './rules';
import { computedForOthers } from './rules/scheduling/waiting/held-by-others';
import { claimedTime, grant, type Left, sumOf } from './spans';
import type { Partition } from './time/partition';
import { noTime, type Parts, PARTS } from './time/parts';

/** Of a shorter period every verdict is doubtful. */
const SHORT: Seconds = 2;

/** Other rules than those that are shown: for tests. */
export interface Asked {
  readonly rules?: readonly Rule[];
}

/**
 * What holds a run back.
 *
 * @param run - live, recorded or frozen; it does not change
 * @param period - scheduler time; `null` for all that the run knows
 * @param trans - translates the sentences
 */
export function advise(run: Run, period: AskedPeriod | null, trans: Translate, asked: Asked = {}): Advice {
  const { rules = RULES } = asked;
  const inside = clipped(run, period);
  if (inside === null) {
    return nothing(rules, whyNothing(run, period, trans), trans);
  }
  const all = wholePeriod(run);
  // Sums without a time would be of more than the period.
  const whole = run.tasks.dropped === 0 && (period === null || (all !== null && inside.from <= all.from && inside.to >= all.to));
  const computation = period?.computation === undefined ? null : (run.computations.find(period.computation) ?? null);
  const facts = factsOf(run, inside, whole, trans, computation);
  let left: Left = facts.partition.byStep;
  const found: Settled[] = [];
  const absent: Sought[] = [];
  const unknown: Unknown[] = [];
  for (const rule of rules) {
    const title = rule.title(trans);
    const why = whyUnknown(rule, facts);
    if (why !== null) {
      unknown.push({ cause: rule.cause, title, why });
      continue;
    }
    let [settled, overlooked]: [Settled | null, string | null] = [null, null];
    try {
      const finding = rule.find(facts);
      settled = finding && (settle(rule, finding, facts, left) ?? settle(rule, finding.otherwise ?? finding, facts, left));
      left = settled?.left ?? left;
      overlooked = settled === null ? (rule.overlooked?.(facts) ?? null) : null;
    } catch (error) {
      overlooked = trans.__('The rule failed: %1', oneLine(messageOf(error)));
    }
    if (settled !== null) {
      found.push(settled);
    } else if (overlooked !== null) {
      unknown.push({ cause: rule.cause, title, why: overlooked });
    } else {
      absent.push({ cause: rule.cause, title });
    }
  }
  const verdicts = ranked(found);
  const { capacity, partition, threads } = facts;
  const rest = Object.fromEntries(PARTS.map(part => [part, sumOf(left[part])])) as Parts;
  const lost = PARTS.reduce((sum, part) => sum + (part === 'compute' || part === 'running' ? 0 : rest[part]), 0);
  const heldUp = found.reduce((sum, { byOthers, computed }) => sum + (byOthers ? computed : 0), 0);
  const computedInVain = found.reduce((sum, { computed }) => sum + computed, 0) - heldUp;
  const { compute, running } = partition.parts;
  const forOthers = Math.max(heldUp, Math.min(computedForOthers(facts), compute + running - computedInVain));
  const unexplained = { seconds: lost, share: shareOf(facts, lost) };
  const { parts } = partition;
  return {
    period: inside,
    capacity,
    threads,
    pauses: partition.pauses,
    workerless: partition.workerless,
    unanswered: sumOf(partition.unanswered),
    parts,
    verdicts,
    computedInVain,
    unrecordedInVain: unrecordedInVain(partition, found),
    computedForOthers: forOthers,
    absent,
    unknown,
    unexplained,
    machineBusy: busyMachine(facts) !== null,
    headline: headlineWords(facts, verdicts, unexplained, rest)
  };
}

function whyNothing({ tasks }: Run, period: Period | null, trans: Translate): string {
  return period !== null && tasks.incompleteUntil >= period.to
    ? trans.__('Only sums are kept for the tasks of this period: they do not show what held it back.')
    : trans.__('Nothing has run.');
}

function nothing(rules: readonly Rule[], why: string, trans: Translate): Advice {
  return {
    period: null,
    capacity: 0,
    threads: 0,
    pauses: 0,
    workerless: 0,
    unanswered: 0,
    parts: noTime(),
    verdicts: [],
    computedInVain: 0,
    unrecordedInVain: 0,
    computedForOthers: 0,
    absent: [],
    unknown: rules.map(rule => ({ cause: rule.cause, title: rule.title(trans), why })),
    unexplained: { seconds: 0, share: 0 },
    machineBusy: false,
    headline: why
  };
}

function whyUnknown(rule: Rule, facts: Facts): string | null {
  const missing = rule.needs.filter(topic => !facts.run.has(topic));
  if (missing.length > 0) {
    return facts.trans.__('Not received: %1', missing.join(', '));
  }
  return rule.unknown?.(facts) ?? null;
}

/** A verdict, its place in the order, and what it leaves to later rules. */
interface Settled extends Pick<Finding, 'above'> {
  readonly verdict: Verdict;
  readonly weight: Share;
  readonly left: Left;
  /** Computing time in its cost. */
  readonly computed: Seconds;
  /** What of this is no execution that has ended, in each step. */
  readonly ran: Float64Array;
  /** Whether this was computed by others. */
  readonly byOthers: boolean;
}

/** Give a finding what is left of its time; `null` if that is too little for a verdict. */
function settle(rule: Rule, finding: Finding, facts: Facts, before: Left): Settled | null {
  const { seconds, left } = grant(facts, before, finding.claims);
  const cost: Cost = { seconds, share: shareOf(facts, seconds) };
  if (!isNoticed(cost, facts) && finding.always !== true) {
    return null;
  }
  const { trans } = facts;
  const verdict = {
    cause: rule.cause,
    theme: rule.theme,
    title: finding.title ?? rule.title(trans),
    cost,
    ...(finding.workerless === undefined ? {} : { workerless: finding.workerless }),
    ...certainty(rule, finding, facts),
    ...(finding.ownPace === true ? { ownPace: true } : {}),
    ...(finding.client === undefined ? {} : { client: finding.client }),
    evidence: finding.evidence,
    sentence: finding.sentence(cost),
    remedy: finding.remedy ?? rule.remedy(trans),
    link: rule.link
  };
  const ran = before.running.map((seconds, i) => seconds - left.running[i]);
  const computed = sumOf(ran) + sumOf(before.compute) - sumOf(left.compute);
  const { isHarm = false, computedByOthers: byOthers = false } = rule;
  return { verdict, left, computed, ran, byOthers, weight: weightOf(cost, finding, isHarm), above: finding.above };
}

/**
 * Time in costs of attempts that failed or were lost, and of cancelled tasks, of which Dask keeps no record: at most, since the tasks
 * that run in the same step may be what was wasted.
 */
function unrecordedInVain({ activity: { retried, ended, cancelled } }: Partition, found: readonly Settled[]): Seconds {
  const inVain = found.filter(({ byOthers }) => !byOthers);
  return sumOf(
    retried.map((seconds, i) =>
      Math.min(
        seconds + ended[i] + cancelled[i],
        inVain.reduce((sum, { ran }) => sum + ran[i], 0)
      )
    )
  );
}

/** What went wrong comes before what costs less than this: `howToRead` of the plot says so. */
export const HARM: Share = 0.2;

/** The highest weight first, and what it is the end of right after it. */
function ranked(found: readonly Settled[]): readonly Verdict[] {
  const all = [...found].sort((a, b) => b.weight - a.weight || b.verdict.cost.seconds - a.verdict.cost.seconds);
  for (const each of found.filter(({ above = [] }) => above.length > 0)) {
    const at = all.indexOf(each);
    const first = all.findIndex(({ verdict }) => each.above?.includes(verdict.cause));
    if (first >= 0 && first < at) {
      all.splice(at, 1);
      all.splice(first, 0, each);
    }
  }
  return all.map(({ verdict }) => verdict);
}

/** Verdicts are ordered by cost; a danger that costs less than what is otherwise reported comes last. */
function weightOf(cost: Cost, { weight = -1 }: Finding, isHarm: boolean): number {
  if (isHarm) {
    return Math.max(cost.share, weight, HARM);
  }
  // What takes little of a short period may be much of it.
  return Math.max(weight, cost.share >= LEAST_SHARE ? cost.share : cost.share - 1);
}

function isNoticed({ seconds, share }: Cost, { threads }: Facts): boolean {
  return share >= LEAST_SHARE && (seconds / threads || 0) >= LEAST_WALL;
}

/** Time between two tasks is longer on a machine that others use, too; what is about that says so itself. */
function mayBeOfOthers({ cause }: Rule, { confidence, claims, always }: Finding, facts: Facts): boolean {
  const between = claims.reduce((sum, { time }) => sum + (time.overhead ?? 0), 0);
  const isBetween = between > claimedTime(claims) / 2;
  return confidence === 'high' && always !== true && isBetween && cause !== 'late-event-loops' && busyMachine(facts) !== null;
}

/** A short period proves little, except for what has failed; so does a long one of which little counts. */
function certainty(rule: Rule, finding: Finding, facts: Facts): Pick<Verdict, 'confidence' | 'doubt'> {
  const { wall, period, trans } = facts;
  const { confidence, doubt } = mayBeOfOthers(rule, finding, facts)
    ? ({
        confidence: 'medium',
        doubt: trans.__('Other programs probably used the machine: some of this time may be lost to them.')
      } as const)
    : { doubt: '', ...finding };
  if (wall >= SHORT || (finding.always === true && confidence === 'high')) {
    return { confidence, doubt };
  }
  const length = formatDuration(wall);
  const short =
    period.to - period.from >= SHORT
      ? trans.__('Only %1 of the period is counted.', length)
      : trans.__('The period is only %1 long.', length);
  return { confidence: 'low', doubt: doubt === '' ? short : `${short} ${doubt}` };
}
