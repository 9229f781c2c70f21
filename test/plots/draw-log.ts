/** What the canvases of a page show: their texts with the places of them, and how much else was painted. */

/** A rectangle in pixels of a canvas. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A text on a canvas. */
export interface DrawnText extends Box {
  readonly text: string;
  /** The part of the canvas to which drawing was limited. */
  readonly within: Box;
}

/** What a canvas shows. */
export interface Drawn {
  readonly texts: readonly DrawnText[];
  /** Shapes and pictures painted since the canvas was empty. */
  readonly marks: number;
}

declare global {
  interface Window {
    /** What a canvas shows; see {@link installDrawLog}. */
    daskPanesDrawn(canvas: HTMLCanvasElement): Drawn;
  }
}

/** Log what is drawn from now on; Playwright sends the source of this function, so it must be self-contained. */
export function installDrawLog(): void {
  interface Log {
    texts: DrawnText[];
    marks: number;
    clip: Box | null;
    readonly saved: (Box | null)[];
    path: Box | null;
  }
  const logs = new WeakMap<HTMLCanvasElement, Log>();
  const logOf = ({ canvas }: CanvasRenderingContext2D): Log => {
    const log = logs.get(canvas) ?? { texts: [], marks: 0, clip: null, saved: [], path: null };
    logs.set(canvas, log);
    return log;
  };
  const whole = ({ width, height }: HTMLCanvasElement): Box => ({ left: 0, top: 0, right: width, bottom: height });
  const common = (a: Box, b: Box): Box => ({
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom)
  });
  const placed = (context: CanvasRenderingContext2D, left: number, top: number, right: number, bottom: number): Box => {
    const matrix = context.getTransform();
    const corners = [
      [left, top],
      [right, top],
      [left, bottom],
      [right, bottom]
    ].map(([x, y]) => matrix.transformPoint({ x, y }));
    const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
    return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
  };
  const rectangle = (context: CanvasRenderingContext2D, [x, y, width, height]: readonly unknown[]): Box =>
    placed(context, Number(x), Number(y), Number(x) + Number(width), Number(y) + Number(height));
  /** Texts below a rectangle are gone. */
  const cover = (context: CanvasRenderingContext2D, box: Box): void => {
    const log = logOf(context);
    const { left, top, right, bottom } = log.clip === null ? box : common(box, log.clip);
    const { width, height } = context.canvas;
    if (left <= 0 && top <= 0 && right >= width && bottom >= height) {
      log.marks = 0;
    }
    log.texts = log.texts.filter(text => {
      const [x, y] = [(text.left + text.right) / 2, (text.top + text.bottom) / 2];
      return x < left || x > right || y < top || y > bottom;
    });
  };
  const prototype = CanvasRenderingContext2D.prototype;
  const before = (
    name: keyof CanvasRenderingContext2D,
    look: (context: CanvasRenderingContext2D, args: unknown[]) => void
  ): void => {
    const original = prototype[name] as (...args: unknown[]) => unknown;
    Object.assign(prototype, {
      [name](this: CanvasRenderingContext2D, ...args: unknown[]): unknown {
        look(this, args);
        return original.apply(this, args);
      }
    });
  };
  const mark = (context: CanvasRenderingContext2D): void => {
    logOf(context).marks += 1;
  };
  before('save', context => {
    const log = logOf(context);
    log.saved.push(log.clip);
  });
  before('restore', context => {
    const log = logOf(context);
    log.clip = log.saved.pop() ?? null;
  });
  before('beginPath', context => {
    logOf(context).path = null;
  });
  before('rect', (context, args) => {
    logOf(context).path = rectangle(context, args);
  });
  before('clip', (context, args) => {
    const log = logOf(context);
    if (log.path !== null && !(args[0] instanceof Path2D)) {
      log.clip = log.clip === null ? log.path : common(log.clip, log.path);
    }
  });
  before('clearRect', (context, args) => cover(context, rectangle(context, args)));
  before('fillRect', (context, args) => {
    cover(context, rectangle(context, args));
    mark(context);
  });
  for (const name of ['fill', 'stroke', 'strokeRect', 'drawImage', 'putImageData'] as const) {
    before(name, mark);
  }
  before('fillText', (context, [text, x, y]) => {
    const log = logOf(context);
    const metrics = context.measureText(String(text));
    const box = placed(
      context,
      Number(x) - metrics.actualBoundingBoxLeft,
      Number(y) - metrics.actualBoundingBoxAscent,
      Number(x) + metrics.actualBoundingBoxRight,
      Number(y) + metrics.actualBoundingBoxDescent
    );
    // Another text at the same place is the earlier text, drawn again.
    log.texts = log.texts.filter(other => Math.abs(other.left - box.left) > 0.5 || Math.abs(other.top - box.top) > 0.5);
    log.texts.push({ text: String(text), ...box, within: log.clip ?? whole(context.canvas) });
  });
  for (const side of ['width', 'height'] as const) {
    const property = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, side);
    Object.defineProperty(HTMLCanvasElement.prototype, side, {
      ...property,
      // A canvas that gets a size is empty.
      set(this: HTMLCanvasElement, size: number) {
        logs.delete(this);
        property?.set?.call(this, size);
      }
    });
  }
  window.daskPanesDrawn = canvas => logs.get(canvas) ?? { texts: [], marks: 0 };
}
