/** The rows of progress: which are shown, and in which order. */
import { forgetBySize, keepBySize } from '../../../plot/kept';
import type { PlotContext, PlotOption } from '../../../plot/plot';
import { clearedOf } from '../../../run/cleared';
import type { Run } from '../../../run/run';
import type { RowCounts } from '../../../selectors/computations/group-counts';
import { countsOf } from '../../../selectors/computations/unit';
import type { PrefixCounts } from '../../../selectors/tasks/prefix-counts';
import { activeFirst, atWorkFirst } from '../../../selectors/tasks/work-order';
import { compareNames } from '../../../plot/text';

/** The option of the order. */
export const ORDER: PlotOption = {
  id: 'sort',
  label: 'Order',
  choices: [
    { value: 'first', label: 'at work first, by first task' },
    { value: 'size', label: 'by number of tasks' },
    { value: 'name', label: 'by name' }
  ],
  initial: 'first'
};

/** What rows are of. */
export function kindOf({ options }: Pick<PlotContext, 'options'>): RowCounts['kind'] {
  return options.unit === 'group' || options.unit === 'span' ? options.unit : 'function';
}

/** What the user has not cleared: what had unfinished tasks at that time. */
export function uncleared<T extends PrefixCounts>(run: Run, counts: readonly T[], cleared: PlotContext['cleared']): readonly T[] {
  const before = clearedOf(run, cleared)?.before ?? Number.NEGATIVE_INFINITY;
  return before === Number.NEGATIVE_INFINITY ? counts : counts.filter(each => each.active > 0 || !(each.until <= before));
}

/** The rows that the user has not cleared. */
export function shown(run: Run, context: PlotContext): readonly RowCounts[] {
  return uncleared(run, countsOf(run, context), context.cleared);
}

/** The same in the chosen order. */
export function ordered(run: Run, context: PlotContext): readonly RowCounts[] {
  const order = context.options.sort ?? ORDER.initial;
  const counts = shown(run, context);
  if (order === 'size') {
    return keepBySize(run, context, counts, each => each.all, kindOf(context));
  }
  forgetBySize(run, context);
  if (order === 'name') {
    return [...counts].sort((a, b) => compareNames(a.label, b.label) || a.id - b.id);
  }
  return (kindOf(context) === 'function' ? atWorkFirst : activeFirst)(counts, run.clock.latest);
}
