import { describe, expect, it } from 'vitest';
import { Camera } from '../../../../src/views/timeline/time/camera';
import { type Moment, calm, roundSpan } from '../../../../src/views/timeline/time/follow';

const ORIGIN = 1_700_000_000;

function cameraOf(width = 1000): Camera {
  const camera = new Camera();
  camera.viewport.width = width;
  camera.margin = 10;
  camera.reset(ORIGIN);
  return camera;
}

function moment(elapsed: number, change: Partial<Moment> = {}): Moment {
  return { now: ORIGIN + elapsed, origin: ORIGIN, lastEnd: ORIGIN + elapsed - 0.5, active: true, ...change };
}

describe('Camera', () => {
  it('shows all of a young run from its start, and then its last minute', () => {
    const camera = cameraOf();
    camera.advance(moment(3));
    expect(camera.viewport.columnOf(ORIGIN)).toBeLessThan(10);
    expect(camera.viewport.end).toBeGreaterThan(ORIGIN + 3);
    camera.advance(moment(600));
    expect(camera.viewport.span).toBeCloseTo((60 * 1000) / 990, 5);
    expect(camera.viewport.columnOf(ORIGIN + 600)).toBeCloseTo(990, -0.5);
  });

  it('shows a run that is over as a whole, and does not move on', () => {
    const camera = cameraOf();
    const over = moment(5000, { lastEnd: ORIGIN + 600, active: false });
    camera.advance(over);
    expect(camera.viewport.start).toBeLessThanOrEqual(ORIGIN);
    expect(camera.viewport.end).toBeGreaterThan(ORIGIN + 600);
    const { first } = camera.viewport;
    camera.advance({ ...over, now: ORIGIN + 9000 });
    expect(camera.viewport.first).toBe(first);
  });

  it('stops where it is when the cluster idles, and catches up with the next task', () => {
    const camera = cameraOf();
    camera.advance(moment(100));
    const { first } = camera.viewport;
    camera.advance(moment(500, { lastEnd: ORIGIN + 99, active: false }));
    expect(camera.viewport.first).toBe(first);
    camera.advance(moment(501));
    expect(camera.viewport.columnOf(ORIGIN + 501)).toBeCloseTo(990, -0.5);
  });

  it('goes back to the moment that it is of when the present moment is unknown, and marks it', () => {
    const camera = cameraOf();
    camera.advance(moment(105, { lastEnd: ORIGIN + 99 }));
    camera.advance(moment(100, { lastEnd: ORIGIN + 99, active: false, stopped: true }));
    expect(camera.viewport.columnOf(ORIGIN + 100)).toBeCloseTo(990, -0.5);
    expect(camera.nowColumn()).toBeCloseTo(camera.viewport.columnOf(ORIGIN + 100), 5);
  });

  it('moves once per second where motion is reduced, and marks and pauses at now, not at the end of its second', () => {
    const camera = cameraOf();
    const advance = (after: number): void => {
      const present = moment(after);
      camera.advance(present, calm(present.now));
    };
    advance(100.25);
    const { start } = camera.viewport;
    advance(100.75);
    expect(camera.viewport.start).toBe(start);
    expect(camera.nowColumn()).toBeCloseTo(camera.viewport.columnOf(ORIGIN + 100.75), 5);
    advance(101.25);
    expect(camera.viewport.start).toBeGreaterThan(start);
    camera.setPaused(true);
    expect(camera.nowColumn()).toBeCloseTo(camera.viewport.columnOf(ORIGIN + 101.25), 5);
  });

  it('ends after a recording has played with what it shows where it was only opened', () => {
    const opened = cameraOf();
    const end = moment(0.9, { lastEnd: ORIGIN + 0.9, active: false, stopped: true });
    opened.advance(end);
    const played = cameraOf();
    played.advance({ ...end, now: ORIGIN, lastEnd: ORIGIN });
    for (let elapsed = 0; elapsed < 0.9; elapsed += 0.05) {
      played.advance(moment(elapsed, { lastEnd: ORIGIN + elapsed, stopped: true }));
      expect(played.viewport.end).toBeGreaterThanOrEqual(ORIGIN + elapsed);
    }
    played.advance(end);
    expect(opened.viewport.span).toBeLessThan(1);
    expect(played.viewport.span).toBeCloseTo(opened.viewport.span, 1);
  });

  it('moves by whole columns while following, without another scale', () => {
    const camera = cameraOf();
    camera.advance(moment(600));
    const { perColumn, first } = camera.viewport;
    camera.advance(moment(600 + 5 * perColumn));
    expect(camera.viewport.perColumn).toBe(perColumn);
    expect(camera.viewport.first).toBe(first + 5);
  });

  it('keeps the time under the pointer when zooming while paused, and now while following', () => {
    const camera = cameraOf();
    camera.advance(moment(600));
    camera.zoom(0.5, 300);
    camera.advance(moment(600));
    expect(camera.following).toBe(true);
    expect(camera.viewport.columnOf(ORIGIN + 600)).toBeCloseTo(990, -0.5);
    camera.setPaused(true);
    const time = camera.viewport.timeOf(300);
    camera.zoom(0.25, 300);
    expect(Math.abs(camera.viewport.columnOf(time) - 300)).toBeLessThanOrEqual(0.5);
  });

  it('carries out every step of a zoom while following, also two before the next drawing', () => {
    const camera = cameraOf();
    camera.advance(moment(600));
    const { perColumn } = camera.viewport;
    camera.zoom(1.25, 300);
    camera.zoom(0.5, 300);
    camera.advance(moment(600));
    expect(camera.viewport.perColumn).toBeCloseTo(perColumn * 1.25 * 0.5, 9);
  });

  it('pauses when panned, says at what time, and follows again with the same scale', () => {
    const camera = cameraOf();
    camera.advance(moment(600));
    expect(camera.shownAt).toBeNaN();
    camera.pan(-200);
    expect(camera.following).toBe(false);
    expect(camera.shownAt).toBeCloseTo(camera.viewport.end, 5);
    const { span } = camera.viewport;
    camera.follow();
    camera.advance(moment(700));
    expect(camera.viewport.span).toBeCloseTo(span * (1000 / 990), 3);
    expect(camera.viewport.columnOf(ORIGIN + 700)).toBeCloseTo(990, -0.5);
  });

  it('never loses the run, however far the user pans or zooms', () => {
    const camera = cameraOf();
    camera.advance(moment(600));
    for (const columns of [-1e9, 1e9, Number.MAX_SAFE_INTEGER]) {
      camera.pan(columns);
      expect(camera.viewport.start).toBeLessThan(ORIGIN + 600);
      expect(camera.viewport.end).toBeGreaterThan(ORIGIN);
    }
    for (const factor of [1e-9, 1e30, 0, Number.NaN, Number.POSITIVE_INFINITY]) {
      camera.zoom(factor, 500);
      expect(Number.isFinite(camera.viewport.start)).toBe(true);
      expect(camera.viewport.perColumn).toBeGreaterThan(0);
    }
    camera.fit();
    expect(camera.viewport.start).toBeLessThanOrEqual(ORIGIN);
    expect(camera.viewport.end).toBeGreaterThanOrEqual(ORIGIN + 600);
  });

  it('collects fractions of a column', () => {
    const camera = cameraOf();
    camera.advance(moment(600));
    const { first } = camera.viewport;
    for (let i = 0; i < 12; i++) {
      camera.pan(-0.25);
    }
    expect(camera.viewport.first).toBe(first - 3);
  });

  it('brings a task into view', () => {
    const camera = cameraOf();
    camera.advance(moment(600));
    camera.reveal(ORIGIN + 10, ORIGIN + 11);
    expect(camera.viewport.columnOf(ORIGIN + 10.5)).toBeCloseTo(500, -1);
    expect(camera.following).toBe(false);
  });
});

