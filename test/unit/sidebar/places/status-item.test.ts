// @vitest-environment jsdom
import { Widget } from '@lumino/widgets';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_SETTINGS, type Settings } from '../../../../src/base/jupyter/settings';
import { StatusItem } from '../../../../src/sidebar/places/status-item';
import { ClientRegistry } from '../../../../src/clients/registry';
import { client, FakeChannel, FakeDocuments, FakeKernel, FakeSessions } from '../../clients/fakes';
import { FakeClients, fakeSettings, frame, info, prefixes, workers } from '../../client-view/fakes';
import { translate as trans } from '../../translate';

describe('the status bar', () => {
  const open = vi.fn();
  let clients: FakeClients;
  let settings: ReturnType<typeof fakeSettings>;
  let item: StatusItem;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
    open.mockReset();
    clients = new FakeClients([info({ key: 'Client-1', workers: 2, threads: 4 })]);
    settings = fakeSettings();
    item = new StatusItem(clients, settings as unknown as Settings, trans, open);
  });

  afterEach(() => {
    item.dispose();
    expect(clients.feed.topics).toEqual([]);
    // Lumino tidies its signals up in the next frame.
    vi.advanceTimersByTime(50);
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  const text = (): string => item.node.textContent ?? '';

  it('requests nothing until it is visible, then shows busy threads', () => {
    expect(item.wanted).toBe(true);
    expect(clients.feed.topics).toEqual([]);
    Widget.attach(item, document.body);
    expect(clients.feed.topics).toEqual(['meta', 'workers']);
    expect(text()).toBe('Dask: asking the kernel');
    clients.run.apply(frame(1, { workers: workers({ threads: 4, executing: 3 }, { threads: 2, executing: 5 }) }), 0);
    vi.advanceTimersByTime(300);
    expect(text()).toBe('Dask: 5 / 6 busy');
    item.hide();
    expect(clients.feed.topics).toEqual([]);
    item.show();
    expect(clients.feed.topics).toEqual(['meta', 'workers']);
    item.node.querySelector('span')?.click();
    item.node.querySelector('span')?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));
    expect(open).toHaveBeenCalledTimes(2);
  });

  it('asks for nothing while the page is hidden', () => {
    Widget.attach(item, document.body);
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    document.dispatchEvent(new Event('visibilitychange'));
    expect(clients.feed.topics).toEqual([]);
    hidden.mockRestore();
    document.dispatchEvent(new Event('visibilitychange'));
    expect(clients.feed.topics).toEqual(['meta', 'workers']);
  });

  it('is not there without an open client, or when it is switched off', () => {
    Widget.attach(item, document.body);
    const states: boolean[] = [];
    item.wantedChanged.connect(() => states.push(item.wanted));
    settings.values = { ...DEFAULT_SETTINGS, statusBar: false };
    settings.changed.emit();
    expect(clients.feed.topics).toEqual([]);
    settings.values = DEFAULT_SETTINGS;
    settings.changed.emit();
    expect(clients.feed.topics).toEqual(['meta', 'workers']);
    clients.announce(info({ key: 'Client-1', status: 'closed' }));
    clients.announce();
    expect(states).toEqual([false, true, false]);
    expect(clients.feed.topics).toEqual([]);
  });

  it('says nothing of tasks, of which it hears no more once their pane is hidden', () => {
    Widget.attach(item, document.body);
    const pane = clients.feed.subscribe(['prefixes']);
    clients.run.apply(frame(1, { prefixes: prefixes({ waiting: 60 }), workers: workers({ threads: 4, executing: 3 }) }), 0);
    pane.dispose();
    // All of them have ended, and the cluster adapts: it has no workers any more.
    clients.run.apply(frame(2, { workers: workers({ status: 'closed' }) }), 0);
    vi.advanceTimersByTime(300);
    expect(text()).toBe('Dask: 0 / 0 busy');
  });

  it('says that the kernel does not answer, instead of an old figure', () => {
    Widget.attach(item, document.body);
    clients.run.apply(frame(1, { workers: workers({ threads: 4, executing: 3 }) }), 0);
    clients.feed.state = { status: 'silent', answered: performance.now() - 14_000, reason: '' };
    vi.advanceTimersByTime(300);
    expect(text()).toBe('Dask: no answer for 14 s · kernel');
  });

  it('does not say that it asks a kernel that it cannot reach', () => {
    const [kernel] = clients.kernels;
    const kernels = vi.spyOn(clients, 'kernels', 'get').mockReturnValue([{ ...kernel, state: 'disconnected' }]);
    Widget.attach(item, document.body);
    expect(text()).toBe('Dask: disconnected from the Jupyter server');
    kernels.mockReturnValue([{ ...kernel, state: 'silent' }]);
    vi.advanceTimersByTime(300);
    expect(text()).toBe('Dask: the kernel does not answer');
    kernels.mockRestore();
    vi.advanceTimersByTime(300);
    expect(text()).toBe('Dask: asking the kernel');
  });

  it('says that a client has not reached its scheduler yet: its kernel has answered', () => {
    clients.announce(info({ key: 'Client-1', status: 'connecting', address: 'tcp://10.0.0.1:8786' }));
    Widget.attach(item, document.body);
    expect(text()).toBe('Dask: connecting to tcp://10.0.0.1:8786');
  });

  it('shows no figures of a scheduler that its client has lost', () => {
    Widget.attach(item, document.body);
    clients.run.apply(frame(1, { workers: workers({ threads: 4, executing: 3 }) }), 0);
    clients.announce(info({ key: 'Client-1', status: 'connecting', address: 'tcp://10.0.0.1:8786' }));
    clients.feed.state = { status: 'silent', silent: 'scheduler', answered: performance.now() - 6_000, reason: '' };
    vi.advanceTimersByTime(300);
    expect(text()).toBe('Dask: no answer for 6 s · connecting to tcp://10.0.0.1:8786');
  });
});

