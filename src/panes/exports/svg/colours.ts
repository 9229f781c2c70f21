/** Colours and gradients of style sheets as SVG. */
import { type Attributes, figure, type SvgOutput } from './output';

/** A colour that every program knows, and how opaque it is. */
interface Solid {
  readonly colour: string;
  readonly opacity: number;
}

const DEGREE = Math.PI / 180;

/** Reads colours in all notations that the browser knows. */
export class Colours {
  /** Attributes of a colour as `fill` or `stroke`; `null` if it is invisible. */
  attributes(kind: 'fill' | 'stroke', css: string): Attributes | null {
    const { colour, opacity } = this.solid(css);
    return opacity === 0 ? null : { [kind]: colour, [`${kind}-opacity`]: opacity < 1 ? opacity : undefined };
  }

  solid(css: string): Solid {
    let solid = this.known.get(css);
    if (solid === undefined) {
      solid = this.read(css);
      this.known.set(css, solid);
    }
    return solid;
  }

  /** Computed colours are rgb(); functions such as color-mix() are not, so a pixel of them is read. */
  private read(css: string): Solid {
    const parts = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(css)?.slice(1);
    if (parts !== undefined) {
      const [red, green, blue, alpha = 1] = parts.map(part => (part === undefined ? 1 : Number(part)));
      return { colour: hex([red, green, blue]), opacity: alpha };
    }
    this.context ??= document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const { context } = this;
    if (css === '' || context === null) {
      return { colour: '#000000', opacity: 0 };
    }
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = css;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
    return { colour: hex([red, green, blue]), opacity: alpha / 255 };
  }

  private readonly known = new Map<string, Solid>();
  private context: CanvasRenderingContext2D | null = null;
}

function hex(parts: readonly number[]): string {
  return `#${parts.map(part => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

/** Split at what is not within brackets. */
export function split(text: string, separator: string): string[] {
  const parts: string[] = [''];
  let depth = 0;
  for (const character of text) {
    depth += character === '(' ? 1 : character === ')' ? -1 : 0;
    if (depth === 0 && character === separator) {
      parts.push('');
    } else {
      parts[parts.length - 1] += character;
    }
  }
  return parts.map(part => part.trim()).filter(part => part !== '');
}

/** A colour of a gradient at a length, or at a share of the whole. */
interface Stop {
  readonly colour: string;
  readonly at: number | null;
  readonly share: number | null;
}

function stopsOf(parts: readonly string[]): readonly Stop[] {
  return parts.flatMap(part => {
    const [colour, ...places] = split(part, ' ');
    return (places.length === 0 ? [''] : places).map(place => ({
      colour,
      at: place.endsWith('px') ? Number.parseFloat(place) : null,
      share: place.endsWith('%') ? Number.parseFloat(place) / 100 : null
    }));
  });
}

/** The fills of the background images of a box, those below first. Only gradients as our style sheets have them are known. */
export function gradients(image: string, size: string, box: DOMRect, colours: Colours, out: SvgOutput): readonly string[] {
  return split(image, ',')
    .reverse()
    .flatMap(layer => {
      const [, name, inside] = /^([a-z-]+)\((.*)\)$/s.exec(layer) ?? [];
      const parts = split(inside ?? '', ',');
      if (name === 'radial-gradient') {
        return dots(parts, size, box, colours, out);
      }
      return name === 'linear-gradient' || name === 'repeating-linear-gradient'
        ? linear(parts, name !== 'linear-gradient', box, colours, out)
        : [];
    });
}

function linear(parts: readonly string[], repeats: boolean, box: DOMRect, colours: Colours, out: SvgOutput): string[] {
  const [, degrees] = /^(-?[\d.]+)deg$/.exec(parts[0]) ?? [];
  const angle = Number(degrees ?? 180) * DEGREE;
  const [x, y] = [Math.sin(angle), -Math.cos(angle)];
  const length = Math.abs(box.width * x) + Math.abs(box.height * y);
  const stops = stopsOf(degrees === undefined ? parts : parts.slice(1));
  const places = stops.map(({ at, share }, i) => at ?? (share ?? i / Math.max(1, stops.length - 1)) * length);
  const end = repeats ? places[places.length - 1] : length;
  if (!(end > 0)) {
    return [];
  }
  const [left, top] = [box.x + (box.width - x * length) / 2, box.y + (box.height - y * length) / 2];
  const line = { x1: left, y1: top, x2: left + x * end, y2: top + y * end, gradientUnits: 'userSpaceOnUse' };
  const content = stops.map(({ colour }, i) => {
    const { colour: solid, opacity } = colours.solid(colour);
    return `<stop offset="${figure(places[i] / end)}" stop-color="${solid}" stop-opacity="${figure(opacity)}"/>`;
  });
  return [`url(#${out.define('linearGradient', { ...line, spreadMethod: repeats ? 'repeat' : undefined }, content.join(''))})`];
}

/** A dot in the middle of each tile. */
function dots(parts: readonly string[], size: string, box: DOMRect, colours: Colours, out: SvgOutput): string[] {
  const [width, height = width] = size.split(' ').map(Number.parseFloat);
  const [first] = stopsOf(parts);
  if (!(width > 0 && height > 0) || first?.at == null) {
    return [];
  }
  const { colour, opacity } = colours.solid(first.colour);
  const middle = `cx="${figure(width / 2)}" cy="${figure(height / 2)}" r="${figure(first.at)}"`;
  const tile = { x: box.x, y: box.y, width, height, patternUnits: 'userSpaceOnUse' };
  const dot = `<circle ${middle} fill="${colour}" fill-opacity="${figure(opacity)}"/>`;
  return [`url(#${out.define('pattern', tile, dot)})`];
}
