/** The part of a graph to draw: individual tasks, or tasks grouped by task group, function or level. */
import { levelsOf } from './graph-layout';
import { Links, type Neighbours } from './links';
import { FORGOTTEN_FROM, STATE_COUNT, type TaskGraph } from './task-graph';

/** Which tasks: those since the scheduler last had none, the current ones, or all that are kept. */
export type GraphScope = 'latest' | 'live' | 'all';

/** A set of tasks. */
export interface TaskSet {
  /** What they are; the same while the set grows. */
  readonly name: string;
  readonly size: number;
  /** Another one for other members. */
  readonly version: number;
  has(number: number): boolean;
}

/** Which tasks: a scope, or any others. */
export type WhichTasks = GraphScope | TaskSet;

/** Individual tasks with the dependencies between them. */
export interface GraphPart {
  /** Task numbers by node, ascending. */
  readonly numbers: Uint32Array;
  readonly links: Links;
}

/** Grouped tasks. */
export interface Cluster {
  /** Index into the dictionary of groups or of prefixes; of a function at a level see {@link levelOf}. */
  readonly id: number;
  /** Index into the dictionary of prefixes. */
  readonly prefix: number;
  /** Number of tasks by state code. */
  readonly states: Uint32Array;
  readonly count: number;
}

/** What tasks are grouped by: task group, function, or function at one level; a level is the longest path from a root. */
export type ClusterKind = 'group' | 'prefix' | 'level';

/** Clusters with the dependencies between them. */
export interface ClusterGraph {
  /** The meaning of the clusters' ids. */
  readonly by: ClusterKind;
  readonly clusters: readonly Cluster[];
  readonly links: Links;
  /** Number of dependencies between tasks of the two clusters, by link. */
  readonly weights: Uint32Array;
}

/** Whether a task belongs to a scope or a set. */
export function inScope(graph: TaskGraph, number: number, scope: WhichTasks): boolean {
  if (typeof scope !== 'string') {
    return scope.has(number);
  }
  // Erred tasks stay erred after they are forgotten: a few of them may look current.
  return scope === 'all' || (scope === 'latest' ? number >= graph.latest : graph.state(number) < FORGOTTEN_FROM);
}

/** Tasks of a scope by code of state. */
export function countStates(graph: TaskGraph, scope: WhichTasks): Uint32Array {
  const counts = new Uint32Array(STATE_COUNT);
  for (let number = graph.first; number < graph.end; number++) {
    if (inScope(graph, number, scope)) {
      counts[graph.state(number)] += 1;
    }
  }
  return counts;
}

/** The tasks of a scope. */
export function tasksOf(graph: TaskGraph, scope: WhichTasks): GraphPart {
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

/** All tasks, gathered again only when there are others. */
export function allTasks(graph: TaskGraph): GraphPart {
  const known = gathered.get(graph);
  if (known?.structure === graph.structure) {
    return known.part;
  }
  const part = tasksOf(graph, 'all');
  gathered.set(graph, { structure: graph.structure, part });
  return part;
}

/** Dependencies and dependents of a task: of all that are kept, also of those that a part leaves out. */
export function countLinks(graph: TaskGraph, number: number): { readonly needs: number; readonly neededBy: number } {
  const { needs, neededBy } = allTasks(graph).links;
  const node = number - graph.first;
  const count = ({ start }: Neighbours): number => (start[node + 1] ?? 0) - (start[node] ?? 0);
  return { needs: count(needs), neededBy: count(neededBy) };
}

const gathered = new WeakMap<TaskGraph, { readonly structure: number; readonly part: GraphPart }>();
const levels = new WeakMap<GraphPart, Float32Array>();

/** Functions of one level, as ids of clusters. */
const LEVEL = 2 ** 20;

/** Level of a cluster of kind `level`. */
export function levelOf(id: number): number {
  return Math.floor(id / LEVEL);
}

/** What identifies the cluster of a task. */
export function clusterOf(graph: TaskGraph, by: ClusterKind): (number: number) => number {
  if (by !== 'level') {
    return number => graph[by](number);
  }
  const part = allTasks(graph);
  let known = levels.get(part);
  if (known === undefined) {
    known = levelsOf(part.links);
    levels.set(part, known);
  }
  const found = known;
  return number => (found[number - graph.first] ?? 0) * LEVEL + (graph.prefix(number) % LEVEL);
}

/**
 * Group the tasks of a scope by the first of some kinds that gives at most as many clusters as wanted; by the last one
 * otherwise.
 *
 * @param most - maximum number of clusters
 */
export function clustersOf(
  graph: TaskGraph,
  scope: WhichTasks,
  most: number,
  kinds: readonly ClusterKind[] = ['group', 'prefix']
): ClusterGraph {
  const [kind, ...others] = kinds;
  const found = gather(graph, scope, kind);
  return found.clusters.length <= most || others.length === 0 ? found : clustersOf(graph, scope, most, others);
}

function gather(graph: TaskGraph, scope: WhichTasks, by: ClusterKind): ClusterGraph {
  const idOf = clusterOf(graph, by);
  const nodes = new Map<number, number>();
  const clusters: { id: number; prefix: number; states: Uint32Array; count: number }[] = [];
  const nodeOf = (number: number): number => {
    const id = idOf(number);
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
