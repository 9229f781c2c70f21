// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Feed } from '../../../../src/feed/feed';
import { taskGraph } from '../../../../src/plots/tasks/task-graph';
import { Run } from '../../../../src/run/run';
import { isEmpty, selectionOf } from '../../../../src/run/selection/selection';
import { LOCATE_NODE_EVENT, type LocateNodeDetail } from '../../../../src/views/graph/locate';
import { selectedBy } from '../../../../src/selectors/computations/selected';
import { graphLink } from '../../../../src/selectors/graph/link';
import { GraphView } from '../../../../src/views/graph/view';
import type { ViewHost } from '../../../../src/views/view';
import { context } from '../../plots/cluster';
import { additions, foldGraph, graphBody, graphRun, statesBody } from '../../run/made-graph';
import { tasksBody } from '../../run/synthetic';
import { compute } from '../../plots/made-computations';
import { blankCanvases } from '../blank-canvas';

let frames: FrameRequestCallback[] = [];
let opened: unknown[] = [];
let asked: unknown[] = [];

function drawFrames(): void {
  for (let i = 0; i < 20 && frames.length > 0; i++) {
    const due = frames;
    frames = [];
    for (const callback of due) {
      callback(performance.now());
    }
  }
}

function show(run: Run, more: Partial<ViewHost> = {}): GraphView {
  const request = (name: string, args: unknown): Promise<string[]> => {
    asked.push([name, args]);
    return Promise.resolve(['<b>key</b>']);
  };
  const inPane = context({ options: { tasks: 'latest', detail: 'auto' } });
  const view = new GraphView(taskGraph, {
    run,
    feed: { request, state: { status: 'live' } } as unknown as Feed,
    trans: inPane.trans,
    context: inPane,
    saved: {},
    save: () => undefined,
    open: (plot, args) => opened.push([plot, args]),
    ...more
  });
  document.body.append(view.node);
  view.setVisible(true);
  view.resize(600, 400);
  drawFrames();
  return view;
}

function placeOf(view: GraphView, id: number): { x: number; y: number } {
  const found: ({ x: number; y: number } | null)[] = [];
  const detail: LocateNodeDetail = { id, reply: point => found.push(point) };
  view.node.dispatchEvent(new CustomEvent(LOCATE_NODE_EVENT, { detail }));
  const [point] = found;
  if (!point) {
    throw new Error(`${id} is not drawn`);
  }
  return point;
}

function press(view: GraphView, code: string): void {
  view.node.querySelector('.dp-Graph-plot')?.dispatchEvent(new KeyboardEvent('keydown', { code, bubbles: true }));
  drawFrames();
}

