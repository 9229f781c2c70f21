/** Which part of the graph is drawn, how to leave it, and what of it is left out. */
import { formatCount } from '../../../base/format';
import type { PlotContext, TitlePart } from '../../../plot/plot';
import { oneLine } from '../../../plot/text';
import { clusterOf, levelOf } from '../../../run/graph/graph-part';
import type { Run } from '../../../run/run';
import { graphLink } from '../../../selectors/graph/link';
import { find } from './found';

/** "around train", "of load and linked ones"; empty for all tasks. */
export function focusWords(run: Run, context: PlotContext): readonly string[] {
  const { place, focused } = find(run, context);
  const { trans } = context;
  if (place === null || focused === null) {
    return [];
  }
  if (place.kind === 'cluster') {
    const { by, id } = place;
    const idOf = clusterOf(run.graph, by);
    const first = focused.part.numbers.find(number => idOf(number) === id) ?? -1;
    const name = by === 'group' ? run.groupNames[id] : run.prefixNames[run.graph.prefix(first)];
    const shown = oneLine(String(name ?? ''), 40);
    return [trans.__('of %1 and what is linked', by === 'level' ? `${shown} [${levelOf(id)}]` : shown)];
  }
  const number = place.kind === 'task' ? place.number : run.executed.task(place.row);
  return [trans.__('around %1', oneLine(String(run.prefixNames[run.graph.prefix(number)] ?? ''), 40))];
}

/** The link to all tasks, where only some are drawn. */
export function leaveFocus(run: Run, context: PlotContext): readonly TitlePart[] {
  return find(run, context).place === null ? [] : [{ text: context.trans.__('all tasks'), opens: graphLink(run, null) }];
}

/** Notes about tasks of the part that are not drawn. */
export function focusNotes(run: Run, context: PlotContext): readonly string[] {
  const { focused } = find(run, context);
  const { trans } = context;
  if (focused === null) {
    return [];
  }
  const { part, total, steps } = focused;
  const drawn = formatCount(part.numbers.length);
  if (part.numbers.length === total) {
    return [];
  }
  return steps > 0
    ? [
        trans._n(
          '%3 of %4 tasks that it needs or that need it: up to 1 step away',
          '%3 of %4 tasks that it needs or that need it: up to %2 steps away',
          steps,
          formatCount(steps),
          drawn,
          formatCount(total)
        )
      ]
    : [trans.__('%1 of %2 tasks are drawn', drawn, formatCount(total))];
}
