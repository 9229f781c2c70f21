/** The statistics of two selections side by side. */
import { formatBytes, formatCount, formatDuration, formatPercent } from '../../base/format';
import type { TableData, Translate } from '../../plot/plot';
import type { Run } from '../../run/run';
import type { SelectionStatistics } from '../selection/statistics';
import { shareOf, type ThreadUse } from '../selection/thread-use';
import { meanThreads } from '../selection/threads';
import { LEAST_SHARE, threadCount } from '../selection/statistics-words';
import { attemptWords } from '../tasks/attempts';
import { neverSpilled } from '../tasks/never-spilled';
import {
  comparedColumns,
  comparedRow,
  compareFunctions,
  erredRow,
  functionRows,
  type FunctionsFigures,
  pointsCell
} from './difference';

/** The fields of {@link SelectionStatistics} that are compared. */
export type ComparedStatistics = Pick<
  SelectionStatistics,
  'period' | 'threads' | 'use' | 'count' | 'erred' | 'bytes' | 'functions' | 'incompleteUntil'
>;

/** One row for each figure, then for each function. */
export function comparedSelections(run: Run, a: ComparedStatistics, b: ComparedStatistics, trans: Translate): TableData {
  const row = (
    id: string,
    what: string,
    figure: (of: ComparedStatistics) => number,
    format: (value: number) => string
  ): TableData['rows'][number] => comparedRow(id, what, [figure(a), figure(b)], format);
  return {
    columns: comparedColumns(trans),
    rows: [
      row('length', trans.__('Length'), ({ period }) => (period === null ? 0 : period.to - period.from), formatDuration),
      row(
        'threads',
        trans.__('Threads'),
        ({ threads, period }) => (period === null ? 0 : meanThreads(threads, period)),
        threadCount
      ),
      row('tasks', trans.__('Tasks'), ({ count }) => count, formatCount),
      ...threadUseRows(run, a.use, b.use, trans),
      row('results', trans.__('Results'), ({ bytes }) => bytes, formatBytes),
      erredRow('erred', [a.erred, b.erred], trans),
      ...functionRows(compareFunctions(figuresOf(a), figuresOf(b)), trans)
    ]
  };
}

/** What is compared of a selection whose earlier tasks are kept as sums only; empty if there are none. */
export function comparedNewest(name: 'A' | 'B', { count, incompleteUntil }: ComparedStatistics, trans: Translate): string {
  return Number.isFinite(incompleteUntil)
    ? trans._n(
        'Of %3, tasks, results, errors and functions are those of the newest task.',
        'Of %3, tasks, results, errors and functions are those of the newest %2 tasks.',
        count,
        formatCount(count),
        name
      )
    : '';
}

/** Parts that neither has are left out. */
function threadUseRows(run: Run, a: ThreadUse, b: ThreadUse, trans: Translate): TableData['rows'] {
  const parts: readonly (readonly [part: Exclude<keyof ThreadUse, 'capacity'>, what: string])[] = [
    ['compute', trans.__('Computing')],
    ['unselected', trans.__('Computing other tasks')],
    ['running', trans.__('Running, not ended yet')],
    ['transfer', trans.__('Waiting for transfers')],
    [
      'disk',
      neverSpilled(run) ? trans.__('Waiting to get or deserialize data') : trans.__('Waiting for disk or deserialization')
    ],
    ['earlier', trans.__('Not known')],
    ['unobserved', trans.__('Not observed')],
    // Dask keeps no record of attempts that were retried, rescheduled or lost.
    ['idle', attemptWords(run, trans).length > 0 ? trans.__('Idle or not recorded') : trans.__('Idle')]
  ];
  return parts.flatMap(([part, what]) => {
    const [one, two] = [shareOf(a, part), shareOf(b, part)];
    return one >= LEAST_SHARE || two >= LEAST_SHARE
      ? [comparedRow(part, what, [one, two], formatPercent, pointsCell(one, two, trans))]
      : [];
  });
}

function figuresOf({ functions, incompleteUntil }: ComparedStatistics): FunctionsFigures {
  return {
    byName: new Map(functions.map(({ name, count, total, median, max }) => [name, { count, total, median, longest: max }])),
    whole: !Number.isFinite(incompleteUntil)
  };
}
