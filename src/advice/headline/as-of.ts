/** Advice about a run that nobody hears of any more: texts say until when it was seen. */
import { formatWallClock } from '../../base/format';
import { type FeedState, isUnanswered } from '../../feed/feed';
import type { Translate } from '../../plot/plot';
import { asOf } from '../../run/as-of';
import type { Run } from '../../run/run';
import { atEnd, sentenceAtEnd } from '../../selectors/run-end';

/** What was found, and of a run that has ended or does not answer, as of when. */
export function foundAsOf(run: Run, state: FeedState | null, sentence: string, trans: Translate): string {
  const time = lastSeen(run, state);
  return time === '' ? sentenceAtEnd(run, sentence, trans) : trans.__('%1 This was so at %2.', sentence, time);
}

/** The same for a text that is no sentence. */
export function wordsAsOf(run: Run, state: FeedState | null, words: string, trans: Translate): string {
  const time = lastSeen(run, state);
  return time === '' ? atEnd(run, words, trans) : trans.__('%1 · as of %2', words, time);
}

/** Time of the last answer while there is none; empty while there is, and of a run that has ended. */
function lastSeen(run: Run, state: FeedState | null): string {
  return !run.hasEnded && state !== null && isUnanswered(state) && run.clock.known ? formatWallClock(asOf(run, state)) : '';
}
