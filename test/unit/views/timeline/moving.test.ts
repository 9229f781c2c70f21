// Moving through time and lanes without a page: the visible period, the arrows, the point under the pointer, colours and heights.
import { describe, expect, it, test } from 'vitest';
import { mix, rgb } from '../../../../src/base/theme';
import type { FrameNames } from '../../../../src/feed/frame';
import { Folding } from '../../../../src/run/folded-time';
import { Run } from '../../../../src/run/run';
import { ERRED_LEGEND, moveLegend, prefixLegend } from '../../../../src/selectors/tasks/task-legend';
import type { HostLanes } from '../../../../src/views/timeline/lanes/lanes';
import { type Band, bandBottom, layOut } from '../../../../src/views/timeline/lanes/layout';
import { erredCode, kindCode, Palette, prefixCode, SHADES, shade } from '../../../../src/views/timeline/paint/palette';
import { boxOf, pick, type Target } from '../../../../src/views/timeline/picking';
import type { Picture } from '../../../../src/views/timeline/picture';
import { Camera } from '../../../../src/views/timeline/time/camera';
import { Follower, type Moment, roundSpan } from '../../../../src/views/timeline/time/follow';
import { Travel } from '../../../../src/views/timeline/time/travel';
import { Viewport } from '../../../../src/views/timeline/time/viewport';
import { firstTask, taskAcross, taskNextTo } from '../../../../src/views/timeline/walk';
import { theme as themeOf } from '../../plots/cluster';
import { randomOf, type Row, tasksBody } from '../../run/synthetic';

const EPOCH = 1_700_000_000;
const theme = themeOf();

/** A viewport of 100 columns of a second each from the epoch on. */
function viewportOf(): Viewport {
  const viewport = new Viewport();
  Object.assign(viewport, { anchor: EPOCH, perColumn: 1, first: 0, width: 100 });
  return viewport;
}

describe('the visible period', () => {
  const seconds = (viewport: Viewport): number[] => [viewport.start - EPOCH, viewport.end - EPOCH, viewport.span];

  it('has a time for each column, and a column for each time', () => {
    const viewport = viewportOf();
    expect(seconds(viewport)).toEqual([0, 100, 100]);
    viewport.pan(12.4);
    expect(seconds(viewport)).toEqual([12, 112, 100]);
    expect([viewport.columnOf(EPOCH + 20), viewport.timeOf(8) - EPOCH]).toEqual([8, 20]);
    expect(viewport.grid()).toMatchObject({ anchor: EPOCH, first: 12, perColumn: 1 });
  });

  it('is zoomed around a column, and between a microsecond and a week a column', () => {
    const viewport = viewportOf();
    viewport.zoom(0.5, 40);
    expect(seconds(viewport)).toEqual([20, 70, 50]);
    viewport.zoom(4, 0);
    expect(seconds(viewport)).toEqual([20, 220, 200]);
    viewport.zoom(1e-12, 0);
    expect(viewport.perColumn).toBe(1e-6);
    viewport.zoom(1e18, 0);
    expect(viewport.perColumn).toBe(604_800);
    viewport.zoom(Number.NaN, 0);
    expect(viewport.perColumn).toBe(604_800);
  });

  it('fits a time between margins', () => {
    const viewport = viewportOf();
    viewport.fit(EPOCH + 100, EPOCH + 140, 0.1);
    expect(seconds(viewport)).toEqual([95, 145, 50]);
    viewport.fit(EPOCH + 100, EPOCH + 200, 0);
    expect(seconds(viewport)).toEqual([100, 200, 100]);
    expect(viewport.spanFor(EPOCH, EPOCH + 30, 20)).toBe(30);
  });

  it('leads up to an edge, and begins no earlier than the run', () => {
    const viewport = viewportOf();
    viewport.lead(45, EPOCH + 200, EPOCH, 10);
    expect([viewport.perColumn, viewport.columnOf(EPOCH + 200)]).toEqual([0.5, 90]);
    viewport.lead(90, EPOCH + 20, EPOCH, 10);
    expect([viewport.perColumn, viewport.columnOf(EPOCH)]).toEqual([1, 4]);
    viewport.lead(98, EPOCH + 20, EPOCH, 2);
    expect(viewport.columnOf(EPOCH)).toBe(2);
  });

  it('says which pauses are folded in it; its left edge stays where it is when they change', () => {
    const viewport = viewportOf();
    viewport.pan(10);
    const folding = new Folding([{ from: EPOCH + 50, to: EPOCH + 1050 }], 100, [20]);
    viewport.folding = folding;
    expect(viewport.start).toBeCloseTo(EPOCH + 10);
    expect(viewport.columnOf(EPOCH + 1050) - viewport.columnOf(EPOCH + 50)).toBeCloseTo(20);
    const { visible, folded } = viewport;
    expect(visible).toEqual({ from: viewport.start, to: viewport.end, folded });
    // The same object while neither zoom nor pauses change; another for another zoom or anchor.
    expect(viewport.folded).toBe(folded);
    viewport.pan(3);
    expect(viewport.folded).toBe(folded);
    viewport.folding = folding;
    expect(viewport.first).toBe(13);
    viewport.perColumn = 2;
    expect(viewport.folded).not.toBe(folded);
    viewport.perColumn = 1;
    viewport.anchor = EPOCH + 1;
    expect(viewport.folded).not.toBe(folded);
    viewport.anchor = EPOCH;
    // Before and after the pause nothing is folded in view.
    viewport.first = 70;
    expect(viewport.visible).toEqual({ from: viewport.start, to: viewport.end });
    viewport.first = 69;
    expect(viewport.visible.folded).toBeDefined();
    viewport.first = -50;
    expect(viewport.visible.folded).toBeUndefined();
    viewport.first = -49;
    expect(viewport.visible.folded).toBeDefined();
  });
});

