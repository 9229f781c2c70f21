// The parts of a channel by themselves, over a kernel that answers what the test says.
import type { Kernel } from '@jupyterlab/services';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ChannelStatus } from '../../../../src/feed/kernel/channel/channel-status';
import { ClientFeeds } from '../../../../src/feed/kernel/channel/client-feeds';
import { Hello } from '../../../../src/feed/kernel/channel/hello';
import { KernelEvents } from '../../../../src/feed/kernel/channel/kernel-events';
import { readShow } from '../../../../src/feed/kernel/channel/read-show';
import { KernelRequests } from '../../../../src/feed/kernel/channel/requests';
import { Subscription } from '../../../../src/feed/kernel/channel/subscription';
import { Upkeep } from '../../../../src/feed/kernel/channel/upkeep';
import { ControlChannel } from '../../../../src/feed/kernel/control-channel';
import { feedCode } from '../../../../src/feed/kernel/feed-code';
import { PROTOCOL } from '../../../../src/feed/schema';
import { FakeKernel } from './fake-kernel';

// The registry of clients loads it before it opens one.
await feedCode.get();

const connection = (kernel: FakeKernel): Kernel.IKernelConnection => kernel as unknown as Kernel.IKernelConnection;

let kernel: FakeKernel;
let requests: KernelRequests;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  kernel = new FakeKernel();
  requests = new KernelRequests(connection(kernel), () => undefined);
});

afterEach(() => {
  requests.dispose();
  vi.useRealTimers();
});

/** Let promises settle. */
async function settle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
}

describe('a hello', () => {
  function stand() {
    const calls: unknown[] = [];
    const hello = new Hello(requests, {
      asked: () => calls.push('asked'),
      accepted: body => calls.push(['accepted', body]),
      refused: ({ message }) => calls.push(['refused', message]),
      missed: reason => calls.push(['missed', reason === null ? null : reason.slice(0, 18)])
    });
    return { hello, news: () => calls.splice(0) };
  }

  it('is sent once until it is answered, and over a connection only', async () => {
    const { hello, news } = stand();
    hello.send();
    hello.send();
    expect([kernel.count('hello'), news()]).toEqual([1, ['asked']]);
    kernel.last('hello').reply({ protocol: 1 });
    await settle();
    expect(news()).toEqual([['accepted', { protocol: 1 }]]);
    hello.send();
    expect(kernel.count('hello')).toBe(2);
    kernel.last('hello').reply({ message: 'no' }, false);
    await settle();
    expect(news()).toEqual(['asked', ['refused', 'no']]);
    kernel.connectionStatus = 'connecting';
    hello.send();
    kernel.connectionStatus = 'connected';
    kernel.isDisposed = true;
    hello.send();
    requests.kernel = null;
    hello.send();
    requests.kernel = connection(kernel);
    kernel.isDisposed = false;
    requests.dispose();
    hello.send();
    expect([kernel.count('hello'), news()]).toEqual([2, []]);
  });

  it('is due again ten seconds after it was sent', () => {
    const { hello } = stand();
    const before = performance.now();
    expect([hello.due(10_000), hello.due(10_001)]).toEqual([false, true]);
    vi.advanceTimersByTime(5000);
    hello.send();
    expect([hello.due(before + 15_000), hello.due(before + 15_001)]).toEqual([false, true]);
  });

  it('is missed three times by an idle kernel before that counts as unreachable, and again after an answer', async () => {
    const { hello, news } = stand();
    const miss = async (): Promise<unknown> => {
      hello.send();
      await vi.advanceTimersByTimeAsync(10_000);
      return news()[1];
    };
    const [maybe, unreachable] = [
      ['missed', null],
      ['missed', 'The kernel is idle']
    ];
    expect([await miss(), await miss(), await miss(), await miss()]).toEqual([maybe, maybe, unreachable, unreachable]);
    kernel.status = 'busy';
    expect(await miss()).toEqual(maybe);
    kernel.status = 'idle';
    expect([await miss(), await miss()]).toEqual([maybe, maybe]);
    hello.send();
    kernel.last('hello').reply({});
    await settle();
    news();
    expect([await miss(), await miss()]).toEqual([maybe, maybe]);
    hello.send();
    kernel.last('hello').reply({ message: 'no' }, false);
    await settle();
    news();
    expect([await miss(), await miss()]).toEqual([maybe, maybe]);
    // Another process has missed none.
    hello.restart();
    expect([await miss(), await miss(), await miss()]).toEqual([maybe, maybe, unreachable]);
    hello.forget();
    expect(await miss()).toEqual(unreachable);
  });

  it('that was forgotten may be answered: the answer is dropped, and another request is sent', async () => {
    const { hello, news } = stand();
    hello.send();
    const first = kernel.last('hello');
    hello.forget();
    hello.send();
    expect(kernel.count('hello')).toBe(2);
    news();
    first.reply({ protocol: 1 });
    await settle();
    expect(news()).toEqual([]);
    // The second one is still pending.
    hello.send();
    expect(kernel.count('hello')).toBe(2);
    kernel.last('hello').reply({ protocol: 2 });
    await settle();
    expect(news()).toEqual([['accepted', { protocol: 2 }]]);
    hello.send();
    requests.dispose();
    await settle();
    expect(news()).toEqual(['asked']);
  });
});

