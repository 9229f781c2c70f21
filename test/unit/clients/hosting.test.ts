// The browser's side of hosting against a kernel and a server that do what the test says.
import type { Kernel, Session } from '@jupyterlab/services';
import { Signal } from '@lumino/signaling';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HostedRegistry } from '../../../src/clients/hosting/hosted-registry';
import { HOSTING_TYPE, StartCancelled, StartFailure } from '../../../src/clients/hosting/model';
import type { Translate } from '../../../src/plot/plot';
import { startTroubleWords } from '../../../src/sidebar/hosting/words';
import { translate as english } from '../translate';

// With fake timers nothing is loaded.
await import('../../../src/clients/hosting/prepare-kernel');

type Answer = { readonly success: boolean; readonly body: unknown } | 'silence' | 'empty';
type Execution = { readonly status: 'ok' } | { readonly status: 'error'; ename: string; evalue: string; traceback: string[] };

/** A kernel that answers requests by a script: the last answer of each op stays. */
class HostKernel {
  readonly statusChanged = new Signal<this, Kernel.Status>(this);
  readonly disposed = new Signal<this, void>(this);
  readonly name = 'python3';
  info: Promise<unknown> = Promise.resolve({ implementation: 'ipython' });
  /** A spec need say nothing of its kernel. */
  readonly spec: Promise<unknown> = Promise.resolve({ language: '', display_name: 'Python 3' });
  readonly asked: [op: string, args: Record<string, unknown>][] = [];
  readonly executed: string[] = [];
  readonly executions: Execution[] = [];
  readonly script = new Map<string, Answer[]>();
  open = 0;

  answers(op: string, ...facts: (Record<string, unknown> | Answer)[]): void {
    this.script.set(
      op,
      facts.map(fact => (typeof fact === 'string' || 'success' in fact ? (fact as Answer) : answerOf(fact)))
    );
  }

  connect(): Kernel.IKernelConnection {
    this.open += 1;
    return new Connection(this) as unknown as Kernel.IKernelConnection;
  }
}

class Connection {
  constructor(private readonly kernel: HostKernel) {}

  get statusChanged(): HostKernel['statusChanged'] {
    return this.kernel.statusChanged;
  }

  get disposed(): HostKernel['disposed'] {
    return this.kernel.disposed;
  }

  get info(): Promise<unknown> {
    return this.kernel.info;
  }

  get name(): string {
    return this.kernel.name;
  }

  get spec(): Promise<unknown> {
    return this.kernel.spec;
  }

  requestDebug(content: { arguments: Record<string, unknown> }): unknown {
    const { op, ...args } = content.arguments;
    this.kernel.asked.push([String(op), args]);
    const answers = this.kernel.script.get(String(op)) ?? ['empty' as const];
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    const future = { done: Promise.resolve(), onReply: (_: unknown): void => undefined, dispose: () => undefined };
    if (answer !== 'silence') {
      queueMicrotask(() => future.onReply({ content: answer === 'empty' ? {} : answer }));
    }
    return future;
  }

  requestExecute({ code }: { code: string }): unknown {
    this.kernel.executed.push(code);
    return { done: Promise.resolve({ content: this.kernel.executions.shift() ?? { status: 'ok' } }) };
  }

  dispose(): void {
    this.kernel.open -= 1;
  }
}

function answerOf(facts: Record<string, unknown>): Answer {
  return { success: true, body: { value: facts } };
}

class Server {
  /** Whether it answers. */
  up = true;
  /** Whether the rest of the page has lost a connection to it. */
  lost = false;
  readonly linkChanged = new Signal<this, void>(this);
  readonly kernel = new HostKernel();
  models: Session.IModel[] = [];
  readonly ended: string[] = [];
  readonly runningChanged = new Signal<Session.IManager, Session.IModel[]>(this as unknown as Session.IManager);
  readonly sessionDisposed = new Signal<this, void>(this);
  readonly statusChanged = new Signal<this, Kernel.Status>(this);
  startError: Error | null = null;

  readonly running = (): IterableIterator<Session.IModel> => this.models[Symbol.iterator]();

