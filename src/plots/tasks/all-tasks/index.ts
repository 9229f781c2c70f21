import { formatCount } from '../../../base/format';
import type { KeyedRows, LongRows, LongTable, PlotContext, TablePlot, TitlePart } from '../../../plot/plot';
import { executionsOf } from '../../../run/lanes/execution-list';
import type { Run } from '../../../run/run';
import { afterAllSteps } from '../../../selectors/all-steps';
import { atEnd } from '../../../selectors/run-end';
import { knowsAllTasks, taskCountText } from '../../../selectors/tasks/prefix-counts';
import { unfinishedCount } from '../../../selectors/tasks/unfinished';
import { askKeys, keysOf } from './keys';
import { listedUntil, unfinished } from './open-tasks';
import { isNamed, TaskRows } from './rows';
import { actsOn, isLeftOut, selects } from './selected';
import { startHint } from '../../../selectors/moments';

/** Rows by their keys. */
const KEYED: readonly KeyedRows[] = [
  { of: 'executions', row: 'e' },
  { of: 'graph', row: 'n' }
];
/** Rows of a file. */
const MOST = 20_000;

function long(run: Run, context: PlotContext): LongTable {
  const { trans } = context;
  const { list, id } = executionsOf(run.tasks);
  // Before the states are read, over some frames: what ends meanwhile is newer.
  const until = listedUntil(run);
  return {
    columns: [
      { id: 'key', label: trans.__('Key'), tooltip: trans.__('Sorts by the order in which tasks ended'), align: 'left' },
      { id: 'function', label: trans.__('Function'), align: 'left' },
      { id: 'state', label: trans.__('State'), align: 'left' },
      { id: 'worker', label: trans.__('Worker'), align: 'left' },
      { id: 'start', label: trans.__('Start'), tooltip: startHint(run, trans), align: 'right' },
      { id: 'duration', label: trans.__('Duration'), align: 'right' },
      { id: 'size', label: trans.__('Result'), tooltip: trans.__('Size of the result'), align: 'right' }
    ],
    identity: `${run.identity} ${id}`,
    count: run.tasks.listed + unfinishedCount(run),
    settled: Math.min(run.tasks.nextRow, until),
    *rows(): Generator<void, LongRows, void> {
      yield* list.fill();
      return new TaskRows(run, context, list, yield* unfinished(run, list), until);
    },
    keys: text => (isNamed(run, text, context) ? [] : KEYED),
    ask: ids => askKeys(run, ids)
  };
}

/** A task that ran twice has two rows. */
function title(run: Run, { trans }: PlotContext): TitlePart[] {
  const open = unfinishedCount(run);
  const { listed, dropped, lost } = run.tasks;
  const all =
    dropped + lost > 0
      ? trans._n('the newest execution that has ended', 'the newest %2 executions that have ended', listed, formatCount(listed))
      : trans._n('1 execution has ended', '%2 executions have ended', listed, formatCount(listed));
  const [number, figure] = [knowsAllTasks(run) ? open : Math.max(2, open), taskCountText(run, open)];
  const others = run.hasEnded
    ? atEnd(run, trans._n('1 task had not', '%2 tasks had not', number, figure), trans)
    : trans._n('1 task has not', '%2 tasks have not', number, figure);
  return [{ text: all, tone: 'strong' }, ...(open > 0 ? [{ text: others }] : [])];
}

/** Every task that is kept. */
export const tasks: TablePlot = {
  id: 'tasks',
  icon: '<path d="M1 2h3v2H1zm4.500 0H15v2H5.500zM1 7h3v2H1zm4.500 0H15v2H5.500zM1 12h3v2H1zm4.500 0H15v2H5.500z"/>',
  title: 'Tasks',
  caption: 'every task that is kept, to be sorted and searched',
  group: 'tasks',
  synonyms: ['list', 'keys', 'executions', 'slowest', 'longest', 'largest', 'all tasks', 'search'],
  howToRead:
    'One row for each execution of a task, the newest first, and above them the tasks that have not ended. Click Duration for the slowest, Result for the largest. ' +
    'A double click shows everything about a task. Search finds functions, workers and states; for any other text the scheduler looks through the keys, which stay there until a row is shown. ' +
    'A sorted or searched table stays as it is; it says how many tasks are newer.',
  view: 'table',
  topics: ['meta', 'tasks', 'workers', 'running', 'prefixes', 'graph', 'states', 'executed'],
  opens: 'task',
  openArgs: (run, row) => {
    const key = keysOf(run).get(row) ?? '';
    return key === '' ? null : row.startsWith('n') ? { key, number: Number(row.slice(1)) } : { key, number: -1 };
  },
  long,
  acts: (run, row) => actsOn(run, executionsOf(run.tasks).list, row),
  selects,
  leftOut: (run, row) => isLeftOut(run, executionsOf(run.tasks).list, row),
  empty: (run, { trans }) =>
    run.tasks.kept + unfinishedCount(run) > 0
      ? null
      : {
          head: trans.__('No tasks.'),
          body: trans.__('Each task appears here when the scheduler learns of it.'),
          awaited: true
        },
  titleLine: title,
  legend: () => [],
  notes: (run, { trans }) => {
    const { count, listed, lost } = run.tasks;
    const gone = count - listed + lost;
    return gone > 0 ? [trans._n('1 older task is not kept', '%2 older tasks are not kept', gone, formatCount(gone))] : [];
  },
  // For files and other extensions; a pane reads what it shows.
  table: (run, context) => {
    const made = long(run, context);
    const all = afterAllSteps(made.rows());
    const count = Math.min(all.count, MOST);
    return {
      columns: made.columns,
      rows: Array.from({ length: count }, (_, i) => all.row(all.count - 1 - i)),
      total: all.count
    };
  },
  summary: (run, context) =>
    `${title(run, context)
      .map(({ text }) => text)
      .join(', ')}.`
};
