import { describe, expect, test, vi } from 'vitest';
import type { Frame } from '../../../src/feed/frame';
import { COMPUTATIONS_COLUMNS } from '../../../src/feed/schema';
import { Links } from '../../../src/run/graph/links';
import { criticalPath } from '../../../src/plots/tasks/critical-path';
import { computations } from '../../../src/plots/tasks/computations';
import { taskGraph } from '../../../src/plots/tasks/task-graph';
import { Run } from '../../../src/run/run';
import { isEmpty, type Selection, selectionOf } from '../../../src/run/selection/selection';
import { isDimmed, openRow, selectRow } from '../../../src/views/table/row-actions';
import type { ViewHost } from '../../../src/views/view';
import { wallTime } from '../../../src/selectors/tasks/computation-words';
import { criticalPathOf, longestChain, pathFunctions, topological } from '../../../src/selectors/graph/critical-path';
import { foldGraph, graphBody, graphRun, type MadeTask } from '../run/made-graph';
import { randomOf, type Row, tasksBody } from '../run/synthetic';
import { context } from '../plots/cluster';
import { compute, type Made } from '../plots/made-computations';
import type { GraphPicture } from '../../../src/plot/plot';
import { CHUNK_ROWS } from '../../../src/run/lanes/lane-chunk';
import { selectedBy } from '../../../src/selectors/computations/selected';

type TaskPicture = Extract<GraphPicture, { kind: 'tasks' }>;

const inPane = (options: Record<string, string> = {}, hidden: readonly string[] = []) =>
  context({ options: { tasks: 'latest', detail: 'auto', rows: 'functions', ...options }, hidden: new Set(hidden) });

/** Executions of tasks: [task, start, duration]. */
function execute(run: Run, rows: readonly (readonly [task: number, start: number, duration: number])[], first = 0): Run {
  const topics: Frame['topics'] = {
    tasks: tasksBody(
      rows.map(([, start, duration]): Row => ({ start: 1000 + start, duration })),
      first
    ),
    executed: { columns: { number: Uint32Array.from(rows, ([task]) => task) }, scalars: { first } }
  };
  return foldGraph(run, topics);
}

/** 0 → 2 → 3, 1 → 3; 2 takes long. */
const DIAMOND: readonly MadeTask[] = [{ group: 0 }, { group: 1 }, { group: 2, needs: [0] }, { group: 3, needs: [1, 2] }];

test('the path is the chain with the longest sum; its share is of the wall time', () => {
  const run = graphRun(DIAMOND);
  expect(criticalPathOf(run)).toBeNull();
  execute(run, [
    [0, 0, 1],
    [1, 0, 3],
    [2, 1.5, 4],
    [3, 8, 2]
  ]);
  const path = criticalPathOf(run);
  expect(path?.tasks.map(({ number, row, duration, waited }) => [number, row, duration, waited])).toEqual([
    [0, 0, 1, 0],
    [2, 2, 4, 0.5],
    [3, 3, 2, 2.5]
  ]);
  expect([path?.length, path?.wall, path?.share, path?.measured]).toEqual([7, 10, 0.7, 4]);
  expect(pathFunctions(run, path as NonNullable<typeof path>).map(({ prefix, time }) => [prefix, time])).toEqual([
    [2, 4],
    [3, 2],
    [0, 1]
  ]);
  expect(taskGraph.titleLine(run, inPane())[1]).toEqual({
    text: 'critical path 7.00 s, 70 % of the wall time',
    opens: { plot: 'critical-path', args: {} }
  });
  expect(taskGraph.picture(run, inPane()).path).toEqual([0, 2, 3]);
  expect(taskGraph.picture(run, inPane({ detail: 'groups' })).path).toEqual([0, 2, 3]);
  expect(taskGraph.picture(run, inPane({}, ['critical-path'])).path).toEqual([]);
  expect(taskGraph.legend(run, inPane()).at(-1)?.label).toBe('critical path');
});

