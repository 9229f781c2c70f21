import { formatCount, formatExactCount } from '../../../base/format';
import type { GraphBox, GraphPicture, GraphPlot, LegendItem, PlotContext, TitlePart } from '../../../plot/plot';
import { oneLine } from '../../../plot/text';
import type { Cluster, ClusterGraph } from '../../../run/graph/graph-part';
import type { Run } from '../../../run/run';
import { selectedComputation } from '../../../selectors/computations/selected';
import { computationsText } from '../../../selectors/computations/unit';
import { errorsLink } from '../../../selectors/errors/link';
import { graphLink } from '../../../selectors/graph/link';
import { nothingSinceRestart } from '../../../selectors/since-cleared';
import { stateLegend, stateWords } from '../../../selectors/tasks/task-states';
import { boxStates, clusterName, erredLinks, find, inState, PATH, pathIds, printOf, stateRows, subjectOf, TOPICS } from './found';
import { focusNotes, focusWords, leaveFocus } from './focus-words';
import { pathWords } from './path-words';
import { acts, leftOut, selects, table } from './tables';

function picture(run: Run, context: PlotContext): GraphPicture {
  const found = find(run, context);
  const { scope, clusters, place, part } = found;
  const path = pathIds(run, context, found);
  const { structure, latest } = run.graph;
  if (clusters === null) {
    // The tasks that the scheduler has now change with states; the rest changes only with new tasks.
    const parts = scope === 'live' ? [structure, run.version('states')] : [structure, latest, printOf(scope)];
    const name = typeof scope === 'string' ? scope : scope.name;
    const subject = [name, scope === 'latest' ? latest : '', JSON.stringify(place)].join(' ');
    return { kind: 'tasks', path, part, subject, structure: [subject, ...parts].join(' ') };
  }
  return {
    kind: 'boxes',
    path,
    subject: clusters.by,
    boxes: clusters.clusters.map(cluster => box(run, cluster, clusters.by, context)),
    links: clusters.links,
    opens: id => graphLink(run, { kind: 'cluster', by: clusters.by, id }),
    structure: [
      clusters.by,
      clusters.clusters.map(({ id }) => id),
      [...clusters.links.sources],
      [...clusters.links.targets]
    ].join(' ')
  };
}

function box(run: Run, cluster: Cluster, by: ClusterGraph['by'], { theme, trans }: PlotContext): GraphBox {
  const name = oneLine(String(run.prefixNames[cluster.prefix] ?? ''));
  const swatch = theme.prefix(cluster.prefix);
  const states = boxStates(cluster.states);
  return {
    id: cluster.id,
    title: name,
    prefix: cluster.prefix,
    facts: trans._n('1 task', '%2 tasks', cluster.count, formatCount(cluster.count)),
    swatch,
    states,
    tooltip: {
      title: name,
      ...swatch,
      ...(by === 'prefix' ? {} : { key: clusterName(run, cluster, by) }),
      rows: [[trans.__('Tasks'), formatExactCount(cluster.count)], ...stateRows(states, trans)],
      hint: trans.__('Click: what it needs and what needs it; selects the tasks of its function. Double click: its tasks'),
      ...subjectOf(run, cluster.prefix),
      ...erredLinks(run, cluster.prefix, states, trans)
    }
  };
}

function titleLine(run: Run, context: PlotContext): readonly TitlePart[] {
  const { states, count, path, selected } = find(run, context);
  const { trans } = context;
  const computation = selected?.tasks ? selectedComputation(run) : null;
  const tasks = trans._n('1 task', '%2 tasks', count, formatCount(count));
  const words = pathWords(path, trans);
  const parts: TitlePart[] = [
    { text: [tasks, ...focusWords(run, context)].join(' '), tone: 'strong' },
    ...leaveFocus(run, context),
    ...(computation === null ? [] : [{ text: computationsText(run, [computation], trans), cut: true }]),
    ...(words === '' ? [] : [{ text: words, opens: { plot: 'critical-path', args: {} } }])
  ];
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
      const text = `${formatCount(some)} ${stateWords(state, trans)}`;
      parts.push({ text, ...(tone ? { tone } : {}), ...(state === 'erred' ? { opens: errorsLink() } : {}) });
    }
  }
  return parts;
}

