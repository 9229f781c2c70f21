/** What a run that has ended shows as going on did so when it ended: texts say it by these functions. */
import { formatDuration } from '../base/format';
import type { Seconds } from '../base/units';
import type { Translate } from '../plot/plot';
import type { Run } from '../run/run';
import { localFacts } from './local/facts';

/** A text about what goes on: of a run that has ended, `in progress when the client closed`. */
export function atEnd(run: Run, text: string, trans: Translate): string {
  if (!run.hasEnded) {
    return text;
  }
  return localFacts(run) === null ? trans.__('%1 when the client closed', text) : trans.__('%1 when the kernel ended', text);
}

/** How long ago something was, of a run that has ended: before its end. */
export function agoWords(run: Run, time: Seconds, trans: Translate): string {
  return run.hasEnded ? trans.__('%1 before the end', formatDuration(time)) : trans.__('%1 ago', formatDuration(time));
}

/** A sentence about what goes on, of a run that has ended with one that says so. */
export function sentenceAtEnd(run: Run, sentence: string, trans: Translate): string {
  if (!run.hasEnded) {
    return sentence;
  }
  return localFacts(run) === null
    ? trans.__('%1 This was so when the client closed.', sentence)
    : trans.__('%1 This was so when the kernel ended.', sentence);
}