test('a row of the table selects the executions of its tasks', () => {
  const run = graphRun(DIAMOND);
  expect(criticalPath.empty(run, inPane())?.head).toBe('No critical path.');
  execute(run, [
    [1, 0, 3],
    [0, 0, 1],
    [2, 1, 4],
    [3, 5, 2]
  ]);
  expect(criticalPath.empty(run, inPane())).toBeNull();
  const { rows } = criticalPath.table(run, inPane());
  expect(rows.map(({ id, cells }) => [id, ...cells.map(({ text }) => text)])).toEqual([
    ['function 2', 'add', '1', '4.00 s', '57 %', '57 %', '4.00 s', '0 s'],
    ['function 3', 'sum', '1', '2.00 s', '29 %', '29 %', '2.00 s', '0 s'],
    ['function 0', 'inc', '1', '1.00 s', '14 %', '14 %', '1.00 s', '0 s'],
    ['path', 'the whole path', '3', '7.00 s', '100 %', '100 %', '4.00 s', '0 s']
  ]);
  expect(criticalPath.selects?.(run, 'function 2')).toEqual({ rows: { run: run.identity, numbers: [2] } });
  expect(criticalPath.selects?.(run, 'path')).toEqual({ rows: { run: run.identity, numbers: [1, 2, 3] } });
  const tasks = criticalPath.table(run, inPane({ rows: 'tasks' })).rows;
  expect(tasks.map(({ id }) => id)).toEqual(['task 0', 'task 2', 'task 3']);
  expect(criticalPath.selects?.(run, 'task 3')).toEqual({ rows: { run: run.identity, numbers: [3] } });
  expect(criticalPath.openArgs?.(run, 'task 3')).toEqual({ number: 3 });
  expect(criticalPath.openArgs?.(run, 'path')).toBeNull();
  expect(criticalPath.selects?.(run, 'function 9')).toBeNull();
  // What is not selected is dimmed; of the whole path there is always some.
  const dimmed = (conditions: Partial<Selection>): string[] => {
    selectionOf(run).select(conditions);
    return [...rows, ...tasks].map(({ id }) => id).filter(id => isDimmed(criticalPath, run, id));
  };
  expect(dimmed({})).toEqual([]);
  expect(dimmed({ functions: ['add', 'dec'] })).toEqual(['function 3', 'function 0', 'task 0', 'task 3']);
  expect(dimmed({ rows: { run: run.identity, numbers: [3, 9] } })).toEqual(['function 2', 'function 0', 'task 0', 'task 2']);
});

test('a task that ran again has its newest duration; a path that is longer than the wall time has no share', () => {
  const run = graphRun(DIAMOND);
  execute(run, [
    [0, 0, 1],
    [2, 1, 4],
    [3, 5, 2],
    [0, 2, 5]
  ]);
  const path = criticalPathOf(run);
  expect([path?.length, path?.wall, path?.share]).toEqual([11, 7, Number.NaN]);
  expect(taskGraph.titleLine(run, inPane())[1]?.text).toBe('critical path 11.0 s');
  expect(criticalPath.notes(run, inPane())).toEqual(['tasks ran again: its share of the wall time is not known']);
});

describe('attempts without a record', () => {
  const CHAIN: readonly (readonly [task: number, start: number, duration: number])[] = [
    [0, 0, 1],
    [2, 1, 4],
    [3, 5, 2]
  ];
  /** Attempts that were retried: [prefix, end]; without times, as older collectors count them. */
  const attempts = (ends: readonly (readonly [prefix: number, end: number])[] | null): Frame['topics'] => ({
    attempts: {
      columns: { id: Uint32Array.of(0, 1, 2), retried: Uint32Array.of(0, 2, 1) },
      scalars: ends === null ? {} : { first: 0 },
      ...(ends === null
        ? {}
        : {
            moves: {
              number: Uint32Array.from(ends, (_, i) => i),
              prefix: Uint32Array.from(ends, ([prefix]) => prefix),
              how: new Uint8Array(ends.length),
              begin: Float64Array.from(ends, ([, end]) => end - 1),
              end: Float64Array.from(ends, ([, end]) => end)
            }
          })
    }
  });
  const notes = (topics: Frame['topics']): readonly string[] =>
    criticalPath.notes(foldGraph(execute(graphRun(DIAMOND), CHAIN), topics), inPane());

  test('are said to be left out where they are of the functions of the path and of its time', () => {
    expect(notes({})).toEqual([]);
    expect(notes(attempts([[2, 1003]]))).toEqual([
      '1 attempt of its functions that failed or was lost is not counted, because Dask keeps no record of it: the path may be longer'
    ]);
    // Of another function, and before and after the computation.
    expect(
      notes(
        attempts([
          [1, 1003],
          [2, 900],
          [2, 1100]
        ])
      )
    ).toEqual([]);
    expect(notes(attempts(null))[0]).toMatch(/^1 attempt of its functions/);
  });
});

