// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import type { Scalar, TopicBody } from '../../../src/feed/frame';
import { TASK_STATE } from '../../../src/feed/schema';
import type { LongRows, LongTable } from '../../../src/plot/plot';
import { tasks } from '../../../src/plots/tasks/all-tasks';
import { taskStream } from '../../../src/plots/tasks/task-stream';
import { frozen } from '../../../src/run/frozen';
import type { Run } from '../../../src/run/run';
import { isEmpty, type Selection, selectionOf } from '../../../src/run/selection/selection';
import { LongOrder } from '../../../src/views/table/long/order';
import { isDimmed, selectRow } from '../../../src/views/table/row-actions';
import { createTableView } from '../../../src/views';
import type { View, ViewHost } from '../../../src/views/view';
import { type Row, runningBody, tasksBody } from '../run/synthetic';
import { cluster, context, step, theme } from './cluster';

beforeEach(() => {
  setNumberLocale('en');
  Element.prototype.scrollIntoView = () => undefined;
});
afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

let seq = 1;

function applyTopics(run: Run, topics: Record<string, TopicBody>, time = 1100): Run {
  const names = {
    lanes: {
      from: 0,
      values: [
        [0, 1],
        [1, 7]
      ] as [number, number][]
    }
  };
  run.apply({ feed: 'made-up', epoch: 0, seq: seq++, time, cursor: {}, names, topics }, time * 1000);
  return run;
}

const two = (): Run =>
  cluster({
    workers: [{ name: 'a' }, { name: '<b>' }],
    prefixes: [
      { name: 'load', memory: 3, waiting: 1, queued: 1 },
      { name: '<img src=x>', erred: 1 }
    ]
  });

const ROWS: readonly Row[] = [
  { lane: 0, prefix: 0, start: 1001, duration: 3, nbytes: 2048 },
  { lane: 1, prefix: 0, start: 1000, duration: 1, nbytes: 10 },
  { lane: 0, prefix: 1, start: 1005, duration: 2, status: 1 },
  { lane: 1, prefix: 0, start: 1004, duration: 9, nbytes: 1 }
];

function graph(states: readonly (typeof TASK_STATE)[number][]): TopicBody {
  const column = (value: (i: number) => number): Uint32Array => Uint32Array.from(states, (_, i) => value(i));
  return {
    columns: { prefix: column(() => 0), group: column(() => 0), state: column(i => TASK_STATE.indexOf(states[i])) },
    scalars: { first: 0, first_edge: 0, kept: 0, not_kept: 0, edges_not_kept: 0, latest: 0, waiting: 0 }
  };
}

const made = (): Run =>
  applyTopics(two(), { tasks: tasksBody(ROWS), graph: graph(['memory', 'waiting', 'queued', 'forgotten']) });

function rowsOf(table: LongTable): LongRows {
  const reading = table.rows();
  let next = reading.next();
  while (!next.done) {
    next = reading.next();
  }
  return next.value;
}

const long = (run: Run): LongTable => tasks.long?.(run, context()) as LongTable;
const cells = (rows: LongRows, i: number): string[] => rows.row(i).cells.map(({ text }) => text);

