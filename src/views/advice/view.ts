import { DisposableDelegate } from '@lumino/disposable';
import type { Advice, Sought, Verdict } from '../../advice/advice';
import { hideCauses } from '../../advice/hidden';
import { isSharedLate, lastSharedOf, sharedVerdictOf } from '../../advice/cells/shared';
import type { TopVerdict } from '../../advice/cells/top-verdict';
import { foundAsOf, wordsAsOf } from '../../advice/headline/as-of';
import { adviceChanged, adviceOf, advicePace, askedAbout, askedPeriod, showEvidence } from '../../advice/shown';
import { type AskedPeriod, goesOn } from '../../advice/period';
import { besideCellWords, headlineOf, mostlyWorkerless, periodWords, savingWords, visibleVerdicts } from '../../advice/words';
import { shareWords } from '../../advice/headline/shares';
import { element, setAttribute, setData, setHidden, setText } from '../../base/element';
import { Press } from '../../base/dom/press';
import type { CssPixels, Milliseconds, Seconds } from '../../base/units';
import { flows, isRecorded } from '../../feed/feed';
import type { Translate } from '../../plot/plot';
import { isEmpty, selectionOf } from '../../run/selection/selection';
import { selectedBy } from '../../selectors/computations/selected';
import { PacedView } from '../paced-view';
import { Summary } from '../summary';
import type { ViewHost } from '../view';
import { CellLine, isPartOf, unlistedCauses } from './cell-line';
import { Folded } from './folded';
import { setUnfolded, verdictItem } from './verdict';

/** Narrower panes have one column. */
const NARROW: CssPixels = 420;
/** In lower panes each cause is one line, until it is clicked. */
const LOW: CssPixels = 180;
/** A slider that is dragged moves the clock more often than advice can be computed. */
const SETTLED: Milliseconds = 100;

/**
 * What holds the run back, as a list in the order of {@link Advice.verdicts}.
 *
 * Guarantees:
 * 1. Advice is computed after the frame, at most once a second, and only while the view is visible.
 * 2. What is said of a moment of a recording goes as soon as another moment is chosen.
 * 3. An unchanged verdict keeps its element, and so focus and selected text; no element changes while it is pressed.
 */
export class AdviceView extends PacedView {
  override readonly node = element('div', { class: 'dp-Advice', role: 'region', attributes: { tabindex: '0' } });

  constructor(host: ViewHost) {
    super(host);
    const { trans } = host;
    this.list.setAttribute('aria-label', trans.__('Causes of lost time'));
    this.head.append(this.saving, this.shares, this.period);
    this.cell = new CellLine(trans, {
      show: (verdict, asked) => this.show(verdict, asked),
      narrow: ({ from, to, computation }) => {
        // The line goes with its buttons; Escape is for the list.
        this.focus();
        const { run } = this.shown;
        const found = computation === undefined ? undefined : run.computations.find(computation);
        selectionOf(run).show((found && selectedBy(run, found)) ?? { period: { from, to } });
      }
    });
    this.node.append(this.head, this.cell.node, this.list, this.hiddenOnes, this.unknown.node, this.absent.node);
    this.press = this.own(new Press(this.node));
    const selection = selectionOf(host.run);
    selection.changed.connect(this.requestDraw, this);
    const changed = adviceChanged(host.run);
    changed.connect(this.onShared, this);
    // Whether the figures are the present ones.
    host.feed?.stateChanged.connect(this.requestDraw, this);
    this.node.addEventListener('keydown', event => {
      if (event.key === 'Escape' && !isEmpty(selection.current)) {
        event.preventDefault();
        selection.clear();
      }
    });
    this.own(
      new DisposableDelegate(() => {
        selection.changed.disconnect(this.requestDraw, this);
        changed.disconnect(this.onShared, this);
        host.feed?.stateChanged.disconnect(this.requestDraw, this);
        clearTimeout(this.due);
        clearTimeout(this.settled);
      })
    );
  }

  override update(): void {
    const { run, feed } = this.host;
    const moved = !flows(feed) && run.clock.latest !== this.moment;
    this.moment = run.clock.latest;
    super.update();
    if (moved) {
      clearTimeout(this.settled);
      this.settled = setTimeout(() => this.requestDraw(), SETTLED);
    }
  }