test('what was executed before the newest computation takes no time in it', () => {
  const run = graphRun(DIAMOND);
  execute(run, [
    [0, 0, 1],
    [2, 1, 40]
  ]);
  const columns = Object.fromEntries(COMPUTATIONS_COLUMNS.map(name => [name, Float64Array.of(0, 0)]));
  const computations = {
    columns: { ...columns, id: Uint32Array.of(1, 2), done: Uint32Array.of(2, 2), since: Float64Array.of(999, 1100) },
    scalars: { kept: 1, texts: [] }
  } as never;
  foldGraph(run, { computations });
  execute(
    run,
    [
      [1, 100, 3],
      [3, 103, 2]
    ],
    2
  );
  const path = criticalPathOf(run);
  expect(path?.tasks.map(({ number }) => number)).toEqual([1, 3]);
  expect([path?.length, path?.share]).toEqual([5, 1]);
});

const AT = [1000, 'made-up'] as const;

/** Two computations, the first of executions 0 and 1, the second of 2 and 3. */
function twoComputations(): Run {
  const run = execute(graphRun(DIAMOND), [
    [0, 0, 1],
    [2, 1, 4],
    [1, 100, 3],
    [3, 103, 2]
  ]);
  return compute(
    run,
    [
      { id: 1, since: 999, stop: 1005, code: 'first()', of: { 0: { tasks: 1, done: 1 }, 2: { tasks: 1, done: 1 } } },
      { id: 2, since: 1099, stop: 1105, code: 'second()', of: { 1: { tasks: 1, done: 1 }, 3: { tasks: 1, done: 1 } } }
    ],
    ...AT,
    [
      [0, 1, 2],
      [2, 2, 2]
    ]
  );
}

test('a selected computation has its own path and its own tasks', () => {
  const run = twoComputations();
  const shown = () => ({
    path: criticalPathOf(run)?.tasks.map(({ number }) => number),
    length: criticalPathOf(run)?.length,
    drawn: [...(taskGraph.picture(run, inPane()) as TaskPicture).part().numbers],
    title: taskGraph.titleLine(run, inPane()).map(({ text }) => text),
    named: criticalPath.titleLine(run, inPane()).at(-1)?.text
  });
  expect(shown()).toMatchObject({ path: [1, 3], length: 5, drawn: [0, 1, 2, 3] });
  selectionOf(run).select(selectedBy(run, run.computations.list[1]) ?? {});
  expect(shown()).toMatchObject({ path: [0, 2], length: 5, drawn: [0, 2], named: 'first()' });
  expect(shown().title.slice(0, 2)).toEqual(['2 tasks', 'first()']);
  expect(taskGraph.picture(run, inPane({ detail: 'groups' }))).toMatchObject({ boxes: [{ id: 0 }, { id: 2 }] });
  expect(taskGraph.titleLine(run, inPane({ tasks: 'all' }))[0]?.text).toBe('4 tasks');
  selectionOf(run).clear();
  expect(shown()).toMatchObject({ path: [1, 3], drawn: [0, 1, 2, 3] });
});