beforeEach(() => {
  frames = [];
  opened = [];
  asked = [];
  blankCanvases();
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => frames.push(callback));
  vi.stubGlobal('cancelAnimationFrame', () => undefined);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

test('a click opens the details of a task and selects it', async () => {
  const view = show(graphRun(additions(3)));
  const { x, y } = placeOf(view, 2);
  view.hover(x, y);
  drawFrames();
  await vi.waitFor(() => expect(document.querySelector('.dp-Tooltip-key')?.textContent).toBe('<b>key</b>'));
  view.click(x, y, false);
  drawFrames();
  expect(opened).toEqual([['task', { number: 2, key: '<b>key</b>' }]]);
  expect(asked).toEqual([['numbers', { numbers: [2] }]]);
  expect(view.node.querySelector<HTMLElement>('.dp-Graph-focused')?.hidden).toBe(false);
  view.escape();
  drawFrames();
  expect(view.node.querySelector<HTMLElement>('.dp-Graph-focused')?.hidden).toBe(true);
  view.dispose();
  expect(document.querySelector('.dp-Tooltip')).toBeNull();
});

test('arrows walk, Enter opens, and what is reached is announced', () => {
  const view = show(graphRun(additions(1)));
  press(view, 'ArrowRight');
  press(view, 'ArrowRight');
  expect(view.node.querySelector('[aria-live]')?.textContent).toContain('add, waiting');
  press(view, 'Enter');
  expect(opened).toEqual([['task', { number: 2, key: '' }]]);
  view.dispose();
});

test('a double click on a box, or Enter, opens its tasks', () => {
  const run = graphRun(additions(2000));
  const view = show(run);
  const { x, y } = placeOf(view, 1);
  const plot = view.node.querySelector('.dp-Graph-plot');
  view.click(x, y, false);
  plot?.dispatchEvent(new MouseEvent('dblclick', { clientX: x, clientY: y, bubbles: true }));
  const opens = ['task-graph', { at: 'group 1', of: run.identity }];
  expect(opened).toEqual([opens]);
  press(view, 'Enter');
  expect(opened).toEqual([opens, opens]);
  plot?.dispatchEvent(new MouseEvent('dblclick', { clientX: -500, clientY: -500, bubbles: true }));
  expect(opened).toHaveLength(2);
  view.dispose();
});

test('a click on a box selects the tasks of its function in all views, a second one ends that', () => {
  const run = graphRun(additions(2000));
  const view = show(run);
  const [first, second] = [placeOf(view, 1), placeOf(view, 2)];
  const plot = view.node.querySelector('.dp-Graph-plot');
  const functions = (): readonly string[] | null => selectionOf(run).current.functions;
  view.click(first.x, first.y, false);
  expect(functions()).toEqual(['dec']);
  view.click(second.x, second.y, true);
  expect(functions()).toEqual(['dec', 'add']);
  view.click(second.x, second.y, false);
  expect(functions()).toEqual(['add']);
  view.click(second.x, second.y, false);
  expect(functions()).toBeNull();
  // A double click is two clicks.
  for (const _ of [1, 2]) {
    view.click(first.x, first.y, false);
  }
  plot?.dispatchEvent(new MouseEvent('dblclick', { clientX: first.x, clientY: first.y, bubbles: true }));
  expect(functions()).toEqual(['dec']);
  view.escape();
  expect(isEmpty(selectionOf(run).current)).toBe(true);
  // What another view has selected stays.
  selectionOf(run).select({ functions: ['dec'] });
  view.click(first.x, first.y, false);
  expect(functions()).toEqual(['dec']);
  view.dispose();
});

test('a click on a box keeps its tooltip open, which leads to its errors and has the actions on its function', () => {
  const run = graphRun(
    additions(2000).map((task, i) => ({ ...task, state: i === 1 ? ('erred' as const) : ('memory' as const) }))
  );
  const of = vi.fn(() => [{ label: 'Retry', refusal: '', run: () => undefined }]);
  const view = show(run, { actions: { of, open: () => true } });
  const { x, y } = placeOf(view, 1);
  const tip = (): HTMLElement | null => document.querySelector('.dp-Tooltip');
  view.hover(x, y);
  drawFrames();
  view.click(x, y, false);
  expect(tip()?.dataset.pinned).toBe('true');
  expect([...(tip()?.querySelectorAll('button') ?? [])].map(({ textContent }) => textContent)).toEqual(['Errors', 'Retry']);
  expect(of).toHaveBeenCalledWith({ kind: 'function', prefix: 'dec' });
  view.leave();
  drawFrames();
  expect(tip()).not.toBeNull();
  tip()?.querySelector('button')?.click();
  expect(opened).toEqual([['errors', { function: 'dec', kind: 'all' }]]);
  view.dispose();
  expect(tip()).toBeNull();
});

test('what is selected is saved beside the place that is shown, and comes back with the view', () => {
  let kept: ViewHost['saved'] = {};
  const run = graphRun(additions(2000));
  const view = show(run, { saved: { at: 'all' }, save: state => (kept = state) });
  const { x, y } = placeOf(view, 1);
  view.click(x, y, false);
  expect(kept).toEqual({ at: 'all', selection: '{"functions":["dec"]}' });
  view.dispose();
  const later = new Run();
  const again = show(later, { saved: kept });
  expect(isEmpty(selectionOf(later).current)).toBe(true);
  later.apply(
    { feed: 'f', epoch: 0, seq: 0, time: 5, cursor: {}, names: {}, topics: { tasks: tasksBody([{ start: 1, duration: 1 }]) } },
    0
  );
  expect(selectionOf(later).current.functions).toEqual(['dec']);
  again.dispose();
});

test('a click on a task selects its executions, where they are known', () => {
  const run = graphRun(additions(2));
  foldGraph(run, { executed: { columns: { number: Uint32Array.of(0, 2, 0) }, scalars: { first: 7 } } });
  const view = show(run);
  const click = (id: number): void => {
    const { x, y } = placeOf(view, id);
    view.click(x, y, false);
    drawFrames();
  };
  click(1);
  expect(isEmpty(selectionOf(run).current)).toBe(true);
  click(0);
  expect(selectionOf(run).has({ rows: { run: run.identity, numbers: [7, 9] } })).toBe(true);
  view.dispose();
});

test('a click on a task of a selected computation leaves its graph there', () => {
  const run = graphRun(additions(2));
  foldGraph(run, { executed: { columns: { number: Uint32Array.of(0, 1, 3, 4) }, scalars: { first: 0 } } });
  const two = { tasks: 1, done: 1 };
  const made = [1, 2].map(id => ({ id, since: 990 + id, stop: 995 + id, of: { 0: two, 1: two } }));
  const owned = [
    [0, 1, 2],
    [2, 2, 2]
  ] as const;
  compute(run, made, 1000, 'made-up', owned);
  selectionOf(run).select(selectedBy(run, run.computations.list[1]) ?? {});
  const view = show(run);
  const { x, y } = placeOf(view, 1);
  view.click(x, y, false);
  view.update();
  drawFrames();
  expect(selectionOf(run).current).toMatchObject({ computation: { id: 1 }, rows: { numbers: [1] } });
  expect(placeOf(view, 1)).toEqual({ x, y });
  expect(() => placeOf(view, 3)).toThrow();
  view.dispose();
});

test('the tooltip of a task has the number of what it needs, also where the picture leaves that out', async () => {
  const run = graphRun([
    ...Array.from({ length: 600 }, () => ({ group: 0 })),
    { group: 1, needs: Array.from({ length: 600 }, (_, i) => i) },
    { group: 2, needs: [600] }
  ]);
  const { args } = graphLink(run, { kind: 'task', number: 601 });
  const view = show(run, { context: { ...context({ options: { tasks: 'latest', detail: 'auto' } }), saved: args } });
  const counts = (): (string | null)[] =>
    [...document.querySelectorAll('.dp-Tooltip dd')].slice(0, 2).map(({ textContent }) => textContent);
  for (const [id, words] of [
    [601, ['1', '0']],
    [600, ['600 (0 drawn)', '1']]
  ] as const) {
    const { x, y } = placeOf(view, id);
    view.hover(x, y);
    drawFrames();
    await vi.waitFor(() => expect(counts()).toEqual(words));
  }
  view.dispose();
});

test('the context menu has the actions on the function of a box, and on a task whose key is known', async () => {
  const wanted: unknown[] = [];
  const actions = { of: () => [], open: (subject: unknown) => wanted.push(subject) > 0 };
  const menuAt = (view: GraphView, id: number, shiftKey = false): boolean => {
    const { x, y } = placeOf(view, id);
    const event = new MouseEvent('contextmenu', { clientX: x, clientY: y, bubbles: true, cancelable: true, shiftKey });
    view.node.querySelector('.dp-Graph-plot')?.dispatchEvent(event);
    return event.defaultPrevented;
  };
  const boxes = show(graphRun(additions(2000)), { actions });
  expect(menuAt(boxes, 1, true)).toBe(false);
  expect(menuAt(boxes, 1)).toBe(true);
  boxes.dispose();
  const view = show(graphRun(additions(2)), { actions });
  expect(menuAt(view, 2)).toBe(false);
  const { x, y } = placeOf(view, 2);
  view.hover(x, y);
  drawFrames();
  await vi.waitFor(() => expect(document.querySelector('.dp-Tooltip-key')?.textContent).toBe('<b>key</b>'));
  expect(menuAt(view, 2)).toBe(true);
  expect(wanted).toEqual([
    { kind: 'function', prefix: 'dec' },
    { kind: 'task', key: '<b>key</b>', state: 'waiting' }
  ]);
  view.dispose();
});

test('a right click where there are no actions, as on a run that has ended, is left to the browser', () => {
  const view = show(graphRun(additions(2000)), { actions: { of: () => [], open: () => false } });
  const { x, y } = placeOf(view, 1);
  const event = new MouseEvent('contextmenu', { clientX: x, clientY: y, bubbles: true, cancelable: true });
  view.node.querySelector('.dp-Graph-plot')?.dispatchEvent(event);
  expect(event.defaultPrevented).toBe(false);
  view.dispose();
});

test('the context menu of the keyboard is about the node that it has reached, wherever the pointer is', () => {
  const wanted: unknown[] = [];
  const view = show(graphRun(additions(2000)), {
    actions: { of: () => [], open: (subject: unknown) => wanted.push(subject) > 0 }
  });
  const plot = view.node.querySelector('.dp-Graph-plot') as HTMLElement;
  const menu = (): boolean => {
    const { x, y } = placeOf(view, 1);
    const event = new MouseEvent('contextmenu', { clientX: x, clientY: y, bubbles: true, cancelable: true });
    plot.dispatchEvent(event);
    return event.defaultPrevented;
  };
  const key = (init: KeyboardEventInit): unknown => plot.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, ...init }));
  key({ key: 'ContextMenu' });
  expect([menu(), wanted]).toEqual([false, []]);
  const { x, y } = placeOf(view, 2);
  view.click(x, y, true);
  drawFrames();
  key({ key: 'F10', shiftKey: true });
  expect(menu()).toBe(true);
  plot.dispatchEvent(new Event('pointerdown'));
  expect(menu()).toBe(true);
  expect(wanted).toEqual([
    { kind: 'function', prefix: 'add' },
    { kind: 'function', prefix: 'dec' }
  ]);
  view.dispose();
});

