import { Signal } from '@lumino/signaling';
import { documentOf, documentsVersion, noteDocuments } from '../../../src/selectors/client-names';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_SETTINGS, type Settings } from '../../../src/base/jupyter/settings';
import { GIVE_BACK } from '../../../src/clients/kernels/line';
import { liveCode } from '../../../src/clients/live-code';
import { ClientRegistry } from '../../../src/clients/registry';
import { client, FakeChannel, FakeDocuments, FakeKernel, FakeSessions, frame } from './fakes';

let documents: FakeDocuments;
let sessions: FakeSessions;
let channels: Map<string, FakeChannel>;
let opened: FakeKernel[];
let settingsChanged: Signal<Settings, void>;
let activate: boolean;
let registry: ClientRegistry;

const settled = (): Promise<void> => vi.advanceTimersByTimeAsync(0).then(() => undefined);
const states = (): string[] => registry.kernels.map(kernel => `${kernel.kind} ${kernel.path} ${kernel.state}`);

function channel(id: string): FakeChannel {
  const found = channels.get(id);
  if (!found) {
    throw new Error(`no conversation with ${id}`);
  }
  return found;
}

beforeEach(() => {
  vi.useFakeTimers();
  documents = new FakeDocuments();
  sessions = new FakeSessions();
  channels = new Map();
  opened = [];
  activate = true;
  settingsChanged = new Signal<Settings, void>({} as Settings);
  registry = new ClientRegistry({
    documents,
    sessions,
    kernels: {
      createChannel: kernel => {
        const made = new FakeChannel();
        channels.set(kernel.id, made);
        return made;
      },
      connect: model => {
        const kernel = new FakeKernel(model.id);
        opened.push(kernel);
        return kernel.connection;
      },
      settings: { values: DEFAULT_SETTINGS, changed: settingsChanged },
      languageOf: () => undefined,
      activation: { line: 'activate', ready: Promise.resolve(), enabled: () => activate }
    }
  });
});

afterEach(() => {
  registry.dispose();
  vi.useRealTimers();
});

describe('the run of a client', () => {
  it('waits for the code of runs, and can be had on the next change', async () => {
    documents.show({ path: 'a.ipynb', kernel: new FakeKernel('k') });
    await settled();
    channel('k').answer('ready', client('c'));
    const notYet = vi.spyOn(liveCode, 'ready', 'get').mockReturnValue(null);
    expect(registry.acquire('a.ipynb', 'c')).toBeNull();
    notYet.mockRestore();
    let live: unknown = null;
    registry.changed.connect(() => {
      live ??= registry.acquire('a.ipynb', 'c');
    });
    await settled();
    expect(live).toMatchObject({ path: 'a.ipynb', info: { key: 'c' }, run: { client: 'c' } });
  });
});

