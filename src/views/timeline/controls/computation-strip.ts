import { makeRoving, settle } from '../../../base/dom/roving';
import { element, setAttribute, setHidden, setText } from '../../../base/element';
import { formatCount, formatEstimate } from '../../../base/format';
import type { Seconds } from '../../../base/units';
import type { Translate } from '../../../plot/plot';
import type { Run } from '../../../run/run';
import { selectionOf } from '../../../run/selection/selection';
import type { Computation } from '../../../run/tables/computations';
import { figureWords } from '../../../selectors/computations/busy';
import { timeLeft } from '../../../selectors/rates/time-left';
import { codeWords, ranIn } from '../../../selectors/tasks/computation-words';

/** Boxes; earlier computations are in the pane of computations. */
const MOST_BOXES = 30;
const BUTTONS = 'button:not([hidden])';

/** Callbacks of the strip. */
export interface StripEvents {
  /** A box was clicked. */
  show(computation: Computation): void;
  /** The number of earlier computations was clicked. */
  showAll(): void;
}

interface Box {
  readonly node: HTMLButtonElement;
  readonly code: HTMLElement;
  readonly figures: HTMLElement;
  computation: Computation;
}

/**
 * The newest computations as boxes above a timeline, in order of time; the one in view is marked.
 *
 * Guarantees: an element is kept while its computation is listed, so that focus and scroll position stay. A new one is scrolled
 * into view, unless the user has scrolled back, or has selected an earlier one, which then stays in view. It has one Tab stop: the
 * focused box, else the one in view, else the newest; the arrow keys lead to the others.
 */
export class ComputationStrip {
  constructor(
    private readonly trans: Translate,
    private readonly events: StripEvents
  ) {
    this.node.setAttribute('aria-label', trans.__('Computations'));
    this.earlier = element('button', {
      class: 'dp-Timeline-earlier',
      title: trans.__('All computations in a pane'),
      onClick: () => events.showAll()
    });
    this.node.append(this.earlier);
    makeRoving(this.node, BUTTONS, 'row');
    this.node.addEventListener('scroll', () => {
      const { scrollLeft, scrollWidth, clientWidth } = this.node;
      this.atEnd = scrollLeft + clientWidth >= scrollWidth - 1;
      this.leftEnd &&= scrollLeft === this.placed;
    });
    // The first boxes come while the strip is hidden. To ask in each frame whether it is would cost a layout of the page each time.
    new ResizeObserver(() => this.scroll()).observe(this.node);
    this.node.addEventListener(
      'wheel',
      event => {
        if (event.deltaX === 0 && !event.ctrlKey) {
          const { scrollLeft } = this.node;
          this.node.scrollLeft += event.deltaY;
          // At its end, and where all is in view, the page scrolls.
          if (this.node.scrollLeft !== scrollLeft) {
            event.preventDefault();
          }
        }
      },
      { passive: false }
    );
  }

  readonly node = element('div', { class: 'dp-Timeline-computations', role: 'toolbar' });

  /** Whether there is anything to show. */
  get filled(): boolean {
    return this.boxes.size > 0;
  }

  /** Show the computations of a run; `from` to `to` is in view. */
  update(run: Run, from: Seconds, to: Seconds): void {
    const list = run.computations.list.filter(({ values }) => values.tasks > 0 || values.left > 0 || values.erred_before > 0);
    const shown = list.slice(0, MOST_BOXES).reverse();
    const hidden = list.length - shown.length + run.computations.dropped;
    setHidden(this.earlier, hidden <= 0);
    setText(this.earlier, this.trans._n('1 earlier', '%2 earlier', hidden, formatCount(hidden)));
    const ids = new Set(shown.map(({ id }) => id));
    for (const [id, { node }] of this.boxes) {
      if (!ids.has(id)) {
        node.remove();
        this.boxes.delete(id);
      }
    }
    const inView = mostIn(run, shown, from, to);
    const hasNew = shown.some(({ id }) => !this.boxes.has(id));
    let before: Element = this.earlier;
    for (const computation of shown) {
      const { node, code, figures } = this.box(computation);
      setText(code, codeWords(run, computation, this.trans));
      setText(figures, this.figures(run, computation));
      setAttribute(node, 'aria-current', String(computation === inView));
      // Earlier ones come back where the clock of a recording goes back.
      if (before.nextElementSibling !== node) {
        before.after(node);
      }
      before = node;
    }
    this.placeTabStop(inView);
    const chosen = this.choose(run);
    if (hasNew || chosen) {
      // With its words: a box is narrower before.
      this.scroll();
    }
  }

