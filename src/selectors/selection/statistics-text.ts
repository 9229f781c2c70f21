/** The statistics of a selection as text, for a message or a document. */
import { formatDuration } from '../../base/format';
import { tabSeparated } from '../../plot/csv';
import type { Translate } from '../../plot/plot';
import type { Run } from '../../run/run';
import type { SelectionStatistics } from './statistics';
import { meanThreads } from './threads';
import {
  countWords,
  extentWords,
  functionsHead,
  functionTable,
  incompleteWords,
  pauseWords,
  skewWords,
  slowestHead,
  slowestTable,
  threadUseWords,
  threadWords
} from './statistics-words';

/** "6.3 s × 12 threads", "0 s" of tasks without a length, or that nothing is selected. */
export function headWords({ period, threads, count }: SelectionStatistics, trans: Translate): string {
  // A clock with coarse steps measures no time at all of short tasks.
  const none = count > 0 ? formatDuration(0) : trans.__('No tasks');
  return period === null ? none : extentWords(period, { count: meanThreads(threads, period) }, trans);
}

/** How the time of the threads was used, and what the statistics leave out: one sentence each. */
export function noteWords(run: Run, statistics: SelectionStatistics, trans: Translate): string[] {
  return [
    threadUseWords(run, statistics.use, trans),
    threadWords(statistics.threads, trans),
    pauseWords(run, statistics, trans),
    skewWords(run, statistics, trans),
    incompleteWords(run, statistics, trans)
  ].filter(words => words !== '');
}

/**
 * All of the statistics: the sentences, then the functions and the slowest tasks as tables separated by tabs.
 *
 * @param whose - of which computation the tasks are, as far as that is known; empty without one
 */
export function selectionText(run: Run, statistics: SelectionStatistics, whose: string, trans: Translate): string {
  const head = `${headWords(statistics, trans)}: ${countWords(statistics, trans)}`;
  const sentences = [head, whose, ...noteWords(run, statistics, trans)].filter(Boolean).join('\n');
  if (statistics.functions.length === 0) {
    return `${sentences}\n`;
  }
  const functions = `${functionsHead(statistics, trans)}\n${tabSeparated(functionTable(statistics, trans))}`;
  const slowest = `${slowestHead(statistics, trans)}\n${tabSeparated(slowestTable(run, statistics, trans))}`;
  return `${[sentences, functions, slowest].join('\n\n')}\n`;
}
