import type { IDisposable } from '@lumino/disposable';
import { commaSeparated } from '../../plot/csv';
import { copyText } from '../../base/dom/copy-text';
import { element, setText } from '../../base/element';
import { formatCount, messageOf } from '../../base/format';
import { frameLoop } from '../../base/frame-loop';
import { Press } from '../../base/dom/press';
import type { Milliseconds } from '../../base/units';
import type { PlotLink, TableData, Translate } from '../../plot/plot';
import { computationWords } from '../../selectors/computations/selected-words';
import { errorsLink } from '../../selectors/errors/link';
import { localFacts } from '../../selectors/local/facts';
import { frozen, liveOf } from '../../run/frozen';
import type { Run } from '../../run/run';
import type { Selection } from '../../run/selection/selection';
import { type ExecutionRow, type SelectionStatistics, selectionSteps } from '../../selectors/selection/statistics';
import { headWords, noteWords, selectionText } from '../../selectors/selection/text';
import { countWords, functionsHead, functionTable, slowestHead, slowestTable } from '../../selectors/selection/words';

/** Share of a frame that the computation may take, so that dragging stays smooth. */
const STEPS_PER_FRAME: Milliseconds = 4;
/** Functions with a row of their own; a copy has all. */
const LISTED = 50;

/** Callbacks of the panel to its view. */
export interface PanelActions {
  /** Show one execution in the picture. */
  reveal(execution: ExecutionRow): void;
  /** Select one function in addition to the other conditions. */
  isolate(name: string): void;
  clear(): void;
  /** Open the plot that explains a figure. */
  open(link: PlotLink): void;
}

/**
 * The statistics of a selection, in an element. They are computed over a few frames; until then the former ones stay,
 * dimmed.
 */
export class SelectionPanel implements IDisposable {
  readonly node = element('section', { class: 'dp-Selection', role: 'region' });
  private readonly press = new Press(this.node);

