// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeTheme } from '../../../../src/base/theme';
import { Run } from '../../../../src/run/run';
import { windowOf } from '../../../../src/run/time-window';
import { WORKER_STATUS } from '../../../../src/feed/schema';
import * as fold from '../../../../src/run/lanes/lane-fold';
import { drawingOf } from '../../../../src/views/canvas/drawn/drawn';
import type { View } from '../../../../src/views/view';
import { tasksBody } from '../../run/synthetic';
import { RecordedCanvas } from '../recorded-canvas';
import { apply, EPOCH, EVEN, feedOf, frame, framesDue, holdFrames, press, releaseFrames, running, viewOf } from './stand';

const DARK = makeTheme({
  ...{ background: '#111111', text: '#ffffff', textSecondary: '#aaaaaa', border: '#444444', brand: '#1976d2' },
  ...{ fontFamily: 'sans-serif', codeFontFamily: 'monospace' }
});

/** A run of 200 s: busy in its first and last 20 s. */
function runOf(): Run {
  const run = new Run();
  for (let time = 0; time < 200; time += 1) {
    if (time < 20 || time >= 180) {
      apply(run, EPOCH + time, EPOCH + 200);
    }
  }
  return run;
}

async function tall(run: Run): Promise<View> {
  const view = await viewOf(run, feedOf(), {}, EVEN);
  view.resize(600, 400);
  for (let i = 0; i < 3; i++) {
    frame();
  }
  return view;
}

function minimap(view: View): HTMLElement {
  const node = view.node.querySelector<HTMLElement>('.dp-Timeline-minimap') as HTMLElement;
  node.setPointerCapture = () => undefined;
  return node;
}

/** Heights of the columns of an overview from the left; those without work have none. */
function bars(canvas: HTMLCanvasElement): number[] {
  const recorded = new RecordedCanvas();
  drawingOf(canvas)?.(recorded.context);
  return recorded.of('fillRect').map(({ args }) => Number(args[3]));
}

function pointer(node: HTMLElement, type: string, x: number): void {
  const event = new MouseEvent(type, { clientX: x, button: 0, buttons: 1, bubbles: true });
  node.dispatchEvent(Object.defineProperty(event, 'pointerId', { value: 1 }));
  frame();
}

function centre(run: Run): number {
  const shown = windowOf(run).span;
  return ((shown?.from ?? 0) + (shown?.to ?? 0)) / 2 - EPOCH;
}