describe('kernels of open documents', () => {
  it('are talked to over their own connection', async () => {
    documents.show({ path: 'a.ipynb', kernel: new FakeKernel('k') });
    await settled();
    channel('k').answer('ready', client('c'));
    expect(states()).toEqual(['notebook a.ipynb ready']);
    expect(opened).toEqual([]);
    expect(registry.followed).toMatchObject({ path: 'a.ipynb', info: { key: 'c' } });
  });

  const listed = async (kernel: FakeKernel): Promise<string> => {
    documents.show({ path: 'a.ipynb', kernel });
    await settled();
    return states()[0];
  };

  it('of another language are not spoken to', async () => {
    expect(await listed(new FakeKernel('k', { language: 'julia', implementation: 'IJulia' }))).toContain('unsupported');
    expect(channels.size).toBe(0);
  });

  it('with nothing but an argv in their spec are spoken to as soon as they say that they are an ipykernel', async () => {
    const kernel = new FakeKernel('k', {});
    await listed(kernel);
    expect(channels.size).toBe(0);
    kernel.reportInfo('ipython');
    await settled();
    expect(channels.size).toBe(1);
  });

  it('that announce the bridge are spoken to, whatever they run', async () => {
    const kernel = new FakeKernel('k', { language: 'sage' });
    await listed(kernel);
    kernel.announce();
    channel('k').answer('ready', client('c'));
    expect(states()).toEqual(['notebook a.ipynb ready']);
  });

  it('that run Python without ipykernel are not offered a bridge that cannot work there', async () => {
    await listed(new FakeKernel('k', { language: 'python', implementation: 'xeus-python' }));
    channel('k').answer('missing');
    await vi.advanceTimersByTimeAsync(5000);
    expect(states()).toEqual(['notebook a.ipynb unsupported']);
  });

  it('give their clients the name of the notebook that had the kernel first', async () => {
    const kernel = new FakeKernel('k');
    documents.show({ path: 'first.ipynb', kernel });
    await settled();
    channel('k').answer('ready', client('c'));
    await settled();
    const before = documentsVersion();
    documents.show({ path: 'second.ipynb', kernel }, { path: 'first.ipynb', kernel });
    await settled();
    expect(registry.kernels.map(({ path }) => path)).toEqual(['first.ipynb', 'second.ipynb']);
    expect([documentOf('c'), documentsVersion()]).toEqual(['first.ipynb', before]);
  });

  it('of which no kernel tells any more keep their names, until there are too many', () => {
    // What the registry has announced is noted first.
    documentsVersion();
    const document = { name: 'a.ipynb', path: 'a.ipynb' };
    const open = new Map([['open', document]]);
    const names = (gone: number): unknown[] => {
      noteDocuments(new Map(Array.from({ length: gone }, (_, i) => [`gone-${i}`, document])));
      noteDocuments(open);
      return ['gone-0', 'open'].map(documentOf);
    };
    expect(names(500)).toEqual(['a.ipynb', 'a.ipynb']);
    expect(names(502)).toEqual([undefined, 'a.ipynb']);
  });

  it('keep their clients when the notebook is renamed', async () => {
    const kernel = new FakeKernel('k');
    documents.show({ path: 'a.ipynb', kernel });
    await settled();
    channel('k').answer('ready', client('c'));
    const live = registry.acquire('a.ipynb', 'c');
    documents.show({ path: 'b.ipynb', kernel, session: 'a.ipynb' });
    await settled();
    expect(registry.resolve({ follow: false, path: 'a.ipynb', client: 'c' })).toMatchObject({ path: 'b.ipynb' });
    expect(live?.severed).toBe(false);
    expect(live?.path).toBe('b.ipynb');
    expect(documentOf('c')).toBe('b.ipynb');
    expect(channels.size).toBe(1);
  });

  it('forget nothing of a client whose kernel was changed', async () => {
    documents.show({ path: 'a.ipynb', kernel: new FakeKernel('k') });
    await settled();
    channel('k').answer('ready', client('c'));
    const live = registry.acquire('a.ipynb', 'c');
    documents.show({ path: 'a.ipynb', kernel: new FakeKernel('other') });
    await settled();
    channel('other').answer('ready');
    expect(live?.severed).toBe(true);
    expect(channel('k').isDisposed).toBe(true);
    expect(registry.followed).toBeNull();
    expect(registry.resolve({ follow: true })?.info).toMatchObject({ key: 'c', status: 'closed' });
  });

  it('report dask_panes.show only while their document is open', async () => {
    const shown: unknown[] = [];
    registry.shown.connect((_, request) => shown.push(request));
    documents.show({ path: 'a.ipynb', kernel: new FakeKernel('k') });
    await settled();
    channel('k').shown.emit({ what: 'status', client: '', session: '' });
    expect(shown).toEqual([{ what: 'status', client: '', session: '', path: 'a.ipynb' }]);
  });
});