test('a click on a row of the path of a selected computation leaves its path there, a second one leads back to it', () => {
  const run = twoComputations();
  const first = selectedBy(run, run.computations.list[1]) ?? {};
  const selection = selectionOf(run);
  selection.select(first);
  const shown = () => criticalPath.table(run, inPane({ rows: 'tasks' })).rows.map(({ id }) => id);
  const opened: unknown[] = [];
  const host = { open: (plot: string, args: unknown) => opened.push([plot, args]), feed: { state: { status: 'live' } } };
  const { computation, period } = first;
  // A double click: what was under the pointer is still there.
  selectRow(criticalPath, run, shown()[1], 'toggle');
  expect(shown()).toEqual(['task 0', 'task 2']);
  openRow(criticalPath, run, shown()[1], host as unknown as ViewHost);
  expect(opened).toEqual([['task', { number: 2 }]]);
  expect(selection.has({ computation, period, rows: { run: run.identity, numbers: [1] } })).toBe(true);
  selectRow(criticalPath, run, 'task 0', 'add');
  expect(selection.has({ computation, period, rows: { run: run.identity, numbers: [0, 1] } })).toBe(true);
  selectRow(criticalPath, run, 'task 0', 'add');
  selectRow(criticalPath, run, 'task 2', 'toggle');
  expect(selection.has(first)).toBe(true);
  // Of the computations, a second click selects none.
  selectRow(computations, run, '1', 'toggle');
  expect(isEmpty(selection.current)).toBe(true);
  selectRow(criticalPath, run, 'task 3', 'toggle');
  selectRow(criticalPath, run, 'task 3', 'toggle');
  expect(isEmpty(selection.current)).toBe(true);
});

test('a task of the graph of a selected computation is selected within it, also one that has not run', () => {
  const run = twoComputations();
  const first = selectedBy(run, run.computations.list[1]) ?? {};
  const selection = selectionOf(run);
  const { computation, period } = first;
  selection.select(first);
  const shown = () => taskGraph.table(run, inPane()).rows.map(({ id }) => id);
  selectRow(taskGraph, run, '2', 'toggle');
  expect(shown()).toEqual(['0', '2']);
  expect(selection.has({ computation, period, rows: { run: run.identity, numbers: [1] } })).toBe(true);
  foldGraph(run, { graph: graphBody([{ group: 3, needs: [3] }], 4, { first_edge: 4 }) });
  selectRow(taskGraph, run, '4', 'toggle');
  expect(selection.has({ computation, period, functions: ['sum'] })).toBe(true);
  selectRow(taskGraph, run, '4', 'toggle');
  expect(selection.has(first)).toBe(true);
  // One of another computation, where all are drawn: it is no part of this one.
  selectRow(taskGraph, run, '3', 'toggle');
  expect(selection.has({ rows: { run: run.identity, numbers: [3] } })).toBe(true);
});

test('of a selected computation whose executions are not known, the latest work is shown, and the path is by time', () => {
  const run = execute(graphRun(DIAMOND), [
    [0, 0, 1],
    [2, 1, 4],
    [3, 103, 2]
  ]);
  compute(run, [
    { id: 1, since: 999, stop: 1005, of: { 0: { tasks: 2, done: 2 } } },
    { id: 2, since: 1099, stop: 1105, of: { 3: { tasks: 1, done: 1 } } }
  ]);
  selectionOf(run).select(selectedBy(run, run.computations.list[1]) ?? {});
  expect(criticalPathOf(run)?.tasks.map(({ number }) => number)).toEqual([0, 2]);
  selectRow(criticalPath, run, 'task 0', 'toggle');
  const { computation, period, rows } = selectionOf(run).current;
  expect([computation?.id, period, rows?.numbers]).toEqual([1, null, [0]]);
  selectRow(criticalPath, run, 'task 0', 'toggle');
  expect(selectionOf(run).has(selectedBy(run, run.computations.list[1]) ?? {})).toBe(true);
  expect(taskGraph.titleLine(run, inPane())[0]?.text).toBe('4 tasks');
  expect(taskGraph.notes(run, inPane())).toEqual([
    'not all tasks of the selected computation are known: the latest work is shown'
  ]);
});

