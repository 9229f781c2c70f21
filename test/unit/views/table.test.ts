import { readFileSync } from 'node:fs';
// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { formatCount, formatDuration, setNumberLocale } from '../../../src/base/format';
import { errors } from '../../../src/plots/diagnosis/errors';
import { progress } from '../../../src/plots/tasks/progress';
import { workers } from '../../../src/plots/workers/workers';
import type { CellPlace, Plot, TablePlot, TableRow } from '../../../src/plot/plot';
import { tabSeparated } from '../../../src/plot/csv';
import type { Subject } from '../../../src/plot/tooltip';
import type { Run } from '../../../src/run/run';
import { selectionOf } from '../../../src/run/selection/selection';
import { differenceCell } from '../../../src/selectors/compare/difference';
import { createTableView } from '../../../src/views';
import type { View, ViewHost } from '../../../src/views/view';
import { bringColumn } from '../../../src/views/table/in-view';
import { countWords, search } from '../../../src/views/table/row-order';
import { cluster, context, step, theme, type Worker } from '../plots/cluster';

const cpus = (values: readonly number[], more: Worker = {}): Worker[] =>
  values.map((cpu, i) => ({ name: `w${i}`, cpu, ...more }));

let views: View[] = [];
let saved: Record<string, unknown>[] = [];

async function show(run: Run, change: Partial<ViewHost> = {}, plot: Plot = workers): Promise<View> {
  const host: ViewHost = {
    run,
    feed: null,
    trans: context().trans,
    context: context(),
    saved: {},
    save: state => saved.push(state),
    open: () => undefined,
    ...change
  };
  const view = await createTableView(plot, host);
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

const rows = (view: View): string[] =>
  [...view.node.querySelectorAll('.dp-Table-body [role="row"]')].map(row => row.firstElementChild?.textContent ?? '');
const head = (view: View, id: string): HTMLElement => view.node.querySelector(`[data-column="${id}"]`)!;
const grid = (view: View): HTMLElement => view.node.querySelector('[role="grid"]')!;
const press = (view: View, key: string, ctrlKey = false): void => {
  grid(view).dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true }));
  vi.advanceTimersByTime(50);
};