describe('closed clients', () => {
  it('are forgotten except for the newest ten and those that are shown', async () => {
    documents.show({ path: 'a.ipynb', kernel: new FakeKernel('k') });
    await settled();
    channel('k').answer('ready', client('first'));
    const live = registry.acquire('a.ipynb', 'first');
    for (let i = 0; i < 200; i++) {
      channel('k').answer('ready', client(`c${i}`, { created: i }));
    }
    const known = (key: string): boolean => registry.resolve({ follow: false, path: 'a.ipynb', client: key }) !== null;
    expect(Array.from({ length: 200 }, (_, i) => known(`c${i}`)).filter(Boolean)).toHaveLength(11);
    expect(known('first')).toBe(true);
    expect(registry.holds('first')).toBe(true);
    expect(registry.holds('c198')).toBe(false);
    live?.dispose();
  });

  it('are nothing that a pane could be opened for, unless what they did is acquired', async () => {
    documents.show({ path: 'a.ipynb', kernel: new FakeKernel('k') });
    await settled();
    channel('k').answer('ready', client('c'));
    const live = registry.acquire('a.ipynb', 'c');
    channel('k').answer('ready', client('c', { status: 'closed' }), client('unseen', { status: 'closed' }));
    expect(registry.acquire('a.ipynb', 'unseen')).toBeNull();
    const late = registry.acquire('a.ipynb', 'c');
    expect(late?.run).toBe(live?.run);
    late?.dispose();
    live?.dispose();
  });
});

describe('the followed client', () => {
  const two = async (): Promise<void> => {
    documents.show({ path: 'a.ipynb', kernel: new FakeKernel('ka') }, { path: 'b.ipynb', kernel: new FakeKernel('kb') });
    await settled();
    channel('ka').answer('ready', client('a-old', { created: 1 }), client('a-new', { created: 2 }));
    channel('kb').answer('ready', client('b', { created: 3 }));
  };

  it('is the newest open one of the active notebook', async () => {
    await two();
    expect(registry.followed?.info.key).toBe('a-new');
    expect(registry.active?.path).toBe('a.ipynb');
    channel('ka').answer('ready', client('a-old', { created: 1 }), client('a-new', { created: 2, status: 'closed' }));
    expect(registry.followed?.info.key).toBe('a-old');
  });

  it('moves with the active notebook, and stays when that has none', async () => {
    await two();
    documents.list.reverse();
    documents.changed.emit();
    expect(registry.followed?.info.key).toBe('b');
    channel('kb').answer('ready');
    expect(registry.followed?.info.key).toBe('a-new');
  });

  it('stays that of the active notebook after its end while a pane shows it', async () => {
    await two();
    const follows = (): string | undefined => registry.resolve({ follow: true })?.info.key;
    const live = registry.acquire('a.ipynb', 'a-new');
    channel('ka').answer('asking');
    channel('ka').answer('ready');
    expect(registry.followed?.info.key).toBe('b');
    // So far only the output of a cell has its run.
    expect([registry.holds('a-new'), follows()]).toEqual([true, 'b']);
    registry.viewers.add({ live });
    expect(follows()).toBe('a-new');
    documents.list.reverse();
    documents.changed.emit();
    expect(follows()).toBe('b');
    documents.list.reverse();
    documents.changed.emit();
    expect(follows()).toBe('a-new');
    channel('ka').answer('ready', client('a-next', { created: 4 }));
    expect(follows()).toBe('a-next');
    channel('ka').answer('ready');
    live?.dispose();
    expect(follows()).toBe('b');
  });

  it('is closed, not gone, after a restart without a new one', async () => {
    const kernel = new FakeKernel('k');
    documents.show({ path: 'a.ipynb', kernel });
    await settled();
    channel('k').answer('ready', client('c'));
    channel('k').answer('asking');
    channel('k').answer('ready');
    expect(registry.followed).toBeNull();
    expect(registry.resolve({ follow: true })?.info.status).toBe('closed');
    channel('k').answer('ready', client('d'));
    expect(registry.resolve({ follow: true })?.info.key).toBe('d');
  });
});

