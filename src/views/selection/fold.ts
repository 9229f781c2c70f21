import { element, setAttribute, setData, setHidden, setText } from '../../base/element';
import type { CssPixels, Share } from '../../base/units';
import type { Translate } from '../../plot/plot';

/** In a lower view the statistics are one line, until all of them are asked for. */
const LOW: CssPixels = 360;
/** Height of that line. */
const LINE: CssPixels = 30;
/** Share of the height of a view that the statistics below its picture take. */
const BELOW: Share = 0.42;
/** Statistics that were asked for in a low view: some lines of their tables, and some of the picture. */
const SOME: CssPixels = 150;
const MOST: Share = 0.65;

/** How much of the statistics of a selection is shown below a picture: one line in a low view, all of them by a click. */
export class PanelFold {
  /**
   * @param node - the statistics; their style sheet hides all but their first line while `data-folded` is true
   * @param changed - they need another height
   */
  constructor(
    private readonly node: HTMLElement,
    private readonly trans: Translate,
    private readonly changed: () => void
  ) {
    this.button = element('button', {
      class: 'dp-Selection-button',
      data: { action: 'fold' },
      onClick: () => {
        this.opened = !this.opened;
        this.write();
        this.changed();
      }
    });
    this.write();
  }

  /** Shows all of them, or one line; hidden where there is room. */
  readonly button: HTMLButtonElement;

  /**
   * The height of the statistics below a picture.
   *
   * @param height - of picture and statistics
   * @param font - interface font size relative to the default
   */
  heightIn(height: CssPixels, font: number): CssPixels {
    this.low = height < LOW * font;
    this.write();
    if (this.folded) {
      return Math.round(LINE * font);
    }
    return Math.round(Math.max(BELOW * height, Math.min(SOME * font, MOST * height)));
  }

  private get folded(): boolean {
    return this.low && !this.opened;
  }

  private write(): void {
    const { button, folded, trans } = this;
    const title = folded ? trans.__('Show all statistics') : trans.__('Show one line of the statistics');
    setData(this.node, 'folded', String(folded));
    setHidden(button, !this.low);
    setText(button, folded ? '▸' : '▾');
    setAttribute(button, 'title', title);
    setAttribute(button, 'aria-label', title);
    setAttribute(button, 'aria-expanded', String(!folded));
  }

  private low = false;
  private opened = false;
}