  override resize(width: CssPixels, height: CssPixels): void {
    setData(this.node, 'narrow', String(width < NARROW * this.fontScale));
    setData(this.node, 'low', String(height < LOW * this.fontScale));
  }

  override focus(): void {
    this.node.focus({ preventScroll: true });
  }

  protected override get pace(): Milliseconds {
    return advicePace(this.shown.run);
  }

  /** In a frame only the order is given, so that a long computation does not delay other pictures. */
  protected override draw(now: Milliseconds): void {
    if (this.computing) {
      this.write(now);
    } else {
      this.due ??= setTimeout(() => this.compute());
    }
  }

  private compute(): void {
    this.due = undefined;
    if (this.press.holds(() => this.requestDraw())) {
      return;
    }
    this.computing = true;
    this.drawAtOnce();
    this.computing = false;
  }

  /** A card or the sidebar has said something else of the same cell. */
  private onShared(): void {
    const { trans, hidden } = this.context();
    const last = lastSharedOf(this.shown.run, hidden, trans);
    if (!this.computing && this.shared !== null && last !== null && last !== this.shared) {
      this.requestDraw();
    }
  }

  private write(now: Milliseconds): void {
    const { trans, hidden } = this.context();
    const { run } = this.shown;
    const asked = askedPeriod(run);
    hideCauses(run, hidden);
    const { feed } = this.host;
    const state = feed?.state ?? null;
    // Marks on time axes show the same verdict, whether or not a card or the sidebar is visible.
    this.shared = asked === null && feed !== null && !isRecorded(feed) ? sharedVerdictOf(run, hidden, trans, now) : null;
    if (this.shared !== null && isSharedLate(run)) {
      // It is of a moment ago: there may be no other news.
      this.update();
    }
    const advice = adviceOf(run, asked, trans);
    const unlisted = unlistedCauses(this.shared, advice, hidden);
    this.cell.write(this.shared, unlisted);
    const found = advice.verdicts.length > 0;
    setData(this.node, 'found', String(found));
    // Where the line below names a cause of this time, there is one.
    const part = this.shared !== null && isPartOf(this.shared, advice) ? this.shared : null;
    const isBeside = advice.verdicts.length === 0 && part !== null && part.verdict !== null && part.cell !== '';
    setText(
      this.saving,
      isBeside ? besideCellWords(advice, trans) : savingWords(advice, hidden, trans, goesOn(run, advice.period))
    );
    setText(this.shares, advice.period === null ? '' : shareWords(advice, trans, hidden).join(' · '));
    const period = periodWords(run, advice, askedAbout(run), trans);
    setText(this.period, period === '' ? '' : wordsAsOf(run, state, period, trans));
    // A low pane has them in one line, of which an end may be cut off.
    const whole = [this.saving, this.shares, this.period].flatMap(({ textContent }) => textContent || []);
    setAttribute(this.head, 'title', whole.join('\n'));
    this.writeList(advice, asked, hidden);
    this.writeHidden(advice, hidden, trans);
    this.unknown.write(
      trans.__('Could not be checked: %1.', titlesOf(advice.unknown)),
      advice.unknown.map(({ title, why }) => `${title}: ${why}`)
    );
    const said = new Set((part === null ? [] : [...unlisted, part.verdict]).map(each => each?.cause));
    const absent = advice.absent.filter(({ cause }) => !said.has(cause));
    this.absent.write(
      trans._n('Checked and not found: 1 cause', 'Checked and not found: %2 causes', absent.length, absent.length),
      absent.map(({ title }) => title)
    );
    const headline = (): string => (isBeside ? besideCellWords(advice, trans) : headlineOf(advice, hidden, trans));
    this.summary.renew(() => foundAsOf(run, state, headline(), trans), now);
  }

