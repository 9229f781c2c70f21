/**
 * Prepares texts from a cluster for one line of a picture. Nothing is escaped because nothing is interpreted as markup.
 */
import type { CssPixels } from '../base/units';

/** Longer names are cut before they reach a canvas: laying out a name of a megabyte would block the page. */
const LONGEST = 200;
/**
 * Glyph widths of the 11 px interface font, rounded up: space is estimated without a DOM, and the view cuts wider
 * texts.
 */
const GLYPH = { narrow: 4, common: 7, wide: 10, full: 12 } as const;

/** Line breaks and other controls. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029]+/gu;
/** They would change the direction of our surrounding text. */
const DIRECTION_MARKS = /\p{Bidi_Control}/gu;

/**
 * A text on one line: line breaks become spaces, and long text is cut.
 *
 * @param longest - number of characters to keep
 */
export function oneLine(text: string, longest = LONGEST): string {
  const start = text.slice(0, 4 * longest);
  const line = start.replace(DIRECTION_MARKS, '').replace(UNPRINTABLE, ' ').trim();
  const glyphs = [...line];
  return glyphs.length > longest ? `${glyphs.slice(0, longest - 1).join('')}…` : line;
}

/** A sentence whose last name may have been cut: an ellipsis is its end, no full stop follows. */
export function sentence(text: string): string {
  return text.replace(/…\.$/, '…');
}

/** Cut out the middle of a text: the ends of addresses and keys are more informative. */
export function cutMiddle(text: string, most: number): string {
  const glyphs = [...text];
  if (glyphs.length <= most) {
    return text;
  }
  const kept = Math.max(most - 1, 2);
  const head = Math.ceil(kept / 2);
  return `${glyphs.slice(0, head).join('')}…${glyphs.slice(glyphs.length - (kept - head)).join('')}`;
}

function glyphWidth(glyph: string): CssPixels {
  if (/[ilj.,:;|'!()[\] ]/.test(glyph)) {
    return GLYPH.narrow;
  }
  return /[mwMW%@—…]/.test(glyph) ? GLYPH.wide : glyph > '\u2e7f' ? GLYPH.full : GLYPH.common;
}

/** Of the first characters, of which most texts are: a hundred thousand names are measured for a picture. */
const ASCII: readonly CssPixels[] = Array.from({ length: 128 }, (_, code) => glyphWidth(String.fromCharCode(code)));

/** Estimated width of a text of 11 px. */
export function textWidth(text: string): CssPixels {
  let width = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.codePointAt(i) ?? 0;
    width += code < ASCII.length ? ASCII[code] : glyphWidth(String.fromCodePoint(code));
    i += code > 0xffff ? 1 : 0;
  }
  return width;
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Natural order of names: 2 before 10. */
export function compareNames(a: string, b: string): number {
  return collator.compare(a, b);
}
