// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { pageStyle } from '../../../src/base/page-style';
import palette from '../../../src/base/palette.json';
import { contrastOf, cssColour, type FrameColours, makeTheme, readable, readTheme } from '../../../src/base/theme';
import { STATE_ORDER, stateLook } from '../../../src/selectors/tasks/task-states';

afterEach(() => document.documentElement.removeAttribute('style'));

describe('the theme of a page', () => {
  it('has the ordinary size where the page has none', () => {
    expect(readTheme(document.body).fontScale).toBe(1);
  });

  it('notifies once of another size, and of nothing else', async () => {
    const notified = vi.fn();
    const style = pageStyle(null);
    style.connect(notified);
    document.documentElement.style.setProperty('--jp-ui-font-size1', '15px');
    await new Promise(resolve => setTimeout(resolve));
    expect(notified).toHaveBeenCalledTimes(1);
    document.documentElement.style.setProperty('--jp-code-font-size', '15px');
    await new Promise(resolve => setTimeout(resolve));
    expect(notified).toHaveBeenCalledTimes(1);
    style.disconnect(notified);
  });

  it.each([
    ['#abc', '#aabbcc'],
    ['rgb(1, 2, 3)', '#010203'],
    ['rgba(0, 0, 0, 0.5)', '#808080'],
    ['no colour', '#123456']
  ])('reads %s', (text, expected) => {
    // jsdom draws nothing: what the browser reads is tested in one.
    const canvas = vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
    expect(cssColour(text, '#123456')).toBe(expected);
    canvas.mockRestore();
  });
});

/** Backgrounds and status colours of JupyterLab's themes. */
const THEMES = [
  ['light', '#ffffff', { warn: '#f57c00', bad: '#d32f2f', good: '#388e3c' }],
  ['dark', '#212121', { warn: '#ff9800', bad: '#f44336', good: '#4caf50' }],
  ['dark, high contrast', '#111111', { warn: '#ff9800', bad: '#f44336', good: '#4caf50' }],
  ['light, more contrast', '#ffffff', { warn: '#f57c00', bad: '#d32f2f', good: '#388e3c' }],
  ['forced, black', '#000000', { warn: '#ffffff', bad: '#ffffff', good: '#ffffff' }]
] as const;

describe.each(THEMES)('colours in a theme that is %s', (name, background, status) => {
  const frame: FrameColours = {
    background,
    text: contrastOf(background, '#000000') > 10 ? '#212121' : '#ffffff',
    textSecondary: '#757575',
    border: '#9e9e9e',
    brand: '#1976d2',
    fontFamily: 'sans-serif',
    codeFontFamily: 'monospace',
    contrast: name.includes('contrast') || name.startsWith('forced') ? 'more' : 'ordinary',
    ...status
  };
  const theme = makeTheme(frame);

  it('are seen: what has a meaning contrasts with the background, texts as texts have to', () => {
    const seen = [
      ...palette.prefix[theme.scheme],
      ...(['transfer', 'disk-read', 'deserialize'] as const).map(kind => theme.kind(kind).colour),
      ...(['blue', 'orange', 'red'] as const).map(level => theme.memory(level)[0]),
      theme.erred.colour,
      theme.spilled,
      ...Object.values(theme.worker),
      ...STATE_ORDER.map(state => stateLook(state, theme).colour),
      theme.good
    ];
    expect(seen.filter(colour => contrastOf(colour, background) < 3)).toEqual([]);
    for (const text of [theme.warn, theme.bad]) {
      expect(contrastOf(text, background)).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('have stronger lines and texts if the user needs more contrast', () => {
    const more = makeTheme({ ...frame, contrast: 'more' });
    const ordinary = makeTheme({ ...frame, contrast: 'ordinary' });
    expect(contrastOf(more.grid, background)).toBeGreaterThan(contrastOf(ordinary.grid, background));
    expect(more.textSecondary).toBe(frame.text);
    expect(ordinary.textSecondary).toBe(frame.textSecondary);
  });
});

describe('a colour made readable', () => {
  it('stays where it can be read, and has some ink in it where not', () => {
    expect(readable('#d32f2f', '#ffffff', 4.5)).toBe('#d32f2f');
    const dark = readable('#f57c00', '#ffffff', 4.5);
    expect(contrastOf(dark, '#ffffff')).toBeGreaterThanOrEqual(4.5);
    expect(readable('#ffffff', '#ffffff', 4.5)).not.toBe('#ffffff');
  });
});
