// @vitest-environment jsdom
import { expect, it, vi } from 'vitest';
import { Announcer } from '../../../../src/base/dom/announcer';

it('announces another state, not a text that ages, and the end of what passes', () => {
  const announcer = new Announcer();
  const said = (state: string, text: string, passing?: true): string | null => {
    announcer.say({ state, text, ...(passing ? { passing } : {}) });
    return announcer.node.textContent;
  };
  expect(said('idle', 'idle since 10:31')).toBe('idle since 10:31');
  expect(said('live', 'reading a graph', true)).toBe('reading a graph');
  expect(said('live', 'reading a graph', true)).toBe('reading a graph');
  expect(said('live', 'live · 0.1 s')).toBe('live · 0.1 s');
  expect(said('live', 'live · 0.3 s')).toBe('live · 0.1 s');
  // Short graphs one after the other are no news.
  expect(said('live', 'reading a graph', true)).toBe('live · 0.1 s');
  expect(said('live', 'live · 0.5 s')).toBe('live · 0.1 s');
  expect(said('idle', 'idle since 10:32')).toBe('idle since 10:32');
});

it('announces a recording that plays, and leaves no text that may be outdated', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const announcer = new Announcer();
  const said = (sign: string, text: string): string | null => {
    announcer.say({ state: 'recorded', sign, text });
    return announcer.node.textContent;
  };
  expect(said('bars', 'recording · paused at 0:01.5')).toBe('recording · paused at 0:01.5');
  expect(said('disc', 'recording · playing, 0:01.5')).toBe('recording · playing, 0:01.5');
  vi.advanceTimersByTime(4000);
  expect(said('disc', 'recording · playing, 0:05.5')).toBe('recording · playing, 0:01.5');
  vi.advanceTimersByTime(2000);
  expect(said('disc', 'recording · playing, 0:07.5')).toBe('');
  expect(said('bars', 'recording · paused at 0:07.6')).toBe('recording · paused at 0:07.6');
  vi.useRealTimers();
});
