import { formatByteRate, formatBytes, formatCount, formatCpu, formatDuration, formatTick, UNKNOWN } from '../../base/format';
import type { Run } from '../../run/run';
import { memoryBar } from '../../charts/bars/memory-parts';
import type { Cell, PlotContext, TableColumn, TableData, TablePlot, Translate } from '../../plot/plot';
import { tableRows } from '../../plot/table-rows';
import { oneLine } from '../../plot/text';
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

function columns(trans: Translate, kept: boolean): Column[] {
  const right = 'right' as const;
  const left = 'left' as const;
  return [
    { id: 'name', label: trans.__('Worker'), align: left, cell: row => text(row.label) },
    { id: 'status', label: trans.__('Status'), align: left, cell: (row, _, context) => status(row, context) },
    { id: 'host', label: trans.__('Host'), align: left, cell: row => text(row.host) },
    { id: 'threads', label: trans.__('Threads'), align: right, cell: row => count(row.nthreads) },
    {
      id: 'cpu',
      label: trans.__('CPU'),
      tooltip: trans.__('per cent of one core; the line is the last minute'),
      align: right,
      cell: (row, run) => ({
        text: formatCpu(row.cpu),
        value: row.cpu,
        spark: run.workers.cpuHistory(row.id),
        sparkEnd: row.nthreads * 100
      })
    },
    {
      id: 'memory',
      label: trans.__('Memory'),
      tooltip: trans.__('of the process, against the limit'),
      align: right,
      cell: (row, _, context) => memory(row, context)
    },
    { id: 'limit', label: trans.__('Limit'), align: right, cell: row => bytes(row.limit) },
    { id: 'managed', label: trans.__('Managed'), align: right, cell: row => bytes(row.managed) },
    { id: 'unmanaged', label: trans.__('Unmanaged'), align: right, cell: row => bytes((row.unmanaged || 0) + (row.recent || 0)) },
    { id: 'spilled', label: trans.__('Spilled'), align: right, cell: row => bytes(row.spilled) },
    {
      id: 'processing',
      label: trans.__('Processing'),
      tooltip: trans.__('tasks assigned'),
      align: right,
      cell: row => count(row.processing)
    },
    {
      id: 'executing',
      label: trans.__('Executing'),
      tooltip: trans.__('tasks running'),
      align: right,
      cell: row => count(row.executing)
    },
    ...(kept
      ? [
          {
            id: 'cancelled',
            label: trans.__('Cancelled'),
            tooltip: trans.__('threads that go on with a cancelled task until it ends: Python cannot stop them'),
            align: right,
            cell: (row: WorkerRow) => count(keptThreads(row))
          }
        ]
      : []),
    {
      id: 'in_memory',
      label: trans.__('In memory'),
      tooltip: trans.__('results held'),
      align: right,
      cell: row => count(row.inMemory)
    },
    {
      id: 'occupancy',
      label: trans.__('Occupancy'),
      align: right,
      cell: row => ({ text: formatDuration(row.occupancy), value: row.occupancy })
    },
    {
      id: 'transfer_in',
      label: trans.__('Transfers in'),
      tooltip: trans.__('bytes of open transfers'),
      align: right,
      cell: row => bytes(row.transferIn)
    },
    {
      id: 'transfer_out',
      label: trans.__('Transfers out'),
      tooltip: trans.__('bytes of open transfers'),
      align: right,
      cell: row => bytes(row.transferOut)
    },
    {
      id: 'net_read',
      label: trans.__('Network in'),
      tooltip: trans.__('of the whole host'),
      align: right,
      cell: row => rate(row.netRead)
    },
    {
      id: 'net_write',
      label: trans.__('Network out'),
      tooltip: trans.__('of the whole host'),
      align: right,
      cell: row => rate(row.netWrite)
    },
    {
      id: 'disk_read',
      label: trans.__('Disk read'),
      tooltip: trans.__('of the whole host'),
      align: right,
      cell: row => rate(row.diskRead)
    },
    {
      id: 'disk_write',
      label: trans.__('Disk write'),
      tooltip: trans.__('of the whole host'),
      align: right,
      cell: row => rate(row.diskWrite)
    },
    {
      id: 'fds',
      label: trans.__('Open files'),
      tooltip: trans.__('file descriptors'),
      align: right,
      cell: row => count(row.fds)
    },
    {
      id: 'seen',
      label: trans.__('Last seen'),
      tooltip: trans.__('time since the last heartbeat'),
      align: right,
      cell: (row, run) => {
        const { text, value } = heartbeatOf(row, run, trans);
        return { text, value };
      }
    },
    {
      id: 'version',
      label: trans.__('Version'),
      tooltip: trans.__('of distributed'),
      align: left,
      cell: row => text(row.version)
    },
    { id: 'address', label: trans.__('Address'), align: left, cell: row => text(row.address) }
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
    return { text: Math.abs(value) < 1e6 ? formatTick(value) : formatCount(value), value };
  }
  return text(value === undefined || value === null ? '' : oneLine(typeof value === 'string' ? value : JSON.stringify(value)));
}

function table(run: Run, context: PlotContext): TableData {
  const rows = context.options[LEFT_OPTION.id] === LEFT_OPTION.shown ? allWorkers(run) : liveWorkers(run);
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
  empty: noWorkers,
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
