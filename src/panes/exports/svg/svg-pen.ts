import { drawingOf } from '../../../views/canvas/drawn/drawn';
import type { Pen } from '../../../views/canvas/drawn/pen';
import { fontAttributes, inked, type Measure } from './font';
import { type Attributes, escaped, figure, type SvgOutput } from './output';
import { tracePixels } from './trace';

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Opaque rectangles of one colour, one after the other. */
interface Boxes {
  readonly fill: string;
  readonly within: Box | null;
  readonly path: string[];
}

/** A pattern, at a place that may change until it is used. */
class Tile implements CanvasPattern {
  constructor(
    readonly width: number,
    readonly height: number,
    readonly content: string
  ) {}

  x = 0;
  y = 0;

  setTransform(transform: DOMMatrix2DInit = {}): void {
    this.x = transform.e ?? 0;
    this.y = transform.f ?? 0;
  }
}

/** Draws SVG as a context draws pixels. Call {@link end} when all is drawn. */
export class SvgPen implements Pen {
  constructor(
    private readonly out: SvgOutput,
    private readonly measure: Measure
  ) {}

  globalAlpha = 1;
  fillStyle: Pen['fillStyle'] = '#000000';
  strokeStyle: Pen['strokeStyle'] = '#000000';
  lineWidth = 1;
  lineJoin: CanvasLineJoin = 'miter';
  lineCap: CanvasLineCap = 'butt';
  font = '10px sans-serif';
  textBaseline: CanvasTextBaseline = 'alphabetic';

  save(): void {
    const { globalAlpha, fillStyle, strokeStyle, lineWidth, lineJoin, lineCap, font, textBaseline, x, y, within, dashes } = this;
    const state = { globalAlpha, fillStyle, strokeStyle, lineWidth, lineJoin, lineCap, font, textBaseline };
    this.saved.push(() => Object.assign(this, state, { x, y, within, dashes }));
  }

  restore(): void {
    this.saved.pop()?.();
  }

  translate(x: number, y: number): void {
    this.x += x;
    this.y += y;
  }

  setLineDash(segments: readonly number[]): void {
    this.dashes = segments.map(figure).join(' ');
  }

  beginPath(): void {
    this.path = [];
  }

  closePath(): void {
    this.path.push('z');
  }

  moveTo(x: number, y: number): void {
    this.path.push(`M${this.at(x, y)}`);
  }

  lineTo(x: number, y: number): void {
    this.path.push(`L${this.at(x, y)}`);
  }

  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void {
    this.path.push(`C${this.at(x1, y1)} ${this.at(x2, y2)} ${this.at(x, y)}`);
  }

  arc(x: number, y: number, radius: number, from: number, to: number): void {
    if (Math.abs(to - from) < 2 * Math.PI - 1e-9) {
      throw new Error('Only whole circles are drawn as SVG.');
    }
    const r = Math.max(0, radius);
    const half = `A${figure(r)} ${figure(r)} 0 1 1`;
    this.path.push(`M${this.at(x + r, y)}${half} ${this.at(x - r, y)}${half} ${this.at(x + r, y)}z`);
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.rectangle = { left: this.x + x, top: this.y + y, right: this.x + x + width, bottom: this.y + y + height };
    this.path.push(this.boxPath(x, y, width, height));
  }

  clip(): void {
    const { rectangle: box, within } = this;
    this.within = within === null || box === null ? box : common(within, box);
  }

  fill(): void {
    this.draw('path', { d: this.path.join(''), ...this.paint('fill') });
  }

  stroke(): void {
    this.draw('path', { d: this.path.join(''), fill: 'none', ...this.line() });
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    if (width === 0 || height === 0) {
      return;
    }
    const path = this.boxPath(x, y, width, height);
    const { fillStyle: fill, within } = this;
    this.out.box();
    if (this.globalAlpha < 1 || typeof fill !== 'string' || !fill.startsWith('#')) {
      this.draw('path', { d: path, ...this.paint('fill') });
    } else if (this.boxes?.fill === fill && this.boxes.within === within) {
      this.boxes.path.push(path);
    } else {
      this.flush();
      this.boxes = { fill, within, path: [path] };
    }
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    this.draw('path', { d: this.boxPath(x, y, width, height), fill: 'none', ...this.line() });
  }

  fillText(text: string, x: number, y: number): void {
    this.write(text, x, y, this.paint('fill'));
  }

  strokeText(text: string, x: number, y: number): void {
    this.write(text, x, y, { fill: 'none', ...this.line() });
  }

  measureText(text: string): TextMetrics {
    return this.metrics(text, this.textBaseline);
  }

  createPattern(canvas: HTMLCanvasElement): CanvasPattern | null {
    const drawing = drawingOf(canvas);
    if (drawing === undefined) {
      return null;
    }
    const out = this.out.aside();
    const pen = new SvgPen(out, this.measure);
    drawing(pen);
    pen.end();
    return new Tile(canvas.width, canvas.height, out.markup);
  }