describe('other running kernels', () => {
  beforeEach(() => sessions.run(['job.ipynb', 'k']));

  it('are listed by name and not connected to', async () => {
    await settled();
    expect(states()).toEqual(['other job.ipynb unlooked']);
    expect(opened).toEqual([]);
    expect(registry.acquire('job.ipynb', 'c')).toBeNull();
  });

  it('are released when no viewer is left', async () => {
    registry.kernels[0].look();
    await settled();
    channel('k').answer('ready', client('c'));
    expect(states()).toEqual(['other job.ipynb ready']);
    const live = registry.acquire('job.ipynb', 'c');
    expect(live?.borrowed).toBe(true);
    await vi.advanceTimersByTimeAsync(10 * GIVE_BACK);
    expect(opened[0].isDisposed).toBe(false);
    live?.dispose();
    await vi.advanceTimersByTimeAsync(GIVE_BACK + 1);
    expect(opened[0].isDisposed).toBe(true);
    expect(states()).toEqual(['other job.ipynb unlooked']);
    expect(registry.resolve({ follow: false, path: 'job.ipynb', client: 'c' })?.info.status).toBe('running');
  });

  it('are given up for the own connection of a document that opens', async () => {
    registry.kernels[0].look();
    await settled();
    documents.show({ path: 'job.ipynb', kernel: new FakeKernel('k') });
    await settled();
    expect(opened[0].isDisposed).toBe(true);
    expect(states()).toEqual(['notebook job.ipynb asking']);
  });

  it('do not act on dask_panes.show', async () => {
    const shown: unknown[] = [];
    registry.shown.connect((_, request) => shown.push(request));
    registry.kernels[0].look();
    await settled();
    channel('k').shown.emit({ what: 'status', client: '', session: '' });
    expect(shown).toEqual([]);
  });
});

describe('activation', () => {
  const open = async (kernel: FakeKernel): Promise<FakeChannel> => {
    documents.show({ path: 'a.ipynb', kernel });
    await settled();
    return channel(kernel.id);
  };

  it('runs one line in an idle kernel that lacks the bridge, once', async () => {
    const kernel = new FakeKernel('k');
    const made = await open(kernel);
    made.answer('missing');
    made.answer('missing');
    expect(kernel.executed).toEqual(['activate']);
    expect(states()).toEqual(['notebook a.ipynb asking']);
    await vi.advanceTimersByTimeAsync(5000);
    expect(states()).toEqual(['notebook a.ipynb missing']);
  });

  it('runs it in a kernel that lacks the bridge as soon as the setting is switched on', async () => {
    activate = false;
    const kernel = new FakeKernel('k');
    (await open(kernel)).answer('missing');
    await settled();
    expect([kernel.executed, states()]).toEqual([[], ['notebook a.ipynb missing']]);
    activate = true;
    settingsChanged.emit();
    settingsChanged.emit();
    expect(kernel.executed).toEqual(['activate']);
  });

  it('comes before the first cell, without waiting for an answer', async () => {
    const kernel = new FakeKernel('k');
    await open(kernel);
    kernel.requestExecute({ code: 'cell 1' });
    expect(kernel.executed).toEqual(['activate', 'cell 1']);
  });

  it('runs nothing in a busy kernel where the bridge answers', async () => {
    const kernel = new FakeKernel('k');
    kernel.status = 'busy';
    (await open(kernel)).answer('ready');
    expect(kernel.executed).toEqual([]);
  });

  it('queues the line behind a running cell', async () => {
    const kernel = new FakeKernel('k');
    kernel.status = 'busy';
    (await open(kernel)).answer('missing');
    expect(kernel.executed).toEqual(['activate']);
  });

  it('queues it again where a failing cell took the queue with it', async () => {
    const kernel = new FakeKernel('k');
    kernel.status = 'busy';
    kernel.outcomes.push('aborted');
    (await open(kernel)).answer('missing');
    await settled();
    expect(kernel.executed).toEqual(['activate', 'activate']);
  });

  it('comes first in a kernel that starts, before the cells of "Run all"', async () => {
    const kernel = new FakeKernel('k');
    kernel.status = 'starting';
    await open(kernel);
    kernel.requestExecute({ code: 'cell 1' });
    expect(kernel.executed).toEqual(['activate', 'cell 1']);
  });

  it('comes first after a restart, too', async () => {
    const kernel = new FakeKernel('k');
    const made = await open(kernel);
    made.answer('missing');
    kernel.become('restarting');
    kernel.executed.length = 0;
    await settled();
    expect(kernel.executed).toEqual(['activate']);
    kernel.requestExecute({ code: 'cell 1' });
    made.answer('asking');
    made.answer('missing');
    kernel.become('idle');
    expect(kernel.executed).toEqual(['activate', 'cell 1']);
  });

  it('runs again, once, where another process answers and no status reported the restart', async () => {
    const kernel = new FakeKernel('k');
    const made = await open(kernel);
    made.answer('ready');
    await vi.advanceTimersByTimeAsync(5000);
    made.answer('asking');
    made.answer('missing');
    made.answer('missing');
    expect(kernel.executed).toEqual(['activate', 'activate']);
    await vi.advanceTimersByTimeAsync(5000);
    made.answer('missing');
    expect(kernel.executed).toEqual(['activate', 'activate']);
    expect(states()).toEqual(['notebook a.ipynb missing']);
  });

  it('runs again also where that happens just after the line ran', async () => {
    const kernel = new FakeKernel('k');
    const made = await open(kernel);
    made.answer('ready');
    made.answer('missing');
    await vi.advanceTimersByTimeAsync(5000);
    expect(kernel.executed).toEqual(['activate', 'activate']);
  });

  it('is left out if the user does not want it', async () => {
    activate = false;
    const kernel = new FakeKernel('k');
    (await open(kernel)).answer('missing');
    expect(kernel.executed).toEqual([]);
    expect(states()).toEqual(['notebook a.ipynb missing']);
  });
});

