import { formatBytes, formatCount, formatDuration, formatWallClock, UNKNOWN } from '../../base/format';
import type { Cell, CellPlace, PlotContext, PlotOption, TablePlot, Translate } from '../../plot/plot';
import { tableRows } from '../../plot/table-rows';
import { oneLine } from '../../plot/text';
import type { Run } from '../../run/run';
import type { Computation } from '../../run/tables/computations';
import { diskWord } from '../../selectors/tasks/kind-words';
import { errorsLink, errorsOf } from '../../selectors/errors/link';
import {
  busyShare,
  busyWords,
  codeWords,
  periodOf,
  renewedCount,
  renewedWords,
  secondsWords,
  stateOf,
  stateWords,
  taskWords,
  wallTime
} from '../../selectors/tasks/computation-words';

const CLIENT: PlotOption = {
  id: 'client',
  label: 'Of',
  choices: [{ value: 'all', label: 'all clients' }],
  initial: 'all',
  found: run => clients(run).map(client => ({ value: client, label: oneLine(client) }))
};

function clients(run: Run): readonly string[] {
  return [...new Set(run.computations.list.map(({ client }) => client))].filter(client => client !== '');
}

/** Cells among which one can choose. */
const MOST_CELLS = 50;

const CELL: PlotOption = {
  id: 'cell',
  label: 'Cell',
  choices: [{ value: 'all', label: 'all cells' }],
  initial: 'all',
  found: run => {
    const newest = new Map<string, Computation>();
    for (const each of run.computations.list) {
      if (each.cellId !== '' && !newest.has(each.cellId) && newest.size < MOST_CELLS) {
        newest.set(each.cellId, each);
      }
    }
    return [...newest].map(([value, { cell }]) => ({ value, label: cell > 0 ? `[${cell}]` : oneLine(value) }));
  }
};

/** The newest first. */
function chosen(run: Run, { options }: Pick<PlotContext, 'options'>): readonly Computation[] {
  const [client, cell] = [options.client ?? CLIENT.initial, options.cell ?? CELL.initial];
  const { list } = run.computations;
  const here = cell === CELL.initial ? list : list.filter(({ cellId }) => cellId === cell);
  // A client that is not there (any more) chooses nothing.
  return clients(run).includes(client) ? here.filter(computation => computation.client === client) : here;
}

function counts(found: readonly Computation[], trans: Translate): readonly string[] {
  const active = found.filter(computation => stateOf(computation) === 'active').length;
  return [
    trans._n('1 computation', '%2 computations', found.length, formatCount(found.length)),
    ...(active > 0 ? [trans._n('1 in progress', '%2 in progress', active, formatCount(active))] : [])
  ];
}

function failures(found: readonly Computation[]): number {
  return found.reduce((sum, { values }) => sum + values.erred, 0);
}

function stateCell(computation: Computation, trans: Translate): Cell {
  const state = stateOf(computation);
  const look: Partial<Cell> =
    state === 'erred' || state === 'failed-before'
      ? { sign: '✕', tone: 'bad' }
      : state === 'dropped'
        ? { sign: '▲', tone: 'warn' }
        : {};
  return { text: stateWords(state, trans), value: state, ...look };
}

/** A link to its errors: of its function, where only one has failed. */
function errorCell(run: Run, { id, values }: Computation, trans: Translate): Cell {
  const { erred, erred_before } = values;
  const before = erred_before > 0 ? trans.__('%1 erred before', formatCount(erred_before)) : '';
  const count = {
    text: [erred > 0 || before === '' ? formatCount(erred) : '', before].filter(Boolean).join(' + '),
    value: erred
  };
  if (!(erred > 0)) {
    return before === '' ? count : { ...count, tone: 'bad', opens: errorsLink() };
  }
  const failed = run.computations.functionsOf(id).filter(each => each.failed > 0);
  return { ...count, tone: 'bad', opens: failed.length === 1 ? errorsOf(run, failed[0].prefix) : errorsLink() };
}

