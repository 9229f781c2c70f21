// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { askForScale, type Scale } from '../../../src/panes/forms/scale-dialog';
import type { Scaling } from '../../../src/panes/forms/scaled-memory';
import { translate as trans } from '../translate';

// JupyterLab draws the title then.
beforeEach(() => vi.stubGlobal('requestIdleCallback', (draw: () => void) => draw()));

afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

const NOW: Scaling = { workers: 4, asked: 4, adaptive: null };

/** What is asked before workers end, with the answer "Scale down"; '' if nothing is. */
async function asked(now: Partial<Scaling>, scale: Scale): Promise<string> {
  const result = askForScale('mine', { ...NOW, ...now }, 100, trans);
  const field = (name: string): HTMLInputElement | null => document.querySelector(`input[name="${name}"]`);
  await vi.waitFor(() => expect(field('workers')).not.toBeNull());
  const adaptive = field('adaptive');
  if (adaptive !== null && adaptive.checked !== 'maximum' in scale) {
    adaptive.click();
  }
  for (const [name, value] of Object.entries(scale)) {
    const input = field(name);
    if (input !== null) {
      input.value = String(value);
    }
  }
  const press = (): void => [...document.querySelectorAll<HTMLButtonElement>('.jp-Dialog-button')].at(-1)?.click();
  press();
  let words = '';
  await vi.waitFor(() => {
    words = document.querySelector('.jp-Dialog-body')?.textContent ?? '';
    expect(field('workers')).toBeNull();
  });
  await Promise.race([result, vi.waitFor(() => expect(document.querySelector('.jp-mod-warn')).not.toBeNull())]);
  words = document.querySelector('.jp-Dialog-body')?.textContent ?? '';
  press();
  expect(await result).toEqual(scale);
  return words;
}

it('names the workers that end, and what becomes of their results', async () => {
  // By a number Dask ends them at once; adaptive scaling retires them first.
  const once = await asked({}, { workers: 3 });
  expect(once).toMatch(/^1 worker ends\. Most kinds of clusters do not move its results first: what only it has is lost\./);
  expect(once).toMatch(/retire single workers instead\.$/);
  expect(await asked({}, { minimum: 0, maximum: 2 })).toMatch(/^2 workers end\. Their results move to other workers/);
  expect(await asked({}, { workers: 0 })).toMatch(/^All its workers end and their results are lost\./);
  expect(await asked({}, { workers: 5 })).toBe('');
  // A class that does not say how many were asked for, or ends all at this moment.
  expect(await asked({ asked: 0 }, { workers: 3 })).toMatch(/^1 worker ends\./);
});

it('counts none that have not started: Dask gives these up first', async () => {
  expect(await asked({ workers: 2, asked: 10 }, { workers: 5 })).toBe('');
  expect(await asked({ workers: 2, asked: 10 }, { workers: 1 })).toMatch(/^1 worker ends\./);
  expect(await asked({ workers: 0, asked: 3 }, { workers: 0 })).toBe('');
});

it('counts none that the cluster has not started: Dask does not end these', async () => {
  expect(await asked({ workers: 5, asked: 2 }, { workers: 2 })).toBe('');
  expect(await asked({ workers: 5, asked: 2 }, { workers: 1 })).toMatch(/^1 worker ends\./);
  expect(await asked({ workers: 5, asked: 2 }, { workers: 0 })).toMatch(/^2 workers end\. Most kinds of clusters/);
});

it('asks where jobs have several workers: Dask gives up any of them', async () => {
  const words = await asked({ workers: 4, asked: 8, grouped: true }, { workers: 4 });
  expect(words).toMatch(/^Up to 4 workers that run may end: where jobs have several workers, Dask does not know which/);
  expect(await asked({ workers: 4, asked: 8, grouped: true }, { workers: 8 })).toBe('');
  expect(await asked({ workers: 4, asked: 8, grouped: true }, { minimum: 0, maximum: 4 })).toBe('');
  // All that were asked for are there.
  expect(await asked({ workers: 8, asked: 8, grouped: true }, { workers: 4 })).toMatch(/^4 workers end\. Most kinds/);
});

it('begins with bounds that it accepts, also where Dask has none', async () => {
  const result = askForScale('mine', { ...NOW, adaptive: [1, 100_000] }, 512, trans);
  await vi.waitFor(() => expect(document.querySelector<HTMLInputElement>('input[name="maximum"]')?.value).toBe('512'));
  [...document.querySelectorAll<HTMLButtonElement>('.jp-Dialog-button')].at(-1)?.click();
  expect(await result).toEqual({ minimum: 1, maximum: 512 });
});
