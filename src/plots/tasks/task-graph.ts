import { formatCount, formatExactCount } from '../../base/format';
import { TASK_STATE, type TaskState } from '../../feed/schema';
import { type Cluster, type ClusterGraph, clustersOf, countStates, type GraphScope, tasksOf } from '../../run/graph/graph-part';
import { neighboursOf } from '../../run/graph/links';
import type { Run } from '../../run/run';
import { stateOf, type TaskGraph } from '../../run/graph/task-graph';
import type {
  GraphBox,
  GraphPicture,
  GraphPlot,
  LegendItem,
  PlotContext,
  TableData,
  TitlePart,
  Translate
} from '../../plot/plot';
import { tableRows } from '../../plot/table-rows';
import { STATE_ORDER, stateLegend, stateLook, stateWords } from '../../selectors/tasks/task-states';
import { oneLine } from '../../plot/text';

/** Up to this many tasks are drawn individually; more are grouped by task group. */
export const PLAIN_TASKS = 5000;
/** More boxes are not readable. */
const MOST_BOXES = 200;

const SCOPES: readonly GraphScope[] = ['latest', 'live', 'all'];

/** Data for a picture, its texts and its table; computed once per change of the run. */
interface Found {
  readonly scope: GraphScope;
  readonly states: Uint32Array;
  readonly count: number;
  /** `null` where tasks are drawn individually. */
  readonly clusters: ClusterGraph | null;
}

const cache = new WeakMap<TaskGraph, { readonly print: string; readonly found: Found }>();

function find(run: Run, { options }: PlotContext): Found {
  const scope = SCOPES.find(known => known === options.tasks) ?? 'latest';
  const print = [run.version('graph'), run.version('states'), scope, options.detail].join(' ');
  const last = cache.get(run.graph);
  if (last?.print === print) {
    return last.found;
  }
  const states = countStates(run.graph, scope);
  const count = states.reduce((sum, each) => sum + each, 0);
  const plain = options.detail === 'tasks' || (options.detail !== 'groups' && count <= PLAIN_TASKS);
  const found = { scope, states, count, clusters: plain ? null : clustersOf(run.graph, scope, MOST_BOXES) };
  cache.set(run.graph, { print, found });
  return found;
}

function inState(states: Uint32Array, state: TaskState): number {
  return states[TASK_STATE.indexOf(state)];
}

function picture(run: Run, context: PlotContext): GraphPicture {
  const { scope, clusters } = find(run, context);
  const { structure, latest } = run.graph;
  if (clusters === null) {
    // The tasks that the scheduler has now change with states; the rest changes only with new tasks.
    const parts = scope === 'live' ? [structure, run.version('states')] : [structure, latest];
    return { kind: 'tasks', scope, structure: [scope, ...parts].join(' ') };
  }
  return {
    kind: 'boxes',
    boxes: clusters.clusters.map(cluster => box(run, cluster, clusters.by, context)),
    links: clusters.links,
    structure: [
      clusters.by,
      clusters.clusters.map(({ id }) => id),
      [...clusters.links.sources],
      [...clusters.links.targets]
    ].join(' ')
  };
}

function clusterName(run: Run, { id }: Cluster, by: ClusterGraph['by']): string {
  return oneLine(String((by === 'group' ? run.groupNames : run.prefixNames)[id] ?? ''));
}

