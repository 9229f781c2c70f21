import { afterEach, describe, expect, it, vi } from 'vitest';
import { type FrameClient, FrameLoop } from '../../../src/base/frame-loop';

describe('the frame loop', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  /** The page's animation frames, which come when the test calls for them. */
  function frames(): () => void {
    let next: FrameRequestCallback | null = null;
    vi.stubGlobal('requestAnimationFrame', (run: FrameRequestCallback) => {
      next = run;
      return 1;
    });
    vi.stubGlobal('cancelAnimationFrame', () => {
      next = null;
    });
    return () => {
      const run = next;
      next = null;
      run?.(0);
    };
  }

  it('does not call a painter that another one has removed in the same frame', () => {
    const draw = frames();
    const loop = new FrameLoop();
    const painted: string[] = [];
    const second = { paint: () => painted.push('second') };
    const first = {
      paint: () => {
        painted.push('first');
        loop.remove(second);
      }
    };
    loop.request(first);
    loop.request(second);
    draw();
    expect(painted).toEqual(['first']);
    draw();
    expect(painted).toEqual(['first']);
  });

  it('calls a painter once a frame, and again in the next one if it asked for that', () => {
    const draw = frames();
    const loop = new FrameLoop();
    let painted = 0;
    const painter: FrameClient = {
      paint: () => {
        painted += 1;
        loop.request(painter);
      }
    };
    loop.request(painter);
    draw();
    expect(painted).toBe(1);
    draw();
    expect(painted).toBe(2);
  });
});
