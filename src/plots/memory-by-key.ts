import { formatBytes, formatExactCount, formatPercent } from '../base/format';
import type { Bytes } from '../base/units';
import type { Run } from '../run/run';
import { byteTicks, niceByteEnd, steadyEnd } from './axis';
import { functionBars, functionSort } from './function-bars';
import { type FunctionMemory, functionMemory } from './function-memory';
import { tableRows } from './table-rows';
import { counted } from './text';

function sum(values: readonly FunctionMemory[]): Bytes {
  return values.reduce((all, each) => all + (each.value || 0), 0);
}

function sized(value: Bytes, exact: boolean): string {
  return exact || !Number.isFinite(value) ? formatBytes(value) : `≈ ${formatBytes(value)}`;
}

function totalText(values: readonly FunctionMemory[]): string {
  return sized(
    sum(values),
    values.every(each => each.exact)
  );
}

function results(values: readonly FunctionMemory[]): number {
  return values.reduce((all, each) => all + each.count, 0);
}

/** Of which functions the results are that workers hold. */
export const memoryByKey = functionBars<FunctionMemory>({
  id: 'memory-by-key',
  title: 'Memory by function',
  shortTitle: 'By function',
  caption: 'whose results are in memory, by function',
  group: 'memory',
  synonyms: ['memory by key', 'nbytes', 'results', 'prefix', 'held', 'persist', 'leak', 'release'],
  howToRead:
    'One bar for each function, as long as its results in memory are large; each result counts once. A bar falls when results are released. ' +
    'A long bar of a function that has done its part means that something still refers to its results: a future in a notebook, or tasks that wait for them.',
  topics: ['meta', 'prefixes', 'tasks'],
  sort: functionSort('name', 'by bytes'),
  axisTitle: 'size of the results in memory',
  figureWidth: 90,
  values: functionMemory,
  scale: (run: Run, greatest) => ({ end: steadyEnd(run, 'memory-by-key', niceByteEnd(greatest)), ticks: byteTicks }),
  figure: each => sized(each.value, each.exact),
  tooltip: (each, { trans }, all) => [
    [trans('In memory'), sized(each.value, each.exact)],
    [trans('Of all'), formatPercent(each.value / sum(all))],
    [trans('Results'), formatExactCount(each.count)],
    [trans('Mean size'), sized(each.value / each.count, each.exact)]
  ],
  empty: (run, { trans }) =>
    functionMemory(run).length > 0
      ? null
      : { head: trans('No results in memory.'), body: trans('Each function appears here while workers hold results of it.') },
  titleLine: (run, { trans }) => {
    const values = functionMemory(run);
    return [
      { text: trans('%1 in memory', totalText(values)), tone: 'strong' },
      { text: counted(trans, results(values), '1 result', '%1 results') }
    ];
  },
  notes: (run, { trans }) =>
    functionMemory(run).every(each => each.exact) ? [] : [trans('≈ results in memory times their mean size')],
  table: (run, { trans }) => ({
    columns: [
      { id: 'name', label: trans('Function'), align: 'left' },
      { id: 'bytes', label: trans('In memory'), align: 'right' },
      { id: 'count', label: trans('Results'), align: 'right' },
      { id: 'mean', label: trans('Mean size'), align: 'right' }
    ],
    rows: tableRows(functionMemory(run), each => [
      { text: each.label, value: each.label },
      { text: sized(each.value, each.exact), value: each.value },
      { text: formatExactCount(each.count), value: each.count },
      { text: sized(each.value / each.count, each.exact), value: each.value / each.count }
    ])
  }),
  summary: (run, { trans }) => {
    const values = functionMemory(run);
    const largest = values.reduce<FunctionMemory | null>((most, each) => (each.value > (most?.value ?? 0) ? each : most), null);
    const functions = counted(trans, values.length, '1 function', '%1 functions');
    const head = trans('Results of %1 hold %2 in memory', functions, totalText(values));
    return largest === null
      ? `${head}.`
      : trans('%1, most of it %2 with %3.', head, largest.label, sized(largest.value, largest.exact));
  }
});
