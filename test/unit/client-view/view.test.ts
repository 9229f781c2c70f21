// @vitest-environment jsdom
import { Signal } from '@lumino/signaling';
import { Widget } from '@lumino/widgets';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readFacts } from '../../../src/client-view/cell/facts';
import type { OwnView } from '../../../src/client-view/cell/own';
import { readScaling } from '../../../src/client-view/scaling';
import type { ShownPanes } from '../../../src/client-view/openers';
import { ClientView, type ClientViewServices } from '../../../src/client-view/view';
import type { Clients } from '../../../src/clients/model';
import { Refusal } from '../../../src/feed/kernel/ask-kernel';
import { FakeClients, fakeSettings, frame, info, meta, prefixes, tasks, workers } from './fakes';
import { saved } from './saved';
import { compute } from '../plots/made-computations';
import { translate as trans } from '../translate';

let view: ClientView | null = null;

/** Timers that go on: jsdom has one of its own while an animation frame is due. */
function timers(): number {
  vi.advanceTimersByTime(100);
  return vi.getTimerCount();
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_795_244_400_000, toFake: ['setInterval', 'clearInterval', 'Date', 'performance'] });
});

afterEach(() => {
  view?.dispose();
  view = null;
  expect(timers()).toBe(0);
  vi.useRealTimers();
});

function show(json: unknown, clients: Clients | null = null, services: Partial<ClientViewServices> = {}): HTMLElement {
  view = new ClientView(readFacts(json), {
    trans,
    baseUrl: 'https://hub.example/user/ada/',
    clients,
    panes: null,
    actor: null,
    themeChanged: null,
    settings: fakeSettings(),
    ...services
  });
  Widget.attach(view, document.body);
  return view.node;
}

function row(node: HTMLElement, name: string): string {
  const found = node.querySelector<HTMLElement>(`[data-row="${name}"]`);
  return found && !found.hidden ? (found.textContent ?? '') : '';
}

function buttons(node: HTMLElement): string[] {
  return [...node.querySelectorAll('button')].map(button => button.textContent ?? '');
}

function fakePanes(): ShownPanes & { readonly calls: unknown[][] } {
  const calls: unknown[][] = [];
  const note = (...call: unknown[]): Promise<void> => {
    calls.push(call);
    return Promise.resolve();
  };
  return {
    calls,
    open: (...args) => note('open', ...args),
    layout: (...args) => note('layout', ...args),
    saveReport: (...args) => note('saveReport', ...args).then(() => ''),
    plots: ['task-stream', 'progress', 'workers'],
    layouts: ['status']
  };
}

describe('without a kernel', () => {
  it('shows the facts, when they were taken, and the link', () => {
    const time = new Date(2026, 10, 21, 10, 44).getTime();
    vi.setSystemTime(time + 60_000);
    const node = show(saved({ time: time / 1000 }), null, { panes: fakePanes() });
    expect(node.dataset.state).toBe('saved');
    expect(node.textContent).toContain('LocalCluster · tcp://127.0.0.1:38215');
    expect(node.textContent).toContain('as of 10:44');
    expect(row(node, 'workers')).toBe('8 · 32 threads');
    expect(row(node, 'memory')).toBe('limit 32.0 GiB');
    expect(row(node, 'tasks')).toBe('');
    expect(node.querySelector('a')?.href).toBe('http://127.0.0.1:8787/status');
    expect(node.querySelector('a')?.rel).toContain('noopener');
    expect(node.querySelector('a')?.target).toBe('_blank');
    expect(buttons(node)).toEqual([]);
  });

  it('says the day where it was another one', () => {
    const time = new Date(2026, 10, 21, 10, 44).getTime();
    vi.setSystemTime(time + 60 * 86_400_000);
    const node = show(saved({ time: time / 1000 }));
    expect(node.textContent).toMatch(/as of .*21.*2026.*, 10:44/);
  });

  it('has the dashboard behind the proxy of a hub, of which Dask names a path', () => {
    const node = show(saved({ dashboard: '/user/ada/proxy/8787/status' }));
    expect(node.querySelector('a')?.href).toBe('https://hub.example/user/ada/proxy/8787/status');
  });

  it('says why there is no dashboard', () => {
    const node = show(saved({ dashboard: '', dashboardReason: 'Bokeh is not installed' }));
    expect(row(node, 'dashboard')).toBe('Bokeh is not installed');
    expect(node.querySelector('a')).toBeNull();
  });

  it('keeps no timer', () => {
    show(saved());
    expect(timers()).toBe(0);
  });
});

