// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setNumberLocale } from '../../../../src/base/format';
import type { Feed } from '../../../../src/feed/feed';
import type { Scalar, TopicBody } from '../../../../src/feed/frame';
import { running as runningTasks } from '../../../../src/plots/tasks/running';
import { workers } from '../../../../src/plots/workers/workers';
import type { Run } from '../../../../src/run/run';
import { selectionOf } from '../../../../src/run/selection/selection';
import { allWorkers } from '../../../../src/selectors/workers/worker-rows';
import { whyHalted } from '../../../../src/selectors/workers/worker-words';
import { openRow } from '../../../../src/views/table/row-actions';
import type { ViewActions, ViewHost } from '../../../../src/views/view';
import { WorkerView } from '../../../../src/views/worker/view';
import { cluster, context, step } from '../../plots/cluster';

const HOSTILE = '<img src=x onerror=alert(1)>';

let opened: unknown[] = [];
/** Answers to call stacks, and to what a worker has. */
const callStacks = vi.fn<() => Promise<Scalar>>();
const holdings = vi.fn<(worker: unknown) => Promise<Scalar>>();
const request: Feed['request'] = (name, args) => (name === 'callstack' ? callStacks() : holdings(args?.worker));

beforeEach(() => {
  setNumberLocale('en');
  opened = [];
  callStacks.mockReset();
  holdings.mockReset().mockRejectedValue(new Error('The collector knows no such request.'));
});
afterEach(() => document.body.replaceChildren());

function applyTopics(run: Run, topics: Record<string, TopicBody>, time = 1100): void {
  run.apply({ feed: 'made-up', epoch: 0, seq: 0, time, cursor: {}, names: {}, topics }, time * 1000);
}

function running(ids: readonly number[], state = 1): TopicBody {
  const of = (value: number): Float64Array => Float64Array.from(ids, () => value);
  const columns = {
    id: Float64Array.from(ids),
    state: of(state),
    worker: of(0),
    prefix: of(0),
    start: of(1000),
    as_of: of(1090)
  };
  return { columns, scalars: { keys: ids.map(id => [id, `${HOSTILE}-${id}`]), unlisted: 0 } };
}

function logs(texts: readonly string[]): TopicBody {
  const of = (value: number): Float64Array => Float64Array.from(texts, () => value);
  const columns = { time: Float64Array.from(texts, (_, i) => 1050 + i), level: of(40), server: of(1) };
  return {
    columns,
    scalars: { first: 0, lost: 0, name: texts.map(() => 'ERROR'), logger: texts.map(() => 'x'), text: [...texts] }
  };
}

function made(status: 'running' | 'lost' = 'running'): Run {
  const run = cluster({
    workers: [
      { name: HOSTILE, address: 'tcp://a:1', status, process: 1e9 },
      { name: 'b', address: 'tcp://b:1' }
    ]
  });
  applyTopics(run, { running: running([1, 2]), logs: logs([HOSTILE]) });
  return run;
}

function show(run: Run, status: 'live' | 'recorded' | null = 'live', worker = 'tcp://a:1', actions?: ViewActions): WorkerView {
  const view = new WorkerView({
    run,
    feed: status === null ? null : ({ state: { status }, request } as unknown as Feed),
    trans: context().trans,
    context: context({ options: { worker } }),
    saved: {},
    save: () => undefined,
    open: (plot, args) => opened.push([plot, args]),
    ...(actions ? { actions } : {})
  });
  document.body.append(view.node);
  view.setVisible(true);
  return view;
}

function button(view: WorkerView, text: string): HTMLButtonElement | undefined {
  return [...view.node.querySelectorAll('button')].find(each => each.textContent === text);
}

const drawn = (view: WorkerView): Promise<void> =>
  vi.waitFor(() => expect(view.node.querySelector('.dp-Worker-name')?.textContent).not.toBe(''));

