/** The critical path of a graph: the chain of tasks, each needed by the next, whose measured durations add up to the most. */
import type { Seconds, Share } from '../../base/units';
import { allTasks, type GraphPart } from '../../run/graph/graph-part';
import type { Links } from '../../run/graph/links';
import type { TaskGraph } from '../../run/graph/task-graph';
import type { Run } from '../../run/run';
import { type OwnedRows, rowsOwnedBy, whose } from '../../run/selection/owned-rows';
import type { Computation } from '../../run/tables/computations';
import { selectedComputation } from '../computations/selected';
import { stateOf } from '../tasks/computation-words';
import { beginOf } from '../computations/reading';

/** A task of the path. */
export interface PathTask {
  /** Number of the task in the graph. */
  readonly number: number;
  /** Row of its newest execution; -1 if none is known. */
  readonly row: number;
  /** Start of that execution, or when the computation arrived, if it was in progress then; NaN if none is known. */
  readonly start: Seconds;
  /** Compute time from then on; 0 if none is known. */
  readonly duration: Seconds;
  /** Time between the end of the latest task that it needs, of those of the path, and its start; 0 for the first. */
  readonly waited: Seconds;
}

/** The critical path of what has been executed so far. */
export interface CriticalPath {
  /** From the first to the last. */
  readonly tasks: readonly PathTask[];
  /** Sum of their durations. */
  readonly length: Seconds;
  /** Submission of the computation, or its first start where that is not known. */
  readonly from: Seconds;
  /** From then to the last end of all its measured tasks. */
  readonly wall: Seconds;
  /** `length / wall`; NaN if it is not known, or if the path has tasks that ran again and so is longer than that. */
  readonly share: Share;
  /** Its own tasks whose duration is known. */
  readonly measured: number;
  /** See {@link Measures}. */
  readonly earlier: number;
}

/** Measured tasks of a part, by node. */
export interface Measures {
  /** 0 where none is known. */
  readonly duration: Float64Array;
  /** NaN where none is known. */
  readonly start: Float64Array;
  /** -1 where none is known. */
  readonly row: Float64Array;
  /** 1 for tasks of the computation: where a path may end. */
  readonly own: Uint8Array;
  /** Submission of the computation, or else first start, and last end of all its executions, of tasks that ran again each. */
  readonly from: Seconds;
  readonly to: Seconds;
  /**
   * Executions of tasks from before the first one of the graph, of which nobody knows what they needed: those that were left
   * when a recording began.
   */
  readonly earlier: number;
}

/** A path may be longer than the wall time by the error of clocks. */
const TOLERANCE = 1.01;

/**
 * The critical path of the selected computation, else of the newest one, among the tasks that are kept; `null` if no task of it
 * has been measured. What had ended before it arrived takes no time: the results were there. What it needs and was executed for
 * others takes the time from its arrival on.
 */
export function criticalPathOf(run: Run): CriticalPath | null {
  const computation = selectedComputation(run) ?? newest(run);
  const versions = (['graph', 'executed', 'tasks', 'computations'] as const).map(topic => run.version(topic));
  const print = [computation?.id, ...versions].join(' ');
  const known = paths.get(run.graph);
  if (known?.print === print) {
    return known.path;
  }
  const part = allTasks(run.graph);
  const path = longestChain(part, topological(part.links), measure(run, part, measuredOf(run, computation)));
  paths.set(run.graph, { print, path });
  return path;
}

const paths = new WeakMap<TaskGraph, { readonly print: string; readonly path: CriticalPath | null }>();

/** The newest computation with an execution; `null` if none is known. */
function newest(run: Run): Computation | null {
  return run.computations.list.find(({ values }) => values.done + values.erred > 0) ?? null;
}

/** Which executions are measured. */
interface Measured {
  /** When the computation arrived; -Infinity if that is not known. */
  readonly since: Seconds;
  /** When it was submitted; NaN if that is not known. */
  readonly begin: Seconds;
  /** The start of its last execution is not later. */
  readonly until: Seconds;
  /** Those of the computation; `null` where all of this time are taken, since not all of its own are known. */
  readonly owned: OwnedRows | null;
}

function measuredOf(run: Run, computation: Computation | null): Measured {
  const { since = Number.NaN, stop = Number.NaN } = computation?.values ?? {};
  const over = computation !== null && stateOf(computation) !== 'active' && stop > since;
  return {
    since: Number.isFinite(since) ? since : Number.NEGATIVE_INFINITY,
    begin: computation === null ? Number.NaN : beginOf(computation),
    until: over ? stop : Number.POSITIVE_INFINITY,
    owned: computation === null ? null : rowsOwnedBy(run, computation.id)
  };
}

