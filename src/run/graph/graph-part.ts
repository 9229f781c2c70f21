/** The part of a graph to draw: individual tasks, or tasks grouped by task group or function. */
import { Links } from './links';
import { FORGOTTEN_FROM, STATE_COUNT, type TaskGraph } from './task-graph';

/** Which tasks: those since the scheduler last had none, the current ones, or all that are kept. */
export type GraphScope = 'latest' | 'live' | 'all';

/** Individual tasks with the dependencies between them. */
export interface GraphPart {
  /** Task numbers by node, ascending. */
  readonly numbers: Uint32Array;
  readonly links: Links;
}

/** Grouped tasks. */
export interface Cluster {
  /** Index into the dictionary of groups, or of prefixes. */
  readonly id: number;
  /** Index into the dictionary of prefixes. */
  readonly prefix: number;
  /** Number of tasks by state code. */
  readonly states: Uint32Array;
  readonly count: number;
}

/** Clusters with the dependencies between them. */
export interface ClusterGraph {
  /** The meaning of the clusters' ids. */
  readonly by: 'group' | 'prefix';
  readonly clusters: readonly Cluster[];
  readonly links: Links;
  /** Number of dependencies between tasks of the two clusters, by link. */
  readonly weights: Uint32Array;
}

/** Whether a task belongs to a scope. */
function inScope(graph: TaskGraph, number: number, scope: GraphScope): boolean {
  // Erred tasks stay erred after they are forgotten: a few of them may look current.
  return scope === 'all' || (scope === 'latest' ? number >= graph.latest : graph.state(number) < FORGOTTEN_FROM);
}

/** Number of tasks in a scope. */
export function countTasks(graph: TaskGraph, scope: GraphScope): number {
  let count = 0;
  for (let number = graph.first; number < graph.end; number++) {
    count += Number(inScope(graph, number, scope));
  }
  return count;
}

/** Tasks of a scope by code of state. */
export function countStates(graph: TaskGraph, scope: GraphScope): Uint32Array {
  const counts = new Uint32Array(STATE_COUNT);
  for (let number = graph.first; number < graph.end; number++) {
    if (inScope(graph, number, scope)) {
      counts[graph.state(number)] += 1;
    }
  }
  return counts;
}

/** The tasks of a scope. */
export function tasksOf(graph: TaskGraph, scope: GraphScope): GraphPart {
  const numbers = new Uint32Array(graph.size);
  const nodes = new Int32Array(graph.size).fill(-1);
  let count = 0;
  for (let number = graph.first; number < graph.end; number++) {
    if (inScope(graph, number, scope)) {
      nodes[number - graph.first] = count;
      numbers[count++] = number;
    }
  }
  const sources = new Uint32Array(graph.edgeCount);
  const targets = new Uint32Array(graph.edgeCount);
  let edges = 0;
  for (let i = 0; i < graph.edgeCount; i++) {
    const source = nodes[graph.source(i) - graph.first] ?? -1;
    const target = nodes[graph.target(i) - graph.first] ?? -1;
    if (source >= 0 && target >= 0) {
      sources[edges] = source;
      targets[edges++] = target;
    }
  }
  return { numbers: numbers.subarray(0, count), links: new Links(count, sources.subarray(0, edges), targets.subarray(0, edges)) };
}

/**
 * Group the tasks of a scope by task group, or by function if there are too many groups.
 *
 * @param most - maximum number of groups
 */
export function clustersOf(graph: TaskGraph, scope: GraphScope, most: number): ClusterGraph {
  const byGroup = gather(graph, scope, 'group');
  return byGroup.clusters.length <= most ? byGroup : gather(graph, scope, 'prefix');
}

function gather(graph: TaskGraph, scope: GraphScope, by: 'group' | 'prefix'): ClusterGraph {
  const nodes = new Map<number, number>();
  const clusters: { id: number; prefix: number; states: Uint32Array; count: number }[] = [];
  const nodeOf = (number: number): number => {
    const id = graph[by](number);
    let node = nodes.get(id);
    if (node === undefined) {
      node = clusters.length;
      nodes.set(id, node);
      clusters.push({ id, prefix: graph.prefix(number), states: new Uint32Array(STATE_COUNT), count: 0 });
    }
    return node;
  };
  const members = new Int32Array(graph.size).fill(-1);
  for (let number = graph.first; number < graph.end; number++) {
    if (inScope(graph, number, scope)) {
      const node = nodeOf(number);
      members[number - graph.first] = node;
      clusters[node].states[graph.state(number)] += 1;
      clusters[node].count += 1;
    }
  }
  const weights = new Map<number, number>();
  for (let i = 0; i < graph.edgeCount; i++) {
    const source = members[graph.source(i) - graph.first] ?? -1;
    const target = members[graph.target(i) - graph.first] ?? -1;
    if (source >= 0 && target >= 0 && source !== target) {
      const link = source * clusters.length + target;
      weights.set(link, (weights.get(link) ?? 0) + 1);
    }
  }
  const links = [...weights.keys()];
  return {
    by,
    clusters,
    links: new Links(
      clusters.length,
      Uint32Array.from(links, link => Math.floor(link / clusters.length)),
      Uint32Array.from(links, link => link % clusters.length)
    ),
    weights: Uint32Array.from(weights.values())
  };
}
