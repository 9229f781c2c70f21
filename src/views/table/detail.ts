import { Press } from '../../base/dom/press';
import { refill } from '../../base/dom/refill';
import { element, setAttribute, setData, setHidden, setText } from '../../base/element';
import { isRecorded } from '../../feed/feed';
import type { Plot, PlotContext, RowDetail } from '../../plot/plot';
import type { Run } from '../../run/run';
import { debugHint } from '../task/debug-line';
import { Questions } from '../questions';
import type { ViewHost } from '../view';

/**
 * Everything about the active row, below the table.
 *
 * Guarantees: it is written only when its content changes, so that its buttons, its scroll position and what is marked in
 * it stay, and the focus stays on its buttons also then; it is hidden while no row is active or the row has gone.
 */
export class DetailPanel {
  readonly node = element('section', { class: 'dp-Table-detail', attributes: { tabindex: '-1' } });
  /** Disposed by the view. */
  readonly press = new Press(this.node);

  constructor(
    private readonly plot: Plot,
    private readonly host: ViewHost,
    changed: () => void
  ) {
    this.questions = new Questions(host.feed, changed);
    this.close = element('button', {
      class: 'dp-IconButton dp-Table-close',
      text: '×',
      title: host.trans.__('Close'),
      attributes: { 'aria-label': host.trans.__('Close') }
    });
    this.whole = element('button', { class: 'dp-IconButton dp-Table-whole', onClick: () => this.setWhole(!this.isWhole) });
    this.node.setAttribute('aria-label', host.trans.__('Details of the row'));
    this.setWhole(false);
    setHidden(this.node, true);
  }

  /** The button that closes it. */
  readonly close: HTMLButtonElement;
  /** In a low pane, gives the details the room of the table; the style sheet hides it in others. */
  private readonly whole: HTMLButtonElement;

  /** Show a row; nothing for `undefined`. */
  show(run: Run, row: string | undefined, context: PlotContext): void {
    if (this.press.holds(() => this.show(run, row, context))) {
      return;
    }
    const { plot } = this;
    if (plot.view === 'table' && row !== undefined) {
      this.questions.ask(plot.asks?.(run, row) ?? null, performance.now());
    }
    const detail = plot.view === 'table' && row !== undefined ? (plot.detail?.(run, row, context) ?? null) : null;
    const print = JSON.stringify(detail);
    if (print !== this.print) {
      this.print = print;
      refill(this.node, detail === null ? [] : this.content(detail));
      setHidden(this.node, detail === null);
      this.setWhole(this.isWhole && detail !== null);
    }
  }

  private get isWhole(): boolean {
    return this.node.dataset.whole === 'true';
  }

  private setWhole(whole: boolean): void {
    const { trans } = this.host;
    const title = whole ? trans.__('Show the table, too') : trans.__('Show only these details');
    setData(this.node, 'whole', String(whole));
    setText(this.whole, whole ? '▾' : '▴');
    setAttribute(this.whole, 'title', title);
    setAttribute(this.whole, 'aria-label', title);
    setAttribute(this.whole, 'aria-expanded', String(whole));
  }

  private content({ title, tone, facts, text, links, debug = '' }: RowDetail): HTMLElement[] {
    // Task details ask the scheduler, and code needs it.
    const live = !isRecorded(this.host.feed);
    const buttons = (live ? links : []).map(({ label, plot, args }) =>
      element('button', { class: 'dp-Button', text: label, onClick: () => this.host.open(plot, args) })
    );
    const list = element(
      'dl',
      { class: 'dp-Table-facts' },
      ...facts.flatMap(([name, value]) => [element('dt', { text: name }), element('dd', {}, element('bdi', { text: value }))])
    );
    return [
      element(
        'div',
        { class: 'dp-Table-detailHead' },
        element('strong', { text: title, data: { tone: tone ?? 'plain' } }),
        element('span', { class: 'dp-Table-detailTools' }, this.whole, this.close)
      ),
      // A traceback, or the lines of a log: what the row was opened for.
      ...(text === '' ? [] : [element('pre', { class: 'dp-Table-block', text, attributes: { tabindex: '0' } })]),
      list,
      ...(buttons.length > 0 ? [element('div', { class: 'dp-Table-links' }, ...buttons)] : []),
      ...(live && debug !== '' ? [debugHint(debug, this.host.trans)] : [])
    ];
  }

  private readonly questions: Questions;
  private print = 'null';
}
