// @vitest-environment jsdom
// Names next to the lanes: what is computed for hundreds of low workers, and what only for the one under the pointer.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Run } from '../../../../src/run/run';
import type { Heads } from '../../../../src/views/timeline/groups/heads';
import { Gutter } from '../../../../src/views/timeline/lanes/gutter';
import type { Layout } from '../../../../src/views/timeline/lanes/layout';
import { tasksBody } from '../../run/synthetic';
import { translate } from '../../translate';
import { EPOCH, feedOf, frame, holdFrames, releaseFrames, viewOf } from './stand';

beforeEach(holdFrames);
afterEach(releaseFrames);

const WORKERS = 60;

function runOf(workers = WORKERS, name = (i: number): string => `w-${i}`): Run {
  const run = new Run();
  const ids = Array.from({ length: workers }, (_, i) => i);
  run.apply(
    {
      ...{ feed: 'f', epoch: 0, seq: 0, time: EPOCH + 10, cursor: {} },
      names: {
        prefixes: { from: 0, values: ['inc'] },
        workers: {
          from: 0,
          values: ids.map(i => ({ address: `tcp://${i}`, name: name(i), host: 'h', nthreads: 1, memory_limit: 0 }))
        },
        lanes: { from: 0, values: ids.map(i => [i, i] as const) }
      },
      topics: { tasks: tasksBody(ids.map(lane => ({ lane, start: EPOCH, duration: 10 }))) }
    },
    0
  );
  return run;
}

it('low workers have their figures in the tooltip under the pointer only, up to date', async () => {
  const run = runOf();
  const view = await viewOf(run, feedOf());
  frame();
  const labels = [...view.node.querySelectorAll<HTMLElement>('.dp-Timeline-worker')];
  expect(labels.length).toBeGreaterThan(5);
  expect(labels.map(({ dataset }) => dataset.lines)).toEqual(labels.map(() => '1'));
  expect(labels.map(label => [label.title, label.querySelector('.dp-Timeline-facts')?.textContent])).toEqual(
    labels.map(() => ['', ''])
  );
  const [first, second] = labels;
  second.firstElementChild?.dispatchEvent(new Event('pointerover', { bubbles: true }));
  expect(second.title).toMatch(/^w-\d+ · 1 thr · \d+ %\n/);
  expect(first.title).toBe('');
  // What it says goes on to change while the pointer stays.
  const before = second.title;
  run.apply(
    {
      ...{ feed: 'f', epoch: 0, seq: 1, time: EPOCH + 40, cursor: {}, names: {} },
      topics: { tasks: tasksBody([{ lane: 0, start: EPOCH + 39, duration: 1 }], WORKERS) }
    },
    0
  );
  view.update();
  frame();
  expect(second.title).not.toBe(before);
  view.dispose();
});

it('the keyboard reaches names beyond the window, and stays in the tree when the one that it was at goes', async () => {
  const view = await viewOf(runOf(1000), feedOf());
  frame();
  const plot = view.node.querySelector<HTMLElement>('.dp-Timeline-plot') as HTMLElement;
  const heads = (): HTMLElement[] =>
    [...view.node.querySelectorAll<HTMLElement>('[role="treeitem"]')].sort(
      (a, b) => Number.parseFloat(a.style.top) - Number.parseFloat(b.style.top)
    );
  const at = (): number => Number(/^w-?(\d+)/.exec(document.activeElement?.textContent ?? '')?.[1]);
  const scrolled = (): void => {
    plot.dispatchEvent(new Event('scroll'));
    frame();
  };
  const press = (key: string): void => {
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, code: key, bubbles: true, cancelable: true }));
    scrolled();
  };
  heads().at(-1)?.focus();
  const last = at();
  press('ArrowDown');
  expect(plot.scrollTop).toBeGreaterThan(0);
  const next = at();
  expect(next).toBeGreaterThan(last);
  // A name is eleven rows high.
  expect(next - last).toBeLessThanOrEqual(22);
  press('ArrowUp');
  expect(at()).toBeLessThan(next);
  // The lanes are scrolled by the wheel.
  plot.scrollTop = 900;
  scrolled();
  expect(heads()).toContain(document.activeElement);
  expect(at()).toBeGreaterThan(800);
  view.dispose();
});

it('names that are as they were are not touched, and the one with the focus is reached with Tab', async () => {
  const run = runOf();
  const view = await viewOf(run, feedOf());
  frame();
  const labels = (): HTMLElement[] => [...view.node.querySelectorAll<HTMLElement>('.dp-Timeline-worker')];
  const asked = [vi.spyOn(Element.prototype, 'getAttribute'), vi.spyOn(Element.prototype, 'setAttribute')];
  const touched = (): number => {
    for (const spy of asked) {
      spy.mockClear();
    }
    view.update();
    frame();
    return asked.flatMap(spy => spy.mock.contexts).filter(node => labels().includes(node as HTMLElement)).length;
  };
  const first = labels().filter(({ tabIndex }) => tabIndex === 0);
  expect([first.length, touched()]).toEqual([1, 0]);
  labels()[3].focus();
  expect(touched()).toBeGreaterThan(0);
  expect(labels().filter(({ tabIndex }) => tabIndex === 0)).toEqual([labels()[3]]);
  expect(touched()).toBe(0);
  const [label] = labels();
  label.click();
  expect(touched()).toBeGreaterThan(0);
  expect([label.textContent, label.getAttribute('aria-expanded')]).toEqual([expect.stringMatching(/^▸ w-/), 'false']);
  vi.restoreAllMocks();
  view.dispose();
});

it('where little fits, a name is its number and what is counted, whole', async () => {
  const names = ['16 threads', '2 processes', 'synchronous', 'worker-3', 'two'];
  const run = runOf(names.length, i => names[i]);
  const view = await viewOf(run, feedOf());
  view.resize(290, 400);
  frame();
  const shown = [...view.node.querySelectorAll('.dp-Timeline-worker .dp-Timeline-name')].map(({ textContent }) => textContent);
  expect(shown.sort()).toEqual(['16 thr', '2 pro', 'sync', 'two', 'w3']);
  view.dispose();
});

it('workers below the window are not looked at: each may be on a host of its own', () => {
  let looked = 0;
  const blocks = Array.from({ length: 1000 }, (_, i) => ({
    ...{ workers: [], height: 1 },
    get top() {
      looked += 1;
      return 100 + 10 * i;
    }
  }));
  const hosts = blocks.map((_, i) => ({ top: 95 + 10 * i, height: 5 }));
  const heads = { node: document.createElement('div'), settle: () => undefined } as unknown as Heads;
  const scene = { scroll: 0, height: 90, ratio: 1, font: 1, from: 0, to: 1, paused: () => 0, narrow: false };
  const layout = { workers: blocks, hosts } as unknown as Layout;
  new Gutter({ run: new Run() }, translate, heads).update({ ...scene, layout });
  expect(looked).toBe(1);
});
