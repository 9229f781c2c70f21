// What a page says to one kernel, however many documents it has: on JupyterLab's own session manager, whose list of
// running sessions is always a moment behind its connections.
import type { Kernel, Session } from '@jupyterlab/services';
import { Signal } from '@lumino/signaling';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_SETTINGS, type Settings } from '../../../src/base/jupyter/settings';
import type { FeedState } from '../../../src/feed/feed';
import type { Frame } from '../../../src/feed/frame';
import { AFTER_CLOSE, GIVE_BACK, GIVE_WAY } from '../../../src/clients/kernels/line';
import type { LiveClient } from '../../../src/clients/model';
import { bindingTo, FOLLOW } from '../../../src/clients/binding';
import { ClientRegistry } from '../../../src/clients/registry';
import { client, FakeChannel, FakeKernel } from './fakes';
import { Page } from './sessions';

let page: Page;
let registry: ClientRegistry;
/** Every conversation that was begun, with its first connection. */
let begun: { channel: FakeChannel; kernel: Kernel.IKernelConnection }[];
/** Connections of our own. */
let own: FakeKernel[];

beforeEach(async () => {
  vi.useFakeTimers();
  page = new Page();
  begun = [];
  own = [];
  registry = new ClientRegistry({
    documents: page.documents,
    sessions: page.manager,
    kernels: {
      createChannel: kernel => {
        const channel = new FakeChannel();
        begun.push({ channel, kernel });
        return channel;
      },
      connect: model => {
        const kernel = new FakeKernel(model.id, undefined, 'ours');
        own.push(kernel);
        return kernel.connection;
      },
      settings: { values: DEFAULT_SETTINGS, changed: new Signal<Settings, void>({} as Settings) },
      languageOf: () => undefined,
      activation: { line: 'activate', ready: Promise.resolve(), enabled: () => true }
    }
  });
  await Promise.all([page.manager.ready, vi.advanceTimersByTimeAsync(1)]);
});

afterEach(() => {
  registry.dispose();
  page.dispose();
  vi.useRealTimers();
});

const settled = async (): Promise<void> => void (await vi.advanceTimersByTimeAsync(1));
const states = (): string[] => registry.kernels.map(kernel => `${kernel.kind} ${kernel.path} ${kernel.state}`);

/** A notebook with a client that a pane shows. */
async function watched(): Promise<{ session: Session.ISessionConnection; live: LiveClient }> {
  await page.run('s', 'a.ipynb', 'k');
  const session = page.open('s');
  await settled();
  begun[0].channel.answer('ready', client('c'));
  const live = registry.acquire('a.ipynb', 'c');
  if (live === null) {
    throw new Error('no run');
  }
  return { session, live };
}

/** Nothing has cost a pane its run. */
function goesOn(live: LiveClient, path = 'a.ipynb'): void {
  expect(begun).toHaveLength(1);
  expect(begun[0].channel.isDisposed).toBe(false);
  expect(live.severed).toBe(false);
  const again = registry.acquire(path, 'c');
  expect(again?.run).toBe(live.run);
  again?.dispose();
}

