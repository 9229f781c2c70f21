/** Texts that the plots of local schedulers share. */
import { formatCount } from '../../base/format';
import type { Run } from '../../run/run';
import type { EmptyText, TitlePart, Translate } from '../../plot/plot';
import { localFacts, type LocalFacts } from './facts';

/** "threads", "processes" or "synchronous", with their number. */
export function placeWords({ scheduler, workers }: LocalFacts, trans: Translate): string {
  switch (scheduler) {
    case 'threads':
      return trans._n('1 thread', '%2 threads', workers, formatCount(workers));
    case 'processes':
      return trans._n('1 process', '%2 processes', workers, formatCount(workers));
    default:
      return trans.__('synchronous');
  }
}

/** How the newest compute ended if it failed; else empty. */
export function outcomeParts(facts: LocalFacts, trans: Translate): readonly TitlePart[] {
  switch (facts.outcome) {
    case 'erred':
      return [
        { text: trans.__('the last one raised at %1 of %2', formatCount(facts.done), formatCount(facts.total)), tone: 'bad' }
      ];
    case 'interrupted':
      return [{ text: trans.__('interrupted at %1 of %2', formatCount(facts.done), formatCount(facts.total)), tone: 'warn' }];
    default:
      return [];
  }
}

/** The text of a plot without data. */
export function emptyText(run: Run, what: string, trans: Translate): EmptyText {
  const facts = localFacts(run);
  if (facts !== null && facts.metric !== '') {
    return {
      head: what,
      body: trans.__('The profiler has no results: use it with `with` around a compute on a local scheduler.')
    };
  }
  return {
    head: what,
    body: trans.__('They appear while something is computed on threads, processes or synchronously.'),
    awaited: true
  };
}
