import { formatBytes, formatDuration, UNKNOWN } from '../../../base/format';
import { TASK_STATE } from '../../../feed/schema';
import type { Cell, LongRows, PlotContext, TableRow } from '../../../plot/plot';
import { compareNames, oneLine } from '../../../plot/text';
import type { ExecutionList } from '../../../run/lanes/execution-list';
import type { Run } from '../../../run/run';
import type { RunningTask } from '../../../run/tables/running';
import { errorsOf } from '../../../selectors/errors/link';
import { atEnd } from '../../../selectors/run-end';
import { stateWords } from '../../../selectors/tasks/task-states';
import { workerLabel } from '../../../selectors/workers/worker-rows';
import { failureOf, isAwaited, keysOf } from './keys';
import { UNFINISHED_STATES } from '../../../selectors/tasks/unfinished';
import { runningFor } from '../../../selectors/workers/running-count';
import { sinceStart } from '../../../selectors/moments';

const NO_IDS: ReadonlySet<string> = new Set();
const PROCESSING = TASK_STATE.indexOf('processing');
/** Sort value of the first state of tasks that have not ended: after those that have. */
const OPEN = 10;

/** Ranks of names, so that a column of texts sorts by numbers. */
export function ranks(names: readonly string[]): readonly number[] {
  const order = [...names.keys()].sort((a, b) => compareNames(names[a] ?? '', names[b] ?? ''));
  const found: number[] = [];
  for (const [rank, at] of order.entries()) {
    found[at] = rank;
  }
  return found;
}

/** Whether a function, a worker or a state has a text in its name. */
export function isNamed(run: Run, text: string, { trans }: PlotContext): boolean {
  const wanted = text.toLocaleLowerCase();
  const ended = [trans.__('finished'), trans.__('erred')];
  const states = [...ended, atEnd(run, trans.__('running'), trans), ...UNFINISHED_STATES.map(state => stateWords(state, trans))];
  return [...run.prefixNames, ...run.workerNames.map(worker => workerLabel(worker)), ...states].some(name =>
    name.toLocaleLowerCase().includes(wanted)
  );
}

/** The rows of one moment: executions, then tasks that have not ended. Ids begin with e and n. */
export class TaskRows implements LongRows {
  /** @param until - number of the first execution that is not listed */
  constructor(
    private readonly run: Run,
    private readonly context: PlotContext,
    private readonly list: ExecutionList,
    private readonly open: Uint32Array,
    until: number
  ) {
    const count = Math.min(list.count, Math.max(0, until - list.base));
    this.base = list.base;
    this.known = list.known?.filter(i => i < count) ?? null;
    this.ended = this.known?.length ?? count;
    const running = [...run.running.list].map(task => [task.key, task] as const);
    this.running = new Map(running);
  }

  get count(): number {
    return this.ended + this.open.length;
  }

  row(i: number): TableRow {
    return i < this.ended ? this.execution(i) : this.unended(this.open[i - this.ended]);
  }

  key(i: number, column: string): number {
    if (i >= this.ended) {
      return this.keyOfOpen(this.open[i - this.ended], column);
    }
    const { list } = this;
    const at = this.rowOf(i) - list.base;
    if (at < 0 || !list.has(at)) {
      return Number.NaN;
    }
    switch (column) {
      case 'function':
        return this.functionRank(list.prefix[at]);
      case 'state':
        return list.erred(at) ? 1 : 0;
      case 'worker':
        return this.workerRank(list.lane[at]);
      case 'start':
        return list.start[at];
      case 'duration':
        return list.duration[at];
      case 'size':
        return list.nbytes[at];
      default:
        return this.rowOf(i);
    }
  }

  fits(text: string, keyed: ReadonlySet<string> = NO_IDS): ((i: number) => boolean) | null {
    const wanted = text.toLocaleLowerCase();
    if (wanted === '') {
      return null;
    }
    const { run, list, context } = this;
    const { trans } = context;
    const has = (name: string): boolean => name.toLocaleLowerCase().includes(wanted);
    const functions = run.prefixNames.map(has);
    const lanes = run.laneNames.map(([worker]) => has(workerLabel(run.workerNames[worker])));
    const [finished, erred] = [has(trans.__('finished')), has(trans.__('erred'))];
    const states = new Map(UNFINISHED_STATES.map(state => [TASK_STATE.indexOf(state), has(stateWords(state, trans))]));
    const known = keysOf(run);
    const keys = new Set([...known].filter(([, key]) => has(key)).map(([id]) => id));
    const running = has(atEnd(run, trans.__('running'), trans));
    return i => {
      if (i >= this.ended) {
        const number = this.open[i - this.ended];
        const state = run.graph.state(number);
        const task = this.runningTask(number);
        return (
          functions[run.graph.prefix(number)] ||
          states.get(state) === true ||
          // Of one whose key is not known yet it is not known either whether it runs.
          (running && (task !== undefined || (state === PROCESSING && !known.has(`n${number}`)))) ||
          (task !== undefined && has(workerLabel(run.workerNames[task.worker]))) ||
          keys.has(`n${number}`) ||
          keyed.has(`n${number}`)
        );
      }
      const at = this.rowOf(i) - list.base;
      const placed = at >= 0 && list.has(at);
      return (
        (placed && (functions[list.prefix[at]] || lanes[list.lane[at]] || (list.erred(at) ? erred : finished))) ||
        keys.has(`e${this.rowOf(i)}`) ||
        keyed.has(`e${this.rowOf(i)}`)
      );
    };
  }

