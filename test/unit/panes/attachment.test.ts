import { Signal } from '@lumino/signaling';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Binding, Clients, KernelEntry, LiveClient } from '../../../src/clients/model';
import type { ClientInfo, ShowRequest } from '../../../src/feed/kernel/kernel-channel';
import { Attachment } from '../../../src/clients/attachment';
import { Run } from '../../../src/run/run';
import { client, FakeFeed, frame } from '../clients/fakes';

/** A client that is open, with what the test does to it. */
class FakeLive implements LiveClient {
  readonly feed = new FakeFeed();
  readonly run = new Run();
  borrowed = false;
  severed = false;
  isDisposed = false;

  constructor(
    readonly path: string,
    public info: ClientInfo
  ) {}

  dispose(): void {
    this.isDisposed = true;
  }
}

/** Kernels and clients that a test sets. */
class FakeClients implements Clients {
  kernels: KernelEntry[] = [];
  followed: { path: string; info: ClientInfo } | null = null;
  active: KernelEntry | null = null;
  starting = false;
  known = new Map<string, ClientInfo>();
  looked: string[] = [];
  opened: FakeLive[] = [];
  borrows = false;
  activity = '';
  isDisposed = false;
  readonly viewers: Clients['viewers'] = new Set();
  readonly changed = new Signal<this, void>(this);
  readonly shown = new Signal<this, ShowRequest & { readonly path: string }>(this);

  kernel(path: string, state: KernelEntry['state'], ...clients: ClientInfo[]): void {
    const look = (): void => void this.looked.push(path);
    const entry: KernelEntry = {
      path,
      kernelId: path,
      name: path,
      kind: 'notebook',
      hosting: false,
      activity: this.activity,
      act: () => Promise.reject(new Error('not asked in these tests')),
      state,
      version: '',
      reason: '',
      clients,
      look,
      addBridge: () => Promise.resolve(),
      options: () => Promise.resolve(null)
    };
    this.kernels = [...this.kernels.filter(other => other.path !== path), entry];
    this.active = entry;
    for (const info of clients) {
      this.known.set(info.key, info);
    }
    const open = clients.filter(info => info.status !== 'closed').at(-1);
    this.followed = open ? { path, info: open } : null;
    this.changed.emit();
  }

  resolve(binding: Binding): { path: string; info: ClientInfo } | null {
    if (binding.follow) {
      return this.followed;
    }
    const info = this.known.get(binding.client);
    return info ? { path: binding.path, info } : null;
  }

  holds(key: string): boolean {
    return this.opened.some(live => live.info.key === key && !live.isDisposed);
  }

  acquire(path: string, key: string): FakeLive | null {
    const info = this.known.get(key);
    const state = this.kernels.find(kernel => kernel.path === path)?.state;
    if (!info || state !== 'ready') {
      return null;
    }
    const live = new FakeLive(path, info);
    live.borrowed = this.borrows;
    this.opened.push(live);
    return live;
  }

  dispose(): void {
    this.isDisposed = true;
  }
}

let clients: FakeClients;
let attachment: Attachment;
const runs: Run[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  runs.length = 0;
  clients = new FakeClients();
  attachment = new Attachment(clients, ['workers']);
  attachment.replaced.connect((_, live) => runs.push(live.run));
});

afterEach(() => {
  attachment.dispose();
  vi.useRealTimers();
});

describe('a pane that was opened early', () => {
  it('waits, and is fed when the client appears', () => {
    attachment.visible = true;
    expect(attachment.situation).toBe('none');
    // After a reload of the page, the session of a notebook comes later than the notebook.
    clients.starting = true;
    expect(attachment.situation).toBe('waiting');
    clients.starting = false;
    clients.kernel('a', 'asking');
    expect(attachment.situation).toBe('waiting');
    clients.kernel('a', 'ready');
    expect(attachment.situation).toBe('none');
    clients.kernel('a', 'ready', client('c'));
    expect(attachment.situation).toBe('attached');
    expect(clients.opened[0].feed.topics).toEqual(['meta', 'workers']);
  });

  it('asks for nothing while it is hidden', () => {
    clients.kernel('a', 'ready', client('c'));
    expect(clients.opened).toEqual([]);
    attachment.visible = true;
    attachment.visible = false;
    expect(clients.opened[0].feed.topics).toEqual([]);
    expect(clients.opened[0].isDisposed).toBe(false);
    attachment.visible = true;
    expect(clients.opened).toHaveLength(1);
    expect(clients.opened[0].feed.topics).toEqual(['meta', 'workers']);
  });
});