describe('The overview of a timeline', () => {
  beforeEach(holdFrames);
  afterEach(releaseFrames);

  it('marks the visible period, and moves it while dragged', async () => {
    const run = runOf();
    const view = await tall(run);
    const map = minimap(view);
    const handle = map.querySelector<HTMLElement>('.dp-Timeline-handle') as HTMLElement;
    expect([map.hidden, handle.hidden]).toEqual([false, false]);
    // 196 columns of 3 pixels for 200 s; the last minute is visible.
    const by = (node: Element | null): number => Number((node as HTMLElement).style.transform.match(/-?[\d.]+/)?.[0]);
    const width = -by(handle.firstElementChild);
    expect(width).toBeGreaterThan(150);
    expect(width).toBeLessThan(200);
    pointer(map, 'pointerdown', 294);
    expect(centre(run)).toBeCloseTo(100, -0.7);
    expect(view.shownAt).not.toBeNaN();
    pointer(map, 'pointermove', 147);
    expect(centre(run)).toBeCloseTo(50, -0.7);
    expect(Math.floor((by(handle) - width) / 10)).toBeOneOf([5, 6, 7]);
    view.dispose();
  });

  it('is left out where there is no room, and asks for no frame once it is drawn', async () => {
    const run = runOf();
    const view = await tall(run);
    press(view, 'KeyA');
    for (let i = 0; i < 6; i++) {
      frame();
    }
    expect(framesDue()).toBe(0);
    view.resize(600, 250);
    expect(minimap(view).hidden).toBe(true);
    view.dispose();
  });

  it('has the current width and theme, without waiting, and is never empty', async () => {
    const run = runOf();
    const view = await tall(run);
    const canvas = minimap(view).querySelector('canvas') as HTMLCanvasElement;
    expect(canvas.width).toBe(196);
    const cleared = vi.spyOn(canvas, 'width', 'set');
    view.resize(480, 400);
    frame();
    // Only a picture that is whole replaces the one before.
    expect(cleared.mock.calls.every(([width]) => width === 156)).toBe(true);
    for (let i = 0; i < 3; i++) {
      frame();
    }
    expect([canvas.width, cleared.mock.calls.length]).toEqual([156, 1]);
    cleared.mockClear();
    view.setTheme(DARK);
    for (let i = 0; i < 3; i++) {
      frame();
    }
    // Drawn again, once.
    expect(cleared.mock.calls).toEqual([[156]]);
    frame();
    expect(cleared.mock.calls.length).toBe(1);
    view.dispose();
  });

  it('has the tasks of the last seconds before a pause, after which nothing draws it again', async () => {
    const run = runOf();
    const view = await tall(run);
    const canvas = minimap(view).querySelector('canvas') as HTMLCanvasElement;
    const busy = (): number => bars(canvas).filter(height => height > 0).length / bars(canvas).length;
    expect(busy()).toBeCloseTo(0.2, 1);
    for (let time = 200; time < 300; time += 1) {
      apply(run, EPOCH + time, EPOCH + 300);
    }
    // Before the next summary is due.
    frame();
    view.setPaused(true);
    for (let i = 0; i < 3; i++) {
      frame();
    }
    expect(framesDue()).toBe(0);
    expect(busy()).toBeCloseTo(140 / 300, 1);
    view.dispose();
  });

  it('reaches the clock while a task runs, which is paler, and grows with it', async () => {
    const run = runOf();
    const until = (time: number): void => running(run, EPOCH + time, [{ id: 1, start: EPOCH + 200 }]);
    until(400);
    const view = await tall(run);
    const canvas = minimap(view).querySelector('canvas') as HTMLCanvasElement;
    const fills = (): { x: number; height: number }[] => {
      const recorded = new RecordedCanvas();
      drawingOf(canvas)?.(recorded.context);
      return recorded.of('fillRect').map(({ args }) => ({ x: Number(args[0]), height: Number(args[3]) }));
    };
    // Of 400 s, the first half has ended tasks, and the second half the one that runs.
    const paler = (): number[] =>
      fills()
        .slice(canvas.width)
        .map(({ x }) => x);
    const ended = fills().filter(({ height }, i) => i < canvas.width && height > 0);
    expect(ended.at(-1)?.x).toBeCloseTo(canvas.width / 2, -0.7);
    expect(paler()[0]).toBeCloseTo(canvas.width / 2, -0.7);
    expect(paler().at(-1)).toBe(canvas.width - 1);
    until(800);
    view.update();
    for (let i = 0; i < 20; i++) {
      frame();
    }
    expect(paler()[0]).toBeCloseTo(canvas.width / 4, -0.7);
    view.dispose();
  });

  it('does not go on with tasks that ran when the client was closed', async () => {
    const run = runOf();
    running(run, EPOCH + 400, [{ id: 1, start: EPOCH + 200 }]);
    const feed = feedOf();
    const view = await viewOf(run, feed, {}, EVEN);
    view.resize(600, 400);
    const settle = (frames: number): void => {
      for (let i = 0; i < frames; i++) {
        view.update();
        frame();
      }
    };
    settle(20);
    const canvas = minimap(view).querySelector('canvas') as HTMLCanvasElement;
    const before = bars(canvas);
    Object.assign(feed, { state: { ...feed.state, status: 'closed' } });
    // Two minutes.
    settle(400);
    expect(bars(canvas)).toEqual(before);
    view.dispose();
  });

  it('has a run of which nothing has ended', async () => {
    const run = new Run();
    const worker = { address: 'tcp://a', name: 'a', host: 'h', nthreads: 1, memory_limit: 0 };
    running(run, EPOCH + 60, [{ id: 1, start: EPOCH }]);
    run.learn({ prefixes: { from: 0, values: ['inc'] }, workers: { from: 0, values: [worker] } });
    const view = await tall(run);
    const heights = bars(minimap(view).querySelector('canvas') as HTMLCanvasElement);
    // Those of what has ended, and those of what runs.
    expect(heights).toHaveLength(2 * 196);
    expect(heights.slice(196).every(height => height === 18)).toBe(true);
    view.dispose();
  });

  it('begins where the history was cleared', async () => {
    const run = runOf();
    const cleared = { run: run.identity, before: EPOCH + 150, row: 20, tasks: 20, erred: 0, moves: 0, sums: {} };
    for (const pauses of ['even', 'folded']) {
      const view = await viewOf(run, feedOf(), {}, { context: { ...EVEN.context, options: { pauses }, cleared } });
      view.resize(600, 400);
      for (let i = 0; i < 3; i++) {
        frame();
      }
      const heights = bars(minimap(view).querySelector('canvas') as HTMLCanvasElement);
      // 30 s without tasks, of which a folded pause takes four columns, and 20 s with some.
      const idle = pauses === 'even' ? Math.round((30 / 50) * heights.length) : 4;
      expect(
        heights.findIndex(height => height > 0),
        pauses
      ).toBeCloseTo(idle, -0.5);
      expect(heights.slice(idle + 2).every(height => height > 0)).toBe(true);
      view.dispose();
    }
  });

  it('compares with the threads that were there at that time, not with all that ever were', async () => {
    const run = new Run();
    const worker = (i: number) => ({ address: `tcp://${i}`, name: '', host: 'h', memory_limit: 0 });
    const second = { ...worker(1), nthreads: 1, joined: EPOCH + 100 };
    const rows = Array.from({ length: 200 }, (_, i) => ({ lane: i < 100 ? 0 : 1, start: EPOCH + i, duration: 1 }));
    run.apply(
      {
        ...{ feed: 'f', epoch: 0, seq: 0, time: EPOCH + 200, cursor: {} },
        names: {
          prefixes: { from: 0, values: ['inc'] },
          workers: {
            from: 0,
            values: [{ ...worker(0), nthreads: 1 }, second, { ...worker(2), nthreads: 3, joined: EPOCH + 150 }]
          },
          lanes: { from: 0, values: [[0, 7] as const, [1, 8] as const] }
        },
        topics: {
          tasks: tasksBody(rows),
          workers: {
            columns: {
              id: Uint32Array.of(0, 1, 2),
              status: Uint8Array.from(['closed', 'running', 'running'] as const, status => WORKER_STATUS.indexOf(status)),
              left: Float64Array.of(EPOCH + 100, Number.NaN, Number.NaN)
            },
            scalars: {}
          }
        }
      },
      0
    );
    const view = await tall(run);
    const heights = bars(minimap(view).querySelector('canvas') as HTMLCanvasElement);
    const at = (share: number): number => heights[Math.round(share * heights.length)];
    expect([0.1, 0.4, 0.6, 0.7].map(at)).toEqual([18, 18, 18, 18].map(height => expect.closeTo(height, 1)));
    // A worker without a task is there, too.
    expect([0.8, 0.9].map(at)).toEqual([4.5, 4.5].map(height => expect.closeTo(height, 1)));
    view.dispose();
  });

  it('is that of the moment to which the clock of a recording was moved, though nothing draws the picture again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const run = runOf();
    const view = await viewOf(run, feedOf({ status: 'recorded' }), {}, EVEN);
    view.resize(600, 400);
    const settle = (): void => {
      for (let i = 0; framesDue() > 0; i++) {
        expect(i).toBeLessThan(20);
        frame();
      }
    };
    settle();
    const canvas = minimap(view).querySelector('canvas') as HTMLCanvasElement;
    const [all, early] = [run.tasks, run.tasks.until(EPOCH + 40)];
    for (const tasks of [early, all, early]) {
      run.tasks = tasks;
      run.touch(['tasks']);
      view.update();
      settle();
    }
    await vi.advanceTimersByTimeAsync(20_000);
    settle();
    const heights = bars(canvas);
    expect(heights.filter(height => height > 0).length / heights.length).toBeGreaterThan(0.9);
    vi.useRealTimers();
    view.dispose();
  });

  it('takes less of a frame while the picture moves, but not before there is anything to see', async () => {
    const run = new Run();
    const lanes = Array.from({ length: 60 }, (_, i) => [0, i] as const);
    const worker = { address: 'tcp://a', name: 'a', host: 'h', nthreads: 60, memory_limit: 0 };
    const tasks = (start: number) => {
      const topics = { tasks: tasksBody(lanes.map((_, lane) => ({ lane, start, duration: 1 }))) };
      run.apply({ feed: 'f', epoch: 0, seq: 0, time: start + 1, cursor: {}, names: {}, topics }, 0);
    };
    run.learn({
      prefixes: { from: 0, values: ['inc'] },
      workers: { from: 0, values: [worker] },
      lanes: { from: 0, values: lanes }
    });
    tasks(EPOCH);
    // Each look at the clock takes a tenth of a millisecond: a slice has about as many lanes as it has tenths.
    let looks = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => looks++ / 10);
    const reset = vi.spyOn(fold.Columns.prototype, 'reset');
    const lanesIn = (step: () => void): number => {
      reset.mockClear();
      step();
      return reset.mock.contexts.filter(columns => (columns as fold.Columns).width === 196).length;
    };
    const view = await viewOf(run, feedOf(), {}, EVEN);
    view.resize(600, 400);
    const moving = (): number =>
      lanesIn(() => {
        view.update();
        frame();
      });
    const first = Array.from({ length: 12 }, moving);
    for (let i = 0; i < 40; i++) {
      frame();
    }
    tasks(EPOCH + 100);
    const later = Array.from({ length: 12 }, moving);
    expect(Math.max(...first)).toBeGreaterThan(8);
    expect(Math.max(...later)).toBeLessThan(6);
    expect(Math.max(...later)).toBeGreaterThan(0);
    vi.restoreAllMocks();
    view.dispose();
  });

  it('says what went wrong, and the timeline goes on', async () => {
    const run = runOf();
    const view = await viewOf(run, feedOf(), {}, EVEN);
    const summarise = vi.spyOn(fold.Columns.prototype, 'reset').mockImplementation(function (this: fold.Columns) {
      if (this.width === 196) {
        throw new Error('broken');
      }
    });
    view.resize(600, 400);
    for (let i = 0; i < 3; i++) {
      frame();
    }
    expect(minimap(view).textContent).toContain('broken');
    summarise.mockRestore();
    press(view, 'KeyA');
    frame();
    expect(view.shownAt).not.toBeNaN();
    view.dispose();
  });
});
