/** What shares of advice are of, and the shares that no cause has, as text. */
import { formatDuration, formatPercent } from '../../base/format';
import type { Seconds, Share } from '../../base/units';
import type { Translate } from '../../plot/plot';
import type { Advice, Cause } from '../advice';
import { LEAST_SHARE } from '../facts';

/** A smaller share changes no figure much. */
const LEAST_IN_VAIN: Share = 0.01;
/** A shorter time that is left out is not noticed. */
const NOTEWORTHY: Seconds = 1;
const NONE: ReadonlySet<string> = new Set();

/** How long the period of advice was, without pauses of the user and without time in which the scheduler did not answer. */
export function wallOf({ capacity, threads, workerless }: Advice): Seconds {
  return (threads > 0 ? capacity / threads : 0) + workerless;
}

/**
 * "8.6 s", "8.6 s, no worker for 5.6 s of it (65 %)", "8.6 s without the 9.2 s in which the scheduler did not answer", "8.6 s
 * without 15 s of idle time": how long
 * what is advised about took, by which shares are measured.
 *
 * @param isProvisional - whether the work goes on
 */
export function durationWords(advice: Advice, isProvisional: boolean, trans: Translate): string {
  const { workerless } = advice;
  const length = formatDuration(wallOf(advice));
  const wall = countedWords(advice, isProvisional ? trans.__('%1 so far', length) : length, trans);
  return workerless >= NOTEWORTHY
    ? trans.__('%1, no worker for %2 of it (%3)', wall, formatDuration(workerless), formatPercent(workerless / wallOf(advice)))
    : wall;
}

/** What a length does not contain, such as the time in which a cell slept or asked its user for something. */
function countedWords({ pauses, unanswered }: Advice, length: string, trans: Translate): string {
  const [idle, silent] = [formatDuration(pauses), formatDuration(unanswered)];
  if (unanswered >= NOTEWORTHY) {
    return pauses >= NOTEWORTHY
      ? trans.__('%1 without %2 of idle time and the %3 in which the scheduler did not answer', length, idle, silent)
      : trans.__('%1 without the %2 in which the scheduler did not answer', length, silent);
  }
  return pauses >= NOTEWORTHY ? trans.__('%1 without %2 of idle time', length, idle) : length;
}

/**
 * "71 % computing", "9 % not explained"; and the time that is in neither. What causes cost of the computing time is left out, so
 * that it adds up with their costs; it is said, too, as far as it is recorded: both together are what pictures of tasks show.
 *
 * @param hidden - causes that are not listed beside these words
 */
export function shareWords(advice: Advice, trans: Translate, hidden: ReadonlySet<string> = NONE): readonly string[] {
  const { capacity, parts, unexplained, pauses, workerless, unanswered, machineBusy } = advice;
  const computing = parts.compute + parts.running - advice.computedForOthers - advice.computedInVain;
  const recordedInVain = advice.computedInVain - advice.unrecordedInVain;
  const share = (seconds: Seconds): Share => (capacity > 0 ? seconds / capacity : 0);
  return [
    share(recordedInVain) >= LEAST_IN_VAIN
      ? trans.__(
          '%1 computing (another %2 is in the costs of causes)',
          formatPercent(share(computing)),
          formatPercent(share(recordedInVain))
        )
      : trans.__('%1 computing', formatPercent(share(computing))),
    ...forOthersWords(advice, trans, hidden),
    ...hiddenWords(advice, trans, hidden),
    machineBusy && unexplained.share >= LEAST_SHARE
      ? trans.__('%1 not explained (other programs probably used the machine)', formatPercent(unexplained.share))
      : trans.__('%1 not explained', formatPercent(unexplained.share)),
    ...(pauses >= NOTEWORTHY ? [trans.__('idle time of %1 between computations not counted', formatDuration(pauses))] : []),
    ...(workerless >= NOTEWORTHY
      ? [
          trans.__(
            'no worker for %1 of %2 (%3)',
            formatDuration(workerless),
            formatDuration(wallOf(advice)),
            formatPercent(workerless / wallOf(advice))
          )
        ]
      : []),
    ...(unanswered >= NOTEWORTHY ? [trans.__('scheduler did not answer for %1', formatDuration(unanswered))] : [])
  ];
}

/** Others computed: it is listed as their work. */
const OTHER_WORK: Cause = 'other-work';

/** "5 % computing for others", without what of it is the cost of a cause that is listed, which is said, too. */
function forOthersWords(
  { capacity, computedForOthers, verdicts }: Advice,
  trans: Translate,
  hidden: ReadonlySet<string>
): readonly string[] {
  const listed = hidden.has(OTHER_WORK) ? undefined : verdicts.find(({ cause }) => cause === OTHER_WORK);
  const held = listed?.cost ?? { seconds: 0, share: 0 };
  const rest = capacity > 0 ? Math.max(0, computedForOthers - held.seconds) / capacity : 0;
  if (held.seconds > 0) {
    const words = trans.__(
      '%1 computing for others (another %2 is in the costs of causes)',
      formatPercent(rest),
      formatPercent(held.share)
    );
    return rest >= LEAST_IN_VAIN ? [words] : [];
  }
  return rest > 0 ? [trans.__('%1 computing for others', formatPercent(rest))] : [];
}

/** "20 % in causes that are hidden", without what others computed, which is said anyway. */
function hiddenWords({ verdicts }: Advice, trans: Translate, hidden: ReadonlySet<string>): readonly string[] {
  const costly = verdicts.filter(({ cause }) => hidden.has(cause) && cause !== OTHER_WORK);
  const share = costly.reduce((sum, { cost }) => sum + cost.share, 0);
  return share >= LEAST_IN_VAIN ? [trans.__('%1 in causes that are hidden', formatPercent(share))] : [];
}
