/** The tasks of the task stream as a table. */
import { countLeading } from '../../base/arrays';
import { formatBytes, formatDuration, UNKNOWN } from '../../base/format';
import type { Bytes, Seconds } from '../../base/units';
import type { Cell, LongRows, LongTable, PlotContext, TableColumn, TableData, TableRow, Translate } from '../../plot/plot';
import { oneLine } from '../../plot/text';
import { clearedOf } from '../../run/cleared';
import { type ExecutionList, executionsOf } from '../../run/lanes/execution-list';
import { rowsFrom } from '../../run/lanes/lane-search';
import type { Run } from '../../run/run';
import type { Selection } from '../../run/selection/selection';
import type { RunningTask } from '../../run/tables/running';
import { errorsOf } from '../../selectors/errors/link';
import { localFacts } from '../../selectors/local/facts';
import { atEnd } from '../../selectors/run-end';
import { isStraggling, p95Words } from '../../selectors/stragglers/stragglers';
import { usualDurations } from '../../selectors/stragglers/usual-durations';
import { runningFor } from '../../selectors/workers/running-count';
import { workerLabel } from '../../selectors/workers/worker-rows';
import { ranks } from './all-tasks/rows';
import { sinceStart, startHint } from '../../selectors/moments';

/** Rows of the table of a file, limited to a readable number; that of a pane has all. */
const TABLE_ROWS = 1000;
/** How ids of rows of running tasks begin; those of others are numbers of executions. */
const RUNNING = 'running ';
/** What the states sort by. */
const [RUNS, FINISHED, ERRED] = [-1, 0, 1];

/** The id of a row of a running task: the number of one that ended is that of another one soon. */
function idOf({ id, key }: RunningTask): string {
  return `${RUNNING}${id} ${key}`;
}

function columns(run: Run, trans: Translate): readonly TableColumn[] {
  return [
    { id: 'function', label: trans.__('Function'), align: 'left' },
    { id: 'state', label: trans.__('State'), align: 'left' },
    { id: 'start', label: trans.__('Start'), tooltip: startHint(run, trans), align: 'right' },
    { id: 'duration', label: trans.__('Duration'), align: 'right' },
    { id: 'worker', label: trans.__('Worker'), align: 'left' },
    { id: 'size', label: trans.__('Result'), tooltip: trans.__('Size of the result'), align: 'right' },
    { id: 'key', label: trans.__('Key'), tooltip: trans.__('Of tasks that run'), align: 'left' }
  ];
}

/** Longest-running first. */
function runningTasks(run: Run): readonly RunningTask[] {
  return [...run.running.list].sort((a, b) => a.start - b.start);
}

/** How long a task has run, and what most of its function take less than where that is much less. */
function soFar(runsFor: Seconds, p95: Seconds, trans: Translate): Cell {
  const text = trans.__('%1 so far', formatDuration(runsFor));
  return isStraggling(runsFor, p95)
    ? { text: `${text} · ${p95Words(p95, trans)}`, value: runsFor, tone: 'warn' }
    : { text, value: runsFor };
}

/**
 * A task that runs, or ran when the rows were read: how long it took is in the row of its execution.
 *
 * @param p95 - what most executions of its function take less than; NaN if it is not known
 */
function runningRow(run: Run, task: RunningTask, p95: Seconds, trans: Translate): TableRow {
  const runs = run.running.has(task);
  const name = workerLabel(run.workerNames[task.worker]);
  const label = oneLine(String(run.prefixNames[task.prefix] ?? ''));
  const elapsed = task.start - run.origin;
  return {
    id: idOf(task),
    cells: [
      { text: label, value: label },
      { text: runs ? atEnd(run, trans.__('running'), trans) : trans.__('ended'), value: RUNS },
      { text: sinceStart(task.start, run, trans, 2), value: elapsed },
      runs ? soFar(runningFor(run, task), p95, trans) : { text: UNKNOWN, value: Number.NaN },
      { text: name, value: name },
      { text: UNKNOWN, value: Number.NaN },
      { text: oneLine(task.key), value: oneLine(task.key) }
    ]
  };
}

