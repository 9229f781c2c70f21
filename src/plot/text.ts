/** Texts of a cluster made fit for one line of a picture. They stay text: nothing here escapes, since nothing is markup. */
import { formatCount } from '../base/format';
import type { CssPixels } from '../base/units';
import type { Translate } from './plot';

/** Longer names are cut before they reach a canvas: laying out a name of a megabyte would stop the page. */
const LONGEST = 200;
/** Widths of glyphs of the 11 px interface font, on the wide side: room is estimated without a DOM, the view cuts what is wider. */
const GLYPH = { narrow: 4, common: 7, wide: 10, full: 12 } as const;

/** Line breaks and other controls. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029]+/gu;
/** They turn the direction of the text around them, which is ours. */
const DIRECTION_MARKS = /\p{Bidi_Control}/gu;

/**
 * A text in one line: line breaks become spaces, what is too long is cut.
 *
 * @param longest - characters that are kept
 */
export function oneLine(text: string, longest = LONGEST): string {
  const start = text.slice(0, 4 * longest);
  const line = start.replace(DIRECTION_MARKS, '').replace(UNPRINTABLE, ' ').trim();
  const glyphs = [...line];
  return glyphs.length > longest ? `${glyphs.slice(0, longest - 1).join('')}…` : line;
}

/** Cut the middle out of a text: ends of addresses and keys tell more than middles. */
export function cutMiddle(text: string, most: number): string {
  const glyphs = [...text];
  if (glyphs.length <= most) {
    return text;
  }
  const kept = Math.max(most - 1, 2);
  const head = Math.ceil(kept / 2);
  return `${glyphs.slice(0, head).join('')}…${glyphs.slice(glyphs.length - (kept - head)).join('')}`;
}

/** Estimated width of a text of 11 px. */
export function textWidth(text: string): CssPixels {
  let width = 0;
  for (const glyph of text) {
    width += /[ilj.,:;|'!()[\] ]/.test(glyph)
      ? GLYPH.narrow
      : /[mwMW%@—…]/.test(glyph)
        ? GLYPH.wide
        : glyph > '\u2e7f'
          ? GLYPH.full
          : GLYPH.common;
  }
  return width;
}

/**
 * A text with a count: the singular has a text of its own.
 *
 * @param many - has `%1` where the count goes
 */
export function counted(trans: Translate, count: number, one: string, many: string): string {
  return count === 1 ? trans(one) : trans(many, formatCount(count));
}
