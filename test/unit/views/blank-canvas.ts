import { vi } from 'vitest';

/** A context that takes all calls and draws nothing: jsdom has no canvas. */
function blankContext(canvas: HTMLCanvasElement): object {
  return new Proxy(
    { canvas },
    {
      get: (target, name) => (name === 'canvas' ? target.canvas : name === 'measureText' ? () => ({ width: 10 }) : () => null),
      set: () => true
    }
  );
}

/** Give every canvas a context, and the page the class of its pixels; until all mocks and globals are restored. */
export function blankCanvases(): void {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(function (this: HTMLCanvasElement) {
    return blankContext(this) as never;
  });
  vi.stubGlobal(
    'ImageData',
    class {
      readonly data: Uint8ClampedArray;
      constructor(width: number, height: number) {
        this.data = new Uint8ClampedArray(4 * width * height);
      }
    }
  );
}

/** The frames of a page whose clock is moved by hand. */
export class Frames {
  /** Replace the page's frames; until all globals are restored. */
  constructor() {
    vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => this.asked.push(callback));
    vi.stubGlobal('cancelAnimationFrame', () => {
      this.asked = [];
    });
  }

  /** Number of callbacks that wait for the next frame. */
  get due(): number {
    return this.asked.length;
  }

  /** Run frames until none is asked for any more, at most `most`. */
  run(most = 20): void {
    for (let i = 0; i < most && this.asked.length > 0; i++) {
      const { asked } = this;
      this.asked = [];
      for (const callback of asked) {
        callback(performance.now());
      }
    }
  }

  private asked: FrameRequestCallback[] = [];
}