test('call stacks are asked for by a button only, again by each press, and are shown as text', async () => {
  const view = show(made());
  await drawn(view);
  const stacks = view.node.querySelector<HTMLElement>('[data-part="stacks"]');
  expect(callStacks).not.toHaveBeenCalled();
  callStacks.mockResolvedValueOnce([{ worker: 'tcp://a:1', key: HOSTILE, frames: [`File "${HOSTILE}"`] }]);
  button(view, 'Look now')?.click();
  await vi.waitFor(() => expect(stacks?.querySelector('pre')?.textContent).toBe(`File "${HOSTILE}"`));
  expect(stacks?.querySelector('h3')?.textContent).toMatch(/^Call stacks *as of \d\d:\d\d:\d\d$/);
  expect(view.node.querySelector('img')).toBeNull();
  callStacks.mockResolvedValueOnce([]);
  button(view, 'Look now')?.click();
  await vi.waitFor(() => expect(stacks?.textContent).toContain('No thread of it runs a task at this moment.'));
  callStacks.mockRejectedValueOnce(new Error('The worker does not answer.'));
  button(view, 'Look now')?.click();
  await vi.waitFor(() => expect(stacks?.textContent).toContain('does not answer'));
});

test('what it did when its client closed is said to be of then', async () => {
  const run = made();
  const view = show(run);
  await drawn(view);
  const head = (): string => view.node.querySelector('.dp-Worker-head, header')?.textContent ?? view.node.textContent ?? '';
  expect(head()).toMatch(/■ busy(?! when)/);
  run.end(2_000_000);
  view.update();
  await vi.waitFor(() => expect(head()).toContain('■ busy when the client closed'));
  const paused = cluster({ workers: [{ name: 'a', address: 'tcp://a:1', status: 'paused' }] });
  paused.end(2_000_000);
  expect(whyHalted(allWorkers(paused)[0], paused, context().trans)).toMatch(/paused: .* This was so when the client closed\.$/);
});

const HELD: Scalar = {
  ...{
    waiting: 60_000,
    waiting_looked: 20_000,
    first: [
      [HOSTILE, '(0, 1, 2)'],
      ['x'.repeat(200), '(0, 1, 3)']
    ]
  },
  ...{
    results: 3,
    nbytes: 6e9,
    results_looked: 3,
    largest: [
      ['large', 4e9, 2],
      ['small', 1e9, 0]
    ]
  },
  resources: [[HOSTILE, 1, 2]]
};

const part = (view: WorkerView): HTMLElement | null => view.node.querySelector<HTMLElement>('[data-part="holdings"]');

test('what waits on a worker, its largest results and its resources are asked for, shown as text, and lead on', async () => {
  holdings.mockResolvedValue(HELD);
  const view = show(made());
  await vi.waitFor(() => expect(part(view)?.hidden).toBe(false));
  expect(holdings.mock.calls).toEqual([['tcp://a:1']]);
  const lines = [...(part(view)?.querySelectorAll('h3, li, p') ?? [])].filter(each => !(each as HTMLElement).hidden);
  expect(lines.map(({ textContent }) => textContent)).toEqual([
    'Resourcestaken by tasks assigned to it',
    `1 of 2${HOSTILE}`,
    'Waits on it, by priority60,000',
    `(0, 1, 2)${HOSTILE}`,
    `(0, 1, 3)${'x'.repeat(200)}`,
    'and 59,998 more; only 20,000 were looked at',
    'Results held, the largest first3 · 5.59 GiB',
    '3.73 GiBlarge · also on 2 other workers',
    '954 MiBsmall',
    'and 1 more'
  ]);
  expect(view.node.querySelector('img')).toBeNull();
  button(view, HOSTILE)?.click();
  button(view, 'small')?.click();
  expect(opened).toEqual([
    ['task', { key: HOSTILE }],
    ['task', { key: 'small' }]
  ]);
  // A key that was cut names no task.
  expect(button(view, 'x'.repeat(200))).toBeUndefined();
  view.dispose();
});