beforeEach(() => {
  setNumberLocale('en');
  vi.useFakeTimers();
  saved = [];
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

describe('columns that are not in view', () => {
  /** Ten columns of 100 px, the last of 1,000 px, in 400 px. */
  const scrolled = (column: number, scrollLeft: number): number => {
    const made = Array.from({ length: 10 }, (_, i) => {
      const head = document.createElement('div');
      Object.defineProperty(head, 'offsetLeft', { value: 100 * i });
      Object.defineProperty(head, 'offsetWidth', { value: i === 9 ? 1000 : 100 });
      return head;
    });
    const [scroller, heads] = [document.createElement('div'), document.createElement('div')];
    heads.append(...made);
    Object.defineProperty(scroller, 'clientWidth', { value: 400 });
    scroller.scrollLeft = scrollLeft;
    bringColumn(scroller, heads, column);
    return scroller.scrollLeft;
  };

  it('come into view as a whole beside the first one, or with their beginning', () => {
    expect(scrolled(2, 0)).toBe(0);
    expect(scrolled(5, 0)).toBe(200);
    expect(scrolled(2, 500)).toBe(100);
    expect(scrolled(9, 0)).toBe(800);
    expect(scrolled(0, 800)).toBe(0);
    // A part of a long line is read.
    expect(scrolled(9, 1200)).toBe(1200);
    expect(scrolled(9, 1550)).toBe(800);
  });

  it('come back with every arrow key; the first column is always in view, and a way along the row leads to the left edge', async () => {
    const view = await show(cluster({ workers: cpus([5, 100]) }));
    const scroller = view.node.querySelector<HTMLElement>('.dp-Table-scroll')!;
    Object.defineProperty(scroller, 'clientWidth', { value: 400 });
    const scrolledBy = (key: string, from: number): number => {
      for (const [i, node] of view.node.querySelectorAll('[role="columnheader"]').entries()) {
        Object.defineProperty(node, 'offsetWidth', { configurable: true, value: 100 });
        Object.defineProperty(node, 'offsetLeft', { configurable: true, value: 100 * i });
      }
      scroller.scrollLeft = from;
      press(view, key);
      return scroller.scrollLeft;
    };
    expect(scrolledBy('ArrowDown', 700)).toBe(700);
    expect(scrolledBy('Home', 700)).toBe(0);
    for (let i = 0; i < 3; i++) {
      press(view, 'ArrowRight');
    }
    expect(scrolledBy('ArrowDown', 700)).toBe(200);
    expect(scrolledBy('ArrowUp', 0)).toBe(0);
    expect(scrolledBy('PageDown', 700)).toBe(200);
    press(view, 'End');
    expect(scrolledBy('End', 0)).toBeGreaterThan(1000);
  });

  it('stay where they are when a row is clicked', async () => {
    const view = await show(cluster({ workers: cpus([5, 100]) }));
    const scroller = view.node.querySelector<HTMLElement>('.dp-Table-scroll')!;
    const last = view.node.querySelector('.dp-Table-body [role="row"]')!.lastElementChild!;
    for (const node of view.node.querySelectorAll('[role="columnheader"]')) {
      Object.defineProperty(node, 'offsetWidth', { value: 100 });
      Object.defineProperty(node, 'offsetLeft', {
        value: node === view.node.querySelector('.dp-Table-heads')!.lastElementChild ? 900 : 0
      });
    }
    const brought = vi.fn();
    Element.prototype.scrollIntoView = brought;
    last.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    vi.advanceTimersByTime(50);
    expect([last.getAttribute('data-active'), scroller.scrollLeft]).toEqual(['true', 0]);
    expect(brought).not.toHaveBeenCalled();
  });
});

describe('a narrow table', () => {
  const plot = {
    ...workers,
    table: (run: Run) => {
      const { columns, rows } = workers.table(run, context());
      return { columns: columns.map(column => (column.id === 'cpu' ? { ...column, from: 400 } : column)), rows };
    }
  };
  const ids = (view: View): string[] =>
    [...view.node.querySelectorAll<HTMLElement>('[role="columnheader"]')].map(({ dataset }) => dataset.column ?? '');

  it('leaves out columns that others go before; cells, order and the copy stay right', async () => {
    const view = await show(cluster({ workers: cpus([5, 100]) }), { saved: { sort: 'name', descending: true } }, plot);
    const all = ids(view);
    view.resize(300, 200);
    vi.advanceTimersByTime(600);
    expect(ids(view)).toEqual(all.filter(id => id !== 'cpu'));
    const cells = [...view.node.querySelectorAll('.dp-Table-body [role="row"]')].map(row => row.childElementCount);
    expect(cells).toEqual([all.length - 1, all.length - 1]);
    expect(rows(view)).toEqual(['w1', 'w0']);
    expect(head(view, 'name').textContent).toContain('▾');
    const setData = vi.fn();
    const copy = Object.assign(new Event('copy', { bubbles: true }), { clipboardData: { setData } });
    grid(view).dispatchEvent(copy);
    expect(setData.mock.calls[0][1].split('\n')[0].split('\t')).toHaveLength(all.length);
    view.resize(500, 200);
    vi.advanceTimersByTime(600);
    expect(ids(view)).toEqual(all);
  });

  it('keeps the column by which it is sorted', async () => {
    const view = await show(cluster({ workers: cpus([5, 100]) }), { saved: { sort: 'cpu', descending: true } }, plot);
    const all = ids(view);
    view.resize(300, 200);
    vi.advanceTimersByTime(600);
    expect([ids(view), head(view, 'cpu').getAttribute('aria-sort')]).toEqual([all, 'descending']);
    head(view, 'name').click();
    vi.advanceTimersByTime(50);
    expect(ids(view)).toEqual(all.filter(id => id !== 'cpu'));
  });

  it('writes the cells of the rows in view only, as a wide one', async () => {
    const written = new Set<string>();
    const counted = {
      ...plot,
      table: (run: Run) => {
        const { columns, rows } = plot.table(run);
        const row = ({ id, cells }: TableRow): TableRow => ({
          id,
          get cells() {
            written.add(id);
            return cells;
          }
        });
        return { columns, rows: rows.map(row) };
      }
    };
    const view = await show(cluster({ workers: cpus(Array.from({ length: 200 }, (_, i) => i)) }), {}, counted);
    written.clear();
    view.resize(300, 200);
    vi.advanceTimersByTime(600);
    expect(ids(view)).not.toContain('cpu');
    expect(written.size).toBe(rows(view).length);
  });

  it('keeps the column of the active cell, or goes to the nearest one that is shown', async () => {
    const view = await show(cluster({ workers: cpus([5, 100]) }), {}, plot);
    const [all, at] = [ids(view), ids(view).indexOf('cpu')];
    const active = (): HTMLElement | null => document.getElementById(grid(view).getAttribute('aria-activedescendant')!);
    const resize = (width: number): void => {
      view.resize(width, 200);
      vi.advanceTimersByTime(600);
    };
    // Behind the column that is left out: the same one.
    for (let i = 0; i <= at; i++) {
      press(view, 'ArrowRight');
    }
    resize(300);
    expect(active()?.dataset).toMatchObject({ column: all[at + 1], active: 'true' });
    press(view, 'ArrowLeft');
    expect(active()?.dataset.column).toBe(all[at - 1]);
    press(view, 'End');
    press(view, 'ArrowRight');
    press(view, 'ArrowDown');
    const last = view.node.querySelector('.dp-Table-body [role="row"]')!.lastElementChild!;
    expect(active()).toBe(last);
    // The places are those in the whole table.
    expect(last.getAttribute('aria-colindex')).toBe(String(all.length));
    expect(grid(view).getAttribute('aria-colcount')).toBe(String(all.length));
    press(view, 'ArrowUp');
    resize(500);
    expect(active()?.dataset.column).toBe(all[all.length - 1]);
    press(view, 'Home');
    for (let i = 0; i < at; i++) {
      press(view, 'ArrowRight');
    }
    expect(active()?.dataset.column).toBe('cpu');
    resize(300);
    expect(active()?.dataset.column).toBe(all[at - 1]);
    press(view, 'Enter');
    expect(saved.map(({ sort }) => sort)).toEqual([all[at - 1]]);
  });

  it('acts on the cell that is seen', async () => {
    const run = cluster({ prefixes: [{ name: 'load', erred: 2, memory: 1 }] });
    const narrow: Plot = {
      ...progress,
      table: (...of) => {
        const { columns, rows } = progress.table(...of);
        return { columns: columns.map((column, i) => (i === 1 ? { ...column, from: 400 } : column)), rows };
      }
    };
    const opened: string[] = [];
    const view = await show(run, { open: id => opened.push(id) }, narrow);
    view.resize(300, 200);
    vi.advanceTimersByTime(600);
    view.node.querySelector<HTMLElement>('.dp-Table-lead')!.click();
    expect(opened).toEqual(['errors']);
  });

  it('has the rows of a long table, which are read when they come into view', async () => {
    const { columns, rows: all } = plot.table(cluster({ workers: cpus([5, 100]) }));
    const long: Plot = {
      ...(plot as TablePlot),
      long: () => ({
        columns,
        count: all.length,
        identity: 'a',
        rows: function* () {
          return { count: all.length, row: i => all[i], key: i => i, fits: () => null };
        },
        ask: () => []
      })
    };
    const view = await show(cluster({ workers: cpus([5, 100]) }), {}, long);
    view.resize(300, 200);
    vi.advanceTimersByTime(600);
    expect(ids(view)).not.toContain('cpu');
    expect(rows(view)).toEqual(['w1', 'w0']);
    const cells = [...view.node.querySelectorAll('.dp-Table-body [role="row"]')].map(row => row.childElementCount);
    expect(cells).toEqual([columns.length - 1, columns.length - 1]);
  });
});

describe('order', () => {
  it('sorts figures from the largest and keeps rows in place when they change', async () => {
    const run = cluster({ workers: cpus([5, 100, 20]) });
    const view = await show(run);
    expect(rows(view)).toEqual(['w0', 'w1', 'w2']);
    head(view, 'cpu').click();
    vi.advanceTimersByTime(50);
    expect(rows(view)).toEqual(['w1', 'w2', 'w0']);
    expect(head(view, 'cpu').getAttribute('aria-sort')).toBe('descending');
    step(run, { workers: cpus([500, 1, 20, 300]) });
    draw(view);
    expect(rows(view)).toEqual(['w1', 'w2', 'w0', 'w3']);
    head(view, 'cpu').click();
    vi.advanceTimersByTime(50);
    expect(rows(view)).toEqual(['w1', 'w2', 'w3', 'w0']);
    expect(saved.at(-1)).toMatchObject({ sort: 'cpu', descending: false });
  });

  it('comes back after a reload, and puts what is unknown last both ways', async () => {
    const run = cluster({ workers: cpus([5, Number.NaN, 20]) });
    const up = await show(run, { saved: { sort: 'cpu', descending: false } });
    expect(rows(up)).toEqual(['w0', 'w2', 'w1']);
    const down = await show(run, { saved: { sort: 'cpu', descending: true } });
    expect(rows(down)).toEqual(['w2', 'w0', 'w1']);
  });

  it('sorts names in natural order', async () => {
    const run = cluster({ workers: ['10', '9', '1'].map(name => ({ name })) });
    const view = await show(run);
    head(view, 'name').click();
    head(view, 'name').click();
    vi.advanceTimersByTime(50);
    expect(rows(view)).toEqual(['10', '9', '1']);
  });
});

describe('a click on a row', () => {
  const cell = (view: View, row: number): HTMLElement =>
    view.node.querySelectorAll<HTMLElement>('.dp-Table-body [role="row"]')[row].querySelector('[role="gridcell"]')!;
  const click = (view: View, row: number, init: MouseEventInit = {}): void => {
    cell(view, row).dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1, ...init }));
    vi.advanceTimersByTime(50);
  };
  const dimmed = (view: View): (string | undefined)[] =>
    [...view.node.querySelectorAll<HTMLElement>('.dp-Table-body [role="row"]')].map(row => row.dataset.dimmed);

  it('selects its worker and dims the others, a second one nothing', async () => {
    const run = cluster({ workers: cpus([5, 100, 20]) });
    const view = await show(run);
    const [first, second] = run.workerNames.map(({ address }) => address);
    click(view, 1);
    expect(selectionOf(run).current.workers).toEqual([second]);
    expect(dimmed(view)).toEqual(['true', 'false', 'true']);
    click(view, 0, { ctrlKey: true });
    expect(selectionOf(run).current.workers).toEqual([second, first]);
    click(view, 0, { metaKey: true });
    click(view, 1);
    expect(selectionOf(run).current.workers).toBeNull();
    expect(dimmed(view)).toEqual(['false', 'false', 'false']);
  });

  it('is saved with the order of the table, and comes back with the table', async () => {
    const view = await show(cluster({ workers: cpus([5, 100]) }));
    head(view, 'cpu').click();
    vi.advanceTimersByTime(50);
    click(view, 0);
    const kept = saved.at(-1) as ViewHost['saved'];
    expect(kept).toMatchObject({ sort: 'cpu', selection: expect.stringContaining('workers') });
    const later = cluster({ workers: cpus([5, 100]) });
    const again = await show(later, { saved: kept });
    expect(selectionOf(later).current.workers).toEqual([later.workerNames[1].address]);
    expect([rows(again)[0], dimmed(again)]).toEqual(['w1', ['false', 'true']]);
    // Once: what is cleared stays so.
    selectionOf(later).clear();
    step(later, { workers: cpus([7, 100]) });
    expect(selectionOf(later).current.workers).toBeNull();
  });

  it('and a double click, which opens the details, leaves it selected', async () => {
    const run = cluster({ workers: cpus([5, 100]) });
    const opened: unknown[] = [];
    const view = await show(run, { open: plot => opened.push(plot) });
    for (const before of [false, true]) {
      click(view, 0, { detail: 1 });
      click(view, 0, { detail: 2 });
      cell(view, 0).dispatchEvent(new MouseEvent('dblclick', { bubbles: true }));
      expect([before, selectionOf(run).current.workers]).toEqual([before, [run.workerNames[0].address]]);
    }
    expect(opened).toEqual(['worker', 'worker']);
  });

  it('and a double click marks a word only where it opens nothing', async () => {
    const run = cluster({ workers: cpus([5, 100]), prefixes: [{ name: 'f', memory: 3 }] });
    const marks = async (plot: Plot, detail = 2): Promise<boolean> => {
      const view = await show(run, {}, plot);
      click(view, 0, { detail: 1 });
      return cell(view, 0).dispatchEvent(new MouseEvent('mousedown', { detail, bubbles: true, cancelable: true }));
    };
    expect(await marks(workers)).toBe(false);
    expect(await marks(workers, 1)).toBe(true);
    expect(await marks({ ...(workers as TablePlot), openArgs: () => null })).toBe(true);
    expect(await marks(progress)).toBe(true);
  });

  it('is Space on the keyboard, with Ctrl to add, and Escape clears', async () => {
    const run = cluster({ workers: cpus([5, 100]) });
    const view = await show(run);
    press(view, 'ArrowDown');
    press(view, ' ');
    expect(selectionOf(run).current.workers).toEqual([run.workerNames[0].address]);
    press(view, ' ');
    expect(selectionOf(run).current.workers).toBeNull();
    press(view, ' ');
    press(view, 'ArrowDown');
    press(view, ' ', true);
    expect(selectionOf(run).current.workers).toEqual(run.workerNames.slice(0, 2).map(({ address }) => address));
    press(view, 'Escape');
    expect(selectionOf(run).current.workers).toBeNull();
  });

  it('selects the function of a picture that is shown as a table, by its whole name', async () => {
    const names = ['load', 'two\nlines'];
    const run = cluster({ prefixes: names.map(name => ({ name, memory: 1 })) });
    const view = await show(run, {}, progress);
    const at = rows(view).indexOf('two lines');
    click(view, at);
    expect(selectionOf(run).current.functions).toEqual(['two\nlines']);
    expect(dimmed(view)[1 - at]).toBe('true');
  });

  it('selects nothing where there is nothing to select', async () => {
    const run = cluster({ workers: cpus([5]) });
    const view = await show(run, {}, { ...workers, acts: () => null });
    click(view, 0);
    press(view, ' ');
    expect(selectionOf(run).current.workers).toBeNull();
  });
});