describe('the camera', () => {
  const moment = (elapsed: number, change: Partial<Moment> = {}): Moment => ({
    ...{ now: EPOCH + elapsed, origin: EPOCH, lastEnd: EPOCH + elapsed, active: true },
    ...change
  });
  const paused = (): Camera => {
    const camera = new Camera();
    camera.viewport.width = 100;
    camera.margin = 10;
    camera.reset(EPOCH);
    camera.advance(moment(1000));
    camera.setPaused(true);
    camera.viewport.fit(EPOCH + 400, EPOCH + 500, 0);
    return camera;
  };

  it('brings a task into view: to the middle, or its start if it is wider than the view', () => {
    const camera = paused();
    const { viewport } = camera;
    camera.reveal(EPOCH + 400, EPOCH + 500);
    camera.reveal(EPOCH + 450, EPOCH + 460);
    expect(viewport.start - EPOCH).toBe(400);
    camera.reveal(EPOCH + 600, EPOCH + 620);
    expect((viewport.start + viewport.end) / 2 - EPOCH).toBe(610);
    camera.reveal(EPOCH + 559, EPOCH + 580);
    expect((viewport.start + viewport.end) / 2 - EPOCH).toBeCloseTo(569.5, -0.3);
    camera.reveal(EPOCH + 700, EPOCH + 900);
    expect(viewport.columnOf(EPOCH + 700)).toBe(5);
  });

  it('keeps a tenth of the view over the run', () => {
    const camera = paused();
    camera.pan(1e6);
    expect(camera.viewport.columnOf(EPOCH + 1000)).toBe(10);
    camera.pan(-1e6);
    expect(camera.viewport.columnOf(EPOCH)).toBe(90);
    camera.pan(40);
    expect(camera.viewport.columnOf(EPOCH)).toBe(50);
  });

  it('knows where now is: while it follows that of the run, while paused that of the pause', () => {
    const camera = paused();
    expect([camera.following, camera.nowColumn()]).toEqual([false, Number.NaN]);
    camera.viewport.fit(EPOCH + 950, EPOCH + 1050, 0);
    expect([camera.nowColumn(), camera.shownAt - EPOCH]).toEqual([50, 1000]);
    camera.viewport.fit(EPOCH + 900, EPOCH + 1000, 0);
    expect(camera.nowColumn()).toBe(100);
    camera.viewport.fit(EPOCH + 1000, EPOCH + 1100, 0);
    expect(camera.nowColumn()).toBe(0);
    camera.viewport.fit(EPOCH + 400, EPOCH + 500, 0);
    expect(camera.shownAt - EPOCH).toBe(500);
    camera.follow();
    camera.advance(moment(2000));
    expect([camera.following, camera.shownAt, camera.nowColumn(), camera.viewport.span]).toEqual([
      true,
      Number.NaN,
      expect.closeTo(90, 0),
      expect.closeTo(100 / 0.9)
    ]);
  });

  it('follows at least two seconds, and no less than was chosen', () => {
    const camera = paused();
    camera.show(EPOCH + 1, EPOCH + 1.1);
    camera.follow();
    expect(camera.chosenSpan).toBe(2);
    camera.follow();
    camera.zoom(2, Number.NaN);
    expect(camera.chosenSpan).toBeCloseTo(0.18);
    camera.restore(30);
    expect(camera.chosenSpan).toBe(30);
    for (const odd of [0, -5, Number.NaN]) {
      camera.restore(odd);
      expect(camera.chosenSpan).toBe(30);
    }
    camera.zoom(0, 0);
    camera.zoom(-1, 0);
    expect(camera.chosenSpan).toBe(30);
  });

  it('shows the whole run, or nothing before a time', () => {
    const camera = paused();
    camera.fit();
    expect([camera.viewport.columnOf(EPOCH), camera.viewport.columnOf(EPOCH + 1000)]).toEqual([1, expect.closeTo(99, 6)]);
    camera.setPaused(false);
    camera.beginAt(EPOCH + 995);
    camera.advance(moment(1000));
    expect(camera.viewport.start).toBeGreaterThanOrEqual(EPOCH + 994);
    camera.followFrom(EPOCH + 500);
    camera.advance(moment(1000));
    expect([camera.following, camera.viewport.columnOf(EPOCH + 500)]).toEqual([true, 4]);
    camera.fit();
    camera.advance(moment(1000));
    expect(camera.viewport.columnOf(EPOCH)).toBe(4);
  });

  it('zooms around the middle while paused, unless a column is given', () => {
    const camera = paused();
    camera.zoom(0.5, Number.NaN);
    expect([camera.viewport.start - EPOCH, camera.viewport.end - EPOCH]).toEqual([425, 475]);
    camera.zoom(0.5, 0);
    expect(camera.viewport.start - EPOCH).toBe(425);
  });
});

