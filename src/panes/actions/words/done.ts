/** What became of the tasks of a plan that was carried out. */
import { formatCount, formatExactCount } from '../../../base/format';
import type { Translate } from '../../../plot/plot';

/** @param gone - tasks that the scheduler has removed; an older collector does not report them */
export function cancelledWords(done: number, gone: number, trans: Translate): string {
  if (done === 0) {
    return trans.__('No task was cancelled.');
  }
  return gone > done
    ? trans._n(
        '1 result was cancelled: %3 tasks were removed.',
        '%2 results were cancelled: %3 tasks were removed.',
        done,
        formatCount(done),
        formatExactCount(gone)
      )
    : trans._n('1 task was cancelled.', '%2 tasks were cancelled.', done, formatCount(done));
}

/** Why tasks of the plan were not cancelled; '' if all were. */
export function notCancelledWords(count: number, trans: Translate): string {
  return count === 0
    ? ''
    : trans._n(
        '1 had ended before that, or this client did not want it any more.',
        '%2 had ended before that, or this client did not want them any more.',
        count,
        formatCount(count)
      );
}

export function retriedWords(done: number, trans: Translate): string {
  return done === 0
    ? trans.__('No erred result runs again.')
    : trans._n('1 erred result runs again.', '%2 erred results run again.', done, formatCount(done));
}

/** Why results of the plan were not retried; '' if all were. */
export function notRetriedWords(count: number, trans: Translate): string {
  return count === 0
    ? ''
    : trans._n(
        '1 ran again already, or this client did not want it any more.',
        '%2 ran again already, or this client did not want them any more.',
        count,
        formatCount(count)
      );
}