describe('details of a row', () => {
  const failed = (run: Run, rows: readonly (readonly [id: number, last: number])[], feed = 'made-up'): void => {
    const of = (values: readonly number[]): Float64Array => Float64Array.from(values);
    const ids = rows.map(([id]) => id);
    const ones = of(ids.map(() => 1));
    const columns = { id: of(ids), kind: of(ids.map(() => 0)), prefix: ones, count: ones, last: of(rows.map(row => row[1])) };
    const texts = ids.map(id => ({ id, type: `E${id}`, message: '<b>', shape: '', traceback: `trace ${id}`, more: false }));
    const topics = { errors: { columns, scalars: { texts, keys: ids.map(id => [id, `key-${id}`]) } } };
    run.apply({ feed, epoch: 0, seq: 0, time: 1100, cursor: {}, names: {}, topics }, 1_100_000);
  };
  const panel = (view: View): HTMLElement => view.node.querySelector('.dp-Table-detail')!;

  it('are not of a row of another run that has the same number, and that run is sorted by its own figures', async () => {
    const run = cluster({ prefixes: [{ name: 'load', erred: 1 }] });
    failed(run, [
      [1, 1010],
      [2, 1020]
    ]);
    const view = await show(run, {}, errors);
    head(view, 'last').click();
    vi.advanceTimersByTime(50);
    expect(rows(view)).toEqual(['✕E2', '✕E1']);
    view.node.querySelector<HTMLElement>('[role="gridcell"]')?.click();
    vi.advanceTimersByTime(50);
    expect(panel(view).querySelector('pre')?.textContent).toBe('trace 2');
    // The scheduler was restarted.
    failed(
      run,
      [
        [1, 1040],
        [2, 1030]
      ],
      'another'
    );
    draw(view);
    expect(rows(view)).toEqual(['✕E1', '✕E2']);
    expect(panel(view).hidden).toBe(true);
  });

  it('stay with the row while others come, keep their elements, and lead on', async () => {
    const run = cluster({ prefixes: [{ name: 'load', erred: 1 }] });
    failed(run, [[1, 1010]]);
    const opened: unknown[] = [];
    const view = await show(run, { open: (plot, args) => opened.push([plot, args]) }, errors);
    expect(panel(view).hidden).toBe(true);
    view.node.querySelector<HTMLElement>('[role="gridcell"]')?.click();
    vi.advanceTimersByTime(50);
    expect(panel(view).hidden).toBe(false);
    expect(panel(view).querySelector('pre')?.textContent).toBe('trace 1');
    expect(selectionOf(run).current).toMatchObject({ functions: ['load'], erred: true });
    const button = panel(view).querySelector<HTMLElement>('.dp-Table-links button');
    // A later failure is the first row now.
    failed(run, [[2, 1020]]);
    draw(view);
    expect(rows(view)).toEqual(['✕E2', '✕E1']);
    expect(panel(view).querySelector('pre')?.textContent).toBe('trace 1');
    expect(panel(view).querySelector('.dp-Table-links button')).toBe(button);
    button?.click();
    press(view, 'ArrowUp');
    press(view, 'Enter');
    expect(opened).toEqual([
      ['task', { key: 'key-1' }],
      ['task', { key: 'key-2' }]
    ]);
    panel(view).querySelector<HTMLElement>('.dp-Table-close')?.click();
    vi.advanceTimersByTime(50);
    expect(panel(view).hidden).toBe(true);
    expect(view.node.querySelector('b')).toBeNull();
  });

  it('take the room of the table by a click, until they are closed', async () => {
    const run = cluster({ prefixes: [{ name: 'load', erred: 1 }] });
    failed(run, [[1, 1010]]);
    const view = await show(run, {}, errors);
    const open = (): void => {
      view.node.querySelector<HTMLElement>('[role="gridcell"]')?.click();
      vi.advanceTimersByTime(50);
    };
    const whole = (): HTMLElement => panel(view).querySelector('.dp-Table-whole')!;
    const state = (): unknown[] => [panel(view).dataset.whole, whole().getAttribute('aria-expanded'), whole().title];
    open();
    expect(state()).toEqual(['false', 'false', 'Show only these details']);
    whole().click();
    expect(state()).toEqual(['true', 'true', 'Show the table, too']);
    panel(view).querySelector<HTMLElement>('.dp-Table-close')?.click();
    vi.advanceTimersByTime(50);
    open();
    expect(state()[0]).toBe('false');
  });

  it('do not cover their row, and leave the rows where the user has scrolled to', async () => {
    const run = cluster({ prefixes: [{ name: 'load', erred: 1 }] });
    const failures = Array.from({ length: 40 }, (_, i): [number, number] => [i, 1010 + i]);
    failed(run, failures);
    let text = '';
    const plot: TablePlot = {
      ...errors,
      detail: (...of) => {
        const found = errors.detail?.(...of) ?? null;
        return found && { ...found, text };
      }
    };
    const view = await show(run, {}, plot);
    const scroller = view.node.querySelector<HTMLElement>('.dp-Table-scroll')!;
    const room = (): number => (panel(view).hidden ? 200 : panel(view).querySelector('pre') === null ? 100 : 80);
    Object.defineProperty(scroller, 'clientHeight', { get: room });
    const click = (row: number): number => {
      view.node.querySelectorAll<HTMLElement>('.dp-Table-body [role="row"]')[row].querySelector<HTMLElement>('bdi')?.click();
      vi.advanceTimersByTime(50);
      return scroller.scrollTop;
    };
    // Below the header, all of rows 0 to 2 is beside the panel.
    expect(click(2)).toBe(0);
    panel(view).querySelector<HTMLElement>('.dp-Table-close')?.click();
    vi.advanceTimersByTime(50);
    expect(click(5)).toBe(7 * 24 - 100);
    // The rest of them arrives.
    text = 'trace';
    draw(view);
    expect(scroller.scrollTop).toBe(7 * 24 - 80);
    scroller.scrollTop = 300;
    text = '';
    draw(view);
    text = 'trace';
    draw(view);
    expect(scroller.scrollTop).toBe(300);
  });

  it('keep the focus on what they offer when a figure changes, such as how often an error came', async () => {
    const run = cluster({ prefixes: [{ name: 'load', erred: 1 }] });
    failed(run, [[1, 1010]]);
    let times = 1;
    const plot: TablePlot = {
      ...errors,
      detail: (...of) => {
        const found = errors.detail?.(...of) ?? null;
        return found && { ...found, facts: [['Times', `${times} times`]] };
      }
    };
    const view = await show(run, {}, plot);
    view.node.querySelector<HTMLElement>('[role="gridcell"]')?.click();
    vi.advanceTimersByTime(50);
    const link = (): HTMLElement => panel(view).querySelector<HTMLElement>('.dp-Table-links button')!;
    link().focus();
    times = 2;
    draw(view);
    expect(panel(view).textContent).toContain('2 times');
    expect(document.activeElement).toBe(link());
  });

  it('are opened by a cell that leads to another plot, by click and by Space', async () => {
    const run = cluster({ prefixes: [{ name: 'load', erred: 2, memory: 1 }] });
    const opened: unknown[] = [];
    const view = await show(run, { open: (plot, args) => opened.push([plot, args.function]) }, progress);
    const link = [...view.node.querySelectorAll<HTMLElement>('.dp-Table-lead')];
    // Of the newest run, and of all.
    expect(link.map(({ textContent }) => textContent)).toEqual(['2', '2']);
    link[0].click();
    press(view, ' ');
    expect(opened).toEqual([
      ['errors', 'load'],
      ['errors', 'load']
    ]);
  });

  it('lead nowhere in a recording, where no scheduler answers', async () => {
    const run = cluster({ prefixes: [{ name: 'load', erred: 1 }] });
    failed(run, [[1, 1010]]);
    const opened: unknown[] = [];
    const feed = { state: { status: 'recorded' } } as unknown as ViewHost['feed'];
    const view = await show(run, { feed, open: plot => opened.push(plot) }, errors);
    view.node.querySelector<HTMLElement>('[role="gridcell"]')?.click();
    vi.advanceTimersByTime(50);
    expect(panel(view).querySelector('pre')?.textContent).toBe('trace 1');
    expect(panel(view).querySelector('.dp-Table-links')).toBeNull();
    press(view, 'Enter');
    expect(opened).toEqual([]);
  });
});