describe('all tasks', () => {
  it('have a row each: executions as the scheduler learnt of them, then those that have not ended', () => {
    const rows = rowsOf(long(made()));
    expect(rows.count).toBe(6);
    expect(cells(rows, 0)).toEqual(['…', 'load', 'finished', 'a', '0:01.00', '3.00 s', '2.00 KiB']);
    expect(cells(rows, 2)).toEqual(['…', '<img src=x>', 'erred', 'a', '0:05.00', '2.00 s', '']);
    expect(cells(rows, 4)).toEqual(['…', 'load', 'waiting', '', '', '', '']);
    // "erred" leads to the errors of the function.
    expect([0, 2].map(i => rows.row(i).cells[2].opens)).toEqual([
      undefined,
      { plot: 'errors', args: { function: '<img src=x>', kind: 'all' } }
    ]);
    expect(rows.row(5).id).toBe('n2');
    expect([0, 1, 2, 3, 4].map(i => rows.key(i, 'duration'))).toEqual([3, 1, 2, 9, Number.NaN]);
    const found = (text: string): number[] => [0, 1, 2, 3, 4, 5].filter(i => rows.fits(text)?.(i));
    expect(found('IMG')).toEqual([2]);
    expect(found('erred')).toEqual([2]);
    expect(found('<b>')).toEqual([1, 3]);
    expect(found('queued')).toEqual([5]);
    expect(rows.fits('')).toBeNull();
    const keyed = rows.fits('3f2a', new Set(['e1', 'n2', 'n99']));
    expect([0, 1, 2, 3, 4, 5].filter(i => keyed?.(i))).toEqual([1, 5]);
    // What a name has is not looked for in keys.
    const { keys } = long(made());
    expect(['LOAD', '<b>', 'queu', 'err', '3f2a'].map(text => keys?.(text).length)).toEqual([0, 0, 0, 0, 2]);
    expect(tasks.titleLine(made(), context()).map(({ text }) => text)).toEqual(['4 executions have ended', '2 tasks have not']);
  });

  it('grow with the run, and forget what is not kept', () => {
    const run = made();
    expect(rowsOf(long(run)).count).toBe(6);
    applyTopics(run, { tasks: tasksBody([{ lane: 1, prefix: 0, start: 1000.5, duration: 1 }], 4) });
    const rows = rowsOf(long(run));
    expect([rows.count, cells(rows, 4)[4], rows.key(0, 'duration')]).toEqual([7, '0:00.50', 3]);
    run.keepTasks(2);
    const kept = rowsOf(long(run));
    expect(kept.count).toBe(run.tasks.kept + 2);
    // A row from before has gone with its execution.
    expect(cells(rows, 0).slice(1)).toEqual(['–', '–', '–', '–', '–', '–']);
  });

  it('count once where they ended after the counts of their function were read, as when a kernel is restarted meanwhile', () => {
    const counts = (waiting: number, counted: number): TopicBody => ({
      columns: { id: Uint32Array.of(0), waiting: Uint32Array.of(waiting) },
      scalars: { counted }
    });
    const load = (count: number): Row[] =>
      Array.from({ length: count }, (_, i) => ({ lane: i % 2, start: 1000 + i, duration: 1 }));
    const run = applyTopics(two(), { tasks: tasksBody(load(8)), prefixes: counts(52, 8) });
    const title = (): string[] => tasks.titleLine(run, context()).map(({ text }) => text);
    expect(title()).toEqual(['8 executions have ended', '52 tasks have not']);
    applyTopics(run, { tasks: tasksBody([{ lane: 1, start: 1010, duration: 1 }], 8) });
    run.end(2_000_000);
    expect(title()).toEqual(['9 executions have ended', '51 tasks had not when the client closed']);
    expect(tasks.titleLine(run.copy(), context())[1].text).toBe('51 tasks had not when the client closed');
    // More have ended since than there were: others have come, it is not known how many.
    applyTopics(run, { tasks: tasksBody(load(60), 9) });
    expect(title()).toEqual(['69 executions have ended', '52 tasks have not']);
  });

  it('have one row each where their states come later than their executions, also where some run again', () => {
    const body = (columns: Record<string, number[]>, scalars: Record<string, number>): TopicBody => ({
      columns: Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, Uint32Array.from(values)])),
      scalars
    });
    const ids = (run: Run): string[] => {
      const rows = rowsOf(long(run));
      return Array.from({ length: rows.count }, (_, i) => rows.row(i).id);
    };
    const states = { counted: 2, first: 0 };
    const run = applyTopics(two(), {
      tasks: tasksBody(ROWS),
      graph: graph(['memory', 'processing', 'processing', 'waiting', 'processing']),
      // Rows 0 and 1 were the tasks 0 and 1, of which the second runs again. Of row 3 it is not known yet.
      executed: body({ number: [0, 1, 2] }, { first: 0 }),
      states: body(
        { state: ['memory', 'processing', 'processing', 'waiting', 'processing'].map(name => TASK_STATE.indexOf(name as never)) },
        states
      )
    });
    expect(ids(run)).toEqual(['e0', 'e1', 'e2', 'n1', 'n3', 'n4']);
    expect(long(run).settled).toBe(3);
    // Rows of an order that is found over some frames are those of its beginning.
    const reading = long(run).rows();
    applyTopics(run, { executed: body({ number: [4] }, { first: 3 }) });
    let next = reading.next();
    while (!next.done) {
      next = reading.next();
    }
    expect(Array.from({ length: next.value.count }, (_, i) => (next.value as LongRows).row(i).id)).not.toContain('e3');
    expect(ids(run)).toEqual(['e0', 'e1', 'e2', 'e3', 'n1', 'n3']);
    const memory = TASK_STATE.indexOf('memory');
    applyTopics(run, { states: body({ number: [2, 4], state: [memory, memory] }, { counted: 4 }) });
    expect(ids(run)).toEqual(['e0', 'e1', 'e2', 'e3', 'n1', 'n3']);
    // At the end all is listed, whatever was not reported any more.
    applyTopics(run, { tasks: tasksBody([{ lane: 0, prefix: 0, start: 1020, duration: 1 }], 4) });
    expect(ids(run)).not.toContain('e4');
    run.end(2_000_000);
    expect(ids(run)).toContain('e4');
  });

  it('count once where functions were counted one after the other', () => {
    const counts = (counted: readonly number[]): TopicBody => ({
      columns: { id: Uint32Array.of(0, 1), waiting: Uint32Array.of(20, 30), counted: Float64Array.from(counted) },
      scalars: { counted: 2 }
    });
    const title = (run: Run): string => tasks.titleLine(run, context())[1].text;
    const ended = Array.from({ length: 20 }, (_, i) => ({ lane: 0, prefix: i % 2, start: 1000 + i, duration: 1 }));
    // The counts of the first function know all of its rows, those of the other the rows up to 9.
    expect(title(applyTopics(two(), { tasks: tasksBody(ended), prefixes: counts([20, 10]) }))).toBe('45 tasks have not');
    // A row that has not changed is not sent again: nothing of its function has ended since.
    const others = ended.map(row => ({ ...row, prefix: 1 }));
    expect(title(applyTopics(two(), { tasks: tasksBody(others), prefixes: counts([0, 20]) }))).toBe('50 tasks have not');
  });

  it('count once while counts of other functions have not arrived', () => {
    const ended = Array.from({ length: 20 }, (_, i) => ({ lane: 0, prefix: i % 2, start: 1000 + i, duration: 1 }));
    const counts = (id: number, waiting: number, counted: number, known?: number): TopicBody => ({
      columns: { id: Uint32Array.of(id), waiting: Uint32Array.of(waiting), counted: Float64Array.of(counted) },
      scalars: known === undefined ? {} : { counted: known }
    });
    const run = applyTopics(two(), { tasks: tasksBody(ended) });
    const title = (prefixes: TopicBody): string => tasks.titleLine(applyTopics(run, { prefixes }), context())[1].text;
    applyTopics(run, { prefixes: counts(0, 0, 1, 0) });
    expect(title(counts(1, 40, 1, 0))).toBe('30 tasks have not');
    // The counts of the other one follow.
    expect(title(counts(0, 20, 20))).toBe('50 tasks have not');
    expect(title(counts(1, 30, 20, 20))).toBe('50 tasks have not');
    // A look at all has ended, and the row of one is older: nothing of it had ended before that.
    expect(title(counts(1, 30, 12, 12))).toBe('46 tasks have not');
  });

  it('are those that had ended at the moment of a recording, and no later ones', () => {
    const run = made();
    // A row from before the moment that came late, as from a worker with another clock.
    applyTopics(run, { tasks: tasksBody([{ lane: 1, prefix: 0, start: 1000.5, duration: 1 }], 4) });
    const all = run.tasks;
    run.tasks = all.until(1004.5);
    const rows = rowsOf(long(run));
    expect(rows.count).toBe(3 + 2);
    expect([0, 1, 2, 3].map(i => rows.row(i).id)).toEqual(['e0', 'e1', 'e4', 'n1']);
    expect([0, 1, 2, 3].map(i => rows.key(i, 'duration'))).toEqual([3, 1, 1, Number.NaN]);
    expect([0, 1, 2, 3, 4].filter(i => rows.fits('<b>')?.(i))).toEqual([1, 2]);
    expect(tasks.titleLine(run, context())[0].text).toBe('3 executions have ended');
    expect(taskStream.table(run, context()).rows.map(({ id }) => id)).toEqual(['4', '1', '0']);
    run.tasks = all.until(1001.2);
    expect([rowsOf(long(run)).count, rowsOf(long(run)).row(0).id]).toEqual([1 + 2, 'e1']);
    run.tasks = all.until(900);
    expect(rowsOf(long(run)).count).toBe(2);
    run.tasks = all;
    expect(rowsOf(long(run)).count).toBe(5 + 2);
  });

  it('has its newest rows at an early moment of a long recording, too', () => {
    const run = two();
    const early = { lane: 0, prefix: 0, start: 1001, duration: 1 };
    applyTopics(run, { tasks: tasksBody([early, ...Array.from({ length: 1500 }, () => ({ ...early, start: 1010 }))]) });
    run.tasks = run.tasks.until(1005);
    expect(taskStream.table(run, context()).rows.map(({ id }) => id)).toEqual(['0']);
    expect(taskStream.table(run, context()).total).toBe(1);
    expect(rowsOf(long(run)).row(0).id).toBe('e0');
  });

  it('ask for the keys of rows in view, once, and lead to their details', () => {
    const run = made();
    const [first, second] = long(run).ask(['e0', 'n1', 'n2']);
    expect([first.name, first.args]).toEqual(['numbers', { numbers: [1, 2] }]);
    expect([second.name, second.args]).toEqual(['key', { row: 0 }]);
    first.take(['w-1', null]);
    second.take({ key: "('<b>', 0)", type: 'int' });
    expect(long(run).ask(['e0', 'n1', 'n2'])).toEqual([]);
    const rows = rowsOf(long(run));
    expect([cells(rows, 0)[0], cells(rows, 4)[0], cells(rows, 5)[0]]).toEqual(["('<b>', 0)", 'w-1', 'key not kept']);
    expect(tasks.openArgs?.(run, 'e0')).toEqual({ key: "('<b>', 0)", number: -1 });
    expect(tasks.openArgs?.(run, 'n1')).toEqual({ key: 'w-1', number: 1 });
    expect(tasks.openArgs?.(run, 'n2')).toBeNull();
    expect(rows.fits("'<b>'")?.(0)).toBe(true);
    // Keys of another run mean other tasks.
    run.apply({ feed: 'other', epoch: 0, seq: 0, time: 2000, cursor: {}, names: {}, topics: {} }, 2_000_000);
    expect(long(run).ask(['e0'])).toHaveLength(1);
  });

  it('are found and sorted by what their rows show while they run', () => {
    const run = applyTopics(two(), {
      tasks: tasksBody(ROWS),
      graph: graph(['processing', 'processing', 'processing', 'waiting']),
      running: runningBody([{ id: 0, worker: 1, start: 1040, key: 'w-0' }])
    });
    long(run).ask(['n0', 'n1'])[0].take(['w-0', 'w-1']);
    const rows = rowsOf(long(run));
    expect(cells(rows, 4)).toEqual(['w-0', 'load', 'running', '<b>', '0:40.00', '1 m 0 s so far', '']);
    expect(cells(rows, 5).slice(0, 4)).toEqual(['w-1', 'load', 'processing', '']);
    const found = (text: string): number[] => Array.from({ length: rows.count }, (_, i) => i).filter(i => rows.fits(text)?.(i));
    // The key of n2 is not known: it may run. What is queued on a worker does not.
    expect([found('running'), found('<b>')]).toEqual([
      [4, 6],
      [1, 3, 4]
    ]);
    expect(long(run).keys?.('running')).toEqual([]);
    const keys = (column: string): number[] => [3, 4, 5].map(i => rows.key(i, column));
    expect(keys('duration')).toEqual([9, 60, Number.NaN]);
    expect(keys('start')).toEqual([1004, 1040, Number.NaN]);
    const [ended, runs, waits] = keys('worker');
    expect([runs === ended, waits]).toEqual([true, Number.NaN]);
    applyTopics(run, { running: runningBody([{ id: 0, worker: 1, start: 1040, key: 'w-0', state: 0 }]) }, 1200);
    expect(cells(rows, 4)).toEqual(['w-0', 'load', 'processing', '', '', '', '']);
  });

  it('say why a key is not known where a request failed, and ask again after a while', () => {
    vi.useFakeTimers({ now: 1_000_000 });
    const run = made();
    const asked = (): string[] =>
      long(run)
        .ask(['e0', 'n1', 'n2'])
        .map(({ about }) => about);
    const keys = (): string[] => [0, 4, 5].map(i => cells(rowsOf(long(run)), i)[0]);
    for (const question of long(run).ask(['e0', 'n1', 'n2'])) {
      question.fail('no\nanswer');
    }
    expect(keys()).toEqual(['key unknown: no answer', 'key unknown: no answer', 'key unknown: no answer']);
    expect(tasks.openArgs?.(run, 'e0')).toBeNull();
    vi.advanceTimersByTime(9_999);
    expect(asked()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(asked()).toEqual(['n1,n2', 'e0']);
    const [numbers, first] = long(run).ask(['e0', 'n1', 'n2']);
    numbers.take(['w-1', null]);
    first.fail('too slow');
    expect(keys()).toEqual(['key unknown: too slow', 'w-1', 'key not kept']);
    expect(asked()).toEqual([]);
    vi.useRealTimers();
  });

  it('keep their keys in a paused pane over a restart, and learn none of the run that follows', () => {
    const run = made();
    const [numbers, first, late] = long(run).ask(['n1', 'e0', 'e2']);
    numbers.take(['w-1']);
    first.take({ key: 'first' });
    const paused = frozen(run);
    run.apply({ feed: 'other', epoch: 0, seq: 0, time: 2000, cursor: {}, names: {}, topics: {} }, 2_000_000);
    expect(long(paused).ask(['e2', 'n2'])).toEqual([]);
    const [next, another] = long(run).ask(['e0', 'e2']);
    late.take({ key: 'of the other run' });
    next.take({ key: 'next' });
    expect(
      long(run)
        .ask(['e0', 'e2'])
        .map(({ about }) => about)
    ).toEqual(['e2']);
    another.fail('gone');
    const rows = rowsOf(long(paused));
    expect([0, 2, 4, 5].map(i => cells(rows, i)[0])).toEqual(['first', 'key not kept', 'w-1', 'key not kept']);
    expect([tasks.openArgs?.(paused, 'e2'), tasks.acts?.(paused, 'e2')]).toEqual([null, null]);
    // Both are drawn again.
    expect([tasks.openArgs?.(run, 'e0'), tasks.openArgs?.(paused, 'e0')]).toMatchObject([{ key: 'next' }, { key: 'first' }]);
  });

  it('select themselves in all panes, and are dimmed where they are outside the selection', () => {
    const run = made();
    const ids = ['e0', 'e1', 'e2', 'e3', 'n1', 'n2'];
    rowsOf(long(run));
    const selection = selectionOf(run);
    const bright = (conditions: Partial<Selection>): string[] => {
      selection.select(conditions);
      return ids.filter(id => !isDimmed(tasks, run, id));
    };
    expect(bright({})).toEqual(ids);
    selectRow(tasks, run, 'e3', 'toggle');
    expect(selection.has({ rows: { run: run.identity, numbers: [3] } })).toBe(true);
    expect(ids.filter(id => !isDimmed(tasks, run, id))).toEqual(['e3', 'n1', 'n2']);
    selectRow(tasks, run, 'e3', 'toggle');
    expect(isEmpty(selection.current)).toBe(true);
    // What has not ended is no execution: those of its function are selected.
    selectRow(tasks, run, 'n1', 'toggle');
    expect(selection.has({ functions: ['load'] })).toBe(true);
    expect(bright({ functions: ['<img src=x>'] })).toEqual(['e2']);
    expect(bright({ erred: true })).toEqual(['e2', 'n1', 'n2']);
    expect(bright({ durations: { least: 2.5, most: 5 } })).toEqual(['e0', 'n1', 'n2']);
    expect(bright({ workers: [run.workerNames[1].address] })).toEqual(['e1', 'e3', 'n1', 'n2']);
    // From the end of e1 to the start of e3.
    expect(bright({ period: { from: 1001, to: 1004 } })).toEqual(['e0', 'n1', 'n2']);
  });

  it('are selected together with Ctrl, and left out again', () => {
    const run = made();
    rowsOf(long(run));
    const selection = selectionOf(run);
    const numbers = (): readonly number[] | undefined => selection.current.rows?.numbers;
    selectRow(tasks, run, 'e3', 'add');
    selectRow(tasks, run, 'e0', 'add');
    expect(numbers()).toEqual([0, 3]);
    expect(selection.has({ rows: { run: run.identity, numbers: [0, 3] } })).toBe(true);
    selectRow(tasks, run, 'e3', 'add');
    expect(numbers()).toEqual([0]);
    selectRow(tasks, run, 'e0', 'add');
    expect(isEmpty(selection.current)).toBe(true);
    // Beside other conditions, and without Ctrl, a row is the only one; rows of another run are others.
    for (const conditions of [{ erred: true }, { rows: { run: 'other', numbers: [1] } }]) {
      selection.select(conditions);
      selectRow(tasks, run, 'e1', 'add');
      expect(selection.has({ rows: { run: run.identity, numbers: [1] } })).toBe(true);
    }
    selectRow(tasks, run, 'e2', 'toggle');
    expect(numbers()).toEqual([2]);
  });

  it('can be cancelled or retried once their keys are known', () => {
    const run = made();
    rowsOf(long(run));
    expect(['e2', 'n1'].map(id => tasks.acts?.(run, id))).toEqual([null, null]);
    const questions = long(run).ask(['e0', 'e2', 'n1']);
    questions[0].take(['w-1']);
    questions[1].take({ key: 'done' });
    questions[2].take({ key: 'bad' });
    expect(['e0', 'e2', 'n1'].map(id => tasks.acts?.(run, id))).toEqual([
      null,
      { kind: 'task', key: 'bad', state: 'erred' },
      { kind: 'task', key: 'w-1', state: 'waiting' }
    ]);
  });

  it('are all in the table of the pane, sorted and searched over frames, with a request for each row in view', async () => {
    vi.useFakeTimers();
    const run = made();
    const asked: Scalar[] = [];
    const searches: Record<string, Scalar>[] = [];
    const request = async (name: string, args: Record<string, Scalar>): Promise<Scalar> => {
      asked.push(name);
      if (name === 'search_keys') {
        searches.push(args);
        const rows = args.of === 'executions' ? [1] : [2];
        return { rows, reached: 0, before: 5, first: args.of === 'executions' ? 2 : 0, done: true };
      }
      return name === 'numbers' ? [] : { key: `key-${String(args.row)}` };
    };
    const host = {
      ...{ run, feed: { request, state: { status: 'live' } }, trans: context().trans, context: context(), saved: {} },
      ...{ save: () => undefined, open: () => undefined }
    } as unknown as ViewHost;
    const view: View = await createTableView(tasks, host);
    document.body.append(view.node);
    view.setTheme(theme());
    view.setVisible(true);
    view.resize(800, 400);
    const frames = async (): Promise<void> => {
      view.update();
      await vi.advanceTimersByTimeAsync(800);
    };
    const column = (at: number): string[] =>
      [...view.node.querySelectorAll('.dp-Table-body [role="row"]')].map(row => row.children[at]?.textContent ?? '');
    await frames();
    expect(column(2)).toEqual(['queued', 'waiting', 'finished', '✕erred', 'finished', 'finished']);
    expect(column(0)).toEqual(['key not kept', 'key not kept', 'key-3', 'key-2', 'key-1', 'key-0']);
    view.node.querySelector<HTMLElement>('[data-column="duration"]')?.click();
    await frames();
    expect(column(0).slice(0, 4)).toEqual(['key-3', 'key-0', 'key-2', 'key-1']);
    applyTopics(run, { tasks: tasksBody([{ lane: 1, prefix: 0, start: 1007, duration: 99 }], 4) });
    await frames();
    expect(view.node.querySelector('.dp-Table-found')?.textContent).toBe('1 newer: sort or search again');
    const search = view.node.querySelector('input') as HTMLInputElement;
    const type = async (text: string): Promise<void> => {
      search.value = text;
      search.dispatchEvent(new Event('input'));
      await frames();
    };
    await type('load');
    expect(searches).toEqual([]);
    expect(column(5)[0]).toBe('1 m 39 s');
    expect(view.node.querySelector('.dp-Table-found')?.textContent).toBe('6 of 7 rows');
    expect(asked.filter(name => name === 'key')).toHaveLength(5);
    await type('3F2a');
    await frames();
    expect(searches).toMatchObject([
      { of: 'executions', texts: ['3F2a'], before: null },
      { of: 'graph', texts: ['3F2a'], before: null }
    ]);
    expect(column(1)).toEqual(['load', 'load']);
    expect(column(2)).toEqual(['finished', 'queued']);
    expect(view.node.querySelector('.dp-Table-found')?.textContent).toBe('2 of 7 rows · 2 keys are no longer kept');
    view.dispose();
  });
});