describe('following', () => {
  const at = (elapsed: number, change: Partial<Moment> = {}): Moment => ({
    ...{ now: elapsed, origin: 0, lastEnd: elapsed, active: true },
    ...change
  });

  it('has periods in steps that are at least as long as the run', () => {
    for (const [length, span] of [
      [0, 5],
      [4.9, 5],
      [5, 6],
      [6, 8],
      [9.8, 10],
      [9.9, 12.5],
      [14.7, 15],
      [24.5, 25],
      [29, 30],
      [97, 100],
      [990, 1250]
    ]) {
      expect([length, roundSpan(length)]).toEqual([length, expect.closeTo(span, 9)]);
    }
    expect(roundSpan(0, 0.01)).toBeCloseTo(0.01, 9);
  });

  it('grows with a run to a minute, and keeps what was chosen', () => {
    const follower = new Follower();
    expect([1, 20, 58, 70, 900].map(elapsed => follower.next(at(elapsed)))).toEqual([
      { span: 5, edge: 1 },
      { span: 25, edge: 20 },
      { span: 60, edge: 58 },
      { span: 60, edge: 70 },
      { span: 60, edge: 900 }
    ]);
    follower.keep(7);
    expect(follower.next(at(901))).toEqual({ span: 7, edge: 901 });
    follower.fitWhole();
    expect(follower.next(at(901)).span).toBe(1000);
    follower.reset();
    expect([follower.on, follower.next(at(901)).span]).toEqual([true, 60]);
  });

  it('stays at the last task while the cluster is idle, and with 2 % behind it where it was idle from the start', () => {
    const follower = new Follower();
    follower.next(at(50));
    expect(follower.next(at(90, { lastEnd: 45, active: false })).edge).toBe(50);
    expect(follower.next(at(95, { lastEnd: 60, active: false })).edge).toBeCloseTo(61.2);
    const over = new Follower();
    expect(over.next(at(5000, { lastEnd: 100, active: false }))).toEqual({ span: 102, edge: 102 });
    expect(new Follower().next(at(9, { lastEnd: 0, active: false }))).toEqual({ span: 0.01, edge: 0 });
  });

  it('goes back where it went on without knowing anything', () => {
    const follower = new Follower();
    follower.next(at(50));
    expect(follower.next(at(44, { lastEnd: 42, active: false, stopped: true })).edge).toBe(44);
    expect(follower.next(at(43, { lastEnd: 44, active: false, stopped: true })).edge).toBe(44);
    // A recording that plays was over before it was opened.
    const played = new Follower();
    expect(played.next(at(0.5, { stopped: true })).span).toBeCloseTo(0.6, 5);
  });
});

