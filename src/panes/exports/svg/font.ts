import type { Attributes } from './output';

/** Measures texts: the context of any canvas. */
export type Measure = Pick<CanvasRenderingContext2D, 'measureText' | 'font' | 'textBaseline'>;

/** Attributes of a text in a font as contexts of canvases write it. */
export function fontAttributes(font: string): Attributes {
  const [, style, weight, size, family] = /^(?:(italic|oblique) )?(?:(\d+|bold|normal) )?([\d.]+)px (.+)$/.exec(font) ?? [];
  return size === undefined
    ? { style: `font: ${font}` }
    : { 'font-family': family, 'font-size': Number(size), 'font-weight': weight, 'font-style': style };
}

/** The beginning of a text that fits, with an ellipsis if that is not all of it; empty if nothing fits. */
export function fitted(text: string, room: number, widthOf: (text: string) => number): string {
  if (widthOf(text) <= room) {
    return text;
  }
  const characters = [...text];
  let [fits, tooLong] = [-1, characters.length];
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (widthOf(`${characters.slice(0, middle).join('')}…`) <= room) {
      fits = middle;
    } else {
      tooLong = middle;
    }
  }
  return fits < 0 ? '' : `${characters.slice(0, fits).join('')}…`;
}

/** A text without spaces at its ends, which programs drop or keep: how much is before it, and its width. */
export interface Inked {
  readonly text: string;
  readonly before: number;
  readonly width: number;
}

/** The visible part of a text; spaces in it that would collapse into one become no-break spaces. */
export function inked(text: string, widthOf: (text: string) => number): Inked {
  const begun = text.trimStart();
  const ended = begun.trimEnd();
  const before = begun === text ? 0 : widthOf(text) - widthOf(begun);
  return { text: ended.replace(/[\t\n ]{2,}|[\t\n]/g, spaces => '\u00a0'.repeat(spaces.length)), before, width: widthOf(ended) };
}
