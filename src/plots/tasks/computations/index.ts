import { formatCount } from '../../../base/format';
import type { CellPlace, PlotContext, PlotOption, TablePlot, Translate } from '../../../plot/plot';
import { tableRows } from '../../../plot/table-rows';
import { oneLine } from '../../../plot/text';
import type { Run } from '../../../run/run';
import type { Computation } from '../../../run/tables/computations';
import { graphsQuestion } from '../../../selectors/computations/graphs';
import { isComputationLeftOut, selectedBy } from '../../../selectors/computations/selected';
import { errorsLink } from '../../../selectors/errors/link';
import { atEnd } from '../../../selectors/run-end';
import {
  codeWords,
  namedClients,
  renewedCount,
  stateOf,
  stateWords,
  unfollowedNote,
  wallWords
} from '../../../selectors/tasks/computation-words';
import { standingNotes } from '../../../selectors/unheard';
import { cellsOf, columnsOf, fromCell } from './columns';
import { graphDetail } from './graphs';
import { pairs } from './pairs';

const CLIENT: PlotOption = {
  id: 'client',
  label: 'Of',
  choices: [{ value: 'all', label: 'all clients' }],
  initial: 'all',
  found: run => clients(run).map(client => ({ value: client, label: namedClients(run).get(client) ?? oneLine(client) }))
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
    const names = namedClients(run);
    const words = ({ cell, client }: Computation): string => `[${cell}] ${names.get(client) ?? ''}`.trim();
    return [...newest].map(([value, each]) => ({ value, label: each.cell > 0 ? words(each) : oneLine(value) }));
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

function rowAt(run: Run, row: string): Computation | undefined {
  return run.computations.list.find(({ id }) => String(id) === row);
}

function counts(run: Run, found: readonly Computation[], trans: Translate): readonly string[] {
  const active = found.filter(computation => stateOf(computation) === 'active').length;
  return [
    trans._n('1 computation', '%2 computations', found.length, formatCount(found.length)),
    ...(active > 0 ? [atEnd(run, trans._n('1 in progress', '%2 in progress', active, formatCount(active)), trans)] : [])
  ];
}

function failures(found: readonly Computation[]): number {
  return found.reduce((sum, { values }) => sum + values.erred, 0);
}

/** The computations of a scheduler: their code, and the totals of their tasks. */
export const computations: TablePlot = {
  id: 'computations',
  icon: '<path d="M1 2h9v3H1zm0 4.500h14v3H1zM1 11h6v3H1z"/><path d="M11.500 2.200l3 1.500-3 1.500z"/>',
  title: 'Computations',
  caption: 'what was computed, by cell or code: time, tasks, how busy the threads were, errors',
  group: 'tasks',
  synonyms: ['cells', 'code', 'compute', 'submit', 'persist', 'runs', 'spans', 'history', 'wall time'],
  howToRead:
    'One row for each computation, the newest first: all that one execution of a cell submitted, or the same code again within a second. ' +
    'It is named by the line of the cell that submitted its first graph, also after a restart inside of a cell; where that is not known, as in the recording of a part of a cell, by the first line of the cell ("cell: …"), else by the function that took most. Where several clients have submitted, as from two notebooks, its client is named, too. ' +
    'A thread belongs to the cell that started it while that cell runs, a task of asyncio to the cell that created it. What a thread submits later, ' +
    'or a callback of a future, has no cell. ' +
    'Its time begins with its submission: packing and reading its first graph and waiting behind other work are part of it. What the client took before, to build and optimise the graph, is not known. ' +
    'A task belongs to the first computation that asked for it; a task that had erred before does not run and is counted separately. Busy is the share of the time of all threads in which its tasks computed: ' +
    'a low share suggests waiting, transfers, or too few tasks. What is computed again after its end, because a worker was lost, is counted separately. Moved and spilled cover all work in its time: ≤ means that other computations ran at the same time. Moved is known while, or after, a pane of transfers is open; spilled is what lay on disk beyond what was there at its start. A click selects its tasks, in all panes: all of its functions in its time in profiles, and where it is not known which are its own, as with a scheduler that an older version observes. Views over time go to it where no part of it is in view. A double click opens it in the task stream; a click on the code shows its cell. To compare two, click one and another one with Ctrl or ⌘, then Compare; one alone is compared with the run before of its cell, or with the computation before it.',
  view: 'table',
  topics: ['meta', 'computations', 'series', 'running'],
  opens: 'task-stream',
  selects: (run, row) => {
    const found = rowAt(run, row);
    return found === undefined ? null : selectedBy(run, found);
  },
  leftOut: (run, row) => {
    const found = rowAt(run, row);
    return found !== undefined && isComputationLeftOut(run, found);
  },
  detail: (run, row, { trans }) => {
    const found = rowAt(run, row);
    return found === undefined ? null : graphDetail(run, found, trans);
  },
  asks: (run, row) => {
    const found = rowAt(run, row);
    return found === undefined || !(found.values.submissions > 1) ? null : graphsQuestion(run, found);
  },
  leads: (run, row) => {
    const found = rowAt(run, row);
    return found === undefined || !fromCell(found) ? null : placeOf(found);
  },
  pairs,
  options: [CLIENT, CELL],
  empty: (run, { options, trans }) =>
    run.computations.list.length > 0
      ? chosen(run, { options }).length > 0
        ? null
        : {
            head: trans.__('No computations of this cell.'),
            body: trans.__('No computation that is kept was submitted by this cell. The menu of the pane lists all cells.')
          }
      : {
          head: trans.__('No computations.'),
          body: trans.__('What is submitted from now on appears here, with the cell or code that submitted it.'),
          awaited: true
        },
  titleLine: (run, context) => {
    const found = chosen(run, context);
    const [all, ...rest] = counts(run, found, context.trans);
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
  notes: (run, { options, trans }) => {
    const { list, dropped } = run.computations;
    const { client = CLIENT.initial } = options;
    return [
      ...(client !== CLIENT.initial && !clients(run).includes(client)
        ? [trans.__('no computation of the chosen client is here: those of all clients are shown')]
        : []),
      ...(dropped > 0
        ? [trans._n('1 earlier computation not kept', '%2 earlier computations not kept', dropped, formatCount(dropped))]
        : []),
      ...unfollowedNote(list, trans),
      // Known where another pane, or the sidebar, shows the workers.
      ...standingNotes(run, trans)
    ];
  },
  table: (run, context) => {
    const { trans } = context;
    const found = chosen(run, context);
    const again = found.some(each => renewedCount(each) > 0);
    return {
      columns: columnsOf(run, again, trans),
      rows: tableRows(found, computation => cellsOf(run, computation, again, trans))
    };
  },
  summary: (run, context) => {
    const found = chosen(run, context);
    const [last] = found;
    const { trans } = context;
    const head = counts(run, found, trans).join(', ');
    if (last === undefined) {
      return `${head}.`;
    }
    const words = stateWords(run, last, trans);
    return trans.__('%1; the newest is %2: %3, %4.', head, codeWords(run, last, trans), words, wallWords(run, last));
  }
};

/** The place of the cell; what Dask recorded as code may be a function, not the cell. */
function placeOf({ cellId, cell, code, origin, client }: Computation): CellPlace {
  return { cellId, shown: cell, source: origin === 'cell' ? code : '', client };
}