test('what a worker has is of that worker, and of now: not of another one, not of one that left, not while paused', async () => {
  holdings.mockResolvedValue(HELD);
  const run = made();
  selectionOf(run).select({ workers: ['tcp://a:1'] });
  const view = show(run, 'live', '');
  await vi.waitFor(() => expect(part(view)?.hidden).toBe(false));
  holdings.mockReturnValue(new Promise(() => undefined));
  selectionOf(run).select({ workers: ['tcp://b:1'] });
  await vi.waitFor(() => expect(part(view)?.hidden).toBe(true));
  expect(holdings.mock.calls.at(-1)).toEqual(['tcp://b:1']);
  view.dispose();
  const paused = show(made());
  paused.setPaused(true);
  await drawn(paused);
  expect(holdings).toHaveBeenCalledTimes(2);
  paused.dispose();
  for (const [status, feed] of [
    ['lost', 'live'],
    ['running', 'recorded'],
    ['running', null]
  ] as const) {
    const none = show(made(status), feed);
    await drawn(none);
    expect(part(none)?.hidden).toBe(true);
    none.dispose();
  }
  expect(holdings).toHaveBeenCalledTimes(2);
});

test.each([
  ['a recording', 'recorded', 'running'],
  ['a worker that is lost', 'live', 'lost']
] as const)('%s is asked for no call stacks', async (_, feed, status) => {
  const view = show(made(status), feed);
  await drawn(view);
  expect(view.node.querySelector<HTMLElement>('[data-part="stacks"]')?.hidden).toBe(true);
});

test('everything from a cluster is shown as text, and leads on', async () => {
  const run = made();
  const view = show(run);
  await drawn(view);
  expect(view.node.querySelector('img')).toBeNull();
  expect(view.node.textContent).toContain(`${HOSTILE}-1`);
  expect(view.node.querySelector('.dp-Worker-list li[data-tone="bad"]')?.textContent).toContain(HOSTILE);
  button(view, `${HOSTILE}-1`)?.click();
  button(view, 'Logs')?.click();
  button(view, 'Profile')?.click();
  button(view, 'Event loop')?.click();
  button(view, 'Task stream')?.click();
  expect(opened).toEqual([
    ['task', { key: `${HOSTILE}-1` }],
    ['logs', { servers: 'tcp://a:1' }],
    ['profile', { worker: 'tcp://a:1' }],
    ['profile-server', { worker: 'tcp://a:1' }],
    ['task-stream', {}]
  ]);
  expect(selectionOf(run).current.workers).toEqual(['tcp://a:1']);
  view.dispose();
});

test('without a choice, another worker is shown as soon as it is selected', async () => {
  const run = made();
  selectionOf(run).select({ workers: ['tcp://a:1'] });
  const view = show(run, 'live', '');
  await drawn(view);
  selectionOf(run).select({ workers: ['tcp://b:1'] });
  await vi.waitFor(() => expect(view.node.querySelector('.dp-Worker-name')?.textContent).toBe('b'));
  view.dispose();
});

test('what stays keeps its element, and its focus, when there is news', async () => {
  const run = made();
  const view = show(run);
  await drawn(view);
  const [task, link] = [button(view, `${HOSTILE}-2`), button(view, 'Logs')];
  task?.focus();
  applyTopics(run, { running: running([1], 0) }, 1200);
  applyTopics(run, { running: running([3]), logs: logs(['new']) }, 1201);
  view.update();
  await vi.waitFor(() => expect(button(view, `${HOSTILE}-3`)).toBeDefined());
  expect(button(view, `${HOSTILE}-1`)).toBeUndefined();
  expect(button(view, `${HOSTILE}-2`)).toBe(task);
  expect(button(view, 'Logs')).toBe(link);
  expect(document.activeElement).toBe(task);
  view.dispose();
});

test('nothing changes while a button is pressed', async () => {
  const run = made();
  const view = show(run);
  await drawn(view);
  button(view, 'Logs')?.dispatchEvent(new MouseEvent('pointerdown', { bubbles: true, button: 0 }));
  applyTopics(run, { running: running([1], 0) }, 1200);
  view.setTheme(context().theme);
  await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  expect(button(view, `${HOSTILE}-1`)).toBeDefined();
  window.dispatchEvent(new MouseEvent('pointerup'));
  await vi.waitFor(() => expect(button(view, `${HOSTILE}-1`)).toBeUndefined());
  view.dispose();
});