/** An execution that has ended. */
interface Ended {
  readonly row: number;
  readonly lane: number;
  readonly label: number;
  readonly start: Seconds;
  readonly duration: Seconds;
  readonly detail: Bytes;
  readonly erred: boolean;
}

/** Where the errors of a function are. Local schedulers have no such pane. */
function failed(run: Run, prefix: number): Partial<Cell> {
  return localFacts(run) === null ? { opens: errorsOf(run, prefix) } : {};
}

function endedRow(run: Run, task: Ended, trans: Translate): TableRow {
  const worker = run.laneNames[task.lane]?.[0] ?? -1;
  const name = workerLabel(run.workerNames[worker]);
  const label = oneLine(String(run.prefixNames[task.label] ?? ''));
  const elapsed = task.start - run.origin;
  return {
    id: String(task.row),
    cells: [
      { text: label, value: label },
      task.erred
        ? { text: trans.__('erred'), value: ERRED, tone: 'bad' as const, ...failed(run, task.label) }
        : { text: trans.__('finished'), value: FINISHED },
      { text: sinceStart(task.start, run, trans, 2), value: elapsed },
      { text: formatDuration(task.duration), value: task.duration },
      { text: name, value: name },
      { text: formatBytes(task.detail), value: task.detail },
      { text: '', value: '' }
    ]
  };
}

/** Number of the first execution that was not cleared. */
function firstRow(run: Run, { cleared }: PlotContext): number {
  return clearedOf(run, cleared)?.row ?? 0;
}

/** Running tasks, then the newest finished tasks, one row each. */
export function table(run: Run, context: PlotContext): TableData {
  const { trans } = context;
  const first = Math.max(run.tasks.nextRow - TABLE_ROWS, firstRow(run, context));
  return {
    columns: columns(run, trans),
    rows: [
      ...runningTasks(run)
        .slice(0, TABLE_ROWS)
        .map(task => runningRow(run, task, usualDurations(run).known95(task.prefix), trans)),
      ...rowsFrom(run.tasks.lanes, first).map(task => endedRow(run, task, trans))
    ],
    total: run.running.count + Math.min(run.tasks.listed, run.tasks.nextRow - firstRow(run, context))
  };
}

/** Running tasks, and all finished ones that are kept. */
export function long(run: Run, context: PlotContext): LongTable {
  const { list, id } = executionsOf(run.tasks);
  const first = firstRow(run, context);
  return {
    columns: columns(run, context.trans),
    identity: `${run.identity} ${id} ${first}`,
    count: run.running.count - run.running.unlisted + Math.min(run.tasks.listed, run.tasks.nextRow - first),
    settled: run.tasks.nextRow,
    *rows(): Generator<void, LongRows, void> {
      yield* list.fill();
      return new StreamRows(run, context.trans, list, first);
    },
    ask: () => []
  };
}

/** What a row of the table selects: a task, or, of one that runs, its function. */
export function selects(run: Run, row: string): Partial<Selection> | null {
  if (!row.startsWith(RUNNING)) {
    return { rows: { run: run.identity, numbers: [Number(row)] } };
  }
  const task = [...run.running.list].find(each => idOf(each) === row);
  const name = run.prefixNames[task?.prefix ?? -1];
  return name === undefined ? null : { functions: [name] };
}

/** The rows of one moment: executions, then running tasks, the one that runs longest last. */
class StreamRows implements LongRows {
  /** @param first - number of the first execution that is shown */
  constructor(
    private readonly run: Run,
    private readonly trans: Translate,
    private readonly list: ExecutionList,
    first: number
  ) {
    const { base, count, known } = list;
    const skipped = Math.max(0, first - base);
    // In order, and there may be millions: no copy.
    this.places = known === null ? null : known.subarray(countLeading(known.length, i => known[i] < skipped));
    this.first = base + skipped;
    this.base = base;
    this.ended = this.places?.length ?? Math.max(0, count - skipped);
    this.running = [...runningTasks(run)].reverse();
  }

