/** Backgrounds, borders and outlines of elements. */
import { type Colours, gradients } from './colours';
import { type Attributes, figure, type SvgOutput } from './output';

/** A length in pixels, or in per cent of another. */
export function lengthOf(css: string, whole = 0): number {
  const value = Number.parseFloat(css);
  return Number.isFinite(value) ? (css.endsWith('%') ? (value / 100) * whole : value) : 0;
}

/** Draw the box of an element. */
export function drawBox(out: SvgOutput, style: CSSStyleDeclaration, box: DOMRect, colours: Colours): void {
  if (box.width > 0 && box.height > 0) {
    drawBackground(out, style, box, colours);
  }
  drawBorders(out, style, box, colours);
  drawOutline(out, style, box, colours);
}

function radiusOf(style: CSSStyleDeclaration, { width, height }: DOMRect): number | undefined {
  const radius = Math.min(lengthOf(style.borderTopLeftRadius, width), width / 2, height / 2);
  return radius > 0 ? radius : undefined;
}

function rectangle({ x, y, width, height }: DOMRect): Attributes {
  return { x, y, width, height };
}

function drawBackground(out: SvgOutput, style: CSSStyleDeclaration, box: DOMRect, colours: Colours): void {
  // A mask is a shape that is not drawn here: without it the box would be a block of colour.
  if (style.maskImage !== '' && style.maskImage !== 'none') {
    return;
  }
  const rx = radiusOf(style, box);
  const fill = colours.attributes('fill', style.backgroundColor);
  if (fill !== null) {
    out.add('rect', { ...rectangle(box), rx, ...fill });
  }
  if (style.backgroundImage !== 'none' && style.backgroundImage !== '') {
    for (const paint of gradients(style.backgroundImage, style.backgroundSize, box, colours, out)) {
      out.add('rect', { ...rectangle(box), rx, fill: paint });
    }
  }
}

/** One side of a border: its line, from corner to corner. */
interface Side {
  readonly width: number;
  readonly colour: string;
  readonly kind: string;
  readonly path: string;
}

function sidesOf(style: CSSStyleDeclaration, { left, top, right, bottom }: DOMRect): readonly Side[] {
  const [up, side, down, back] = [
    style.borderTopWidth,
    style.borderRightWidth,
    style.borderBottomWidth,
    style.borderLeftWidth
  ].map(css => lengthOf(css));
  const line = (x1: number, y1: number, x2: number, y2: number): string =>
    `M${figure(x1)} ${figure(y1)}L${figure(x2)} ${figure(y2)}`;
  return [
    { width: up, colour: style.borderTopColor, kind: style.borderTopStyle, path: line(left, top + up / 2, right, top + up / 2) },
    {
      width: side,
      colour: style.borderRightColor,
      kind: style.borderRightStyle,
      path: line(right - side / 2, top, right - side / 2, bottom)
    },
    {
      width: down,
      colour: style.borderBottomColor,
      kind: style.borderBottomStyle,
      path: line(left, bottom - down / 2, right, bottom - down / 2)
    },
    {
      width: back,
      colour: style.borderLeftColor,
      kind: style.borderLeftStyle,
      path: line(left + back / 2, top, left + back / 2, bottom)
    }
  ];
}

function dashes(kind: string, width: number): string | undefined {
  return kind === 'dashed' ? `${figure(3 * width)}` : kind === 'dotted' ? `${figure(width)}` : undefined;
}

function drawBorders(out: SvgOutput, style: CSSStyleDeclaration, box: DOMRect, colours: Colours): void {
  const sides = sidesOf(style, box);
  const [first] = sides;
  if (sides.every(({ width, colour, kind }) => width === first.width && colour === first.colour && kind === first.kind)) {
    drawFrame(out, style, box, first, colours);
    return;
  }
  for (const { width, colour, kind, path } of sides) {
    const stroke = width > 0 && kind !== 'none' ? colours.attributes('stroke', colour) : null;
    if (stroke !== null) {
      out.add('path', { d: path, fill: 'none', ...stroke, 'stroke-width': width, 'stroke-dasharray': dashes(kind, width) });
    }
  }
}

function drawFrame(
  out: SvgOutput,
  style: CSSStyleDeclaration,
  box: DOMRect,
  { width, colour, kind }: Pick<Side, 'width' | 'colour' | 'kind'>,
  colours: Colours
): void {
  const stroke = width > 0 && kind !== 'none' ? colours.attributes('stroke', colour) : null;
  const inner = new DOMRect(box.x + width / 2, box.y + width / 2, box.width - width, box.height - width);
  if (stroke !== null && inner.width >= 0 && inner.height >= 0) {
    const radius = radiusOf(style, box);
    const rx = radius === undefined ? undefined : Math.max(0, radius - width / 2);
    const line = { 'stroke-width': width, 'stroke-dasharray': dashes(kind, width) };
    out.add('rect', { ...rectangle(inner), rx, fill: 'none', ...stroke, ...line });
  }
}

function drawOutline(out: SvgOutput, style: CSSStyleDeclaration, box: DOMRect, colours: Colours): void {
  const width = style.outlineStyle === 'none' ? 0 : lengthOf(style.outlineWidth);
  if (width > 0) {
    const away = width + lengthOf(style.outlineOffset);
    const outer = new DOMRect(box.x - away, box.y - away, box.width + 2 * away, box.height + 2 * away);
    drawFrame(out, style, outer, { width, colour: style.outlineColor, kind: style.outlineStyle }, colours);
  }
}

/** Draw the triangle before what can be opened. */
export function drawMarker(out: SvgOutput, style: CSSStyleDeclaration, box: DOMRect, colours: Colours): void {
  const [, kind] = style.display === 'list-item' ? (/^disclosure-(open|closed)$/.exec(style.listStyleType) ?? []) : [];
  const fill = kind === undefined ? null : colours.attributes('fill', style.color);
  if (fill !== null) {
    const size = lengthOf(style.fontSize) * 0.5;
    const left = box.left + lengthOf(style.borderLeftWidth) + lengthOf(style.paddingLeft);
    const middle = (box.top + box.bottom) / 2;
    const half = size / 2;
    const lines =
      kind === 'open'
        ? `h${figure(size)}l${figure(-half)} ${figure(size)}z`
        : `v${figure(size)}l${figure(size)} ${figure(-half)}z`;
    out.add('path', { d: `M${figure(left)} ${figure(middle - half)}${lines}`, ...fill });
  }
}
