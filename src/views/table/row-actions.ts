/** What a row of a table does beyond its own view. */
import { isRecorded } from '../../feed/feed';
import type { Cell, Plot } from '../../plot/plot';
import type { Run } from '../../run/run';
import { selectionOf } from '../../run/selection/selection';
import type { ViewHost } from '../view';

/** Select what a row stands for in all views of the run. */
export function selectRow(plot: Plot, run: Run, row: string | undefined): void {
  const selected = plot.view === 'table' && row !== undefined ? (plot.selects?.(run, row) ?? null) : null;
  if (selected !== null) {
    selectionOf(run).select(selected);
  }
}

/** Open the plot that a row leads on to, and select what it stands for. Details of a task ask the scheduler. */
export function openRow(plot: Plot, run: Run, row: string | undefined, host: ViewHost): void {
  if (plot.view !== 'table' || plot.opens === undefined || row === undefined) {
    return;
  }
  const asks = plot.opens === 'task' && isRecorded(host.feed);
  const args = plot.openArgs === undefined ? {} : asks ? null : plot.openArgs(run, row);
  if (args !== null) {
    selectRow(plot, run, row);
    host.open(plot.opens, args);
  }
}

/** Show the cell of a notebook that a row is from, or the plot that a cell of the table opens. */
export function leadFrom(plot: Plot, run: Run, row: string | undefined, cell: Cell | undefined, host: ViewHost): void {
  if (cell?.opens !== undefined) {
    host.open(cell.opens.plot, cell.opens.args);
    return;
  }
  const place = plot.view === 'table' && row !== undefined ? (plot.leads?.(run, row) ?? null) : null;
  if (place !== null) {
    host.lead?.(place);
  }
}

/** The cell of a table at an element, not of its head; `null` if there is none. */
export function cellAt(target: EventTarget | null): readonly [row: number, column: number] | null {
  const cell = target instanceof Element ? target.closest('[role="gridcell"]') : null;
  const row = Number(cell?.parentElement?.getAttribute('aria-rowindex')) - 1;
  return cell !== null && row > 0 ? [row, Number(cell.getAttribute('aria-colindex')) - 1] : null;
}
