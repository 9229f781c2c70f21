import { element, setHidden } from '../../../base/element';
import type { CssPixels } from '../../../base/units';
import { MINIMAP_HEIGHT } from './minimap';

/** Heights of the rows, at the default font size; that of the overview is fixed. */
const TOOLS: CssPixels = 28;
const SEARCH: CssPixels = 28;
const COMPUTATIONS: CssPixels = 38;
const MINIMAP: CssPixels = MINIMAP_HEIGHT + 4;
/** Left and right of each row. */
const PADDING: CssPixels = 6;
/** A lower view has no buttons: keys, wheel and commands still work. */
const LOWEST: CssPixels = 150;
/** A lower view has no computations: they are in a pane of their own. */
const LOWEST_COMPUTATIONS: CssPixels = 240;
/** A lower view has no overview of the whole run. */
const LOWEST_MINIMAP: CssPixels = 320;

/**
 * What is above the picture of a timeline. Heights are fixed, not measured, so that the picture does not move when texts
 * change.
 */
export class Head {
  constructor(
    private readonly tools: { readonly node: HTMLElement; arrange(width: CssPixels): void },
    private readonly search: { readonly node: HTMLElement },
    private readonly computations: { readonly node: HTMLElement; readonly filled: boolean },
    private readonly minimap: { readonly node: HTMLElement; arrange(width: CssPixels): void }
  ) {
    this.node.append(tools.node, search.node, computations.node, minimap.node);
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
    const without = !this.computations.filled || height < LOWEST_COMPUTATIONS * font;
    setHidden(this.computations.node, without);
    const search = this.search.node.hidden ? 0 : SEARCH;
    const alone = height < LOWEST_MINIMAP * font;
    setHidden(this.minimap.node, alone);
    this.minimap.arrange(width - 2 * PADDING);
    return Math.round(((low ? 0 : TOOLS) + search + (without ? 0 : COMPUTATIONS)) * font) + (alone ? 0 : MINIMAP);
  }
}
