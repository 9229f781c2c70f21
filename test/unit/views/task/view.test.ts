// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest';
import { formatWallClock } from '../../../../src/base/format';
import type { Feed } from '../../../../src/feed/feed';
import type { Scalar } from '../../../../src/feed/frame';
import { Run } from '../../../../src/run/run';
import { selectionOf } from '../../../../src/run/selection/selection';
import { readFacts } from '../../../../src/views/task/facts';
import { TaskView } from '../../../../src/views/task/view';
import { restrictionWords, whyWords } from '../../../../src/views/task/words';
import { stateLook } from '../../../../src/selectors/tasks/task-states';
import { context, theme } from '../../plots/cluster';

const { trans } = context();
const HOSTILE = '<img src=x onerror=alert(1)>';

const ERRED: Scalar = {
  known: true,
  key: HOSTILE,
  number: 4,
  state: 'erred',
  prefix: 'fail',
  group: 'fail',
  arguments: ['23', HOSTILE],
  exception: `ValueError('${HOSTILE}')`,
  traceback: '  File "x.py", line 1\n',
  blamed: 'first',
  dependencies: [{ key: HOSTILE, state: 'memory', number: 3 }],
  dependency_count: 1,
  dependents: [],
  dependent_count: 0,
  executions: [{ start: 1000, duration: 0.5, worker: HOSTILE, erred: true, nbytes: 0, type: '', moves: [] }]
};

let opened: unknown[] = [];

function show(
  saved: Record<string, string | number>,
  answers: (name: string, args: unknown) => Scalar,
  run = new Run()
): TaskView {
  opened = [];
  const request = (name: string, args: unknown): Promise<Scalar> =>
    new Promise((resolve, reject) => {
      try {
        resolve(answers(name, args));
      } catch (error) {
        reject(error as Error);
      }
    });
  const view = new TaskView({
    run,
    feed: { request } as unknown as Feed,
    trans,
    context: context(),
    saved,
    save: () => undefined,
    open: (plot, args) => opened.push([plot, args])
  });
  document.body.append(view.node);
  view.setVisible(true);
  return view;
}

afterEach(() => document.body.replaceChildren());

test('an answer is shown as text, and leads on', async () => {
  const view = show({ key: HOSTILE, number: -1 }, () => ERRED);
  await vi.waitFor(() => expect(view.node.querySelector('.dp-Task-key')?.textContent).toBe(HOSTILE));
  expect(view.node.textContent).toContain(`ValueError('${HOSTILE}')`);
  expect(view.node.querySelector('img')).toBeNull();
  expect(view.node.querySelector('.dp-Task-why')?.textContent).toBe('It did not run because first, which it needs, erred.');
  expect(view.node.querySelector('.dp-Task-facts')?.textContent).toContain(`Called with23, ${HOSTILE}`);
  expect(view.node.querySelector('.dp-Task-facts')?.textContent).not.toContain('Fused from');
  view.node.querySelector<HTMLButtonElement>('[data-part="needs"] button')?.click();
  expect(opened).toEqual([['task', { key: HOSTILE, number: 3 }]]);
  view.dispose();
});

test('a task that raised can be run again in a notebook; one whose inputs fit in no worker cannot', async () => {
  const line = async (exception: string): Promise<string | undefined> => {
    const view = show({ key: 'load-1' }, () => ({ ...(ERRED as object), key: 'load-1', blamed: '', exception }) as Scalar);
    await vi.waitFor(() => expect(view.node.querySelector('.dp-Task-exception')?.textContent).toBe(exception));
    const found = view.node.querySelector('.dp-Debug-line')?.textContent;
    view.dispose();
    return found;
  };
  expect(await line("MemoryError('Unable to allocate 4 GiB')")).toBe('client.recreate_task_locally("load-1")');
  const large = "MemoryError('the inputs of the task are larger than the memory limit of its worker')";
  expect(await line(large)).toBeUndefined();
  expect(await line("RuntimeError('Worker holding Actor was lost')")).toBeUndefined();
});