describe('travelling', () => {
  const stand = () => {
    const camera = new Camera();
    camera.viewport.width = 100;
    camera.margin = 0;
    camera.reset(EPOCH);
    camera.advance({ now: EPOCH + 1000, origin: EPOCH, lastEnd: EPOCH + 1000, active: true });
    const stage = { plot: { scrollTop: 0 }, ratio: 2, scroll: 100, height: 200, width: 100 };
    const calls: unknown[] = [];
    const travel = new Travel({ camera, stage, shown: { run: new Run() } } as unknown as Picture, {
      paused: paused => calls.push(paused ? 'paused' : 'follows'),
      moved: () => calls.push('moved'),
      save: span => calls.push(span)
    });
    const news = (): unknown[] => calls.splice(0);
    const visible = (): number[] => [camera.viewport.start - EPOCH, camera.viewport.end - EPOCH];
    return { camera, stage, travel, news, visible };
  };

  it('pauses when it leaves now, and follows when it returns, and says either once', () => {
    const { travel, news, visible, camera } = stand();
    travel.show(EPOCH + 100, EPOCH + 200);
    expect([visible(), news(), camera.following]).toEqual([[100, 200], ['paused', 'moved'], false]);
    // Positions are CSS pixels, two device pixels each.
    travel.pan(5);
    expect([visible(), news()]).toEqual([[110, 210], ['moved']]);
    travel.panShare(-0.1);
    expect([visible(), news()]).toEqual([[100, 200], ['moved']]);
    travel.centre(EPOCH + 180);
    expect([visible(), news()]).toEqual([[130, 230], ['moved']]);
    travel.stay();
    expect([visible(), news()]).toEqual([[130, 230], ['moved']]);
    travel.follow();
    expect([news(), camera.following]).toEqual([['follows', 'moved'], true]);
    travel.stay();
    expect(news()).toEqual(['paused', 'moved']);
    travel.followFrom(EPOCH + 500);
    expect(news()).toEqual(['follows', 'moved', Number.NaN, 'moved']);
  });

  it('zooms by half or double, around the middle or a point, and keeps the period', () => {
    const { travel, news, visible, camera } = stand();
    travel.show(EPOCH + 100, EPOCH + 200);
    news();
    travel.step(true);
    expect([visible(), news()]).toEqual([
      [125, 175],
      [Number.NaN, 'moved']
    ]);
    travel.step(false);
    expect(visible()).toEqual([100, 200]);
    travel.zoom(0.5, 25);
    expect(visible()).toEqual([125, 175]);
    travel.follow();
    news();
    travel.step(false);
    expect(news()).toEqual([100, 'moved']);
    expect(camera.chosenSpan).toBe(100);
    travel.fit();
    expect(news()).toEqual([Number.NaN, 'moved']);
  });

  it('brings a period of which less than half is visible, and leaves one that is', () => {
    const { travel, news, visible } = stand();
    travel.show(EPOCH + 100, EPOCH + 200);
    news();
    travel.bring(null);
    travel.bring({ from: EPOCH + 180, to: EPOCH + 220 });
    travel.bring({ from: EPOCH + 80, to: EPOCH + 120 });
    travel.bring({ from: EPOCH + 150, to: EPOCH + 250 });
    expect([visible(), news()]).toEqual([[100, 200], []]);
    travel.bring({ from: EPOCH + 181, to: EPOCH + 221 });
    expect([visible(), news()]).toEqual([[151, 251], ['moved']]);
    // One that does not fit is shown whole, with a margin.
    travel.bring({ from: EPOCH + 300, to: EPOCH + 500 });
    expect(visible().map(Math.round)).toEqual([290, 510]);
  });

  it('scrolls to a lane that is not wholly in view', () => {
    const { travel, stage } = stand();
    const scrolled = (top: number): number => {
      stage.plot.scrollTop = -1;
      travel.reveal({ top, layerHeight: 20 } as Band, EPOCH + 100, EPOCH + 101);
      return stage.plot.scrollTop;
    };
    // The window shows 100 to 300, device pixels; scrolling is in CSS pixels.
    expect([scrolled(100), scrolled(280), scrolled(281), scrolled(99), scrolled(500)]).toEqual([-1, -1, 90.5, 0, 200]);
    stage.plot.scrollTop = -1;
    travel.reveal(undefined, EPOCH + 100, EPOCH + 101);
    expect(stage.plot.scrollTop).toBe(-1);
  });
});

