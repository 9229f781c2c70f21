import { Signal } from '@lumino/signaling';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FileFeed } from '../../../src/feed/recordings/file-feed';
import { ClockFollower } from '../../../src/plot-frame/clock-follower';

let frames: FrameRequestCallback[];
let now: number;
let draws: number;
let feed: { playing: boolean; readonly moved: Signal<object, FileFeed> };
let follower: ClockFollower;

/** The clock moves; the frame that was asked for, if any, is drawn. */
function move(elapsed: number): void {
  now += elapsed;
  (feed.moved as Signal<object, unknown>).emit(feed);
  const due = frames;
  frames = [];
  for (const callback of due) {
    callback(now);
  }
}

beforeEach(() => {
  [frames, now, draws] = [[], 1000, 0];
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => frames.push(callback));
  vi.stubGlobal('cancelAnimationFrame', () => {
    frames = [];
  });
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  feed = { playing: false, moved: new Signal<object, FileFeed>({}) };
  follower = new ClockFollower(feed as unknown as FileFeed, 100, () => {
    draws += 1;
  });
});

afterEach(() => {
  follower.dispose();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('what follows the clock of a recording', () => {
  it('is drawn with every move by hand', () => {
    move(1);
    move(1);
    expect(draws).toBe(2);
  });

  it('is drawn at most once per period while it plays, and at once when it stops', () => {
    feed.playing = true;
    for (let i = 0; i < 40; i++) {
      move(10);
    }
    expect(draws).toBe(4);
    feed.playing = false;
    move(1);
    expect(draws).toBe(5);
  });

  it('is not drawn any more after it was disposed', () => {
    feed.moved.emit(feed as never);
    follower.dispose();
    expect(frames).toHaveLength(0);
    move(1000);
    expect([draws, follower.isDisposed]).toEqual([0, true]);
  });
});
