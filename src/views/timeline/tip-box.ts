import { element, setText } from '../../base/element';
import type { CssPixels } from '../../base/units';
import type { Box } from './overlay';
import type { TooltipContent } from '../../plots/plot';

const OFFSET: CssPixels = 8;

/** The tooltip of a timeline: text only; pinned by a click, then selectable. */
export class TipBox {
  readonly node = element('div', { class: 'dp-Timeline-tip', role: 'tooltip', attributes: { hidden: '' } });

  get pinned(): boolean {
    return this.node.dataset.pinned !== undefined;
  }

  /** Show a tip beside `anchor` (CSS pixels within `bounds`, the element that holds this one). */
  show(tip: TooltipContent, x: CssPixels, anchor: Box, bounds: { width: CssPixels; height: CssPixels }): void {
    const swatch = element('span', { class: 'dp-Swatch', data: { pattern: tip.pattern ?? 'none' } });
    swatch.style.setProperty('--dp-swatch', tip.colour ?? 'transparent');
    const rows = tip.rows.flatMap(([name, value]) => [element('dt', { text: name }), element('dd', { text: value })]);
    this.node.replaceChildren(
      element(
        'div',
        { class: 'dp-Timeline-tipHead' },
        swatch,
        element('strong', { text: tip.title }),
        element('span', { text: tip.state ?? '' })
      ),
      this.key,
      element('dl', {}, ...rows),
      element('div', { class: 'dp-Timeline-tipHint', text: tip.hint ?? '' })
    );
    setText(this.key, tip.key ?? '');
    this.node.hidden = false;
    this.place(x, anchor, bounds);
  }

  /** The key came: it is all that changes. */
  setKey(key: string): void {
    setText(this.key, key);
  }

  pin(): void {
    this.node.dataset.pinned = '';
  }

  hide(): void {
    this.node.hidden = true;
    delete this.node.dataset.pinned;
  }

  /** Beside the pointer, over or under the row, never on it. */
  private place(x: CssPixels, anchor: Box, bounds: { width: CssPixels; height: CssPixels }): void {
    const { offsetWidth: width, offsetHeight: height } = this.node;
    const right = x + OFFSET;
    const left = right + width <= bounds.width ? right : Math.max(0, x - OFFSET - width);
    const below = anchor.y + anchor.height + OFFSET;
    const above = anchor.y - OFFSET - height;
    const top = below + height <= bounds.height || above < 0 ? below : above;
    this.node.style.left = `${left}px`;
    this.node.style.top = `${top}px`;
  }

  private readonly key = element('div', { class: 'dp-Timeline-tipKey' });
}
