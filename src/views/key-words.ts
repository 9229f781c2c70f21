import { formatCount, formatPercent } from '../base/format';
import type { Translate } from '../plot/plot';
import { oneLine } from '../plot/text';
import type { Run } from '../run/run';
import { type KeyFailure, type KeySearch, MOST_FOUND } from '../selectors/search/key-search';

/** How far a search for keys is, and what it leaves out; nothing for a complete one. */
export function keyWords(run: Run, search: KeySearch, trans: Translate): string[] {
  const { failure } = search;
  if (failure !== null) {
    return [failureWords(failure, trans)];
  }
  const gone = search.of === 'executions' ? gonePart(run, search) : 0;
  return [
    search.busy ? trans.__('keys searched: %1', formatPercent(search.searched)) : '',
    search.late ? lateWords(trans) : '',
    search.cut ? trans.__('of the newest %1 keys that have it', formatCount(MOST_FOUND)) : '',
    gone > 0 ? trans._n('1 key is no longer kept', '%2 keys are no longer kept', gone, formatCount(gone)) : ''
  ].filter(words => words !== '');
}

/** The scheduler was asked, and has not answered for some seconds. */
export function lateWords(trans: Translate): string {
  return trans.__('the scheduler has not answered yet');
}

/** Executions that the page has and whose keys have left the scheduler. */
function gonePart({ tasks }: Run, { first }: KeySearch): number {
  return Math.max(0, Math.min(tasks.listed, tasks.listed - (tasks.nextRow - first)));
}

function failureWords(failure: KeyFailure, trans: Translate): string {
  switch (failure.kind) {
    case 'nowhere':
      return trans.__('Keys are not searched: there is no scheduler.');
    case 'ended':
      return trans.__('Keys are not searched: the scheduler has another run by now.');
    case 'older':
      return trans.__('Keys are not searched: not known by this collector, which is older than the page.');
    default:
      return trans.__('Keys are not searched: %1', oneLine(failure.reason));
  }
}
