import { expect, test } from 'vitest';
import { taskGraph } from '../../../src/plots/tasks/task-graph';
import { taskGroups } from '../../../src/plots/tasks/task-groups';
import { STATE_ORDER, stateLook } from '../../../src/selectors/tasks/task-states';
import { TASK_STATE } from '../../../src/feed/schema';
import { Run } from '../../../src/run/run';
import { selectionOf } from '../../../src/run/selection/selection';
import { isDimmed, selectRow } from '../../../src/views/table/row-actions';
import { graphLink } from '../../../src/selectors/graph/link';
import { additions, foldGraph, graphRun, statesBody } from '../run/made-graph';
import { context, theme } from './cluster';

const inPane = (options: Record<string, string> = {}) => context({ options: { tasks: 'latest', detail: 'auto', ...options } });

function texts(parts: readonly { readonly text: string }[]): string[] {
  return parts.map(({ text }) => text);
}

test('up to 5,000 tasks are drawn one by one, more as boxes', () => {
  expect(taskGraph.picture(graphRun(additions(1000)), inPane()).kind).toBe('tasks');
  const many = graphRun(additions(2000));
  const picture = taskGraph.picture(many, inPane());
  expect(picture.kind === 'boxes' && picture.boxes.map(({ title, facts }) => [title, facts])).toEqual([
    ['inc', '2,000 tasks'],
    ['dec', '2,000 tasks'],
    ['add', '2,000 tasks']
  ]);
  expect(taskGraph.notes(many, inPane())).toEqual(['6,000 tasks, drawn by task group']);
  expect(taskGraph.picture(many, inPane({ detail: 'tasks' })).kind).toBe('tasks');
  expect(taskGraph.picture(graphRun(additions(1)), inPane({ detail: 'groups' })).kind).toBe('boxes');
});

test('the title counts, the legend has what there is, the table has every task', () => {
  const run = graphRun(additions(2));
  foldGraph(run, { states: statesBody(['memory', 'erred', 'no-worker'], [0, 1, 2]) });
  expect(texts(taskGraph.titleLine(run, inPane()))).toEqual([
    '6 tasks',
    '3 waiting',
    '1 in memory',
    '1 no worker fits',
    '1 erred'
  ]);
  // What failed leads to the errors.
  const links = taskGraph.titleLine(run, inPane()).map(({ opens }) => opens);
  expect(links).toEqual([...Array(4).fill(undefined), { plot: 'errors', args: { function: '', kind: 'all' } }]);
  const boxes = taskGraph.picture(run, inPane({ detail: 'functions' }));
  const dec = { label: 'Errors', plot: 'errors', args: { function: 'dec', kind: 'all' } };
  expect(boxes.kind === 'boxes' && boxes.boxes.map(({ tooltip }) => tooltip.links)).toEqual([undefined, [dec], undefined]);
  expect(taskGraph.legend(run, inPane()).map(({ id }) => id)).toEqual(['waiting', 'no-worker', 'erred', 'memory']);
  const { rows } = taskGraph.table(run, inPane());
  expect(rows.map(({ cells }) => texts(cells).slice(0, 5).join(' '))).toEqual([
    '0 inc in memory 0 1',
    '1 dec erred 0 1',
    '2 add no worker fits 2 0',
    '3 inc waiting 0 1',
    '4 dec waiting 0 1',
    '5 add waiting 2 0'
  ]);
  expect(taskGraph.summary(run, inPane())).toBe('Task graph: 6 tasks, 3 waiting, 1 in memory, 1 no worker fits, 1 erred.');
});

test('nothing to draw says what is', () => {
  expect(taskGraph.empty(new Run(), inPane())?.head).toBe('No tasks.');
  const gone = graphRun([{ group: 0, state: 'forgotten' }]);
  expect(taskGraph.empty(gone, inPane())).toBeNull();
  expect(taskGraph.empty(gone, inPane({ tasks: 'live' }))?.head).toBe('The scheduler has no tasks now.');
  expect(taskGroups.empty(new Run(), inPane())?.head).toBe('No task groups.');
});

