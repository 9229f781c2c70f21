import { element } from '../base/element';
import type { LegendItem, Translate } from '../plots/plot';

/**
 * The legend over a plot: every item is a switch. A click filters the item, a shift-click or double click leaves it
 * alone with all others off, and the same again shows all.
 */
export class Legend {
  readonly node = element('div', { class: 'dp-Legend', role: 'group' });

  /**
   * @param trans - translation of the tooltip and of the labels
   * @param onChange - told the ids that are off
   */
  constructor(
    private readonly trans: Translate,
    private readonly onChange: (hidden: readonly string[]) => void
  ) {
    this.node.setAttribute('aria-label', trans('Legend'));
    this.node.addEventListener('click', event => this.onClick(event));
    this.node.addEventListener('dblclick', event => this.isolate(idAt(event)));
  }

  /** Show items; does nothing while neither they nor what is hidden changed. */
  update(items: readonly LegendItem[], hidden: ReadonlySet<string>): void {
    const print = JSON.stringify([items, [...hidden]]);
    if (print === this.shown) {
      return;
    }
    this.shown = print;
    this.items = items;
    this.hidden = hidden;
    this.node.hidden = items.length === 0;
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.legend : undefined;
    this.node.replaceChildren(...items.map(item => this.draw(item)));
    if (focused !== undefined) {
      [...this.node.querySelectorAll('button')].find(button => button.dataset.legend === focused)?.focus();
    }
  }

  private draw(item: LegendItem): HTMLElement {
    const swatch = swatchOf(item);
    return element(
      'button',
      {
        class: 'dp-Legend-item',
        title: this.trans('%1: click filters, shift-click shows it alone', item.label),
        attributes: { 'aria-pressed': String(!this.hidden.has(item.id)) },
        data: { legend: item.id }
      },
      swatch,
      element('span', { text: item.label })
    );
  }

  private onClick(event: MouseEvent): void {
    const id = idAt(event);
    if (id === undefined || event.detail > 1) {
      return;
    }
    if (event.shiftKey) {
      this.isolate(id);
    } else {
      const hidden = new Set(this.hidden);
      if (!hidden.delete(id)) {
        hidden.add(id);
      }
      this.onChange([...hidden]);
    }
  }

  private isolate(id: string | undefined): void {
    if (id === undefined) {
      return;
    }
    const others = this.items.map(item => item.id).filter(other => other !== id);
    const alone = !this.hidden.has(id) && others.every(other => this.hidden.has(other));
    this.onChange(alone ? [] : others);
  }

  private shown = '';
  private items: readonly LegendItem[] = [];
  private hidden: ReadonlySet<string> = new Set();
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

function idAt(event: Event): string | undefined {
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-legend]') : null;
  return button?.dataset.legend;
}
