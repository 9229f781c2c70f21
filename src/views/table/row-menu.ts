import { wantsBrowserMenu } from '../../base/dom/browser-menu';
import { element, setAttribute } from '../../base/element';
import type { Plot } from '../../plot/plot';
import type { Subject } from '../../plot/tooltip';
import type { ViewHost } from '../view';
import { type ActingTable, type ActiveRow, RowPair } from './row-pair';

/** The actions of a table's active row: a button, and the context menu, which the keyboard opens, too. */
export class RowMenu {
  /**
   * @param grid - the element whose rows have a context menu
   */
  constructor(
    private readonly plot: Plot,
    private readonly host: ViewHost,
    private readonly active: ActiveRow,
    grid: HTMLElement,
    table: ActingTable
  ) {
    const { trans } = host;
    this.pair = new RowPair(plot, host, active, grid, table);
    this.button = element('button', {
      class: 'dp-Button dp-Table-actions',
      text: trans.__('Actions'),
      attributes: { 'aria-haspopup': 'menu' },
      onClick: () => this.open(this.button)
    });
    this.button.hidden = host.actions === undefined || plot.acts === undefined;
    if (!this.button.hidden) {
      grid.addEventListener('contextmenu', event => {
        if (wantsBrowserMenu(event)) {
          return;
        }
        table.activate(event.target);
        if (this.open(grid, event)) {
          event.preventDefault();
          // JupyterLab would open its own menu.
          event.stopPropagation();
        }
      });
    }
    this.update();
  }

  /** Hidden where the rows have no actions. */
  readonly button: HTMLButtonElement;
  /** The rows that are picked to be opened together. */
  readonly pair: RowPair;

  /** The active row may be another one. */
  update(): void {
    const { trans } = this.host;
    const { subject: of } = this;
    const subject = of !== null && this.host.actions?.of(of).length ? of : null;
    setAttribute(this.button, 'aria-disabled', String(subject === null));
    const titles = {
      worker: trans.__('Actions on this worker'),
      workers: trans.__('Actions on these workers'),
      task: trans.__('Actions on this task'),
      function: trans.__('Actions on tasks of this function')
    };
    const none =
      this.active().row === undefined ? trans.__('Choose a row first: click it') : trans.__('There are no actions on this row');
    const title = subject === null ? none : titles[subject.kind];
    setAttribute(this.button, 'title', title);
  }

  private open(anchor: HTMLElement, place?: { readonly x: number; readonly y: number }): boolean {
    const { subject } = this;
    return subject !== null && this.host.actions?.open(subject, anchor, place) === true;
  }

  private get subject(): Subject | null {
    const { row, run } = this.active();
    return row === undefined ? null : (this.plot.acts?.(run, row) ?? null);
  }
}
