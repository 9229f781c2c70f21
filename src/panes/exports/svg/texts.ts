/** Texts of elements, line by line, where the browser has put them. */
import type { Colours } from './colours';
import { fitted, fontAttributes, inked, type Measure } from './font';
import { escaped, type SvgOutput } from './output';

/** How far a text may be shifted by another alphabet or a smaller letter on its line. */
const SAME_LINE = 2;
/** Lines of one text; what has more is longer than any screen. */
const MOST_LINES = 500;

interface Line {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Where texts are drawn. */
export interface TextPlace {
  readonly style: CSSStyleDeclaration;
  /** What is visible. */
  readonly clip: DOMRect;
  /** From where on texts are cut, with an ellipsis; infinite if they are not. */
  readonly cutAt: number;
}

/** Writes the texts of a page as they are displayed. */
export class Texts {
  constructor(
    private readonly out: SvgOutput,
    private readonly measure: Measure,
    private readonly colours: Colours
  ) {}

  /** Write a node. */
  write(node: Text, place: TextPlace): void {
    if (node.data.trim() !== '') {
      for (const line of linesOf(node, place)) {
        this.line(line, place);
      }
    }
  }

  /** Write a text that is not a node, from `left` in a line from `top` to `bottom`. */
  place(text: string, left: number, top: number, bottom: number, place: TextPlace): void {
    this.line({ text, left, right: left + this.widthOf(text, place.style), top, bottom }, place);
  }

  /** Width of a text in a style. */
  widthOf(text: string, style: CSSStyleDeclaration): number {
    this.take(style);
    return this.measure.measureText(text).width;
  }

  private take(style: CSSStyleDeclaration): string {
    const { fontStyle, fontWeight, fontSize, fontFamily } = style;
    const font = `${fontStyle === 'normal' ? '' : `${fontStyle} `}${fontWeight} ${fontSize} ${fontFamily}`;
    this.measure.font = font;
    this.measure.textBaseline = 'alphabetic';
    return font;
  }

  private line(line: Line, { style, cutAt }: TextPlace): void {
    const fill = this.colours.attributes('fill', style.color);
    const font = this.take(style);
    const { left, top, bottom, right } = line;
    const cut = right > cutAt + 1;
    const width = (part: string): number => this.measure.measureText(part).width;
    const text = cut ? fitted(line.text.trim(), cutAt - left, width) : displayed(line.text, right - left, width);
    const ink = inked(text, width);
    if (fill === null || ink.text === '') {
      return;
    }
    const { fontBoundingBoxAscent: ascent, fontBoundingBoxDescent: descent } = this.measure.measureText(text);
    const spaces = width(text) - ink.width;
    const length = cut ? ink.width : right - left - spaces;
    const underlined = style.textDecorationLine.includes('underline') ? 'underline' : undefined;
    const struck = style.textDecorationLine.includes('line-through') ? 'line-through' : undefined;
    this.out.add(
      'text',
      {
        x: left + ink.before,
        y: top + ((bottom - top) * ascent) / (ascent + descent),
        textLength: length > 0 ? length : undefined,
        lengthAdjust: 'spacingAndGlyphs',
        ...fontAttributes(font),
        ...fill,
        'text-decoration': underlined ?? struck
      },
      escaped(ink.text)
    );
  }
}

/** A text with those spaces at its ends that take room: between two elements they do, at the end of a line they do not. */
function displayed(text: string, room: number, widthOf: (text: string) => number): string {
  const trimmed = text.trim();
  if (trimmed === text) {
    return text;
  }
  const away = (part: string): number => Math.abs(widthOf(part) - room);
  return [text, text.trimStart(), text.trimEnd()].reduce((best, part) => (away(part) < away(best) ? part : best), trimmed);
}

/** The visible lines of a node. */
function linesOf(node: Text, { style, clip }: TextPlace): readonly Line[] {
  const range = document.createRange();
  range.selectNodeContents(node);
  const found: { left: number; right: number; top: number; bottom: number }[] = [];
  for (const { left, right, top, bottom, width } of range.getClientRects()) {
    const line = found[found.length - 1];
    if (line !== undefined && top < line.top + (line.bottom - line.top) / SAME_LINE) {
      line.left = Math.min(line.left, left);
      line.right = Math.max(line.right, right);
    } else if (width > 0) {
      found.push({ left, right, top, bottom });
    }
  }
  const textOf = (from: number, to: number): string => transformed(node.data.slice(from, to), style);
  if (found.length === 1) {
    return seen(found[0], clip) ? [{ ...found[0], text: textOf(0, node.length) }] : [];
  }
  const begins = (line: { top: number; bottom: number }): number => firstBelow(node, range, (line.top + line.bottom) / 2);
  return found.flatMap((line, i) => {
    if (!seen(line, clip) || i >= MOST_LINES) {
      return [];
    }
    const from = i === 0 ? 0 : begins(found[i - 1]);
    return [{ ...line, text: textOf(from, i === found.length - 1 ? node.length : begins(line)) }];
  });
}

function seen(line: { left: number; right: number; top: number; bottom: number }, clip: DOMRect): boolean {
  return line.bottom > clip.top && line.top < clip.bottom && line.right > clip.left && line.left < clip.right;
}

/** The first character of which the top is below a place. */
function firstBelow(node: Text, range: Range, y: number): number {
  let [above, below] = [0, node.length];
  while (above < below) {
    const middle = (above + below) >> 1;
    const top = topFrom(node, range, middle);
    if (top === null || top > y) {
      below = middle;
    } else {
      above = middle + 1;
    }
  }
  return above;
}

/** The top of the first character from an index on that has a place: spaces at the end of a line have none. */
function topFrom(node: Text, range: Range, index: number): number | null {
  for (let at = index; at < node.length; at++) {
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    const rects = range.getClientRects();
    if (rects.length > 0 && rects[rects.length - 1].width > 0) {
      return rects[rects.length - 1].top;
    }
  }
  return null;
}

/** A text as it is displayed: spaces that are collapsed, and capitals. */
function transformed(text: string, { whiteSpace, textTransform }: CSSStyleDeclaration): string {
  const words = /^(pre|pre-wrap|break-spaces)$/.test(whiteSpace) ? text.replace(/\n/g, '') : text.replace(/[ \t\n\r\f]+/g, ' ');
  return textTransform === 'uppercase' ? words.toUpperCase() : words;
}
