import { textOf } from '../../base/untrusted';
import { element, setAttribute } from '../../base/element';
import { Press } from '../../base/dom/press';
import type { CssPixels, Milliseconds } from '../../base/units';
import type { Plot, TableColumn, TableData } from '../../plot/plot';
import { selectionOf } from '../../run/selection/selection';
import { mergedSaves } from '../merged-saves';
import { PacedView } from '../paced-view';
import { KeptSelection } from '../selection/kept-selection';
import { Summary } from '../summary';
import type { ViewHost } from '../view';
import { ActiveCell } from './active-cell';
import { drawCell, setChildCount } from './cell';
import { ColumnWidths, setWidths } from './column-widths';
import { DetailPanel } from './detail';
import { keyMove, moreSign, showMore, tableHeads } from './heads';
import { bringColumn, bringRow, keepRow } from './in-view';
import { RowScroll } from './long/row-scroll';
import { LongSource } from './long/source';
import { NarrowTable } from './narrow';
import { cellAt, clickRow, isDimmed, leadFrom, openByDoubleClick, openRow, selectRow } from './row-actions';
import { RowMenu } from './row-menu';
import type { ActiveRow } from './row-pair';
import { copyTable, countWords, FoundText, nextSort, RowOrder, search } from './row-order';

/** Height of a row at the default font size; must match style/views.css. */
const ROW: CssPixels = 24;
/** Rows drawn above and below the visible ones: a scroll by a row or two shows no blank. */
const SPARE = 4;
let tables = 0;

/**
 * The rows of a plot as a table: sortable, searchable, navigated with arrow keys, copied with Ctrl or Cmd+C. Only
 * visible rows have elements. `aria-activedescendant` reports the active cell to assistive technology.
 */
export class TableView extends PacedView {
  override readonly node = element('div', { class: 'dp-TableView' });

  constructor(
    private readonly plot: Plot,
    host: ViewHost
  ) {
    super(mergedSaves(host));
    const { saved, trans } = host;
    this.searchBox = element('input', {
      class: 'dp-Table-search',
      attributes: { type: 'search', placeholder: trans.__('Search rows'), 'aria-label': trans.__('Search rows') }
    });
    this.searchBox.value = textOf(saved.search);
    if (typeof saved.sort === 'string') {
      this.order.sortBy({ column: saved.sort, descending: saved.descending === true });
    }
    this.press = this.own(new Press(this.body));
    selectionOf(host.run).changed.connect(this.requestDraw, this);
    this.own(new KeptSelection(this.host));
    // Rows of another run have the numbers of other rows: nothing that the user chose of these is meant.
    this.shown.began.connect(() => {
      this.order.restart();
      this.active.restart();
    });
    this.grid.append(moreSign(), this.head, this.above, this.body, this.below);
    this.scroller.append(this.grid);
    const changed = (): void => this.requestDraw();
    [this.detail, this.long] = [new DetailPanel(plot, host, changed), new LongSource(plot, host.feed, changed)];
    this.own(this.detail.press);
    this.own(this.long.keys);
    const active: ActiveRow = () => ({ run: this.shown.run, row: this.active.id });
    this.menu = new RowMenu(plot, host, active, this.grid, { activate: at => this.activateAt(at), changed });
    const tools = [this.searchBox, ...this.found.nodes, this.menu.pair.button, this.menu.button];
    this.node.append(element('div', { class: 'dp-Table-tools' }, ...tools), this.scroller, this.detail.node);
    this.detail.close.addEventListener('click', () => this.closeDetail());
    this.searchBox.addEventListener('input', () => this.onSearch());
    this.scroller.addEventListener('scroll', () => this.requestDraw(), { passive: true });
    this.head.addEventListener('click', event => this.onHead(event));
    this.body.addEventListener('click', event => this.onBody(event));
    openByDoubleClick(this.body, plot, active, this.host);
    this.grid.addEventListener('keydown', event => this.onKey(event));
    this.grid.addEventListener('copy', event => copyTable(event, { ...this.data, rows: this.rows }, this.long.copy()));
  }

  override resize(width: CssPixels, height: CssPixels): void {
    this.narrow.width = width / this.fontScale;
    this.height = height;
    this.requestDraw();
  }

  protected override get pace(): Milliseconds {
    return this.plot.pace?.(this.shown.run) ?? super.pace;
  }

