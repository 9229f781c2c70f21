import { element, setHidden } from '../../../base/element';
import type { CssPixels } from '../../../base/units';

/** Height of the row of buttons, at the default font size. */
const TOOLS: CssPixels = 28;
/** A lower view has no buttons: keys, wheel and commands still work. */
const LOWEST: CssPixels = 150;

/**
 * What is above the picture of a timeline. Heights are fixed, not measured, so that the picture does not move when texts
 * change.
 */
export class Head {
  constructor(private readonly tools: { readonly node: HTMLElement; arrange(width: CssPixels): void }) {
    this.node.append(tools.node);
  }

  readonly node = element('div', { class: 'dp-Timeline-head' });

  /**
   * Arrange the rows. Returns their height.
   *
   * @param font - interface font size relative to the default
   */
  arrange(width: CssPixels, height: CssPixels, font: number): CssPixels {
    const low = height < LOWEST * font;
    setHidden(this.tools.node, low);
    this.tools.arrange(width / font);
    return low ? 0 : Math.round(TOOLS * font);
  }
}