/** The computations of a scheduler: which code they were, and what their tasks came to. */
export const computations: TablePlot = {
  id: 'computations',
  icon: '<path d="M1 2h9v3H1zm0 4.500h14v3H1zM1 11h6v3H1z"/><path d="M11.500 2.200l3 1.500-3 1.500z"/>',
  title: 'Computations',
  caption: 'what was computed, by cell or code: time, tasks, how busy the threads were, errors',
  group: 'tasks',
  synonyms: ['cells', 'code', 'compute', 'submit', 'persist', 'runs', 'spans', 'history', 'wall time'],
  howToRead:
    'One row for each computation, the newest first: all that one execution of a cell submitted, or the same code without a pause of a second. ' +
    'It is named by the line of the cell that submitted first, where that is known. ' +
    'A thread belongs to the cell that started it while that cell runs, a task of asyncio to the cell that created it. What a thread submits later, ' +
    'or a callback of a future, has no cell. ' +
    'A task belongs to the first computation that asked for it; one that had erred before does not run and is counted apart. Busy is the share of the time of all threads in which its tasks computed: ' +
    'a low one hints at waiting, transfers, or too few tasks. What is computed again after its end, since a worker was lost, is counted apart. A click selects the time of its tasks; a double click opens it in the task stream; a click on the code shows its cell.',
  view: 'table',
  topics: ['meta', 'computations'],
  opens: 'task-stream',
  selects: (run, row) => {
    const found = run.computations.list.find(({ id }) => String(id) === row);
    const period = found === undefined ? null : periodOf(run, found);
    return period === null ? null : { period };
  },
  leads: (run, row) => {
    const found = run.computations.list.find(({ id }) => String(id) === row);
    return found === undefined || !fromCell(found) ? null : placeOf(found);
  },
  options: [CLIENT, CELL],
  empty: (run, { options, trans }) =>
    run.computations.list.length > 0
      ? chosen(run, { options }).length > 0
        ? null
        : {
            head: trans.__('No computations of this cell.'),
            body: trans.__('Nothing that is kept was submitted by it. The menu of the pane has all cells.')
          }
      : {
          head: trans.__('No computations yet.'),
          body: trans.__('What is submitted from now on appears here, with the cell or code that it is from.')
        },
  titleLine: (run, context) => {
    const found = chosen(run, context);
    const [all, ...rest] = counts(found, context.trans);
    const failed = failures(found);
    return [
      { text: all, tone: 'strong' },
      ...rest.map(text => ({ text })),
      ...(failed > 0
        ? [
            {
              ...{ text: context.trans._n('1 error', '%2 errors', failed, formatCount(failed)), tone: 'bad' as const },
              opens: errorsLink()
            }
          ]
        : [])
    ];
  },
  legend: () => [],
  notes: (run, { trans }) => {
    const { list, dropped } = run.computations;
    const unfollowed = list.reduce((sum, { values }) => sum + (values.unfollowed || 0), 0);
    return [
      ...(dropped > 0
        ? [trans._n('1 earlier computation not kept', '%2 earlier computations not kept', dropped, formatCount(dropped))]
        : []),
      ...(unfollowed > 0
        ? [
            trans._n(
              'work of 1 task not counted',
              'work of %2 tasks not counted: too many at once',
              unfollowed,
              formatCount(unfollowed)
            )
          ]
        : [])
    ];
  },
  table: (run, context) => {
    const { trans } = context;
    const found = chosen(run, context);
    const again = found.some(each => renewedCount(each) > 0);
    return {
      columns: [
        { id: 'code', label: trans.__('Code'), tooltip: trans.__('number of the cell, and the line of code'), align: 'left' },
        { id: 'state', label: trans.__('State'), align: 'left' },
        {
          id: 'start',
          label: trans.__('Start'),
          tooltip: trans.__("when its first graph had been read, by the scheduler's clock, in your time zone"),
          align: 'right'
        },
        {
          id: 'wall',
          label: trans.__('Wall time'),
          tooltip: trans.__('from the first graph to the end of the last task, or until now'),
          align: 'right'
        },
        { id: 'tasks', label: trans.__('Tasks'), align: 'right' },
        ...(again
          ? [
              {
                ...{ id: 'again', label: trans.__('Again'), align: 'right' as const },
                tooltip: trans.__(
                  'computed again after its end, since results were lost or had been released: not part of its time'
                )
              }
            ]
          : []),
        {
          id: 'busy',
          label: trans.__('Busy'),
          tooltip: trans.__("share of the time of all workers' threads in which its tasks computed"),
          align: 'right'
        },
        {
          id: 'transfer',
          label: trans.__('Transfers'),
          tooltip: trans.__('time of transfers for its tasks, summed'),
          align: 'right'
        },
        {
          id: 'disk',
          label: diskWord(run, trans),
          tooltip: trans.__('what Dask counts as disk: stored results that took 5 ms or more to get or to store, summed'),
          align: 'right'
        },
        { id: 'results', label: trans.__('Results'), tooltip: trans.__('size of all results'), align: 'right' },
        {
          id: 'erred',
          label: trans.__('Erred'),
          tooltip: trans.__('tasks that erred in it; erred before: tasks of its graphs that had erred earlier, and did not run'),
          align: 'right'
        },
        {
          id: 'reading',
          label: trans.__('Reading'),
          tooltip: trans.__('what the scheduler took to read its graphs'),
          align: 'right'
        },
        { id: 'graph', label: trans.__('Graph'), tooltip: trans.__('size of its graphs as they were sent'), align: 'right' },
        { id: 'client', label: trans.__('Client'), align: 'left' }
      ],
      rows: tableRows(found, computation => cells(run, computation, again, trans))
    };
  },
  summary: (run, context) => {
    const found = chosen(run, context);
    const [last] = found;
    const { trans } = context;
    const head = counts(found, trans).join(', ');
    if (last === undefined) {
      return `${head}.`;
    }
    const words = stateWords(stateOf(last), trans);
    return trans.__('%1; the newest is %2: %3, %4.', head, codeWords(last, trans), words, formatDuration(wallTime(run, last)));
  }
};

