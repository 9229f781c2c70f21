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

  it('goes on where a painter throws, and says so where that painter or the loop wants', () => {
    const draw = frames();
    const errors: unknown[] = [];
    const loop = new FrameLoop(error => errors.push(error));
    const painted: string[] = [];
    const throws = (error: string): void => {
      throw error;
    };
    loop.request({ paint: () => throws('a') });
    loop.request({ paint: () => throws('b'), failed: error => painted.push(`shows ${String(error)}`) });
    loop.request({ paint: () => painted.push('third') });
    draw();
    expect(painted).toEqual(['shows b', 'third']);
    expect(errors).toEqual(['a']);
    loop.request({ paint: () => painted.push('next frame') });
    draw();
    expect(painted.at(-1)).toBe('next frame');
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