describe('a pane that follows', () => {
  beforeEach(() => {
    attachment.visible = true;
    clients.kernel('a', 'ready', client('c'));
  });

  it('moves on to a newer client and lets the old one go', () => {
    clients.kernel('a', 'ready', client('c'), client('d'));
    expect(attachment.live?.info.key).toBe('d');
    expect(clients.opened[0].isDisposed).toBe(true);
    expect(clients.opened[0].feed.topics).toEqual([]);
    expect(runs).toHaveLength(2);
  });

  it('keeps the picture of the last one when nothing follows it', () => {
    clients.kernel('a', 'asking');
    clients.kernel('a', 'ready');
    expect(attachment.situation).toBe('closed');
    expect(attachment.live).toBe(clients.opened[0]);
    expect(clients.opened[0].isDisposed).toBe(false);
  });

  it('says closed when its feed closed', () => {
    const seen = vi.fn();
    attachment.changed.connect(seen);
    clients.opened[0].feed.become({ status: 'closed' });
    expect(attachment.situation).toBe('closed');
    expect(seen).toHaveBeenCalledOnce();
  });
});

describe('a pane that is pinned', () => {
  beforeEach(() => {
    attachment.binding = { follow: false, path: 'a', client: 'c' };
  });

  it('looks into a kernel for the first time only when it is visible', () => {
    clients.kernel('a', 'unlooked');
    expect(clients.looked).toEqual([]);
    attachment.visible = true;
    expect(clients.looked).toEqual(['a']);
    expect(attachment.situation).toBe('waiting');
  });

  it('stays with a closed client while a newer one exists', () => {
    attachment.visible = true;
    clients.kernel('a', 'ready', client('c'));
    clients.kernel('a', 'ready', client('c', { status: 'closed' }), client('d'));
    expect(attachment.situation).toBe('closed');
    expect(attachment.live?.info.key).toBe('c');
    attachment.binding = { follow: true };
    expect(attachment.live?.info.key).toBe('d');
  });

  it('opens a client again after its connection was replaced', () => {
    attachment.visible = true;
    clients.kernel('a', 'ready', client('c'));
    clients.opened[0].severed = true;
    clients.kernel('a', 'ready', client('c'));
    expect(clients.opened).toHaveLength(2);
    expect(attachment.situation).toBe('attached');
  });

  it('lets go what it has shown when it is bound to another client while hidden: panes that follow would stay with it', () => {
    clients.kernel('a', 'ready', client('c'));
    attachment.binding = { follow: false, path: 'a', client: 'c' };
    attachment.visible = true;
    attachment.visible = false;
    clients.kernel('a', 'ready', { ...client('c'), status: 'closed' });
    clients.kernel('b', 'ready', client('d'));
    expect(clients.holds('c')).toBe(true);
    attachment.binding = { follow: false, path: 'b', client: 'd' };
    expect([clients.holds('c'), attachment.live]).toEqual([false, null]);
    attachment.visible = true;
    expect(attachment.live?.info.key).toBe('d');
  });

  it('gives a connection of our own back some time after it was hidden', () => {
    attachment.visible = true;
    clients.kernel('a', 'ready', client('c'));
    clients.opened[0].borrowed = true;
    attachment.visible = false;
    expect(clients.opened[0].isDisposed).toBe(false);
    vi.advanceTimersByTime(60_000);
    expect(clients.opened[0].isDisposed).toBe(true);
    attachment.visible = true;
    expect(clients.opened).toHaveLength(2);
  });

  it('keeps a client whose document is opened before that, and counts again from the start after that is closed', () => {
    attachment.visible = true;
    clients.kernel('a', 'ready', client('c'));
    const [live] = clients.opened;
    live.borrowed = true;
    attachment.visible = false;
    vi.advanceTimersByTime(9000);
    live.borrowed = false;
    clients.changed.emit();
    vi.advanceTimersByTime(60_000);
    expect(live.isDisposed).toBe(false);
    live.borrowed = true;
    clients.changed.emit();
    vi.advanceTimersByTime(9000);
    expect(live.isDisposed).toBe(false);
    vi.advanceTimersByTime(2000);
    expect(live.isDisposed).toBe(true);
  });

  it('gives it back, too, if the connection became ours while it was hidden', () => {
    attachment.visible = true;
    clients.kernel('a', 'ready', client('c'));
    attachment.visible = false;
    vi.advanceTimersByTime(60_000);
    expect(clients.opened[0].isDisposed).toBe(false);
    // The document is closed.
    clients.opened[0].borrowed = true;
    clients.changed.emit();
    expect(clients.opened[0].isDisposed).toBe(false);
    clients.changed.emit();
    vi.advanceTimersByTime(60_000);
    expect(clients.opened[0].isDisposed).toBe(true);
    clients.changed.emit();
    attachment.visible = true;
    expect(clients.opened).toHaveLength(2);
  });
});