  private placeTabStop(inView: Computation | null): void {
    const buttons = [...this.node.querySelectorAll<HTMLElement>(BUTTONS)];
    const focused = buttons.find(button => button === document.activeElement);
    settle(buttons, focused ?? this.boxes.get(inView?.id ?? Number.NaN)?.node ?? buttons.at(-1));
  }

  private figures(run: Run, computation: Computation): string {
    const left = timeLeft(run, computation);
    const words = figureWords(run, computation, this.trans);
    return Number.isFinite(left) ? `${words} · ${this.trans.__('%1 remaining', formatEstimate(left))}` : words;
  }

  /** Take the selected computation. Returns whether it is another one, or none any more. */
  private choose(run: Run): boolean {
    const { computation } = selectionOf(run).current;
    const chosen = computation?.run === run.identity ? computation.id : null;
    if (chosen === this.chosen) {
      return false;
    }
    this.chosen = chosen;
    this.due = chosen !== null;
    this.atEnd ||= chosen === null && this.leftEnd;
    return true;
  }

  private scroll(): void {
    const { node, atEnd } = this;
    if (atEnd) {
      node.scrollLeft = node.scrollWidth;
    }
    // Once, as soon as there is a layout.
    const box = this.due ? this.boxes.get(this.chosen ?? Number.NaN)?.node : undefined;
    if (box !== undefined && node.clientWidth > 0) {
      this.due = false;
      const [seen, at] = [node.getBoundingClientRect(), box.getBoundingClientRect()];
      const by = at.left < seen.left ? at.left - seen.left : Math.max(0, at.right - seen.right);
      node.scrollLeft += by;
      this.leftEnd ||= atEnd && by < 0;
    }
    this.placed = node.scrollLeft;
  }

  private box(computation: Computation): Box {
    let box = this.boxes.get(computation.id);
    if (box === undefined) {
      const code = element('bdi', { class: 'dp-Timeline-code' });
      const figures = element('span', { class: 'dp-Timeline-figures' });
      const title = this.trans.__('Show this computation and select its time');
      const node = element('button', { class: 'dp-Timeline-computation', title }, code, figures);
      const made: Box = { node, code, figures, computation };
      node.addEventListener('click', () => this.events.show(made.computation));
      this.boxes.set(computation.id, made);
      box = made;
    }
    box.computation = computation;
    return box;
  }

  private readonly earlier: HTMLElement;
  /** Whether the newest box is in sight: as long as the user does not scroll back. */
  private atEnd = true;
  /** The selected computation; `null` if none is. */
  private chosen: number | null = null;
  /** Whether its box has not been brought into sight. */
  private due = false;
  /** Whether the newest box went out of sight for that of the selected computation, and the user has not scrolled since. */
  private leftEnd = false;
  /** Where the strip was scrolled to, other than by the user. */
  private placed = 0;
  private readonly boxes = new Map<number, Box>();
}

/** The computation with most time in a period; of equal ones the newest. */
function mostIn(run: Run, list: readonly Computation[], from: Seconds, to: Seconds): Computation | null {
  let best: Computation | null = null;
  let most = 0;
  for (const computation of list) {
    // One that waits takes no time from the one that runs.
    const period = ranIn(run, computation);
    const share = period === null ? 0 : Math.min(to, period.to) - Math.max(from, period.from);
    if (share > 0 && share >= most) {
      best = computation;
      most = share;
    }
  }
  return best;
}
