/** What picture, texts and table of a task graph show of a run: counted once for all of them. */
import { formatExactCount } from '../../../base/format';
import { TASK_STATE, type TaskState } from '../../../feed/schema';
import type { GraphBox, PlotContext, Translate } from '../../../plot/plot';
import { oneLine } from '../../../plot/text';
import { type Cluster, type ClusterGraph, clustersOf, countStates, type GraphScope } from '../../../run/graph/graph-part';
import type { TaskGraph } from '../../../run/graph/task-graph';
import type { Run } from '../../../run/run';
import { type CriticalPath, criticalPathOf } from '../../../selectors/graph/critical-path';
import { STATE_ORDER, stateWords } from '../../../selectors/tasks/task-states';

/** Up to this many tasks are drawn individually; more are grouped by task group. */
export const PLAIN_TASKS = 5000;
/** More boxes are not readable. */
const MOST_BOXES = 200;

/** What the picture is made of. */
export const TOPICS = ['graph', 'states', 'executed', 'tasks', 'computations'] as const;
/** Id of the critical path in the legend. */
export const PATH = 'critical-path';

const SCOPES: readonly GraphScope[] = ['latest', 'live', 'all'];

/** Data for a picture, its texts and its table. */
export interface Found {
  readonly scope: GraphScope;
  readonly states: Uint32Array;
  readonly count: number;
  /** `null` where tasks are drawn individually. */
  readonly clusters: ClusterGraph | null;
  /** `null` where no task has been measured. */
  readonly path: CriticalPath | null;
}

const cache = new WeakMap<TaskGraph, { readonly print: string; readonly found: Found }>();

/** The data for a pane, counted again only when tasks, states or options have changed. */
export function find(run: Run, { options }: PlotContext): Found {
  const scope = SCOPES.find(known => known === options.tasks) ?? 'latest';
  const print = [...TOPICS.map(topic => run.version(topic)), scope, options.detail].join(' ');
  const last = cache.get(run.graph);
  if (last?.print === print) {
    return last.found;
  }
  const states = countStates(run.graph, scope);
  const count = states.reduce((sum, each) => sum + each, 0);
  const plain = options.detail === 'tasks' || (options.detail !== 'groups' && count <= PLAIN_TASKS);
  const found = {
    scope,
    states,
    count,
    clusters: plain ? null : clustersOf(run.graph, scope, MOST_BOXES),
    path: criticalPathOf(run)
  };
  cache.set(run.graph, { print, found });
  return found;
}

/** Number of tasks in a state. */
export function inState(states: Uint32Array, state: TaskState): number {
  return states[TASK_STATE.indexOf(state)];
}

/** Display name of a box. */
export function clusterName(run: Run, { id }: Cluster, by: ClusterGraph['by']): string {
  return oneLine(String((by === 'group' ? run.groupNames : run.prefixNames)[id] ?? ''));
}

/** Tasks by state, in the order of bars: finished on the left. */
export function boxStates(states: Uint32Array): GraphBox['states'] {
  return [...STATE_ORDER].reverse().flatMap(state => {
    const count = inState(states, state);
    return count > 0 ? [{ state, count }] : [];
  });
}

/** The same as rows of a tooltip. */
export function stateRows(states: GraphBox['states'], trans: Translate): (readonly [string, string])[] {
  return states.map(({ state, count }) => [stateWords(state, trans), formatExactCount(count)] as const);
}

/** Ids of the nodes that the critical path goes through, one after the other; empty where it is switched off. */
export function pathIds(run: Run, { hidden }: PlotContext, { clusters, path }: Found): readonly number[] {
  if (path === null || hidden.has(PATH)) {
    return [];
  }
  const ids = path.tasks.map(({ number }) => (clusters === null ? number : run.graph[clusters.by](number)));
  return ids.filter((id, i) => id !== ids[i - 1]);
}