/** The newest execution of each task: of a task of the computation, one of its own. */
function measure(run: Run, part: GraphPart, { since, begin: submitted, until, owned }: Measured): Measures {
  const { executed, graph, tasks } = run;
  const nodes = nodesOf(graph, part);
  const { length } = part.numbers;
  const duration = new Float64Array(length);
  const start = new Float64Array(length).fill(Number.NaN);
  const rows = new Float64Array(length).fill(-1);
  const own = new Uint8Array(length);
  // What may be another's, until that is known, is not counted as its own.
  const isOwn = (row: number, time: Seconds, prefix: number): boolean =>
    owned === null ? time >= since : whose(owned, row, prefix) === 'own';
  // Where it is not known, nothing of others counts.
  const arrival = Number.isFinite(since) ? since : Number.POSITIVE_INFINITY;
  let [from, to, earlier] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const lane of tasks.lanes) {
    for (const chunk of lane?.compute.chunks ?? []) {
      // There may be millions of earlier executions.
      if (chunk.end < since || chunk.first > until) {
        continue;
      }
      for (let i = 0; i < chunk.length; i++) {
        const row = chunk.rowOf(i);
        const number = executed.task(row);
        const node = nodes[number - graph.first] ?? -1;
        const begin = chunk.startOf(i);
        const end = begin + chunk.durationOf(i);
        const prefix = chunk.labelOf(i);
        if (number >= 0 && number < graph.first && begin <= until && isOwn(row, end, prefix)) {
          earlier += 1;
        }
        if (node < 0 || begin > until) {
          continue;
        }
        const mine = isOwn(row, begin, prefix);
        if (mine) {
          from = Math.min(from, begin);
          to = Math.max(to, end);
        } else if (own[node] === 1 || !(end > arrival)) {
          continue;
        }
        if (row > rows[node] || (mine && own[node] === 0)) {
          own[node] = mine ? 1 : 0;
          rows[node] = row;
          start[node] = mine ? begin : Math.max(begin, arrival);
          duration[node] = mine ? chunk.durationOf(i) : end - start[node];
        }
      }
    }
  }
  return { duration, start, row: rows, own, from: Number.isFinite(submitted) ? submitted : from, to, earlier };
}

/** The node of each task, by its number from the first one of the graph on; -1 for those that are not in the part. */
function nodesOf(graph: TaskGraph, { numbers }: GraphPart): Int32Array {
  const nodes = new Int32Array(graph.size).fill(-1);
  for (let node = 0; node < numbers.length; node++) {
    nodes[numbers[node] - graph.first] = node;
  }
  return nodes;
}

const orders = new WeakMap<Links, Uint32Array>();

/** Nodes in an order in which each follows all that it needs; nodes of a cycle, which tasks do not form, are left out. */
export function topological(links: Links): Uint32Array {
  const known = orders.get(links);
  if (known !== undefined) {
    return known;
  }
  const { count, needs, neededBy } = links;
  const lacking = new Uint32Array(count);
  const sorted = new Uint32Array(count);
  let end = 0;
  for (let node = 0; node < count; node++) {
    lacking[node] = needs.start[node + 1] - needs.start[node];
    if (lacking[node] === 0) {
      sorted[end++] = node;
    }
  }
  for (let at = 0; at < end; at++) {
    const node = sorted[at];
    for (let i = neededBy.start[node]; i < neededBy.start[node + 1]; i++) {
      const next = neededBy.list[i];
      lacking[next] -= 1;
      if (lacking[next] === 0) {
        sorted[end++] = next;
      }
    }
  }
  const result = sorted.subarray(0, end);
  orders.set(links, result);
  return result;
}

/**
 * The chain of nodes with the longest sum of durations that ends at one of the computation. O(nodes + links).
 *
 * @param sorted - nodes, each after all that it needs
 */
export function longestChain({ numbers, links }: GraphPart, sorted: Uint32Array, measures: Measures): CriticalPath | null {
  const { duration, row, own, from, to, earlier } = measures;
  const sum = new Float64Array(numbers.length);
  const before = new Int32Array(numbers.length).fill(-1);
  let last = -1;
  let measured = 0;
  const { needs } = links;
  for (const node of sorted) {
    for (let i = needs.start[node]; i < needs.start[node + 1]; i++) {
      const need = needs.list[i];
      if (sum[need] > (before[node] < 0 ? 0 : sum[before[node]])) {
        before[node] = need;
      }
    }
    sum[node] = duration[node] + (before[node] < 0 ? 0 : sum[before[node]]);
    if (row[node] >= 0 && own[node] === 1) {
      measured += 1;
      if (last < 0 || sum[node] > sum[last]) {
        last = node;
      }
    }
  }
  if (last < 0) {
    return null;
  }
  const wall = to - from;
  const share = wall > 0 && sum[last] <= wall * TOLERANCE ? Math.min(1, sum[last] / wall) : Number.NaN;
  return { tasks: chainTo(last, before, numbers, measures), length: sum[last], from, wall, share, measured, earlier };
}

function chainTo(
  last: number,
  before: Int32Array,
  numbers: Uint32Array,
  { duration, start, row }: Measures
): readonly PathTask[] {
  const nodes: number[] = [];
  for (let node = last; node >= 0; node = before[node]) {
    nodes.push(node);
  }
  let ended = Number.NaN;
  return nodes.reverse().map(node => {
    const waited = start[node] > ended ? start[node] - ended : 0;
    ended = row[node] < 0 ? ended : start[node] + duration[node];
    return { number: numbers[node], row: row[node], start: start[node], duration: duration[node], waited };
  });
}

/** The tasks of a path in one function. */
export interface PathFunction {
  /** Index into the dictionary of prefixes. */
  readonly prefix: number;
  readonly tasks: readonly PathTask[];
  readonly time: Seconds;
  readonly longest: Seconds;
  readonly waited: Seconds;
}

/** The functions of a path, those with most time first. */
export function pathFunctions(run: Run, path: CriticalPath): readonly PathFunction[] {
  const found = new Map<number, PathTask[]>();
  for (const task of path.tasks) {
    const prefix = run.graph.prefix(task.number);
    const list = found.get(prefix) ?? [];
    list.push(task);
    found.set(prefix, list);
  }
  const sum = (list: readonly PathTask[], of: (task: PathTask) => number): number =>
    list.reduce((total, task) => total + of(task), 0);
  return [...found]
    .map(([prefix, tasks]) => ({
      prefix,
      tasks,
      time: sum(tasks, ({ duration }) => duration),
      longest: tasks.reduce((most, { duration }) => Math.max(most, duration), 0),
      waited: sum(tasks, ({ waited }) => waited)
    }))
    .sort((a, b) => b.time - a.time);
}
