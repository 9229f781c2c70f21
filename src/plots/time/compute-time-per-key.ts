import { formatCount, formatDuration, formatExactCount, formatPercent } from '../../base/format';
import type { Seconds } from '../../base/units';
import type { Run } from '../../run/run';
import { durationTicks, niceDurationEnd } from '../../charts/axis';
import { steadyEnd } from '../../plot/kept';
import { functionBars, functionSort } from '../../charts/bars/function-bars';
import { computeTimes, type FunctionTime } from './function-time';
import { tableRows } from '../../plot/table-rows';

function sum(values: readonly FunctionTime[]): Seconds {
  return values.reduce((all, each) => all + each.value, 0);
}

/** Compute time in seconds by function. */
export const computeTimePerKey = functionBars<FunctionTime>({
  id: 'compute-time-per-key',
  icon: '<path d="M1 2h13v3H1zm0 4.500h8v3H1zM1 11h4v3H1z"/>',
  title: 'Compute time per function',
  caption: 'time of computing by function, whole run',
  group: 'time',
  synonyms: ['compute time per key', 'duration', 'slow', 'expensive', 'prefix', 'hot'],
  howToRead:
    'One bar for each function: the seconds that its tasks with a result computed, added up over all threads since the scheduler, or the recording, started, or since the last restart. ' +
    'Faster code helps most where the bar is longest. Many very short tasks cost more in overhead than in computing: look at the mean.',
  topics: ['meta', 'prefixes'],
  sort: functionSort('size', 'by time'),
  axisTitle: 'time of computing, summed over all threads',
  figureWidth: 80,
  values: computeTimes,
  scale: (run: Run, context, greatest) => ({
    end: steadyEnd(run, context, niceDurationEnd(greatest)),
    ticks: durationTicks
  }),
  figure: each => formatDuration(each.value),
  tooltip: (each, { trans }, all) => [
    [trans.__('Compute time'), formatDuration(each.value)],
    [trans.__('Of all'), formatPercent(each.value / sum(all))],
    [trans.__('Tasks done'), formatExactCount(each.done)],
    [trans.__('Recent mean of a task'), formatDuration(each.recent)]
  ],
  empty: (run, { trans }) =>
    computeTimes(run).length > 0
      ? null
      : { head: trans.__('No compute time yet.'), body: trans.__('Each function appears here when its first task is done.') },
  titleLine: (run, { trans }) => {
    const values = computeTimes(run);
    return [
      { text: trans.__('%1 of computing', formatDuration(sum(values))), tone: 'strong' },
      { text: trans._n('1 function', '%2 functions', values.length, formatCount(values.length)) }
    ];
  },
  notes: (_run, { trans }) => [trans.__('since the scheduler or the recording started, or the last restart')],
  table: (run, { trans }) => {
    const values = computeTimes(run);
    const all = sum(values);
    return {
      columns: [
        { id: 'name', label: trans.__('Function'), align: 'left' },
        { id: 'time', label: trans.__('Compute time'), align: 'right' },
        { id: 'share', label: trans.__('Of all'), align: 'right' },
        { id: 'done', label: trans.__('Tasks done'), align: 'right' },
        { id: 'recent', label: trans.__('Recent mean'), tooltip: trans.__("Dask's moving average of one task"), align: 'right' }
      ],
      rows: tableRows(values, each => [
        { text: each.label, value: each.label },
        { text: formatDuration(each.value), value: each.value },
        { text: formatPercent(each.value / all), value: each.value / all },
        { text: formatExactCount(each.done), value: each.done },
        { text: formatDuration(each.recent), value: each.recent }
      ])
    };
  },
  summary: (run, { trans }) => {
    const values = computeTimes(run);
    const most = values.reduce<FunctionTime | null>((best, each) => (each.value > (best?.value ?? 0) ? each : best), null);
    const functions = trans._n('1 function', '%2 functions', values.length, formatCount(values.length));
    const head = trans.__('%1 of computing by %2', formatDuration(sum(values)), functions);
    return most === null ? `${head}.` : trans.__('%1, most of it %2 with %3.', head, most.label, formatDuration(most.value));
  }
});