  createImageData(width: number, height: number): ImageData {
    return new ImageData(width, height);
  }

  putImageData(image: ImageData, x: number, y: number, left: number, top: number, width: number, height: number): void {
    const paths = new Map<number, string[]>();
    const pixels = new Uint32Array(image.data.buffer);
    tracePixels(pixels, image.width, { left, top, width, height }, (colour, column, row, wide, high) => {
      this.out.box();
      const path = paths.get(colour) ?? [];
      paths.set(colour, path);
      // Pixels are not translated, and whole numbers need no rounding, which takes most of the time.
      path.push(`M${x + column} ${y + row}h${wide}v${high}h${-wide}z`);
    });
    for (const [colour, path] of paths) {
      const [red, green, blue, alpha] = [0, 8, 16, 24].map(shift => (colour >>> shift) & 255);
      const fill = `#${[red, green, blue].map(part => part.toString(16).padStart(2, '0')).join('')}`;
      this.draw('path', { d: path.join(''), fill, 'fill-opacity': alpha < 255 ? alpha / 255 : undefined });
    }
  }

  /** Write what is left. */
  end(): void {
    this.flush();
    this.limit(null);
  }

  private at(x: number, y: number): string {
    return `${figure(this.x + x)} ${figure(this.y + y)}`;
  }

  private boxPath(x: number, y: number, width: number, height: number): string {
    return `M${this.at(x, y)}h${figure(width)}v${figure(height)}h${figure(-width)}z`;
  }

  private paint(kind: 'fill' | 'stroke'): Attributes {
    const { [`${kind}Style` as const]: style, globalAlpha } = this;
    const opacity = { [`${kind}-opacity`]: globalAlpha < 1 ? globalAlpha : undefined };
    if (typeof style === 'string') {
      return { [kind]: style, ...opacity };
    }
    if (!(style instanceof Tile)) {
      throw new Error('Only colours and patterns are drawn as SVG.');
    }
    const { width, height, content, x, y } = style;
    const moved = `translate(${figure(this.x + x)} ${figure(this.y + y)})`;
    const size = { width, height, patternUnits: 'userSpaceOnUse', patternTransform: moved };
    return { [kind]: `url(#${this.out.define('pattern', size, content)})`, ...opacity };
  }

  private line(): Attributes {
    const { lineWidth, lineJoin, lineCap, dashes } = this;
    return {
      ...this.paint('stroke'),
      'stroke-width': lineWidth,
      'stroke-linejoin': lineJoin === 'miter' ? undefined : lineJoin,
      'stroke-linecap': lineCap === 'butt' ? undefined : lineCap,
      'stroke-dasharray': dashes === '' ? undefined : dashes
    };
  }

  private write(text: string, x: number, y: number, paint: Attributes): void {
    const ink = inked(text, part => this.measureText(part).width);
    if (ink.text === '' || !(ink.width > 0)) {
      return;
    }
    const left = this.x + x + ink.before;
    const place = { x: left, y: this.y + y + this.drop(text), textLength: ink.width, lengthAdjust: 'spacingAndGlyphs' };
    this.draw('text', { ...place, ...fontAttributes(this.font), ...paint }, escaped(ink.text));
  }

  /** How far the line of the letters is below where texts are placed: programs disagree on all other lines. */
  private drop(text: string): number {
    const [at, letters] = [this.metrics(text, this.textBaseline), this.metrics(text, 'alphabetic')];
    const drop = letters.fontBoundingBoxAscent - at.fontBoundingBoxAscent;
    return Number.isFinite(drop) ? drop : 0;
  }

  private metrics(text: string, line: CanvasTextBaseline): TextMetrics {
    this.measure.font = this.font;
    this.measure.textBaseline = line;
    return this.measure.measureText(text);
  }

  private draw(tag: string, attributes: Attributes, content = ''): void {
    this.flush();
    this.limit(this.within);
    this.out.add(tag, attributes, content);
  }

  private flush(): void {
    const { boxes } = this;
    if (boxes !== null) {
      this.boxes = null;
      this.limit(boxes.within);
      this.out.add('path', { d: boxes.path.join(''), fill: boxes.fill });
    }
  }

  /** All that follows is drawn within a box. */
  private limit(within: Box | null): void {
    if (within === this.limited) {
      return;
    }
    if (this.limited !== null) {
      this.out.close('g');
    }
    if (within !== null) {
      const { left, top, right, bottom } = within;
      this.out.open('g', { 'clip-path': this.out.clip(left, top, right - left, bottom - top) });
    }
    this.limited = within;
  }

  private x = 0;
  private y = 0;
  private within: Box | null = null;
  private dashes = '';
  private path: string[] = [];
  private rectangle: Box | null = null;
  private boxes: Boxes | null = null;
  /** To what the present elements are limited. */
  private limited: Box | null = null;
  private readonly saved: (() => void)[] = [];
}

function common(a: Box, b: Box): Box {
  return {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom)
  };
}