/** Lanes of one worker each, with tasks. */
function runOf(rows: readonly Row[], lanes: number): Run {
  const run = new Run();
  const ids = Array.from({ length: lanes }, (_, i) => i);
  const names: FrameNames = {
    prefixes: { from: 0, values: ['inc'] },
    workers: {
      from: 0,
      values: ids.map(id => ({ address: `tcp://${id}`, name: `w${id}`, host: 'h', nthreads: 1, memory_limit: 0 }))
    },
    lanes: { from: 0, values: ids.map(id => [id, id] as const) }
  };
  const tasks = tasksBody(
    rows.map(row => ({ ...row, start: EPOCH + row.start })),
    0,
    [{ at: 0, kind: 2, start: EPOCH + 9, duration: 0.5 }]
  );
  run.apply({ feed: 'f', epoch: 0, seq: 0, time: EPOCH + 100, cursor: {}, names, topics: { tasks } }, 0);
  return run;
}

function hostOf(lanes: number): HostLanes {
  return { host: 'h', workers: Array.from({ length: lanes }, (_, i) => ({ worker: i, name: `w${i}`, lanes: [i], threads: 1 })) };
}

describe('the arrows', () => {
  const run = runOf(
    [
      { lane: 0, start: 10, duration: 10 },
      { lane: 0, start: 30, duration: 10 },
      { lane: 2, start: 12, duration: 2 },
      { lane: 2, start: 60, duration: 1 }
    ],
    4
  );
  const { tasks } = run;
  const { bands } = layOut([hostOf(4)], () => 1, 400, 1);
  const starts = (target: Target | null): number | null => (target === null ? null : Math.round(target.interval.start - EPOCH));

  it('reach the task nearest to a time, first that which it is in', () => {
    const nearest = (time: number): number | null => starts(firstTask(tasks, bands.slice(0, 1), EPOCH + time));
    expect([nearest(0), nearest(15), nearest(20), nearest(24), nearest(26), nearest(33), nearest(99)]).toEqual([
      10, 10, 10, 10, 30, 30, 30
    ]);
    // A lane without tasks is passed over.
    const found = firstTask(tasks, bands.slice(1), EPOCH + 50);
    expect([starts(found), found?.band.lane, found?.kind]).toEqual([60, 2, 'compute']);
    expect(firstTask(tasks, bands.slice(3), EPOCH)).toBeNull();
    expect(firstTask(tasks, [{ ...bands[0], lane: -1 }], EPOCH)).toBeNull();
  });

  it('go to the next and the previous task of the lane', () => {
    const first = firstTask(tasks, bands, EPOCH) as Target;
    const second = taskNextTo(tasks, first, 1) as Target;
    expect([starts(second), second.band]).toEqual([30, bands[0]]);
    expect([taskNextTo(tasks, second, 1), taskNextTo(tasks, first, -1)]).toEqual([null, null]);
    expect(starts(taskNextTo(tasks, second, -1))).toBe(10);
  });

  it('go to the task at the same time in the next lane that has one', () => {
    const first = firstTask(tasks, bands, EPOCH) as Target;
    const below = taskAcross(tasks, bands, first, 1) as Target;
    expect([starts(below), below.band.lane]).toEqual([12, 2]);
    // By the middle of the task: that of the later one is nearer to the last task below.
    const second = taskNextTo(tasks, first, 1) as Target;
    expect(starts(taskAcross(tasks, bands, second, 1))).toBe(12);
    const last = taskNextTo(tasks, below, 1) as Target;
    expect(starts(taskAcross(tasks, bands, last, -1))).toBe(30);
    expect([taskAcross(tasks, bands, last, 1), taskAcross(tasks, bands, first, -1)]).toEqual([null, null]);
  });

  it('reach a group as a whole', () => {
    const band = { ...bands[0], group: { workers: [], lanes: [0, 1], threads: 2 } };
    const found = firstTask(tasks, [band], EPOCH + 5);
    expect([found?.kind, starts(found), found?.interval.duration]).toEqual(['group', 5, 0]);
  });
});

