/** The individual graphs of a computation, which are requested from the scheduler. */
import type { Bytes, Seconds } from '../../base/units';
import { isAmount, isMap, listOf, mapOf } from '../../base/untrusted';
import type { PlotQuestion } from '../../plot/plot';
import { liveOf } from '../../run/frozen';
import type { Run } from '../../run/run';
import type { Computation } from '../../run/tables/computations';

/** One graph as it was submitted; what is not known is NaN. */
export interface SubmittedGraph {
  /** When the scheduler had read it. */
  readonly time: Seconds;
  /** Its tasks, also those that were there before. */
  readonly tasks: number;
  readonly graph: Bytes;
  readonly packing: Seconds;
  readonly reading: Seconds;
}

/** What the scheduler knows of the graphs of a computation. */
export interface SubmittedGraphs {
  /** Graphs that it has followed. */
  readonly count: number;
  /** The largest value of each, of all that it has followed. */
  readonly most: Omit<SubmittedGraph, 'time'>;
  /** The newest first. */
  readonly newest: readonly SubmittedGraph[];
}

/** Graphs of an answer that are shown: a scheduler of another version may send more. */
const MOST = 100;
/** Computations whose graphs are kept. */
const KEPT = 50;

type Answer = { readonly graphs: SubmittedGraphs | null; readonly reason: string };

const answers = new WeakMap<Run, Map<string, Answer>>();

function answersOf(run: Run): Map<string, Answer> {
  const live = liveOf(run);
  const known = answers.get(live) ?? new Map<string, Answer>();
  answers.set(live, known);
  return known;
}

/** What is known of the graphs of a computation, or why nothing is; `null` before there is an answer. */
export function graphsOf(run: Run, { id }: Computation): Answer | null {
  return answersOf(run).get(`${run.identity} ${id}`) ?? null;
}

/**
 * The request for the graphs of a computation; `null` if all are known, or cannot be, as those of a run that has ended: another
 * run has other computations with the same numbers.
 */
export function graphsQuestion(run: Run, { id, values }: Computation): PlotQuestion | null {
  const [live, { identity }] = [liveOf(run), run];
  if (live.identity !== identity) {
    return null;
  }
  const [known, key] = [answersOf(run), `${identity} ${id}`];
  const last = known.get(key);
  if (last !== undefined && (last.graphs === null || last.graphs.count >= values.submissions)) {
    return null;
  }
  const store = (answer: Answer): void => {
    if (live.identity !== identity) {
      return;
    }
    known.delete(key);
    known.set(key, answer);
    if (known.size > KEPT) {
      known.delete([...known.keys()][0]);
    }
  };
  return {
    about: `${key} ${values.submissions}`,
    name: 'graphs',
    args: { computation: id },
    take: answer => store({ graphs: readGraphs(answer), reason: '' }),
    fail: reason => store({ graphs: null, reason })
  };
}

/** The answer to the request `graphs`, which is untrusted; `null` if there is none. */
export function readGraphs(answer: unknown): SubmittedGraphs | null {
  const { count, most, newest } = mapOf(answer);
  if (!isMap(most) || !isMap(newest)) {
    return null;
  }
  const columns = ['time', 'tasks', 'graph', 'packing', 'reading'].map(name => listOf(newest[name]));
  const rows = Math.min(columns[0].length, MOST);
  const at = (column: readonly unknown[], i: number): number => amount(column[column.length - 1 - i]);
  return {
    count: amount(count) || 0,
    most: {
      ...{ tasks: amount(most.tasks), graph: amount(most.graph) },
      ...{ packing: amount(most.packing), reading: amount(most.reading) }
    },
    newest: Array.from({ length: rows }, (_, i) => {
      const [time, tasks, graph, packing, reading] = columns.map(column => at(column, i));
      return { time, tasks, graph, packing, reading };
    })
  };
}

function amount(value: unknown): number {
  return isAmount(value) ? value : Number.NaN;
}