describe('a table that was sorted', () => {
  it('says how many rows are newer, also of tasks that it had before they ended', () => {
    const run = made();
    const order = new LongOrder();
    const table = (): LongTable => tasks.long!(run, context());
    const work = (): void => {
      while (order.work(table(), { column: 'duration', descending: true }, '')) {
        // Until it is sorted.
      }
    };
    work();
    expect([order.length, order.newer(table())]).toEqual([6, 0]);
    // Both that had not ended have ended.
    step(run, { prefixes: [{ name: 'load', memory: 5 }] });
    applyTopics(run, {
      tasks: tasksBody(
        [1, 2].map(i => ({ lane: 1, prefix: 0, start: 1010 + i, duration: 99 + i })),
        4
      )
    });
    work();
    expect([order.length, order.newer(table())]).toEqual([6, 2]);
    order.renew();
    work();
    expect([order.at(0)?.cells[5].text, order.newer(table())]).toEqual(['1 m 41 s', 0]);
  });
});

describe('a million rows', () => {
  it('are sorted with bounded work for each frame', () => {
    const count = 1_000_000;
    const table: LongTable = {
      ...{ columns: [], identity: 'a', count, ask: () => [] },
      *rows() {
        return { count, row: i => ({ id: String(i), cells: [] }), key: i => (i * 7919) % count, fits: () => null };
      }
    };
    const order = new LongOrder();
    let calls = 1;
    let longest = 0;
    const work = (): boolean => {
      const begin = performance.now();
      const more = order.work(table, { column: 'x', descending: true }, '');
      longest = Math.max(longest, performance.now() - begin);
      return more;
    };
    while (work()) {
      calls += 1;
    }
    expect(calls).toBeGreaterThan(3);
    expect(order.length).toBe(count);
    expect(Number(order.at(0)?.id)).toBe(Array.from({ length: count }, (_, i) => i).find(i => (i * 7919) % count === count - 1));
    expect(order.at(count)).toBeUndefined();
  });
});