describe('a subscription', () => {
  function stand() {
    const calls: unknown[] = [];
    const subscription = new Subscription(requests, 'tab', {
      pushed: message => calls.push(['pushed', message.content]),
      asked: () => calls.push('asked'),
      renewed: body => calls.push(['renewed', body]),
      lost: () => calls.push('lost')
    });
    return { subscription, news: () => calls.splice(0) };
  }

  it('has an id of its own each time, and one future', () => {
    const { subscription, news } = stand();
    expect([subscription.active, subscription.sessions]).toEqual([false, []]);
    subscription.begin(connection(kernel));
    const first = kernel.last('subscribe');
    expect(first.args).toEqual({ tab: 'tab', subscription: expect.stringMatching(/^[0-9a-f-]{36}$/), sessions: [] });
    expect(subscription.active).toBe(true);
    first.reply({ kind: 'beat' });
    expect(news()).toEqual([['pushed', { success: true, body: { kind: 'beat' } }]]);
    subscription.begin(connection(kernel));
    expect([first.disposed, kernel.last('subscribe').disposed]).toEqual([true, false]);
    expect(kernel.last('subscribe').args.subscription).not.toBe(first.args.subscription);
    subscription.end();
    subscription.end();
    expect([subscription.active, kernel.last('subscribe').disposed, kernel.count('unsubscribe')]).toEqual([false, true, 0]);
  });

  it('that is left says so, once', () => {
    const { subscription } = stand();
    subscription.leave();
    expect(kernel.sent).toEqual([]);
    subscription.begin(connection(kernel));
    const { subscription: id } = kernel.last('subscribe').args;
    subscription.leave();
    subscription.leave();
    expect(kernel.sent.filter(({ op }) => op === 'unsubscribe').map(({ args }) => args)).toEqual([
      { tab: 'tab', subscription: id }
    ]);
    subscription.notify('ack', { seq: 4 });
    expect(kernel.last('ack').args).toEqual({ tab: 'tab', subscription: '', seq: 4 });
  });

  it('reports another set of sessions at once, and when it begins, and not twice', async () => {
    const { subscription, news } = stand();
    subscription.sessions = ['a'];
    expect(kernel.sent).toEqual([]);
    subscription.begin(connection(kernel));
    expect(kernel.last('subscribe').args.sessions).toEqual(['a']);
    subscription.sessions = ['a'];
    expect(kernel.count('renew')).toBe(0);
    subscription.sessions = ['a', 'b'];
    expect([kernel.last('renew').args.sessions, news()]).toEqual([['a', 'b'], ['asked']]);
    kernel.last('renew').reply({});
    await settle();
    subscription.renew();
    expect('sessions' in kernel.last('renew').args).toBe(false);
    expect([subscription.sessions, kernel.count('renew')]).toEqual([['a', 'b'], 2]);
  });

  it('sends sessions again until the kernel has answered', async () => {
    const { subscription } = stand();
    subscription.begin(connection(kernel));
    subscription.sessions = ['a'];
    expect(kernel.last('renew').args.sessions).toEqual(['a']);
    // Nothing comes of it.
    await vi.advanceTimersByTimeAsync(31_000);
    expect(subscription.isRenewing).toBe(false);
    subscription.renew();
    expect(kernel.last('renew').args.sessions).toEqual(['a']);
    kernel.last('renew').reply({});
    await settle();
    subscription.renew();
    expect('sessions' in kernel.last('renew').args).toBe(false);
  });

  it('is due for renewal 25 s after the last one, unless one is unanswered', async () => {
    const { subscription, news } = stand();
    const now = performance.now();
    subscription.renew();
    expect([kernel.sent, subscription.isRenewing]).toEqual([[], false]);
    subscription.begin(connection(kernel));
    expect([subscription.due(now + 24_999), subscription.due(now + 25_000)]).toEqual([false, true]);
    vi.advanceTimersByTime(25_000);
    subscription.renew();
    expect([subscription.isRenewing, subscription.due(now + 1e6)]).toEqual([true, false]);
    kernel.last('renew').reply({ silent: {} });
    await settle();
    expect([subscription.isRenewing, news()]).toEqual([false, ['asked', ['renewed', { silent: {} }]]]);
    expect([subscription.due(now + 49_999), subscription.due(now + 50_000)]).toEqual([false, true]);
    // One that will not be answered keeps the next one off no longer.
    subscription.renew();
    subscription.dropRenewal();
    expect([subscription.isRenewing, subscription.due(now + 1e6)]).toEqual([false, true]);
  });

  it('is lost where a renewal is refused, and not where it is not answered', async () => {
    const { subscription, news } = stand();
    subscription.begin(connection(kernel));
    subscription.renew();
    await vi.advanceTimersByTimeAsync(30_000);
    expect([subscription.active, subscription.isRenewing, news()]).toEqual([true, false, ['asked']]);
    subscription.renew();
    kernel.last('renew').reply({ message: 'expired' }, false);
    await settle();
    expect([subscription.active, subscription.isRenewing, news()]).toEqual([false, false, ['asked', 'lost']]);
  });

  it('is lost where a wish is refused because of it, not for another reason, nor by one that it has replaced', async () => {
    const { subscription, news } = stand();
    subscription.want('c', { topics: [] });
    expect(kernel.sent).toEqual([]);
    subscription.begin(connection(kernel));
    const { subscription: id } = kernel.last('subscribe').args;
    subscription.want('c', { topics: ['meta'] });
    expect(kernel.last('want').args).toEqual({ tab: 'tab', subscription: id, client: 'c', topics: ['meta'] });
    kernel.last('want').reply({ message: 'no such client', reason: 'client' }, false);
    await settle();
    expect([subscription.active, news()]).toEqual([true, []]);
    subscription.want('c', {});
    const early = kernel.last('want');
    subscription.renew();
    const renewal = kernel.last('renew');
    subscription.begin(connection(kernel));
    for (const each of [early, renewal]) {
      each.reply({ message: 'replaced', reason: 'subscription' }, false);
    }
    await settle();
    expect([subscription.active, news()]).toEqual([true, ['asked']]);
    subscription.want('c', {});
    kernel.last('want').reply({ message: 'replaced', reason: 'subscription' }, false);
    await settle();
    expect([subscription.active, news()]).toEqual([false, ['lost']]);
    subscription.begin(connection(kernel));
    subscription.want('c', {});
    const late = kernel.last('want');
    requests.dispose();
    late.reply({ message: 'replaced', reason: 'subscription' }, false);
    await settle();
    expect(news()).toEqual([]);
  });
});

