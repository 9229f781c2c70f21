/** What progress counts: computations, or functions since their last pause. */
import { formatCount } from '../../base/format';
import type { PlotContext, PlotOption, Translate } from '../../plot/plot';
import { oneLine } from '../../plot/text';
import type { Run } from '../../run/run';
import type { Computation } from '../../run/tables/computations';
import { knowsEpisodes, type PrefixCounts, prefixCounts } from '../tasks/prefix-counts';
import { presentCounts } from './counts';
import { codeWords } from '../tasks/computation-words';

/** Longest line of code in the title, in characters. */
const LONGEST_CODE = 60;

/** The option of what is counted. */
export const UNIT: PlotOption = {
  id: 'unit',
  label: 'Count',
  choices: [
    { value: 'computation', label: 'the present computations' },
    { value: 'functions', label: 'all functions, each since its last pause' }
  ],
  initial: 'computation'
};

/** The computations that are counted; `null` if functions are counted since their last pause. */
export function counted(run: Run, options: PlotContext['options']): readonly Computation[] | null {
  return (options.unit ?? UNIT.initial) === UNIT.initial ? presentCounts(run).computations : null;
}

/** Counts of functions by the chosen unit. */
export function countsOf(run: Run, options: PlotContext['options']): readonly PrefixCounts[] {
  const present = presentCounts(run);
  return counted(run, options) === null || present.computations === null ? prefixCounts(run) : present.counts;
}

/** Which computation is counted, or how many. */
export function computationsText(computations: readonly Computation[], trans: Translate): string {
  return computations.length === 1
    ? oneLine(codeWords(computations[0], trans), LONGEST_CODE)
    : trans.__('%1 computations', formatCount(computations.length));
}

/** What is not counted as was asked. */
export function unitNotes(run: Run, { options, trans }: PlotContext): string[] {
  const present = presentCounts(run);
  const otherwise = options.unit !== 'functions' && present.computations === null ? present.otherwise : 'none';
  return [
    ...(knowsEpisodes(run) || counted(run, options) !== null
      ? []
      : [trans.__('counts of all runs: the start of the last run is not known')]),
    ...(otherwise === 'unknown' ? [trans.__('since the last pause: the computation has too many tasks or functions')] : []),
    ...(otherwise === 'others' ? [trans.__('since the last pause: tasks in progress belong to no computation')] : [])
  ];
}
