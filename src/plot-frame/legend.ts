import { element, setHidden, setText } from '../base/element';
import { Press } from '../base/dom/press';
import type { LegendItem, Translate } from '../plot/plot';
import { LEGEND_RANK_EVENT } from '../selectors/tasks/task-legend';
import type { MenuItem } from './menu-item';

/** Opens a menu at an element: JupyterLab's in a pane, a simple one in a report. */
export type MenuOpener = (items: readonly MenuItem[], anchor: HTMLElement) => void;

/** Default number of lines of a legend. */
const DEFAULT_LINES = 3;

/**
 * The legend above a plot: every item is a switch, except for those that only explain. A click toggles the item, a shift-click or
 * double click hides all others, and the same again shows all. Items that do not fit are in a menu behind "+ 9": those that the
 * view ranks highest are shown.
 */
export class Legend {
  readonly node = element('div', { class: 'dp-Legend', role: 'group' });

  /**
   * @param trans - translation of the tooltip and of the labels
   * @param onChange - called with the ids that are off
   * @param openMenu - shows items that do not fit
   */
  constructor(
    private readonly trans: Translate,
    private readonly onChange: (hidden: readonly string[]) => void,
    private readonly openMenu: MenuOpener
  ) {
    this.node.setAttribute('aria-label', trans.__('Legend'));
    this.node.addEventListener('click', event => this.onClick(event));
    this.node.addEventListener('dblclick', event => this.isolate(idAt(event), this.beforeClick));
    this.more = element('button', {
      class: 'dp-Legend-item dp-Legend-more',
      attributes: { 'aria-haspopup': 'menu' },
      onClick: () => this.openRest()
    });
    this.resizing.observe(this.node);
    this.node.addEventListener('mouseleave', () => this.fit());
  }

  dispose(): void {
    this.resizing.disconnect();
    this.press.dispose();
    cancelAnimationFrame(this.due);
  }

  /** Take the ranks that the view in an element tells. */
  rankBy(body: HTMLElement): void {
    body.addEventListener(LEGEND_RANK_EVENT, event => {
      this.ranks = new Map(((event as CustomEvent).detail as readonly string[]).map((id, rank) => [id, rank]));
      this.fitSoon();
    });
  }

  /** Show items; does nothing if neither they nor the hidden ones changed. */
  update(items: readonly LegendItem[], hidden: ReadonlySet<string>): void {
    this.afterPress = () => {
      this.update(items, hidden);
      this.fit();
    };
    if (this.press.holds(this.afterPress)) {
      return;
    }
    this.afterPress = () => this.fit();
    const print = JSON.stringify([items, [...hidden]]);
    if (print === this.shown) {
      return;
    }
    this.shown = print;
    this.items = items;
    this.hidden = hidden;
    setHidden(this.node, items.length === 0);
    const focused = this.focused();
    this.given = items.map(item => this.draw(item));
    this.place(sortedBy(this.given, new Map(this.drawn.map(({ dataset }, at) => [dataset.legend, at]))));
    this.fit();
    // The styles of a new theme may not be loaded yet.
    this.fitSoon();
    this.focus(focused);
  }

  /** The item with the focus: another pane may have the same. */
  private focused(): string | undefined {
    const { activeElement: active } = document;
    return active instanceof HTMLElement && this.node.contains(active) ? active.dataset.legend : undefined;
  }

  private focus(id: string | undefined): void {
    if (id !== undefined) {
      this.drawn.find(({ dataset }) => dataset.legend === id)?.focus();
    }
  }

  private place(drawn: readonly HTMLElement[]): void {
    if (this.drawn !== drawn) {
      this.drawn = drawn;
      this.node.replaceChildren(...drawn, this.more);
    }
  }

  private draw(item: LegendItem): HTMLElement {
    const { id, label } = item;
    const plain = { class: 'dp-Legend-item', data: { legend: id } };
    const content = [swatchOf(item), element('span', { text: label })];
    if (item.inert === true) {
      return element('span', { ...plain, title: label }, ...content);
    }
    const title = this.trans.__('%1: click filters, shift-click shows it alone', label);
    const attributes = { 'aria-pressed': String(!this.hidden.has(id)) };
    return element('button', { ...plain, title, attributes }, ...content);
  }

  private onClick(event: MouseEvent): void {
    const id = idAt(event);
    if (id === undefined || event.detail > 1) {
      return;
    }
    this.beforeClick = this.hidden;
    if (event.shiftKey) {
      this.isolate(id, this.hidden);
    } else {
      this.toggle(id);
    }
  }

  private toggle(id: string): void {
    const hidden = new Set(this.hidden);
    if (!hidden.delete(id)) {
      hidden.add(id);
    }
    this.onChange([...hidden]);
  }

  /** In the next frame, since fitting changes the height, which the observer would report again. */
  private onResize(): void {
    const { offsetWidth, offsetHeight } = this.node;
    if (offsetWidth !== this.width || offsetHeight !== this.height) {
      this.width = offsetWidth;
      this.fitSoon();
    }
  }