test('the graph opens at a task, an execution and a box, says what it leaves out, and leads back', () => {
  const run = graphRun([
    ...additions(3000),
    { group: 3, needs: Array.from({ length: 3000 }, (_, i) => 3 * i + 2) },
    { group: 3, needs: [9000] }
  ]);
  foldGraph(run, { executed: { columns: { number: Uint32Array.of(9001) }, scalars: { first: 4 } } });
  const at = (place: Parameters<typeof graphLink>[1]) => ({ ...inPane(), saved: graphLink(run, place).args });
  const first = at({ kind: 'task', number: 2 });
  expect(texts(taskGraph.titleLine(run, first)).slice(0, 2)).toEqual(['5 tasks around add', 'all tasks']);
  expect(taskGraph.notes(run, first)).toEqual([]);
  const picture = taskGraph.picture(run, first);
  expect(picture.kind === 'tasks' && [...picture.part().numbers]).toEqual([0, 1, 2, 9000, 9001]);
  expect(taskGraph.table(run, first).rows).toHaveLength(5);
  const last = at({ kind: 'execution', row: 4 });
  expect(texts(taskGraph.titleLine(run, last)).slice(0, 2)).toEqual(['2 tasks around sum', 'all tasks']);
  expect(taskGraph.notes(run, last)).toEqual(['2 of 9,002 tasks that it needs or that need it: up to 1 step away']);
  // What is left out of the picture is needed anyway.
  expect(taskGraph.table(run, last).rows.map(({ cells }) => texts(cells).slice(3, 5))).toEqual([
    ['3,000', '1'],
    ['1', '0']
  ]);
  const boxed = taskGraph.picture(run, inPane());
  const link = boxed.kind === 'boxes' ? boxed.opens(0) : null;
  const inc = { ...inPane(), saved: link?.args };
  expect(texts(taskGraph.titleLine(run, inc)).slice(0, 2)).toEqual(['5,000 tasks of inc and what is linked', 'all tasks']);
  expect(taskGraph.notes(run, inc)).toEqual(['5,000 of 6,000 tasks are drawn']);
  // What is not there, and a place of another run.
  expect(taskGraph.empty(run, at({ kind: 'execution', row: 99 }))?.head).toBe('No such task in the graph.');
  const other = { ...inPane(), saved: { at: 'task 2', of: 'another run' } };
  expect(texts(taskGraph.titleLine(run, other))[0]).toBe('9,002 tasks');
  const hostile = { ...inPane(), saved: { at: 'task 99999999999999999999', of: run.identity } };
  expect(texts(taskGraph.titleLine(run, hostile))[0]).toBe('9,002 tasks');
});

test('many tasks by function and by level', () => {
  const run = graphRun([...additions(2), { group: 3, prefix: 2, needs: [2, 5] }]);
  const titles = (detail: string) => {
    const picture = taskGraph.picture(run, inPane({ detail }));
    return picture.kind === 'boxes' ? picture.boxes.map(({ title, facts }) => `${title}: ${facts}`) : [];
  };
  expect(titles('groups')).toEqual(['inc: 2 tasks', 'dec: 2 tasks', 'add: 2 tasks', 'add: 1 task']);
  expect(titles('functions')).toEqual(['inc: 2 tasks', 'dec: 2 tasks', 'add: 3 tasks']);
  expect(titles('levels')).toEqual(['inc: 2 tasks', 'dec: 2 tasks', 'add: 2 tasks', 'add: 1 task']);
  const context = inPane({ detail: 'levels' });
  expect(taskGraph.notes(run, context)).toEqual(['7 tasks, drawn by function and level']);
  expect(taskGraph.table(run, context).rows.map(({ cells }) => cells[0].text)).toEqual([
    'inc [0]',
    'dec [0]',
    'add [1]',
    'add [2]'
  ]);
  const picture = taskGraph.picture(run, context);
  const saved = picture.kind === 'boxes' ? picture.opens(picture.boxes[3].id).args : {};
  expect(texts(taskGraph.titleLine(run, { ...context, saved }))[0]).toBe('3 tasks of add [2] and what is linked');
});

test('what is not kept is said', () => {
  const run = graphRun(additions(1), { kept: 0, not_kept: 200_000, edges_not_kept: 5, waiting: 1234 });
  expect(taskGraph.notes(run, inPane())).toEqual([
    '1,234 tasks are being read',
    '200,000 tasks not kept',
    '5 dependencies not kept'
  ]);
});

test('names in many lines stay in one', () => {
  const run = foldGraph(graphRun(additions(2000)), {}, ['<b>inc</b>\nfoo', 'dec', 'add', 'sum']);
  const picture = taskGraph.picture(run, inPane());
  expect(picture.kind === 'boxes' && picture.boxes[0].title).toBe('<b>inc</b> foo');
});

test('every state looks different', () => {
  expect([...STATE_ORDER].sort()).toEqual([...TASK_STATE].sort());
  const marks = TASK_STATE.map(state => stateLook(state, theme()).mark);
  expect(new Set(marks).size).toBe(TASK_STATE.length);
});

test('cancelled and failed tasks of a group are not done', () => {
  const run = new Run();
  const zero = ['released', 'queued', 'no_worker', 'waiting', 'processing', 'memory', 'erred', 'nbytes', 'duration'];
  const columns = {
    id: Uint32Array.of(0, 1, 2),
    prefix: Uint32Array.of(0, 1, 2),
    ...Object.fromEntries([...zero, 'start', 'stop'].map(name => [name, Float64Array.of(0, 0, 0)])),
    forgotten: Uint32Array.of(12, 6, 5),
    forgotten_erred: Uint32Array.of(0, 6, 0),
    cancelled: Uint32Array.of(12, 0, 0)
  };
  foldGraph(run, { groups: { columns, scalars: {} } });
  const picture = taskGroups.picture(run, inPane());
  expect(picture.kind === 'boxes' && picture.boxes.map(({ facts, states }) => [facts, states])).toEqual([
    ['0 / 12', [{ state: 'cancelled', count: 12 }]],
    ['0 / 6', [{ state: 'erred', count: 6 }]],
    ['5 / 5', [{ state: 'forgotten', count: 5 }]]
  ]);
  expect(texts(taskGroups.titleLine(run, inPane()))).toEqual(['3 groups', '1 done', '2 ended with erred or cancelled tasks']);
  expect(taskGroups.titleLine(run, inPane())[2].opens?.plot).toBe('errors');
  const failed = taskGroups.table(run, inPane()).rows.map(({ cells }) => cells.flatMap(({ opens }) => opens ?? []));
  expect(failed.map(links => links.map(({ plot }) => plot))).toEqual([[], ['errors'], []]);
});

