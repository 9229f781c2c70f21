import { describe, expect, it, vi } from 'vitest';
import type { TopicBody } from '../../../../src/feed/frame';
import type { Topic } from '../../../../src/feed/schema';
import { Run } from '../../../../src/run/run';
import type { Translate } from '../../../../src/plot/plot';
import { p95Words } from '../../../../src/selectors/stragglers/stragglers';
import { Arrangement } from '../../../../src/views/timeline/lanes/arrangement';
import { layOut } from '../../../../src/views/timeline/lanes/layout';
import { Palette } from '../../../../src/views/timeline/paint/palette';
import { PendingRows, type PendingScene, pickPending } from '../../../../src/views/timeline/paint/pending';
import { tipOf } from '../../../../src/views/timeline/tip';
import { Viewport } from '../../../../src/views/timeline/time/viewport';
import { task as taskDetails } from '../../../../src/plots/tasks/task';
import { busyShare, workerWords } from '../../../../src/views/timeline/lanes/lane-words';
import { context } from '../../plots/cluster';
import { runningBody, type RunningRow, tasksBody } from '../../run/synthetic';
import { translate as trans } from '../../translate';
import { theme } from '../light-theme';
import { RecordedCanvas } from '../recorded-canvas';

const EPOCH = 1_700_000_000;
const HOSTILE = '<img src=x onerror=alert(1)>';

const palette = new Palette(theme, new Set());

let seq = 0;

/** Two workers with two threads; 100 columns are 10 s. */
function apply(run: Run, time: number, topics: Partial<Record<Topic, TopicBody>>): void {
  const worker = (name: string) => ({ address: `tcp://${name}`, name, host: 'h', nthreads: 2, memory_limit: 0 });
  run.apply(
    {
      feed: 'f',
      epoch: 0,
      seq: seq++,
      time: EPOCH + time,
      cursor: {},
      names: { prefixes: { from: 0, values: ['fit', HOSTILE] }, workers: { from: 0, values: [worker('a'), worker('b')] } },
      topics
    },
    0
  );
}

function runOf(time: number, rows: readonly RunningRow[]): Run {
  const run = new Run();
  apply(run, time, { running: runningBody(rows) });
  return run;
}

function sceneOf(run: Run, height: number, until: number): PendingScene {
  const arrangement = new Arrangement({ run });
  arrangement.update(height, 1);
  const viewport = new Viewport();
  viewport.width = 120;
  viewport.anchor = EPOCH;
  viewport.perColumn = 0.1;
  return { workers: arrangement.layout.workers, viewport, scroll: 0, height, ratio: 1, until: EPOCH + until };
}

/** What is drawn: rectangles that are filled, and texts. */
function drawn(run: Run, scene: PendingScene): { rects: number[][]; texts: string[] } {
  const rects: number[][] = [];
  const texts: string[] = [];
  const calls: Record<string, (...args: never[]) => unknown> = {
    strokeRect: (x: number, y: number, width: number, height: number) => rects.push([x, y, width, height]),
    fillText: (text: string) => texts.push(text),
    measureText: (text: string) => ({ width: text.length * 4 })
  };
  const context = new Proxy({}, { get: (_, name) => calls[String(name)] ?? (() => null), set: () => true });
  const rows = new PendingRows(context as CanvasRenderingContext2D, { run });
  // Patterns need a document; without one nothing is hatched.
  vi.stubGlobal('document', { createElement: () => ({ getContext: () => null }) });
  rows.draw(scene, palette, 0);
  return { rects, texts };
}

const PERIOD = { from: EPOCH, to: EPOCH + 10, paused: () => 0 };