  private get rowHeight(): CssPixels {
    return ROW * this.fontScale;
  }

  override focus(): void {
    this.grid.focus({ preventScroll: true });
  }

  protected override draw(now: Milliseconds): void {
    if (this.press.holds(() => this.requestDraw())) {
      return;
    }
    const [context, { run }] = [this.context(), this.shown];
    const long = this.long.take(run, context, this.order.by, this.searchBox.value);
    this.data = long?.data ?? this.plot.table(run, context);
    this.rows = long?.rows ?? search(this.order.apply(this.data), this.searchBox.value);
    this.narrow.take(this.data.columns, this.order.by.column);
    this.active.followColumn(this.data.columns, this.narrow.shown);
    this.scroll.measure(this.rows.length, this.rowHeight);
    const [first, end] = this.scroll.inView(this.height - this.scroller.offsetTop, SPARE);
    const place = this.long.show(first, end, this.active.row - 1);
    this.active.follow(this.rows, long === null ? null : { place, first, end });
    this.menu.pair.keep(run, this.data.rows);
    keepRow(this.scroll, (this.active.row - 1) * this.rowHeight, this.rowHeight, () =>
      this.detail.show(run, this.active.id, context)
    );
    setWidths(this.grid, this.widths.fit(this.narrow.of(this.data.columns), this.narrow.rows(this.rows.slice(first, end))));
    this.drawHead(this.data.columns, this.narrow.shown);
    this.drawRows(first, end);
    showMore(this.scroller);
    this.grid.setAttribute('aria-rowcount', String(this.rows.length + 1));
    this.grid.setAttribute('aria-colcount', String(this.data.columns.length));
    const words = long === null ? countWords(this.rows.length, this.data, context.trans) : this.long.words(context);
    this.found.show([this.order.by, this.searchBox.value, this.long.cut], words, this.long.busy);
    this.summary.renew(() => this.plot.summary(run, context), now);
  }

  private drawHead(columns: readonly TableColumn[], shown: readonly number[]): void {
    const print = JSON.stringify([columns, shown, this.order.by, this.active.row, this.active.column]);
    if (print === this.headShown) {
      return;
    }
    this.headShown = print;
    const heads = tableHeads(
      columns,
      shown,
      this.order.by,
      i => this.cellId(0, i),
      i => this.active.is(0, i)
    );
    this.head.replaceChildren(...heads);
  }

  private drawRows(first: number, end: number): void {
    const count = Math.max(0, end - first);
    this.scroll.spread(first, count);
    setChildCount(this.body, count, () => element('div', { class: 'dp-Table-row', role: 'row' }));
    for (let i = 0; i < count; i++) {
      this.drawRow(this.body.children[i] as HTMLElement, first + i);
    }
    const active = this.cellId(this.active.row, this.active.column);
    // A row that is scrolled away has no element.
    setAttribute(this.grid, 'aria-activedescendant', this.active.isDrawn(first, end) ? active : '');
    this.menu.update();
  }

  private drawRow(node: HTMLElement, index: number): void {
    const [row, { columns }, { shown }] = [this.rows[index], this.data, this.narrow];
    const leading = this.host.lead === undefined ? '' : this.host.trans.__('Click or Space: show the cell');
    // The header is row 1 of the grid.
    node.setAttribute('aria-rowindex', String(index + 2));
    node.dataset.row = row.id;
    node.dataset.dimmed = String(this.menu.pair.dims(row.id, id => isDimmed(this.plot, this.shown.run, id)));
    this.menu.pair.mark(node, row.id);
    setChildCount(node, shown.length, () => element('div', { class: 'dp-Table-cell', role: 'gridcell' }));
    for (const [place, i] of shown.entries()) {
      const cell = node.children[place] as HTMLElement;
      cell.id = this.cellId(index + 1, i);
      cell.setAttribute('aria-colindex', String(i + 1));
      cell.dataset.active = String(this.active.is(index + 1, i));
      drawCell(cell, row.cells[i], columns[i], leading);
    }
  }

  private onSearch(): void {
    this.long.renew();
    this.saveState();
    this.scroll.scrollTop = 0;
    this.requestDraw();
  }