test('details lead to the neighbourhood, to the profile of the function and to its tasks in all panes', async () => {
  const run = new Run();
  const view = show({ key: HOSTILE }, () => ERRED, run);
  await vi.waitFor(() => expect(view.node.querySelector('.dp-Task-key')?.textContent).toBe(HOSTILE));
  const buttons = [...view.node.querySelectorAll<HTMLButtonElement>('[data-part="actions"] button')];
  expect(buttons.map(({ textContent }) => textContent)).toEqual([
    'Neighbourhood',
    'Profile of fail',
    'Select tasks of fail in all panes'
  ]);
  for (const button of buttons) {
    button.click();
  }
  expect(opened).toEqual([
    ['task-graph', expect.objectContaining({ at: expect.stringContaining('4') })],
    ['profile', { prefix: 'fail' }]
  ]);
  expect(selectionOf(run).has({ functions: ['fail'] })).toBe(true);
  view.dispose();
  const unknown = show({ key: 'gone' }, () => ({ known: false, key: 'gone' }));
  await vi.waitFor(() => expect(unknown.node.querySelector('.dp-Task-key')?.textContent).toBe('gone'));
  expect(unknown.node.querySelector('[data-part="actions"] button')).toBeNull();
  unknown.dispose();
});

test('a number that names another task of another run gives way to the key', async () => {
  const asked: unknown[] = [];
  const view = show({ key: 'mine', number: 4 }, (_, args): Scalar => {
    asked.push(args);
    return asked.length === 1 ? { known: true, key: 'other' } : { known: true, key: 'mine', state: 'memory' };
  });
  await vi.waitFor(() => expect(view.node.querySelector('.dp-Task-key')?.textContent).toBe('mine'));
  expect(asked).toEqual([{ number: 4 }, { key: 'mine' }]);
  view.dispose();
});

test('an answer takes neither the focus nor a click', async () => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  let states = ['waiting', 'waiting'];
  const view = show({ key: 'mine' }, (): Scalar => {
    const dependencies = states.map((state, number) => ({ key: `needed-${number}`, state, number }));
    return { known: true, key: 'mine', state: 'waiting', dependencies, dependency_count: dependencies.length };
  });
  const needs = (): string => view.node.querySelector('[data-part="needs"]')?.textContent ?? '';
  const links = (): HTMLElement[] => [...view.node.querySelectorAll<HTMLElement>('[data-part="needs"] button')];
  const look = (): void => {
    now += 2000;
    view.setVisible(false);
    view.setVisible(true);
  };
  await vi.waitFor(() => expect(links()).toHaveLength(2));
  links()[1].focus();
  states = ['waiting', 'processing'];
  look();
  await vi.waitFor(() => expect(needs()).toContain('processing'));
  expect(document.activeElement).toBe(links()[1]);
  // An answer comes between the press and the release.
  const pressed = links()[1];
  pressed.dispatchEvent(new MouseEvent('pointerdown', { bubbles: true }));
  states = ['processing', 'memory'];
  look();
  await new Promise(resolve => setTimeout(resolve, 20));
  expect(pressed.isConnected).toBe(true);
  window.dispatchEvent(new MouseEvent('pointerup'));
  await vi.waitFor(() => expect(needs()).toContain('memory'));
  // What had the focus has gone: the keyboard goes on from here.
  states = [];
  look();
  await vi.waitFor(() => expect(needs()).toBe(''));
  expect(document.activeElement).toBe(view.node);
  clock.mockRestore();
  view.dispose();
});

test('a task of which only the number was known stays the one that it was when another run has the number', async () => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  let restarted = false;
  const view = show({ number: 4 }, (_, args): Scalar => {
    const { key } = args as { key?: string };
    return restarted && key === undefined
      ? { known: true, key: 'other', state: 'processing' }
      : { known: !restarted, key: 'mine', state: restarted ? 'forgotten' : 'memory' };
  });
  const head = (): string => view.node.querySelector('[data-part="head"]')?.textContent ?? '';
  await vi.waitFor(() => expect(head()).toContain('mine'));
  restarted = true;
  now += 2000;
  view.setVisible(false);
  view.setVisible(true);
  await vi.waitFor(() => expect(head()).toContain('forgotten'));
  expect(head()).toContain('mine');
  clock.mockRestore();
  view.dispose();
});

test('a forgotten task keeps its data, and is followed again once its key is submitted again', async () => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  let task: Record<string, Scalar> = { known: false, state: 'forgotten', prefix: 'load' };
  let asked = 0;
  const view = show({ key: 'mine' }, () => {
    asked += 1;
    return { key: 'mine', ...task };
  });
  const look = (seconds: number): void => {
    now += 1000 * seconds;
    view.setVisible(false);
    view.setVisible(true);
  };
  await vi.waitFor(() => expect(view.node.textContent).toContain('The scheduler has forgotten this task'));
  look(2);
  expect(asked).toBe(1);
  // As after a restart of the scheduler.
  task = { known: false };
  look(20);
  await vi.waitFor(() => expect(asked).toBe(2));
  await new Promise(resolve => setTimeout(resolve));
  expect(view.node.textContent).toContain('Functionload');
  task = { known: true, state: 'waiting', prefix: 'load' };
  look(20);
  await vi.waitFor(() => expect(view.node.querySelector('[data-part="head"]')?.textContent).toContain('waiting'));
  clock.mockRestore();
  view.dispose();
});