  /** What a column sorts a task by that has not ended; when and where one runs is known with its key. */
  private keyOfOpen(number: number, column: string): number {
    const { run } = this;
    const task = this.runningTask(number);
    switch (column) {
      case 'function':
        return this.functionRank(run.graph.prefix(number));
      case 'state':
        return OPEN + run.graph.state(number);
      case 'worker':
        return task === undefined ? Number.NaN : this.workerRank(run.laneNames.findIndex(([worker]) => worker === task.worker));
      case 'start':
        return task?.start ?? Number.NaN;
      case 'duration':
        return task === undefined ? Number.NaN : runningFor(run, task);
      default:
        return Number.NaN;
    }
  }

  /** A task of the graph that runs and has not ended since the rows were read; undefined where that is not known. */
  private runningTask(number: number): RunningTask | undefined {
    const task = this.running.get(keysOf(this.run).get(`n${number}`) ?? '');
    return task !== undefined && this.run.running.has(task) ? task : undefined;
  }

  /** Number of the execution at a place of the list. */
  private rowOf(i: number): number {
    return this.base + (this.known?.[i] ?? i);
  }

  private execution(i: number): TableRow {
    const { list, run, context } = this;
    const id = `e${this.rowOf(i)}`;
    const at = this.rowOf(i) - list.base;
    if (at < 0 || !list.has(at)) {
      return { id, cells: [this.keyCell(id), ...Array.from({ length: 6 }, () => ({ text: UNKNOWN, value: Number.NaN }))] };
    }
    const worker = workerLabel(run.workerNames[run.laneNames[list.lane[at]]?.[0] ?? -1]);
    const name = run.prefixNames[list.prefix[at]] ?? '?';
    const state: Cell = list.erred(at)
      ? { text: context.trans.__('erred'), value: 1, sign: '✕', tone: 'bad', opens: errorsOf(run, list.prefix[at]) }
      : { text: context.trans.__('finished'), value: 0 };
    return {
      id,
      cells: [
        this.keyCell(id),
        { text: oneLine(name), value: name },
        state,
        { text: worker, value: worker },
        { text: sinceStart(list.start[at], run, context.trans, 2), value: list.start[at] },
        { text: formatDuration(list.duration[at]), value: list.duration[at] },
        { text: list.erred(at) ? '' : formatBytes(list.nbytes[at]), value: list.nbytes[at] }
      ]
    };
  }

  private unended(number: number): TableRow {
    const { run, context } = this;
    const id = `n${number}`;
    const code = run.graph.state(number);
    const state = TASK_STATE[code] ?? 'waiting';
    const name = run.prefixNames[run.graph.prefix(number)] ?? '?';
    const task = this.runningTask(number);
    const worker = task === undefined ? '' : workerLabel(run.workerNames[task.worker]);
    const time = task === undefined ? Number.NaN : runningFor(run, task);
    return {
      id,
      cells: [
        this.keyCell(id),
        { text: oneLine(name), value: name },
        {
          text: task === undefined ? stateWords(state, context.trans) : atEnd(run, context.trans.__('running'), context.trans),
          value: OPEN + code
        },
        { text: worker, value: worker },
        { text: task === undefined ? '' : sinceStart(task.start, run, context.trans, 2), value: task?.start ?? Number.NaN },
        { text: task === undefined ? '' : context.trans.__('%1 so far', formatDuration(time)), value: time },
        { text: '', value: Number.NaN }
      ]
    };
  }

  private keyCell(id: string): Cell {
    const key = keysOf(this.run).get(id) ?? '';
    return { text: key === '' ? this.withoutKey(id) : oneLine(key), value: key };
  }

  private withoutKey(id: string): string {
    const { trans } = this.context;
    const failure = failureOf(this.run, id);
    if (failure !== undefined) {
      return oneLine(trans.__('key unknown: %1', failure));
    }
    return isAwaited(this.run, id) ? '…' : trans.__('key not kept');
  }

  private functionRank(prefix: number): number {
    this.functions ??= ranks(this.run.prefixNames);
    return this.functions[prefix] ?? Number.NaN;
  }

  private workerRank(lane: number): number {
    this.workers ??= ranks(this.run.laneNames.map(([worker]) => workerLabel(this.run.workerNames[worker])));
    return this.workers[lane] ?? Number.NaN;
  }

  private readonly base: number;
  private readonly known: Uint32Array | null;
  private readonly ended: number;
  private readonly running: ReadonlyMap<string, RunningTask>;
  private functions: readonly number[] | null = null;
  private workers: readonly number[] | null = null;
}