  private onHead(event: MouseEvent): void {
    const head = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-column]') : null;
    if (head?.dataset.column !== undefined) {
      this.sortBy(head.dataset.column);
    }
  }

  private sortBy(column: string): void {
    this.order.sortBy(nextSort(this.order.by, column, this.data));
    this.long.renew();
    this.saveState();
    this.requestDraw();
  }

  private onBody(event: MouseEvent): void {
    if (this.activateAt(event.target)) {
      clickRow(this.plot, this.shown.run, this.active.id, event, this.menu.pair);
      if (event.target instanceof Element && event.target.closest('.dp-Table-lead') !== null) {
        leadFrom(this.plot, this.shown.run, this.active.id, this.active.in(this.rows), this.host);
      }
    }
  }

  /** Activate the cell at an element; returns whether there is one. */
  private activateAt(target: EventTarget | null): boolean {
    const cell = cellAt(target);
    if (cell !== null) {
      this.activate(...cell, false);
    }
    return cell !== null;
  }

  private closeDetail(): void {
    this.activate(0, this.active.column, false);
    this.focus();
  }

  private onKey(event: KeyboardEvent): void {
    if (event.metaKey || event.altKey || (event.ctrlKey && event.key !== ' ')) {
      return;
    }
    const { row, column } = this.active;
    const page = Math.max(1, Math.floor((this.scroller.clientHeight - this.rowHeight) / this.rowHeight));
    const move = keyMove(event.key, this.active, page, this.narrow.shown);
    if (move !== undefined) {
      this.activate(...move);
    } else if ((event.key === 'Enter' || event.key === ' ') && row === 0) {
      this.sortBy(this.data.columns[column]?.id ?? '');
    } else if (event.key === ' ' && row > 0) {
      if (!leadFrom(this.plot, this.shown.run, this.active.id, this.active.in(this.rows), this.host)) {
        selectRow(this.plot, this.shown.run, this.active.id, event.ctrlKey ? 'add' : 'toggle', this.menu.pair);
      }
    } else if (event.key === 'Escape') {
      this.menu.pair.clear();
      selectionOf(this.host.run).clear();
    } else if (event.key === 'Enter' && this.plot.view === 'table' && this.plot.opens !== undefined) {
      openRow(this.plot, this.shown.run, this.active.id, this.host);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** Activate a cell and bring it into view; row 0 is the header. What is pointed at is in view, and does not move. */
  private activate(row: number, column: number, moves = true): void {
    const place = this.narrow.shown.indexOf(column);
    // The first column is in view wherever the others are scrolled to.
    const brings = moves && (place > 0 || row === this.active.row);
    this.active.set(row, column, this.rows, this.data.columns);
    if (this.active.row > 0) {
      bringRow(this.scroll, (this.active.row - 1) * this.rowHeight, this.rowHeight);
    }
    if (brings) {
      bringColumn(this.scroller, this.head, place);
    }
    this.requestDraw();
  }

  private saveState(): void {
    const { column, descending } = this.order.by;
    this.host.save({ sort: column, descending, search: this.searchBox.value });
  }

  private cellId(row: number, column: number): string {
    return `${this.id}-${row}-${column}`;
  }

  private readonly id = `dp-table-${tables++}`;
  private readonly order = new RowOrder();
  private readonly narrow = new NarrowTable();
  private readonly widths = new ColumnWidths();
  private readonly searchBox: HTMLInputElement;
  private readonly detail: DetailPanel;
  private readonly menu: RowMenu;
  private readonly long: LongSource;
  private readonly found = new FoundText();
  private readonly head = element('div', {
    class: 'dp-Table-row dp-Table-heads',
    role: 'row',
    attributes: { 'aria-rowindex': '1' }
  });
  private readonly above = element('div', { attributes: { 'aria-hidden': 'true' } });
  private readonly below = element('div', { attributes: { 'aria-hidden': 'true' } });
  private readonly body = element('div', { class: 'dp-Table-body', role: 'rowgroup' });
  private readonly grid = element('div', { class: 'dp-Table', role: 'grid', attributes: { tabindex: '0' } });
  private readonly scroller = element('div', { class: 'dp-Table-scroll' });
  private readonly scroll = new RowScroll(this.scroller, this.above, this.below);
  private readonly summary = new Summary(this.grid);
  private data: TableData = { columns: [], rows: [] };
  private rows: TableData['rows'] = [];
  private headShown = '';
  private readonly active = new ActiveCell();
  private height: CssPixels = 0;
  private readonly press: Press;
}