test('new tasks come in, a paused picture stays', () => {
  const run = graphRun(additions(1));
  const view = show(run);
  expect(() => placeOf(view, 3)).toThrow();
  foldGraph(run, { graph: graphBody([{ group: 3, needs: [2] }], 3, { first_edge: 2 }), states: statesBody(['memory'], [0]) });
  view.setPaused(true);
  foldGraph(run, { graph: graphBody([{ group: 3, needs: [3] }], 4, { first_edge: 3 }) });
  view.setTheme(context().theme);
  drawFrames();
  placeOf(view, 3);
  expect(() => placeOf(view, 4)).toThrow();
  expect(view.shownAt).toBe(1000);
  view.dispose();
});

const ANOTHER = { feed: 'another', epoch: 0, seq: 0, time: 5000, cursor: {}, names: {}, topics: {} };

test('a paused picture stays that of a run that has ended, whose keys are no longer available', async () => {
  const run = graphRun(additions(1));
  const view = show(run);
  view.setPaused(true);
  drawFrames();
  const place = placeOf(view, 2);
  run.apply(ANOTHER, 0);
  drawFrames();
  expect(placeOf(view, 2)).toEqual(place);
  asked = [];
  opened = [];
  press(view, 'ArrowRight');
  press(view, 'Enter');
  await Promise.resolve();
  expect([asked, opened]).toEqual([[], []]);
  view.setPaused(false);
  drawFrames();
  expect(() => placeOf(view, 2)).toThrow();
  view.dispose();
});