  get count(): number {
    return this.ended + this.running.length;
  }

  row(i: number): TableRow {
    const { run, list, trans } = this;
    if (i >= this.ended) {
      const task = this.running[i - this.ended];
      return runningRow(run, task, usualDurations(run).p95(task.prefix), trans);
    }
    const row = this.rowAt(i);
    const at = row - list.base;
    if (!this.has(at)) {
      return { id: String(row), cells: columns(run, trans).map(() => ({ text: UNKNOWN, value: Number.NaN })) };
    }
    const [lane, label, erred] = [list.lane[at], list.prefix[at], list.erred(at)];
    const task = { row, lane, label, erred, start: list.start[at], duration: list.duration[at], detail: list.nbytes[at] };
    return endedRow(run, task, trans);
  }

  key(i: number, column: string): number {
    const { run, list } = this;
    const task = this.running[i - this.ended];
    const at = this.rowAt(i) - list.base;
    if (task === undefined && !this.has(at)) {
      return Number.NaN;
    }
    switch (column) {
      case 'function':
        this.functions ??= ranks(run.prefixNames);
        return this.functions[task?.prefix ?? list.prefix[at]] ?? Number.NaN;
      case 'state':
        return task !== undefined ? RUNS : list.erred(at) ? ERRED : FINISHED;
      case 'start':
        return task?.start ?? list.start[at];
      case 'duration':
        return task === undefined ? list.duration[at] : runningFor(run, task);
      case 'worker':
        this.workers ??= ranks(run.workerNames.map(worker => workerLabel(worker)));
        return this.workers[task?.worker ?? run.laneNames[list.lane[at]]?.[0] ?? -1] ?? Number.NaN;
      case 'size':
        return task === undefined ? list.nbytes[at] : Number.NaN;
      default:
        this.keys ??= ranks(this.running.map(each => each.key));
        return this.keys[i - this.ended] ?? Number.NaN;
    }
  }

  fits(text: string): ((i: number) => boolean) | null {
    const wanted = text.toLocaleLowerCase();
    if (wanted === '') {
      return null;
    }
    const { run, list, trans } = this;
    const has = (name: string): boolean => name.toLocaleLowerCase().includes(wanted);
    const functions = run.prefixNames.map(has);
    const workers = run.workerNames.map(worker => has(workerLabel(worker)));
    const [runs, finished, erred] = [atEnd(run, trans.__('running'), trans), trans.__('finished'), trans.__('erred')].map(has);
    return i => {
      const task = this.running[i - this.ended];
      if (task !== undefined) {
        return runs || functions[task.prefix] || workers[task.worker] || has(task.key);
      }
      const at = this.rowAt(i) - list.base;
      const worker = run.laneNames[list.lane[at]]?.[0] ?? -1;
      return this.has(at) && (functions[list.prefix[at]] || workers[worker] || (list.erred(at) ? erred : finished));
    };
  }

  private rowAt(i: number): number {
    return this.places === null ? this.first + i : this.base + this.places[i];
  }

  /** Whether an execution is known: others may have been dropped since. */
  private has(at: number): boolean {
    return at >= 0 && this.list.has(at);
  }

  /** Places of the executions in the list, where some in between are missing. */
  private readonly places: Uint32Array | null;
  private readonly base: number;
  private readonly first: number;
  private readonly ended: number;
  private readonly running: readonly RunningTask[];
  private functions: readonly number[] | null = null;
  private workers: readonly number[] | null = null;
  /** Of those that run. */
  private keys: readonly number[] | null = null;
}
