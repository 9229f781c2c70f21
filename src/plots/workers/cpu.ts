import { formatCount, formatCpu } from '../../base/format';
import type { CpuPercent } from '../../base/units';
import { multipleTicks } from '../../charts/axis';
import { steadyEnd } from '../../plot/kept';
import { tableRows } from '../../plot/table-rows';
import { workerBars, workerTooltip } from '../../charts/bars/worker-bars';
import { sharedWorkersNotes } from '../../selectors/shared-process';
import { countWorkers, isHalted, liveWorkers, total, type WorkerRow } from '../../selectors/workers/worker-rows';

/** Maximum for a worker's threads: 100 per cent each. */
function capacity(row: WorkerRow): CpuPercent {
  return row.nthreads * 100;
}

/** CPU use of each worker, compared with the maximum of its own threads. */
export const cpu = workerBars({
  id: 'cpu',
  icon: '<path fill-rule="evenodd" d="M4 3h8a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zm.5 1.5v7h7v-7z"/><path d="M6 6h4v4H6zM5 1h1v1.5H5zm2.5 0h1v1.5h-1zM10 1h1v1.5h-1zM5 13.5h1V15H5zm2.5 0h1V15h-1zm2.5 0h1V15h-1zM1 5h1.5v1H1zm0 2.500h1.5v1H1zM1 10h1.5v1H1zM13.500 5H15v1h-1.500zm0 2.500H15v1h-1.500zm0 2.500H15v1h-1.500z"/>',
  title: 'CPU utilization',
  short: 'CPU',
  caption: 'CPU of each worker against its own threads',
  group: 'workers',
  synonyms: ['processor', 'cores', 'load', 'utilisation', 'gil', 'percent'],
  howToRead:
    'Each bar is the CPU time of a worker process as psutil measures it: 100 % is one busy core, the line marks 100 % for each thread. ' +
    'Programs that tasks start as processes of their own do not count. ' +
    'Workers that have tasks but use little CPU are waiting: for data, for a disk, for such programs, or for the GIL.',
  use: row => row.cpu,
  format: formatCpu,
  shade: (row, { theme }) => (isHalted(row) ? theme.worker.paused : theme.worker.busy),
  heads: false,
  scale: (run, context, rows) => {
    const most = rows.reduce((greatest, row) => Math.max(greatest, capacity(row) || 0, row.cpu || 0), 100);
    return {
      end: steadyEnd(run, context, Math.ceil(most / 100) * 100),
      ticks: multipleTicks(100, '%'),
      columns: [
        { width: 48, from: 200 },
        { width: 66, from: 280, align: 'left' },
        { width: 14, from: 0, align: 'left', signs: true }
      ]
    };
  },
  row: (row, context) => {
    const { theme, trans } = context;
    const limit = capacity(row);
    return {
      track: limit,
      bars: [{ segments: [{ size: row.cpu, fill: theme.worker.busy }] }],
      lines: limit > 0 ? [{ value: limit, colour: theme.text }] : [],
      figures: [
        { text: formatCpu(row.cpu) },
        { text: trans.__('of %1', formatCpu(limit)), colour: theme.textSecondary },
        { text: row.status === 'paused' ? '‖' : isHalted(row) ? '→' : '', colour: theme.bad }
      ],
      tooltip: workerTooltip(row, context, [
        [trans.__('CPU'), trans.__('%1 of %2', formatCpu(row.cpu), formatCpu(limit))],
        [trans.__('Running'), formatCount(row.executing)]
      ])
    };
  },
  titleLine: (run, { trans }) => {
    const rows = liveWorkers(run);
    return [
      { text: trans.__('%1 of %2', formatCpu(total(rows, row => row.cpu)), formatCpu(total(rows, capacity))), tone: 'strong' }
    ];
  },
  legend: () => [],
  notes: (run, { trans }) => sharedWorkersNotes(run, trans),
  table: (run, { trans }) => ({
    columns: [
      { id: 'name', label: trans.__('Worker'), align: 'left' },
      { id: 'cpu', label: trans.__('CPU'), tooltip: trans.__('per cent of one core'), align: 'right' },
      { id: 'capacity', label: trans.__('Threads × 100 %'), align: 'right' },
      { id: 'threads', label: trans.__('Threads'), align: 'right' }
    ],
    rows: tableRows(liveWorkers(run), row => [
      { text: row.label, value: row.label },
      { text: formatCpu(row.cpu), value: row.cpu },
      { text: formatCpu(capacity(row)), value: capacity(row) },
      { text: formatCount(row.nthreads), value: row.nthreads }
    ])
  }),
  summary: (run, { trans }) => {
    const rows = liveWorkers(run);
    const used = formatCpu(total(rows, row => row.cpu));
    return trans.__('%1 of %2 CPU used on %3.', used, formatCpu(total(rows, capacity)), countWorkers(rows, trans));
  }
});
