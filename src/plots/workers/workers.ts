import { formatByteRate, formatBytes, formatCount, formatCpu, formatDuration, UNKNOWN } from '../../base/format';
import type { Run } from '../../run/run';
import { memoryBar } from '../../charts/bars/memory-parts';
import type { Cell, PlotContext, TableColumn, TableData, TablePlot, Translate } from '../../plot/plot';
import { tableRows } from '../../plot/table-rows';
import { oneLine } from '../../plot/text';
import { plainNumber } from '../../selectors/plain-number';
import { cancelledWords, keptThreads } from '../../selectors/workers/cancelled';
import { LEFT_OPTION, leftWorkers } from '../../selectors/workers/left-workers';
import { workerChoice } from '../../selectors/workers/worker-details';
import { haltedWords, heartbeatOf } from '../../selectors/workers/worker-words';
import { noWorkers, workerOfRow } from '../../charts/bars/worker-bars';
import { allWorkers, countWorkers, liveWorkers, total, type WorkerRow, workerWord } from '../../selectors/workers/worker-rows';

/** More columns of custom metrics are not useful; the notes count the rest. */
const USER_COLUMNS = 20;

interface Column extends TableColumn {
  readonly cell: (row: WorkerRow, run: Run, context: PlotContext) => Cell;
}

const text = (value: string): Cell => ({ text: value === '' ? UNKNOWN : value, value });
const count = (value: number): Cell => ({ text: formatCount(value), value });
const bytes = (value: number): Cell => ({ text: formatBytes(value), value });
const rate = (value: number): Cell => ({ text: formatByteRate(value), value });

function status(row: WorkerRow, { theme, trans }: PlotContext): Cell {
  const { sign, word, tone } = workerWord(row, theme, trans);
  return { text: word, value: word, sign, ...(tone ? { tone } : {}) };
}

/** Memory as fractions of the worker's limit, in the order and hues of the memory plots. */
function memory(row: WorkerRow, context: PlotContext): Cell {
  const whole = row.limit > 0 ? row.limit : (row.process || 0) + (row.spilled || 0);
  const { segments } = memoryBar(row, row.level, { ...context, hidden: new Set() });
  return {
    ...bytes(row.process),
    ...(whole > 0
      ? { bar: segments.map(({ size, fill, pattern }) => ({ share: size / whole, colour: fill, pattern: pattern ?? 'none' })) }
      : {})
  };
}

/** A column of figures. */
function figureColumn(id: string, label: string, tooltip: string, cell: Column['cell']): Column {
  return { id, label, ...(tooltip === '' ? {} : { tooltip }), align: 'right', cell };
}

function textColumn(id: string, label: string, tooltip: string, cell: Column['cell']): Column {
  return { ...figureColumn(id, label, tooltip, cell), align: 'left' };
}

/** The columns; `kept` is whether threads go on with cancelled tasks. */
function columns(trans: Translate, kept: boolean): Column[] {
  const whole = trans.__('of the whole host');
  const open = trans.__('bytes of open transfers');
  return [
    textColumn('name', trans.__('Worker'), '', row => text(row.label)),
    textColumn('status', trans.__('Status'), '', (row, _, context) => status(row, context)),
    textColumn('host', trans.__('Host'), '', row => text(row.host)),
    figureColumn('threads', trans.__('Threads'), '', row => count(row.nthreads)),
    figureColumn('cpu', trans.__('CPU'), trans.__('per cent of one core; the line is the last minute'), (row, run) => ({
      text: formatCpu(row.cpu),
      value: row.cpu,
      ...(Number.isFinite(row.cpu) ? { spark: run.workers.cpuHistory(row.id), sparkEnd: row.nthreads * 100 } : {})
    })),
    figureColumn('memory', trans.__('Memory'), trans.__('of the process, against the limit'), (row, _, context) =>
      memory(row, context)
    ),
    figureColumn('limit', trans.__('Limit'), '', row => bytes(row.limit)),
    figureColumn('managed', trans.__('Managed'), '', row => bytes(row.managed)),
    figureColumn('unmanaged', trans.__('Unmanaged'), '', row => bytes(row.unmanaged)),
    figureColumn('recent', trans.__('Unmanaged, recent'), '', row => bytes(row.recent)),
    figureColumn('spilled', trans.__('Spilled'), '', row => bytes(row.spilled)),
    figureColumn('processing', trans.__('Processing'), trans.__('tasks assigned'), row => count(row.processing)),
    figureColumn('executing', trans.__('Executing'), trans.__('tasks running'), row => count(row.executing)),
    ...(kept
      ? [
          figureColumn(
            'cancelled',
            trans.__('Cancelled'),
            trans.__('threads that go on with a cancelled task until it ends: Python cannot stop them'),
            row => count(keptThreads(row))
          )
        ]
      : []),
    figureColumn('in_memory', trans.__('In memory'), trans.__('results held'), row => count(row.inMemory)),
    figureColumn('occupancy', trans.__('Occupancy'), '', row => ({ text: formatDuration(row.occupancy), value: row.occupancy })),
    figureColumn('transfer_in', trans.__('Transfers in'), open, row => bytes(row.transferIn)),
    figureColumn('transfer_out', trans.__('Transfers out'), open, row => bytes(row.transferOut)),
    figureColumn('net_read', trans.__('Network in'), whole, row => rate(row.netRead)),
    figureColumn('net_write', trans.__('Network out'), whole, row => rate(row.netWrite)),
    figureColumn('disk_read', trans.__('Disk read'), whole, row => rate(row.diskRead)),
    figureColumn('disk_write', trans.__('Disk write'), whole, row => rate(row.diskWrite)),
    figureColumn('fds', trans.__('Open files'), trans.__('file descriptors; Dask does not count them on Windows'), row =>
      count(row.fds)
    ),
    figureColumn('seen', trans.__('Last seen'), trans.__('time since the last heartbeat'), (row, run) => {
      const { text, value } = heartbeatOf(row, run, trans);
      return { text, value };
    }),
    textColumn('version', trans.__('Version'), trans.__('of distributed'), row => text(row.version)),
    textColumn('address', trans.__('Address'), '', row => text(row.address))
  ];
}

