// @vitest-environment jsdom
// What a painter does not do again: it queries what came into view or changed, and shows what it has until the rest is ready.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LaneName, WorkerName } from '../../../../src/feed/frame';
import { Run } from '../../../../src/run/run';
import { groupLanes, type HostLanes } from '../../../../src/views/timeline/lanes/lanes';
import { type Band, bandBottom, layOut } from '../../../../src/views/timeline/lanes/layout';
import { Painter, type Scene } from '../../../../src/views/timeline/paint/painter';
import { Palette, prefixCode } from '../../../../src/views/timeline/paint/palette';
import type { FoldedGrid } from '../../../../src/views/timeline/time/viewport';
import { type Move, randomOf, type Row, tasksBody } from '../../run/synthetic';
import { contextOf, PixelContext } from './pixel-canvas';
import { theme } from '../light-theme';
import { EPOCH, finish, holdPixels, painterOf, picture, PREFIXES, viewportOf, WIDTH, Work } from './work';

const LANES = 12;
const HEIGHT = 200;
/** Time for everything. */
const ALL = 1e9;

/** Work of about 4 s, in a window of 6 s. */
function stand(lanes = LANES, height = HEIGHT, arrange?: (hosts: HostLanes[]) => readonly HostLanes[]) {
  const work = new Work(lanes, randomOf(5), arrange);
  work.add(10 * lanes);
  const viewport = viewportOf(0.05);
  const scene = work.scene(height, 0);
  const painter = painterOf(work, scene);
  finish(painter, viewport.grid());
  const { lanes: all } = work.run.tasks;
  const ends = all.flatMap(lane => (lane === undefined ? [] : [Math.max(lane.compute.end, lane.moves?.end ?? 0)]));
  return { work, viewport, scene, painter, last: Math.max(...ends) - EPOCH };
}

/** Summaries and intervals that a new painter visits for these columns of the window. */
function visitedIn(work: Work, scene: Scene, grid: FoldedGrid, from: number, to: number): number {
  const part = painterOf(work, { ...scene, width: to - from });
  part.paint({ ...grid, first: grid.first + from }, ALL);
  return part.visited;
}

/** The rows of pixels of a band in a picture. */
function rowsOf(pixels: readonly number[], band: Band, scroll = 0): number[] {
  return pixels.slice((band.top - scroll) * WIDTH, (bandBottom(band) - scroll) * WIDTH);
}