  readonly startNew = async (options: Session.ISessionOptions): Promise<Session.ISessionConnection> => {
    if (this.startError) {
      throw this.startError;
    }
    const model = this.add('s1', options.name, options.type, options.path);
    const kernel = this.kernel.connect();
    return {
      id: model.id,
      model,
      kernel,
      isDisposed: false,
      disposed: this.sessionDisposed,
      statusChanged: this.statusChanged,
      dispose: () => kernel.dispose()
    } as unknown as Session.ISessionConnection;
  };

  readonly shutdown = async (id: string): Promise<void> => {
    this.ended.push(id);
    this.models = this.models.filter(model => model.id !== id);
    this.runningChanged.emit(this.models);
  };

  add(id: string, name: string, type: string, path = 'p'): Session.IModel {
    const model = { id, name, type, path, kernel: { id: `k-${id}`, name: 'python3' } } as Session.IModel;
    this.models = [...this.models, model];
    this.runningChanged.emit(this.models);
    return model;
  }
}

/** A translation that marks what goes through it. */
const marked: Translate = { ...english, __: (text, ...args) => `«${english.__(text, ...args)}»` };

const OPTIONS = { name: 'a', workers: 2 };
const PLACE = { spec: 'python3', folder: 'work' };

describe('hosted clusters', () => {
  let server: Server;
  let hosted: HostedRegistry;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    server = new Server();
    hosted = new HostedRegistry({
      sessions: server,
      link: {
        get lost() {
          return server.lost;
        },
        changed: server.linkChanged
      },
      reachable: () => Promise.resolve(server.up),
      connect: () => server.kernel.connect(),
      shutdown: server.shutdown
    });
  });

  afterEach(() => {
    hosted.dispose();
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  /** Let everything happen that is due within this many milliseconds. */
  const pass = (milliseconds = 5000): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds);

  it('are started in a session beside the notebook, with what was asked for', async () => {
    const { kernel } = server;
    kernel.answers('host.start', { state: 'starting', name: 'a' });
    kernel.answers('host.state', { state: 'starting', workers: 1, asked: 2 }, { state: 'running', name: 'a', workers: 2 });
    const states: string[] = [];
    hosted.changed.connect(() => states.push(hosted.list[0]?.state ?? 'none'));
    const started = hosted.start(OPTIONS, PLACE);
    await pass();
    expect((await started).facts).toMatchObject({ state: 'running', workers: 2 });
    expect(server.models[0]).toMatchObject({ type: HOSTING_TYPE, name: 'Dask cluster a' });
    expect(server.models[0].path).toMatch(/^work\/dask-cluster-a-/);
    expect(kernel.executed).toHaveLength(1);
    expect(kernel.asked[0]).toEqual(['host.start', OPTIONS]);
    expect(states).toContain('starting');
    expect(states.at(-1)).toBe('running');
    expect(kernel.open).toBe(0);
  });

  it('are started with the bridge that is sent to a kernel without one', async () => {
    const { kernel } = server;
    kernel.executions.push({
      status: 'error',
      ename: 'ModuleNotFoundError',
      evalue: "No module named 'dask_panes'",
      traceback: []
    });
    kernel.answers('host.start', { state: 'running', name: 'a' });
    const started = hosted.start(OPTIONS, PLACE);
    await pass();
    await started;
    expect(kernel.executed).toHaveLength(3);
    expect(kernel.executed[1]).toContain('dask_panes/clusters/host.py');
  });

  it.each([
    [
      'a kernel that lacks dask tells so',
      (kernel: HostKernel) =>
        kernel.executions.push({
          status: 'error',
          ename: 'ModuleNotFoundError',
          evalue: "No module named 'dask'",
          traceback: ['\u001b[31mTraceback\u001b[0m', "No module named 'dask'"]
        }),
      "Traceback\nNo module named 'dask'"
    ],
    [
      'a start that fails tells its traceback',
      (kernel: HostKernel) => {
        kernel.answers('host.start', { state: 'starting' });
        kernel.answers('host.state', { state: 'failed', error: 'Traceback: x' });
      },
      'Traceback: x'
    ],
    [
      'a refusal is told',
      (kernel: HostKernel) => kernel.answers('host.start', { success: false, body: { message: 'is running already' } }),
      ''
    ],
    [
      'a kernel that is no ipykernel is not asked',
      (kernel: HostKernel) => {
        kernel.info = Promise.resolve({ implementation: 'xeus-python' });
      },
      ''
    ],
    [
      'a kernel that dies is told',
      (kernel: HostKernel) => {
        kernel.answers('host.start', 'silence');
        setTimeout(() => server.statusChanged.emit('autorestarting'), 1000);
      },
      ''
    ]
  ])('%s, in the language of the page, and nothing is left', async (_, arrange, traceback) => {
    arrange(server.kernel);
    const failed = hosted.start(OPTIONS, PLACE).catch((error: unknown) => error);
    await pass(40_000);
    const error = await failed;
    expect(error).toBeInstanceOf(StartFailure);
    expect((error as StartFailure).traceback).toBe(traceback);
    // What a kernel says is not translated.
    const words = startTroubleWords(error, marked);
    expect(words).toMatch(/^«.+»$|^is running already$/);
    expect(server.ended).toEqual(['s1']);
    expect(hosted.list).toEqual([]);
    expect(server.kernel.open).toBe(0);
  });

  it('are not started where the server refuses a kernel', async () => {
    server.startError = new Error('no more kernels');
    await expect(hosted.start(OPTIONS, PLACE)).rejects.toThrow('no more kernels');
    expect(hosted.list).toEqual([]);
  });

  it('can be given up while they start', async () => {
    const { kernel } = server;
    kernel.answers('host.start', { state: 'starting' });
    kernel.answers('host.state', { state: 'starting' });
    kernel.answers('host.stop', { state: 'closing' });
    const started = hosted.start(OPTIONS, PLACE).catch((error: unknown) => error);
    await pass(2000);
    kernel.answers('host.state', { state: 'closed' });
    void hosted.list[0].shutDown();
    await pass();
    expect(await started).toBeInstanceOf(StartCancelled);
    expect(server.ended).toContain('s1');
    expect(hosted.list).toEqual([]);
  });

  it.each([
    ['LocalCluster', 15_000],
    ['KubeCluster', 60_000]
  ])('that are given up have the time to end what they have begun: a %s', async (kind, milliseconds) => {
    const { kernel } = server;
    kernel.answers('host.start', { state: 'starting', class: kind });
    kernel.answers('host.state', { state: 'starting', class: kind });
    kernel.answers('host.stop', { state: 'closing', class: kind });
    const started = hosted.start(OPTIONS, PLACE).catch((error: unknown) => error);
    await pass(2000);
    kernel.answers('host.state', { state: 'closing', class: kind });
    const ended = hosted.list[0].shutDown();
    await pass(milliseconds);
    expect(server.ended).toEqual([]);
    expect(hosted.list[0].state).toBe('closing');
    kernel.answers('host.state', { state: 'closed', class: kind });
    await pass();
    await ended;
    expect(await started).toBeInstanceOf(StartCancelled);
    expect(server.ended).toContain('s1');
    expect(hosted.list).toEqual([]);
  });

  it('that do not end after they were given up end with their kernel', async () => {
    const { kernel } = server;
    kernel.answers('host.start', { state: 'starting' });
    kernel.answers('host.state', { state: 'closing' });
    kernel.answers('host.stop', { state: 'closing' });
    const started = hosted.start(OPTIONS, PLACE).catch((error: unknown) => error);
    await pass(100);
    void hosted.list[0].shutDown();
    await pass(25_000);
    expect(server.ended).toEqual(['s1']);
    // JupyterLab disposes of the session's connection.
    server.sessionDisposed.emit();
    expect(await started).toBeInstanceOf(StartCancelled);
    await pass();
    kernel.answers('host.state', { state: 'closed' });
    await pass();
  });

  it('that another page shuts down while they start are shown so until they have ended', async () => {
    const { kernel } = server;
    kernel.answers('host.start', { state: 'starting' });
    kernel.answers('host.state', { state: 'closing' });
    const started = hosted.start(OPTIONS, PLACE).catch((error: unknown) => error);
    await pass(1000);
    expect([hosted.list[0].state, server.ended]).toEqual(['closing', []]);
    kernel.answers('host.state', { state: 'closed' });
    await pass(1000);
    expect(await started).toBeInstanceOf(StartCancelled);
  });

  it('are found among the sessions, and asked only while they are displayed', async () => {
    const { kernel } = server;
    kernel.answers('host.state', { state: 'running', name: 'a', workers: 1, asked: 1 });
    server.add('n', 'notebook.ipynb', 'notebook');
    server.add('s', 'Dask cluster a', HOSTING_TYPE);
    expect(hosted.list).toMatchObject([{ name: 'a', state: 'asking' }]);
    await pass();
    expect(kernel.asked).toEqual([]);
    hosted.visible = true;
    await pass(1000);
    expect(hosted.list[0].state).toBe('running');
    expect(kernel.open).toBe(0);
    await pass(60_000);
    expect(kernel.asked.length).toBe(3);
    hosted.visible = false;
    await pass(120_000);
    expect(kernel.asked.length).toBe(3);
  });

  it('are asked less and less often while workers that were asked for do not come', async () => {
    const { kernel } = server;
    const answer = (workers: number): void => kernel.answers('host.state', { state: 'running', name: 'a', workers, asked: 3 });
    answer(1);
    server.add('s', 'Dask cluster a', HOSTING_TYPE);
    hosted.visible = true;
    await pass(20_000);
    expect(kernel.asked.length).toBeGreaterThan(6);
    await pass(300_000);
    const before = kernel.asked.length;
    await pass(600_000);
    expect(kernel.asked.length - before).toBeLessThanOrEqual(21);
    answer(2);
    const since = kernel.asked.length;
    await pass(45_000);
    // One has come: others may follow.
    expect(kernel.asked.length - since).toBeGreaterThanOrEqual(5);
    hosted.visible = false;
  });

  it.each([
    ['empty', 'empty'],
    ['silence', 'silent']
  ] as const)('whose kernel answers with %s are %s', async (answer, state) => {
    server.kernel.answers('host.state', answer);
    server.add('s', 'Dask cluster a', HOSTING_TYPE);
    hosted.visible = true;
    await pass(11_000);
    expect(hosted.list[0]).toMatchObject({ name: 'a', state });
    hosted.visible = false;
    await pass(11_000);
  });

  it('whose kernel stops to answer are silent, with what was known, until it answers again', async () => {
    const { kernel } = server;
    kernel.answers('host.state', { state: 'running', name: 'a', workers: 1, asked: 1, tasks: 3 }, 'silence');
    server.add('s', 'Dask cluster a', HOSTING_TYPE);
    hosted.visible = true;
    await pass(1000);
    expect(hosted.list[0].state).toBe('running');
    await pass(41_000);
    expect(hosted.list[0]).toMatchObject({ state: 'silent', facts: { tasks: 3 } });
    kernel.answers('host.state', { state: 'running', name: 'a', workers: 1, asked: 1 });
    await pass(15_000);
    expect(hosted.list[0].state).toBe('running');
    // Another kernel has the session: nothing is known of it.
    kernel.answers('host.state', 'empty');
    server.models = [{ ...server.models[0], kernel: { id: 'restarted', name: 'python3' } }];
    server.runningChanged.emit(server.models);
    expect(hosted.list[0]).toMatchObject({ state: 'asking', facts: null });
    await pass(31_000);
    expect(hosted.list[0].state).toBe('empty');
    const { emptySince } = hosted.list[0];
    const times = kernel.asked.length;
    expect(emptySince).toBeGreaterThan(0);
    await pass(31_000);
    // It is asked again, and has been so since the first answer.
    expect(hosted.list[0]).toMatchObject({ emptySince, state: 'empty' });
    expect(kernel.asked.length).toBeGreaterThan(times);
  });

  it('are disconnected where the server does not answer, which the next round finds, with what was known', async () => {
    const { kernel } = server;
    kernel.answers('host.state', { state: 'running', name: 'a', workers: 1, asked: 1, tasks: 3 });
    server.add('s', 'Dask cluster a', HOSTING_TYPE);
    hosted.visible = true;
    await pass(1000);
    server.up = false;
    const before = kernel.asked.length;
    await pass(30_000);
    expect(hosted.list[0]).toMatchObject({ state: 'disconnected', facts: { tasks: 3 } });
    expect(kernel.asked.length).toBe(before);
    server.up = true;
    await pass(15_000);
    expect(hosted.list[0].state).toBe('running');
  });

  it('are disconnected where the server goes before their kernel has answered', async () => {
    const { kernel } = server;
    kernel.answers('host.state', 'silence');
    server.add('s', 'Dask cluster a', HOSTING_TYPE);
    hosted.visible = true;
    await pass(1000);
    server.up = false;
    await pass(10_000);
    expect(hosted.list[0].state).toBe('disconnected');
    hosted.visible = false;
    await pass(11_000);
  });

  it('are disconnected, and back, as soon as the page sees it elsewhere', async () => {
    const { kernel } = server;
    kernel.answers('host.state', { state: 'running', name: 'a', workers: 1, asked: 1 });
    server.add('s', 'Dask cluster a', HOSTING_TYPE);
    hosted.visible = true;
    await pass(1000);
    server.up = false;
    server.lost = true;
    server.linkChanged.emit();
    await pass(10);
    expect(hosted.list[0].state).toBe('disconnected');
    server.up = true;
    server.lost = false;
    server.linkChanged.emit();
    await pass(10);
    expect(hosted.list[0].state).toBe('running');
    // Nothing has changed: they are not asked.
    const before = kernel.asked.length;
    server.linkChanged.emit();
    await pass(10);
    expect(kernel.asked.length).toBe(before);
  });

  it.each(['answers', 'is silent'])('are ended with their kernel, which %s', async how => {
    const { kernel } = server;
    kernel.answers('host.stop', how === 'answers' ? { state: 'closing' } : 'silence');
    kernel.answers('host.state', { state: 'closing' }, { state: 'closed' });
    server.add('s', 'Dask cluster a', HOSTING_TYPE);
    const ended = hosted.list[0].shutDown();
    expect(hosted.list[0].state).toBe('closing');
    await pass(15_000);
    await ended;
    expect(server.ended).toEqual(['s']);
    expect(hosted.list).toEqual([]);
    expect(kernel.open).toBe(0);
  });

  it('are scaled, and a refusal is an error', async () => {
    const { kernel } = server;
    server.add('s', 'Dask cluster a', HOSTING_TYPE);
    kernel.answers('host.scale', { state: 'running', asked: 3 });
    await hosted.list[0].scale(3);
    expect(hosted.list[0].facts?.asked).toBe(3);
    kernel.answers('host.adapt', { success: false, body: { message: 'no' } });
    await expect(hosted.list[0].adapt(1, 2)).rejects.toThrow('no');
    expect(kernel.asked).toEqual([
      ['host.scale', { workers: 3 }],
      ['host.adapt', { minimum: 1, maximum: 2 }]
    ]);
  });

  it('are asked again soon after they were scaled', async () => {
    const { kernel } = server;
    kernel.answers('host.state', { state: 'running', workers: 1, asked: 1 }, { state: 'running', workers: 2, asked: 2 });
    server.add('s', 'Dask cluster a', HOSTING_TYPE);
    hosted.visible = true;
    await pass(1000);
    kernel.answers('host.scale', { state: 'running', workers: 1, asked: 2 });
    await hosted.list[0].scale(2);
    await pass(3000);
    expect(hosted.list[0].facts?.workers).toBe(2);
    expect(kernel.asked.map(([op]) => op)).toEqual(['host.state', 'host.scale', 'host.state']);
  });

  it('keep their card under the name of the session while that is all that is known', () => {
    server.add('s', '<b>x</b>', HOSTING_TYPE);
    expect(hosted.list[0].name).toBe('<b>x</b>');
    server.models = [];
    server.runningChanged.emit([]);
    expect(hosted.list).toEqual([]);
  });
});