describe('the pointer', () => {
  const run = runOf(
    [
      { lane: 0, start: 10, duration: 10 },
      { lane: 0, start: 15, duration: 10 },
      { lane: 1, start: 50, duration: 0.1 }
    ],
    3
  );
  const layout = layOut([hostOf(3)], lane => (lane === 0 ? 2 : 1), 300, 1);
  const [first, second] = layout.bands;
  const viewport = viewportOf();
  const at = (x: number, y: number): unknown => {
    const found = pick(run.tasks, layout.bands, viewport, x, y, 1);
    return found === null ? null : [found.kind, Math.round(found.interval.start - EPOCH), found.interval.depth];
  };

  it('finds the task of its layer, the transfer in its row, and nothing between', () => {
    expect(first.layers).toBe(2);
    expect([at(12, first.top), at(17, first.top), at(17, first.top + first.layerHeight)]).toEqual([
      ['compute', 10, 0],
      ['compute', 10, 0],
      ['compute', 15, 1]
    ]);
    expect([at(9.2, first.movesTop), at(9.2, first.movesTop + first.movesHeight - 0.1)]).toEqual([
      ['move', 9, 0],
      ['move', 9, 0]
    ]);
    expect([at(30, first.top), at(12, first.movesTop + first.movesHeight), at(12, -1), at(12, 1e6)]).toEqual([
      null,
      null,
      null,
      null
    ]);
    expect(at(50, layout.bands[2].top)).toBeNull();
  });

  it('reaches a block that is narrower than a pixel from nearby', () => {
    expect([at(49, second.top + 1), at(51.5, second.top + 1), at(48, second.top + 1), at(52, second.top + 1)]).toEqual([
      ['compute', 50, 0],
      ['compute', 50, 0],
      null,
      null
    ]);
  });

  it('has the box of what it found, cut off shortly outside the view', () => {
    const found = (x: number, y: number): Target => pick(run.tasks, layout.bands, viewport, x, y, 1) as Target;
    const { layerHeight, movesTop, movesHeight, top } = first;
    expect(boxOf(found(12, top), viewport, 5)).toEqual({ x: 10, y: top - 5, width: 10, height: layerHeight });
    expect(boxOf(found(24, top + layerHeight), viewport, 0)).toMatchObject({ x: 15, y: top + layerHeight });
    expect(boxOf(found(9.2, movesTop), viewport, 0)).toEqual({ x: 9, y: movesTop, width: 1, height: movesHeight });
    const target = found(12, top);
    const box = (start: number, duration: number): unknown => {
      const { x, width } = boxOf({ ...target, interval: { ...target.interval, start: EPOCH + start, duration } }, viewport, 0);
      return [x, width];
    };
    expect([box(-50, 200), box(-50, 60), box(90, 100), box(50, 0)]).toEqual([
      [-8, 116],
      [-8, 18],
      [90, 18],
      [50, 1]
    ]);
    // A deeper interval than the band has layers is drawn in the last one; a group is as high as all its steps.
    const deep = { ...target, interval: { ...target.interval, depth: 7 } };
    expect(boxOf(deep, viewport, 0).y).toBe(top + layerHeight);
    const group: Target = { ...deep, kind: 'group', band: { ...first, group: { workers: [], lanes: [0], threads: 1 } } };
    expect(boxOf(group, viewport, 0)).toMatchObject({ y: top, height: 2 * layerHeight });
    // Where moves have no row of their own, their box is that of the lane.
    const low = { ...found(9.2, movesTop), band: { ...first, movesHeight: 0 } };
    expect(boxOf(low, viewport, 0)).toMatchObject({ y: top, height: layerHeight });
  });
});

