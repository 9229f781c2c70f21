// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LaneName, WorkerName } from '../../../../src/feed/frame';
import { Folding } from '../../../../src/run/folded-time';
import { Run } from '../../../../src/run/run';
import { groupLanes, type HostLanes } from '../../../../src/views/timeline/lanes/lanes';
import { layOut } from '../../../../src/views/timeline/lanes/layout';
import { Painter, type Scene } from '../../../../src/views/timeline/paint/painter';
import { erredCode, Palette } from '../../../../src/views/timeline/paint/palette';
import { randomOf, tasksBody } from '../../run/synthetic';
import type { FoldedGrid } from '../../../../src/views/timeline/time/viewport';
import { contextOf } from './pixel-canvas';
import { theme } from '../light-theme';
import { EPOCH, finish, holdPixels, painterOf, picture, PREFIXES, viewportOf, WIDTH, Work } from './work';

/** Any pauses, also where there is work. */
function pausesOf(random: () => number): Folding {
  const pauses: { from: number; to: number }[] = [];
  for (let time = EPOCH + 10 * random(); pauses.length < 5; time += 1 + 5 * random()) {
    const from = time;
    time += 4 * random();
    pauses.push({ from, to: time });
  }
  return new Folding(pauses, WIDTH, [20, 6, 2]);
}

/** The first worker of a host drawn as one. */
function collapsedWorkers({ host, workers }: HostLanes): HostLanes {
  return { host, workers: workers.map((worker, i) => ({ ...worker, collapsed: i === 0 })) };
}

/** Compare a picture with one that is painted from scratch. */
function expectExact(painter: Painter, work: Work, scene: Scene, grid: FoldedGrid, where: string): void {
  const fresh = painterOf(work, scene);
  finish(fresh, grid);
  const expected = picture(fresh, scene);
  const wrong = picture(painter, scene).flatMap((pixel, at) =>
    pixel === expected[at] ? [] : [`column ${at % WIDTH}, row ${Math.floor(at / WIDTH)}`]
  );
  expect(wrong, where).toEqual([]);
}

