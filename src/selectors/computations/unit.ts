/** What progress counts: computations, functions since their last idle time, task groups or spans. */
import { formatCount } from '../../base/format';
import type { PlotContext, PlotOption, Translate, VegaPlot } from '../../plot/plot';
import { shortened } from '../../plot/text';
import type { Run } from '../../run/run';
import type { Computation } from '../../run/tables/computations';
import { type FunctionCounts, knowsAllTasks, knowsEpisodes, prefixCounts } from '../tasks/prefix-counts';
import { shownCounts } from './counts';
import { groupCounts, type RowCounts } from './group-counts';
import { spanCounts, unfollowedTasks, usesSpans } from './span-counts';
import { codeWords } from '../tasks/computation-words';

/** Longest line of code in the title, in characters. */
const LONGEST_CODE = 60;

/** The option of what is counted. */
export const UNIT: PlotOption = {
  id: 'unit',
  label: 'Count',
  choices: [
    { value: 'computation', label: 'the selected computation, else the present ones' },
    { value: 'functions', label: 'all functions, each since its last idle time' },
    { value: 'group', label: 'task groups, each since Dask last forgot it' },
    { value: 'span', label: 'spans' }
  ],
  initial: 'computation'
};

/** Task groups have a topic of their own. */
export const UNIT_TOPICS: VegaPlot['choiceTopics'] = [{ option: UNIT.id, value: 'group', topics: ['groups'] }];

/** The computations that are counted; `null` if something else is counted. */
export function counted(run: Run, options: PlotContext['options']): readonly Computation[] | null {
  return (options.unit ?? UNIT.initial) === UNIT.initial ? shownCounts(run).computations : null;
}

/** Counts by the chosen unit. */
export function countsOf(run: Run, { options, trans }: Pick<PlotContext, 'options' | 'trans'>): readonly RowCounts[] {
  switch (options.unit) {
    case 'group':
      return groupCounts(run);
    case 'span':
      return usesSpans(run) ? spanCounts(run, trans) : [];
    default:
      return functionCounts(run, options);
  }
}

/** Counts of functions. */
export function functionCounts(run: Run, options: PlotContext['options']): readonly FunctionCounts[] {
  const shown = shownCounts(run);
  return counted(run, options) === null || shown.computations === null ? prefixCounts(run) : shown.counts;
}

/** Which computation is counted, or how many. */
export function computationsText(run: Run, computations: readonly Computation[], trans: Translate): string {
  return computations.length === 1
    ? shortened(codeWords(run, computations[0], trans), LONGEST_CODE)
    : trans.__('%1 computations', formatCount(computations.length));
}

/** What is not counted as was asked. */
export function unitNotes(run: Run, { options, trans }: PlotContext): string[] {
  if (options.unit === 'group') {
    const { notKept } = run.groups;
    return notKept > 0 ? [trans._n('1 group not kept', '%2 groups not kept', notKept, formatCount(notKept))] : [];
  }
  if (options.unit === 'span') {
    return spanNotes(run, trans);
  }
  if (!knowsAllTasks(run)) {
    return [trans.__('the scheduler does not report how many tasks are queued or fit no worker: there may be more')];
  }
  const shown = shownCounts(run);
  const otherwise = options.unit !== 'functions' && shown.computations === null ? shown.otherwise : 'none';
  return [
    ...(knowsEpisodes(run) || counted(run, options) !== null
      ? []
      : [trans.__('counts of all runs: the start of the last run is not known')]),
    ...(counted(run, options) !== null && functionCounts(run, options).some(each => each.active > 0 && !each.statesKnown)
      ? [trans.__('which of its tasks run is not known: another computation has unfinished ones of the same functions')]
      : []),
    ...(otherwise === 'large' ? [trans.__('since the last idle time: the computation has too many tasks or functions')] : []),
    ...(otherwise === 'unknown' ? [trans.__('since the last idle time: the functions of some tasks are not known')] : []),
    ...(otherwise === 'others' ? [trans.__('since the last idle time: tasks in progress belong to no computation')] : [])
  ];
}

function spanNotes(run: Run, trans: Translate): string[] {
  const [unfollowed, { dropped }] = [unfollowedTasks(run), run.computations];
  return [
    ...(unfollowed > 0
      ? [
          trans._n(
            '1 task of a large computation is missing',
            '%2 tasks of large computations are missing',
            unfollowed,
            formatCount(unfollowed)
          )
        ]
      : []),
    ...(dropped > 0
      ? [trans._n('1 older computation is missing', '%2 older computations are missing', dropped, formatCount(dropped))]
      : [])
  ];
}