test('of one that failed, those of its tasks that did not run are said to be missing', () => {
  const chain: readonly MadeTask[] = [
    { group: 0, state: 'erred' },
    { group: 1, state: 'erred', needs: [0] },
    { group: 2, state: 'erred', needs: [1] }
  ];
  const run = execute(graphRun(chain), [[0, 0, 1]]);
  const of = { 0: { tasks: 1, failed: 1 }, 1: { tasks: 1, dropped: 1 }, 2: { tasks: 1, dropped: 1 } };
  compute(run, [{ id: 1, since: 999, stop: 1001, of }], ...AT, [[0, 1, 1]]);
  expect(taskGraph.notes(run, inPane())).toEqual([]);
  selectionOf(run).select(selectedBy(run, run.computations.list[0]) ?? {});
  expect(taskGraph.titleLine(run, inPane())[0]?.text).toBe('1 task');
  expect(taskGraph.notes(run, inPane())).toEqual(['2 tasks of it are not shown: they did not run, or are not kept']);
  expect(taskGraph.notes(run, inPane({ tasks: 'all' }))).toEqual([]);
  // Some are left.
  compute(run, [{ id: 1, since: 999, of: { ...of, 2: { tasks: 1, left: 1 } } }], ...AT);
  expect(taskGraph.notes(run, inPane())).toEqual([]);
});

test('as many tasks of a computation as before, but others, are another picture', () => {
  const run = foldGraph(new Run(), { graph: graphBody([{ group: 0 }, { group: 1 }, { group: 2 }], 0, { latest: 1 }) });
  const left = { 0: { tasks: 3, left: 3 } };
  const made = [
    { id: 1, since: 999, of: left },
    { id: 2, since: 999, of: left }
  ];
  execute(run, [[2, 0, 1]]);
  compute(run, made, ...AT, [[0, 1, 1]]);
  selectionOf(run).select({ computation: { run: run.identity, id: 1 } });
  const drawn = () => {
    const picture = taskGraph.picture(run, inPane()) as TaskPicture;
    return [picture.structure, ...picture.part().numbers];
  };
  const [before, ...numbers] = drawn();
  expect(numbers).toEqual([1, 2]);
  // Another one executed task 1, this one a task from before.
  execute(
    run,
    [
      [1, 1, 1],
      [0, 1, 1]
    ],
    1
  );
  compute(run, made, ...AT, [
    [1, 2, 1],
    [2, 1, 1]
  ]);
  const [after, ...others] = drawn();
  expect(others).toEqual([0, 2]);
  expect(after).not.toBe(before);
});

test('one in progress has what has not run, which may be of another one', () => {
  const run = execute(graphRun(DIAMOND), [
    [0, 0, 1],
    [1, 1, 1]
  ]);
  const left = { tasks: 2, done: 1, left: 1 };
  compute(
    run,
    [
      { id: 1, since: 999, of: { 0: left } },
      { id: 2, since: 1000, of: { 1: left } }
    ],
    ...AT,
    [
      [0, 1, 1],
      [1, 2, 1]
    ]
  );
  selectionOf(run).select(selectedBy(run, run.computations.list[1]) ?? {});
  expect([...(taskGraph.picture(run, inPane()) as TaskPicture).part().numbers]).toEqual([0, 2, 3]);
  expect(taskGraph.notes(run, inPane())).toEqual(['some tasks may be those of another computation']);
});