describe('live clients', () => {
  it('share one feed and one run, closed with the last handle', async () => {
    documents.show({ path: 'a.ipynb', kernel: new FakeKernel('k') });
    await settled();
    channel('k').answer('ready', client('c'));
    const one = registry.acquire('a.ipynb', 'c');
    const two = registry.acquire('a.ipynb', 'c');
    expect(two?.run).toBe(one?.run);
    const feed = channel('k').feeds.get('c');
    feed?.frame.emit(frame({ topics: { meta: { columns: {}, scalars: { python: '3.11' } } } }));
    expect(one?.run.meta).toEqual({ python: '3.11' });
    one?.dispose();
    one?.dispose();
    expect(feed?.isDisposed).toBe(false);
    two?.dispose();
    expect(feed?.isDisposed).toBe(true);
    expect(registry.acquire('a.ipynb', 'c')?.run).not.toBe(one?.run);
  });
});

describe('local schedulers', () => {
  const local = { kind: 'local', cluster: 'threads', variable: '' } as const;

  it('are followed by plots of their kind only', async () => {
    documents.show({ path: 'a.ipynb', kernel: new FakeKernel('k') });
    await settled();
    channel('k').answer('ready', client('c', { created: 1 }), client('local-1', { ...local, created: 2 }));
    expect(registry.followed?.info.key).toBe('c');
    expect(registry.resolve({ follow: true })?.info.key).toBe('c');
    expect(registry.resolve({ follow: true }, 'local')?.info.key).toBe('local-1');
    expect(registry.resolve({ follow: false, path: 'a.ipynb', client: 'local-1' })?.info.key).toBe('local-1');
    expect(registry.acquire('a.ipynb', 'local-1')?.info.kind).toBe('local');
  });

  it('alone are no cluster to follow', async () => {
    documents.show({ path: 'a.ipynb', kernel: new FakeKernel('k') });
    await settled();
    channel('k').answer('ready', client('local-1', local));
    expect(registry.followed).toBeNull();
    expect(registry.resolve({ follow: true })).toBeNull();
    expect(registry.resolve({ follow: true }, 'local')?.info.key).toBe('local-1');
  });
});
