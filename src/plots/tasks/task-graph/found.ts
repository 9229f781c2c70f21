/** What picture, texts and table of a task graph show of a run: counted once for all of them. */
import { formatExactCount } from '../../../base/format';
import { TASK_STATE, type TaskState } from '../../../feed/schema';
import type { GraphBox, PlotContext, Translate } from '../../../plot/plot';
import { oneLine } from '../../../plot/text';
import { aroundTask, type FocusedPart, tasksOfCluster } from '../../../run/graph/graph-focus';
import {
  type Cluster,
  type ClusterGraph,
  type ClusterKind,
  clusterOf,
  clustersOf,
  countStates,
  type GraphPart,
  type GraphScope,
  levelOf,
  tasksOf,
  type WhichTasks
} from '../../../run/graph/graph-part';
import type { TaskGraph } from '../../../run/graph/task-graph';
import type { Run } from '../../../run/run';
import { type CriticalPath, criticalPathOf } from '../../../selectors/graph/critical-path';
import { errorsOf } from '../../../selectors/errors/link';
import { type GraphPlace, graphPlace } from '../../../selectors/graph/link';
import { type SelectedTasks, selectedTasks } from '../../../selectors/graph/selected-tasks';
import { selectedComputation } from '../../../selectors/computations/selected';
import { functionSubject } from '../../../selectors/tasks/prefix-counts';
import { STATE_ORDER, stateWords } from '../../../selectors/tasks/task-states';

/** Up to this many tasks are drawn individually; more are grouped by task group. */
const PLAIN_TASKS = 5000;
/** More boxes are not readable. */
const MOST_BOXES = 200;

/** Tasks drawn around one task: more would not be a neighbourhood. */
const AROUND = 500;
/** What "groups" and similar choices group by; the next one where there would be too many boxes. */
const KINDS: Readonly<Record<string, readonly ClusterKind[]>> = {
  groups: ['group', 'prefix'],
  functions: ['prefix'],
  levels: ['level', 'prefix']
};

/** What the picture is made of. */
export const TOPICS = ['graph', 'states', 'executed', 'tasks', 'computations'] as const;
/** Id of the critical path in the legend. */
export const PATH = 'critical-path';

const SCOPES: readonly GraphScope[] = ['latest', 'live', 'all'];

/** Data for a picture, its texts and its table. */
export interface Found {
  readonly scope: WhichTasks;
  /** The tasks of the selected computation, where they are asked for; `null` without one. */
  readonly selected: SelectedTasks | null;
  readonly states: Uint32Array;
  readonly count: number;
  /** `null` where tasks are drawn individually. */
  readonly clusters: ClusterGraph | null;
  /** Where the graph was opened; `null` for all tasks of the scope. */
  readonly place: GraphPlace | null;
  /** The tasks there; `null` for all, or where the place is not in the graph. */
  readonly focused: FocusedPart | null;
  /** The tasks that are drawn individually. */
  readonly part: () => GraphPart;
  /** `null` where no task has been measured. */
  readonly path: CriticalPath | null;
}

const cache = new WeakMap<TaskGraph, { readonly print: string; readonly found: Found }>();

/** The data for a pane, counted again only when tasks, states or options have changed. */
export function find(run: Run, { options, saved }: PlotContext): Found {
  const { graph } = run;
  const wanted = SCOPES.find(known => known === options.tasks) ?? 'latest';
  const place = graphPlace(run, saved);
  const versions = TOPICS.map(topic => run.version(topic));
  const print = [...versions, selectedComputation(run)?.id, wanted, options.detail, JSON.stringify(place)].join(' ');
  const last = cache.get(graph);
  if (last?.print === print) {
    return last.found;
  }
  const selected = wanted === 'latest' ? selectedTasks(run) : null;
  const scope = selected?.tasks ?? wanted;
  const focused = focus(run, place, scope);
  const states = focused === null ? countStates(graph, scope) : statesOf(graph, focused.part);
  const count = states.reduce((sum, each) => sum + each, 0);
  const kinds = KINDS[options.detail ?? ''];
  const plain = focused !== null || options.detail === 'tasks' || (kinds === undefined && count <= PLAIN_TASKS);
  const found: Found = {
    scope,
    selected,
    states,
    count,
    clusters: plain ? null : clustersOf(graph, scope, MOST_BOXES, kinds ?? KINDS.groups),
    place,
    focused,
    part: () => focused?.part ?? tasksOf(graph, scope),
    path: criticalPathOf(run)
  };
  cache.set(graph, { print, found });
  return found;
}

const focuses = new WeakMap<TaskGraph, { readonly print: string; readonly focused: FocusedPart | null }>();

/** The tasks of a place, searched again only when there are other tasks. */
function focus(run: Run, place: GraphPlace | null, scope: WhichTasks): FocusedPart | null {
  if (place === null) {
    return null;
  }
  const { graph, executed } = run;
  const number = place.kind === 'task' ? place.number : place.kind === 'execution' ? executed.task(place.row) : -1;
  const live = scope === 'live' ? run.version('states') : '';
  const print = [graph.structure, graph.latest, live, printOf(scope), number, JSON.stringify(place)].join(' ');
  const known = focuses.get(graph);
  if (known?.print === print) {
    return known.focused;
  }
  const focused =
    place.kind === 'cluster' ? tasksOfCluster(graph, scope, place.by, place.id, PLAIN_TASKS) : aroundTask(graph, number, AROUND);
  focuses.set(graph, { print, focused });
  return focused;
}

/** Identifies tasks as long as the graph has no others. */
export function printOf(scope: WhichTasks): string {
  return typeof scope === 'string' ? scope : `${scope.name} ${scope.version}`;
}

function statesOf(graph: TaskGraph, { numbers }: GraphPart): Uint32Array {
  const counts = new Uint32Array(TASK_STATE.length);
  for (const number of numbers) {
    counts[graph.state(number)] += 1;
  }
  return counts;
}

/** Number of tasks in a state. */
export function inState(states: Uint32Array, state: TaskState): number {
  return states[TASK_STATE.indexOf(state)];
}

/** Display name of a box. */
export function clusterName(run: Run, { id, prefix }: Cluster, by: ClusterGraph['by']): string {
  if (by === 'level') {
    return `${oneLine(String(run.prefixNames[prefix] ?? ''))} [${levelOf(id)}]`;
  }
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

/** What a box stands for: the tasks of its function. */
export function subjectOf(run: Run, prefix: number): Pick<GraphBox['tooltip'], 'subject'> {
  const subject = functionSubject(run, prefix);
  return subject === null ? {} : { subject };
}

/** Where the errors of a function are listed, for the tooltip of a box that has some. */
export function erredLinks(
  run: Run,
  prefix: number,
  states: GraphBox['states'],
  trans: Translate
): Pick<GraphBox['tooltip'], 'links'> {
  const erred = states.some(({ state, count }) => state === 'erred' && count > 0);
  return erred ? { links: [{ label: trans.__('Errors'), ...errorsOf(run, prefix) }] } : {};
}

/** Ids of the nodes that the critical path goes through, one after the other; empty where it is switched off. */
export function pathIds(run: Run, { hidden }: PlotContext, { clusters, path }: Found): readonly number[] {
  if (path === null || hidden.has(PATH)) {
    return [];
  }
  const idOf = clusters === null ? (number: number) => number : clusterOf(run.graph, clusters.by);
  const ids = path.tasks.map(({ number }) => idOf(number));
  return ids.filter((id, i) => id !== ids[i - 1]);
}