describe('the view', () => {
  it('has only rows in view as elements, and says how many there are', async () => {
    const run = cluster({ workers: cpus(Array.from({ length: 1000 }, (_, i) => i)) });
    const view = await show(run);
    expect(rows(view).length).toBeLessThan(30);
    expect(grid(view).getAttribute('aria-rowcount')).toBe('1001');
    const scroller = view.node.querySelector('.dp-Table-scroll')!;
    scroller.scrollTop = 500 * 24;
    scroller.dispatchEvent(new Event('scroll'));
    vi.advanceTimersByTime(50);
    expect(rows(view)).toContain('w500');
    expect(rows(view)).not.toContain('w0');
    expect(rows(view).length).toBeLessThan(30);
  });

  it('names no active cell that has no element', async () => {
    const view = await show(cluster({ workers: cpus(Array.from({ length: 1000 }, (_, i) => i)) }));
    const active = (): string | undefined =>
      document.getElementById(grid(view).getAttribute('aria-activedescendant') ?? '')?.textContent ?? undefined;
    press(view, 'ArrowDown');
    expect(active()).toBe('w0');
    const scroller = view.node.querySelector('.dp-Table-scroll')!;
    for (const [top, name] of [
      [500 * 24, undefined],
      [0, 'w0']
    ] as const) {
      scroller.scrollTop = top;
      scroller.dispatchEvent(new Event('scroll'));
      vi.advanceTimersByTime(50);
      expect(active()).toBe(name);
      expect(grid(view).getAttribute('aria-activedescendant') === '').toBe(name === undefined);
    }
  });

  it('shows the last of more rows than a browser lays out', async () => {
    const names = Array.from({ length: 800_000 }, (_, i) => ({ id: String(i), cells: [{ text: `w${i}`, value: i }] }));
    const columns = [{ id: 'name', label: 'Name', align: 'left' }] as const;
    const plot = { ...errors, table: () => ({ columns, rows: names }), detail: undefined } as unknown as TablePlot;
    const view = await show(cluster({ prefixes: [{ name: 'load', erred: 1 }] }), {}, plot);
    const scroller = view.node.querySelector<HTMLElement>('.dp-Table-scroll')!;
    Object.defineProperty(scroller, 'clientHeight', { value: 200 });
    const heights = [...scroller.querySelectorAll<HTMLElement>('[role="grid"] > [aria-hidden]')].map(
      ({ style }) => Number.parseFloat(style.height) || 0
    );
    const height = heights.reduce((sum, each) => sum + each, 24 * rows(view).length);
    expect(height).toBeLessThan(17_000_000);
    scroller.scrollTop = height + 24 - 200;
    scroller.dispatchEvent(new Event('scroll'));
    vi.advanceTimersByTime(50);
    expect(rows(view).at(-1)).toBe('w799999');
  });

  it('is scrolled by the user only: browsers would follow an element whose row has become another one, without end', () => {
    const [rule] = /^\.dp-Table-scroll \{[^}]*\}/m.exec(readFileSync('style/views.css', 'utf8')) ?? [];
    expect(rule).toContain('overflow-anchor: none;');
  });

  it('has a sign where columns at the right are not in view', async () => {
    const view = await show(cluster({ workers: cpus([1]) }));
    const scroller = view.node.querySelector<HTMLElement>('.dp-Table-scroll')!;
    expect(scroller.querySelector('.dp-Table-more')?.getAttribute('aria-hidden')).toBe('true');
    const shown = (clientWidth: number, scrollWidth: number, scrollLeft: number): string | undefined => {
      for (const [name, value] of Object.entries({ clientWidth, scrollWidth, scrollLeft })) {
        Object.defineProperty(scroller, name, { configurable: true, value });
      }
      scroller.dispatchEvent(new Event('scroll'));
      vi.advanceTimersByTime(50);
      return scroller.dataset.more;
    };
    expect(shown(300, 300, 0)).toBe('false');
    expect(shown(300, 800, 0)).toBe('true');
    expect(shown(300, 800, 250)).toBe('true');
    expect(shown(300, 800, 499.5)).toBe('false');
  });

  it('keeps the names in view only where it may be scrolled to the side: each that is kept is a layer', async () => {
    const view = await show(cluster({ workers: cpus([1]) }));
    const scroller = view.node.querySelector<HTMLElement>('.dp-Table-scroll')!;
    expect(scroller.dataset.scrolled).toBe('false');
    Object.defineProperty(scroller, 'scrollLeft', { configurable: true, value: 40 });
    scroller.dispatchEvent(new Event('scroll'));
    vi.advanceTimersByTime(50);
    expect(scroller.dataset.scrolled).toBe('true');
    const sheet = readFileSync('style/views.css', 'utf8');
    const [selector] = /^.*:first-child \{(?=[^}]*position: sticky)/m.exec(sheet) ?? [];
    expect(selector).toContain('.dp-Table-scroll:is(:hover, :focus-within, [data-scrolled="true"])');
  });

  it('clips texts, but not figures, for which their columns have room', async () => {
    const view = await show(cluster({ workers: cpus([1]) }));
    const clipped = [...view.node.querySelectorAll<HTMLElement>('.dp-Table-cell')].map(cell => [
      cell.dataset.align,
      cell.querySelector('.dp-Table-figure') === null
    ]);
    expect(clipped.length).toBeGreaterThan(2);
    expect(clipped.filter(([align, cut]) => cut !== (align === 'left'))).toEqual([]);
  });

  it('shows hostile text as text', async () => {
    const hostile = '<img src=x onerror=alert(1)>';
    const run = cluster({ workers: [{ name: hostile }], user: [[0, { [hostile]: hostile }]] });
    const view = await show(run);
    expect(view.node.querySelector('img')).toBeNull();
    expect(rows(view)).toEqual([hostile]);
    expect(view.node.textContent?.split(hostile).length).toBe(4);
  });

  it('finds rows by any of their texts', async () => {
    const run = cluster({ workers: [{ name: 'alpha' }, { name: 'beta', status: 'paused' }] });
    const view = await show(run);
    const box = view.node.querySelector('input')!;
    box.value = 'PAUS';
    box.dispatchEvent(new Event('input'));
    vi.advanceTimersByTime(50);
    expect(rows(view)).toEqual(['beta']);
    expect(view.node.textContent).toContain('1 of 2 rows');
  });

  it('stands still while paused, and can be sorted then', async () => {
    const run = cluster({ time: 7, workers: cpus([5, 100]) });
    const view = await show(run);
    view.setPaused(true);
    step(run, { time: 9, workers: cpus([500, 1, 7]) });
    head(view, 'cpu').click();
    draw(view);
    expect(rows(view)).toEqual(['w1', 'w0']);
    expect(view.shownAt).toBe(7);
    view.setPaused(false);
    draw(view);
    expect(rows(view)).toEqual(['w1', 'w0', 'w2']);
    expect(view.shownAt).toBeNaN();
  });

  it('draws nothing while hidden or after its end', async () => {
    const run = cluster({ workers: cpus([5]) });
    const view = await show(run);
    view.setVisible(false);
    step(run, { workers: cpus([5, 6]) });
    draw(view);
    expect(rows(view)).toEqual(['w0']);
    view.setVisible(true);
    vi.advanceTimersByTime(50);
    expect(rows(view)).toEqual(['w0', 'w1']);
    view.dispose();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('walks cells by arrows and sorts from the head', async () => {
    const run = cluster({ workers: cpus([5, 100]) });
    const view = await show(run);
    for (let i = 0; i < 4; i++) {
      press(view, 'ArrowRight');
    }
    press(view, 'Enter');
    expect(rows(view)).toEqual(['w1', 'w0']);
    press(view, 'ArrowDown');
    const active = document.getElementById(grid(view).getAttribute('aria-activedescendant')!);
    expect(active?.textContent).toBe('100 %');
    expect(active?.getAttribute('role')).toBe('gridcell');
  });
});

it('gives the clipboard what the table shows, one line a row', () => {
  const data = workers.table(cluster({ workers: [{ name: 'a\tb' }, { name: 'c' }] }), context());
  const lines = tabSeparated({ columns: data.columns, rows: search(data.rows, '') }).split('\n');
  expect(lines).toHaveLength(3);
  expect(lines[0].split('\t').slice(0, 2)).toEqual(['Worker', 'Status']);
  expect(lines.map(line => line.split('\t').length)).toEqual([25, 25, 25]);
});

it('gives the clipboard nothing that a spreadsheet would compute', () => {
  const columns = [{ id: 'a', label: 'A', align: 'left' as const }];
  const rows = [
    { id: '0', cells: [{ text: '=1+1', value: '=1+1' }] },
    { id: '1', cells: [{ text: '-3', value: -3 }] },
    // The sign of a figure with a unit begins a formula, too; a number stays one.
    ...[
      [1, 3],
      [1.5, 3.6]
    ].map(([a, b], i) => ({ id: `f${i}`, cells: [differenceCell(a, b, i === 0 ? formatCount : formatDuration)] })),
    { id: '2', cells: [{ text: '+1,204', value: 1204 }] }
  ];
  expect(tabSeparated({ columns, rows })).toBe("A\n'=1+1\n-3\n'+2 (+200 %)\n'+2.10 s (+140 %)\n+1,204");
});

describe('rows that stand for a part of the run', () => {
  const period = { from: 1, to: 2 };
  const first: Plot = { ...workers, view: 'table', selects: (_, row) => (row === '0' ? { period } : null), opens: 'task-stream' };

  it('are selected by a click and opened by Enter or a double click', async () => {
    const run = cluster({ workers: cpus([5, 100]) });
    const opened: string[] = [];
    const view = await show(run, { open: plot => opened.push(plot) }, first);
    const cells = view.node.querySelectorAll<HTMLElement>('[role="gridcell"]');
    cells[0].click();
    expect(selectionOf(run).current.period).toEqual(period);
    expect(opened).toEqual([]);
    press(view, 'Enter');
    cells[0].dispatchEvent(new MouseEvent('dblclick', { bubbles: true }));
    expect(opened).toEqual(['task-stream', 'task-stream']);
    // A row that stands for nothing leaves the selection as it is.
    press(view, 'ArrowDown');
    press(view, 'Enter');
    expect(selectionOf(run).current.period).toEqual(period);
  });

  it('lead to the cell of a notebook by a click on the text or by Space, where there is a notebook', async () => {
    const run = cluster({ workers: cpus([10, 20]) });
    const place = { cellId: 'a', shown: 3, source: '' };
    const leading: Plot = {
      ...(workers as TablePlot),
      table: (run, context) => {
        const data = workers.table(run, context);
        return { ...data, rows: data.rows.map(row => ({ ...row, cells: row.cells.map((c, i) => ({ ...c, leads: i === 0 })) })) };
      },
      leads: (_, row) => (row === '0' ? place : null)
    };
    const led: CellPlace[] = [];
    const view = await show(run, { lead: found => led.push(found) }, leading);
    const text = (): HTMLElement | null => view.node.querySelector('[data-row="0"] .dp-Table-lead');
    text()?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    expect(led).toEqual([place]);
    press(view, ' ');
    expect(led).toEqual([place, place]);
    view.node.querySelector<HTMLElement>('[data-row="1"] .dp-Table-lead')?.click();
    expect(led).toHaveLength(2);
    // In a report.
    const still = await show(run, {}, leading);
    expect(still.node.querySelector('.dp-Table-lead')).toBeNull();
  });

  it('are only rows in other tables', async () => {
    const run = cluster({ prefixes: [{ name: 'load', memory: 1 }] });
    const opened: string[] = [];
    const view = await show(run, { open: plot => opened.push(plot) }, progress);
    view.node.querySelector<HTMLElement>('[role="gridcell"]')!.click();
    press(view, 'Enter');
    expect(selectionOf(run).current.period).toBeNull();
    expect(opened).toEqual([]);
  });
});

describe('what a table says of its rows', () => {
  const { trans } = context();
  const rows = [1, 2, 3].map(id => ({ id: String(id), cells: [] }));

  it('is nothing where all are shown, else how many are found, and that older ones are left out', () => {
    expect(countWords(3, { columns: [], rows }, trans)).toBe('');
    expect(countWords(3, { columns: [], rows, total: 3 }, trans)).toBe('');
    expect(countWords(1, { columns: [], rows }, trans)).toBe('1 of 3 rows');
    expect(countWords(3, { columns: [], rows, total: 1_234_567 }, trans)).toBe('the newest 3 of 1.23 M rows');
    expect(countWords(0, { columns: [], rows, total: 5 }, trans)).toBe('0 of 3 rows · the newest 3 of 5 rows');
    expect(countWords(0, { columns: [], rows: rows.slice(0, 1) }, trans)).toBe('0 of 1 row');
  });
});

it('tells screen readers what a search finds, not each time that rows come', async () => {
  const run = cluster({ workers: cpus([5, 100, 20]) });
  const view = await show(run);
  const found = (): HTMLElement => view.node.querySelector('.dp-Table-found')!;
  const spoken = (): string => view.node.querySelector('.dp-Table-tools [aria-live]')?.textContent ?? '';
  const seek = (text: string): void => {
    const box = view.node.querySelector<HTMLInputElement>('input')!;
    box.value = text;
    box.dispatchEvent(new Event('input'));
    vi.advanceTimersByTime(50);
  };
  seek('w1');
  expect([found().textContent, spoken()]).toEqual(['1 of 3 rows', '1 of 3 rows']);
  step(run, { time: 1001, workers: cpus([5, 100, 20, 30]) });
  draw(view);
  expect([found().textContent, spoken()]).toEqual(['1 of 4 rows', '1 of 3 rows']);
  expect(found().closest('[aria-live]')).toBeNull();
  seek('w');
  seek('w2');
  expect(spoken()).toBe('1 of 4 rows');
});

describe('actions on a row', () => {
  const ACTION = { label: 'Retire worker…', refusal: '', run: () => undefined };
  const actions = () => ({ of: () => [ACTION], open: vi.fn((_: Subject) => true) });
  const button = (view: View): HTMLElement => view.node.querySelector('.dp-Table-actions')!;
  const menuAt = (target: Element, shiftKey = false): MouseEvent => {
    const event = new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: 5, clientY: 7, shiftKey });
    target.dispatchEvent(event);
    return event;
  };

  it('are in the context menu of the row, by pointer and keyboard, and behind a button that stays', async () => {
    const given = actions();
    const view = await show(cluster({ workers: cpus([1, 2, 3]) }), { actions: given });
    const kept = button(view);
    expect(kept.getAttribute('aria-disabled')).toBe('true');
    kept.click();
    expect(given.open).not.toHaveBeenCalled();
    const cell = view.node.querySelectorAll('.dp-Table-body [role="row"]')[1].firstElementChild!;
    expect(menuAt(cell, true).defaultPrevented).toBe(false);
    expect(given.open).not.toHaveBeenCalled();
    expect(menuAt(cell).defaultPrevented).toBe(true);
    const worker = { kind: 'worker', name: 'w1', address: expect.any(String) };
    expect(given.open).toHaveBeenLastCalledWith(worker, grid(view), expect.objectContaining({ clientX: 5 }));
    press(view, 'ArrowDown');
    menuAt(grid(view));
    expect(given.open.mock.lastCall?.[0]).toMatchObject({ name: 'w2' });
    draw(view);
    expect(button(view)).toBe(kept);
    expect(kept.getAttribute('aria-disabled')).toBe('false');
    kept.click();
    expect(given.open.mock.lastCall?.[0]).toMatchObject({ name: 'w2' });
  });

  it('are none of a chosen row that there are none of, and the button says so', async () => {
    const view = await show(cluster({ workers: cpus([1]) }), { actions: actions() }, { ...workers, acts: () => null });
    expect(button(view).title).toBe('Choose a row first: click it');
    press(view, 'ArrowDown');
    expect([button(view).title, button(view).getAttribute('aria-disabled')]).toEqual([
      'There are no actions on this row',
      'true'
    ]);
  });

  it('are none while there is nothing to do, as on a run that has ended: a right click is left to the browser', async () => {
    let ended = false;
    const given = { of: () => (ended ? [] : [ACTION]), open: vi.fn(() => !ended) };
    const view = await show(cluster({ workers: cpus([1]) }), { actions: given });
    press(view, 'ArrowDown');
    expect(button(view).getAttribute('aria-disabled')).toBe('false');
    ended = true;
    draw(view);
    expect([button(view).title, button(view).getAttribute('aria-disabled')]).toEqual([
      'There are no actions on this row',
      'true'
    ]);
    expect(menuAt(grid(view)).defaultPrevented).toBe(false);
  });

  const find = (view: View, text: string): void => {
    const box = view.node.querySelector<HTMLInputElement>('.dp-Table-search')!;
    box.value = text;
    box.dispatchEvent(new Event('input'));
    vi.advanceTimersByTime(50);
  };

  it('are about the row that was chosen: not about another one at its place after a sort or a search', async () => {
    const given = actions();
    const run = cluster({ workers: cpus([1, 2, 3]) });
    const view = await show(run, { actions: given });
    const act = (): unknown => {
      given.open.mockClear();
      button(view).click();
      return given.open.mock.lastCall?.[0];
    };
    press(view, 'ArrowDown');
    press(view, 'ArrowDown');
    expect(act()).toMatchObject({ name: 'w1' });
    head(view, 'cpu').click();
    vi.advanceTimersByTime(50);
    head(view, 'cpu').click();
    vi.advanceTimersByTime(50);
    expect(rows(view)).toEqual(['w0', 'w1', 'w2']);
    expect(act()).toMatchObject({ name: 'w1' });
    find(view, 'w1');
    expect(rows(view)).toEqual(['w1']);
    expect(act()).toMatchObject({ name: 'w1' });
    find(view, 'w2');
    expect(rows(view)).toEqual(['w2']);
    expect(act()).toBeUndefined();
    expect(button(view).getAttribute('aria-disabled')).toBe('true');
    press(view, 'ArrowUp');
    press(view, 'ArrowDown');
    expect(act()).toMatchObject({ name: 'w2' });
  });

  it('are not offered in a report, nor by tables whose rows have none', async () => {
    const run = cluster({ workers: cpus([1]) });
    expect(button(await show(run)).hidden).toBe(true);
    const { acts: _, ...without } = workers;
    expect(button(await show(run, { actions: actions() }, without)).hidden).toBe(true);
    const view = await show(run);
    expect(menuAt(view.node.querySelector('[role="gridcell"]')!).defaultPrevented).toBe(false);
  });
});
