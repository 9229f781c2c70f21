import { formatCount, formatDuration, formatPercent, UNKNOWN } from '../../base/format';
import type { Cell, EmptyText, PlotContext, TableData, TablePlot } from '../../plot/plot';
import { tableRows } from '../../plot/table-rows';
import { oneLine } from '../../plot/text';
import type { Run } from '../../run/run';
import { type Selection, selectionOf } from '../../run/selection/selection';
import { selectedComputation, withinSelected } from '../../selectors/computations/selected';
import { computationsText } from '../../selectors/computations/unit';
import { type CriticalPath, criticalPathOf, type PathTask, pathFunctions } from '../../selectors/graph/critical-path';
import { failedAttempts } from '../../selectors/graph/failed-attempts';
import { lengthWords, pathWords } from './task-graph/path-words';

/** Id of the row of the whole path, and what begins those of functions and of tasks. */
const WHOLE = 'path';
const FUNCTION = 'function ';
const TASK = 'task ';
/** Tasks listed one by one, and selected: more cannot be saved with a layout. */
const MOST = 10_000;

function pathOf(run: Run): CriticalPath | null {
  return criticalPathOf(run);
}

/** The tasks of a row of the table. */
function tasksOf(run: Run, row: string): readonly PathTask[] {
  const path = pathOf(run);
  if (path === null || row === WHOLE) {
    return path?.tasks ?? [];
  }
  const number = Number(row.slice(row.startsWith(TASK) ? TASK.length : FUNCTION.length));
  return path.tasks.filter(task => (row.startsWith(TASK) ? task.number : run.graph.prefix(task.number)) === number);
}

function selects(run: Run, row: string): Partial<Selection> | null {
  const numbers = tasksOf(run, row)
    .map(task => task.row)
    .filter(found => found >= 0)
    .slice(0, MOST);
  return numbers.length === 0 ? null : withinSelected(run, { rows: { run: run.identity, numbers } });
}

/** Whether none of the tasks of a row is selected; the row of the whole path is never left out. */
function leftOut(run: Run, row: string): boolean {
  const { functions, rows } = selectionOf(run).current;
  if (row === WHOLE || (functions === null && rows === null)) {
    return false;
  }
  const numbers = rows === null ? null : new Set(rows.run === run.identity ? rows.numbers : []);
  return !tasksOf(run, row).some(
    task =>
      (functions === null || functions.includes(run.prefixNames[run.graph.prefix(task.number)] ?? '')) &&
      (numbers === null || numbers.has(task.row))
  );
}

const nameOf = (run: Run, prefix: number): string => oneLine(String(run.prefixNames[prefix] ?? ''));

function duration(value: number): Cell {
  return { text: Number.isFinite(value) ? formatDuration(value) : UNKNOWN, value };
}

function share(value: number): Cell {
  return { text: Number.isFinite(value) ? formatPercent(value) : UNKNOWN, value };
}

function shares(path: CriticalPath, time: number): readonly Cell[] {
  return [share(time / path.length), share(Number.isFinite(path.share) ? time / path.wall : Number.NaN)];
}

function table(run: Run, { options, trans }: PlotContext): TableData {
  const path = pathOf(run);
  const text = (value: string): Cell => ({ text: value, value });
  const columns: TableData['columns'] = [
    { id: 'function', label: trans.__('Function'), align: 'left' },
    ...(options.rows === 'tasks'
      ? [{ id: 'number', label: trans.__('Number'), tooltip: trans.__('of the task in the task graph'), align: 'right' as const }]
      : [{ id: 'tasks', label: trans.__('Tasks'), tooltip: trans.__('tasks of the path'), align: 'right' as const }]),
    { id: 'time', label: trans.__('Time'), tooltip: trans.__('measured compute time'), align: 'right' },
    { id: 'path', label: trans.__('Of the path'), align: 'right' },
    { id: 'wall', label: trans.__('Of the wall time'), align: 'right' },
    ...(options.rows === 'tasks' ? [] : [{ id: 'longest', label: trans.__('Longest'), align: 'right' as const }]),
    {
      id: 'waited',
      label: trans.__('Waited'),
      tooltip: trans.__(
        'from the end of the task before it in the path to its start: transfers, other tasks, the scheduler; failed attempts'
      ),
      align: 'right'
    }
  ];
  if (path === null) {
    return { columns, rows: [] };
  }
  if (options.rows === 'tasks') {
    const listed = path.tasks.slice(-MOST).map((task, i) => ({ ...task, id: `${TASK}${task.number}`, i }));
    return {
      columns,
      rows: tableRows(listed, task => [
        text(nameOf(run, run.graph.prefix(task.number))),
        { text: String(task.number), value: task.number },
        duration(task.row < 0 ? Number.NaN : task.duration),
        ...shares(path, task.duration),
        duration(task.waited)
      ]),
      total: path.tasks.length
    };
  }
  const functions = pathFunctions(run, path);
  const sum = (of: (one: (typeof functions)[number]) => number): number => functions.reduce((total, one) => total + of(one), 0);
  const count = (tasks: readonly PathTask[]): Cell => ({ text: formatCount(tasks.length), value: tasks.length });
  return {
    columns,
    rows: [
      ...functions.map(one => ({
        id: `${FUNCTION}${one.prefix}`,
        cells: [
          text(nameOf(run, one.prefix)),
          count(one.tasks),
          duration(one.time),
          ...shares(path, one.time),
          duration(one.longest),
          duration(one.waited)
        ]
      })),
      {
        id: WHOLE,
        cells: [
          text(trans.__('the whole path')),
          count(path.tasks),
          duration(path.length),
          ...shares(path, path.length),
          duration(functions.reduce((most, { longest }) => Math.max(most, longest), 0)),
          duration(sum(({ waited }) => waited))
        ]
      }
    ]
  };
}