describe('hostile outputs', () => {
  const markup = '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>';

  it('shows markup as text', () => {
    const node = show(saved({ cluster: markup, address: markup, dashboard: markup, dashboardReason: markup, limited: markup }));
    expect(node.querySelectorAll('img, script, iframe')).toHaveLength(0);
    expect(node.textContent).toContain('onerror');
    expect(globalThis).not.toHaveProperty('hacked');
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', ' JAVASCRIPT:alert(1)'])('makes no link of %s', link => {
    const node = show(saved({ dashboard: link }));
    expect(node.querySelector('a')).toBeNull();
    expect(row(node, 'dashboard')).toBe(link);
  });

  it('says that it cannot read what is malformed', () => {
    const node = show({ version: 1, key: ['Client-1'] }, new FakeClients([info()]));
    expect(node.textContent).toContain('no Dask client');
    expect(node.querySelector('button, a')).toBeNull();
  });

  it('shows no other client than the one it names', () => {
    const clients = new FakeClients([info({ key: 'Client-2', address: 'tcp://10.0.0.1:1' })]);
    const node = show(saved({ key: 'Client-1' }), clients);
    expect(node.dataset.state).toBe('saved');
    expect(clients.handles).toHaveLength(0);
  });
});

describe('with its kernel', () => {
  it('shows what the run holds', () => {
    const clients = new FakeClients([info()]);
    const node = show(saved(), clients);
    clients.run.apply(
      frame(1000, {
        meta: meta(),
        workers: workers(
          { managed: 1, unmanaged: 0.5, recent: 0.25, spilled: 1 },
          { status: 'paused' },
          { status: 'lost', threads: 64 }
        ),
        prefixes: prefixes(
          { memory: 10, released: 5, processing: 4, erred: 1, forgotten: 1000 },
          { waiting: 3, forgotten_erred: 2 }
        )
      }),
      performance.now()
    );
    vi.advanceTimersByTime(250);
    expect(node.dataset.state).toBe('live');
    expect(node.querySelector('.dp-ClientView-state')?.textContent).toBe('live');
    expect(row(node, 'workers')).toBe('2 · 8 threads · 1 paused');
    expect(row(node, 'memory')).toBe('1.75 / 8.00 GiB');
    expect(row(node, 'tasks')).toBe('1,015 / 1,025 · 3 erred');
    const widths = [...node.querySelectorAll<HTMLElement>('[data-part]')].map(part => Number.parseFloat(part.style.width));
    expect(widths).toEqual([12.5, 6.25, 3.13, 12.5]);
    expect(node.querySelector('[role="img"]')?.getAttribute('aria-label')).toContain('spilled to disk 1.00 GiB');
  });

  it('counts the tasks of its own client where others have submitted some, as the sidebar does', () => {
    const clients = new FakeClients([info()]);
    const node = show(saved(), clients);
    const card = (...rows: Parameters<typeof compute>[1]): string => {
      compute(clients.run, rows, 1000, 'f');
      vi.advanceTimersByTime(1250);
      return row(node, 'tasks');
    };
    const topics = { meta: meta(), workers: workers({}), prefixes: prefixes({ memory: 134, erred: 6 }) };
    clients.run.apply({ ...frame(1000, topics), feed: 'f' }, performance.now());
    const own = { id: 1, client: 'Client-1', since: 900, stop: 920, of: { 0: { tasks: 100, done: 100 } } };
    const other = { id: 2, client: 'Client-2', since: 930, stop: 940, of: { 0: { tasks: 40, done: 34, failed: 6 } } };
    expect(card(other)).toBe('none yet');
    expect(card(other, own)).toBe('100 / 100');
    expect(card(other, { ...own, unfollowed: 5 })).toContain(', all clients');
  });

  it('says of memory that no worker has reported that it is not known', () => {
    const clients = new FakeClients([info()]);
    const node = show(saved(), clients);
    const topics = { workers: workers({ managed: Number.NaN, unmanaged: Number.NaN, recent: Number.NaN }) };
    clients.run.apply(frame(1000, { meta: meta(), ...topics }), performance.now());
    vi.advanceTimersByTime(250);
    expect(row(node, 'memory')).toBe('– / 4.00 GiB');
  });

  it('does not set the memory of all workers against the limits of some', () => {
    const clients = new FakeClients([info()]);
    const node = show(saved(), clients);
    const some = workers({ managed: 10, limit: 0 }, { managed: 1 });
    clients.run.apply(frame(1000, { meta: meta(), workers: some }), performance.now());
    vi.advanceTimersByTime(250);
    expect(row(node, 'memory')).toBe('11.0 GiB');
    expect(row(node, 'tasks')).toBe('none yet');
    clients.announce(info({ status: 'closed' }));
    vi.advanceTimersByTime(250);
    expect(row(node, 'tasks')).toBe('no tasks');
  });

  it('does not say 0 of what a scheduler that takes no collector does not tell', () => {
    const clients = new FakeClients([info()]);
    const node = show(saved(), clients);
    const unknown = meta({ unknown: ['queued', 'no_worker'] });
    const topics = { meta: unknown, workers: workers({ managed: 1, unmanaged: 1, recent: Number.NaN }), prefixes: prefixes({}) };
    clients.run.apply(frame(1000, topics), performance.now());
    vi.advanceTimersByTime(250);
    expect(row(node, 'tasks')).toBe('none known');
    expect(node.querySelector('[role="img"]')?.getAttribute('aria-label')).toContain('unmanaged, recent –');
    expect(row(node, 'memory')).toBe('2.00 / 4.00 GiB');
    clients.run.apply(frame(1001, { prefixes: prefixes({ memory: 12, processing: 3 }) }), performance.now());
    vi.advanceTimersByTime(250);
    expect(row(node, 'tasks')).toBe('12 / ≥ 15');
    clients.announce(info({ status: 'closed' }));
    vi.advanceTimersByTime(250);
    expect(row(node, 'tasks')).toBe('12 / ≥ 15');
  });

  it('counts what is finished in a second', () => {
    const clients = new FakeClients([info()]);
    const node = show(saved(), clients);
    const step = (time: number, counts: Record<string, number>): void => {
      clients.run.apply(frame(time, { workers: workers({}), prefixes: prefixes({ memory: 800, ...counts }) }), performance.now());
      vi.advanceTimersByTime(1000);
    };
    step(1020, { waiting: 2000, since: 900, recent: 400, recent_since: 1000 });
    expect(row(node, 'tasks')).toBe('800 / 2,800 · 40/s');
    step(1031, { waiting: 2000, since: 900, recent: 0 });
    expect(row(node, 'tasks')).toBe('800 / 2,800');
    // The loop that waits for each result has nothing to do for moments.
    step(1032, { since: 900, until: 1031.5, recent: 40, recent_since: 1000 });
    expect(row(node, 'tasks')).toBe('800 / 800 · 4.0/s');
    step(1040, { since: 900, until: 1031.5, recent: 40, recent_since: 1000 });
    expect(row(node, 'tasks')).toBe('800 / 800');
  });

  it('counts the newest run of each function, not what ran before', () => {
    const clients = new FakeClients([info()]);
    const node = show(saved(), clients);
    const before = { since: 1000, done_before: 900, erred_before: 4 };
    const rows = prefixes({ memory: 10, released: 900, processing: 5, erred: 5, ...before });
    clients.run.apply(frame(1010, { meta: meta(), workers: workers({}), prefixes: rows }), performance.now());
    vi.advanceTimersByTime(250);
    expect(row(node, 'tasks')).toBe('10 / 16 · 1 erred');
    clients.announce(info({ status: 'closed' }));
    vi.advanceTimersByTime(250);
    expect(row(node, 'tasks')).toBe('16 tasks · 10 done when it closed · 1 erred');
  });

  it.each([
    ['that panes follow', ['Client-0', 'Client-1'], { follow: true }],
    ['beside a newer one', ['Client-1', 'Client-2'], { follow: false, path: 'a.ipynb', client: 'Client-1' }]
  ])('offers Status, Task stream, Workers and a report of a client %s', (_, keys, binding) => {
    const clients = new FakeClients(keys.map(key => info({ key })));
    const panes = fakePanes();
    const node = show(saved(), clients, { panes });
    expect(buttons(node)).toEqual(['Status', 'Task stream', 'Workers', 'Save report']);
    for (const button of node.querySelectorAll('button')) {
      button.click();
    }
    expect(panes.calls).toEqual([
      ['layout', 'status', binding],
      ['open', 'task-stream', { binding }],
      ['open', 'workers', { binding }],
      ['saveReport', binding]
    ]);
  });

  it('says why a pane did not open', async () => {
    const panes: ShownPanes = { ...fakePanes(), open: () => Promise.reject(new Error('There is no such plot.')) };
    const node = show(saved(), new FakeClients([info()]), { panes });
    node.querySelectorAll('button')[1].click();
    await Promise.resolve();
    await Promise.resolve();
    expect(node.querySelector('[role="alert"]')?.textContent).toBe('There is no such plot.');
  });

  it('becomes live when the kernel reports its client', () => {
    const clients = new FakeClients();
    const node = show(saved(), clients);
    expect(node.dataset.state).toBe('saved');
    clients.announce(info());
    expect(clients.feed.topics).toEqual(expect.arrayContaining(['meta', 'workers', 'prefixes']));
    expect(node.dataset.state).not.toBe('saved');
  });

  it('says when its client closed, and keeps what it did', () => {
    const clients = new FakeClients([info()]);
    const node = show(saved(), clients);
    clients.run.apply(frame(1000, { workers: workers({}, {}, {}), prefixes: prefixes({ memory: 7 }) }), performance.now());
    const closedAt = new Date(2026, 10, 21, 10, 44).getTime() / 1000;
    clients.announce(info({ status: 'closed', closedAt }));
    expect(node.dataset.state).toBe('closed');
    expect(node.textContent).toContain('closed 10:44');
    expect(row(node, 'tasks')).toBe('7 / 7');
  });

  it.each([
    ['LocalCluster', false, 'its kernel has ended'],
    ['Scheduler', true, 'http://127.0.0.1:8787/status']
  ])('has no link to the dashboard of a %s that ended with its kernel: %s', (cluster, linked, text) => {
    const clients = new FakeClients([info({ cluster })]);
    const node = show(saved({ cluster }), clients);
    const link = (): Element | null => node.querySelector('[data-row="dashboard"] a');
    expect(link()).not.toBeNull();
    clients.announce(info({ cluster, status: 'closed', kernelEnded: true }));
    expect(link() !== null).toBe(linked);
    expect(row(node, 'dashboard')).toBe(text);
  });

  it('says that there are no tasks now, and not none yet, where the scheduler was cleared after some had run', () => {
    const clients = new FakeClients([info()]);
    const node = show(saved(), clients);
    clients.run.apply(frame(1000, { workers: workers({}), prefixes: prefixes({ memory: 7 }) }), performance.now());
    vi.advanceTimersByTime(1000);
    expect(row(node, 'tasks')).toBe('7 / 7');
    const topics = { workers: workers({}), prefixes: prefixes({}) };
    clients.run.apply({ ...frame(1010, topics), epoch: 1 }, performance.now());
    vi.advanceTimersByTime(1000);
    expect(row(node, 'tasks')).toBe('none yet');
    clients.run.apply({ ...frame(1011, { tasks: tasks(0, [0, 0, 980, 5]) }), epoch: 1 }, performance.now());
    vi.advanceTimersByTime(1000);
    expect(row(node, 'tasks')).toBe('none now');
    clients.announce(info({ status: 'closed' }));
    expect(row(node, 'tasks')).toBe('none when it closed');
  });

  it('does not count up what had not been done when its client closed', () => {
    const clients = new FakeClients([info()]);
    const node = show(saved(), clients);
    clients.run.apply(frame(1000, { workers: workers({}), prefixes: prefixes({ waiting: 300 }) }), performance.now());
    clients.announce(info({ status: 'closed' }));
    expect(row(node, 'tasks')).toBe('300 tasks · 0 done when it closed');
  });

  it.each([
    [0, '90 / 100 · 10 erred'],
    [3, '103 tasks · 90 done when it closed · 10 erred']
  ])('has the errors of a client that has closed with %i tasks left', (left, text) => {
    const clients = new FakeClients([info()]);
    const node = show(saved(), clients);
    const topics = { workers: workers({}), prefixes: prefixes({ memory: 90, erred: 10, waiting: left }) };
    clients.run.apply(frame(1000, topics), performance.now());
    clients.announce(info({ status: 'closed' }));
    expect(row(node, 'tasks')).toBe(text);
  });

  it('says how far the end of a recording is, for which a cell waits', () => {
    const clients = new FakeClients([info({ ending: { what: 'report', doing: 'workers', share: 0.2 } })]);
    const node = show(saved(), clients);
    clients.run.apply(frame(1, { workers: workers({ threads: 4 }) }), performance.now());
    vi.advanceTimersByTime(300);
    expect(node.textContent).toContain('live · finishing a report · last look at the workers, 20 %');
  });

  it('says that the kernel does not answer', () => {
    const clients = new FakeClients([info()]);
    const node = show(saved(), clients);
    clients.run.apply(frame(1000, { workers: workers({}) }), performance.now());
    clients.feed.state = { status: 'silent', answered: performance.now(), reason: 'busy' };
    vi.advanceTimersByTime(14_000);
    expect(node.textContent).toContain('no answer for 14 s');
  });

  it('finds a cluster that had no client by its address', () => {
    const node = show(saved({ kind: 'cluster', key: '' }), new FakeClients([info({ scheduler: 'Scheduler-1' })]));
    expect(node.dataset.state).not.toBe('saved');
    expect(node.textContent).toContain('Cluster');
  });

  it('prefers a client of the cluster itself to one by its address', () => {
    const clients = new FakeClients([
      info({ key: 'own', workers: 2 }),
      info({ key: 'by-address', cluster: 'Scheduler', created: 9, workers: 7 })
    ]);
    const node = show(saved({ kind: 'cluster', key: '' }), clients);
    expect(row(node, 'workers')).toBe('2 · 8 threads');
    clients.announce(info({ key: 'by-address', cluster: 'Scheduler', created: 9, workers: 7 }));
    expect(row(node, 'workers')).toBe('7 · 8 threads');
    expect(node.textContent).toContain('LocalCluster · tcp://127.0.0.1:38215');
  });

  it('takes no other scheduler at the same address for it', () => {
    const node = show(saved({ kind: 'cluster', key: '' }), new FakeClients([info({ scheduler: 'Scheduler-2' })]));
    expect(node.dataset.state).toBe('saved');
  });
});

