/** Where the time is that no cause explains: what is known of it, in a sentence. */
import type { Seconds, Share } from '../../base/units';
import { type Facts, LEAST_WALL } from '../facts';
import { momentsOf } from '../points';
import { type Parts, timeIn } from '../time/parts';
import { untilSubmitted } from '../rules/client/cells';
import { takenRounds } from '../rules/client/rounds';
import { ownThreadsIn } from '../rules/compute/own-threads';
import { oneDecimal } from '../../selectors/plain-number';
import { LIMIT } from '../time/workers/silences';
import { unobservedPeriods } from '../../run/idle-time';
import { pausedIn } from '../../run/lanes/busy-periods';
import { formatCount, formatDuration } from '../../base/format';
import { joined, lostIn, type Span, spansOf } from '../spans';

/** Of the time that is not explained. */
const MOSTLY: Share = 0.5;
/** Tasks that a thread begins in a second: with fewer, little of the time is between two of them. */
const FEW = 1;

/**
 * One sentence; empty if most of it is not of one kind.
 *
 * @param all - the time that no cause explains, also of threads that waited for something of their own
 */
export function whereUnexplained(facts: Facts, left: Parts, all: Seconds): string {
  const { trans, capacity, partition } = facts;
  const own = ownThreadsIn(facts);
  if (Math.min(left.starved, lostIn(facts, own, ['starved']).starved ?? 0) >= MOSTLY * all) {
    return trans.__(
      'Most of the time that is not explained, workers took %1 cores while %2 threads worked: tasks compute in threads of their own.',
      oneDecimal(meanOf(own, ({ cores }) => cores)),
      oneDecimal(meanOf(own, ({ working }) => working))
    );
  }
  const pauses = takenRounds(facts).rounds.map(({ pause }) => untilSubmitted(facts, pause));
  if (left.outside + Math.min(left.quiet, lostIn(facts, pauses, ['quiet']).quiet ?? 0) >= MOSTLY * all) {
    return nothingSubmitted(facts, pauses);
  }
  if (left.outside + left.quiet + left.starved >= MOSTLY * all && isEmpty(facts)) {
    return trans.__('Most of the time that is not explained, no further task had been submitted, or was ready.');
  }
  const silent = silentIn(facts);
  const longest = silent.reduce((most, { from, to }) => Math.max(most, to - from), 0);
  const lost = timeIn(lostIn(facts, silent, ['quiet', 'overhead', 'starved']));
  if (longest >= LIMIT && Math.min(left.quiet + left.overhead + left.starved, lost) >= MOSTLY * all) {
    return trans.__(
      'Most of the time that is not explained, workers had tasks, and one or more of them were not heard of for %1.',
      formatDuration(longest)
    );
  }
  if (left.overhead < MOSTLY * all) {
    return '';
  }
  const starts = partition.activity.starts.reduce((sum, each) => sum + each, 0);
  if (starts >= FEW * capacity) {
    return trans.__('Most of the time that is not explained is between two tasks.');
  }
  return heldBack(facts) >= MOSTLY * left.overhead
    ? trans.__(
        'Most of the time that is not explained, workers had tasks that they did not start: resources= may allow few at a time, or they import or unpack something.'
      )
    : '';
}

/**
 * How often, and for how long: a few pauses are no loop in which the cluster waits for the client.
 *
 * @param taken - those after which a client took results, also where its graphs are one computation
 */
function nothingSubmitted({ trans, partition: { steps, byStep } }: Facts, taken: readonly Span[]): string {
  const pauses = joined([...spansOf(steps, byStep.outside), ...taken].sort((a, b) => a.from - b.from))
    .map(({ from, to }) => to - from)
    .filter(length => length >= LEAST_WALL);
  return pauses.length === 0
    ? trans.__('Most of the time that is not explained, nothing had been submitted.')
    : trans._n(
        'Most of the time that is not explained, nothing had been submitted for %2. What the client did meanwhile is not recorded.',
        'Most of the time that is not explained, nothing had been submitted, %3 times for up to %2. What the client did meanwhile is not recorded.',
        pauses.length,
        formatDuration(Math.max(...pauses)),
        formatCount(pauses.length)
      );
}

/** When a worker was not heard of for {@link LIMIT} or longer while workers had tasks, whatever the reason. */
function silentIn({ run, period }: Facts): readonly Span[] {
  const column = (name: string): Float64Array => run.series.column(name);
  const [times, unheard, assigned] = [column('time'), column('unheard_max'), column('assigned_sum')];
  const [moments, gaps] = [momentsOf(run), unobservedPeriods(run)];
  const spans = Array.from(unheard, (each, k) => ({ k, from: Math.max(period.from, times[k] - each), to: times[k] })).filter(
    ({ k, from, to }) =>
      moments[k] && to > from && to <= period.to && unheard[k] - pausedIn(gaps, from, to) >= LIMIT && assigned[k] >= 1
  );
  return joined(spans.sort((a, b) => a.from - b.from));
}

/** By how long they last. */
function meanOf<T extends Span>(spans: readonly T[], of: (span: T) => number): number {
  const sum = (value: (span: T) => number): number => spans.reduce((all, each) => all + value(each) * (each.to - each.from), 0);
  return sum(of) / sum(() => 1);
}

/** Whether workers had fewer tasks than half of the threads on average, by samples of every second. */
function isEmpty({ run, period, threads }: Facts): boolean {
  const [times, tasks] = [run.series.column('time'), run.series.column('processing_sum')];
  const moments = momentsOf(run);
  const known = Array.from(tasks).filter(
    (each, k) => moments[k] && each >= 0 && times[k] >= period.from && times[k] <= period.to
  );
  return known.length > 0 && known.reduce((sum, each) => sum + each, 0) < (known.length * threads) / 2;
}

/** Time of threads for which workers had tasks that they did not run, by samples of every second. */
function heldBack({ run, period }: Facts): Seconds {
  const column = (name: string): Float64Array => run.series.column(name);
  const [times, assigned, computing] = [column('time'), column('assigned_sum'), column('computing_sum')];
  const moments = momentsOf(run);
  let sum: Seconds = 0;
  for (let k = 1; k < Math.min(times.length, assigned.length, computing.length); k++) {
    if (moments[k] && times[k] > period.from && times[k] <= period.to) {
      sum += Math.max(0, assigned[k] - computing[k]) * (times[k] - times[k - 1]);
    }
  }
  return sum;
}