describe('the feeds of a kernel', () => {
  function stand() {
    const subscription = new Subscription(requests, 'tab', {
      ...{ pushed: () => undefined, asked: () => undefined, renewed: () => undefined, lost: () => undefined }
    });
    return { subscription, feeds: new ClientFeeds(requests, subscription) };
  }
  const INFO = { key: 'c', status: 'running', limited: '' } as never;
  const frame = (body: Record<string, unknown>, buffers: unknown[] = [new ArrayBuffer(0)]): [never, never] => [
    body as never,
    { buffers } as never
  ];

  it('are one for each client, until its last viewer leaves', () => {
    const { feeds, subscription } = stand();
    subscription.begin(connection(kernel));
    const first = feeds.open('c', INFO);
    expect([feeds.open('c', undefined) === first, feeds.open('d', INFO) === first]).toEqual([true, false]);
    first.subscribe(['meta']);
    expect([feeds.watched, kernel.last('want').args.client]).toEqual([true, 'c']);
    first.dispose();
    expect(feeds.open('c', INFO)).toBe(first);
    first.dispose();
    first.dispose();
    expect([first.isDisposed, feeds.open('c', INFO) === first, feeds.watched]).toEqual([true, false, false]);
  });

  it('ask for their topics once there is a subscription', () => {
    const { feeds, subscription } = stand();
    feeds.open('c', INFO).subscribe(['meta']);
    expect(kernel.sent).toEqual([]);
    subscription.begin(connection(kernel));
    feeds.connect();
    expect(kernel.last('want').args).toMatchObject({ client: 'c', topics: ['meta'], gen: 2 });
    feeds.acknowledge('c', 7);
    expect(kernel.last('ack').args).toMatchObject({ client: 'c', seq: 7 });
  });

  it('get the frames that are theirs, whole and numbered', () => {
    const { feeds, subscription } = stand();
    subscription.begin(connection(kernel));
    const feed = feeds.open('c', INFO);
    feed.subscribe(['meta']);
    const { gen } = kernel.last('want').args;
    const reason = (): string => feed.state.reason;
    feeds.receive(...frame({ client: 'd', seq: 0, gen }));
    feeds.receive(...frame({ client: 'c', seq: '0', gen }));
    feeds.receive(...frame({ client: 'c', seq: 0, gen }, []));
    feeds.receive(...frame({ client: 'c', seq: 0, gen: Number(gen) - 1 }));
    feeds.receive(...frame({ client: 'c', seq: 0 }));
    expect(reason()).toBe('');
    // An empty one cannot be read, which is how it is seen that it came.
    feeds.receive(...frame({ client: 'c', seq: 0, gen }));
    expect(reason()).toContain('cannot read');
  });

  it('hear what happens to their clients and to the channel', () => {
    const { feeds, subscription } = stand();
    subscription.begin(connection(kernel));
    const [c, d] = [feeds.open('c', INFO), feeds.open('d', { ...(INFO as object), key: 'd' } as never)];
    const states = (): string[] => [c.state.status, d.state.status];
    feeds.setClients([INFO]);
    expect(states()).toEqual(['connecting', 'closed']);
    feeds.setChannel('disconnected');
    expect(states()).toEqual(['disconnected', 'closed']);
    const { answered } = d.state;
    feeds.answered(1234);
    expect([c.state.answered, d.state.answered]).toEqual([1234, answered]);
    feeds.lose('gone');
    expect([c.state.status, c.state.reason]).toEqual(['connecting', 'gone']);
    feeds.sever('over');
    expect([c.state.status, c.state.reason]).toEqual(['closed', 'over']);
  });

  it('get answers as they are: a value, or all that was answered', async () => {
    const { feeds } = stand();
    const answered = async (body: unknown): Promise<unknown> => {
      const asked = feeds.requestClient('c', 'key', { row: 1 });
      expect(kernel.last('request').args).toEqual({ client: 'c', name: 'key', args: { row: 1 } });
      kernel.last('request').reply(body);
      return asked;
    };
    expect([
      await answered([1, 2]),
      await answered({ value: 1 }),
      await answered({ value: 1, more: 2 }),
      await answered({})
    ]).toEqual([[1, 2], 1, { value: 1, more: 2 }, {}]);
  });

  it('take silence as it is reported: by client, in seconds, and nothing else', () => {
    const { feeds, subscription } = stand();
    subscription.begin(connection(kernel));
    const feed = feeds.open('c', INFO);
    const silence = vi.spyOn(feed as unknown as { setSchedulerSilence(seconds: number): void }, 'setSchedulerSilence');
    for (const body of [{ c: 7 }, { d: 7 }, {}, null, undefined, 'c', { c: '3' }, { c: Number.NaN }, { c: 1e300 }]) {
      feeds.beat(body);
    }
    expect(silence.mock.calls.map(([seconds]) => seconds)).toEqual([7, 0, 0, 0, 0, 0, 0, 0, 0]);
  });
});

