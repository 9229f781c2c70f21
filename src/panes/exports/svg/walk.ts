/** The elements of a page as SVG, in the order in which the browser draws them. */
import { drawBox, drawMarker, lengthOf } from './boxes';
import { Colours } from './colours';
import { addImage, drawCanvas, insertChart, insertSymbol, textOfField } from './content';
import type { Measure } from './font';
import type { SvgOutput } from './output';
import { type TextPlace, Texts } from './texts';

type Pseudo = '::before' | '::after';

/** What is visible where an element is. */
interface Within {
  readonly clip: DOMRect;
  readonly cutAt: number;
}

/** Draws elements. The page must not change meanwhile. */
export class Walk {
  /** @param charts - SVG of elements that are charts */
  constructor(
    private readonly out: SvgOutput,
    private readonly measure: Measure,
    private readonly charts: ReadonlyMap<Element, string>
  ) {
    this.texts = new Texts(out, measure, this.colours);
  }

  /** Draw an element and what is in it, as far as it is in a rectangle. */
  draw(element: Element, within: Within): void {
    const style = getComputedStyle(element);
    const opacity = Number(style.opacity || 1);
    // What is clipped by a path is for screen readers only.
    if (style.display === 'none' || opacity === 0 || /[a-z]\(/.test(style.clipPath)) {
      return;
    }
    if (opacity < 1) {
      this.out.open('g', { opacity });
    }
    this.drawVisible(element, style, within);
    if (opacity < 1) {
      this.out.close('g');
    }
  }

  private drawVisible(element: Element, style: CSSStyleDeclaration, within: Within): void {
    const box = element.getBoundingClientRect();
    const { clip } = within;
    const near = box.right > clip.left && box.left < clip.right && box.bottom > clip.top && box.top < clip.bottom;
    const shown = style.visibility === 'visible';
    if (shown && near) {
      drawBox(this.out, style, box, this.colours);
      drawMarker(this.out, style, box, this.colours);
      if (this.drawContent(element, style, box, within)) {
        return;
      }
    }
    if (element instanceof SVGElement || element instanceof HTMLCanvasElement || element instanceof HTMLSelectElement) {
      return;
    }
    const cuts = style.overflowX !== 'visible' || style.overflowY !== 'visible';
    const inside = cuts ? innerOf(element, style, box, within) : within;
    if (cuts && (inside.clip.width <= 0 || inside.clip.height <= 0)) {
      return;
    }
    const limits = cuts && (element.childElementCount > 0 || overflows(element)) ? inside.clip : null;
    if (limits !== null) {
      this.out.open('g', { 'clip-path': this.out.clip(limits.x, limits.y, limits.width, limits.height) });
    }
    this.drawChildren(element, style, inside, shown);
    if (limits !== null) {
      this.out.close('g');
    }
  }

  /** Draw an element without children, or whose content is drawn differently from the page. Returns whether it is one. */
  private drawContent(element: Element, style: CSSStyleDeclaration, box: DOMRect, { clip }: Within): boolean {
    const chart = this.charts.get(element);
    const field = textOfField(element);
    if (chart !== undefined) {
      insertChart(this.out, chart, box);
    } else if (element instanceof HTMLCanvasElement) {
      drawCanvas(this.out, element, box, this.measure);
    } else if (element instanceof SVGSVGElement) {
      insertSymbol(this.out, element, box, this.colours);
    } else if (element instanceof HTMLImageElement) {
      addImage(this.out, element, box);
    } else if (field !== null) {
      const left = box.left + lengthOf(style.borderLeftWidth) + lengthOf(style.paddingLeft);
      const cutAt = box.right - lengthOf(style.borderRightWidth) - lengthOf(style.paddingRight);
      this.inMiddle(field, left, box, { style, clip, cutAt });
    } else {
      return false;
    }
    return true;
  }

  private drawChildren(element: Element, style: CSSStyleDeclaration, within: Within, shown: boolean): void {
    if (shown) {
      this.drawPseudo(element, '::before', within);
    }
    const closed = element instanceof HTMLDetailsElement && !element.open;
    const nodes = closed ? element.querySelectorAll(':scope > summary') : element.childNodes;
    const children = [...nodes].map(node => ({ node, level: node instanceof Element ? levelOf(node) : 0 }));
    for (const { node } of children.sort((a, b) => a.level - b.level)) {
      if (node instanceof Element) {
        this.draw(node, within);
      } else if (node instanceof Text && shown) {
        this.texts.write(node, { style, ...within });
      }
    }
    if (shown) {
      this.drawPseudo(element, '::after', within);
    }
  }

  /**
   * What a style sheet adds before or after the content: the browser does not say where, so it follows from the rules that ours
   * use.
   */
  private drawPseudo(element: Element, pseudo: Pseudo, within: Within): void {
    const style = getComputedStyle(element, pseudo);
    const { content } = style;
    if (content === 'none' || content === 'normal' || content === '' || style.display === 'none') {
      return;
    }
    const text = /^"(.*)"$/s.exec(content)?.[1].replace(/\\(.)/g, '$1') ?? '';
    const box = pseudoBox(element, style, pseudo, this.texts.widthOf(text, style));
    drawBox(this.out, style, box, this.colours);
    if (text !== '') {
      const free = box.width - this.texts.widthOf(text, style);
      const left = style.textAlign === 'center' ? box.left + free / 2 : box.left;
      this.inMiddle(text, left, box, { style, ...within });
    }
  }

  private inMiddle(text: string, left: number, box: DOMRect, place: TextPlace): void {
    const size = lengthOf(place.style.fontSize) * 1.17;
    const middle = (box.top + box.bottom) / 2;
    this.texts.place(text, left, middle - size / 2, middle + size / 2, place);
  }

  private readonly colours = new Colours();
  private readonly texts: Texts;
}

/** Where an element is in the order of drawing: what is positioned is above what is not, whatever comes first. */
function levelOf(element: Element): number {
  const { zIndex, position, transform, opacity } = getComputedStyle(element);
  const index = Number(zIndex);
  if (zIndex !== 'auto' && index !== 0) {
    return index;
  }
  return position !== 'static' || transform !== 'none' || Number(opacity || 1) < 1 ? 0.5 : 0;
}

function overflows({ scrollWidth, clientWidth, scrollHeight, clientHeight }: Element): boolean {
  return scrollWidth > clientWidth || scrollHeight > clientHeight;
}

/** What is visible within an element that cuts what overflows. */
function innerOf(element: Element, style: CSSStyleDeclaration, box: DOMRect, { clip }: Within): Within {
  const left = Math.max(clip.left, box.left + lengthOf(style.borderLeftWidth));
  const top = Math.max(clip.top, box.top + lengthOf(style.borderTopWidth));
  const right = Math.min(clip.right, box.right - lengthOf(style.borderRightWidth));
  const bottom = Math.min(clip.bottom, box.bottom - lengthOf(style.borderBottomWidth));
  const cuts = style.textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth;
  return {
    clip: new DOMRect(left, top, right - left, bottom - top),
    cutAt: cuts ? box.right - lengthOf(style.borderRightWidth) - lengthOf(style.paddingRight) : Number.POSITIVE_INFINITY
  };
}

function pseudoBox(element: Element, style: CSSStyleDeclaration, pseudo: Pseudo, textWidth: number): DOMRect {
  const box = element.getBoundingClientRect();
  const own = getComputedStyle(element);
  const width = Number.parseFloat(style.width);
  const height = Number.parseFloat(style.height);
  const extra = style.boxSizing === 'border-box' ? 0 : lengthOf(style.borderTopWidth) + lengthOf(style.borderBottomWidth);
  const wide = (Number.isFinite(width) ? width : textWidth) + (textWidth === 0 && extra === 0 ? 0 : extra);
  const high = (Number.isFinite(height) ? height : lengthOf(style.fontSize) * 1.17) + extra;
  if (style.position === 'absolute') {
    const left = box.left + lengthOf(own.borderLeftWidth) + lengthOf(style.left);
    return new DOMRect(left, box.top + lengthOf(own.borderTopWidth) + lengthOf(style.top), wide, high);
  }
  const last = element.lastElementChild?.getBoundingClientRect();
  const left =
    pseudo === '::before' || last === undefined
      ? box.left + lengthOf(own.borderLeftWidth) + lengthOf(own.paddingLeft)
      : last.right + lengthOf(own.columnGap);
  return new DOMRect(left, (box.top + box.bottom - high) / 2, wide, high);
}
