import { formatBytes, formatCount, formatExactCount, formatPercent } from '../../base/format';
import { mix } from '../../base/theme';
import type { Bytes } from '../../base/units';
import type { Run } from '../../run/run';
import { byteTicks, niceByteEnd } from '../../charts/axis';
import { steadyEnd } from '../../plot/kept';
import { functionBars, functionSort } from '../../charts/bars/function-bars';
import { type FunctionMemory, functionMemory } from './function-memory';
import { tableRows } from '../../plot/table-rows';
import type { Translate } from '../../plot/plot';
import { liveWorkers, total } from '../../selectors/workers/worker-rows';

/** Legend id of copies. */
const COPIES = 'copies';

function sum(values: readonly FunctionMemory[], of: (each: FunctionMemory) => number = each => each.value): number {
  return values.reduce((all, each) => all + of(each), 0);
}

/** Size of the results on disk as reported by workers. The scheduler does not know their functions. */
function diskWords(run: Run, trans: Translate): string[] {
  const spilled = total(liveWorkers(run), row => row.spilled);
  return spilled > 0 ? [trans.__('%1 on disk', formatBytes(spilled))] : [];
}

function copies(values: readonly FunctionMemory[]): Bytes {
  return sum(values, each => each.copies);
}

/** The results that workers store, by function. */
export const memoryByKey = functionBars<FunctionMemory>({
  id: 'memory-by-key',
  icon: '<path d="M1 2h8v3H1z"/><path fill-opacity=".65" d="M1 6.500h12v3H1z"/><path fill-opacity=".35" d="M1 11h5v3H1z"/>',
  title: 'Memory by function',
  caption: 'results that workers hold, by function',
  group: 'memory',
  synonyms: ['memory by key', 'nbytes', 'results', 'prefix', 'held', 'persist', 'leak', 'release', 'replicas', 'copies'],
  howToRead:
    'One bar for each function: the size of its results that workers hold. Each result counts once, also if it was written to disk. ' +
    'Copies of results on other workers follow in a paler colour. A bar falls when ' +
    'results are released. A long bar of a finished function means that something still refers to its results: a future in a notebook, or tasks that wait for them.',
  topics: ['meta', 'held', 'workers'],
  sort: functionSort('name', 'by bytes'),
  axisTitle: 'size of the results',
  figureWidth: 90,
  values: functionMemory,
  beside: (each, { hidden }) => (hidden.has(COPIES) ? 0 : each.copies),
  scale: (run: Run, context, greatest) => ({ end: steadyEnd(run, context, niceByteEnd(greatest)), ticks: byteTicks }),
  figure: each => formatBytes(each.value),
  tooltip: (each, { trans }, all) => [
    [trans.__('Size'), formatBytes(each.value)],
    [trans.__('Of all'), formatPercent(each.value / sum(all))],
    [trans.__('Results'), formatExactCount(each.count)],
    [trans.__('Mean size'), formatBytes(each.value / each.count)],
    [trans.__('Other copies'), formatBytes(each.copies)]
  ],
  empty: (run, { trans }) =>
    functionMemory(run).length > 0
      ? null
      : {
          head: trans.__('No results are held.'),
          body: trans.__('Each function appears here while workers hold results of it.'),
          awaited: true
        },
  titleLine: (run, { trans }) => {
    const values = functionMemory(run);
    const more = copies(values);
    return [
      { text: trans.__('%1 of results', formatBytes(sum(values))), tone: 'strong' },
      {
        text: trans._n(
          '1 result',
          '%2 results',
          sum(values, each => each.count),
          formatCount(sum(values, each => each.count))
        )
      },
      ...diskWords(run, trans).map(text => ({ text })),
      ...(more > 0 ? [{ text: trans.__('%1 of copies', formatBytes(more)) }] : [])
    ];
  },
  legend: (run, { theme, trans }) =>
    copies(functionMemory(run)) > 0
      ? [
          { id: 'results', label: trans.__('results'), colour: theme.textSecondary, pattern: 'none', inert: true },
          {
            id: COPIES,
            label: trans.__('other copies'),
            colour: mix(theme.background, theme.textSecondary, 0.6),
            pattern: 'none',
            outlined: true
          }
        ]
      : [],
  notes: () => [],
  table: (run, { trans }) => ({
    columns: [
      { id: 'name', label: trans.__('Function'), align: 'left' },
      { id: 'bytes', label: trans.__('Size'), tooltip: trans.__('of the results, in memory or on disk'), align: 'right' },
      { id: 'count', label: trans.__('Results'), align: 'right' },
      { id: 'mean', label: trans.__('Mean size'), align: 'right' },
      {
        id: 'copies',
        label: trans.__('Other copies'),
        tooltip: trans.__('of results that several workers hold'),
        align: 'right'
      }
    ],
    rows: tableRows(functionMemory(run), each => [
      { text: each.label, value: each.label },
      { text: formatBytes(each.value), value: each.value },
      { text: formatExactCount(each.count), value: each.count },
      { text: formatBytes(each.value / each.count), value: each.value / each.count },
      { text: formatBytes(each.copies), value: each.copies }
    ])
  }),
  summary: (run, { trans }) => {
    const values = functionMemory(run);
    const largest = values.reduce<FunctionMemory | null>((most, each) => (each.value > (most?.value ?? 0) ? each : most), null);
    const functions = trans._n('1 function', '%2 functions', values.length, formatCount(values.length));
    const head = [trans.__('Results of %1 take %2', functions, formatBytes(sum(values))), ...diskWords(run, trans)].join(', ');
    return largest === null
      ? `${head}.`
      : trans.__('%1, the largest %2 with %3.', head, largest.label, formatBytes(largest.value));
  }
});
