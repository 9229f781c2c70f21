// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import type { LongRows, PlotContext, TableRow } from '../../../src/plot/plot';
import { localTasks } from '../../../src/plots/local/tasks';
import { taskStream } from '../../../src/plots/tasks/task-stream';
import type { Run } from '../../../src/run/run';
import { selectionOf } from '../../../src/run/selection/selection';
import { createTableView } from '../../../src/views';
import type { ViewHost } from '../../../src/views/view';
import { type Row, runningBody, type RunningRow, tasksBody } from '../run/synthetic';
import { cluster, context, theme } from './cluster';

beforeEach(() => {
  setNumberLocale('en');
  vi.useFakeTimers();
});
afterEach(() => {
  // The frame loop is that of all tests, and waits for a frame that it has asked for.
  vi.advanceTimersByTime(1000);
  vi.useRealTimers();
  document.body.replaceChildren();
});

/** Executions of which more end than a table of a file has; the longest is an early one. */
const COUNT = 3000;
const LONGEST = 7;

/** Two workers; a task of each runs, that of the second for longer. */
function made(): Run {
  const run = cluster({ workers: [{ name: 'a' }, { name: 'b' }], prefixes: ['load', 'fit'].map(name => ({ name, memory: 1 })) });
  const rows = Array.from({ length: COUNT }, (_, i): Row => {
    return { lane: i % 2, prefix: 0, start: 1000 + i, duration: i === LONGEST ? 500 : 0.5, ...(i === 9 ? { status: 1 } : {}) };
  });
  const running = runningBody([
    { id: 4, worker: 0, prefix: 1, start: 4100, key: 'fit-x' },
    { id: 5, worker: 1, prefix: 1, start: 4000, key: 'fit-y' }
  ]);
  const lanes = [[0, 1] as const, [1, 7] as const];
  const names = { lanes: { from: 0, values: lanes.map(([worker, thread]): [number, number] => [worker, thread]) } };
  const topics = { tasks: tasksBody(rows), running };
  run.apply({ feed: 'made-up', epoch: 0, seq: 1, time: 4200, cursor: {}, names, topics }, 4_200_000);
  return run;
}

function rowsOf(run: Run, shown: PlotContext = context()): LongRows {
  const reading = taskStream.long?.(run, shown).rows();
  let next = reading?.next();
  while (next?.done !== true) {
    next = reading?.next();
  }
  return next.value;
}

const texts = (rows: LongRows, i: number): string[] => rows.row(i).cells.map(({ text }) => text);

