/** Parts of a large graph that are drawn task by task: what is around a task, and what a cluster has. */
import { allTasks, clusterOf, type ClusterKind, type GraphPart, inScope, type WhichTasks } from './graph-part';
import { Links, type Neighbours } from './links';
import type { TaskGraph } from './task-graph';

/** A part, and what of it was left out. */
export interface FocusedPart {
  readonly part: GraphPart;
  /** Tasks that the whole part has. */
  readonly total: number;
  /** Steps from the task that are drawn completely; 0 for a cluster. */
  readonly steps: number;
}

/**
 * What a task needs and what needs it, directly or not, nearest first: as many whole steps as fit.
 *
 * @param most - maximum number of tasks; the first step is drawn even if it has more, up to `most`
 */
export function aroundTask(graph: TaskGraph, number: number, most: number): FocusedPart | null {
  const { numbers, links } = allTasks(graph);
  const start = number - graph.first;
  if (!(start >= 0 && start < numbers.length)) {
    return null;
  }
  const taken = new Set<number>([start]);
  let [above, below]: [readonly number[], readonly number[]] = [[start], [start]];
  let steps = 0;
  let total = 1;
  let open = true;
  const seen = new Set<number>([start]);
  while (above.length + below.length > 0) {
    above = next(links.needs, above, seen);
    below = next(links.neededBy, below, seen);
    const step = [...above, ...below];
    total += step.length;
    open &&= steps === 0 || taken.size + step.length <= most;
    if (open && step.length > 0) {
      steps += taken.size + step.length <= most ? 1 : 0;
      for (const node of step.slice(0, most - taken.size)) {
        taken.add(node);
      }
      open = taken.size < most;
    }
  }
  return { part: partOf(graph, taken), total, steps };
}

/** Nodes one step further that were not met before. */
function next({ start, list }: Neighbours, from: readonly number[], seen: Set<number>): readonly number[] {
  const found: number[] = [];
  for (const node of from) {
    for (let i = start[node]; i < start[node + 1]; i++) {
      if (!seen.has(list[i])) {
        seen.add(list[i]);
        found.push(list[i]);
      }
    }
  }
  return found;
}

/**
 * The tasks of a cluster, and those linked with them, as many as fit.
 *
 * @param most - maximum number of tasks
 */
export function tasksOfCluster(
  graph: TaskGraph,
  scope: WhichTasks,
  by: ClusterKind,
  id: number,
  most: number
): FocusedPart | null {
  const { links } = allTasks(graph);
  const idOf = clusterOf(graph, by);
  const own: number[] = [];
  for (let number = graph.first; number < graph.end; number++) {
    if (inScope(graph, number, scope) && idOf(number) === id) {
      own.push(number - graph.first);
    }
  }
  if (own.length === 0) {
    return null;
  }
  const seen = new Set<number>(own);
  const linked = [...next(links.needs, own, seen), ...next(links.neededBy, own, seen)];
  const taken = new Set([...own, ...linked].slice(0, most));
  return { part: partOf(graph, taken), total: seen.size, steps: 0 };
}

/** Nodes of the whole graph, with the links between them. */
function partOf(graph: TaskGraph, nodes: ReadonlySet<number>): GraphPart {
  const { links } = allTasks(graph);
  const sorted = Uint32Array.from(nodes).sort();
  const places = new Map(Array.from(sorted, (node, i) => [node, i] as const));
  const sources: number[] = [];
  const targets: number[] = [];
  for (const [i, node] of sorted.entries()) {
    for (let k = links.needs.start[node]; k < links.needs.start[node + 1]; k++) {
      const source = places.get(links.needs.list[k]);
      if (source !== undefined) {
        sources.push(source);
        targets.push(i);
      }
    }
  }
  return {
    numbers: sorted.map(node => node + graph.first),
    links: new Links(sorted.length, Uint32Array.from(sources), Uint32Array.from(targets))
  };
}
