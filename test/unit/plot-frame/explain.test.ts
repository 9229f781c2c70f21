// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ExampleOf } from '../../../src/plot-frame/explain';
import { explainPlot } from '../../../src/plot-frame/explain';
import { progress } from '../../../src/plots/tasks/progress';
import { taskStream } from '../../../src/plots/tasks/task-stream';
import { translate as trans } from '../translate';

const EXAMPLE = { light: 'data:image/webp;base64,light', dark: 'data:image/webp;base64,dark', alt: 'Progress: <b>bars</b>' };

/** Explain a plot whose pane has this scheme. */
async function explain(exampleOf?: ExampleOf, scheme = 'light'): Promise<HTMLElement> {
  const pane = document.body.appendChild(document.createElement('div'));
  pane.dataset.scheme = scheme;
  const anchor = pane.appendChild(document.createElement('button'));
  explainPlot(progress, anchor, trans, exampleOf);
  await Promise.resolve();
  await Promise.resolve();
  const popover = document.querySelector<HTMLElement>('.dp-Popover');
  if (popover === null) {
    throw new Error('nothing is shown');
  }
  expect(popover.textContent).toContain(progress.howToRead);
  return popover;
}

const picture = (popover: HTMLElement): HTMLImageElement | null => popover.querySelector('img');

afterEach(() => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
});

describe('How to read this plot', () => {
  it('says what a click selects, where marks stand for functions or workers', async () => {
    expect((await explain()).textContent).toMatch(/A click on a function or a worker selects its tasks in all panes/);
    document.body.replaceChildren();
    explainPlot(taskStream, document.body.appendChild(document.createElement('button')), trans);
    expect(document.querySelector('.dp-Popover')?.textContent).not.toContain('A click on a function or a worker');
  });

  it('has a picture of the theme, which is distinguished from the data', async () => {
    const light = await explain(() => Promise.resolve({ ...EXAMPLE, size: { width: 380, height: 232 } }));
    expect(picture(light)?.src).toBe(EXAMPLE.light);
    expect(picture(light)?.alt).toBe(EXAMPLE.alt);
    expect([picture(light)?.width, picture(light)?.height]).toEqual([380, 232]);
    expect(light.querySelector('figcaption')?.textContent).toBe('An example, not your data');
    const dark = await explain(() => Promise.resolve(EXAMPLE), 'dark');
    expect(picture(dark)?.src).toBe(EXAMPLE.dark);
    expect(document.querySelectorAll('.dp-Popover')).toHaveLength(1);
  });

  it('has paragraphs', () => {
    explainPlot(taskStream, document.body.appendChild(document.createElement('button')), trans);
    const texts = [...document.querySelectorAll('.dp-Popover p')].map(({ textContent }) => textContent ?? '');
    expect(texts.join('\n\n')).toBe(taskStream.howToRead);
    expect(Math.max(...texts.map(text => text.split(' ').length))).toBeLessThan(70);
  });

  it('takes the only picture in a dark theme, too', async () => {
    const { light, alt } = EXAMPLE;
    expect(picture(await explain(() => Promise.resolve({ light, alt }), 'dark'))?.src).toBe(light);
  });

  it('is complete without a picture: in a report, for a plot without one, for one that cannot be loaded', async () => {
    expect(picture(await explain())).toBeNull();
    expect(picture(await explain(() => Promise.resolve(null)))).toBeNull();
    const popover = await explain(() => Promise.resolve(EXAMPLE));
    picture(popover)?.dispatchEvent(new Event('error'));
    expect(popover.querySelector('figure')).toBeNull();
    const warned = vi.spyOn(console, 'warn').mockReturnValue();
    expect(picture(await explain(() => Promise.reject(new Error('ChunkLoadError'))))).toBeNull();
    expect(warned).toHaveBeenCalledOnce();
  });
});