  constructor(
    private readonly trans: Translate,
    private readonly actions: PanelActions
  ) {
    this.node.setAttribute('aria-label', trans.__('Statistics of the selection'));
    this.node.hidden = true;
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  /** Whether statistics are being computed. */
  get busy(): boolean {
    return this.wanted !== null || this.steps !== null;
  }

  /**
   * Compute and show the statistics of a selection of a run as it is in the next frame. A computation under way is given
   * up.
   */
  show(run: Run, selection: Selection): void {
    this.wanted = { run, selection };
    this.steps = null;
    this.node.hidden = false;
    this.node.dataset.state = 'computing';
    frameLoop.request(this);
  }

  hide(): void {
    this.wanted = null;
    this.steps = null;
    this.run = null;
    this.node.hidden = true;
    this.node.replaceChildren();
    frameLoop.remove(this);
  }

  /** Called by the frame loop. */
  paint(): void {
    if (this.press.holds(() => frameLoop.request(this))) {
      return;
    }
    const begin = performance.now();
    this.begin();
    while (this.steps !== null) {
      const { done, value } = this.steps.next();
      if (done) {
        this.steps = null;
        this.draw(value);
      } else if (performance.now() - begin > STEPS_PER_FRAME) {
        frameLoop.request(this);
        return;
      }
    }
  }

  /** Called by the frame loop when {@link paint} threw. */
  failed(error: unknown): void {
    this.wanted = null;
    this.steps = null;
    this.node.dataset.state = 'failed';
    this.node.replaceChildren(
      element('p', {
        class: 'dp-Selection-note',
        text: this.trans.__('The statistics could not be computed: %1', messageOf(error))
      })
    );
  }

  dispose(): void {
    this.disposed = true;
    this.hide();
    this.press.dispose();
    this.node.remove();
  }

  private begin(): void {
    if (this.wanted !== null) {
      const { run, selection } = this.wanted;
      this.wanted = null;
      this.selection = selection;
      this.run = liveOf(run) === run ? frozen(run) : run;
      this.steps = selectionSteps(this.run, selection);
    }
  }

  private draw(statistics: SelectionStatistics): void {
    const { run, trans } = this;
    if (run === null) {
      return;
    }
    this.node.dataset.state = 'shown';
    this.table = functionTable(statistics, trans);
    this.text = () => selectionText(run, statistics, trans);
    const scroll = this.node.scrollTop;
    this.node.replaceChildren(this.head(statistics), ...this.sections(run, statistics));
    this.node.scrollTop = scroll;
    setText(this.status, '');
    this.node.append(this.status);
  }

  private head(statistics: SelectionStatistics): HTMLElement {
    const { trans } = this;
    const erred = statistics.erred + Math.round(statistics.earlier?.erred ?? 0);
    return element(
      'header',
      { class: 'dp-Selection-head' },
      element('strong', { text: headWords(statistics, trans) }),
      element('span', { text: countWords(statistics, trans) }),
      ...(erred > 0 ? [this.link(trans.__('%1 erred', formatCount(erred)), errorsLink())] : []),
      ...(this.run === null || localFacts(this.run) !== null
        ? []
        : [
            this.button(trans.__('Profile'), trans.__('Profile of what is selected'), () =>
              this.actions.open({ plot: 'profile', args: {} })
            )
          ]),
      this.button(
        trans.__('Copy text'),
        trans.__('Copy these sentences, all functions and the slowest tasks as text'),
        () => void this.copy(this.text)
      ),
      this.button(
        trans.__('Copy CSV'),
        trans.__('Copy the table of functions as CSV: seconds and bytes'),
        () => void this.copy(() => commaSeparated(this.table))
      ),
      this.button(trans.__('Clear'), trans.__('Select nothing (Escape)'), () => this.actions.clear())
    );
  }

  private link(text: string, opens: PlotLink): HTMLElement {
    return element('button', {
      class: 'dp-Selection-pick',
      text,
      data: { tone: 'bad' },
      onClick: () => this.actions.open(opens)
    });
  }

  private *sections(run: Run, statistics: SelectionStatistics): Generator<HTMLElement> {
    const { trans, selection } = this;
    const computation = selection?.computation ? computationWords(run, selection.computation, trans) : null;
    for (const text of [...(computation === null ? [] : [computation.sentence]), ...noteWords(run, statistics, trans)]) {
      yield element('p', { class: 'dp-Selection-note' }, element('bdi', { text }));
    }
    const { functions, slowest } = statistics;
    if (functions.length > 0) {
      yield this.tableOf(functionsHead(statistics, trans), this.table, row => this.actions.isolate(functions[row].name));
      if (functions.length > LISTED) {
        const more = functions.length - LISTED;
        yield element('p', {
          class: 'dp-Selection-note',
          text: trans._n('1 more function', '%2 more functions', more, formatCount(more))
        });
      }
      yield this.tableOf(slowestHead(statistics, trans), slowestTable(run, statistics, trans), row =>
        this.actions.reveal(slowest[row])
      );
    }
  }

  /** @param pick - called with the number of the row whose first cell was activated */
  private tableOf(title: string, { columns, rows }: TableData, pick: (row: number) => void): HTMLElement {
    const heads = columns.map(({ label, tooltip, align }) =>
      element('th', { text: label, data: { align }, attributes: { scope: 'col' }, ...(tooltip ? { title: tooltip } : {}) })
    );
    const lines = rows
      .slice(0, LISTED)
      .map(({ cells }, row) =>
        element(
          'tr',
          {},
          ...cells.map((cell, i) =>
            i === 0
              ? element(
                  'th',
                  { attributes: { scope: 'row' } },
                  element('button', { class: 'dp-Selection-pick', title: cell.text, onClick: () => pick(row) }, bdi(cell.text))
                )
              : element(
                  'td',
                  { data: { align: columns[i].align, tone: cell.tone ?? 'plain' } },
                  cell.opens === undefined ? bdi(cell.text) : this.link(cell.text, cell.opens)
                )
          )
        )
      );
    return element(
      'table',
      { class: 'dp-Selection-table' },
      element('caption', { text: title }),
      element('thead', {}, element('tr', {}, ...heads)),
      element('tbody', {}, ...lines)
    );
  }

  private button(text: string, title: string, onClick: () => void): HTMLButtonElement {
    return element('button', { class: 'dp-Selection-button', text, title, onClick });
  }

  private async copy(text: () => string): Promise<void> {
    try {
      await copyText(text());
      setText(this.status, this.trans.__('Copied'));
    } catch {
      setText(
        this.status,
        this.trans.__('The browser did not allow copying. Allow access to the clipboard, or use the table view.')
      );
    }
  }

  private wanted: { readonly run: Run; readonly selection: Selection } | null = null;
  private run: Run | null = null;
  private selection: Selection | null = null;
  private steps: Generator<void, SelectionStatistics, void> | null = null;
  private table: TableData = { columns: [], rows: [] };
  private text: () => string = () => '';
  private disposed = false;
  private readonly status = element('p', { class: 'dp-Selection-note', role: 'status' });
}

function bdi(text: string): HTMLElement {
  return element('bdi', { text });
}