test('what another client executed is not its own before that is known', () => {
  const run = graphRun([...DIAMOND.slice(0, 3), { group: 3 }]);
  const functions = [{ prefix: 0 }, { prefix: 2 }, { prefix: 3 }];
  const tasks = tasksBody(functions.map(({ prefix }, i) => ({ prefix, start: 1001 + i, duration: 1 })));
  const executed = { columns: { number: Uint32Array.from([0, 2, 3]) }, scalars: { first: 0 } };
  foldGraph(run, { tasks, executed });
  const made = (shared: number): readonly Made[] => [
    { id: 1, since: 999, of: { 0: { tasks: 2, done: 1, left: 1 }, 1: { tasks: 1, left: 1 } } },
    { id: 2, since: 1000, of: { 2: { tasks: 4, left: 4 }, 3: { tasks: 1 + shared, left: 1 + shared } } },
    { id: 3, since: 1000, of: { 3: { tasks: 1, left: 1 } } }
  ];
  // Whose the last two are has not arrived: one has a function of the second computation, one of the second and the third.
  compute(run, made(0), ...AT, [[0, 1, 1]]);
  selectionOf(run).select({ computation: { run: run.identity, id: 1 } });
  expect(criticalPathOf(run)).toMatchObject({ measured: 1, length: 1 });
  expect([...(taskGraph.picture(run, inPane()) as TaskPicture).part().numbers]).toEqual([0, 1]);
  selectionOf(run).select({ computation: { run: run.identity, id: 3 } });
  expect(criticalPathOf(run)).toBeNull();
  compute(run, made(-1), ...AT);
  expect(criticalPathOf(run)).toMatchObject({ measured: 1, length: 1 });
  expect(taskGraph.notes(run, inPane())).toEqual([]);
});

test('what ran may be of another one before that is known', () => {
  const run = graphRun([{ group: 0 }, { group: 1 }, { group: 1 }]);
  const tasks = tasksBody([0, 1, 1].map((prefix, i) => ({ prefix, start: 1001 + i, duration: 1 })));
  foldGraph(run, { tasks, executed: { columns: { number: Uint32Array.from([0, 1, 2]) }, scalars: { first: 0 } } });
  const both = { 1: { tasks: 1, left: 1 } };
  const rows: readonly Made[] = [
    { id: 1, since: 999, of: { 0: { tasks: 1, done: 1 }, ...both } },
    { id: 2, since: 1000, of: both }
  ];
  compute(run, rows, ...AT, [[0, 1, 1]]);
  selectionOf(run).select({ computation: { run: run.identity, id: 1 } });
  const shown = () => [...(taskGraph.picture(run, inPane()) as TaskPicture).part().numbers];
  expect(shown()).toEqual([0, 1, 2]);
  expect(taskGraph.notes(run, inPane())).toEqual(['some tasks may be those of another computation']);
  const over = { 1: { tasks: 1, done: 1 } };
  compute(
    run,
    [
      { ...rows[0], of: { 0: { tasks: 1, done: 1 }, ...over } },
      { ...rows[1], of: over }
    ],
    ...AT,
    [
      [1, 1, 1],
      [2, 2, 1]
    ]
  );
  expect(shown()).toEqual([0, 1]);
  expect(taskGraph.notes(run, inPane())).toEqual([]);
});

test('a computation waits for what another one has in progress when it arrives, from then on', () => {
  // Task 1 of the first one takes longest, but nothing of the second needs it; the wall time ends with its own last task.
  const run = execute(graphRun([...DIAMOND.slice(0, 3), { group: 3, needs: [2] }]), [
    [0, 0, 1],
    [1, 1, 60],
    [2, 1, 40],
    [3, 41, 2]
  ]);
  const rows: readonly Made[] = [
    { id: 1, since: 999, stop: 1061, of: { 0: { tasks: 3, done: 3 } } },
    { id: 2, since: 1003, stop: 1043, of: { 3: { tasks: 1, done: 1 } } }
  ];
  const tasks = () => criticalPathOf(run)?.tasks.map(({ number, start, duration }) => [number, start, duration]);
  const expected = [
    [2, 1003, 38],
    [3, 1041, 2]
  ];
  // Where it is not known whose executions are, too: what began before it arrived is of another one.
  compute(run, rows, ...AT);
  expect(tasks()).toEqual(expected);
  compute(run, rows, ...AT, [
    [0, 1, 3],
    [3, 2, 1]
  ]);
  expect(tasks()).toEqual(expected);
  expect(criticalPathOf(run)).toMatchObject({ length: 40, wall: 40, share: 1, measured: 1 });
  // A click selects tasks of the computation only.
  selectionOf(run).select(selectedBy(run, run.computations.list[0]) ?? {});
  expect(criticalPath.selects?.(run, 'path')?.rows?.numbers).toEqual([3]);
  expect(criticalPath.selects?.(run, 'task 2')).toBeNull();
  // The first one has its own path.
  selectionOf(run).select(selectedBy(run, run.computations.list[1]) ?? {});
  expect(tasks()?.map(([number]) => number)).toEqual([1]);
});

