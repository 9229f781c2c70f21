// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import type { TitlePart } from '../../../src/plot/plot';
import { showTitle } from '../../../src/plot-frame/plot-tools';
import { errorsLink } from '../../../src/selectors/errors/link';

describe('a title', () => {
  it('leads on from a count, with a button that stays while the count changes', () => {
    const host = document.createElement('div');
    const opened: unknown[] = [];
    const show = (...parts: TitlePart[]): void => showTitle(host, parts, (plot, args) => opened.push([plot, args]));
    show({ text: '5 / 9 done', tone: 'strong' }, { text: '1 erred', tone: 'bad', opens: errorsLink('<b>') });
    const link = host.querySelector('button');
    // The dot stays with what follows it, where the line is short, and both are shown as a whole or not at all.
    expect([...host.children].map(part => part.textContent)).toEqual(['5 / 9 done', '· 1 erred']);
    expect(host.textContent).toBe('5 / 9 done · 1 erred');
    show({ text: '6 / 9 done', tone: 'strong' }, { text: '2 erred', tone: 'bad', opens: errorsLink('load') });
    expect(host.querySelector('button')).toBe(link);
    expect(host.textContent).toBe('6 / 9 done · 2 erred');
    link?.click();
    expect(opened).toEqual([['errors', { function: 'load', kind: 'all' }]]);
    // Nothing has failed in the next run.
    show({ text: '1 / 9 done' }, { text: '3 waiting' });
    expect(host.querySelector('button')).toBeNull();
    expect(host.textContent).toBe('1 / 9 done · 3 waiting');
    // Code may be cut, figures not.
    show({ text: '1 / 9 done' }, { text: '[3] x.compute()', cut: true });
    expect([...host.children].map(part => part instanceof HTMLElement && part.dataset.cut)).toEqual(['false', 'true']);
    show();
    expect(host.textContent).toBe('');
  });
});