describe('an output that is updated', () => {
  it('shows the other client, and nothing of the one before', () => {
    const clients = new FakeClients([info()]);
    const node = show(saved(), clients, { panes: fakePanes() });
    clients.run.apply(frame(1000, { workers: workers({}), prefixes: prefixes({ memory: 7 }) }), performance.now());
    vi.advanceTimersByTime(250);
    expect(row(node, 'tasks')).toBe('7 / 7');
    view?.setFacts(readFacts(saved({ key: 'Client-9', workers: 3, threads: 1 })));
    expect(node.dataset.state).toBe('saved');
    expect(row(node, 'workers')).toBe('3 · 1 thread');
    expect(row(node, 'tasks')).toBe('');
    expect(buttons(node)).toEqual([]);
    expect(clients.feed.topics).toEqual([]);
  });

  it('goes on with the same client', () => {
    const clients = new FakeClients([info()]);
    const node = show(saved(), clients);
    clients.run.apply(frame(1000, { workers: workers({}), prefixes: prefixes({ memory: 7 }) }), performance.now());
    view?.setFacts(readFacts(saved({ time: 1_795_244_399 })));
    expect(row(node, 'tasks')).toBe('7 / 7');
    view?.setFacts(null);
    expect(clients.feed.topics).toEqual([]);
    view?.setFacts(readFacts(saved()));
    expect(row(node, 'tasks')).toBe('7 / 7');
  });
});