describe('A painter', () => {
  beforeEach(holdPixels);
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  it('queries nothing where nothing changed, and nothing behind the last task', () => {
    const { viewport, painter, last } = stand();
    expect(painter.paint(viewport.grid(), ALL)).toBe(true);
    expect(painter.visited).toBe(0);
    viewport.pan(Math.ceil(last / 0.05));
    painter.paint(viewport.grid(), ALL);
    const end = painter.visited;
    viewport.pan(10);
    expect(painter.paint(viewport.grid(), 0), 'there is nothing to be done').toBe(true);
    expect(painter.visited).toBe(0);
    expect(end).toBe(0);
  });

  it.each([
    ['later', 15],
    ['earlier', -15]
  ])('queries the columns that came into view, %s', (_, columns) => {
    const { work, viewport, scene, painter } = stand();
    viewport.pan(40);
    finish(painter, viewport.grid());
    viewport.pan(columns);
    const grid = viewport.grid();
    painter.paint(grid, ALL);
    expect(painter.complete).toBe(true);
    const [from, to] = columns > 0 ? [WIDTH - columns, WIDTH] : [0, -columns];
    expect(painter.visited).toBeLessThanOrEqual(visitedIn(work, scene, grid, from, to));
    expect(painter.visited > 0).toBe(columns < 0);
  });

  it('queries the lane that changed, from its change on', () => {
    const { work, viewport, scene, painter, last } = stand();
    const [, band] = scene.bands;
    const grid = viewport.grid();
    const row = { lane: band.lane, prefix: 1, start: EPOCH + last + 0.2, duration: 0.4 };
    work.run.apply(
      { feed: 'f', epoch: 0, seq: 0, time: EPOCH, cursor: {}, names: {}, topics: { tasks: tasksBody([row], 10 * LANES) } },
      0
    );
    painter.paint(grid, 0);
    // One look at the clock is enough for one band.
    expect(painter.complete).toBe(true);
    const from = Math.floor((last + 0.2) / 0.05);
    expect(painter.visited).toBeGreaterThan(0);
    expect(painter.visited).toBeLessThanOrEqual(visitedIn(work, { ...scene, bands: [band] }, grid, from, WIDTH));
    const fresh = painterOf(work, scene);
    finish(fresh, grid);
    expect(picture(painter, scene)).toEqual(picture(fresh, scene));
  });

  it('takes as many frames as there are bands where each has time for one, and begins with another one each time', () => {
    const { viewport, scene, painter } = stand();
    painter.invalidate();
    let frames = 1;
    while (!painter.paint(viewport.grid(), 0)) {
      frames += 1;
    }
    expect(frames).toBe(scene.bands.length);
    // All is out of date before each frame, and yet each band has its turn.
    const before = picture(painter, scene);
    const palette = new Palette(theme, new Set(PREFIXES.map((__, prefix) => `prefix:${prefix}`)));
    painter.setPalette(palette);
    for (let i = 0; i < scene.bands.length; i++) {
      painter.invalidate();
      painter.paint(viewport.grid(), 0);
    }
    painter.setPalette(new Palette(theme, new Set()));
    expect(picture(painter, scene), 'nothing is recoloured that is out of date').not.toEqual(before);
    for (let i = 0; i < scene.bands.length; i++) {
      painter.invalidate();
      painter.paint(viewport.grid(), 0);
    }
    expect(picture(painter, scene)).toEqual(before);
  });

  it('recolours what it has at once, without a query', () => {
    for (const [lanes, height] of [
      [LANES, HEIGHT],
      [160, 100]
    ] as const) {
      const { work, viewport, scene, painter } = stand(lanes, height);
      const palette = new Palette(theme, new Set(['prefix:1', 'disk', 'erred']));
      painter.setPalette(palette);
      const fresh = new Painter(document.createElement('canvas'), work, palette);
      fresh.setScene(scene);
      finish(fresh, viewport.grid());
      expect(picture(painter, scene)).toEqual(picture(fresh, scene));
      expect(painter.complete, 'patterns and labels follow').toBe(false);
      finish(painter, viewport.grid());
      expect(picture(painter, scene)).toEqual(picture(fresh, scene));
    }
  });

  it('shows the last picture scrolled until the bands are painted, and nothing of another layout, size or ratio', () => {
    const shownAfter = (change: (work: Work, scene: Scene) => Scene): number[] => {
      const { work, scene, painter } = stand(160, 100);
      const next = change(work, scene);
      painter.setScene(next);
      return picture(painter, { ...next, height: 60 });
    };
    const { scene, painter } = stand(160, 100);
    const before = picture(painter, scene);
    const scrolled = shownAfter((work, { layout }) => ({ ...work.scene(100, 12), layout }));
    expect(scrolled).toEqual(before.slice(12 * WIDTH, 72 * WIDTH));
    const none = Array.from({ length: 60 * WIDTH }, () => 0);
    expect(shownAfter(work => work.scene(100, 12))).toEqual(none);
    expect(shownAfter((_, same) => ({ ...same, height: 90 }))).toEqual(none);
    expect(shownAfter((_, same) => ({ ...same, ratio: 2 }))).toEqual(none);
    expect(shownAfter((_, same) => ({ ...same, width: 100 })).every(pixel => pixel === 0)).toBe(true);
  });

  it('shows the last exact picture scaled while it zooms, not one of which a part was out of date', () => {
    // Zoomed in two steps, with time for one band in the first one, the others look as if it had been one step.
    const zoomed = (steps: readonly number[]): number[] => {
      const { viewport, scene, painter } = stand(160, 100);
      for (const perColumn of steps) {
        viewport.perColumn = perColumn;
        painter.paint(viewport.grid(), 0);
      }
      const pixels = picture(painter, scene);
      return scene.bands.slice(2).flatMap(band => rowsOf(pixels, band));
    };
    const once = zoomed([0.025]);
    expect(once.some(pixel => pixel !== 0)).toBe(true);
    expect(zoomed([0.1, 0.025])).toEqual(once);
  });

  it('shows nothing that was cleared while it zooms, and does nothing where no more was cleared', () => {
    const { viewport, scene, painter, last } = stand(160, 100);
    painter.setAfter(Number.NEGATIVE_INFINITY);
    expect(painter.complete).toBe(true);
    const before = picture(painter, scene);
    painter.setAfter(EPOCH + last / 2);
    expect(painter.complete).toBe(false);
    expect(picture(painter, scene), 'it stays until there is another').toEqual(before);
    viewport.perColumn = 0.1;
    painter.paint(viewport.grid(), 0);
    const pixels = picture(painter, scene);
    const painted = scene.bands.filter(band => rowsOf(pixels, band).some(pixel => pixel !== 0));
    expect(painted.length).toBeLessThanOrEqual(1);
  });

  it('shows another run in its place', () => {
    const source = { run: stand().work.run };
    const { viewport, scene } = stand();
    const painter = new Painter(document.createElement('canvas'), source, new Palette(theme, new Set()));
    painter.setScene(scene);
    finish(painter, viewport.grid());
    const other = new Work(LANES, randomOf(99));
    other.add(5 * LANES);
    source.run = other.run;
    finish(painter, viewport.grid());
    const fresh = painterOf(other, scene);
    finish(fresh, viewport.grid());
    expect(picture(painter, scene)).toEqual(picture(fresh, scene));
  });

  it('copies low rows to the canvas together, and higher ones one by one', () => {
    const copies = vi.spyOn(PixelContext.prototype, 'putImageData');
    const count = (lanes: number, height: number): number[] => {
      const { viewport, scene, painter } = stand(lanes, height);
      painter.invalidate();
      copies.mockClear();
      painter.paint(viewport.grid(), ALL);
      return [copies.mock.calls.length, scene.bands.length];
    };
    expect(count(160, 100)[0]).toBe(1);
    const [calls, bands] = count(LANES, HEIGHT);
    expect(calls).toBe(bands);
  });

  it('copies no more columns of low rows than were painted, and no row between them that is out of date', () => {
    const { viewport, scene, painter } = stand(160, 100);
    viewport.pan(40);
    finish(painter, viewport.grid());
    const copies = vi.spyOn(PixelContext.prototype, 'putImageData');
    viewport.pan(-7);
    painter.paint(viewport.grid(), ALL);
    expect(copies.mock.calls.map(([, , , x, , width]) => [x - painter.left, width])).toEqual([[0, 7]]);
    copies.mockClear();
    painter.invalidate();
    painter.paint(viewport.grid(), 0);
    const [[, , , x, , width, height]] = copies.mock.calls;
    expect([copies.mock.calls.length, x - painter.left, width]).toEqual([1, 0, WIDTH]);
    expect(height).toBe(bandBottom(scene.bands[0]) - scene.bands[0].top);
  });

  it('goes on with a group where it was, also when the picture has moved in the meantime', () => {
    const collapsed = (hosts: HostLanes[]): readonly HostLanes[] => hosts.map(host => ({ ...host, collapsed: true }));
    const { work, viewport, scene, painter } = stand(40, 120, collapsed);
    expect(scene.bands.length).toBe(2);
    viewport.pan(30);
    finish(painter, viewport.grid());
    painter.invalidate();
    expect(painter.paint(viewport.grid(), 0), 'a lane at a time').toBe(false);
    for (const columns of [12, -30, 4]) {
      viewport.pan(columns);
      painter.paint(viewport.grid(), 0);
    }
    let frames = 0;
    for (; !painter.paint(viewport.grid(), 0); frames++) {
      // Each call summarises a lane at least.
    }
    expect(frames).toBeGreaterThan(10);
    const fresh = painterOf(work, scene);
    finish(fresh, viewport.grid());
    expect(picture(painter, scene)).toEqual(picture(fresh, scene));
  });
});