describe('colours', () => {
  const pixel = (colour: string): number => {
    const [red, green, blue] = rgb(colour);
    return 0xff000000 + blue * 0x10000 + green * 0x100 + red;
  };
  const paletteOf = (...hidden: string[]): Palette => {
    const palette = new Palette(theme, new Set(hidden));
    palette.know(3);
    return palette;
  };

  it('are full for full time, paler for less, and never so pale that they are not seen', () => {
    const { colours } = paletteOf();
    const ramp = Array.from({ length: SHADES }, (_, step) => colours[prefixCode(1, step / SHADES)]);
    expect(ramp).toEqual(
      ramp.map((_, step) => pixel(mix(theme.background, theme.prefix(1).colour, 0.3 + 0.7 * (step / (SHADES - 1)))))
    );
    expect(colours[prefixCode(1, 1)]).toBe(pixel(theme.prefix(1).colour));
    expect([shade(0), shade(0.124), shade(0.125), shade(0.999), shade(1), shade(7)]).toEqual([0, 0, 1, 7, 7, 7]);
    expect(colours[kindCode(1, 1)]).toBe(pixel(theme.kind('transfer').colour));
  });

  it('of errors are those of the theme, with a gap of the background; hidden ones have none', () => {
    const palette = paletteOf();
    expect([palette.colours[erredCode(1)], palette.erredGap]).toEqual([pixel(theme.erred.colour), pixel(theme.background)]);
    const hidden = paletteOf(ERRED_LEGEND, prefixLegend(1), moveLegend('transfer'));
    expect([
      hidden.colours[erredCode(1)],
      hidden.erredGap,
      hidden.colours[prefixCode(1, 1)],
      hidden.colours[kindCode(1, 1)]
    ]).toEqual([0, 0, 0, 0]);
    expect(hidden.colours[prefixCode(2, 1)]).toBe(pixel(theme.prefix(2).colour));
    expect([hidden.compute(1, false), hidden.compute(2, true), hidden.move(1)]).toEqual([null, null, null]);
    expect([palette.compute(1, true), palette.move(1), palette.move(0)]).toEqual([theme.erred, theme.kind('transfer'), null]);
    expect(palette.compute(2, false)).toMatchObject(theme.prefix(2));
    expect(palette.move(99)).not.toBeNull();
    expect(kindCode(99, 0)).toBe(kindCode(1000, 0));
  });

  it('of dimmed functions are nearly those of the background', () => {
    const palette = new Palette(theme, new Set(), prefix => prefix === 1);
    palette.know(3);
    const dimmed = mix(theme.background, theme.prefix(1).colour, 0.35);
    expect([palette.compute(1, false)?.colour, palette.compute(2, false)?.colour]).toEqual([dimmed, theme.prefix(2).colour]);
    expect([palette.colours[prefixCode(1, 1)], palette.colours[prefixCode(2, 1)]]).toEqual([
      pixel(dimmed),
      pixel(theme.prefix(2).colour)
    ]);
  });

  it('are those of further functions where there are more than codes: every code is one of 16 bits', () => {
    expect([prefixCode(0, 0) > kindCode(1000, 1), prefixCode(1, 0) - prefixCode(0, 0)]).toEqual([true, SHADES]);
    expect(prefixCode(7199, 1)).toBeLessThan(prefixCode(7200, 0));
    expect([prefixCode(7200, 0), prefixCode(1e6, 1) < 65_536]).toEqual([prefixCode(7200 + 48, 0), true]);
    expect(prefixCode(7201, 0)).not.toBe(prefixCode(7200, 0));
    const palette = new Palette(theme, new Set());
    palette.know(2);
    palette.know(1);
    expect(palette.colours[prefixCode(2, 1)]).toBe(0);
    palette.know(8113);
    expect(palette.colours[prefixCode(8112, 1)]).toBe(pixel(theme.prefix(8112).colour));
  });
});