describe('Painter', () => {
  beforeEach(holdPixels);

  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('crosses an error with the background, so that a thin one is seen in a busy lane', () => {
    const run = new Run();
    const work = tasksBody([
      { lane: 0, prefix: 0, start: EPOCH, duration: 6 },
      { lane: 0, prefix: 0, start: EPOCH + 6, duration: 0.05, status: 1 },
      { lane: 0, prefix: 0, start: EPOCH + 6.05, duration: 6 }
    ]);
    const workers: WorkerName[] = [{ address: 'tcp://0', name: '0', host: 'h', nthreads: 1, memory_limit: 0 }];
    const names = {
      prefixes: { from: 0, values: PREFIXES },
      workers: { from: 0, values: workers },
      lanes: { from: 0, values: [[0, 1] as LaneName] }
    };
    run.apply({ feed: 'f', epoch: 0, seq: 0, time: EPOCH + 13, cursor: {}, names, topics: { tasks: work } }, 0);
    const layout = layOut(
      groupLanes(workers, names.lanes.values, () => false),
      () => 1,
      40,
      1
    );
    const canvas = document.createElement('canvas');
    const painter = new Painter(canvas, { run }, new Palette(theme, new Set()));
    painter.setScene({ layout, bands: layout.bands, width: WIDTH, height: 40, scroll: 0, ratio: 1 });
    painter.paint(viewportOf(0.1).grid(), 1e6);
    const [band] = layout.bands;
    const { pixels } = contextOf(canvas);
    const column = Array.from({ length: band.layerHeight }, (_, y) => pixels[(band.top + y) * canvas.width + painter.left + 60]);
    const palette = new Palette(theme, new Set());
    palette.know(1);
    const error = palette.colours[erredCode(0)];
    expect(new Set(column)).toEqual(new Set([error, 0xffffffff]));
    expect(column[Math.floor(band.layerHeight / 2)]).toBe(error);
  });

  it('leaves out what was cleared, at once and wholly', () => {
    const work = new Work(12, randomOf(3));
    work.add(200);
    const scene = work.scene(200, 0);
    const grid = viewportOf(0.1).grid();
    const painter = painterOf(work, scene);
    finish(painter, grid);
    const all = picture(painter, scene);
    painter.setAfter(EPOCH + 4);
    finish(painter, grid);
    const left = picture(painter, scene);
    expect(all.filter(pixel => pixel !== 0).length).toBeGreaterThan(left.filter(pixel => pixel !== 0).length);
    expect(left.some(pixel => pixel !== 0)).toBe(true);
    // What is left was there before, except for tasks that a moment shares: nothing is drawn where nothing was.
    expect(left.every((pixel, at) => pixel === 0 || all[at] !== 0)).toBe(true);
    painter.setAfter(Number.NEGATIVE_INFINITY);
    finish(painter, grid);
    expect(picture(painter, scene)).toEqual(all);
  });

  it.each<[string, number, number, ((hosts: HostLanes[]) => HostLanes[])?]>([
    ['rows of pixels, a part of which changes', 80, 100],
    ['rows of pixels that do not fit', 160, 100],
    ['lanes with moves', 24, 160],
    ['lanes that overlap', 8, 200],
    ['a host drawn as one', 40, 120, ([first, second]) => [{ ...first, collapsed: true }, second]],
    ['workers drawn as one, in rows of pixels', 160, 60, hosts => hosts.map(collapsedWorkers)]
  ])('moves, zooms and scrolls to what a new picture shows: %s', (_, lanes, height, arrange) => {
    for (const seed of [1, 2, 3, 4]) {
      const random = randomOf(seed);
      const work = new Work(lanes, random, arrange);
      work.add(5 * lanes);
      const viewport = viewportOf(0.05);
      let grid = viewport.grid();
      let scene = work.scene(height, 0);
      const painter = painterOf(work, scene);
      finish(painter, grid);
      for (let step = 0; step < 60; step++) {
        const pick = random();
        if (pick < 0.5) {
          work.add(Math.floor(random() * lanes * 0.15));
        }
        if (pick > 0.3) {
          viewport.pan(Math.floor(random() * 9) - 3);
        }
        if (pick > 0.95) {
          viewport.perColumn = 0.05 + 0.05 * random();
        }
        if (pick > 0.4 && pick < 0.45) {
          viewport.folding = pausesOf(random);
        }
        grid = viewport.grid();
        if (pick < 0.05) {
          scene = work.scene(height, Math.floor(random() * 20));
          painter.setScene(scene);
        }
        // Some frames have time for all that is due, some for a few bands only.
        painter.paint(grid, random() < 0.5 ? 1000 : Math.floor(random() * lanes * 0.5));
        if (step % 6 === 0) {
          finish(painter, grid);
          expectExact(painter, work, scene, grid, `seed ${seed}, step ${step}`);
        }
      }
    }
  });

  it.each([
    [1, [0, 0]],
    [2, [0, 0]],
    [3, [0.3, 0]],
    [4, [0.3, 0.1]],
    [5, [0.1, 0.3]]
  ])('moves steadily through rows of pixels, also while tasks come and the direction changes (seed %i)', (seed, [come, turn]) => {
    const random = randomOf(seed);
    const work = new Work(160, random);
    work.add(6000);
    const viewport = viewportOf(0.02);
    viewport.first = 300;
    const scene = work.scene(100, 0);
    const painter = painterOf(work, scene);
    finish(painter, viewport.grid());
    let [step, most] = [-3, 0];
    const visits: number[] = [];
    for (let i = 0; i < 240; i++) {
      if (random() < come) {
        work.add(20);
      }
      step = random() < turn ? -step : step;
      viewport.pan(step);
      if (random() < 0.5) {
        painter.paint(viewport.grid(), 1e6);
        visits.push(painter.visited);
        most = Math.max(most, painter.visited);
      } else {
        painter.paint(viewport.grid(), 20);
      }
      if (i % 5 === 0) {
        finish(painter, viewport.grid());
        expectExact(painter, work, scene, viewport.grid(), `seed ${seed}, step ${i}`);
      }
    }
    if (come === 0 && turn === 0) {
      // Lanes are walked for some frames at once, but not all in the same frame.
      const mean = visits.reduce((sum, count) => sum + count, 0) / visits.length;
      expect(mean).toBeLessThan(most / 3);
    }
  });

  it.each([-4, 4])('does not walk all lanes in one frame where the canvas ends (%i columns a frame)', step => {
    const work = new Work(160, randomOf(6));
    work.add(20_000);
    const viewport = viewportOf(0.02);
    viewport.first = step < 0 ? 1200 : 0;
    const painter = painterOf(work, work.scene(100, 0));
    finish(painter, viewport.grid());
    const visits = Array.from({ length: 220 }, () => {
      viewport.pan(step);
      painter.paint(viewport.grid(), 1e6);
      return painter.visited;
    });
    // All are only in the frame in which it begins to move.
    expect(Math.max(...visits.slice(1))).toBeLessThan(visits[0] / 2);
  });

  it.each([-4, 4])('copies all pixels once for hundreds of columns, also where a hand wobbles (%i columns a frame)', step => {
    const work = new Work(160, randomOf(6));
    work.add(20_000);
    const viewport = viewportOf(0.02);
    viewport.first = step < 0 ? 1800 : 0;
    const scene = work.scene(100, 0);
    const painter = painterOf(work, scene);
    finish(painter, viewport.grid());
    const draw = vi.spyOn(contextOf(painter.canvas), 'drawImage');
    /** How often all pixels are copied while the picture moves. */
    const copies = (steps: readonly number[]): number => {
      draw.mockClear();
      for (const columns of steps) {
        viewport.pan(columns);
        painter.paint(viewport.grid(), 1e6);
      }
      return draw.mock.calls.length;
    };
    expect(copies(Array<number>(360).fill(step))).toBeLessThan(7);
    // Just after a copy, and at each place up to the next one.
    const wobble = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? -5 : 5) * Math.sign(step));
    while (copies([step]) === 0) {
      // On to the copy.
    }
    for (let at = 0; at < 12; at++) {
      expect(copies(wobble), `${at}`).toBeLessThan(2);
      copies(Array<number>(6).fill(step));
    }
    finish(painter, viewport.grid());
    expectExact(painter, work, scene, viewport.grid(), 'after all');
  });
});
