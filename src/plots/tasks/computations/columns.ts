/** Columns of the table of computations. */
import { busyShare, busyWords } from '../../../selectors/computations/busy';
import { formatBytes, formatCount, formatDuration, UNKNOWN } from '../../../base/format';
import type { Cell, TableColumn, Translate } from '../../../plot/plot';
import { oneLine } from '../../../plot/text';
import type { Run } from '../../../run/run';
import type { Computation } from '../../../run/tables/computations';
import { amountWords, movedIn, spilledIn } from '../../../selectors/computations/amounts';
import { clockAt } from '../../../selectors/moments';
import { errorsLink, errorsOf } from '../../../selectors/errors/link';
import {
  codeWords,
  renewedCount,
  renewedWords,
  secondsWords,
  stateOf,
  stateWords,
  taskWords,
  wallTime,
  wallWords
} from '../../../selectors/tasks/computation-words';
import { diskWord } from '../../../selectors/tasks/kind-words';
import { beginOf } from '../../../selectors/computations/reading';

/** Columns of the table; `again` is for what was computed again. */
export function columnsOf(run: Run, again: boolean, trans: Translate): readonly TableColumn[] {
  return [
    {
      id: 'code',
      label: trans.__('Code'),
      tooltip: trans.__('number of the cell, the client where several have submitted, and the line of code'),
      align: 'left',
      main: true
    },
    { id: 'state', label: trans.__('State'), align: 'left' },
    {
      id: 'start',
      label: trans.__('Start'),
      tooltip: trans.__("when it was submitted, by the scheduler's clock, in your time zone"),
      align: 'right'
    },
    {
      id: 'wall',
      label: trans.__('Wall time'),
      tooltip: trans.__(
        'from its submission to the end of the last task, or until now: with packing and reading its first graph, and with waiting behind other work'
      ),
      align: 'right'
    },
    { id: 'tasks', label: trans.__('Tasks'), align: 'right' },
    ...(again
      ? [
          {
            ...{ id: 'again', label: trans.__('Again'), align: 'right' as const },
            tooltip: trans.__(
              'computed again after its end, because results were lost or had been released: not part of its time'
            )
          }
        ]
      : []),
    {
      id: 'busy',
      label: trans.__('Busy'),
      tooltip: trans.__("share of the time of all workers' threads, while there were any, in which its tasks computed"),
      align: 'right'
    },
    {
      id: 'transfer',
      label: trans.__('Transfers'),
      tooltip: trans.__('time of transfers for its tasks, summed'),
      align: 'right'
    },
    {
      id: 'moved',
      label: trans.__('Moved'),
      tooltip: trans.__(
        'results that workers fetched from each other in its time; ≤: other computations ran then; –: not known, open the transfer log'
      ),
      align: 'right'
    },
    {
      id: 'disk',
      label: diskWord(run, trans),
      tooltip: trans.__('what Dask counts as disk: stored results that took 5 ms or more to get or to store, summed'),
      align: 'right'
    },
    {
      id: 'spilled',
      label: trans.__('Spilled'),
      tooltip: trans.__(
        'how much more lay on the disks of all workers in its time, at the most, than at its start; ≤: other computations ran then; –: not known'
      ),
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
      id: 'packing',
      label: trans.__('Packing'),
      tooltip: trans.__(
        'what the clients took to serialise its graphs for sending; optimising them before is not in it; –: not known'
      ),
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
  ];
}

/** Whether it is known which cell it is from. */
export function fromCell({ cellId, cell }: Computation): boolean {
  return cellId !== '' || cell > 0;
}

function stateCell(run: Run, computation: Computation, trans: Translate): Cell {
  const state = stateOf(computation);
  const look: Partial<Cell> =
    state === 'erred' || state === 'failed-before'
      ? { sign: '✕', tone: 'bad' }
      : state === 'dropped'
        ? { sign: '▲', tone: 'warn' }
        : {};
  return { text: stateWords(run, computation, trans), value: state, ...look };
}

/** A link to its errors: of its function, where only one has failed. */
function errorCell(run: Run, { id, values }: Computation, trans: Translate): Cell {
  const { erred, erred_before, unfollowed } = values;
  const before = erred_before > 0 ? trans.__('%1 erred before', formatCount(erred_before)) : '';
  // Of those that are not followed nobody knows.
  const own = unfollowed > 0 ? (erred > 0 ? `≥ ${formatCount(erred)}` : UNKNOWN) : formatCount(erred);
  const count = {
    text: [erred > 0 || before === '' ? own : '', before].filter(Boolean).join(' + '),
    value: own === UNKNOWN ? Number.NaN : erred
  };
  if (!(erred > 0)) {
    return before === '' ? count : { ...count, tone: 'bad', opens: errorsLink() };
  }
  const failed = run.computations.functionsOf(id).filter(each => each.failed > 0);
  return { ...count, tone: 'bad', opens: failed.length === 1 ? errorsOf(run, failed[0].prefix) : errorsLink() };
}

/** Cells of one computation, by {@link columnsOf}. */
export function cellsOf(run: Run, computation: Computation, again: boolean, trans: Translate): readonly Cell[] {
  const { values, client } = computation;
  const { transfer, disk, nbytes, packing, reading, graph } = values;
  const [moved, spilled] = [movedIn(run, computation), spilledIn(run, computation)];
  const code = codeWords(run, computation, trans);
  const [wall, busy] = [wallTime(run, computation), busyShare(run, computation)];
  const bytes = Number.isFinite(nbytes) ? `${values.unfollowed > 0 ? '≥ ' : ''}${formatBytes(nbytes)}` : UNKNOWN;
  return [
    { text: code, value: code, leads: fromCell(computation) },
    stateCell(run, computation, trans),
    { text: clockAt(beginOf(computation), run), value: beginOf(computation) },
    { text: wallWords(run, computation), value: wall },
    { text: taskWords(computation, trans), value: values.tasks },
    ...(again ? [{ text: renewedWords(run, computation, trans), value: renewedCount(computation) }] : []),
    { text: busyWords(run, computation, busy), value: busy },
    { text: secondsWords(computation, transfer), value: transfer },
    { text: amountWords(moved), value: moved.bytes },
    { text: secondsWords(computation, disk), value: disk },
    { text: amountWords(spilled), value: spilled.bytes },
    { text: bytes, value: nbytes },
    errorCell(run, computation, trans),
    { text: formatDuration(packing), value: packing },
    { text: formatDuration(reading), value: reading },
    { text: formatBytes(graph), value: graph },
    { text: oneLine(client) || UNKNOWN, value: client }
  ];
}