function box(run: Run, cluster: Cluster, by: ClusterGraph['by'], { theme, trans }: PlotContext): GraphBox {
  const name = oneLine(String(run.prefixNames[cluster.prefix] ?? ''));
  const swatch = theme.prefix(cluster.prefix);
  const states = boxStates(cluster.states);
  return {
    id: cluster.id,
    title: name,
    facts: trans._n('1 task', '%2 tasks', cluster.count, formatCount(cluster.count)),
    swatch,
    states,
    tooltip: {
      title: name,
      ...swatch,
      ...(by === 'group' ? { key: clusterName(run, cluster, by) } : {}),
      rows: [[trans.__('Tasks'), formatExactCount(cluster.count)], ...stateRows(states, trans)],
      hint: trans.__('Click: what it needs and what needs it')
    }
  };
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

function titleLine(run: Run, context: PlotContext): readonly TitlePart[] {
  const { states, count } = find(run, context);
  const { trans } = context;
  const parts: TitlePart[] = [{ text: trans._n('1 task', '%2 tasks', count, formatCount(count)), tone: 'strong' }];
  for (const [state, tone] of [
    ['processing', undefined],
    ['queued', undefined],
    ['waiting', undefined],
    ['memory', undefined],
    ['no-worker', 'bad'],
    ['erred', 'bad']
  ] as const) {
    const some = inState(states, state);
    if (some > 0) {
      parts.push({ text: `${formatCount(some)} ${stateWords(state, trans)}`, ...(tone ? { tone } : {}) });
    }
  }
  return parts;
}

function legend(run: Run, context: PlotContext): readonly LegendItem[] {
  const { states } = find(run, context);
  return stateLegend(state => inState(states, state), context.theme, context.trans);
}

function notes(run: Run, context: PlotContext): readonly string[] {
  const { trans } = context;
  const { clusters, count } = find(run, context);
  const { notKept, edgesNotKept, waiting } = run.graph;
  const list: string[] = [];
  if (clusters !== null) {
    const by = clusters.by === 'group' ? trans.__('task group') : trans.__('function');
    list.push(trans._n('1 task, drawn by %3', '%2 tasks, drawn by %3', count, formatCount(count), by));
  }
  if (waiting > 0) {
    list.push(trans._n('1 task is being read', '%2 tasks are being read', waiting, formatCount(waiting)));
  }
  if (notKept > 0) {
    list.push(trans._n('1 task not kept', '%2 tasks not kept', notKept, formatCount(notKept)));
  }
  if (edgesNotKept > 0) {
    list.push(trans._n('1 dependency not kept', '%2 dependencies not kept', edgesNotKept, formatCount(edgesNotKept)));
  }
  return list;
}

function table(run: Run, context: PlotContext): TableData {
  const { clusters } = find(run, context);
  return clusters === null ? taskTable(run, context) : clusterTable(run, clusters, context);
}

function taskTable(run: Run, context: PlotContext): TableData {
  const { trans } = context;
  const { graph } = run;
  const { scope } = find(run, context);
  const { numbers, links } = tasksOf(graph, scope);
  const count = (neighbours: Uint32Array): { text: string; value: number } => ({
    text: formatExactCount(neighbours.length),
    value: neighbours.length
  });
  return {
    columns: [
      {
        id: 'number',
        label: trans.__('Number'),
        tooltip: trans.__('in the order in which tasks reached the scheduler'),
        align: 'right'
      },
      { id: 'function', label: trans.__('Function'), align: 'left' },
      { id: 'state', label: trans.__('State'), align: 'left' },
      { id: 'needs', label: trans.__('Needs'), tooltip: trans.__('dependencies'), align: 'right' },
      { id: 'neededBy', label: trans.__('Needed by'), tooltip: trans.__('dependents'), align: 'right' },
      { id: 'group', label: trans.__('Group'), align: 'left' }
    ],
    rows: tableRows(
      Array.from(numbers, (id, node) => ({ id, node })),
      ({ id, node }) => {
        const name = oneLine(String(run.prefixNames[graph.prefix(id)] ?? ''));
        const group = oneLine(String(run.groupNames[graph.group(id)] ?? ''));
        const state = stateOf(graph.state(id));
        const alarming = state === 'erred' || state === 'no-worker';
        return [
          { text: formatExactCount(id), value: id },
          { text: name, value: name },
          { text: stateWords(state, trans), value: STATE_ORDER.indexOf(state), ...(alarming ? { tone: 'bad' as const } : {}) },
          count(neighboursOf(links.needs, node)),
          count(neighboursOf(links.neededBy, node)),
          { text: group, value: group }
        ];
      }
    )
  };
}

function clusterTable(run: Run, { by, clusters, links }: ClusterGraph, { theme, trans }: PlotContext): TableData {
  const names = (nodes: Uint32Array): string =>
    Array.from(nodes.slice().sort(), node => clusterName(run, clusters[node], by)).join(', ');
  return {
    columns: [
      { id: 'name', label: by === 'group' ? trans.__('Task group') : trans.__('Function'), align: 'left' },
      { id: 'tasks', label: trans.__('Tasks'), align: 'right' },
      ...STATE_ORDER.map(state => ({ id: state, label: stateWords(state, trans), align: 'right' as const })),
      { id: 'needs', label: trans.__('Needs'), align: 'left' }
    ],
    rows: clusters.map((cluster, node) => {
      const name = clusterName(run, cluster, by);
      const needs = names(neighboursOf(links.needs, node));
      return {
        id: String(cluster.id),
        cells: [
          { text: name, value: name },
          {
            text: formatExactCount(cluster.count),
            value: cluster.count,
            bar: boxStates(cluster.states).map(({ state, count }) => ({
              share: count / cluster.count,
              ...stateLook(state, theme)
            }))
          },
          ...STATE_ORDER.map(state => {
            const count = inState(cluster.states, state);
            return { text: formatExactCount(count), value: count };
          }),
          { text: needs, value: needs }
        ]
      };
    })
  };
}

/** Tasks and their dependencies. */
export const taskGraph: GraphPlot = {
  id: 'task-graph',
  icon: '<path d="M4 7.300h4v1.400H4zM8.500 7l3-3.500 1 .900-3 3.500zm0 2l3 3.500 1-.900-3-3.500z"/><circle cx="3" cy="8" r="2.200"/><circle cx="8" cy="8" r="2.200"/><circle cx="13" cy="3.500" r="2.200"/><circle cx="13" cy="12.500" r="2.200"/>',
  title: 'Task graph',
  caption: 'what depends on what, and how far each task is',
  group: 'tasks',
  synonyms: ['dag', 'dependencies', 'graph', 'nodes', 'edges', 'visualize', 'critical path'],
  topics: ['graph', 'states'],
  view: 'graph',
  howToRead:
    'Each mark is a task, in the column after all tasks that it needs; lines go from a task to those that depend on it. Shape and colour show its state. ' +
    'Many tasks in the last columns that wait for one running task on the left are held up by it. Above 5,000 tasks, groups are drawn instead of tasks. ' +
    'A click shows what a task needs and what needs it, and opens its details. ' +
    'Wheel or W and S zoom, drag or A and D pan, arrows go from task to task, Enter opens, 0 shows all.',
  options: [
    {
      id: 'tasks',
      label: 'Tasks',
      choices: [
        { value: 'latest', label: 'latest work' },
        { value: 'live', label: 'in the scheduler now' },
        { value: 'all', label: 'all that are kept' }
      ],
      initial: 'latest'
    },
    {
      id: 'detail',
      label: 'Show',
      choices: [
        { value: 'auto', label: 'what fits' },
        { value: 'tasks', label: 'every task' },
        { value: 'groups', label: 'groups' }
      ],
      initial: 'auto'
    }
  ],
  empty: (run, context) => {
    const { trans } = context;
    if (find(run, context).count > 0) {
      return null;
    }
    return run.graph.size > 0
      ? { head: trans.__('The scheduler has no tasks now.'), body: trans.__('"Tasks" below shows those that were.') }
      : { head: trans.__('No tasks yet.'), body: trans.__('The graph of what is computed appears here.') };
  },
  titleLine,
  legend,
  notes,
  picture,
  table,
  summary: (run, context) => {
    const { clusters } = find(run, context);
    const texts = titleLine(run, context).map(({ text }) => text);
    const shown =
      clusters === null
        ? ''
        : context.trans._n(', as 1 box', ', as %2 boxes', clusters.clusters.length, formatCount(clusters.clusters.length));
    return context.trans.__('Task graph: %1%2.', texts.join(', '), shown);
  }
};