test('a plot that throws says so in place of the picture', () => {
  const run = graphRun(additions(1));
  const view = show(run);
  const faults: unknown[] = [];
  view.failed.connect((_, error) => faults.push(error));
  vi.spyOn(taskGraph, 'picture').mockImplementation(() => {
    throw new Error('on purpose');
  });
  view.setTheme(context().theme);
  drawFrames();
  expect(String(faults[0])).toContain('on purpose');
  view.dispose();
});

test('a selected box is no other box when boxes are grouped by something else', () => {
  // Group 1 is of function 0, group 2 of function 1.
  const tasks = Array.from({ length: 60 }, (_, i) => ({ group: i % 3, prefix: i % 3 === 0 ? 2 : (i % 3) - 1 }));
  const run = foldGraph(new Run(), { graph: graphBody(tasks) });
  const inPane = context({ options: { tasks: 'latest', detail: 'groups' } });
  const view = show(run, { context: inPane });
  const { x, y } = placeOf(view, 1);
  view.click(x, y, false);
  drawFrames();
  const [chosen] = selectionOf(run).current.functions ?? [];
  Object.assign(inPane, { options: { tasks: 'latest', detail: 'functions' } });
  view.setTheme(context().theme);
  view.update();
  drawFrames();
  press(view, 'Enter');
  // Nothing is selected in the new picture: what was chosen stays.
  expect(selectionOf(run).current.functions).toEqual([chosen]);
});
