import { formatCount } from '../../base/format';
import { countTicks, multipleTicks, niceEnd } from '../../charts/axis';
import { steadyEnd } from '../../plot/kept';
import { tableRows } from '../../plot/table-rows';
import { workerBars, workerTooltip } from '../../charts/bars/worker-bars';
import { loadColour, loadLegend, loadSegment, loadShown, loadSign } from '../../charts/bars/worker-load';
import { cancelledWords, keptThreads } from '../../selectors/workers/cancelled';
import { haltedWords } from '../../selectors/workers/worker-words';
import { countWorkers, isHalted, liveWorkers, total, type WorkerRow, workerWord } from '../../selectors/workers/worker-rows';

/** The thread count if it is the same for all workers, else NaN. */
function commonThreads(rows: readonly WorkerRow[]): number {
  const first = rows[0]?.nthreads ?? Number.NaN;
  return rows.every(row => row.nthreads === first) ? first : Number.NaN;
}

/** Tasks that occupy a thread. */
function running(row: WorkerRow): number {
  return Number.isFinite(row.executing) ? row.executing : Math.min(row.nthreads, row.processing);
}

/** Tasks assigned to each worker, compared with its threads. */
export const nprocessing = workerBars({
  id: 'nprocessing',
  icon: '<path d="M1 2h9v3H1zm0 4.5h5v3H1zM1 11h7v3H1z"/><path fill-opacity=".4" d="M10 2h5v3h-5zM6 6.5h3v3H6zM8 11h4v3H8z"/>',
  title: 'Task processing',
  short: 'Processing',
  caption: 'tasks assigned to each worker against its threads',
  group: 'workers',
  synonyms: ['processing', 'assigned', 'queue', 'saturated', 'idle', 'load balance', 'tasks per worker'],
  howToRead:
    'Each bar is the number of tasks that the scheduler has given to a worker: the full part runs, the pale part waits there, for a thread or for data. ' +
    'The line marks the number of threads. If some bars are much longer than others, work is badly distributed. ' +
    'A worker without a bar has no tasks.',
  use: row => row.processing,
  format: formatCount,
  shade: loadColour,
  heads: true,
  axisTitle: 'tasks assigned to the worker',
  drawn: loadShown,
  scale: (run, context, rows) => {
    const { trans } = context;
    const threads = commonThreads(rows);
    const most = rows.reduce((greatest, row) => Math.max(greatest, row.processing || 0, row.nthreads || 0), 1);
    const whole = threads > 0 ? Math.ceil(niceEnd(most / threads)) * threads : niceEnd(most);
    return {
      end: steadyEnd(run, context, whole),
      ticks: threads > 0 ? multipleTicks(threads) : countTicks,
      marks: threads > 0 ? [{ value: threads, text: trans._n('1 thread', '%2 threads', threads, formatCount(threads)) }] : [],
      columns: [
        { width: 58, from: 200 },
        { width: 14, from: 0, align: 'left', signs: true }
      ]
    };
  },
  row: (row, context) => {
    const { theme, trans } = context;
    const now = running(row);
    const halted = isHalted(row) && !(row.processing > 0);
    return {
      bars: [{ segments: [loadSegment(row, now, 'full', context), loadSegment(row, row.processing - now, 'pale', context)] }],
      lines: row.nthreads > 0 ? [{ value: row.nthreads, colour: theme.textSecondary }] : [],
      figures: [
        halted
          ? { text: workerWord(row, theme, trans).word, colour: theme.bad }
          : { text: `${formatCount(row.processing)} / ${formatCount(row.nthreads)}` },
        loadSign(row, context)
      ],
      tooltip: workerTooltip(row, context, [
        [trans.__('Processing'), formatCount(row.processing)],
        [trans.__('Running'), formatCount(now)],
        [trans.__('Not running yet'), formatCount(row.processing - now)],
        ...(keptThreads(row) > 0
          ? [[trans.__('Threads that still run cancelled tasks'), formatCount(keptThreads(row))] as const]
          : [])
      ])
    };
  },
  titleLine: (run, { trans }) => {
    const rows = liveWorkers(run);
    const threads = total(rows, row => row.nthreads);
    return [
      { text: trans.__('%1 processing', formatCount(total(rows, row => row.processing))), tone: 'strong' },
      { text: trans._n('1 thread', '%2 threads', threads, formatCount(threads)) },
      ...haltedWords(rows, trans).map(text => ({ text, tone: 'bad' as const })),
      ...cancelledWords(rows, trans).map(text => ({ text, tone: 'warn' as const }))
    ];
  },
  legend: (_run, context) => {
    const { theme, trans } = context;
    return [
      ...loadLegend(context),
      {
        id: 'ready',
        label: trans.__('pale: not running yet'),
        ...{ colour: theme.worker.busy, pattern: 'none', outlined: true, inert: true }
      }
    ];
  },
  notes: () => [],
  table: (run, { theme, trans }) => ({
    columns: [
      { id: 'name', label: trans.__('Worker'), align: 'left' },
      { id: 'status', label: trans.__('Status'), align: 'left' },
      { id: 'processing', label: trans.__('Processing'), align: 'right' },
      { id: 'running', label: trans.__('Running'), align: 'right' },
      { id: 'threads', label: trans.__('Threads'), align: 'right' }
    ],
    rows: tableRows(liveWorkers(run), row => {
      const word = workerWord(row, theme, trans);
      return [
        { text: row.label, value: row.label },
        { text: word.word, value: word.word, sign: word.sign, ...(word.tone ? { tone: word.tone } : {}) },
        { text: formatCount(row.processing), value: row.processing },
        { text: formatCount(running(row)), value: running(row) },
        { text: formatCount(row.nthreads), value: row.nthreads }
      ];
    })
  }),
  summary: (run, { theme, trans }) => {
    const rows = liveWorkers(run);
    // As the column of statuses says: one that is paused or keeps threads for cancelled tasks does not wait for work.
    const signs = rows.map(row => workerWord(row, theme, trans).sign);
    const saturated = signs.filter(sign => sign === '◆').length;
    const idle = signs.filter(sign => sign === '□').length;
    const processing = total(rows, row => row.processing);
    const threads = total(rows, row => row.nthreads);
    const words = trans.__(
      '%1 processing on %2 with %3, %4 saturated, %5 idle.',
      trans._n('1 task', '%2 tasks', processing, formatCount(processing)),
      countWorkers(rows, trans),
      trans._n('1 thread', '%2 threads', threads, formatCount(threads)),
      saturated,
      idle
    );
    return [words, ...cancelledWords(rows, trans).map(each => `${each}.`)].join(' ');
  }
});
