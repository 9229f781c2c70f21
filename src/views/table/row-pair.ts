import { wantsBrowserMenu } from '../../base/dom/browser-menu';
import { element, setAttribute, setHidden, setText } from '../../base/element';
import type { Plot, RowPairs, TooltipLink } from '../../plot/plot';
import type { Run } from '../../run/run';
import type { ViewHost } from '../view';

/** Rows that can be picked at the same time. */
const MOST = 2;

/** The run of a table, and the id of its active row; undefined if there is none. */
export type ActiveRow = () => { readonly run: Run; readonly row: string | undefined };

/** What actions on rows ask of their table. */
export interface ActingTable {
  /** Make the row of an element the active one. */
  activate(target: EventTarget | null): boolean;
  /** Other rows are picked. */
  changed(): void;
}

/**
 * The rows that are picked to be opened together in another plot: a button, and the context menu. Only where the plot has
 * such pairs.
 */
export class RowPair {
  /**
   * @param grid - the element whose rows have a context menu
   */
  constructor(
    plot: Plot,
    private readonly host: ViewHost,
    private readonly active: ActiveRow,
    grid: HTMLElement,
    private readonly table: ActingTable
  ) {
    this.pairs = plot.view === 'table' ? (plot.pairs ?? null) : null;
    this.button = element('button', { class: 'dp-Button dp-Table-pair', onClick: () => this.open() });
    setHidden(this.button, this.pairs === null);
    if (this.pairs !== null) {
      grid.setAttribute('aria-multiselectable', 'true');
      grid.addEventListener('contextmenu', event => {
        if (wantsBrowserMenu(event)) {
          return;
        }
        table.activate(event.target);
        if (this.openMenu(grid, event)) {
          event.preventDefault();
          // JupyterLab would open its own menu.
          event.stopPropagation();
        }
      });
    }
  }

  /** Opens what is picked. Hidden where rows cannot be picked. */
  readonly button: HTMLButtonElement;

  /**
   * Pick a row; of three, the two that were picked last remain.
   *
   * @param adds - whether what was picked stays; a second time, the row is no longer picked
   * @returns what is picked then; `null` where rows cannot be picked
   */
  pick(row: string, adds: boolean): readonly string[] | null {
    if (this.pairs === null) {
      return null;
    }
    const others = this.picked.filter(each => each !== row);
    const was = others.length < this.picked.length;
    this.picked = adds ? (was ? others : [...others, row].slice(-MOST)) : [row];
    this.table.changed();
    return this.picked;
  }

  /** Pick nothing. */
  clear(): void {
    this.picked = [];
    this.table.changed();
  }

  /** Mark the element of a row. */
  mark(node: HTMLElement, row: string): void {
    if (this.pairs !== null) {
      node.setAttribute('aria-selected', String(this.picked.includes(row)));
    }
  }

  /**
   * Whether a row is dimmed. Of two that are picked only one is selected, and both are not dimmed; once something else is selected,
   * they are as any other row.
   *
   * @param leftOut - whether what is selected leaves a row out
   */
  dims(row: string, leftOut: (row: string) => boolean): boolean {
    return leftOut(row) && !(this.picked.includes(row) && this.picked.some(each => !leftOut(each)));
  }

  /** There are these rows now: those which have gone, or are of an earlier run, are not picked any more. */
  keep(run: Run, rows: readonly { readonly id: string }[]): void {
    if (this.pairs === null) {
      return;
    }
    const same = this.identity === run.identity;
    this.identity = run.identity;
    if (this.picked.length > 0) {
      const there = new Set(rows.map(({ id }) => id));
      this.picked = same ? this.picked.filter(id => there.has(id)) : [];
    }
    const { trans } = this.host;
    const [first] = this.links(this.picked);
    setText(this.button, this.pairs.label(this.picked.length, trans));
    setAttribute(this.button, 'aria-disabled', String(first === undefined));
    setAttribute(this.button, 'title', first?.label ?? this.pairs.hint(trans));
  }

  private links(rows: readonly string[]): readonly TooltipLink[] {
    const { run } = this.active();
    return rows.length === 0 ? [] : (this.pairs?.links(run, rows, this.host.trans) ?? []);
  }

  private open(): void {
    const [first] = this.links(this.picked);
    if (first !== undefined) {
      this.host.open(first.plot, first.args);
    }
  }

  /** The active row beside the one that is picked, and by itself. */
  private openMenu(anchor: HTMLElement, place: MouseEvent): boolean {
    const { host, pairs } = this;
    const { row } = this.active();
    if (row === undefined || pairs === null || host.menu === undefined) {
      return false;
    }
    const others = this.picked.filter(each => each !== row);
    const together = others.length > 0 ? this.links([others[others.length - 1], row]) : [];
    const items = [...together, ...this.links([row])].map(({ label, plot, args }) => ({
      label,
      run: () => host.open(plot, args)
    }));
    const unique = items.filter((item, i) => items.findIndex(({ label }) => label === item.label) === i);
    const hint = { label: pairs.hint(host.trans), enabled: false, run: () => undefined };
    host.menu(unique.length > 0 ? unique : [hint], anchor, place);
    return true;
  }

  private readonly pairs: RowPairs | null;
  /** Ids, the one picked last at the end. */
  private picked: readonly string[] = [];
  private identity = '';
}
