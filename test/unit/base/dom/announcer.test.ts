// @vitest-environment jsdom
import { expect, it } from 'vitest';
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
