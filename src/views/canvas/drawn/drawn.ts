import { contextOf } from '../canvas-stage';
import type { Pen } from './pen';

/** The picture is not complete yet: a moment later it is. */
export class Unfinished extends Error {
  override readonly name = 'Unfinished';
}

/**
 * Draws what a canvas shows, in its pixels.
 *
 * @throws Unfinished
 */
export type Drawing = (pen: Pen) => void;

const drawings = new WeakMap<HTMLCanvasElement, Drawing>();
const charts = new WeakMap<Element, () => Promise<string>>();

/** Note how to draw what a canvas shows, for files that have no pixels. */
export function drawnBy(canvas: HTMLCanvasElement, drawing: Drawing): void {
  drawings.set(canvas, drawing);
}

/** How to draw what a canvas shows; undefined if nobody has said it. */
export function drawingOf(canvas: HTMLCanvasElement): Drawing | undefined {
  return drawings.get(canvas);
}

/** Note how to make SVG of what an element shows, with all that is in it. */
export function chartedBy(node: Element, svg: () => Promise<string>): void {
  charts.set(node, svg);
}

/** How to make SVG of what an element shows; undefined if nobody has said it. */
export function chartOf(node: Element): (() => Promise<string>) | undefined {
  return charts.get(node);
}

/** A canvas that is always drawn as a whole. */
export class Sheet {
  constructor(readonly canvas: HTMLCanvasElement) {
    this.context = contextOf(canvas);
  }

  /** Draw something instead of what is there. */
  paint<T>(draw: (pen: Pen) => T): T {
    this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    drawnBy(this.canvas, draw);
    return draw(this.context);
  }

  /** Draw nothing. */
  clear(): void {
    this.paint(() => undefined);
  }

  private readonly context: CanvasRenderingContext2D;
}