test('a task that ran for another computation, too, has the time of its own execution', () => {
  const run = execute(graphRun(DIAMOND), [
    [0, 0, 1],
    [2, 1, 4],
    [0, 2, 9]
  ]);
  compute(run, [{ id: 1, since: 1000, of: { 0: { tasks: 2, done: 2 } } }], ...AT, [
    [0, 1, 2],
    [2, 2, 1]
  ]);
  expect(criticalPathOf(run)).toMatchObject({ length: 5, wall: 5 });
});

test('executions long before the computation are not looked at', () => {
  const run = graphRun([{ group: 0 }, { group: 1 }]);
  const early = Array.from({ length: CHUNK_ROWS }, (_, i) => [0, i * 1e-3, 1e-3] as const);
  execute(run, [...early, [1, 100, 3]]);
  compute(run, [{ id: 1, since: 1090, stop: 1103, of: { 1: { tasks: 1, done: 1 } } }]);
  const looked = vi.spyOn(run.executed, 'task');
  expect(criticalPathOf(run)?.tasks.map(({ number }) => number)).toEqual([1]);
  expect(looked.mock.calls.length).toBe(1);
});

test('the wall time is that of the computation, which begins when it arrives', () => {
  const run = execute(graphRun(DIAMOND), [
    [0, 0.5, 1],
    [1, 1, 3],
    [2, 1.5, 4],
    [3, 5.5, 2]
  ]);
  const columns = Object.fromEntries(COMPUTATIONS_COLUMNS.map(name => [name, Float64Array.of(0)]));
  const values = { id: Uint32Array.of(1), done: Uint32Array.of(4), since: Float64Array.of(999), stop: Float64Array.of(1007.5) };
  foldGraph(run, { computations: { columns: { ...columns, ...values }, scalars: { kept: 0, texts: [] } } as never });
  const path = criticalPathOf(run);
  expect([path?.length, path?.wall]).toEqual([7, 8.5]);
  expect(path?.wall).toBe(wallTime(run, run.computations.list[0]));
  expect(
    criticalPath
      .titleLine(run, inPane())
      .slice(0, 2)
      .map(({ text }) => text)
  ).toEqual(['critical path 7.00 s', '82 % of the wall time']);
});

test('tasks that arrive later, and rows of tasks that are not there, are no trouble', () => {
  const run = execute(graphRun([]), [
    [0, 0, 1],
    [2 ** 32 - 1, 0, 50],
    [77, 0, 50]
  ]);
  expect(criticalPathOf(run)).toBeNull();
  foldGraph(run, { graph: graphBody(DIAMOND) });
  expect(criticalPathOf(run)?.tasks.map(({ number }) => number)).toEqual([0]);
  expect(criticalPath.notes(graphRun(DIAMOND, { edges_not_kept: 3 }), inPane())).toEqual([
    'earlier tasks or dependencies are not kept: the path may be longer'
  ]);
});