describe('pending rows', () => {
  it('have room only once a task has run for a second, under the lanes of every worker that is there', () => {
    const run = runOf(1, [{ id: 0, start: EPOCH + 0.5 }]);
    const arrangement = new Arrangement({ run });
    arrangement.update(300, 1);
    expect(arrangement.layout.workers.map(worker => worker.pendingHeight)).toEqual([0, 0]);
    apply(run, 2, { running: runningBody([]) });
    expect(arrangement.update(300, 1)).toBe(true);
    const [a, b] = arrangement.layout.workers;
    expect([a.pendingHeight, b.pendingHeight]).toEqual([12, 12]);
    expect(a.pendingTop).toBeGreaterThan(a.top);
    expect(a.pendingTop + 12).toBeLessThanOrEqual(b.top);
    // It stays when nothing runs: rows that come and go would move the picture.
    apply(run, 3, { running: runningBody([{ id: 0, state: 0, start: 0 }]) });
    expect(arrangement.update(300, 1)).toBe(false);
  });

  it('fit into the window as long as a lane has a pixel', () => {
    const hosts = (workers: number) => [
      {
        host: 'h',
        workers: Array.from({ length: workers }, (_, worker) => ({
          worker,
          name: '',
          threads: 2,
          lanes: [2 * worker, 2 * worker + 1]
        }))
      }
    ];
    for (const workers of [1, 4, 20, 60, 100, 200]) {
      const {
        height,
        workers: blocks,
        bands
      } = layOut(
        hosts(workers),
        () => 1,
        620,
        1,
        () => true
      );
      expect(height).toBeLessThanOrEqual(620 + 6);
      for (const { pendingTop, pendingHeight } of blocks) {
        expect(bands.every(band => band.top >= pendingTop + pendingHeight || band.top + band.layerHeight <= pendingTop)).toBe(
          true
        );
      }
    }
  });

  it('draw each task from its start to where the next one begins, the last one to now', () => {
    const run = runOf(8, [
      { id: 0, start: EPOCH + 1 },
      { id: 1, start: EPOCH + 4, prefix: 1 },
      { id: 2, start: EPOCH + 7.5 },
      { id: 3, start: EPOCH + 2, worker: 1 }
    ]);
    const scene = sceneOf(run, 300, 8);
    const [a, b] = scene.workers;
    const { rects, texts } = drawn(run, scene);
    expect(rects).toEqual([
      [10.5, a.pendingTop + 0.5, 29, 11],
      [40.5, a.pendingTop + 0.5, 39, 11],
      [20.5, b.pendingTop + 0.5, 59, 11]
    ]);
    // A name only where all of it fits.
    expect(texts).toEqual(['fit', 'fit']);
    apply(run, 8, { running: runningBody([{ id: 1, state: 0, start: 0 }]) });
    expect(drawn(run, scene).rects[0]).toEqual([10.5, a.pendingTop + 0.5, 69, 11]);
  });

  it('draw nothing outside of what is emptied before they are drawn again: a letter that reaches below its row would stay', () => {
    const run = runOf(8, [
      { id: 0, start: EPOCH + 1 },
      { id: 1, start: EPOCH + 2 }
    ]);
    const canvas = new RecordedCanvas();
    const emptied: number[][] = [];
    vi.stubGlobal('document', { createElement: () => ({ getContext: () => null }) });
    new PendingRows(canvas.context, { run }, (...box) => emptied.push(box)).draw(sceneOf(run, 300, 8), palette, 0);
    const clips: number[][] = [];
    let path: number[] = [];
    const within: number[][] = [];
    for (const { name, args } of canvas.calls) {
      path = name === 'rect' ? (args as number[]) : path;
      if (name === 'clip') {
        clips.push(path);
      } else if (name === 'restore') {
        clips.pop();
      } else if (name === 'fillText') {
        within.push(clips.at(-1) ?? [-1, -1, 1e9, 1e9]);
      }
    }
    expect(within.length).toBeGreaterThan(0);
    const isIn = ([x, y, width, height]: number[], [left, top, w, h]: number[]): boolean =>
      x >= left && x + width <= left + w && y >= top && y + height <= top + h;
    expect(within.filter(clip => !emptied.some(box => isIn(clip, box)))).toEqual([]);
    expect(clips).toEqual([]);
  });

  it('have an underscore that is not on the outline, also where rows are low', () => {
    const run = runOf(8, [{ id: 0, start: EPOCH + 1 }]);
    const grounds = (height: number): unknown[] => {
      const canvas = new RecordedCanvas();
      vi.stubGlobal('document', { createElement: () => ({ getContext: () => null }) });
      const scene = sceneOf(run, 300, 8);
      const [block] = scene.workers;
      const workers = [{ ...block, pendingHeight: height }];
      new PendingRows(canvas.context, { run }).draw({ ...scene, workers }, palette, 0);
      return [canvas.of('fillText').length, canvas.of('fillRect').at(-1)?.args[3]];
    };
    expect(grounds(12)).toEqual([1, 10]);
    expect(grounds(8)).toEqual([1, 7]);
  });

  it('write a task out that runs much longer than most of its function, as far as there is room', () => {
    const run = runOf(8, [
      { id: 0, worker: 0, start: EPOCH, key: 'fit-with-a-long-key' },
      { id: 1, worker: 1, start: EPOCH, prefix: 1, key: 'other' }
    ]);
    const german: Translate = { ...trans, __: (text, ...values) => trans.__(text.replace('p95', 'P95'), ...values) };
    const written = (p95: number, width = 100): unknown[] => {
      const canvas = new RecordedCanvas();
      vi.stubGlobal('document', { createElement: () => ({ getContext: () => null }) });
      const base = sceneOf(run, 300, 8);
      base.viewport.width = 1e4;
      base.viewport.perColumn = 8 / width;
      const usual = {
        p95: (prefix: number): number => (prefix === 0 ? p95 : Number.NaN),
        words: (each: number): string => p95Words(each, german)
      };
      const scene = { ...base, usual };
      new PendingRows(canvas.context, { run }).draw(scene, palette, 0);
      return canvas.of('fillText').map(({ args, state }) => [args[0], state.fillStyle === theme.warn]);
    };
    const [, other] = written(Number.NaN, 2000);
    expect(written(2, 2000)).toEqual([['fit-with-a-long-key · 8.00 s · P95 2.00 s', true], other]);
    expect(written(2.7, 2000)).toEqual([['fit', false], other]);
    // Its key, then its function, has no room.
    const texts = [200, 150, 100].map(width => (written(2, width)[0] as unknown[])[0]);
    expect(texts).toEqual(['fit · 8.00 s · P95 2.00 s', '8.00 s · P95 2.00 s', 'fit']);
  });

  it('name the task under the pointer: key, since when, and how old that is', () => {
    const run = runOf(8, [
      { id: 0, start: EPOCH + 1, as_of: EPOCH + 7.5, key: 'fit-7' },
      { id: 1, start: EPOCH + 4, prefix: 1, as_of: EPOCH + 7.5, key: HOSTILE }
    ]);
    const scene = sceneOf(run, 300, 8);
    const y = scene.workers[0].pendingTop + 3;
    const first = pickPending(run, scene, palette, 20, y);
    const second = pickPending(run, scene, palette, 60, y);
    expect(first?.running?.task.key).toBe('fit-7');
    expect(second?.running).toMatchObject({ task: { key: HOSTILE }, others: 1 });
    for (const x of [5, 90]) {
      expect(pickPending(run, scene, palette, x, y)).toBeNull();
    }
    const { content } = tipOf(second!, run, undefined, palette, trans);
    expect(content).toMatchObject({ title: HOSTILE, key: HOSTILE, state: 'running' });
    const rows = Object.fromEntries(content.rows);
    expect(rows['Running for']).toBe('4.00 s');
    expect(rows['As of']).toBe('500 ms ago');
    expect(rows['At the same time']).toBe('1 other task');
    // The empty pane names the link.
    const { label = '' } = content.links?.find(({ plot }) => plot === 'task') ?? {};
    expect(taskDetails.empty(run, context())?.body).toContain(`and then ${label}.`);
  });
});

describe('the busy share of a worker', () => {
  const lanes = { worker: 0, name: 'a', lanes: [-1, -1], threads: 2 };

  it('counts what runs, up to now', () => {
    const run = runOf(10, [{ id: 0, start: EPOCH }]);
    expect(busyShare(run, [lanes], PERIOD)).toBe(0.5);
    // What has seceded holds no thread, and more than all threads there are not.
    apply(run, 10, { running: runningBody([1, 2, 3].map(id => ({ id, start: EPOCH }))) });
    expect(busyShare(run, [lanes], PERIOD)).toBe(1);
    apply(run, 10, { running: runningBody([0, 1, 2, 3].map(id => ({ id, start: EPOCH, state: 2 }))) });
    expect(busyShare(run, [lanes], PERIOD)).toBe(0);
  });

  it('is not said where tasks run and it is unknown which', () => {
    const run = new Run();
    const one = Uint32Array.of(1);
    const workers: TopicBody = {
      columns: { id: Uint32Array.of(0), status: Uint8Array.of(2), executing: one, processing: one },
      scalars: {}
    };
    apply(run, 10, { workers, tasks: tasksBody([]) });
    expect(workerWords(run, lanes, PERIOD, trans).text).toBe('2 thr · 1 running');
  });
});
