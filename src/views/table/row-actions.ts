/** What a row of a table does beyond its own view. */
import { isRecorded } from '../../feed/feed';
import type { Cell, Plot, PlotLink } from '../../plot/plot';
import type { Run } from '../../run/run';
import type { Share } from '../../base/units';
import { isEmpty, type Selection, selectionOf } from '../../run/selection/selection';
import { windowOf } from '../../run/time-window';
import { selectedWithout } from '../../selectors/computations/selected';
import { isLeftOut, isPicked, pick, pickRow } from '../../selectors/selection/picked';
import type { ViewHost } from '../view';
import type { ActiveRow, RowPair } from './row-pair';

/** Time shown before and after a computation. */
const MARGIN: Share = 0.05;

/**
 * Select what a row stands for in all views of the run.
 *
 * @param how - what a plain click, or one with Ctrl or Cmd, does: what is already selected is deselected
 * @param pair - the rows that are picked: while there are two, what is selected stays
 */
export function selectRow(
  plot: Plot,
  run: Run,
  row: string | undefined,
  how: 'only' | 'toggle' | 'add' = 'only',
  pair: RowPair | null = null
): void {
  if (row === undefined) {
    return;
  }
  const selection = selectionOf(run);
  const picked = pair?.pick(row, how === 'add') ?? null;
  if (picked !== null && how === 'add') {
    if (picked.length < 2) {
      selection.select(picked.length === 0 ? {} : (plot.selects?.(run, picked[0]) ?? {}));
    }
    return;
  }
  const selected = plot.selects?.(run, row) ?? null;
  const subject = plot.acts?.(run, row) ?? null;
  if (selected !== null) {
    if (how === 'only') {
      selection.select(selected);
    } else {
      pickRow(selection, selected, how === 'add', selectedWithout(run, selected));
      if (isEmpty(selection.current)) {
        // A marked row would look selected.
        pair?.clear();
      }
    }
    bring(run, selection.current);
  } else if (subject !== null && (how !== 'only' || !isPicked(selection.current, subject))) {
    pick(selection, subject, how === 'add');
  }
}

/**
 * Bring the time of a selected computation to views over time, if no part of it is in view; where these are is known while a
 * timeline is visible, or the user has gone to a period.
 *
 * @param opens - whether a timeline is about to open
 */
function bring(run: Run, { computation, period }: Selection, opens = false): void {
  const window = windowOf(run);
  const seen = window.span ?? window.chosen;
  if (!computation || period === null || (seen !== null && period.from <= seen.to && period.to >= seen.from)) {
    return;
  }
  // A timeline that opens follows what is in progress.
  if (seen !== null || (opens && period.to < run.clock.latest)) {
    // As much time as before, if it fits.
    const length = Math.max(seen === null ? 0 : seen.to - seen.from, (1 + 2 * MARGIN) * (period.to - period.from));
    const from = (period.from + period.to - length) / 2;
    window.go({ from, to: from + length });
  }
}

/** Select or deselect what the row of a click stands for. The second click of a double click does nothing. */
export function clickRow(plot: Plot, run: Run, row: string | undefined, event: MouseEvent, pair: RowPair): void {
  if (event.detail <= 1) {
    selectRow(plot, run, row, event.ctrlKey || event.metaKey ? 'add' : 'toggle', pair);
  }
}

/** Whether a row stands for something other than what is selected. */
export function isDimmed(plot: Plot, run: Run, row: string): boolean {
  const { current } = selectionOf(run);
  if (isEmpty(current)) {
    return false;
  }
  const subject = plot.acts?.(run, row) ?? null;
  const others = plot.view === 'table' ? (plot.subjects?.(run, row) ?? []) : [];
  return (
    (plot.leftOut?.(run, row) ?? false) ||
    [...(subject === null ? [] : [subject]), ...others].some(each => isLeftOut(current, each))
  );
}

/** The plot that a row leads on to; `null` where it does not. Details of a task ask the scheduler. */
function wayOn(plot: Plot, run: Run, row: string | undefined, { feed }: ViewHost): PlotLink | null {
  if (plot.view !== 'table' || plot.opens === undefined || row === undefined) {
    return null;
  }
  const asks = plot.opens === 'task' && isRecorded(feed);
  const args = plot.openArgs === undefined ? {} : asks ? null : plot.openArgs(run, row);
  return args && { plot: plot.opens, args };
}

/** Open the plot that a row leads on to, and select what it stands for. */
export function openRow(plot: Plot, run: Run, row: string | undefined, host: ViewHost): void {
  const way = wayOn(plot, run, row, host);
  if (way !== null) {
    selectRow(plot, run, row);
    bring(run, selectionOf(run).current, way.plot === 'task-stream');
    host.open(way.plot, way.args);
  }
}

/** A double click opens what its row, which is active since the first click, leads on to; only else it marks a word. */
export function openByDoubleClick(body: HTMLElement, plot: Plot, active: ActiveRow, host: ViewHost): void {
  body.addEventListener('dblclick', () => openRow(plot, active().run, active().row, host));
  body.addEventListener('mousedown', event => {
    if (event.detail > 1 && wayOn(plot, active().run, active().row, host) !== null) {
      event.preventDefault();
    }
  });
}

/**
 * Show the cell of a notebook that a row is from, or the plot that a cell of the table opens. Returns whether the cell leads
 * anywhere.
 */
export function leadFrom(plot: Plot, run: Run, row: string | undefined, cell: Cell | undefined, host: ViewHost): boolean {
  if (cell?.opens !== undefined) {
    host.open(cell.opens.plot, cell.opens.args);
    return true;
  }
  const place = plot.view === 'table' && row !== undefined && cell?.leads ? (plot.leads?.(run, row) ?? null) : null;
  if (place !== null) {
    host.lead?.(place);
  }
  return place !== null;
}

/** The cell of a table at an element, not of its head; `null` if there is none. */
export function cellAt(target: EventTarget | null): readonly [row: number, column: number] | null {
  const cell = target instanceof Element ? target.closest('[role="gridcell"]') : null;
  const row = Number(cell?.parentElement?.getAttribute('aria-rowindex')) - 1;
  return cell !== null && row > 0 ? [row, Number(cell.getAttribute('aria-colindex')) - 1] : null;
}
