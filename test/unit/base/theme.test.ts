// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { pageStyle } from '../../../src/base/page-style';
import { cssColour, readTheme } from '../../../src/base/theme';

afterEach(() => document.documentElement.removeAttribute('style'));

describe('the theme of a page', () => {
  it('has the size of the interface font, ordinary where the page has none', () => {
    expect(readTheme(document.body).fontScale).toBe(1);
    document.documentElement.style.setProperty('--jp-ui-font-size1', '16px');
    expect(readTheme(document.documentElement).fontScale).toBeCloseTo(16 / 13);
  });

  it('tells once of another size, and of nothing else', async () => {
    const told = vi.fn();
    const style = pageStyle(null);
    style.connect(told);
    document.documentElement.style.setProperty('--jp-ui-font-size1', '15px');
    await new Promise(resolve => setTimeout(resolve));
    expect(told).toHaveBeenCalledTimes(1);
    document.documentElement.style.setProperty('--jp-code-font-size', '15px');
    await new Promise(resolve => setTimeout(resolve));
    expect(told).toHaveBeenCalledTimes(1);
    style.disconnect(told);
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