describe('signals of a kernel', () => {
  function stand() {
    const calls: unknown[] = [];
    const events = new KernelEvents({
      restarting: () => calls.push('restarting'),
      died: () => calls.push('died'),
      up: () => calls.push('up'),
      connection: status => calls.push(status),
      announced: () => calls.push('announced')
    });
    return { events, news: () => calls.splice(0) };
  }
  const message = (session: string, parent: object = { msg_id: 'r' }, more: object = {}): object => ({
    ...{ header: { msg_type: 'status', session }, parent_header: parent, content: {}, ...more }
  });

  it('are calls, of one connection at a time', () => {
    const { events, news } = stand();
    kernel.statusChanged.emit('idle');
    events.listenTo(connection(kernel));
    const statuses = ['starting', 'restarting', 'autorestarting', 'dead', 'idle', 'busy', 'unknown', 'terminating'] as const;
    for (const status of statuses) {
      kernel.statusChanged.emit(status);
    }
    kernel.connect('connecting');
    expect(news()).toEqual(['restarting', 'restarting', 'restarting', 'died', 'up', 'up', 'connecting']);
    const next = new FakeKernel();
    events.listenTo(connection(next));
    kernel.statusChanged.emit('dead');
    kernel.connect('connected');
    kernel.iopubMessage.emit(message('process 1'));
    kernel.iopubMessage.emit(message('process 2'));
    expect(news()).toEqual([]);
    next.statusChanged.emit('dead');
    events.listenTo(null);
    next.statusChanged.emit('dead');
    expect(news()).toEqual(['died']);
  });

  it('show another process by its session, once, and remember eight of them', () => {
    const { events, news } = stand();
    events.listenTo(connection(kernel));
    const hear = (session: string, parent?: object): unknown[] => {
      kernel.iopubMessage.emit(message(session, parent));
      return news();
    };
    expect([hear('p1'), hear('p1'), hear('server', {}), hear('p2'), hear('p1'), hear('p2')]).toEqual([
      ...[[], [], [], ['restarting', 'up'], [], []]
    ]);
    for (let n = 3; n <= 9; n++) {
      expect(hear(`p${n}`)).toEqual(['restarting', 'up']);
    }
    // The second one of nine is remembered, the first is not.
    expect([hear('p2'), hear('p1')]).toEqual([[], ['restarting', 'up']]);
    kernel.statusChanged.emit('restarting');
    news();
    expect([hear('p20'), hear('p21')]).toEqual([[], ['restarting', 'up']]);
  });

  it('announce the bridge, after the process that has it', () => {
    const { events, news } = stand();
    events.listenTo(connection(kernel));
    const announcement = { header: { msg_type: 'comm_msg', session: 'p1' }, content: { comm_id: 'dask-panes-announce' } };
    kernel.iopubMessage.emit(message('p0'));
    kernel.iopubMessage.emit(message('p1', {}, announcement));
    expect(news()).toEqual(['announced']);
    kernel.iopubMessage.emit(message('p1', { msg_id: 'r' }, announcement));
    expect(news()).toEqual(['restarting', 'up', 'announced']);
  });
});