describe('what it holds', () => {
  it('is released while it is not visible', () => {
    const clients = new FakeClients([info()]);
    show(saved(), clients);
    clients.run.apply(frame(1000, { workers: workers({}) }), performance.now());
    vi.advanceTimersByTime(1000);
    expect(clients.feed.topics).toContain('tasks');
    view?.hide();
    expect(clients.feed.topics).toEqual([]);
    expect(timers()).toBe(0);
    view?.show();
    expect(clients.feed.topics).toContain('workers');
  });

  it('is given back at the end', () => {
    const clients = new FakeClients([info()]);
    const themes = new Signal<object, void>({});
    show(saved(), clients, { themeChanged: themes });
    view?.dispose();
    expect(clients.feed.topics).toEqual([]);
    expect(clients.handles.every(handle => handle.isDisposed)).toBe(true);
    themes.emit();
    clients.announce(info({ status: 'closed' }));
  });

  it('is no long history for a strip', () => {
    const clients = new FakeClients([info()]);
    show(saved(), clients);
    clients.run.apply(frame(1000, { workers: workers({}), prefixes: prefixes({ forgotten: 5_000_000 }) }), performance.now());
    vi.advanceTimersByTime(1000);
    expect(clients.feed.topics).not.toContain('tasks');
    expect(view?.node.querySelector<HTMLElement>('.dp-ClientView-strip')?.hidden).toBe(true);
    clients.run.apply(frame(1001, { tasks: tasks(0, [0, 0, 990, 1]) }), performance.now());
    vi.advanceTimersByTime(1000);
    expect(view?.node.querySelector<HTMLElement>('.dp-ClientView-strip')?.hidden).toBe(false);
  });
});

