import type { IDisposable } from '@lumino/disposable';
import { commaSeparated } from '../../plot/csv';
import { copyText } from '../../base/dom/copy-text';
import { refill } from '../../base/dom/refill';
import { element, setText } from '../../base/element';
import { formatCount } from '../../base/format';
import { messageOf } from '../../base/untrusted';
import { frameLoop } from '../../base/frame-loop';
import { Press } from '../../base/dom/press';
import type { Milliseconds, Seconds } from '../../base/units';
import type { PlotLink, TableData, Translate } from '../../plot/plot';
import { computationWords } from '../../selectors/computations/selected-words';
import { errorsLink } from '../../selectors/errors/link';
import { localFacts } from '../../selectors/local/facts';
import { frozen, liveOf } from '../../run/frozen';
import type { Run } from '../../run/run';
import type { Period, Selection } from '../../run/selection/selection';
import { type ExecutionRow, type SelectionStatistics, selectionSteps } from '../../selectors/selection/statistics';
import { headWords, noteWords, selectionText } from '../../selectors/selection/statistics-text';
import { countWords, functionsHead, functionTable, slowestHead, slowestTable } from '../../selectors/selection/statistics-words';
import { type Compared, comparedText, Comparison } from './comparison';
import { PanelFold } from './fold';
import { since } from './period';
import { LISTED, linkElement, noteElement, tableElement } from './tables';

/** Share of a frame that the computation may take, so that dragging stays smooth. */
const STEPS_PER_FRAME: Milliseconds = 4;

/** Callbacks of the panel to its view. */
export interface PanelActions {
  /** Show one execution in the picture. */
  reveal(execution: ExecutionRow): void;
  /** Select one function in addition to the other conditions. */
  isolate(name: string): void;
  clear(): void;
  computed?(): void;
  /** The panel needs another height. */
  resized?(): void;
  /** Open the plot that explains a figure. */
  open(link: PlotLink): void;
}

/**
 * The statistics of a selection, in an element. They are computed over a few frames; until then the former ones stay,
 * dimmed.
 */
export class SelectionPanel implements IDisposable {
  readonly node = element('section', { class: 'dp-Selection', role: 'region', attributes: { tabindex: '-1' } });
  private readonly press = new Press(this.node);