test('of a selected computation whose tasks are not kept any more, nothing is awaited', () => {
  const run = foldGraph(new Run(), { graph: graphBody([{ group: 0 }], 10, { kept: 10 }) });
  execute(run, [
    [3, 0, 1],
    [10, 100, 1]
  ]);
  compute(
    run,
    [
      { id: 1, since: 999, stop: 1001, code: 'first()', of: { 0: { tasks: 1, done: 1 } } },
      { id: 2, since: 1099, code: 'second()', of: { 0: { tasks: 2, left: 1, done: 1 } } },
      { id: 3, since: 1199, code: 'third()', of: { 0: { tasks: 1, left: 1 } } }
    ],
    ...AT,
    [
      [0, 1, 1],
      [1, 2, 1]
    ]
  );
  const shown = (id: number) => {
    selectionOf(run).select({ computation: { run: run.identity, id } });
    return [criticalPath.empty(run, inPane()), criticalPath.titleLine(run, inPane()).at(-1)?.text];
  };
  const gone = { head: 'No critical path.', body: 'The tasks of the selected computation are not kept any more.' };
  expect(shown(1)).toEqual([gone, 'first()']);
  expect(shown(2)).toEqual([null, 'second()']);
  expect(shown(3)).toEqual([expect.objectContaining({ awaited: true }), 'third()']);
});

test('says that it does not know the tasks that were left when a recording began', () => {
  const tasks: readonly MadeTask[] = [{ group: 0 }, { group: 1, needs: [4] }];
  const recorded = (owned: readonly (readonly [number, number, number])[], done = 4): Run => {
    // In the graph of a block its own tasks have the numbers 4 and 5; 3 and 2 ran when it began, 1 had ended.
    const run = execute(foldGraph(new Run(), { graph: graphBody(tasks, 4, { kept: 4, latest: 4 }) }), [
      [1, -9, 3],
      [3, -1, 3],
      [2, -1, 2],
      [4, 0.5, 0.5],
      [5, 1, 1]
    ]);
    return compute(run, [{ id: 1, since: 1000, of: { 0: { tasks: done, done } } }], ...AT, owned);
  };
  const note = '2 executions of earlier tasks are not counted: the path may be longer';
  for (const run of [recorded([]), recorded([[1, 1, 4]])]) {
    expect(criticalPathOf(run)?.tasks.map(({ number }) => number)).toEqual([4, 5]);
    expect(criticalPath.notes(run, inPane())).toEqual([note]);
  }
  // Those of another computation are no part of it.
  const run = recorded([[3, 1, 2]], 2);
  expect(criticalPath.notes(run, inPane())).toEqual([]);
});

/** The longest sum of durations of all chains that end at a node, by trying all. */
function bruteForce(needs: readonly (readonly number[])[], duration: readonly number[], node: number): number {
  return duration[node] + Math.max(0, ...needs[node].map(need => bruteForce(needs, duration, need)));
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])('the chain is the longest of all, seed %i', seed => {
  const random = randomOf(seed);
  const count = 12;
  // Numbers of tasks are in no order of their dependencies.
  const shuffled = Array.from({ length: count }, (_, i) => i).sort(() => random() - 0.5);
  const needs: number[][] = Array.from({ length: count }, () => []);
  for (let i = 1; i < count; i++) {
    for (let j = 0; j < i; j++) {
      if (random() < 0.25) {
        needs[shuffled[i]].push(shuffled[j]);
      }
    }
  }
  const known = Array.from({ length: count }, () => random() < 0.9);
  const duration = known.map(each => (each ? random() : 0));
  const pairs = needs.flatMap((list, target) => list.map(source => [source, target] as const));
  const links = new Links(
    count,
    Uint32Array.from(pairs, ([source]) => source),
    Uint32Array.from(pairs, ([, target]) => target)
  );
  const path = longestChain({ numbers: Uint32Array.from({ length: count }, (_, i) => i), links }, topological(links), {
    duration: Float64Array.from(duration),
    start: Float64Array.from(known, each => (each ? 0 : Number.NaN)),
    row: Float64Array.from(known, (each, i) => (each ? i : -1)),
    own: new Uint8Array(count).fill(1),
    from: 0,
    to: count,
    earlier: 0
  });
  const longest = Math.max(...duration.map((_, node) => bruteForce(needs, duration, node)));
  expect(path?.length).toBeCloseTo(longest, 10);
  const chain = path?.tasks ?? [];
  expect(chain.reduce((sum, task) => sum + task.duration, 0)).toBeCloseTo(longest, 10);
  expect(chain.every((task, i) => i === 0 || needs[task.number].includes(chain[i - 1].number))).toBe(true);
});
