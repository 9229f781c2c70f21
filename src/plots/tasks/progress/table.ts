/** Progress as a table. */
import { formatExactCount, formatRate, UNKNOWN } from '../../../base/format';
import type { Cell, PlotContext, TableData, Translate } from '../../../plot/plot';
import type { Run } from '../../../run/run';
import type { RowCounts } from '../../../selectors/computations/group-counts';
import { erredLook, errorsLink, errorsOf } from '../../../selectors/errors/link';
import { knowsAllTasks, taskCountText } from '../../../selectors/tasks/prefix-counts';
import { leftText, memoryText, speedOf, stateTexts } from './bars';
import { kindOf, ordered } from './counts';

const NOT_KNOWN: Cell = { text: UNKNOWN, value: Number.NaN };
/** Before the number in the id of a row that is of no function. */
const GROUP = 'g';
const SPAN = 's';

/** The id of a row. */
function idOf({ id, kind }: RowCounts): string {
  return `${kind === 'group' ? GROUP : kind === 'span' ? SPAN : ''}${id}`;
}

/** The function of a row, as an index into the run's dictionary; NaN for a row that has none. */
export function functionOf(run: Run, row: string): number {
  return row.startsWith(GROUP) ? run.groups.rows.get(Number(row.slice(GROUP.length)), 'prefix') : Number(row);
}

function nameOf(kind: RowCounts['kind'], trans: Translate): string {
  switch (kind) {
    case 'function':
      return trans.__('Function');
    case 'group':
      return trans.__('Task group');
    case 'span':
      return trans.__('Span');
  }
}

/** Every count of every row; those of all runs for functions only. */
export function progressTable(run: Run, context: PlotContext): TableData {
  const { trans } = context;
  const kind = kindOf(context);
  const states = {
    function: nameOf(kind, trans),
    done: trans.__('Done'),
    all: trans.__('All'),
    released: trans.__('Released'),
    memory: trans.__('In memory'),
    erred: trans.__('Erred'),
    processing: trans.__('Processing'),
    queued: trans.__('Queued'),
    'no-worker': trans.__('No worker fits'),
    waiting: trans.__('Waiting')
  };
  const runs = {
    rate: trans.__('Rate'),
    left: trans.__('Left'),
    'ever-done': trans.__('Done, all runs'),
    'ever-all': trans.__('All, all runs'),
    'ever-erred': trans.__('Erred, all runs'),
    'ever-cancelled': trans.__('Cancelled, all runs')
  };
  const labels = kind === 'function' ? { ...states, ...runs } : kind === 'group' ? states : spanLabels(trans);
  return {
    columns: Object.entries(labels).map(([id, label]) => ({ id, label, align: id === 'function' ? 'left' : 'right' })),
    rows: ordered(run, context).map(each => ({
      id: idOf(each),
      cells: [{ text: each.label, value: each.label }, ...(kind === 'span' ? spanCells(each) : cells(run, each))]
    }))
  };
}

function spanLabels(trans: Translate): Readonly<Record<string, string>> {
  return {
    function: nameOf('span', trans),
    done: trans.__('Done'),
    all: trans.__('All'),
    erred: trans.__('Erred'),
    left: trans.__('Not done yet')
  };
}

function spanCells({ done, all, erred, active }: RowCounts): TableData['rows'][number]['cells'] {
  return [
    { text: formatExactCount(done), value: done },
    { text: formatExactCount(all), value: all },
    { text: formatExactCount(erred), value: erred, ...erredLook(erred, errorsLink()) },
    { text: formatExactCount(active), value: active }
  ];
}

function cells(run: Run, each: RowCounts): TableData['rows'][number]['cells'] {
  const known = knowsAllTasks(run);
  const { processing, queued, noWorker, waiting } = stateTexts(each, formatExactCount);
  const shown: readonly Cell[] = [
    exactCell(each.done),
    { text: taskCountText(run, each.all, formatExactCount), value: each.all },
    exactCell(each.released),
    { text: memoryText(each, formatExactCount), value: each.memory },
    { ...exactCell(each.erred), ...erredLook(each.erred, errorsOf(run, each.prefix)) },
    { text: processing, value: each.processing },
    known ? { text: queued, value: each.queued } : NOT_KNOWN,
    known ? { text: noWorker, value: each.noWorker } : NOT_KNOWN,
    { text: waiting, value: each.waiting }
  ];
  if (each.kind !== 'function') {
    return shown;
  }
  const speed = speedOf(run, each);
  return [
    ...shown,
    // What has ended has no rate: its last one, which the tooltip has, would look like a present one, above all in a file.
    each.active > 0 ? { text: formatRate(speed.perSecond), value: speed.perSecond } : NOT_KNOWN,
    { text: leftText(run, each, speed), value: speed.left },
    exactCell(each.ever.done),
    { text: taskCountText(run, each.ever.all, formatExactCount), value: each.ever.all },
    { ...exactCell(each.ever.erred), ...erredLook(each.ever.erred, errorsOf(run, each.prefix)) },
    exactCell(each.ever.cancelled)
  ];
}

function exactCell(value: number): Cell {
  return { text: formatExactCount(value), value };
}
