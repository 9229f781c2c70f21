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

/** Letters that are written from right to left: Hebrew, Arabic and their neighbours. */
const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE, which are not seen. */
const [ISOLATE, END] = ['\u2068', '\u2069'];

/**
 * A name of a user as part of a text of ours: figures beside one that is written from right to left would change places with it.
 * Marks and no elements, since canvases, tooltips of the browser and translated sentences need it, too.
 */
export function isolated(name: string): string {
  return FROM_RIGHT.test(name) ? `${ISOLATE}${name}${END}` : name;
}

/** The name itself, for files. */
export function withoutIsolates(text: string): string {
  return text.replaceAll(ISOLATE, '').replaceAll(END, '');
}

/**
 * A text on one line: line breaks become spaces, long text is cut, and it is {@link isolated}.
 *
 * @param longest - number of characters to keep
 */
export function oneLine(text: string, longest = LONGEST): string {
  const start = text.slice(0, 4 * longest);
  const line = start.replace(DIRECTION_MARKS, '').replace(UNPRINTABLE, ' ').trim();
  const glyphs = [...line];
  return isolated(glyphs.length > longest ? `${glyphs.slice(0, longest - 1).join('')}…` : line);
}

/** A text of ours with names in it, cut: names stay isolated by themselves, one that is cut off, too. */
export function shortened(text: string, longest: number): string {
  const glyphs = [...text];
  const kept = glyphs.length > longest ? `${glyphs.slice(0, longest - 1).join('')}…` : text;
  return kept.lastIndexOf(ISOLATE) > kept.lastIndexOf(END) ? `${kept}${END}` : kept;
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
  if (glyph === ISOLATE || glyph === END) {
    return 0;
  }
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