/** Names of metrics that workers report in addition to Dask's own. */
function userMetrics(run: Run): readonly string[] {
  const names = new Set<string>();
  for (const metrics of run.workers.userMetrics.values()) {
    for (const name of Object.keys(metrics)) {
      names.add(name);
    }
  }
  return [...names].sort();
}

function userColumns(run: Run): Column[] {
  return userMetrics(run)
    .slice(0, USER_COLUMNS)
    .map(name => ({
      id: `user:${name}`,
      label: oneLine(name),
      align: 'right',
      cell: row => userCell(run.workers.userMetrics.get(row.id)?.[name])
    }));
}

function userCell(value: unknown): Cell {
  if (typeof value === 'number') {
    return { text: plainNumber(value), value };
  }
  return text(value === undefined || value === null ? '' : oneLine(typeof value === 'string' ? value : JSON.stringify(value)));
}

function rowsOf(run: Run, { options }: PlotContext): readonly WorkerRow[] {
  return options[LEFT_OPTION.id] === LEFT_OPTION.shown ? allWorkers(run) : liveWorkers(run);
}

function table(run: Run, context: PlotContext): TableData {
  const rows = rowsOf(run, context);
  const all = [
    ...columns(
      context.trans,
      rows.some(row => keptThreads(row) > 0)
    ),
    ...userColumns(run)
  ];
  return {
    columns: all.map(({ cell: _, ...column }) => column),
    rows: tableRows(rows, row => all.map(column => column.cell(row, run, context)))
  };
}

/** All details of each worker, as a table. */
export const workers: TablePlot = {
  id: 'workers',
  icon: '<path fill-rule="evenodd" d="M1 2h14v12H1zm1.200 3.800v2.200h3.600V5.800zm4.800 0v2.200h6.800V5.800zM2.200 9.200v3.600h3.600V9.200zm4.800 0v3.600h6.800V9.200z"/>',
  title: 'Workers',
  caption: 'everything known of each worker, sortable',
  group: 'workers',
  synonyms: ['table', 'nodes', 'hosts', 'status', 'metrics', 'version', 'file descriptors'],
  howToRead:
    'One row for each worker with its state, what it runs and holds, and what its host measures. Click a head to sort; rows keep their places until the next click. A double click shows all details of a worker. ' +
    'Network and disk are those of the whole host: workers on one host show the same figures.',
  view: 'table',
  opens: 'worker',
  openArgs: (run, row) => {
    const worker = allWorkers(run).find(({ id }) => String(id) === row);
    return worker === undefined ? null : { worker: workerChoice(run, worker.id) };
  },
  acts: workerOfRow,
  topics: ['meta', 'workers'],
  options: [
    {
      id: LEFT_OPTION.id,
      label: 'Workers that have left',
      choices: [
        { value: LEFT_OPTION.hidden, label: 'without those that have left' },
        { value: LEFT_OPTION.shown, label: 'with those that have left' }
      ],
      initial: LEFT_OPTION.hidden
    }
  ],
  empty: (run, context) => (rowsOf(run, context).length > 0 ? null : noWorkers(run, context)),
  titleLine: (run, { trans }) => {
    const rows = liveWorkers(run);
    const threads = total(rows, row => row.nthreads);
    return [
      { text: countWorkers(rows, trans), tone: 'strong' },
      { text: trans._n('1 thread', '%2 threads', threads, formatCount(threads)) },
      ...haltedWords(rows, trans).map(each => ({ text: each, tone: 'bad' as const })),
      ...cancelledWords(rows, trans).map(each => ({ text: each, tone: 'warn' as const })),
      ...leftWorkers(run, trans)
    ];
  },
  legend: () => [],
  notes: (run, { trans }) => {
    const more = userMetrics(run).length - USER_COLUMNS;
    return more > 0 ? [trans._n('1 further metric not shown', '%2 further metrics not shown', more, more)] : [];
  },
  table,
  summary: (run, { trans }) => {
    const rows = liveWorkers(run);
    const head = countWorkers(rows, trans);
    const threads = trans._n(
      '1 thread',
      '%2 threads',
      total(rows, row => row.nthreads),
      formatCount(total(rows, row => row.nthreads))
    );
    return `${[head, threads, ...haltedWords(rows, trans), ...cancelledWords(rows, trans)].join(', ')}.`;
  }
};