test('a failure of the request is reported', async () => {
  const view = show({ key: 'mine' }, () => {
    throw new Error('The client is closed.');
  });
  await vi.waitFor(() => expect(view.node.textContent).toBe('The client is closed.'));
  view.dispose();
});

test('a failure of a later request is reported beside what was known before, until there is an answer again', async () => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  let fault = '';
  const view = show({ key: 'mine' }, (): Scalar => {
    if (fault !== '') {
      throw new Error(fault);
    }
    return { known: true, key: 'mine', state: 'waiting' };
  });
  const head = (): string => view.node.querySelector('[data-part="head"]')?.textContent ?? '';
  const look = (): void => {
    now += 2000;
    view.setVisible(false);
    view.setVisible(true);
  };
  await vi.waitFor(() => expect(head()).toContain('mine'));
  expect(head()).not.toContain('as of the last answer');
  fault = 'The connection to the scheduler is lost.';
  look();
  await vi.waitFor(() => expect(head()).toContain('as of the last answer: The connection to the scheduler is lost.'));
  expect(head()).toContain('waiting');
  fault = '';
  look();
  await vi.waitFor(() => expect(head()).not.toContain('as of the last answer'));
  clock.mockRestore();
  view.dispose();
});

test('swatches have the colours of the theme, also of another one that is as light', async () => {
  const view = show({ key: 'k' }, () => ({ known: false, key: 'k', state: 'forgotten' }));
  const swatch = (): string =>
    view.node.querySelector<HTMLElement>('[data-part="head"] .dp-Swatch')?.style.getPropertyValue('--dp-swatch') ?? '';
  const themes = ['#ffffff', '#ffe8b0'].map(theme);
  expect(themes.map(({ scheme }) => scheme)).toEqual(['light', 'light']);
  await vi.waitFor(() => expect(swatch()).not.toBe(''));
  for (const each of themes) {
    view.setTheme(each);
    expect(swatch()).toBe(stateLook('forgotten', each).colour);
  }
  view.dispose();
});

test('the stack of a running task is looked at once by itself, and says of when it is', async () => {
  const asked: string[] = [];
  const run = new Run();
  const begin = performance.now();
  run.clock.observe(1_700_000_000, begin);
  let later = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => begin + later);
  const view = show(
    { key: 'running' },
    name => {
      asked.push(name);
      return name === 'callstack'
        ? [{ worker: '0', key: 'running', frames: ['  File "a.py", line 1, in f\n', '    sleep()\n'] }]
        : { known: true, key: 'running', state: 'processing', worker: '0' };
    },
    run
  );
  const stack = (): HTMLElement | null => view.node.querySelector('[data-part="stack"]');
  await vi.waitFor(() => expect(stack()?.querySelector('pre')?.textContent).toContain('sleep()'));
  expect(asked).toEqual(['task', 'callstack']);
  expect(stack()?.querySelector('h3')?.textContent).toMatch(/as of \d\d:\d\d:\d\d$/);
  // The same frames at another time.
  const before = stack()?.querySelector('h3')?.textContent;
  later = 5000;
  stack()?.querySelector('button')?.focus();
  stack()?.querySelector('button')?.click();
  await vi.waitFor(() => expect(stack()?.querySelector('h3')?.textContent).not.toBe(before));
  expect(document.activeElement).toBe(stack()?.querySelector('button'));
  clock.mockRestore();
  view.dispose();
});

