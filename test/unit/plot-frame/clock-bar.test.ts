// @vitest-environment jsdom
import { Signal } from '@lumino/signaling';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { FileFeed } from '../../../src/feed/recordings/file-feed';
import { ClockBar } from '../../../src/plot-frame/clock-bar';
import { translate as trans } from '../translate';

let now = 0;

beforeEach(() => {
  vi.useFakeTimers();
  now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => vi.useRealTimers());

/** A clock whose seeks take some milliseconds. */
function clock(takes: number) {
  const seeks: number[] = [];
  const feed = {
    ...{ start: 1000, end: 2000, position: 2000, playing: false, speed: 1, moved: new Signal({}) },
    pause: () => undefined,
    play: () => seeks.push(Number.NaN),
    seek(moment: number) {
      seeks.push(moment);
      feed.position = moment;
      now += takes;
    }
  };
  const bar = new ClockBar(feed as unknown as FileFeed, trans, () => undefined);
  const slider = bar.node.querySelector('input') as HTMLInputElement;
  const drag = (step: number): void => {
    slider.value = String(step);
    slider.dispatchEvent(new Event('input'));
  };
  return { bar, slider, drag, seeks };
}

it('the slider moves the clock at once where that takes no time', () => {
  const { bar, drag, seeks } = clock(1);
  for (const step of [900, 800, 700]) {
    drag(step);
  }
  expect(seeks).toEqual([1900, 1800, 1700]);
  bar.dispose();
});

it('where it takes time, the clock moves when the slider rests, is let go, or the clock is started', () => {
  const { bar, slider, drag, seeks } = clock(400);
  for (const step of [900, 800, 700]) {
    drag(step);
    vi.advanceTimersByTime(100);
  }
  expect(seeks).toEqual([1900]);
  // What it will show is said already.
  expect([slider.value, slider.getAttribute('aria-valuetext')]).toEqual(['700', '11:40 of 16:40']);
  vi.advanceTimersByTime(100);
  expect(seeks).toEqual([1900, 1700]);
  drag(600);
  slider.dispatchEvent(new Event('change'));
  expect(seeks).toEqual([1900, 1700, 1600]);
  drag(500);
  bar.node.querySelector('button')?.click();
  expect(seeks).toEqual([1900, 1700, 1600, 1500, Number.NaN]);
  drag(400);
  bar.dispose();
  vi.advanceTimersByTime(1000);
  expect(seeks).toHaveLength(5);
});