  private writeList(advice: Advice, asked: AskedPeriod | null, hidden: ReadonlySet<string>): void {
    const { host } = this;
    const hide = host.hide && ((verdict: Verdict) => host.hide?.([...this.host.context.hidden, verdict.cause]));
    const show = (verdict: Verdict): void => this.show(verdict, asked);
    const unfold = (item: HTMLElement, { cause }: Verdict): void => {
      if (!this.unfolded.delete(cause)) {
        this.unfolded.add(cause);
      }
      setUnfolded(item, this.unfolded.has(cause));
    };
    const before = this.items;
    this.items = new Map();
    for (const verdict of visibleVerdicts(advice, hidden)) {
      const workerless = mostlyWorkerless(advice, verdict);
      const print = JSON.stringify([verdict, asked, workerless]);
      const known = before.get(verdict.cause);
      const item =
        known?.print === print
          ? known
          : {
              print,
              node: verdictItem({ verdict, workerless }, this.unfolded.has(verdict.cause), { show, unfold, hide }, host.trans)
            };
      this.items.set(verdict.cause, item);
    }
    const nodes = [...this.items.values()].map(({ node }) => node);
    if (nodes.length !== this.list.children.length || nodes.some((node, i) => node !== this.list.children[i])) {
      const focused = focusIn(this.list);
      this.list.replaceChildren(...nodes);
      focused();
    }
    setHidden(this.list, nodes.length === 0);
  }

  /** Causes that the user has hidden, each with a way back. */
  private writeHidden(advice: Advice, hidden: ReadonlySet<string>, trans: Translate): void {
    const all: readonly Sought[] = [...advice.verdicts, ...advice.absent, ...advice.unknown];
    const hiddenOnes = all.filter(({ cause }) => hidden.has(cause)).sort((a, b) => (a.cause < b.cause ? -1 : 1));
    const print = hiddenOnes.map(({ cause }) => cause).join();
    if (print !== this.hiddenShown) {
      this.hiddenShown = print;
      const buttons = hiddenOnes.map(({ cause, title }) =>
        element('button', {
          class: 'dp-Link',
          text: trans.__('%1: show again', title),
          data: { cause },
          onClick: () => this.host.hide?.([...this.host.context.hidden].filter(id => id !== cause))
        })
      );
      const focused = this.hiddenOnes.contains(document.activeElement);
      this.hiddenOnes.replaceChildren(trans.__('Hidden:'), ...buttons);
      if (focused) {
        this.focus();
      }
    }
    setHidden(this.hiddenOnes, hiddenOnes.length === 0);
  }

  private show(verdict: Verdict, asked: AskedPeriod | null): void {
    showEvidence(this.shown.run, verdict, asked);
    this.host.open(verdict.evidence.plot, {});
  }

  private readonly press: Press;
  private readonly cell: CellLine;
  private due: ReturnType<typeof setTimeout> | undefined;
  private settled: ReturnType<typeof setTimeout> | undefined;
  /** Of the run's clock at the last news. */
  private moment: Seconds = this.host.run.clock.latest;
  private computing = false;
  /** What is said of the newest cell; `null` where nothing is. */
  private shared: TopVerdict | null = null;
  private items = new Map<string, { readonly print: string; readonly node: HTMLElement }>();
  /** Causes of which all is shown in a low pane. */
  private readonly unfolded = new Set<string>();
  private hiddenShown = '';
  private readonly saving = element('strong', { class: 'dp-Advice-saving' });
  private readonly shares = element('span', { class: 'dp-Advice-shares' });
  private readonly period = element('span', { class: 'dp-Advice-period' });
  private readonly head = element('header', { class: 'dp-Advice-head' });
  private readonly list = element('ol', { class: 'dp-Advice-list' });
  private readonly hiddenOnes = element('p', { class: 'dp-Advice-hidden' });
  private readonly unknown = new Folded();
  private readonly absent = new Folded('dp-Advice-absent');
  private readonly summary = new Summary(this.node);
}

/** Titles on one line, as parts of a sentence. */
function titlesOf(sought: readonly Sought[]): string {
  return sought.map(({ title }) => title).join(', ');
}

/** Returns a function that focuses the same action of the same verdict again, if one was focused. */
function focusIn(list: HTMLElement): () => void {
  const { activeElement } = document;
  const focused = activeElement instanceof HTMLElement && list.contains(activeElement) ? activeElement : null;
  const cause = focused?.closest<HTMLElement>('[data-cause]')?.dataset.cause;
  const action = focused?.dataset.action;
  return () => {
    if (cause !== undefined && action !== undefined) {
      list.querySelector<HTMLElement>(`[data-cause="${cause}"] [data-action="${action}"]`)?.focus({ preventScroll: true });
    }
  };
}