  constructor(
    private readonly trans: Translate,
    private readonly actions: PanelActions
  ) {
    this.comparison = new Comparison(trans);
    this.fold = new PanelFold(this.node, trans, () => actions.resized?.());
    this.node.setAttribute('aria-label', trans.__('Statistics of the selection'));
    this.node.hidden = true;
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  /** From the first to the last of the tasks that are selected, when last computed; `null` for a period, and before it is known. */
  get span(): Period | null {
    const selection = this.wanted?.selection ?? this.selection;
    return selection?.period === null && selection === this.computed ? (this.statistics?.span ?? null) : null;
  }

  /** Whether statistics are being computed. */
  get busy(): boolean {
    return this.wanted !== null || this.steps !== null;
  }

  /**
   * Compute and show the statistics of a selection of a run as it is in the next frame. A computation under way is given
   * up.
   *
   * @param after - executions that ended until then are left out; -Infinity for none
   */
  show(run: Run, selection: Selection, after: Seconds = Number.NEGATIVE_INFINITY): void {
    this.wanted = { run, selection, after };
    this.steps = null;
    this.node.hidden = false;
    this.node.dataset.state = 'computing';
    frameLoop.request(this);
  }

  hide(): void {
    this.wanted = null;
    this.steps = null;
    this.run = null;
    this.statistics = null;
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
        this.computed = this.selection;
        this.draw(value);
        this.actions.computed?.();
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
    this.statistics = null;
    this.node.dataset.state = 'failed';
    const text = this.trans.__('The statistics could not be computed: %1', messageOf(error));
    this.node.replaceChildren(element('p', { class: 'dp-Selection-note', text, title: text }));
  }

  dispose(): void {
    this.disposed = true;
    this.hide();
    this.press.dispose();
    this.node.remove();
  }

  private begin(): void {
    if (this.wanted !== null) {
      const { run, selection, after } = this.wanted;
      this.wanted = null;
      this.selection = selection;
      this.run = liveOf(run) === run ? frozen(run) : run;
      this.steps = selectionSteps(this.run, since(selection, after));
    }
  }

  private draw(statistics: SelectionStatistics): void {
    const { run, trans } = this;
    if (run === null) {
      return;
    }
    this.comparison.begin(run);
    this.node.dataset.state = 'shown';
    this.table = functionTable(statistics, trans);
    this.statistics = statistics;
    const [compared, whose] = [this.compared(run, statistics), this.whose(run)];
    this.text = () => `${selectionText(run, statistics, whose, trans)}${compared === null ? '' : `\n${comparedText(compared)}`}`;
    const scroll = this.node.scrollTop;
    setText(this.status, '');
    this.sentences = this.sentencesOf(run, statistics, compared);
    refill(this.node, [this.head(statistics), ...this.sections(run, statistics, compared), this.status]);
    this.node.scrollTop = scroll;
  }

  private head(statistics: SelectionStatistics): HTMLElement {
    const { trans, sentences } = this;
    const erred = statistics.erred + Math.round(statistics.earlier?.erred ?? 0);
    return element(
      'header',
      { class: 'dp-Selection-head' },
      this.fold.button,
      element('strong', { text: headWords(statistics, trans) }),
      element('span', { text: countWords(statistics, trans) }),
      ...(erred > 0 ? [linkElement(trans.__('%1 erred', formatCount(erred)), () => this.actions.open(errorsLink()))] : []),
      ...(this.run === null || localFacts(this.run) !== null
        ? []
        : [
            this.button(trans.__('Profile'), trans.__('Profile of what is selected'), () =>
              this.actions.open({ plot: 'profile', args: {} })
            )
          ]),
      this.compareButton(),
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
      // What the figures are of is said in a single line, too.
      element('span', { class: 'dp-Selection-brief', text: sentences.join(' '), title: sentences.join('\n') }),
      this.button(trans.__('Clear'), trans.__('Select nothing (Escape)'), () => this.actions.clear(), 'clear')
    );
  }

  /** Of which computation the selected tasks are; empty if none is selected. */
  private whose(run: Run): string {
    const computation = this.selection?.computation;
    return computation ? (computationWords(run, computation, this.trans)?.sentence ?? '') : '';
  }

  private compared(run: Run, statistics: SelectionStatistics): Compared | null {
    return this.selection === null ? null : this.comparison.compare(run, this.selection, statistics);
  }

  /** Keep these statistics as A, or keep none. */
  private toggleComparison(): void {
    const { comparison, run, selection, statistics } = this;
    if (comparison.active) {
      comparison.end();
    } else if (run !== null && selection !== null && statistics !== null) {
      comparison.keep(run, selection, statistics);
    }
    if (statistics !== null) {
      this.draw(statistics);
      this.node.querySelector<HTMLElement>('[data-action="compare"]')?.focus();
    }
  }

  private sentencesOf(run: Run, statistics: SelectionStatistics, compared: Compared | null): readonly string[] {
    const { trans, selection } = this;
    const hint = selection === null ? '' : this.comparison.hint(selection);
    return [hint, this.whose(run), ...noteWords(run, statistics, trans), ...(compared?.notes ?? [])].filter(Boolean);
  }

  private *sections(run: Run, statistics: SelectionStatistics, compared: Compared | null): Generator<HTMLElement> {
    const { trans } = this;
    yield* this.sentences.map(noteElement);
    if (compared !== null) {
      yield tableElement(compared.title, compared.table, this.actions);
      const more = compared.table.rows.length - LISTED;
      if (more > 0) {
        yield noteElement(trans._n('1 more figure', '%2 more figures', more, formatCount(more)));
      }
    }
    const { functions, slowest } = statistics;
    if (functions.length > 0) {
      const { open } = this.actions;
      const isolate = (row: number): void => this.actions.isolate(functions[row].name);
      const reveal = (row: number): void => this.actions.reveal(slowest[row]);
      yield tableElement(functionsHead(statistics, trans), this.table, { pick: isolate, open });
      if (functions.length > LISTED) {
        const more = functions.length - LISTED;
        yield noteElement(trans._n('1 more function', '%2 more functions', more, formatCount(more)));
      }
      yield tableElement(slowestHead(statistics, trans), slowestTable(run, statistics, trans), { pick: reveal, open });
    }
  }

  private compareButton(): HTMLButtonElement {
    const { trans } = this;
    const { active } = this.comparison;
    const button = this.button(
      active ? trans.__('End comparison') : trans.__('Compare'),
      active
        ? trans.__('Forget the figures that are kept as A')
        : trans.__('Keep these figures as A, to compare what is selected next with them'),
      () => this.toggleComparison()
    );
    button.dataset.action = 'compare';
    return button;
  }

  private button(text: string, title: string, onClick: () => void, action = ''): HTMLButtonElement {
    return element('button', { class: 'dp-Selection-button', text, title, data: { action }, onClick });
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

  /** How much of it is shown. */
  readonly fold: PanelFold;
  private readonly comparison: Comparison;
  private wanted: { readonly run: Run; readonly selection: Selection; readonly after: Seconds } | null = null;
  private run: Run | null = null;
  private selection: Selection | null = null;
  private steps: Generator<void, SelectionStatistics, void> | null = null;
  private table: TableData = { columns: [], rows: [] };
  private text: () => string = () => '';
  /** What the statistics are of, and what is not known of them. */
  private sentences: readonly string[] = [];
  private statistics: SelectionStatistics | null = null;
  /** What {@link statistics} are of. */
  private computed: Selection | null = null;
  private disposed = false;
  private readonly status = element('p', { class: 'dp-Selection-note', role: 'status' });
}