test('the stack is looked at again once the task runs, and that of an earlier attempt is not kept', async () => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  let task: Record<string, Scalar> = { state: 'processing', worker: '0', why: { status: 'running', threads: 1, busy: 1 } };
  let frames: readonly string[] = [];
  const asked: string[] = [];
  const view = show({ key: 'k' }, name => {
    asked.push(name);
    return name === 'task' ? { known: true, key: 'k', ...task } : frames.map(text => ({ worker: '0', key: 'k', frames: [text] }));
  });
  const stack = (): string => view.node.querySelector('[data-part="stack"]')?.textContent ?? '';
  const look = (): void => {
    now += 2000;
    view.setVisible(false);
    view.setVisible(true);
  };
  const stacks = (): number => asked.filter(name => name === 'callstack').length;
  await vi.waitFor(() => expect(stack()).toContain('It is not running at this moment'));
  look();
  await vi.waitFor(() => expect(asked.filter(name => name === 'task').length).toBe(2));
  expect(stacks()).toBe(1);
  // It has got a thread.
  frames = ['first()'];
  task = { ...task, why: { status: 'running', threads: 1, busy: 1, executing: 0.5 } };
  look();
  await vi.waitFor(() => expect(stack()).toContain('first()'));
  expect(stacks()).toBe(2);
  // A coroutine runs in no thread.
  frames = [];
  view.node.querySelector<HTMLButtonElement>('[data-part="stack"] button')?.click();
  await vi.waitFor(() => expect(stack()).toContain('No thread runs it at this moment'));
  expect(stack()).not.toContain('not running');
  task = { state: 'waiting' };
  look();
  await vi.waitFor(() => expect(stack()).toBe(''));
  frames = [];
  task = { state: 'processing', worker: '0', why: { status: 'running', threads: 1, busy: 1 } };
  look();
  await vi.waitFor(() => expect(stack()).toContain('It is not running at this moment'));
  clock.mockRestore();
  view.dispose();
});

test('a pause is at its moment, however long it lasts', () => {
  const run = new Run();
  const at = (time: number): void => run.apply({ feed: 'f', epoch: 0, seq: 0, time, cursor: {}, names: {}, topics: {} }, 0);
  at(1000);
  const view = show({ key: 'k' }, () => ({ known: true, key: 'k', state: 'waiting' }), run);
  expect(view.shownAt).toBeNaN();
  view.setPaused(true);
  at(1060);
  expect(view.shownAt).toBe(1000);
  view.setPaused(true);
  expect(view.shownAt).toBe(1000);
  view.setPaused(false);
  expect(view.shownAt).toBeNaN();
  view.dispose();
});