describe('acting on the cluster', () => {
  const label = 'Scale / Adapt…';
  const handle = 'a1'.repeat(16);

  /** A tick of the cards, and the promises that wait. */
  async function settle(): Promise<void> {
    await Promise.resolve();
    await Promise.resolve();
    vi.advanceTimersByTime(300);
  }

  function scaleButton(node: HTMLElement): HTMLButtonElement | undefined {
    return [...node.querySelectorAll('button')].find(button => button.textContent === label);
  }

  it('is offered where the kernel holds the cluster, and says why where not', async () => {
    const clients = new FakeClients([info({ scaling: '' })]);
    const node = show(saved({ key: info().key }), clients);
    await settle();
    expect(scaleButton(node)?.hasAttribute('aria-disabled')).toBe(false);
    clients.announce(info({ scaling: 'This kernel has no cluster object.' }));
    await settle();
    const button = scaleButton(node);
    expect(button?.getAttribute('aria-disabled')).toBe('true');
    expect(button?.title).toBe('This kernel has no cluster object.');
    button?.click();
    expect(node.querySelector('[role="alert"]')?.textContent).toBe('This kernel has no cluster object.');
  });

  it('is not offered by kernels that do not say, of closed clients, and where it is switched off', async () => {
    const clients = new FakeClients([info()]);
    const settings = fakeSettings();
    const node = show(saved({ key: info().key }), clients, { settings });
    await settle();
    expect(scaleButton(node)).toBeUndefined();
    clients.announce(info({ scaling: '' }));
    await settle();
    expect(scaleButton(node)).toBeDefined();
    settings.values = { ...settings.values, actions: false };
    settings.changed.emit();
    expect(scaleButton(node)).toBeUndefined();
    settings.values = { ...settings.values, actions: true };
    clients.announce(info({ scaling: '', status: 'closed' }));
    await settle();
    expect(scaleButton(node)).toBeUndefined();
  });

  it('asks the kernel of the document once whether it has a displayed cluster without a client', async () => {
    const clients = new FakeClients([]);
    const asked: unknown[] = [];
    clients.act = action => {
      asked.push(action);
      return Promise.resolve({ workers: 1, asked: 1, adaptive: null });
    };
    view = new ClientView(
      readFacts(saved({ kind: 'cluster', key: '', handle, scaling: '' })),
      { trans, baseUrl: '', clients, panes: null, actor: null, themeChanged: null, settings: fakeSettings() },
      { own: noOwnView(), path: () => 'a.ipynb' }
    );
    Widget.attach(view, document.body);
    await settle();
    await settle();
    expect(scaleButton(view.node)).toBeDefined();
    expect(asked).toEqual([{ name: 'scaling', target: { handle }, args: {} }]);
  });

  it('stays while another client of the cluster is open, and says that only its client is closed', () => {
    const clients = new FakeClients([info({ scheduler: 'Scheduler-1' })]);
    const node = show(saved({ kind: 'cluster' }), clients);
    const closed = info({ status: 'closed', closedAt: 1_795_244_400, scheduler: 'Scheduler-1' });
    clients.announce(closed, info({ key: 'Client-2', workers: 5, created: 9, scheduler: 'Scheduler-1' }));
    expect(node.dataset.state).not.toBe('closed');
    expect(node.textContent).toContain('5 · 8 threads');
    clients.announce(closed);
    expect(node.querySelector('.dp-ClientView-state')?.textContent).toMatch(/^its client: closed/);
  });

  it('is not offered for a saved cluster that the kernel has not', async () => {
    const clients = new FakeClients([]);
    clients.act = () => Promise.reject(new Refusal({ message: 'This kernel does not have the cluster any more.' }));
    view = new ClientView(
      readFacts(saved({ kind: 'cluster', key: '', handle, scaling: '' })),
      { trans, baseUrl: '', clients, panes: null, actor: null, themeChanged: null, settings: fakeSettings() },
      { own: noOwnView(), path: () => 'a.ipynb' }
    );
    Widget.attach(view, document.body);
    await settle();
    await settle();
    expect(scaleButton(view.node)).toBeUndefined();
    expect(view.node.textContent).not.toContain('any more');
  });

  it('does not trust what a kernel sends', () => {
    const unknown = { memory: 0, machine: 0, grouped: false };
    expect(readScaling({ workers: 2, asked: 4, adaptive: [1, 4] })).toEqual({
      ...unknown,
      workers: 2,
      asked: 4,
      adaptive: [1, 4]
    });
    expect(readScaling({ workers: 2, memory: 2048, machine: 1e99 })).toMatchObject({ memory: 2048, machine: 0 });
    expect(readScaling({ workers: -1, asked: 'many', adaptive: [1] })).toEqual({
      ...unknown,
      workers: 0,
      asked: 0,
      adaptive: null
    });
    expect(readScaling({ adaptive: [1, 4, 9] }).adaptive).toBeNull();
    expect(readScaling({ adaptive: [-1, 1e300] }).adaptive).toEqual([0, 0]);
    for (const odd of [null, undefined, [1, 2], 'workers', Number.NaN]) {
      expect(readScaling(odd)).toEqual({ ...unknown, workers: 0, asked: 0, adaptive: null });
    }
  });
});

function noOwnView(): OwnView {
  const own: OwnView = {
    there: false,
    shown: false,
    get changed() {
      return changed;
    },
    toggle: () => Promise.resolve()
  };
  const changed = new Signal<OwnView, void>(own);
  return own;
}