describe('the table of a task stream', () => {
  it('has every task that is kept, above them those that run', () => {
    const rows = rowsOf(made());
    expect(rows.count).toBe(COUNT + 2);
    expect(texts(rows, 0)).toEqual(['load', 'finished', '0:00.00', '500 ms', 'a', '0 B', '']);
    expect(texts(rows, 9)[1]).toBe('erred');
    expect(texts(rows, COUNT + 1)).toEqual(['fit', 'running', '50:00.00', '3 m 20 s so far', 'b', '–', 'fit-y']);
    expect([rows.row(5).id, rows.row(COUNT).id]).toEqual(['5', 'running 4 fit-x']);
    expect(taskStream.selects?.(made(), rows.row(COUNT).id)).toEqual({ functions: ['fit'] });
    const found = (text: string): number =>
      Array.from({ length: rows.count }, (_, i) => i).filter(i => rows.fits(text)?.(i)).length;
    expect(['LOAD', 'erred', 'running', 'fit-y', 'nothing'].map(found)).toEqual([COUNT, 1, 2, 1, 0]);
    const sorts = ['function', 'state', 'worker', 'size'].map(column => [rows.key(9, column), rows.key(COUNT + 1, column)]);
    expect(sorts).toEqual([
      [1, 0],
      [1, -1],
      [1, 1],
      [0, Number.NaN]
    ]);
    // Only those that run have keys here.
    expect([9, COUNT, COUNT + 1].map(i => rows.key(i, 'key'))).toEqual([Number.NaN, 0, 1]);
    const another = made();
    const task = { worker: 0, start: 3900, key: 'fit-w' };
    const frame = { feed: 'made-up', epoch: 0, seq: 2, time: 4200, cursor: {}, names: {} };
    another.apply({ ...frame, topics: { running: runningBody([{ id: 6, ...task }]) } }, 0);
    expect([0, 1, 2].map(i => rowsOf(another).key(COUNT + i, 'key'))).toEqual([1, 2, 0]);
  });

  it('does not say of a task that has ended since it was sorted that it runs', () => {
    const run = made();
    const rows = rowsOf(run);
    const apply = (time: number, running: RunningRow[]): void =>
      run.apply({ feed: 'made-up', epoch: 0, seq: 2, time, cursor: {}, names: {}, topics: { running: runningBody(running) } }, 0);
    apply(4300, [{ id: 5, worker: 0, prefix: 0, start: 4300, state: 0 }]);
    expect(texts(rows, COUNT + 1)).toEqual(['fit', 'ended', '50:00.00', '–', 'b', '–', 'fit-y']);
    expect(texts(rows, COUNT).slice(1, 4)).toEqual(['running', '51:40.00', '3 m 20 s so far']);
    // Another task has its number.
    apply(4400, [{ id: 5, worker: 1, prefix: 0, start: 4400, key: 'load-x' }]);
    expect(texts(rows, COUNT + 1)[1]).toBe('ended');
    expect(taskStream.selects?.(run, rows.row(COUNT + 1).id)).toBeNull();
  });

  it('says of a task that runs much longer than others of its function how long these take, and so does the summary', async () => {
    const run = made();
    const running = runningBody([
      { id: 6, worker: 0, prefix: 0, start: 4150, key: 'load-x' },
      { id: 7, worker: 0, prefix: 0, start: 4199.5, key: 'load-y' }
    ]);
    run.apply({ feed: 'made-up', epoch: 0, seq: 2, time: 4200, cursor: {}, names: {}, topics: { running } }, 4_200_000);
    const rows = rowsOf(run);
    const cell = (row: TableRow): unknown => [row.cells[3].text, row.cells[3].tone];
    const shown = (): unknown => [0, 1].map(i => cell(rows.row(COUNT + i)));
    // It is measured once a row was shown.
    expect([shown(), taskStream.summary(run, context())]).toEqual([
      [
        ['500 ms so far', undefined],
        ['50.0 s so far', undefined]
      ],
      expect.not.stringContaining('much longer')
    ]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(shown()).toEqual([
      ['500 ms so far', undefined],
      [expect.stringMatching(/^50\.0 s so far · p95 (499|50\d) ms$/), 'warn']
    ]);
    expect(taskStream.summary(run, context())).toMatch(
      / 1 task runs much longer than nearly all others of its function: load for 50\.0 s, p95 \d+ ms\.$/
    );
    expect(taskStream.table(run, context()).rows.filter(row => row.cells[3].tone === 'warn')).toHaveLength(1);
  });

  it('leaves out what was cleared', () => {
    const run = made();
    const cleared = { run: run.identity, before: 1000 + COUNT, row: COUNT - 10, tasks: COUNT - 10, erred: 0, moves: 0, sums: {} };
    const rows = rowsOf(run, { ...context(), cleared });
    expect([rows.count, rows.row(0).id]).toEqual([12, String(COUNT - 10)]);
    expect(taskStream.long?.(run, { ...context(), cleared }).count).toBe(12);
  });

  it('is that of a moment of a recording', () => {
    const run = made();
    run.tasks = run.tasks.until(1006);
    expect(rowsOf(run).row(5).id).toBe('5');
    expect(rowsOf(run).count).toBe(6 + 2);
  });

  it.each([taskStream, localTasks])('is sorted and searched as a whole in a pane: $id', async plot => {
    const run = made();
    const host = {
      ...{ run, feed: null, trans: context().trans, context: context(), saved: {}, save: () => undefined, open: () => undefined }
    } as unknown as ViewHost;
    const view = await createTableView(plot, host);
    document.body.append(view.node);
    view.setTheme(theme());
    view.setVisible(true);
    view.resize(800, 400);
    const first = async (): Promise<string | undefined> => {
      view.update();
      await vi.advanceTimersByTimeAsync(800);
      return view.node.querySelector('.dp-Table-body [role="row"]')?.children[3]?.textContent ?? undefined;
    };
    expect(await first()).toBe('3 m 20 s so far');
    expect(view.node.querySelector('[role="grid"]')?.getAttribute('aria-rowcount')).toBe(String(COUNT + 3));
    view.node.querySelector<HTMLElement>('[data-column="duration"]')?.click();
    expect(await first()).toBe('8 m 20 s');
    view.dispose();
  });

  it('keeps the active row of a running task when one that has run for longer ends', async () => {
    Element.prototype.scrollIntoView = () => undefined;
    const run = made();
    const host = {
      ...{ run, feed: null, trans: context().trans, context: context(), saved: {}, save: () => undefined, open: () => undefined }
    } as unknown as ViewHost;
    const view = await createTableView(taskStream, host);
    document.body.append(view.node);
    view.setTheme(theme());
    view.setVisible(true);
    view.resize(800, 400);
    const drawn = async (): Promise<void> => {
      view.update();
      await vi.advanceTimersByTimeAsync(800);
    };
    const active = (): readonly (string | undefined)[] =>
      [...view.node.querySelectorAll('.dp-Table-body [data-active="true"]')].map(
        cell => cell.closest<HTMLElement>('[data-row]')?.dataset.row
      );
    await drawn();
    view.node.querySelector<HTMLElement>('[data-row="running 4 fit-x"] [role="gridcell"]')?.click();
    await drawn();
    expect([active(), selectionOf(run).current.functions]).toEqual([['running 4 fit-x'], ['fit']]);
    const ended = tasksBody([{ lane: 1, prefix: 1, start: 4000, duration: 300 }], COUNT);
    const topics = { tasks: ended, running: runningBody([{ id: 5, start: 4300, state: 0 }]) };
    run.apply({ feed: 'made-up', epoch: 0, seq: 2, time: 4300, cursor: {}, names: {}, topics }, 4_300_000);
    await drawn();
    expect(active()).toEqual(['running 4 fit-x']);
    const grid = view.node.querySelector('[role="grid"]');
    grid?.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true }));
    // The click selected it.
    expect(selectionOf(run).current.functions).toBeNull();
    view.dispose();
  });
});