describe('the status bar with two notebooks', () => {
  it('has the followed client, also where that of the active notebook has ended', async () => {
    const documents = new FakeDocuments();
    const channels = new Map<string, FakeChannel>();
    const registry = new ClientRegistry({
      documents,
      sessions: new FakeSessions(),
      kernels: {
        createChannel: kernel => {
          const channel = new FakeChannel();
          channels.set(kernel.id, channel);
          return channel;
        },
        connect: () => new FakeKernel('own').connection,
        settings: fakeSettings(),
        languageOf: () => undefined,
        activation: { line: '', ready: Promise.resolve(), enabled: () => false }
      }
    });
    documents.show({ path: 'a.ipynb', kernel: new FakeKernel('a') }, { path: 'b.ipynb', kernel: new FakeKernel('b') });
    await new Promise(resolve => setTimeout(resolve));
    channels.get('a')?.answer('ready', client('ca', { created: 1 }));
    channels.get('b')?.answer('ready', client('cb', { created: 2 }));
    const item = new StatusItem(registry, fakeSettings() as unknown as Settings, trans, () => undefined);
    Widget.attach(item, document.body);
    expect(item.node.title).toContain('a.ipynb');
    channels.get('a')?.answer('ready');
    expect(registry.followed?.path).toBe('b.ipynb');
    expect(item.wanted).toBe(true);
    item.hide();
    item.show();
    expect([item.node.textContent, item.node.title.split(' ')[0]]).toEqual(['Dask: asking the kernel', 'b.ipynb']);
    // While a pane goes on to show what the active notebook did, it says that it is about another one.
    channels.get('a')?.answer('ready', client('next', { created: 3 }));
    const pane = registry.acquire('a.ipynb', 'next');
    registry.viewers.add({ live: pane });
    channels.get('a')?.answer('ready');
    item.hide();
    item.show();
    expect(item.node.textContent).toBe('Dask: b.ipynb · asking the kernel');
    pane?.dispose();
    item.dispose();
    registry.dispose();
  });
});