describe('the upkeep of a channel', () => {
  async function stand(server = true) {
    const status = new ChannelStatus(() => undefined);
    const greeting = new Hello(requests, {
      ...{ asked: () => upkeep.watch.asked(), accepted: () => undefined, refused: () => undefined, missed: () => undefined }
    });
    const subscription = new Subscription(requests, 'tab', {
      ...{ pushed: () => undefined, asked: () => upkeep.watch.asked(), renewed: () => undefined, lost: () => undefined }
    });
    const feeds = new ClientFeeds(requests, subscription);
    let met = true;
    const upkeep: Upkeep = new Upkeep(
      { requests, status, greeting, subscription, feeds, met: () => met, reconnect: () => undefined },
      () => Promise.resolve(server)
    );
    await settle();
    return {
      ...{ status, greeting, subscription, feeds, upkeep },
      unmet: () => {
        met = false;
      }
    };
  }

  it('says hello until there is a subscription, unless the bridge is missing, and renews it then', async () => {
    const { status, subscription, upkeep } = await stand();
    await vi.advanceTimersByTimeAsync(10_500);
    expect(kernel.count('hello')).toBe(1);
    kernel.last('hello').reply({});
    await settle();
    upkeep.watch.heard();
    status.set('missing');
    await vi.advanceTimersByTimeAsync(30_000);
    expect(kernel.count('hello')).toBe(1);
    status.set('ready');
    subscription.begin(connection(kernel));
    await vi.advanceTimersByTimeAsync(25_500);
    expect([kernel.count('hello'), kernel.count('renew')]).toEqual([1, 1]);
    expect(upkeep.isDisposed).toBe(false);
    upkeep.dispose();
    const sent = kernel.sent.length;
    await vi.advanceTimersByTimeAsync(100_000);
    expect([upkeep.isDisposed, kernel.sent.length]).toEqual([true, sent]);
  });

  it('does nothing over a connection that is closed or lost', async () => {
    const { upkeep, status } = await stand();
    kernel.isDisposed = true;
    await vi.advanceTimersByTimeAsync(60_000);
    kernel.isDisposed = false;
    requests.kernel = null;
    await vi.advanceTimersByTimeAsync(60_000);
    expect([kernel.sent, status.state]).toEqual([[], 'asking']);
    requests.kernel = connection(kernel);
    kernel.connectionStatus = 'connecting';
    await vi.advanceTimersByTimeAsync(60_000);
    expect(kernel.sent).toEqual([]);
    upkeep.dispose();
  });

  it('asks a kernel that is watched and says nothing, once, with what the kernel owes an answer to', async () => {
    const { status, subscription, feeds, upkeep } = await stand();
    subscription.begin(connection(kernel));
    status.set('ready');
    feeds.open('c', undefined).subscribe(['meta']);
    upkeep.watch.heard();
    await vi.advanceTimersByTimeAsync(3500);
    expect([kernel.count('renew'), kernel.count('hello')]).toEqual([1, 0]);
    await vi.advanceTimersByTimeAsync(4000);
    expect([kernel.count('renew'), status.state]).toEqual([1, 'silent']);
    subscription.end();
    upkeep.dispose();
  });

  it('blames a kernel that was never met for nothing', async () => {
    const { status, subscription, feeds, upkeep, unmet } = await stand();
    unmet();
    subscription.begin(connection(kernel));
    status.set('ready');
    feeds.open('c', undefined).subscribe(['meta']);
    upkeep.watch.heard();
    await vi.advanceTimersByTimeAsync(8000);
    expect(status.state).toBe('asking');
    upkeep.dispose();
  });
});