test('why a task is where it is', () => {
  const why = (facts: Record<string, Scalar>, run = new Run()): string =>
    whyWords(readFacts({ known: true, key: 'k', ...facts }), run, trans);
  expect(why({ state: 'waiting', lacking: 1, dependency_count: 3 })).toBe('It waits for 1 of 3 tasks that it needs.');
  expect(why({ state: 'waiting', lacking: 2, dependency_count: 3 })).toBe('It waits for 2 of 3 tasks that it needs.');
  expect(why({ state: 'queued', queued: 8 })).toContain('with 7 other tasks');
  expect(why({ state: 'queued', queued: 1 })).toBe('It is ready. It waits on the scheduler for a free thread.');
  expect(why({ state: 'no-worker', workers: 0 })).toBe('There is no worker.');
  // Dask queues tasks also where it has no worker, as at first in a cluster that adapts.
  expect(why({ state: 'queued', why: { queued: 9, ahead: 0, workers: 0, running: 0 } })).toBe('There is no worker.');
  expect(why({ state: 'queued', why: { queued: 9, ahead: 0, workers: 2, running: 0, paused: 1 } })).toBe(
    'No worker takes tasks now. 1 of 2 workers is paused, most often for memory, and takes no new tasks.'
  );
  expect(why({ state: 'no-worker', workers: 4 })).toContain('None of 4 workers fits');
  const needs: Scalar = [
    { key: 'a', state: 'memory' },
    { key: 'b', state: 'processing', worker: 'w1', runs: true },
    { key: 'c', state: 'processing', worker: '<b>', runs: false },
    { key: 'd', state: 'queued' },
    { key: 'e', state: 'waiting' }
  ];
  expect(why({ state: 'waiting', lacking: 4, dependency_count: 5, dependencies: needs })).toBe(
    'It waits for 4 of 5 tasks that it needs: b (runs on worker w1), c (is on worker <b>), d (queued), …'
  );
  expect(why({ state: 'queued', why: { queued: 9, ahead: 0, workers: 2 } })).toContain('It is the next one.');
  expect(why({ state: 'queued', why: { queued: 9, ahead: 5, workers: 2, paused: 1 } })).toContain(
    '5 of them go first. 1 of 2 workers is paused, most often for memory'
  );
  const unfit = (facts: Record<string, Scalar>): string =>
    why({ state: 'no-worker', restrictions: { workers: ['tcp://x:1'] }, why: { workers: 2, running: 2, ...facts } });
  expect(unfit({ fitting: 0 })).toBe('What it asks for is not available: tcp://x:1.');
  expect(unfit({ resources: [['GPU', 4, 1, 0]] })).toBe('No worker has 4 of resource GPU: the most is 1.');
  expect(unfit({ resources: [['MEMORY', 12_345, 12_344, 0]] })).toBe(
    'No worker has 12,345 of resource MEMORY: the most is 12,344.'
  );
  expect(unfit({ resources: [['TPU', 1, 0, 0]] })).toBe('No worker has resource TPU.');
  expect(unfit({ fitting: 1, paused: 1, running: 1 })).toBe(
    'The workers that it asks for are there, but take no tasks now. 1 of 2 workers is paused, most often for memory, and takes no new tasks.'
  );
  expect(unfit({ fitting: 1, able: 1, running: 1, resources: [['GPU', 1, 1, 0]] })).toContain('take no tasks now.');
  // A running worker got it after the task had asked for it.
  expect(unfit({ fitting: 1, able: 1, ready: 1, resources: [['GPU', 1, 1, 0]] })).toMatch(
    /^By now, a worker that takes tasks has what it needs\. Dask does not notice/
  );
  // Each resource is somewhere, but not on a worker that it may run on.
  expect(unfit({ fitting: 1, able: 0, resources: [['GPU', 1, 1, 0]] })).toBe(
    'The workers that it asks for are there, but do not have the resources that it needs.'
  );
  expect(unfit({ fitting: 1, resources: [['GPU', 1, 1, 0]] })).toContain('None of 2 workers fits');
  expect(
    unfit({
      able: 0,
      resources: [
        ['GPU', 1, 1, 0],
        ['MEM', 1, 1, 0]
      ]
    })
  ).toContain('None of 2 workers fits');
  expect(unfit({ able: 1, paused: 1, running: 1, resources: [['GPU', 1, 1, 0]] })).toBe(
    'The workers that have what it needs take no tasks now. 1 of 2 workers is paused, most often for memory, and takes no new tasks.'
  );
  const on = (facts: Record<string, Scalar>): string =>
    why({ state: 'processing', worker: 'w', why: { status: 'running', threads: 2, busy: 2, ahead: 0, ...facts } });
  expect(why({ state: 'processing', worker: 'w' })).toContain('running there, or next');
  expect(on({ executing: 3 })).toBe('It runs on worker w: for 3.00 s at its last heartbeat.');
  expect(on({ executing: 3, seceded: true })).toContain('has left the threads of worker w');
  // The scheduler knows it before a heartbeat says for how long.
  for (const facts of [{ busy: 0 }, { ahead: 3 }, { status: 'paused' }] as Record<string, Scalar>[]) {
    expect(on({ seceded: true, ...facts })).toBe('It has left the threads of worker w and goes on.');
  }
  expect(on({ status: 'paused' })).toBe('It is on worker w, which is paused, most often for memory, and begins no task.');
  for (const status of ['closing_gracefully', 'closing']) {
    expect(on({ status, busy: 1 })).toBe('It is on worker w, which is about to end and begins no task.');
  }
  expect(on({ resources: [['GPU', 1, 1, 1]] })).toBe(
    'It is on worker w and waits for resource GPU: other tasks there take 1 of 1.'
  );
  // What its last heartbeat reported is old.
  const silence =
    `It is on worker w, which has sent no heartbeat since ${formatWallClock(1)}: ` +
    'its process may be stopped, cut off, or busy with code that holds the GIL.';
  expect(on({ busy: 0, seen: 1, silent: true })).toBe(silence);
  expect(on({ executing: 3, seen: 1, silent: true })).toBe(`${silence} Then, it had run for 3.00 s.`);
  expect(on({ ahead: 3 })).toBe('It is on worker w, behind 3 other tasks: 2 / 2 of its threads are busy.');
  expect(on({})).toBe('It is the next one on worker w, whose threads are all busy.');
  expect(on({ busy: 1 })).toContain('it fetches data, or has just begun');
  expect(on({ busy: 0, cancelled: 2 })).toBe(
    'It is the next one on worker w, whose threads are all busy. ' +
      '2 of them still run cancelled tasks until these end: Python cannot stop them.'
  );
  expect(on({ busy: 1, cancelled: 7, ahead: 3 })).toBe(
    'It is on worker w, behind 3 other tasks: 2 / 2 of its threads are busy. ' +
      '1 of them still runs a cancelled task until that ends: Python cannot stop it.'
  );
  // An earlier task with the same key has run.
  const earlier: Scalar = [{ start: 1, duration: 1, worker: 'w', erred: false }];
  expect(why({ state: 'released', nbytes: null, executions: earlier })).toContain('released before it had a result');
  expect(why({ state: 'released', nbytes: 8, executions: earlier })).toContain('It has finished;');
  const ran = (facts: Record<string, Scalar>, gone = false): string =>
    why({ state: 'queued', queued: 2, executions: [{ start: 1, duration: 1, worker: 'w', erred: false, gone }], ...facts });
  const when = formatWallClock(1);
  // Of another day than that which the run shows.
  const later = new Run();
  later.clock.latest = 3 * 86_400;
  const executions: Scalar = [{ start: 1, duration: 1, worker: 'w', erred: false }];
  expect(why({ state: 'queued', queued: 2, executions }, later)).toMatch(new RegExp(`before, at .*1.*, ${when}\\.$`));
  // The user released the result and asked for it again: no worker was lost.
  expect(ran({})).toMatch(new RegExp(`It has run before, at ${when}\\.$`));
  expect(ran({}, true)).not.toContain('lost');
  expect(ran({ before: 'again' }, true)).toContain(`before, at ${when}: its result was released, and is needed again.`);
  expect(ran({ before: 'lost' }, true)).toContain(`at ${when}: its result was lost with worker w, and is computed again.`);
  expect(ran({ before: 'lost' })).toContain(`at ${when}: its result was lost, and is computed again.`);
  expect(why({ known: false, state: 'forgotten', executions })).toContain('it is no longer needed. Its data');
  // Dask forgets scattered data that is lost with a worker, and the tasks that need it, although they are wanted.
  expect(why({ known: false, state: 'forgotten' })).toContain('or it was scattered data that was lost with its worker.');
  expect(why({ known: false, state: 'cancelled' })).toContain(
    'before it ended: it was no longer needed, or scattered data that it needs was lost with a worker. If it had begun'
  );
  expect(why({ known: false })).toContain('does not know this key');
  const asks = readFacts({ restrictions: { workers: ['a', 'b'], hosts: [], resources: { GPU: 2 }, loose: true } });
  expect(restrictionWords(asks, trans)).toBe('worker a, b · 2 GPU (if possible)');
});

