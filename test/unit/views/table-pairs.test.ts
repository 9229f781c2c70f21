// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import { computations } from '../../../src/plots/tasks/computations';
import { compareComputations } from '../../../src/plots/tasks/compare-computations';
import { workers } from '../../../src/plots/workers/workers';
import type { Plot } from '../../../src/plot/plot';
import { Run } from '../../../src/run/run';
import { selectionOf } from '../../../src/run/selection/selection';
import { createTableView } from '../../../src/views';
import type { View, ViewHost, ViewMenuItem } from '../../../src/views/view';
import { cluster, context, theme } from '../plots/cluster';
import { compute, type Made } from '../plots/made-computations';

const MADE: readonly Made[] = [0, 1, 2].map(id => ({
  ...{ id, since: 100 * (id + 1), stop: 100 * (id + 1) + 10, cell: id + 2 },
  of: { 0: { tasks: 2, done: 2 } }
}));

let views: View[] = [];
let opened: unknown[] = [];

async function show(run: Run, change: Partial<ViewHost> = {}, plot: Plot = computations): Promise<View> {
  const view = await createTableView(plot, {
    ...{ run, feed: null, trans: context().trans, context: context(), saved: {}, save: () => undefined },
    open: (opens, args) => opened.push([opens, args]),
    ...change
  });
  document.body.append(view.node);
  views.push(view);
  view.setTheme(theme());
  view.setVisible(true);
  view.resize(600, 200);
  draw(view);
  return view;
}

function draw(view: View): void {
  view.update();
  vi.advanceTimersByTime(600);
}

const grid = (view: View): HTMLElement => view.node.querySelector('[role="grid"]')!;
const button = (view: View): HTMLElement => view.node.querySelector('.dp-Table-pair')!;
const row = (view: View, id: number): HTMLElement => view.node.querySelector(`[data-row="${id}"]`)!;
const state = (view: View): (string | null)[] => [
  button(view).textContent,
  button(view).title,
  button(view).getAttribute('aria-disabled')
];
const picked = (view: View): string[] =>
  [...view.node.querySelectorAll<HTMLElement>('[aria-selected="true"]')].map(({ dataset }) => dataset.row ?? '');

function click(view: View, id: number, init: MouseEventInit = {}): void {
  row(view, id).children[1].dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1, ...init }));
  vi.advanceTimersByTime(50);
}

function press(view: View, key: string, ctrlKey = false): void {
  grid(view).dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true }));
  vi.advanceTimersByTime(50);
}

function menuOf(view: View, id: number, menu: ReturnType<typeof vi.fn>): ViewMenuItem[] {
  row(view, id).children[1].dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }));
  return menu.mock.lastCall?.[0] ?? [];
}

beforeEach(() => {
  setNumberLocale('en');
  vi.useFakeTimers();
  opened = [];
  Element.prototype.scrollIntoView = () => undefined;
});

afterEach(() => {
  for (const view of views) {
    view.dispose();
    view.node.remove();
  }
  views = [];
  vi.useRealTimers();
});

const run = (): Run => compute(cluster({ prefixes: [{ name: 'load', memory: 1 }] }), MADE);
const HINT = 'Pick two rows to compare: click one, and another one with Ctrl or ⌘';
const link = (a: number, b: number): unknown => [
  'compare-computations',
  { first: `${a}@${100 * (a + 1)}`, second: `${b}@${100 * (b + 1)}` }
];