describe('a visible pane on a connection of our own', () => {
  const idle = (since: number): void =>
    clients.opened.at(-1)?.run.apply(frame({ topics: { meta: { columns: {}, scalars: { idle_since: since } } } }), 0);

  beforeEach(() => {
    clients.borrows = true;
    clients.activity = '10:00';
    clients.kernel('a', 'ready', client('c'));
    attachment.binding = { follow: false, path: 'a', client: 'c' };
    attachment.visible = true;
  });

  it('keeps it while the cluster works', () => {
    vi.advanceTimersByTime(300_000);
    expect(clients.opened[0].isDisposed).toBe(false);
  });

  it('gives it back while the cluster idles, and stays as it is', () => {
    idle(5);
    vi.advanceTimersByTime(20_000);
    expect(clients.opened[0].isDisposed).toBe(false);
    vi.advanceTimersByTime(20_000);
    expect(clients.opened[0].isDisposed).toBe(true);
    clients.kernel('a', 'unlooked');
    expect(attachment.situation).toBe('attached');
    expect(attachment.live).toBe(clients.opened[0]);
    expect(attachment.resting).toBe(true);
    expect(clients.looked).toEqual([]);
  });

  it.each(['the kernel does something', 'a person uses it', 'it is hidden and shown'])('takes it up again when %s', why => {
    idle(5);
    vi.advanceTimersByTime(40_000);
    if (why === 'the kernel does something') {
      clients.activity = '10:05';
      clients.kernel('a', 'ready', client('c'));
    } else if (why === 'a person uses it') {
      attachment.wake();
    } else {
      attachment.visible = false;
      attachment.visible = true;
    }
    expect(clients.opened).toHaveLength(2);
    expect(attachment.resting).toBe(false);
    expect(clients.opened[1].feed.topics).toContain('workers');
    idle(5);
    vi.advanceTimersByTime(40_000);
    expect(clients.opened[1].isDisposed).toBe(true);
  });

  it('says that the client has closed when its kernel was culled', () => {
    idle(5);
    vi.advanceTimersByTime(40_000);
    clients.known.set('c', client('c', { status: 'closed' }));
    clients.kernels = [];
    clients.changed.emit();
    expect(attachment.situation).toBe('closed');
  });
});

it('leaves no subscription, timer or listener after it is disposed', () => {
  attachment.visible = true;
  clients.kernel('a', 'ready', client('c'));
  attachment.dispose();
  expect(clients.opened[0].feed.topics).toEqual([]);
  expect(clients.opened[0].isDisposed).toBe(true);
  clients.kernel('a', 'ready', client('c'), client('d'));
  expect(clients.opened).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
});