describe('a young run', () => {
  it('has five seconds from its first moment on, so that the picture does not shrink with every frame', () => {
    const camera = cameraOf();
    camera.reset(ORIGIN);
    const spans = new Set<number>();
    for (let time = 0.02; time < 4.8; time += 0.02) {
      camera.advance(moment(time));
      spans.add(Math.round(camera.viewport.span * 10));
    }
    expect(spans.size).toBe(1);
    expect(camera.viewport.span).toBeGreaterThanOrEqual(5);
  });

  it('is fitted without the time since its last task', () => {
    const camera = cameraOf();
    camera.reset(ORIGIN);
    camera.advance(moment(19));
    camera.advance({ now: ORIGIN + 20, origin: ORIGIN, lastEnd: ORIGIN + 9, active: false });
    expect(camera.viewport.end).toBeGreaterThan(ORIGIN + 18);
    camera.fit();
    camera.advance({ now: ORIGIN + 21, origin: ORIGIN, lastEnd: ORIGIN + 9, active: false });
    expect(camera.viewport.end).toBeLessThan(ORIGIN + 11);
    expect(camera.viewport.end).toBeGreaterThan(ORIGIN + 9);
  });

  it('fills the width when it was over before anybody looked', () => {
    const camera = cameraOf();
    camera.reset(ORIGIN);
    camera.advance({ now: ORIGIN + 100, origin: ORIGIN, lastEnd: ORIGIN + 0.3, active: false });
    expect(camera.viewport.span).toBeLessThan(0.6);
  });
});

describe('roundSpan', () => {
  it('is longer than the run and changes in steps', () => {
    const spans = new Set<number>();
    for (let length = 0; length < 1000; length += 0.1) {
      const span = roundSpan(length);
      expect(span).toBeGreaterThan(length);
      expect(span).toBeLessThanOrEqual(Math.max(5, length * 1.4));
      spans.add(span);
    }
    expect(spans.size).toBeLessThan(40);
  });
});