describe('two picked rows', () => {
  it('leave a right click with Shift to the browser', async () => {
    const menu = vi.fn();
    const view = await show(run(), { menu });
    const event = new MouseEvent('contextmenu', { bubbles: true, cancelable: true, shiftKey: true });
    row(view, 1).children[1].dispatchEvent(event);
    expect([event.defaultPrevented, menu.mock.calls.length]).toEqual([false, 0]);
  });

  it('are no longer picked after the second click on one, which selects nothing', async () => {
    const made = run();
    const view = await show(made);
    click(view, 2);
    expect([picked(view), selectionOf(made).current.period]).toEqual([['2'], { from: 300, to: 310 }]);
    click(view, 2);
    expect([picked(view), selectionOf(made).current.period]).toEqual([[], null]);
    expect(state(view)).toEqual(['Compare', HINT, 'true']);
    // The next one is the first again.
    click(view, 1);
    expect(picked(view)).toEqual(['1']);
  });

  it('are compared, the older one first, whichever was picked first', async () => {
    const made = run();
    const view = await show(made);
    expect(state(view)).toEqual(['Compare', HINT, 'true']);
    button(view).click();
    expect(opened).toEqual([]);
    click(view, 2);
    click(view, 0, { ctrlKey: true });
    expect(picked(view)).toEqual(['2', '0']);
    expect(state(view)).toEqual(['Compare these two', 'Compare A: [2] total.compute() with B: [4] total.compute()', 'false']);
    // What other panes show stays that of the first.
    expect(selectionOf(made).current.period).toEqual({ from: 300, to: 310 });
    button(view).click();
    expect(opened).toEqual([link(0, 2)]);
    const [, args] = opened[0] as [string, Record<string, string>];
    expect(compareComputations.titleLine(made, context({ options: args })).map(({ text }) => text)).toEqual([
      'A: [2] total.compute()',
      'B: [4] total.compute()'
    ]);
  });

  it('are dimmed as any other row once another pane selects something else', async () => {
    const made = run();
    const view = await show(made);
    const dimmed = (): (string | undefined)[] => [0, 1, 2].map(id => row(view, id).dataset.dimmed);
    click(view, 2);
    click(view, 0, { ctrlKey: true });
    draw(view);
    expect(dimmed()).toEqual(['false', 'true', 'false']);
    selectionOf(made).select({ functions: ['another'] });
    draw(view);
    expect([dimmed(), picked(view)]).toEqual([
      ['true', 'true', 'true'],
      ['2', '0']
    ]);
    view.dispose();
  });

  it('are the last two of three; a second click with Ctrl or Cmd leaves the other one, a plain one only its own', async () => {
    const made = run();
    const view = await show(made);
    for (const id of [0, 1, 2]) {
      click(view, id, { metaKey: true });
    }
    expect(picked(view)).toEqual(['2', '1']);
    click(view, 2, { metaKey: true });
    expect(picked(view)).toEqual(['1']);
    expect(selectionOf(made).current.period).toEqual({ from: 200, to: 210 });
    click(view, 1, { metaKey: true });
    expect([picked(view), selectionOf(made).current.period]).toEqual([[], null]);
    click(view, 0);
    click(view, 2);
    expect(picked(view)).toEqual(['2']);
  });

  it('are picked by keyboard, and Escape picks none', async () => {
    const made = run();
    const view = await show(made);
    for (const [key, ctrl] of [['ArrowDown'], ['ArrowRight'], [' '], ['ArrowDown'], [' ', true]] as [string, boolean?][]) {
      press(view, key, ctrl);
    }
    expect(picked(view)).toEqual(['2', '1']);
    press(view, 'Escape');
    expect([picked(view), state(view)]).toEqual([[], ['Compare', HINT, 'true']]);
    // Also where nothing is selected in other panes.
    press(view, ' ', true);
    press(view, 'ArrowDown');
    press(view, ' ', true);
    selectionOf(made).clear();
    press(view, 'Escape');
    expect(picked(view)).toEqual([]);
  });

  it('are in the context menu: the row with the picked one, and with the one before it', async () => {
    const menu = vi.fn();
    const view = await show(run(), { menu });
    expect(menuOf(view, 0, menu)).toEqual([{ label: HINT, enabled: false, run: expect.any(Function) }]);
    click(view, 0);
    const items = menuOf(view, 2, menu);
    expect(items.map(({ label }) => label)).toEqual([
      'Compare A: [2] total.compute() with B: [4] total.compute()',
      'Compare A: [3] total.compute() with B: [4] total.compute()'
    ]);
    items[1].run();
    expect(opened).toEqual([link(1, 2)]);
    // With the one before it, which is picked: once.
    expect(menuOf(view, 1, menu)).toHaveLength(1);
  });

  it('are one row and the run before of its cell, if there is one', async () => {
    const made = run();
    const texts = [0, 1, 2].map(id => ({
      ...{
        id,
        cell: id + 2,
        client: `c${id}`,
        cell_id: id === 1 ? 'other' : 'same',
        code: 'go()',
        line: 0,
        origin: 'cell',
        span: ''
      }
    }));
    const topics = { computations: { columns: {}, scalars: { kept: 0, texts } } };
    made.apply({ feed: 'made-up', epoch: 0, seq: 2, time: 1001, cursor: {}, names: {}, topics }, 1_001_000);
    const view = await show(made);
    click(view, 2);
    expect(state(view).slice(0, 2)).toEqual(['Compare', 'Compare A: [2] c0: go() with B: [4] c2: go()']);
    click(view, 1);
    expect(state(view)[1]).toBe('Compare A: [2] c0: go() with B: [3] c1: go()');
    // Two clients in one run of a cell.
    const both = texts.map(text => ({ ...text, cell_id: 'same', cell: text.id === 0 ? 2 : 3 }));
    const more = { computations: { columns: {}, scalars: { kept: 0, texts: both } } };
    made.apply({ feed: 'made-up', epoch: 0, seq: 3, time: 1002, cursor: {}, names: {}, topics: more }, 1_002_000);
    click(view, 2);
    expect(state(view)[1]).toBe('Compare A: [2] c0: go() with B: [3] c2: go()');
    // The first has none before it.
    click(view, 0);
    expect(state(view)).toEqual(['Compare', HINT, 'true']);
  });

  it('that have gone, or are of an earlier run, are not picked any more', async () => {
    const made = run();
    const view = await show(made);
    click(view, 1);
    click(view, 2, { ctrlKey: true });
    const topics = { computations: { columns: {}, scalars: { kept: 2, texts: [] } } };
    made.apply({ feed: 'made-up', epoch: 0, seq: 2, time: 1001, cursor: {}, names: {}, topics }, 1_001_000);
    draw(view);
    expect(picked(view)).toEqual(['2']);
    compute(made, MADE, 1003, 'another');
    draw(view);
    expect(picked(view)).toEqual([]);
  });

  it('are not offered by other tables', async () => {
    const view = await show(cluster({ workers: [{ name: 'w0' }] }), {}, workers);
    expect(button(view).hidden).toBe(true);
    expect(grid(view).hasAttribute('aria-multiselectable')).toBe(false);
    expect(view.node.querySelector('[aria-selected]')).toBeNull();
  });
});