test('groups have their counts, times and what they need', () => {
  const run = new Run();
  const column = (...values: number[]): Float64Array => Float64Array.from(values);
  foldGraph(run, {
    groups: {
      columns: {
        id: Uint32Array.of(0, 2),
        prefix: Uint32Array.of(0, 2),
        ...Object.fromEntries(
          ['released', 'queued', 'no_worker', 'erred', 'forgotten', 'nbytes'].map(name => [name, column(0, 0)])
        ),
        waiting: column(0, 5),
        processing: column(0, 1),
        memory: column(10, 4),
        duration: column(2.5, 0),
        start: column(1000, 0),
        stop: column(1002, 0)
      },
      moves: { source: Uint32Array.of(0), target: Uint32Array.of(2) },
      scalars: { not_kept: 3 }
    }
  });
  const picture = taskGroups.picture(run, inPane());
  expect(picture.kind === 'boxes' && picture.boxes.map(({ title, facts }) => [title, facts])).toEqual([
    ['inc', '10 / 10 · 2.50 s'],
    ['add', '4 / 10']
  ]);
  expect(picture.kind === 'boxes' && [...picture.links.sources, ...picture.links.targets]).toEqual([0, 1]);
  expect(texts(taskGroups.titleLine(run, inPane()))).toEqual(['2 groups', '1 done', '1 at work or waiting']);
  expect(taskGroups.notes(run, inPane())).toEqual(['3 groups not kept']);
  const { columns, rows } = taskGroups.table(run, inPane());
  const cell = (row: number, id: string): string => rows[row].cells[columns.findIndex(each => each.id === id)].text;
  expect([cell(1, 'name'), cell(1, 'tasks'), cell(1, 'waiting'), cell(1, 'needs')]).toEqual(['add', '10', '5', 'inc']);
  // A group, and a box, stand for the tasks of their function.
  expect(rows.map(({ id }) => taskGroups.acts?.(run, id))).toEqual([
    { kind: 'function', prefix: 'inc' },
    { kind: 'function', prefix: 'add' }
  ]);
  expect(taskGroups.acts?.(run, '1')).toBeNull();
  expect(picture.kind === 'boxes' && picture.boxes.map(({ prefix }) => prefix)).toEqual([0, 2]);
});

test('rows of the table select what a task or a box stands for, and are dimmed where others are selected', () => {
  const run = graphRun(additions(2));
  foldGraph(run, { executed: { columns: { number: Uint32Array.of(0, 2, 0) }, scalars: { first: 7 } } });
  const boxes = taskGraph.table(run, inPane({ detail: 'groups' })).rows.map(({ id }) => id);
  expect(boxes.map(id => taskGraph.acts?.(run, id))).toEqual(['inc', 'dec', 'add'].map(prefix => ({ kind: 'function', prefix })));
  selectRow(taskGraph, run, boxes[1]);
  const { current } = selectionOf(run);
  expect(current.functions).toEqual(['dec']);
  const tasks = taskGraph.table(run, inPane()).rows.map(({ id }) => id);
  const bright = (): string[] => [...boxes, ...tasks].filter(id => !isDimmed(taskGraph, run, id));
  expect(bright()).toEqual([boxes[1], '1', '4']);
  selectRow(taskGraph, run, '0');
  expect(selectionOf(run).has({ rows: { run: run.identity, numbers: [7, 9] } })).toBe(true);
  expect(bright()).toEqual([...boxes, '0']);
  // It has not ended: those of its function.
  selectRow(taskGraph, run, '5');
  expect(selectionOf(run).has({ functions: ['add'] })).toBe(true);
});

test('erred tasks lead to the errors of their function, one by one and by box', () => {
  const run = graphRun(additions(2).map((task, i) => ({ ...task, state: i === 2 ? ('erred' as const) : ('memory' as const) })));
  const links = (options: Record<string, string>): unknown[] =>
    taskGraph.table(run, inPane(options)).rows.flatMap(({ cells }) => cells.flatMap(({ opens }) => opens ?? []));
  const errors = { plot: 'errors', args: { function: 'add', kind: 'all' } };
  expect(links({})).toEqual([errors]);
  expect(links({ detail: 'functions' })).toEqual([errors]);
});