test('actions are on a worker that is there, and on no recorded one', async () => {
  const ran: string[] = [];
  const asked: unknown[] = [];
  const actions: ViewActions = {
    of: subject => {
      asked.push(subject);
      return [
        { label: 'Retire', refusal: '', run: () => ran.push('retire') },
        { label: 'Trim', refusal: 'not here', run: () => ran.push('trim') }
      ];
    },
    open: () => false
  };
  const run = made();
  const view = show(run, 'live', 'tcp://a:1', actions);
  await drawn(view);
  expect(asked[0]).toEqual({ kind: 'worker', address: 'tcp://a:1', name: HOSTILE });
  button(view, 'Trim')?.click();
  button(view, 'Retire')?.click();
  expect(ran).toEqual(['retire']);
  expect(button(view, 'Trim')?.title).toBe('not here');
  // The picture is of a moment at which it was there; it has gone since.
  view.setPaused(true);
  step(run, { time: 1300, workers: [{ name: HOSTILE, address: 'tcp://a:1', status: 'lost' }] });
  view.setTheme(context().theme);
  await vi.waitFor(() => expect(button(view, 'Retire')).toBeUndefined());
  expect(view.node.querySelector('.dp-Worker-status')?.textContent).toContain('busy');
  view.dispose();

  const recorded = show(made(), 'recorded', 'tcp://a:1', actions);
  await drawn(recorded);
  expect(button(recorded, 'Retire')).toBeUndefined();
  expect(button(recorded, `${HOSTILE}-1`)).toBeUndefined();
  expect(recorded.node.textContent).toContain(`${HOSTILE}-1`);
  expect(button(recorded, 'Profile')).toBeUndefined();
  expect(button(recorded, 'Logs')).toBeDefined();
  recorded.dispose();
});

test('a button keeps the focus when it cannot be used any more', async () => {
  let refusal = '';
  const actions: ViewActions = { of: () => [{ label: 'Retire', refusal, run: () => undefined }], open: () => false };
  const view = show(made(), 'live', 'tcp://a:1', actions);
  await drawn(view);
  button(view, 'Retire')?.focus();
  refusal = 'The kernel is busy.';
  view.setTheme(context().theme);
  await vi.waitFor(() => expect(button(view, 'Retire')?.title).toBe(refusal));
  expect(document.activeElement).toBe(button(view, 'Retire'));
  view.dispose();
});

test('a report has no actions; of a worker that has gone no figures are shown, which are not true any more', async () => {
  const view = show(made('lost'), null);
  await drawn(view);
  const { textContent } = view.node;
  expect(textContent).toContain('It has left.');
  expect(textContent).toContain(HOSTILE);
  expect(textContent).not.toContain('Managed');
  expect(textContent).not.toContain('Tasks assigned');
  expect(textContent).not.toContain(`${HOSTILE}-1`);
  expect(view.node.querySelectorAll('[aria-disabled]')).toHaveLength(0);
  view.dispose();
});

test('a row of the table of workers opens its details, also of a recording; details of a task ask the scheduler', () => {
  const run = made();
  const host = {
    feed: { state: { status: 'recorded' } } as unknown as Feed,
    open: (plot: string, args: unknown) => opened.push([plot, args])
  } as unknown as ViewHost;
  openRow(workers, run, '0', host);
  openRow(runningTasks, run, '1 1000', host);
  expect(opened).toEqual([['worker', { worker: 'tcp://a:1' }]]);
});

test('another worker, and none', async () => {
  const run = made();
  const view = show(run, 'live', 'tcp://b:1');
  await vi.waitFor(() => expect(view.node.textContent).toContain('No log lines of this worker are known.'));
  expect(view.node.textContent).toContain('Nothing, as of its last heartbeat.');
  view.dispose();
  const none = show(run, 'live', '');
  await vi.waitFor(() => expect(none.node.hidden).toBe(true));
  none.dispose();
});