test('odd answers are as if nothing were known', () => {
  expect(readFacts(null)).toMatchObject({ known: false, key: '', state: null, dependencies: [], nbytes: Number.NaN });
  expect(readFacts({ dependencies: [7, { key: 3 }], state: 'tomorrow' })).toMatchObject({
    state: null,
    dependencies: [
      { key: '', number: -1 },
      { key: '', number: -1 }
    ]
  });
});

test('what a task did when its client closed is said as of then, and nobody is asked any more', async () => {
  vi.useFakeTimers();
  try {
    const run = new Run();
    run.apply({ feed: 'f', epoch: 0, seq: 0, time: 1000, cursor: {}, names: {}, topics: {} }, performance.now());
    let asked = 0;
    const answer = { ...(ERRED as object), state: 'waiting', lacking: 1, executions: [] } as Scalar;
    const count = (): Scalar => {
      asked += 1;
      return answer;
    };
    const view = show({ key: HOSTILE, number: -1 }, count, run);
    await vi.advanceTimersByTimeAsync(100);
    const why = (): string | null | undefined => view.node.querySelector('.dp-Task-why')?.textContent;
    expect(why()).toBe('It waits for 1 of 1 tasks that it needs.');
    run.end(performance.now());
    const before = asked;
    await vi.advanceTimersByTimeAsync(5000);
    expect(why()).toBe('It waits for 1 of 1 tasks that it needs. This was so when the client closed.');
    expect(asked).toBe(before);
    view.dispose();
  } finally {
    vi.useRealTimers();
  }
});

test('a scheduler that does not answer is said after five seconds, in place of the first answer', async () => {
  vi.useFakeTimers();
  try {
    const never = { request: () => new Promise<Scalar>(() => undefined) } as unknown as Feed;
    const host = { feed: never, run: new Run(), trans, context: context(), saved: { key: 'load-1', number: -1 } };
    const view = new TaskView({ ...host, save: () => undefined, open: () => undefined });
    view.setVisible(true);
    await vi.advanceTimersByTimeAsync(4000);
    expect(view.node.textContent).not.toContain('answered');
    await vi.advanceTimersByTimeAsync(2000);
    expect(view.node.textContent).toContain('the scheduler has not answered yet');
    view.dispose();
  } finally {
    vi.useRealTimers();
  }
});