function legend(run: Run, context: PlotContext): readonly LegendItem[] {
  const { states, path } = find(run, context);
  const { theme, trans } = context;
  const marked: LegendItem = { id: PATH, label: trans.__('critical path'), colour: theme.text, pattern: 'light-bars' };
  return [...stateLegend(state => inState(states, state), theme, trans), ...(path === null ? [] : [marked])];
}

function notes(run: Run, context: PlotContext): readonly string[] {
  const { trans } = context;
  const { clusters, count, selected } = find(run, context);
  const { notKept, edgesNotKept, waiting } = run.graph;
  const list: string[] = [];
  if (clusters !== null) {
    const kinds = { group: trans.__('task group'), prefix: trans.__('function'), level: trans.__('function and level') };
    const by = kinds[clusters.by];
    list.push(trans._n('1 task, drawn by %3', '%2 tasks, drawn by %3', count, formatCount(count), by));
  }
  list.push(...focusNotes(run, context));
  if (selected?.tasks === null) {
    list.push(trans.__('not all tasks of the selected computation are known: the latest work is shown'));
  } else if (selected?.disputed) {
    list.push(trans.__('some tasks may be those of another computation'));
  }
  const { missing = 0 } = selected ?? {};
  if (missing > 0) {
    list.push(
      trans._n(
        '1 task of it is not shown: it did not run, or is not kept',
        '%2 tasks of it are not shown: they did not run, or are not kept',
        missing,
        formatCount(missing)
      )
    );
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

/** Tasks and their dependencies. */
export const taskGraph: GraphPlot = {
  id: 'task-graph',
  icon: '<path d="M4 7.300h4v1.400H4zM8.500 7l3-3.500 1 .900-3 3.500zm0 2l3 3.500 1-.900-3-3.500z"/><circle cx="3" cy="8" r="2.200"/><circle cx="8" cy="8" r="2.200"/><circle cx="13" cy="3.500" r="2.200"/><circle cx="13" cy="12.500" r="2.200"/>',
  title: 'Task graph',
  caption: 'what depends on what, and how far each task is',
  group: 'tasks',
  synonyms: ['dag', 'dependencies', 'graph', 'nodes', 'edges', 'visualize', 'critical path'],
  topics: TOPICS,
  view: 'graph',
  howToRead:
    'Each mark is a task, in the column after all tasks that it needs; lines go from a task to those that depend on it. Shape and colour show its state. ' +
    'The double line is the critical path: the chain of tasks of the selected computation or, without one, of the newest, whose measured compute times add up to the most. ' +
    'It takes at least that long, however many workers there are; its share of the wall time shows how much additional workers can help. ' +
    'Many tasks in the last columns that wait for one running task on the left are held up by it. Above 5,000 tasks, groups are drawn instead of tasks. ' +
    'A double click on a box shows its tasks, "Neighbourhood" in the details of a task what it needs and what needs it; "all tasks" above leads back. ' +
    'A click shows what a task needs and what needs it, and opens its details. ' +
    'Wheel or W and S zoom, drag or A and D pan, arrows go from task to task, Enter opens, 0 shows all.',
  options: [
    {
      id: 'tasks',
      label: 'Tasks',
      choices: [
        { value: 'latest', label: 'the selected computation, else the latest work' },
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
        { value: 'groups', label: 'groups' },
        { value: 'functions', label: 'functions' },
        { value: 'levels', label: 'functions by level' }
      ],
      initial: 'auto'
    }
  ],
  empty: (run, context) => {
    const { trans } = context;
    const { count, place, focused } = find(run, context);
    if (place !== null && focused === null && run.graph.size > 0) {
      return {
        head: trans.__('No such task in the graph.'),
        body: trans.__('It is not kept, or has not been read yet. "all tasks" above shows the others.')
      };
    }
    if (count > 0) {
      return null;
    }
    return run.graph.size > 0
      ? { head: trans.__('The scheduler has no tasks now.'), body: trans.__('"Tasks" below shows those that were.') }
      : (nothingSinceRestart(run, trans) ?? {
          head: trans.__('No tasks.'),
          body: trans.__('The graph of what is computed appears here.'),
          awaited: true
        });
  },
  titleLine,
  legend,
  notes,
  picture,
  table,
  acts,
  selects,
  leftOut,
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