function empty(run: Run, { trans }: PlotContext): EmptyText | null {
  if (pathOf(run) !== null) {
    return null;
  }
  const head = trans.__('No critical path.');
  return isGone(run)
    ? { head, body: trans.__('The tasks of the selected computation are not kept any more.') }
    : { head, body: trans.__('It appears here when the first task of a graph has finished.'), awaited: true };
}

/** Whether the selected computation has finished tasks, of which none is among those that are kept. */
function isGone(run: Run): boolean {
  const { done = 0, erred = 0 } = selectedComputation(run)?.values ?? {};
  const { graph, executed } = run;
  const dropped = graph.first > 0 || graph.notKept > 0 || executed.first > 0;
  return done + erred > 0 && dropped && graph.size > 0 && executed.end > executed.first;
}

/** The functions of the critical path, or its tasks. */
export const criticalPath: TablePlot = {
  id: 'critical-path',
  icon: '<path d="M1 12h3l3-8h3l2 4h3v1.500h-4l-2-4H8l-3 8H1z"/>',
  title: 'Critical path',
  caption: 'the chain of tasks that took longest: its functions, their time, its share of the wall time',
  group: 'tasks',
  synonyms: ['longest path', 'bottleneck', 'chain', 'dependencies', 'task graph', 'sequential'],
  howToRead:
    'The critical path is the chain of tasks of the selected computation or, without one, of the newest, each needed by the next, whose measured compute times add up to the most. ' +
    'The computation takes at least that long, however many workers there are. A share of the wall time near 100 % says that only faster or fewer tasks in a row help; ' +
    'a small share says that more workers, or larger tasks, do. What it needs and another computation had not finished when it arrived counts from then on. "Waited" is the time between the tasks of the path. Where it is not known which tasks are its own, work of others at the same time counts, too. ' +
    'A click selects the tasks of a row in all panes; a double click on a task opens its details.',
  view: 'table',
  topics: ['graph', 'states', 'executed', 'tasks', 'computations', 'attempts'],
  options: [
    {
      id: 'rows',
      label: 'List',
      choices: [
        { value: 'functions', label: 'functions' },
        { value: 'tasks', label: 'tasks, from the first to the last' }
      ],
      initial: 'functions'
    }
  ],
  opens: 'task',
  openArgs: (_run, row) => (row.startsWith(TASK) ? { number: Number(row.slice(TASK.length)) } : null),
  selects,
  leftOut,
  empty,
  titleLine: (run, { trans }) => {
    const [path, selected] = [pathOf(run), selectedComputation(run)];
    const named = selected === null ? [] : [{ text: computationsText(run, [selected], trans), cut: true }];
    return path === null
      ? named
      : [
          // In two parts: a narrow pane shows whole parts.
          { text: lengthWords(path, trans), tone: 'strong', opens: { plot: 'task-graph', args: {} } },
          ...(Number.isFinite(path.share) ? [{ text: trans.__('%1 of the wall time', formatPercent(path.share)) }] : []),
          {
            text: trans._n('1 task in a row', '%2 tasks in a row', path.tasks.length, formatCount(path.tasks.length))
          },
          ...named
        ];
  },
  legend: () => [],
  notes: (run, { trans }) => {
    const path = pathOf(run);
    const { notKept, edgesNotKept } = run.graph;
    const earlier = path?.earlier ?? 0;
    const failed = path === null ? 0 : failedAttempts(run, path);
    return [
      ...(notKept + edgesNotKept > 0
        ? [trans.__('earlier tasks or dependencies are not kept: the path may be longer')]
        : earlier > 0
          ? [
              trans._n(
                '1 execution of an earlier task is not counted: the path may be longer',
                '%2 executions of earlier tasks are not counted: the path may be longer',
                earlier,
                formatCount(earlier)
              )
            ]
          : []),
      ...(failed > 0
        ? [
            trans._n(
              '1 attempt of its functions that failed or was lost is not counted, because Dask keeps no record of it: the path may be longer',
              '%2 attempts of its functions that failed or were lost are not counted, because Dask keeps no record of them: the path may be longer',
              failed,
              formatCount(failed)
            )
          ]
        : []),
      ...(path !== null && !Number.isFinite(path.share) && path.wall > 0
        ? [trans.__('tasks ran again: its share of the wall time is not known')]
        : [])
    ];
  },
  table,
  summary: (run, { trans }) => {
    const path = pathOf(run);
    return path === null
      ? trans.__('Critical path: none.')
      : trans.__(
          '%1, %2.',
          pathWords(path, trans),
          trans._n('1 task', '%2 tasks', path.tasks.length, formatCount(path.tasks.length))
        );
  }
};
