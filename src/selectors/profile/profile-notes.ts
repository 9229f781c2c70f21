/** What is missing or uncertain in a profile. */
import { formatCount } from '../../base/format';
import type { ProfileStore } from '../../run/logs/profile';
import type { Run } from '../../run/run';
import { readSelection } from '../../run/selection/saved-selection';
import type { Selection } from '../../run/selection/selection';
import type { PlotContext, Translate } from '../../plot/plot';
import { hasCompany } from '../computations/selected';
import { clockAt } from '../moments';
import { comparedNotes, comparedOf } from './compared-texts';
import { selected } from './profile-rows';
import { unsampledNotes } from './spent-time';

/** From when on the samples are known, and where that depends on panes. */
function knownNotes(store: ProfileStore, run: Run, loops: boolean, trans: Translate): readonly string[] {
  const { known, history } = store.status;
  if (history === null || !(known > 0)) {
    return [];
  }
  const time = clockAt(known, run);
  if (history) {
    return [trans.__('known since %1', time)];
  }
  return [
    loops
      ? trans.__('known since %1, while panes are open', time)
      : trans.__('known since %1, while panes are open: dask-panes.profile-history is false', time)
  ];
}

/** What is selected and samples do not tell from the rest: they know the worker, the function and the time. */
function indistinctNotes(
  store: ProfileStore,
  run: Run,
  selection: Selection,
  { trans, options }: PlotContext
): readonly string[] {
  const { threads, computation } = selection;
  // What an option chooses counts instead of what is selected.
  const functions = options.prefix ? [options.prefix] : selection.functions;
  if (store === run.loops) {
    return [];
  }
  return [
    ...(selected(store, run, selection).tasks
      ? [trans.__('samples do not distinguish the selected tasks from others of their functions')]
      : []),
    ...(threads !== null && !options.worker
      ? [trans.__('samples do not distinguish threads: they are of all threads of their workers')]
      : []),
    ...(computation !== null && hasCompany(run, computation, functions)
      ? [trans.__('samples do not distinguish computations: those of others at the same time may be among them')]
      : [])
  ];
}

/** What is missing or uncertain. */
export function notes(store: ProfileStore, run: Run, context: PlotContext): readonly string[] {
  const { trans, saved } = context;
  const loops = store === run.loops;
  const { servers, silent, off, python311, gone, dropped, lost, full, limited } = store.status;
  const comparison = store.length === 0 ? null : comparedOf(store, run, context);
  const list: string[] = comparison === null ? [] : [...comparedNotes(comparison, context)];
  if (limited !== '') {
    list.push(trans.__('limited: the workers refuse requests'));
  }
  list.push(...indistinctNotes(store, run, readSelection(saved?.selection), context));
  if (loops && python311 > 0) {
    list.push(
      python311 === servers
        ? trans.__('event loops: not available on Python 3.11')
        : trans.__('%1 of %2 not available: Python 3.11', formatCount(python311), formatCount(servers))
    );
  }
  if (off > 0) {
    list.push(trans.__('profiler off on %1 of %2', formatCount(off), formatCount(servers)));
  }
  if (silent > 0) {
    list.push(trans._n('1 worker did not answer', '%2 workers did not answer', silent, formatCount(silent)));
  }
  if (gone > 0) {
    list.push(
      trans._n(
        '1 worker left: its last samples are lost',
        '%2 workers left: their last samples are lost',
        gone,
        formatCount(gone)
      )
    );
  }
  if (dropped > 0) {
    list.push(
      trans._n(
        '1 period was dropped before it was read',
        '%2 periods were dropped before they were read',
        dropped,
        formatCount(dropped)
      )
    );
  }
  if (lost > 0 || store.dropped > 0) {
    list.push(trans.__('older samples not kept'));
  }
  if (full) {
    list.push(trans.__('deep stacks are cut'));
  }
  return [
    ...list,
    ...(loops || comparison !== null ? [] : unsampledNotes(store, run, context)),
    ...knownNotes(store, run, loops, trans)
  ];
}
