import { formatCount, formatDuration } from '../../base/format';
import { durationTicks, niceDurationEnd } from '../../charts/axis';
import { steadyEnd } from '../../plot/kept';
import { tableRows } from '../../plot/table-rows';
import { workerBars, workerTooltip } from '../../charts/bars/worker-bars';
import { loadColour, loadLegend, loadSegment, loadShown, loadSign } from '../../charts/bars/worker-load';
import { cancelledWords } from '../../selectors/workers/cancelled';
import { countWorkers, isHalted, liveWorkers, total, totalIfKnown, type WorkerRow } from '../../selectors/workers/worker-rows';

/** Wall time for this much work when all threads that accept tasks share it; NaN without threads. */
function wallTime(rows: readonly WorkerRow[]): number {
  const threads = total(rows, row => (isHalted(row) ? 0 : row.nthreads));
  return threads > 0 ? totalIfKnown(rows, row => row.occupancy) / threads : Number.NaN;
}

/** Seconds of work assigned to each worker. */
export const occupancy = workerBars({
  id: 'occupancy',
  icon: '<path fill-rule="evenodd" d="M8 1.500a6.500 6.500 0 1 1 0 13 6.500 6.500 0 0 1 0-13zm0 1.400a5.100 5.100 0 1 0 0 10.200A5.100 5.100 0 0 0 8 2.900z"/><path d="M7.400 4.500h1.200v3.300l2.400 1.500-.6 1-3-1.900z"/>',
  title: 'Occupancy',
  caption: 'seconds of work that each worker has been given',
  group: 'workers',
  synonyms: ['expected time', 'remaining time', 'work left', 'load', 'stealing', 'wall time'],
  howToRead:
    'Each bar is the time that Dask expects a worker to need for the tasks it has been given, one after the other, with the transfers they need. ' +
    'Divided by its threads that is about the wall time. A long bar next to short ones is work that could move to other workers.',
  use: row => row.occupancy,
  format: formatDuration,
  shade: loadColour,
  heads: false,
  axisTitle: 'estimated time of work',
  drawn: loadShown,
  scale: (run, context, rows) => {
    const most = rows.reduce((greatest, row) => Math.max(greatest, row.occupancy || 0), 0);
    return {
      end: steadyEnd(run, context, niceDurationEnd(most)),
      ticks: durationTicks,
      columns: [
        { width: 64, from: 200 },
        { width: 14, from: 0, align: 'left', signs: true }
      ]
    };
  },
  row: (row, context) => {
    const { trans } = context;
    return {
      bars: [{ segments: [loadSegment(row, row.occupancy || 0, 'full', context)] }],
      figures: [{ text: formatDuration(row.occupancy) }, loadSign(row, context)],
      tooltip: workerTooltip(row, context, [
        [trans.__('Occupancy'), formatDuration(row.occupancy)],
        [trans.__('Wall time'), `≈ ${formatDuration(row.occupancy / row.nthreads)}`],
        [trans.__('Processing'), formatCount(row.processing)]
      ])
    };
  },
  titleLine: (run, { trans }) => {
    const rows = liveWorkers(run);
    return [
      { text: trans.__('%1 of work', formatDuration(totalIfKnown(rows, row => row.occupancy))), tone: 'strong' },
      { text: trans.__('≈ %1 wall time', formatDuration(wallTime(rows))) },
      ...cancelledWords(rows, trans).map(text => ({ text, tone: 'warn' as const }))
    ];
  },
  legend: (_run, context) => loadLegend(context),
  notes: () => [],
  table: (run, { trans }) => ({
    columns: [
      { id: 'name', label: trans.__('Worker'), align: 'left' },
      { id: 'occupancy', label: trans.__('Occupancy'), align: 'right' },
      { id: 'wall', label: trans.__('≈ wall time'), align: 'right' },
      { id: 'processing', label: trans.__('Processing'), align: 'right' },
      { id: 'threads', label: trans.__('Threads'), align: 'right' }
    ],
    rows: tableRows(liveWorkers(run), row => [
      { text: row.label, value: row.label },
      { text: formatDuration(row.occupancy), value: row.occupancy },
      { text: formatDuration(row.occupancy / row.nthreads), value: row.occupancy / row.nthreads },
      { text: formatCount(row.processing), value: row.processing },
      { text: formatCount(row.nthreads), value: row.nthreads }
    ])
  }),
  summary: (run, { trans }) => {
    const rows = liveWorkers(run);
    const work = formatDuration(totalIfKnown(rows, row => row.occupancy));
    return trans.__('%1 of work on %2, about %3 of wall time.', work, countWorkers(rows, trans), formatDuration(wallTime(rows)));
  }
});