describe('one conversation', () => {
  it('serves two notebooks on one kernel, also after a restart', async () => {
    const { live } = await watched();
    await page.run('s2', 'b.ipynb', 'k');
    const second = page.open('s2');
    await settled();
    expect(states()).toEqual(['notebook a.ipynb ready', 'notebook b.ipynb ready']);
    goesOn(live);
    goesOn(live, 'b.ipynb');
    expect(begun[0].channel.moves).toEqual([]);
    expect([...begun[0].channel.sessions].sort()).toEqual(page.connections.map(kernel => kernel.clientId).sort());
    begun[0].channel.answer('asking');
    begun[0].channel.answer('ready', client('d'));
    page.focus(second);
    expect(registry.followed).toMatchObject({ path: 'b.ipynb', info: { key: 'd' } });
    goesOn(live);
  });

  it('ends the run of a client that closes', async () => {
    const { live } = await watched();
    const { feed, run } = live;
    const tasks = { columns: {}, scalars: {} };
    const arrives = (seq: number): void =>
      (feed.frame as Signal<typeof feed, Frame>).emit({
        feed: 'f',
        epoch: 0,
        seq,
        time: 1000,
        cursor: {},
        names: {},
        topics: { tasks }
      });
    arrives(0);
    expect(run.hasEnded).toBe(false);
    const changed: string[][] = [];
    run.changed.connect((_, topics) => void changed.push([...topics]));
    const closed: FeedState = { status: 'closed', answered: performance.now(), reason: '' };
    vi.spyOn(feed, 'state', 'get').mockReturnValue(closed);
    (feed.stateChanged as Signal<typeof feed, FeedState>).emit(closed);
    expect([run.hasEnded, changed]).toEqual([true, [['meta', 'tasks']]]);
    // A frame that was on its way.
    arrives(1);
    expect(run.hasEnded).toBe(true);
  });

  it('serves a notebook and its console, whichever has the focus', async () => {
    const { session, live } = await watched();
    const console = page.open('s', 'console');
    await settled();
    for (const document of [session, console, session, console]) {
      page.focus(document);
      goesOn(live);
    }
    expect(begun[0].channel.moves).toEqual([]);
    // Once for the kernel, at first contact.
    expect(page.connections.flatMap(kernel => kernel.executed)).toEqual(['activate']);
    expect(states()).toEqual(['notebook a.ipynb ready']);
  });

  it('goes on when the notebook is renamed, and when it is saved for the first time', async () => {
    const { session, live } = await watched();
    const seen: string[] = [];
    registry.changed.connect(() => seen.push(...states()));
    await session.setPath('b.ipynb');
    await settled();
    await session.setPath('c.ipynb');
    await settled();
    expect(states()).toEqual(['notebook c.ipynb ready']);
    // The old path is never another kernel of its own, however late the list of the server is.
    expect(seen.filter(state => state.startsWith('other'))).toEqual([]);
    expect(live.path).toBe('c.ipynb');
    goesOn(live, 'c.ipynb');
  });

  it('goes on over another document while the connection that it uses is lost, and stays there', async () => {
    const { live } = await watched();
    await page.run('s2', 'b.ipynb', 'k');
    page.open('s2');
    await settled();
    const [first, second] = page.connections;
    // What comes back at once is not left.
    first.connect('connecting');
    await vi.advanceTimersByTimeAsync(GIVE_WAY / 2);
    first.connect('connected');
    await vi.advanceTimersByTimeAsync(2 * GIVE_WAY);
    expect(begun[0].channel.moves).toEqual([]);
    // All are lost: none is better than another, until one comes back.
    first.connect('connecting');
    second.connect('connecting');
    await vi.advanceTimersByTimeAsync(2 * GIVE_WAY);
    expect(begun[0].channel.moves).toEqual([]);
    second.connect('connected');
    await vi.advanceTimersByTimeAsync(2 * GIVE_WAY);
    expect(begun[0].channel.moves).toEqual([second.clientId]);
    first.connect('connected');
    await vi.advanceTimersByTimeAsync(2 * GIVE_WAY);
    expect(begun[0].channel.moves).toHaveLength(1);
    goesOn(live);
  });

  it('begins over the document that is connected', async () => {
    const { session } = await watched();
    await page.run('s2', 'b.ipynb', 'k');
    const second = page.open('s2');
    const third = page.open('s2', 'console');
    await settled();
    // The newest document is the preferred one, as long as it is there.
    page.connections[2].connectionStatus = 'disconnected';
    page.close(session);
    await settled();
    expect(begun[0].channel.moves).toEqual([page.connections[1].clientId]);
    page.close(third);
    page.close(second);
  });

  it('goes on over another document when the one whose connection it uses closes', async () => {
    const { session, live } = await watched();
    await page.run('s2', 'b.ipynb', 'k');
    page.open('s2');
    await settled();
    page.close(session);
    await settled();
    expect(begun[0].channel.moves).toEqual([page.connections[1].clientId]);
    expect(states()).toEqual(['notebook b.ipynb ready', 'other a.ipynb ready']);
    expect(live.borrowed).toBe(false);
    goesOn(live);
    expect(own).toEqual([]);
  });

  it('waits for a document that is closed and opened again', async () => {
    const { session, live } = await watched();
    page.close(session);
    await settled();
    expect(states()).toEqual(['other a.ipynb unlooked']);
    expect(registry.resolve({ follow: true })?.info).toMatchObject({ key: 'c', status: 'running' });
    expect(live.severed).toBe(false);
    page.open('s');
    await settled();
    expect(states()).toEqual(['notebook a.ipynb ready']);
    expect(begun[0].channel.moves).toEqual([null, page.connections[1].clientId]);
    goesOn(live);
    expect(own).toEqual([]);
  });

  it('goes on over a connection of our own while nobody has a document open, and gives it back', async () => {
    const { session, live } = await watched();
    page.close(session);
    await settled();
    registry.kernels[0].look();
    expect(own).toEqual([]);
    await vi.advanceTimersByTimeAsync(AFTER_CLOSE);
    expect(own).toHaveLength(1);
    expect(live.borrowed).toBe(true);
    goesOn(live);
    page.open('s');
    await settled();
    expect(own[0].isDisposed).toBe(true);
    expect(live.borrowed).toBe(false);
    goesOn(live);
    page.close(page.documents.list[0].context.session as Session.ISessionConnection);
    await vi.advanceTimersByTimeAsync(AFTER_CLOSE);
    registry.kernels[0].look();
    live.dispose();
    expect(own).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(GIVE_BACK);
    expect(own[1].isDisposed).toBe(true);
    expect(states()).toEqual(['other a.ipynb unlooked']);
  });

  it('opens no connection to a kernel that ends with its document', async () => {
    const { session, live } = await watched();
    page.models.clear();
    page.close(session);
    registry.kernels[0]?.look();
    await vi.advanceTimersByTimeAsync(10 * AFTER_CLOSE);
    expect(own).toEqual([]);
    expect(states()).toEqual([]);
    expect(live.severed).toBe(true);
    expect(live.info.status).toBe('closed');
    expect(live.path).toBe('a.ipynb');
  });

  it('leaves what it showed to panes that come later, while one holds it', async () => {
    const { session, live } = await watched();
    page.models.clear();
    page.close(session);
    await vi.advanceTimersByTimeAsync(AFTER_CLOSE);
    expect(registry.resolve({ follow: true })).toMatchObject({ path: 'a.ipynb', info: { key: 'c', status: 'closed' } });
    const late = registry.acquire('a.ipynb', 'c');
    expect(late?.run).toBe(live.run);
    late?.dispose();
    live.dispose();
    expect(registry.acquire('a.ipynb', 'c')).toBeNull();
    expect(registry.holds('c')).toBe(false);
  });

  it('is each its own where a notebook gets another kernel', async () => {
    const { session, live } = await watched();
    await page.run('s2', 'b.ipynb', 'k');
    page.open('s2');
    await settled();
    page.models.set('s', { ...(page.models.get('s') as Session.IModel), kernel: { id: 'new', name: 'python3' } });
    await page.refresh();
    await settled();
    expect(session.kernel?.id).toBe('new');
    begun[1].channel.answer('ready', client('n', { created: 2 }));
    page.focus(session);
    expect(registry.followed?.info.key).toBe('n');
    // The first kernel goes on in the other notebook.
    expect(registry.resolve({ follow: false, path: 'a.ipynb', client: 'c' })).toMatchObject({
      path: 'b.ipynb',
      info: { status: 'running' }
    });
    expect(live.severed).toBe(false);
    expect(registry.acquire('b.ipynb', 'c')?.run).toBe(live.run);
  });

  it('acts on dask_panes.show in the document whose cell asked', async () => {
    await watched();
    await page.run('s2', 'b.ipynb', 'k');
    page.open('s2');
    await settled();
    const shown: string[] = [];
    registry.shown.connect((_, { path }) => shown.push(path));
    for (const kernel of page.connections) {
      begun[0].channel.shown.emit({ what: 'status', client: '', session: kernel.clientId });
    }
    begun[0].channel.shown.emit({ what: 'status', client: '', session: '' });
    expect(shown).toEqual(['a.ipynb', 'b.ipynb', 'b.ipynb']);
  });
});

it('what a card in the second notebook of a kernel opens follows, as in the first', async () => {
  await page.run('s', 'a.ipynb', 'k');
  page.open('s');
  await settled();
  begun[0].channel.answer('ready', client('c'));
  await page.run('s2', 'b.ipynb', 'k');
  page.focus(page.open('s2'));
  await settled();
  const named = registry.resolve({ follow: false, path: '', client: 'c' });
  expect(named?.path).toBe('a.ipynb');
  expect(bindingTo(registry, 'a.ipynb', 'c', 'cluster')).toEqual(FOLLOW);
  await page.run('s3', 'c.ipynb', 'other');
  page.focus(page.open('s3'));
  await settled();
  begun[1].channel.answer('ready', client('d'));
  expect(bindingTo(registry, 'a.ipynb', 'c', 'cluster')).toEqual({ follow: false, path: 'a.ipynb', client: 'c' });
});
