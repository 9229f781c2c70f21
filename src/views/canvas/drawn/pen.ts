/**
 * What painters use of the context of a canvas, and nothing else: what draws the same picture elsewhere, as SVG, has exactly
 * this, so that a call which it lacks does not compile. Transforms are translations, clips are rectangles.
 */
export interface Pen {
  globalAlpha: number;
  fillStyle: string | CanvasGradient | CanvasPattern;
  strokeStyle: string | CanvasGradient | CanvasPattern;
  lineWidth: number;
  lineJoin: CanvasLineJoin;
  lineCap: CanvasLineCap;
  font: string;
  textBaseline: CanvasTextBaseline;
  save(): void;
  restore(): void;
  translate(x: number, y: number): void;
  setLineDash(segments: number[]): void;
  beginPath(): void;
  closePath(): void;
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void;
  /** Whole circles only. */
  arc(x: number, y: number, radius: number, from: number, to: number): void;
  rect(x: number, y: number, width: number, height: number): void;
  /** To the last rectangle of the path. */
  clip(): void;
  fill(): void;
  stroke(): void;
  fillRect(x: number, y: number, width: number, height: number): void;
  strokeRect(x: number, y: number, width: number, height: number): void;
  fillText(text: string, x: number, y: number): void;
  strokeText(text: string, x: number, y: number): void;
  measureText(text: string): { readonly width: number };
  /** @param tile - one that `drawnBy` knows */
  createPattern(tile: HTMLCanvasElement, repetition: 'repeat'): CanvasPattern | null;
  createImageData(width: number, height: number): ImageData;
  /** Pixels of a part of an image; below them nothing has been drawn. */
  putImageData(image: ImageData, x: number, y: number, left: number, top: number, width: number, height: number): void;
}