describe('heights', () => {
  /** One worker with ten lanes, in a window in which each has a height. */
  const laneOf = (pitch: number, ratio: number, depth = 1): Band => {
    const host: HostLanes = { host: 'h', workers: [{ worker: 0, name: 'w', lanes: [...Array(10).keys()], threads: 10 }] };
    const gap = Math.round((pitch >= 8 ? 6 : pitch >= 5 ? 3 : pitch >= 3 ? 2 : pitch) * ratio);
    const { bands, pitch: chosen } = layOut([host], () => depth, Math.round(10 * pitch * ratio) + gap, ratio);
    expect(chosen).toBe(pitch * ratio);
    return bands[0];
  };
  const parts = (band: Band): number[] => [band.layers, band.layerHeight, band.movesTop - band.top, band.movesHeight];

  test.each([1, 2])('of a lane are its computations, its transfers and some air, at %d pixels a pixel', ratio => {
    const of = (pitch: number, depth = 1): number[] =>
      parts(laneOf(pitch, ratio, depth)).map((part, i) => (i === 0 ? part : part / ratio));
    // A quarter is for transfers, at most nine pixels; a low lane has them over its last row of pixels.
    expect([of(40), of(20), of(8)]).toEqual([
      [1, 30, 30, 9],
      [1, 14, 14, 5],
      [1, 5, 5, 2]
    ]);
    expect([of(5), of(4), of(3)]).toEqual([
      [1, 4, 4, 1],
      [1, 4, 3, 1],
      [1, 3, 2, 1]
    ]);
    expect(of(2)[3]).toBe(0);
    // Overlapping computations have half of the height each, and at least three pixels.
    expect([of(40, 3), of(8, 2), of(5, 2)]).toEqual([
      [3, 15, 45, 9],
      [2, 3, 6, 2],
      [1, 4, 4, 1]
    ]);
  });

  it('never overlap, whatever there is, and fit as long as each lane has a pixel', () => {
    const random = randomOf(11);
    const upTo = (most: number): number => 1 + Math.floor(random() * most);
    for (let round = 0; round < 300; round++) {
      const ratio = [1, 1.5, 2][round % 3];
      let lane = 0;
      let worker = 0;
      const hosts = Array.from({ length: upTo(3) }, (_, h): HostLanes => {
        const workers = Array.from({ length: upTo(5) }, () => {
          const lanes = Array.from({ length: upTo(6) }, () => lane++);
          return { worker: worker++, name: 'w', lanes, threads: lanes.length, collapsed: random() < 0.2 };
        });
        return { host: `h${h}`, workers, collapsed: random() < 0.2 };
      });
      const height = Math.round((20 + random() * 800) * ratio);
      const pending = (id: number): boolean => round % 2 === 1 && id % 3 > 0;
      const layout = layOut(hosts, () => 1, height, ratio, pending);
      const rows = layout.hosts.length + layout.bands.length + layout.workers.length;
      let bottom = 0;
      for (const band of layout.bands) {
        expect(band.top).toBeGreaterThanOrEqual(bottom);
        expect([band.layerHeight, band.layers].every(size => size >= 1 && Number.isInteger(size))).toBe(true);
        expect(band.movesTop + band.movesHeight).toBeLessThanOrEqual(bandBottom(band));
        bottom = bandBottom(band);
      }
      for (const block of layout.workers) {
        const drawn = block.workers.some(({ worker: id }) => pending(id));
        expect(block.pendingHeight > 0 || !drawn || layout.pitch <= 3 * ratio).toBe(true);
        expect(drawn || block.pendingHeight === 0).toBe(true);
        expect(block.pendingTop).toBeGreaterThanOrEqual(block.top);
      }
      // Rules of hosts, and air between lanes, fit where every row has a few pixels.
      if (height > 24 * ratio * rows) {
        expect(layout.height).toBeLessThanOrEqual(height);
        expect(layout.height).toBeGreaterThan(height * 0.7);
      }
      expect(layout.hosts.map(rule => rule.height)).toEqual(hosts.length > 1 ? hosts.map(() => Math.round(16 * ratio)) : []);
    }
  });
});