/** Whether it is known which cell it is from. */
function fromCell({ cellId, cell }: Computation): boolean {
  return cellId !== '' || cell > 0;
}

/** The place of the cell; what Dask recorded as code may be a function, not the cell. */
function placeOf({ cellId, cell, code, origin }: Computation): CellPlace {
  return { cellId, shown: cell, source: origin === 'cell' ? code : '' };
}

function cells(run: Run, computation: Computation, again: boolean, trans: Translate): readonly Cell[] {
  const { values, client } = computation;
  const { since, transfer, disk, nbytes, reading, graph } = values;
  const wall = wallTime(run, computation);
  const bytes = Number.isFinite(nbytes) ? `${values.unfollowed > 0 ? '≥ ' : ''}${formatBytes(nbytes)}` : UNKNOWN;
  return [
    { text: codeWords(computation, trans), value: codeWords(computation, trans), leads: fromCell(computation) },
    stateCell(computation, trans),
    { text: formatWallClock(since), value: since },
    { text: formatDuration(wall), value: wall },
    { text: taskWords(computation, trans), value: values.tasks },
    ...(again ? [{ text: renewedWords(computation, trans), value: renewedCount(computation) }] : []),
    { text: busyWords(computation), value: busyShare(computation) },
    { text: secondsWords(computation, transfer), value: transfer },
    { text: secondsWords(computation, disk), value: disk },
    { text: bytes, value: nbytes },
    errorCell(run, computation, trans),
    { text: formatDuration(reading), value: reading },
    { text: formatBytes(graph), value: graph },
    { text: oneLine(client) || UNKNOWN, value: client }
  ];
}
