// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import { TEXT_PERIOD, Ticker } from '../../../src/base/ticker';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('a listener that throws does not stop those after it', () => {
  vi.useFakeTimers();
  const reported = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const ticker = new Ticker();
  const broken = new Error('broken');
  const called: string[] = [];
  const first = ticker.listen(() => {
    called.push('first');
    throw broken;
  });
  const second = ticker.listen(() => called.push('second'));
  vi.advanceTimersByTime(2 * TEXT_PERIOD);
  expect(called).toEqual(['first', 'second', 'first', 'second']);
  expect(reported.mock.calls).toEqual([[broken], [broken]]);
  first.dispose();
  second.dispose();
  vi.advanceTimersByTime(TEXT_PERIOD);
  expect([called.length, vi.getTimerCount()]).toEqual([4, 0]);
});