describe('a channel', () => {
  const HELLO = { protocol: PROTOCOL, version: '1.2', lease: 60, clients: [{ key: 'c', status: 'running' }] };
  let channel: ControlChannel;
  let changes: number;
  let shown: unknown[];

  beforeEach(async () => {
    channel = new ControlChannel(connection(kernel), 'tab', () => Promise.resolve(true));
    [changes, shown] = [0, []];
    channel.changed.connect(() => {
      changes += 1;
    });
    channel.shown.connect((_, request) => shown.push(request));
    await settle();
  });

  afterEach(() => channel.dispose());

  async function greet(body: unknown = HELLO): Promise<void> {
    kernel.last('hello').reply(body);
    await settle();
  }
  const push = (body: object, success = true): void => kernel.last('subscribe').reply(body, success);

  it('has the version of the bridge, and of none before its answer', async () => {
    expect([channel.version, channel.isDisposed, channel.reason, channel.loss]).toEqual(['', false, '', null]);
    await greet();
    expect([channel.version, changes]).toEqual(['1.2', 1]);
    const other = new ControlChannel(connection(kernel), 'tab', () => Promise.resolve(true));
    await greet({ protocol: PROTOCOL });
    expect(other.version).toBe('');
    other.dispose();
    expect(other.isDisposed).toBe(true);
  });

  it('receives clients and what is to be shown, and nothing that is not a success', async () => {
    await greet();
    const before = changes;
    push({ kind: 'clients', clients: [{ key: 'x' }, { key: 'y' }] });
    expect([channel.clients.map(({ key }) => key), changes - before]).toEqual([['x', 'y'], 1]);
    push({ kind: 'clients', clients: [] }, false);
    expect([channel.clients.length, changes - before]).toEqual([2, 1]);
    push({ kind: 'show', what: 'task-stream', client: 'x', session: 's' });
    push({ kind: 'show' }, false);
    push({ kind: 'other' });
    expect(shown).toEqual([{ what: 'task-stream', client: 'x', session: 's' }]);
    expect(readShow({})).toEqual({ what: '', client: '', session: '' });
  });

  it('says why it does not list all clients, as long as the kernel says so', async () => {
    await greet({ ...HELLO, notice: 'dask-panes.attach is false.' });
    expect(channel.reason).toBe('dask-panes.attach is false.');
    push({ kind: 'clients', clients: [], notice: 7 });
    expect(channel.reason).toBe('');
    push({ kind: 'clients', clients: [], notice: 'dask-panes.attach is false.' });
    expect(channel.reason).toBe('dask-panes.attach is false.');
    push({ kind: 'clients', clients: [] });
    expect(channel.reason).toBe('');
  });

  it('that is dead stays dead until another connection, and does not say hello', async () => {
    await greet();
    kernel.statusChanged.emit('dead');
    expect([channel.state, kernel.last('subscribe').disposed]).toEqual(['dead', true]);
    const hellos = kernel.count('hello');
    kernel.connect('connected');
    kernel.statusChanged.emit('idle');
    expect([channel.state, kernel.count('hello')]).toEqual(['dead', hellos]);
    channel.moveTo(null);
    expect(channel.state).toBe('dead');
    const next = new FakeKernel();
    channel.moveTo(connection(next));
    expect([channel.state, next.count('hello')]).toEqual(['asking', 1]);
  });

  it('asks an idle kernel that has not answered yet, and one that has no more', async () => {
    kernel.connectionStatus = 'connecting';
    kernel.connectionStatusChanged.emit('connecting');
    const before = kernel.count('hello');
    kernel.connectionStatus = 'connected';
    kernel.statusChanged.emit('idle');
    expect(kernel.count('hello')).toBe(before + 1);
    await greet();
    kernel.statusChanged.emit('busy');
    expect(kernel.count('hello')).toBe(before + 1);
  });

  it('drops what is pending where the connection changes or is another, and neither moves to the same one', async () => {
    await greet();
    const failed = async (act: () => void): Promise<string> => {
      const asked = channel.request('key').then(
        () => 'answered',
        ({ message }: Error) => message
      );
      act();
      return asked;
    };
    // Neither of these ends the kernel, nor what it does.
    const changed = 'The connection to the kernel changed before the answer came: the action may go on.';
    expect(await failed(() => kernel.connect('connected'))).toBe(changed);
    await greet();
    expect(await failed(() => kernel.statusChanged.emit('restarting'))).toBe('The kernel was restarted or closed.');
    kernel.statusChanged.emit('idle');
    await greet();
    const subscriptions = kernel.count('subscribe');
    channel.moveTo(connection(kernel));
    expect([kernel.last('subscribe').disposed, kernel.count('subscribe')]).toEqual([false, subscriptions]);
    expect(await failed(() => channel.moveTo(connection(new FakeKernel())))).toBe(changed);
    channel.dispose();
    const sent = kernel.sent.length;
    channel.moveTo(connection(kernel));
    expect(kernel.sent.length).toBe(sent);
  });

  it('subscribes once, whatever number of hellos is answered', async () => {
    await greet();
    kernel.iopubMessage.emit({
      ...{ header: { msg_type: 'comm_msg', session: 'p' }, parent_header: {}, content: { comm_id: 'dask-panes-announce' } }
    });
    await greet();
    expect(kernel.count('subscribe')).toBe(1);
  });

  it('answers requests with their value, or null', async () => {
    await greet();
    const answered = async (body: unknown): Promise<unknown> => {
      const asked = channel.request('gc', { now: true });
      expect(kernel.last('gc').args).toEqual({ now: true });
      kernel.last('gc').reply(body);
      return asked;
    };
    expect([await answered({ value: 3 }), await answered({ other: 3 }), await answered('text')]).toEqual([3, null, 'text']);
  });

  it('reconnects over an open connection only', () => {
    channel.reconnect();
    expect(kernel.reconnects).toBe(1);
    kernel.isDisposed = true;
    channel.reconnect();
    channel.moveTo(null);
    channel.reconnect();
    expect(kernel.reconnects).toBe(1);
  });

  it('is failed with a reason where an idle kernel never answers, and not where the connection is lost', async () => {
    await vi.advanceTimersByTimeAsync(40_000);
    expect([channel.state, channel.reason.length > 50]).toEqual(['failed', true]);
    const before = changes;
    kernel.connect('disconnected');
    await vi.advanceTimersByTimeAsync(1000);
    expect([channel.state, channel.loss, changes > before]).toEqual(['disconnected', 'gave-up', true]);
  });

  it('counts a message as an answer where it is subscribed', async () => {
    await greet();
    kernel.connect('connecting');
    await vi.advanceTimersByTimeAsync(3000);
    expect(channel.state).toBe('disconnected');
    kernel.connect('connected');
    await greet();
    expect(channel.state).toBe('ready');
    push({ kind: 'beat' });
    expect(channel.state).toBe('ready');
  });

  it('is current while the kernel is heard, and not at once after a sleep of the computer', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    expect(channel.current).toBe(false);
    await greet();
    expect(channel.current).toBe(true);
    vi.setSystemTime(Date.now() + 60_000);
    expect(channel.current).toBe(true);
    vi.setSystemTime(Date.now() + 3_600_000);
    expect(channel.current).toBe(false);
    // What it says first is what has happened meanwhile.
    push({ kind: 'beat' });
    expect(channel.current).toBe(false);
    vi.setSystemTime(Date.now() + 20_000);
    push({ kind: 'beat' });
    expect(channel.current).toBe(true);
  });
});