describe('Blocks', () => {
  beforeEach(holdPixels);
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  const workers: WorkerName[] = [{ address: 'tcp://0', name: '0', host: 'h', nthreads: 1, memory_limit: 0 }];
  const lanes: LaneName[] = [[0, 1]];

  /** Rows of colours of the first lane: of its computations, and of its transfers. */
  function drawn(rows: readonly Row[], moves: readonly Move[], ratio: number, height: number) {
    const run = new Run();
    const names = {
      prefixes: { from: 0, values: PREFIXES },
      workers: { from: 0, values: workers },
      lanes: { from: 0, values: lanes }
    };
    const tasks = tasksBody(
      rows.map(row => ({ ...row, start: EPOCH + row.start })),
      0,
      moves.map(move => ({ ...move, start: EPOCH + move.start }))
    );
    run.apply({ feed: 'f', epoch: 0, seq: 0, time: EPOCH + 100, cursor: {}, names, topics: { tasks } }, 0);
    const layout = layOut(
      groupLanes(workers, lanes, () => false),
      () => 1,
      height,
      ratio
    );
    const canvas = document.createElement('canvas');
    const palette = new Palette(theme, new Set());
    const painter = new Painter(canvas, { run }, palette);
    painter.setScene({ layout, bands: layout.bands, width: WIDTH, height, scroll: 0, ratio });
    const texts = vi.spyOn(PixelContext.prototype, 'fillText');
    painter.paint(viewportOf(1).grid(), ALL);
    const [band] = layout.bands;
    const row = (y: number): number[] => {
      const at = y * canvas.width + painter.left;
      return [...contextOf(canvas).pixels.subarray(at, at + WIDTH)];
    };
    return {
      palette,
      band,
      compute: row(band.top + (band.layerHeight >> 1)),
      moves: row(band.movesTop),
      labels: texts.mock.calls as unknown[][]
    };
  }

  it('of some width leave a gap of one CSS pixel before the next, narrower ones none', () => {
    const gaps = (width: number, ratio: number): number => {
      const rows = [0, 1, 2].map(i => ({ start: 10 + i * width, duration: width, prefix: i }));
      const { compute } = drawn(rows, [], ratio, 40 * ratio);
      return compute.slice(10, 10 + 2 * width).filter(pixel => pixel === 0).length / 2;
    };
    expect([gaps(2, 1), gaps(3, 1), gaps(20, 1), gaps(5, 2), gaps(6, 2), gaps(20, 2), gaps(20, 3)]).toEqual([
      ...[0, 1, 1, 0, 2, 2, 2]
    ]);
  });

  it('of transfers have a row of their own where there is room, without gaps, and none of another time', () => {
    const moves = [
      { at: 0, kind: 1, start: 10, duration: 20 },
      { at: 0, kind: 1, start: 30, duration: 20 }
    ];
    const { band, compute, moves: row } = drawn([{ start: 60, duration: 20 }], moves, 1, 60);
    expect(band.movesHeight).toBeGreaterThan(1);
    expect(row.map(pixel => pixel !== 0)).toEqual(row.map((_, x) => x >= 10 && x < 50));
    expect(compute.map(pixel => pixel !== 0).indexOf(true)).toBe(60);
    expect(compute.slice(10, 50).every(pixel => pixel === 0)).toBe(true);
  });

  it('have the name of their function where they are wide and high enough', () => {
    const rows = [
      { start: 0, duration: 20, prefix: 0 },
      { start: 40, duration: 60, prefix: 3 }
    ];
    const { labels, palette, compute } = drawn(rows, [], 1, 40);
    expect(labels.map(([text, x]) => [text, x])).toEqual([['sum', 43]]);
    expect(compute[60]).toBe(palette.colours[prefixCode(3, 1)]);
  });
});
