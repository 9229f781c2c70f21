/** Events that explain what charts over time show, derived from a run in one place for all of them. */
import { formatBytes, formatCount } from '../../base/format';
import type { Bytes, Seconds } from '../../base/units';
import type { Topic } from '../../feed/schema';
import type { Translate } from '../../plot/plot';
import { oneLine } from '../../plot/text';
import type { Run } from '../../run/run';
import { LARGE_GRAPH } from '../computations/reading';
import { calledWorker, workerAt } from '../workers/one-worker';
import { fieldOf, itemsOf } from './message';
import { removals } from './removals';
import { sinceStartWords } from '../moments';

/** The topics that marks are derived from; a plot without one of them has fewer marks. */
export const MARK_TOPICS = ['events', 'computations', 'series'] as const satisfies readonly Topic[];

/** What happened. */
export type MarkKind = 'lost' | 'left' | 'paused' | 'spilling' | 'restart' | 'graph';

/** Something that happened to the cluster at one moment. */
export interface EventMark {
  /** Stable for the lifetime of the run. */
  readonly id: string;
  readonly kind: MarkKind;
  readonly time: Seconds;
  /** Address of the worker; empty if it is about none. */
  readonly worker: string;
  /** Graphs of a computation; 0 for other marks. */
  readonly graphs: number;
  /** Tasks of these graphs, or of a worker that left; a lower bound if there were very many. */
  readonly tasks: number;
  /** Results that only a worker that left had; a lower bound if there were very many. */
  readonly results: number;
  /** Workers that were restarted; 0 if that is not known. */
  readonly workers: number;
  /** Size of the graphs as the client sent them. */
  readonly nbytes: Bytes;
}

/** Newest marks that are kept. */
const MOST = 500;
/** Graphs of a computation with as many tasks are marked, and those of a size of which Dask warns. */
const MANY_TASKS = 10_000;
/** Workers that write to disk again after a longer time without are marked again, if they write as much. */
const QUIET: Seconds = 30;
const WRITTEN: Bytes = 1024 ** 2;

interface Derived {
  readonly print: string;
  readonly marks: readonly EventMark[];
}

const derived = new WeakMap<Run, Derived>();

/** What happened until the displayed moment, oldest first; at most the newest 500. */
export function eventMarks(run: Run): readonly EventMark[] {
  const print = [run.identity, ...MARK_TOPICS.map(topic => run.version(topic))].join(' ');
  let known = derived.get(run);
  if (known?.print !== print) {
    const marks = [...ofEvents(run), ...ofWorkers(run), ...ofGraphs(run), ...ofSpilling(run)]
      .filter(({ time }) => Number.isFinite(time))
      .sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1));
    known = { print, marks: marks.slice(-MOST) };
    derived.set(run, known);
  }
  const { latest } = run.clock;
  return known.marks.filter(({ time }) => time <= latest);
}

function mark(kind: MarkKind, time: Seconds, of: string, more: Partial<EventMark> = {}): EventMark {
  return { id: `${kind} ${of} ${time}`, kind, time, worker: '', graphs: 0, tasks: 0, results: 0, workers: 0, nbytes: 0, ...more };
}

function ofEvents(run: Run): EventMark[] {
  return run.events.list.flatMap(event => {
    const { action, time, topic } = event;
    switch (action) {
      case 'worker-status-change':
        return fieldOf(event, 'status') === 'paused' ? [mark('paused', time, topic, { worker: topic })] : [];
      case 'restart':
      case 'restart-workers':
        return [mark('restart', time, '', { workers: itemsOf(event, 'workers') })];
      default:
        return [];
    }
  });
}

/** Workers that left without being asked to, as far as that is known. */
function ofWorkers(run: Run): EventMark[] {
  return removals(run).flatMap(({ how, time, worker, tasks, results }) =>
    how === 'asked' ? [] : [mark(how, time, worker, { worker, tasks, results })]
  );
}

function ofGraphs(run: Run): EventMark[] {
  return run.computations.list
    .filter(({ values }) => values.tasks >= MANY_TASKS || values.graph >= LARGE_GRAPH)
    .map(({ id, values }) => {
      const { tasks, graph, submissions } = values;
      return mark('graph', values.since, String(id), { graphs: submissions || 1, tasks: tasks || 0, nbytes: graph || 0 });
    });
}

/** The moments at which the workers' bytes on disk begin to grow. */
function ofSpilling(run: Run): EventMark[] {
  const found: EventMark[] = [];
  const { series } = run;
  const [times, spilled] = [series.column('time'), series.column('spilled_sum')];
  let last = Number.NaN;
  let grew = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < spilled.length; i++) {
    // What was on disk before the first measurement was written at a time that is not known.
    if (spilled[i] - last >= WRITTEN) {
      if (times[i] - grew > QUIET) {
        found.push(mark('spilling', times[i], ''));
      }
      grew = times[i];
    }
    last = Number.isFinite(spilled[i]) ? spilled[i] : last;
  }
  return found;
}

/** Whether Dask pauses a worker for its memory, as it does where nobody has switched it off. */
export function pausesForMemory({ workerNames, meta }: Run, id: number | null): boolean {
  return workerNames[id ?? -1]?.memory_limit !== 0 && meta.thresholds?.pause !== null;
}

/** A mark as text. */
export function markWords(of: EventMark, run: Run, trans: Translate): string {
  const { kind, worker, workers } = of;
  switch (kind) {
    case 'lost':
      return trans.__('%1 was lost', workerWords(run, worker, trans));
    case 'left':
      return trans.__('%1 left', workerWords(run, worker, trans));
    case 'paused':
      return pausesForMemory(run, workerAt(run, worker))
        ? trans.__('%1 paused for memory', workerWords(run, worker, trans))
        : trans.__('%1 paused', workerWords(run, worker, trans));
    case 'spilling':
      return trans.__('workers began to write results to disk');
    case 'restart':
      return workers > 0
        ? trans._n('1 worker was restarted', '%2 workers were restarted', workers, formatCount(workers))
        : trans.__('the cluster was restarted');
    case 'graph':
      return graphWords(of, trans);
  }
}

/** Of several graphs, only the sums are known, and when the first of them arrived. */
function graphWords({ graphs, tasks, nbytes }: EventMark, trans: Translate): string {
  const [count, bytes] = [formatCount(tasks), formatBytes(nbytes)];
  if (graphs > 1) {
    return nbytes > 0
      ? trans.__('%1 graphs began to arrive, %2 tasks and %3 in all', formatCount(graphs), count, bytes)
      : trans.__('%1 graphs began to arrive, %2 tasks in all', formatCount(graphs), count);
  }
  return nbytes > 0
    ? trans._n('a graph of 1 task arrived, %3', 'a graph of %2 tasks arrived, %3', tasks, count, bytes)
    : trans._n('a graph of 1 task arrived', 'a graph of %2 tasks arrived', tasks, count);
}

/** The same with its time: "1:05.2: worker 3 was lost". */
export function timedWords(of: EventMark, run: Run, trans: Translate): string {
  return trans.__('%1: %2', sinceStartWords(of.time, run, trans, 1), markWords(of, run, trans));
}

function workerWords(run: Run, address: string, trans: Translate): string {
  const id = workerAt(run, address);
  return id === null ? oneLine(address) || trans.__('a worker') : oneLine(calledWorker(run, id));
}

/** A sign for each kind, so that no colour is needed. */
export const MARK_SIGNS: Readonly<Record<MarkKind, string>> = {
  lost: '✕',
  left: '→',
  paused: '‖',
  spilling: '↓',
  restart: '↻',
  graph: '◆'
};
