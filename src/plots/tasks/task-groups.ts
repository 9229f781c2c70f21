import { formatBytes, formatCount, formatDuration, formatExactCount, formatPercent, UNKNOWN } from '../../base/format';
import type { GroupsColumn, TaskState } from '../../feed/schema';
import { Links } from '../../run/graph/links';
import type { Run } from '../../run/run';
import { errorsLink, errorsOf } from '../../selectors/errors/link';
import { graphLink } from '../../selectors/graph/link';
import type { GraphBox, GraphPicture, GraphPlot, PlotContext, TableData, TitlePart, Translate } from '../../plot/plot';
import { nothingSinceRestart } from '../../selectors/since-cleared';
import { functionSubject } from '../../selectors/tasks/prefix-counts';
import { STATE_ORDER, stateLegend, stateLook, stateWords } from '../../selectors/tasks/task-states';
import { erredLinks, stateRows, subjectOf } from './task-graph/found';
import { oneLine } from '../../plot/text';
import { sinceStart, startHint } from '../../selectors/moments';

/** More groups are not readable; the newest are shown. */
const MOST_GROUPS = 200;

const COLUMNS: readonly { readonly state: TaskState; readonly column: GroupsColumn }[] = [
  { state: 'processing', column: 'processing' },
  { state: 'queued', column: 'queued' },
  { state: 'no-worker', column: 'no_worker' },
  { state: 'waiting', column: 'waiting' }
];

/** Finished with a result. */
const DONE: readonly TaskState[] = ['forgotten', 'released', 'memory'];
/** Final states. */
const OVER: readonly TaskState[] = [...DONE, 'erred', 'cancelled'];

interface Group {
  readonly id: number;
  readonly prefix: number;
  readonly states: GraphBox['states'];
  readonly count: number;
  readonly done: number;
  readonly over: number;
}

function readGroup(run: Run, id: number): Group {
  const count = (column: GroupsColumn): number => run.groups.rows.get(id, column) || 0;
  // Dask counts a task as forgotten whatever its last state was.
  const [erred, cancelled] = [count('forgotten_erred'), count('cancelled')];
  const states = [
    { state: 'forgotten' as const, count: Math.max(0, count('forgotten') - erred - cancelled) },
    { state: 'released' as const, count: count('released') },
    { state: 'memory' as const, count: count('memory') },
    { state: 'erred' as const, count: count('erred') + erred },
    { state: 'cancelled' as const, count: cancelled },
    ...COLUMNS.map(({ state, column }) => ({ state, count: count(column) }))
  ];
  const sum = (some: readonly { readonly count: number }[]): number => some.reduce((all, { count }) => all + count, 0);
  return {
    id,
    prefix: run.groups.rows.get(id, 'prefix'),
    states: states.filter(({ count }) => count > 0),
    count: sum(states),
    done: sum(states.filter(({ state }) => DONE.includes(state))),
    over: sum(states.filter(({ state }) => OVER.includes(state)))
  };
}

/** All groups with tasks, oldest first. */
function allGroups(run: Run): readonly Group[] {
  return [...run.groups.rows.ids]
    .sort((a, b) => a - b)
    .map(id => readGroup(run, id))
    .filter(({ count }) => count > 0);
}

function groups(run: Run): readonly Group[] {
  return allGroups(run).slice(-MOST_GROUPS);
}

function nameOf(run: Run, id: number): string {
  return oneLine(String(run.groupNames[id] ?? ''));
}

function timeOf(run: Run, id: number, trans: Translate): string {
  const [start, stop] = [run.groups.rows.get(id, 'start'), run.groups.rows.get(id, 'stop')];
  return start > 0 && stop > 0 ? `${sinceStart(start, run, trans, 1)} – ${sinceStart(stop, run, trans, 1)}` : UNKNOWN;
}

function picture(run: Run, context: PlotContext): GraphPicture {
  const shown = groups(run);
  const nodes = new Map(shown.map(({ id }, node) => [id, node]));
  const pairs = shown.flatMap(({ id }, target) =>
    run.groups.needs(id).flatMap(need => {
      const source = nodes.get(need);
      return source === undefined || source === target ? [] : [[source, target] as const];
    })
  );
  return {
    kind: 'boxes',
    path: [],
    subject: '',
    opens: id => graphLink(run, { kind: 'cluster', by: 'group', id }),
    boxes: shown.map(group => box(run, group, context)),
    links: new Links(
      shown.length,
      Uint32Array.from(pairs, ([source]) => source),
      Uint32Array.from(pairs, ([, target]) => target)
    ),
    structure: [shown.map(({ id }) => id), pairs].join(' ')
  };
}

function box(run: Run, group: Group, { theme, trans }: PlotContext): GraphBox {
  const { rows } = run.groups;
  const title = oneLine(String(run.prefixNames[group.prefix] ?? ''));
  const swatch = theme.prefix(group.prefix);
  const [duration, nbytes] = [rows.get(group.id, 'duration'), rows.get(group.id, 'nbytes')];
  return {
    id: group.id,
    title,
    prefix: group.prefix,
    facts: `${formatCount(group.done)} / ${formatCount(group.count)}${duration > 0 ? ` · ${formatDuration(duration)}` : ''}`,
    swatch,
    states: group.states,
    tooltip: {
      title,
      state: trans.__('%1 done', formatPercent(group.done / group.count)),
      ...swatch,
      key: nameOf(run, group.id),
      rows: [
        [trans.__('Tasks'), formatExactCount(group.count)],
        ...stateRows(group.states, trans),
        [trans.__('Time of all tasks'), formatDuration(duration)],
        [trans.__('Results'), formatBytes(nbytes)],
        [trans.__('From – to'), timeOf(run, group.id, trans)]
      ],
      hint: trans.__('Click: what it needs and what needs it; selects the tasks of its function. Double click: its tasks'),
      ...subjectOf(run, group.prefix),
      ...erredLinks(run, group.prefix, group.states, trans)
    }
  };
}

