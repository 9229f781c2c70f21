// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeTheme } from '../../../../src/base/theme';
import type { Frame, LaneName, WorkerName } from '../../../../src/feed/frame';
import { Folding } from '../../../../src/run/folded-time';
import { Run } from '../../../../src/run/run';
import { groupLanes, type HostLanes } from '../../../../src/views/timeline/lanes/lanes';
import { bandsWithin, layOut } from '../../../../src/views/timeline/lanes/layout';
import { Painter, type Scene } from '../../../../src/views/timeline/paint/painter';
import { ERRED_CODE, Palette } from '../../../../src/views/timeline/paint/palette';
import { type Move, randomOf, type Row, tasksBody } from '../../run/synthetic';
import { contextOf, PixelData } from './pixel-canvas';
import { type FoldedGrid, Viewport } from '../../../../src/views/timeline/time/viewport';

const EPOCH = 1_700_000_000;
const WIDTH = 120;
const PREFIXES = ['inc', 'dec', 'add', 'sum'];

const theme = makeTheme({
  background: '#ffffff',
  text: '#000000',
  textSecondary: '#555555',
  border: '#cccccc',
  brand: '#1976d2',
  fontFamily: 'sans-serif',
  codeFontFamily: 'monospace'
});

/** A run of a number of lanes on two workers each of two hosts, to which tasks are added at random. */
class Work {
  constructor(
    private readonly lanes: number,
    private readonly random: () => number,
    arrange: (hosts: HostLanes[]) => readonly HostLanes[] = hosts => hosts
  ) {
    this.ends = Array.from({ length: lanes }, () => EPOCH);
    const workers: WorkerName[] = [0, 1, 2, 3].map(id => ({
      address: `tcp://${id}`,
      name: `w-${id}`,
      host: `h-${id >> 1}`,
      nthreads: 1,
      memory_limit: 0
    }));
    const names: LaneName[] = Array.from({ length: lanes }, (_, i) => [i % 4, i]);
    this.apply([], [], {
      prefixes: { from: 0, values: PREFIXES },
      workers: { from: 0, values: workers },
      lanes: { from: 0, values: names }
    });
    this.hosts = arrange(groupLanes(workers, names, () => false));
  }

  readonly run = new Run();

  /** Some tasks, each with moves now and then, in a few lanes only. */
  add(count: number): void {
    const { random } = this;
    const rows: Row[] = [];
    const moves: Move[] = [];
    for (let i = 0; i < count; i++) {
      const lane = Math.floor(random() * this.lanes);
      const start = this.ends[lane] + random() * 0.3 - (random() < 0.05 ? 0.2 : 0);
      const duration = random() ** 3;
      if (random() < 0.3) {
        moves.push({ at: i, kind: 1 + Math.floor(random() * 4), start: start - 0.05, duration: 0.04 });
      }
      rows.push({ lane, prefix: Math.floor(random() * 4), start, duration, status: random() < 0.02 ? 1 : 0 });
      this.ends[lane] = Math.max(this.ends[lane], start + duration);
    }
    this.apply(rows, moves);
  }

  scene(height: number, scroll: number): Scene {
    const { lanes } = this.run.tasks;
    const layout = layOut(this.hosts, lane => lanes[lane]?.compute.rows ?? 1, height, 1);
    return { layout, bands: bandsWithin(layout.bands, scroll, height), width: WIDTH, height, scroll, ratio: 1 };
  }

  private apply(rows: readonly Row[], moves: readonly Move[], names: Frame['names'] = {}): void {
    const topics = { tasks: tasksBody(rows, this.row, moves) };
    this.row += rows.length;
    this.run.apply({ feed: 'f', epoch: 0, seq: 0, time: EPOCH, cursor: {}, names, topics }, 0);
  }

  private readonly hosts: readonly HostLanes[];
  private readonly ends: number[];
  private row = 0;
}

function painterOf(work: Work, scene: Scene): Painter {
  const painter = new Painter(document.createElement('canvas'), work, new Palette(theme, new Set()));
  painter.setScene(scene);
  return painter;
}

/** What the window shows of a painter's canvas. */
function picture(painter: Painter, { height }: Scene): number[] {
  const { pixels, canvas } = contextOf(painter.canvas);
  const shown: number[] = [];
  for (let y = 0; y < height; y++) {
    const at = y * canvas.width + painter.left;
    shown.push(...pixels.subarray(at, at + WIDTH));
  }
  return shown;
}

function viewportOf(perColumn: number): Viewport {
  const viewport = new Viewport();
  viewport.anchor = EPOCH;
  viewport.width = WIDTH;
  viewport.perColumn = perColumn;
  return viewport;
}

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

/** Paint until the picture is exact. */
function finish(painter: Painter, grid: FoldedGrid): void {
  while (!painter.paint(grid, 0)) {
    // Each call paints at least one band.
  }
}

describe('Painter', () => {
  beforeEach(() => {
    vi.stubGlobal('ImageData', PixelData);
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(function (this: HTMLCanvasElement) {
      return contextOf(this) as never;
    });
    // A clock that moves by 1 with each look: a budget of n pays for about n bands.
    let looks = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => looks++);
  });

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
    const error = new Palette(theme, new Set()).colours[ERRED_CODE];
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
    // What is left was there before, but for tasks that a moment shares: nothing is drawn where nothing was.
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
          const anew = painterOf(work, scene);
          finish(anew, grid);
          const expected = picture(anew, scene);
          const wrong = picture(painter, scene).flatMap((pixel, at) =>
            pixel === expected[at] ? [] : [`column ${at % WIDTH}, row ${Math.floor(at / WIDTH)}`]
          );
          expect(wrong, `seed ${seed}, step ${step}`).toEqual([]);
        }
      }
    }
  });
});