describe('chosen computations', () => {
  const text = (made: Run, options: Record<string, string>): string | undefined =>
    compareComputations.empty(made, context({ options }))?.head;

  it('may be older than those of the menu, and are named there', () => {
    const many = Array.from({ length: 60 }, (_, id) => ({ ...MADE[0], id, since: 100 + id, stop: 101 + id, cell: id }));
    const made = compute(new Run(), many);
    const options = { first: '3@103', second: '4@104' };
    expect(text(made, options)).toBeUndefined();
    expect(compareComputations.options?.[0].found?.(made)).toHaveLength(50);
    expect(compareComputations.options?.[0].labelOf?.(made, '3@103')).toBe('#3 [3] total.compute()');
  });

  it('are not those of another scheduler with the same numbers', () => {
    const gone = 'A chosen computation is not there any more.';
    expect(text(run(), { first: '0@100', second: '1@200' })).toBeUndefined();
    expect(text(run(), { first: '0@99', second: '1@200' })).toBe(gone);
    expect(text(run(), { first: 'before', second: '7@1' })).toBe(gone);
    expect(text(run(), { first: 'before', second: '0@100' })).toBe('No two computations to compare.');
    expect(compareComputations.options?.[1].labelOf?.(run(), '7@1')).toBe('#7');
    // As layouts of earlier versions have it.
    expect(text(run(), { first: '0', second: '1' })).toBeUndefined();
  });
});