function titleLine(run: Run, { trans }: PlotContext): readonly TitlePart[] {
  const all = allGroups(run);
  const done = all.filter(group => group.done === group.count).length;
  const open = all.filter(group => group.over < group.count).length;
  const broken = all.length - done - open;
  const erred = all.some(({ states }) => states.some(({ state }) => state === 'erred'));
  return [
    { text: trans._n('1 group', '%2 groups', all.length, formatCount(all.length)), tone: 'strong' },
    ...(done > 0 ? [{ text: trans.__('%1 done', formatCount(done)) }] : []),
    ...(broken > 0
      ? [
          {
            text: trans.__('%1 ended with erred or cancelled tasks', formatCount(broken)),
            tone: 'strong' as const,
            ...(erred ? { opens: errorsLink() } : {})
          }
        ]
      : []),
    ...(open > 0 ? [{ text: trans.__('%1 at work or waiting', formatCount(open)) }] : [])
  ];
}

function table(run: Run, { theme, trans }: PlotContext): TableData {
  const { rows } = run.groups;
  return {
    columns: [
      { id: 'name', label: trans.__('Task group'), align: 'left' },
      { id: 'tasks', label: trans.__('Tasks'), align: 'right' },
      ...STATE_ORDER.map(state => ({
        id: state,
        label: stateWords(state, trans),
        align: 'right' as const
      })),
      { id: 'duration', label: trans.__('Time'), tooltip: trans.__('of all tasks, with transfers and disk'), align: 'right' },
      { id: 'nbytes', label: trans.__('Results'), tooltip: trans.__('bytes of all results'), align: 'right' },
      { id: 'span', label: trans.__('From – to'), tooltip: startHint(run, trans), align: 'right' },
      { id: 'needs', label: trans.__('Needs'), align: 'left' }
    ],
    rows: allGroups(run).map(group => {
      const name = nameOf(run, group.id);
      const [duration, nbytes] = [rows.get(group.id, 'duration'), rows.get(group.id, 'nbytes')];
      const needs = run.groups
        .needs(group.id)
        .map(id => nameOf(run, id))
        .join(', ');
      return {
        id: String(group.id),
        cells: [
          { text: name, value: name },
          {
            text: formatExactCount(group.count),
            value: group.count,
            bar: group.states.map(({ state, count }) => ({ share: count / group.count, ...stateLook(state, theme) }))
          },
          ...STATE_ORDER.map(state => {
            const count = group.states.find(each => each.state === state)?.count ?? 0;
            const opens = state === 'erred' && count > 0 ? { opens: errorsOf(run, group.prefix) } : {};
            return { text: formatExactCount(count), value: count, ...opens };
          }),
          { text: formatDuration(duration), value: duration },
          { text: formatBytes(nbytes), value: nbytes },
          { text: timeOf(run, group.id, trans), value: rows.get(group.id, 'start') || Number.NaN },
          { text: needs, value: needs }
        ]
      };
    })
  };
}

/** Task groups and their dependencies. */
export const taskGroups: GraphPlot = {
  id: 'task-groups',
  icon: '<path fill-rule="evenodd" d="M1 2h6v4H1zm1.200 1.200v1.600h3.600V3.200zM1 10h6v4H1zm1.200 1.200v1.600h3.600v-1.600zM10 6h5v4h-5zm1.200 1.200v1.600h2.600V7.200zM7 3.500l3.500 3-.800.900L7 5zm0 9l3.500-3-.800-.900L7 11z"/>',
  title: 'Task groups',
  caption: 'steps of a computation, and how far each is',
  group: 'tasks',
  synonyms: ['dag', 'dependencies', 'graph', 'stages', 'layers', 'collections'],
  topics: ['groups'],
  view: 'graph',
  howToRead:
    'Each box is a group of tasks that Dask made together, as one step of a collection; arrows go from a group to those that depend on it. ' +
    'The bar shows the states of its tasks, from finished on the left to waiting on the right. A box that is not finished while those after it wait holds up the work.',
  empty: (run, { trans }) =>
    groups(run).length > 0
      ? null
      : (nothingSinceRestart(run, trans) ?? {
          head: trans.__('No task groups.'),
          body: trans.__('Each step of a computation appears here with its first task.'),
          awaited: true
        }),
  titleLine,
  legend: (run, { theme, trans }) => {
    const states = new Set(groups(run).flatMap(group => group.states.map(({ state }) => state)));
    return stateLegend(state => Number(states.has(state)), theme, trans);
  },
  notes: (run, { trans }) => {
    const older = allGroups(run).length - groups(run).length;
    const { notKept } = run.groups;
    return [
      ...(older > 0
        ? [trans._n('1 older group only in the table', '%2 older groups only in the table', older, formatCount(older))]
        : []),
      ...(notKept > 0 ? [trans._n('1 group not kept', '%2 groups not kept', notKept, formatCount(notKept))] : [])
    ];
  },
  picture,
  table,
  acts: (run, row) => functionSubject(run, run.groups.rows.get(Number(row), 'prefix')),
  summary: (run, context) =>
    context.trans.__(
      'Task groups: %1.',
      titleLine(run, context)
        .map(({ text }) => text)
        .join(', ')
    )
};