  private fitSoon(): void {
    cancelAnimationFrame(this.due);
    this.due = requestAnimationFrame(() => {
      this.fit();
      this.height = this.node.offsetHeight;
    });
  }

  /** The items in order while all fit, else as they are ranked; below the pointer they keep their order. */
  private fit(): void {
    if (this.press.holds(this.afterPress)) {
      return;
    }
    if (this.node.matches(':hover')) {
      this.fold();
      return;
    }
    const focused = this.focused();
    this.place(this.given);
    if (!this.fold() && this.ranks.size > 0) {
      this.place(sortedBy(this.given, this.ranks));
      this.fold();
    }
    if (this.focused() !== focused) {
      this.focus(focused);
    }
  }

  /** Show as many items as fit in the lines given by the style, and the number of the rest. Returns whether all fit. */
  private fold(): boolean {
    const { drawn, more } = this;
    for (const item of drawn) {
      item.hidden = false;
    }
    more.hidden = true;
    const lines = Number(getComputedStyle(this.node).getPropertyValue('--dp-legend-lines')) || DEFAULT_LINES;
    const first = drawn[0];
    const bottom = first === undefined ? 0 : first.offsetTop + lines * first.offsetHeight;
    let shown = drawn.findIndex(item => item.offsetTop >= bottom);
    if (shown < 0 || bottom === 0) {
      return true;
    }
    more.hidden = false;
    for (let i = shown; i < drawn.length; i++) {
      drawn[i].hidden = true;
    }
    this.count(drawn.length - shown);
    // The number needs space too: it replaces the last items, but not the first.
    while (shown > 1 && more.offsetTop >= bottom) {
      shown -= 1;
      drawn[shown].hidden = true;
      this.count(drawn.length - shown);
    }
    return false;
  }

  private count(rest: number): void {
    setText(this.more, `+ ${rest}`);
    this.more.title = this.drawn
      .slice(-rest)
      .map(item => item.textContent)
      .join(', ');
    this.more.setAttribute('aria-label', this.trans.__('%1 more in the legend', rest));
  }

  private openRest(): void {
    const hidden = new Set(this.drawn.filter(item => item.hidden).map(({ dataset }) => dataset.legend));
    const rest = this.items.filter(({ id }) => hidden.has(id));
    const items = rest.map(item => ({
      label: item.label,
      swatch: item,
      ...(item.inert === true ? { enabled: false } : { checked: !this.hidden.has(item.id) }),
      run: () => this.toggle(item.id)
    }));
    this.openMenu(items, this.more);
  }

  /** @param hidden - what was hidden before: the first click of a double click has changed it */
  private isolate(id: string | undefined, hidden: ReadonlySet<string>): void {
    if (id === undefined) {
      return;
    }
    const others = this.items.filter(item => item.inert !== true && item.id !== id).map(item => item.id);
    const alone = !hidden.has(id) && others.every(other => hidden.has(other));
    this.onChange(alone ? [] : others);
  }

  private readonly more: HTMLButtonElement;
  /** In the order of the plot, and as they are shown. */
  private given: readonly HTMLElement[] = [];
  private drawn: readonly HTMLElement[] = [];
  private ranks: ReadonlyMap<string | undefined, number> = new Map();
  private width = 0;
  /** Height after fitting; a different height means that fonts or styles changed. */
  private height = 0;
  private due = 0;
  private readonly press = new Press(this.node);
  /** What was put off while the legend was pressed: fitting must not replace an update. */
  private afterPress = (): void => this.fit();
  private readonly resizing = new ResizeObserver(() => this.onResize());
  private shown = '';
  private items: readonly LegendItem[] = [];
  private hidden: ReadonlySet<string> = new Set();
  private beforeClick = this.hidden;
}

/** A swatch of 12 × 10 pixels with its pattern; style/ draws the patterns. */
export function swatchOf(item: Pick<LegendItem, 'colour' | 'pattern' | 'outlined'>): HTMLElement {
  const swatch = element('span', {
    class: 'dp-Swatch',
    attributes: { 'aria-hidden': 'true' },
    data: { pattern: item.pattern, ...(item.outlined ? { outlined: 'true' } : {}) }
  });
  swatch.style.setProperty('--dp-swatch', item.colour);
  return swatch;
}

/** Items by the rank of their ids; those without one are last, in the order given. */
function sortedBy(items: readonly HTMLElement[], ranks: ReadonlyMap<string | undefined, number>): readonly HTMLElement[] {
  const rank = ({ dataset }: HTMLElement): number => ranks.get(dataset.legend) ?? Number.MAX_SAFE_INTEGER;
  return [...items].sort((a, b) => rank(a) - rank(b));
}

function idAt(event: Event): string | undefined {
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>('button[data-legend]') : null;
  return button?.dataset.legend;
}
