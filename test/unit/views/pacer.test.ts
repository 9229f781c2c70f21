import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Pacer, PERIOD } from '../../../src/views/pacer';

let clock: number;
let cost: number;
let drawn: number[];
let pacer: Pacer;

beforeEach(() => {
  vi.useFakeTimers();
  [clock, cost, drawn] = [0, 0, []];
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
  vi.stubGlobal('requestAnimationFrame', (act: (now: number) => void) => {
    act(clock);
    return 0;
  });
  pacer = new Pacer({
    paint: () => {
      drawn.push(clock);
      clock += cost;
    }
  });
});

afterEach(() => {
  pacer.dispose();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** News of the run every 50 ms; returns how many drawings they cause. */
function newsFor(milliseconds: number): number {
  const before = drawn.length;
  for (const end = clock + milliseconds; clock < end; ) {
    if (clock % 50 < 1) {
      pacer.soon();
    }
    clock += 1;
    vi.advanceTimersByTime(1);
  }
  return drawn.length - before;
}

it('draws news four times per second where that takes little', () => {
  cost = 3;
  newsFor(1000);
  expect(newsFor(8000)).toBeGreaterThanOrEqual(25);
  expect(newsFor(8000)).toBeLessThanOrEqual(8000 / PERIOD);
});

it('takes a fiftieth of the time where a drawing takes longer, and draws once per second whatever it takes', () => {
  cost = 10;
  newsFor(2000);
  expect(newsFor(10_000)).toBeGreaterThanOrEqual(16);
  expect(newsFor(10_000)).toBeLessThanOrEqual(20);
  cost = 300;
  newsFor(5000);
  expect(newsFor(20_000)).toBeGreaterThanOrEqual(14);
  cost = 3;
  newsFor(4000);
  expect(newsFor(8000)).toBeGreaterThanOrEqual(25);
});

it('is not slowed by one long drawing, such as the first', () => {
  cost = 500;
  pacer.now();
  cost = 3;
  expect(newsFor(2000)).toBeGreaterThanOrEqual(7);
  cost = 400;
  pacer.now();
  cost = 3;
  expect(newsFor(2000)).toBeGreaterThanOrEqual(7);
});

it('draws what the user does at once, however long it takes', () => {
  cost = 300;
  newsFor(5000);
  const before = drawn.length;
  pacer.now();
  pacer.now();
  expect(drawn.length - before).toBe(2);
});
