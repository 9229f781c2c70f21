/** SVG in a test: what a pen has drawn, as elements, and its opaque boxes as pixels. */
import type { Drawing } from '../../../../src/views/canvas/drawn/drawn';
import { SvgOutput } from '../../../../src/panes/exports/svg/output';
import { SvgPen } from '../../../../src/panes/exports/svg/svg-pen';
import { GLYPH } from '../../views/recorded-canvas';

/** Each character is as wide as on the recorded canvas; the line of letters is 3 below the middle. */
export const measure = {
  font: '',
  textBaseline: 'alphabetic' as CanvasTextBaseline,
  measureText(text: string): TextMetrics {
    const fontBoundingBoxAscent = this.textBaseline === 'middle' ? 5 : 8;
    return { width: GLYPH * text.length, fontBoundingBoxAscent, fontBoundingBoxDescent: 2 } as TextMetrics;
  }
};

/** The document of some markup; fails where that is not XML. */
export function parsed(markup: string): Element {
  const root = new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg">${markup}</svg>`, 'image/svg+xml');
  if (root.querySelector('parsererror') !== null) {
    throw new Error(`no XML: ${markup.slice(0, 500)}`);
  }
  return root.documentElement;
}

/** What a drawing is as SVG, definitions first. */
export function drawn(drawing: Drawing): Element {
  const out = new SvgOutput();
  const pen = new SvgPen(out, measure);
  drawing(pen);
  pen.end();
  return parsed(`<defs>${out.definitions}</defs>${out.markup}`);
}

/** A rectangle: left, top, width, height. */
export type Box = readonly [x: number, y: number, width: number, height: number];

/** The rectangles of a path that has no others. */
export function boxesOf(path: Element): readonly Box[] {
  const box = /M(-?[\d.]+) (-?[\d.]+)h(-?[\d.]+)v(-?[\d.]+)h-?[\d.]+z/g;
  return [...(path.getAttribute('d') ?? '').matchAll(box)].map(([, ...sides]) => sides.map(Number) as unknown as Box);
}

/** All filled rectangles outside of definitions, with their colours, in the order of drawing. */
export function filledBoxes(svg: Element): readonly { readonly box: Box; readonly fill: string }[] {
  return [...svg.querySelectorAll('path:not(defs path)')].flatMap(path => {
    const fill = path.getAttribute('fill') ?? '';
    return fill === 'none' ? [] : boxesOf(path).map(box => ({ box, fill }));
  });
}
