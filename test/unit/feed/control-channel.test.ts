// The parts of the channel that a real kernel cannot be made to show on demand: silence, lost leases, restarts.
import type { Kernel } from '@jupyterlab/services';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ControlChannel } from '../../../src/feed/kernel/control-channel';
import { feedCode } from '../../../src/feed/kernel/feed-code';
import { PROTOCOL } from '../../../src/feed/schema';
import { FakeKernel } from './kernel/fake-kernel';

/** Whether the kernel answers over another connection, and how often that was tried. */
const another = vi.hoisted(() => ({ answers: false, asked: 0 }));
vi.mock('../../../src/feed/kernel/ask-elsewhere', () => ({
  answersElsewhere: () => {
    another.asked += 1;
    return Promise.resolve(another.answers);
  }
}));

// The registry of clients loads it before it opens one.
await feedCode.get();
await import('../../../src/feed/kernel/ask-elsewhere');

const ANNOUNCEMENT = {
  header: { msg_type: 'comm_msg', session: 'process 1' },
  parent_header: {},
  content: { comm_id: 'dask-panes-announce' }
};

const HELLO = { protocol: PROTOCOL, version: '1', lease: 60, clients: [{ key: 'c', status: 'running' }] };

describe('the control channel', () => {
  let kernel: FakeKernel;
  let channel: ControlChannel;
  /** Whether the Jupyter server answers. */
  let server: boolean;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
    kernel = new FakeKernel();
    server = true;
    Object.assign(another, { answers: false, asked: 0 });
    channel = new ControlChannel(kernel as unknown as Kernel.IKernelConnection, 'tab', () => Promise.resolve(server));
  });

  afterEach(() => {
    channel.dispose();
    vi.useRealTimers();
  });

  async function ready(): Promise<void> {
    kernel.last('hello').reply(HELLO);
    await vi.advanceTimersByTimeAsync(0);
  }

  it('says hello, then subscribes once', async () => {
    expect(channel.state).toBe('asking');
    await ready();
    expect(channel.state).toBe('ready');
    expect(channel.clients.map(client => client.key)).toEqual(['c']);
    expect(kernel.count('subscribe')).toBe(1);
    channel.open('c').subscribe(['meta']);
    expect(kernel.last('want').args).toMatchObject({ tab: 'tab', client: 'c', topics: ['meta'] });
  });

  it('knows an ipykernel without the bridge by its empty answer', async () => {
    kernel.last('hello').reply(undefined, false);
    await vi.advanceTimersByTimeAsync(0);
    expect(channel.state).toBe('missing');
  });

  it('a bridge of another protocol counts as missing', async () => {
    kernel.last('hello').reply({ ...HELLO, protocol: PROTOCOL + 1 });
    await vi.advanceTimersByTimeAsync(0);
    expect(channel.state).toBe('missing');
  });

  it('notices within seconds that a kernel does not answer, and that it answers again', async () => {
    await ready();
    channel.open('c').subscribe(['meta']);
    kernel.last('want').reply({});
    await vi.advanceTimersByTimeAsync(3000);
    expect(kernel.count('renew')).toBe(1);
    await vi.advanceTimersByTimeAsync(3000);
    expect(channel.state).toBe('silent');
    // One question is enough: a kernel that comes back need not answer ten.
    expect(kernel.count('renew')).toBe(1);
    kernel.last('renew').reply({ silent: {} });
    await vi.advanceTimersByTimeAsync(0);
    expect(channel.state).toBe('ready');
  });

  it('subscribes again when its lease was lost', async () => {
    await ready();
    channel.open('c').subscribe(['meta']);
    const first = kernel.last('subscribe');
    await vi.advanceTimersByTimeAsync(3000);
    kernel.last('renew').reply({ message: 'subscribe again' }, false);
    await vi.advanceTimersByTimeAsync(0);
    await ready();
    expect(first.disposed).toBe(true);
    expect(kernel.count('subscribe')).toBe(2);
    expect(kernel.last('want').args).toMatchObject({ topics: ['meta'] });
  });

  it('a lost connection is no silent kernel: nothing is sent, and what was asked fails with the reason', async () => {
    await ready();
    const feed = channel.open('c');
    feed.subscribe(['meta']);
    kernel.last('want').reply({});
    kernel.connect('connecting');
    await vi.advanceTimersByTimeAsync(3000);
    expect([channel.state, channel.loss, feed.state.status]).toEqual(['disconnected', 'retrying', 'disconnected']);
    const sent = kernel.sent.length;
    await expect(feed.request('key', { row: 1 })).rejects.toThrow('The connection to the Jupyter server is lost.');
    kernel.connect('disconnected');
    await vi.advanceTimersByTimeAsync(1000);
    expect(channel.loss).toBe('gave-up');
    expect(kernel.sent).toHaveLength(sent);
    channel.reconnect();
    expect(kernel.reconnects).toBe(1);
    kernel.connect('connected');
    await ready();
    expect([channel.state, channel.loss]).toEqual(['ready', null]);
    expect(kernel.last('want').args).toMatchObject({ topics: ['meta'] });
  });

  it('distinguishes a connection that is dead from a kernel that does not answer, and replaces it', async () => {
    await ready();
    const feed = channel.open('c');
    feed.subscribe(['meta']);
    kernel.last('want').reply({});
    another.answers = true;
    await vi.advanceTimersByTimeAsync(7000);
    expect([channel.state, channel.loss, feed.state.status]).toEqual(['disconnected', 'held-up', 'disconnected']);
    expect([another.asked, kernel.reconnects]).toEqual([1, 0]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(kernel.reconnects).toBe(1);
    kernel.connect('connecting');
    kernel.connect('connected');
    await ready();
    expect([channel.state, channel.loss]).toEqual(['ready', null]);
  });

  it('distinguishes a server that does not answer from a kernel that does not', async () => {
    await ready();
    const feed = channel.open('c');
    feed.subscribe(['meta']);
    kernel.last('want').reply({});
    server = false;
    await vi.advanceTimersByTimeAsync(6000);
    expect([channel.state, channel.loss, feed.state.status]).toEqual(['disconnected', 'silent', 'disconnected']);
    kernel.last('renew').reply({ silent: {} });
    await vi.advanceTimersByTimeAsync(0);
    expect(channel.state).toBe('ready');
    server = true;
    await vi.advanceTimersByTimeAsync(6000);
    expect([channel.state, feed.state.silent]).toEqual(['silent', 'kernel']);
  });

  it('hears from the kernel whose scheduler does not answer', async () => {
    await ready();
    const feed = channel.open('c');
    feed.subscribe(['meta']);
    kernel.last('want').reply({});
    feed.frame.connect(() => undefined);
    kernel.last('subscribe').reply({ kind: 'beat', silent: { c: 7 } });
    expect(feed.state.status).not.toBe('live');
    kernel.last('subscribe').reply({ kind: 'beat' });
    expect(feed.state.silent).toBeUndefined();
  });

  it('starts over when the kernel restarts, whatever restarted it', async () => {
    await ready();
    const feed = channel.open('c');
    kernel.statusChanged.emit('restarting');
    expect(channel.state).toBe('asking');
    expect(channel.clients).toEqual([]);
    kernel.statusChanged.emit('idle');
    kernel.last('hello').reply({ ...HELLO, clients: [] });
    await vi.advanceTimersByTimeAsync(0);
    expect(channel.state).toBe('ready');
    expect(feed.state.status).toBe('closed');
  });

  describe('without a status of a restart', () => {
    const busy = (session: string, parent: object = { msg_id: 'request' }): void =>
      kernel.iopubMessage.emit({ header: { msg_type: 'status', session }, parent_header: parent, content: {} });

    it('starts over with the first message of another process, once', async () => {
      await ready();
      const feed = channel.open('c');
      busy('process 1');
      busy('process 1');
      expect(channel.state).toBe('ready');
      busy('process 2');
      expect(channel.state).toBe('asking');
      kernel.last('hello').reply({ ...HELLO, clients: [] });
      await vi.advanceTimersByTimeAsync(0);
      busy('process 2');
      busy('process 1');
      expect(channel.state).toBe('ready');
      expect(feed.state.status).toBe('closed');
      busy('process 3');
      expect(channel.state).toBe('asking');
    });

    it('a message of the server does not count as one of another process', async () => {
      await ready();
      busy('process 1');
      busy('server', {});
      expect(channel.state).toBe('ready');
    });

    it('a process that a status announced is not announced again', async () => {
      busy('process 1');
      kernel.statusChanged.emit('restarting');
      kernel.statusChanged.emit('starting');
      kernel.statusChanged.emit('idle');
      await ready();
      busy('process 1');
      busy('process 2');
      expect(channel.state).toBe('ready');
    });
  });

  it('says hello when the bridge announces itself', async () => {
    kernel.last('hello').reply(undefined, false);
    await vi.advanceTimersByTimeAsync(0);
    kernel.iopubMessage.emit(ANNOUNCEMENT);
    await ready();
    expect(channel.state).toBe('ready');
  });

  it('says hello again when the bridge announces itself before an earlier hello is answered', async () => {
    const early = kernel.last('hello');
    kernel.iopubMessage.emit(ANNOUNCEMENT);
    expect(kernel.last('hello')).not.toBe(early);
    // The kernel had answered that one before the bridge was there.
    early.reply(undefined, false);
    await vi.advanceTimersByTimeAsync(0);
    expect(channel.state).toBe('asking');
    await ready();
    expect(channel.state).toBe('ready');
  });

  it('gives requests their answers, their refusals and their end', async () => {
    await ready();
    const feed = channel.open('c');
    const answered = feed.request('key', { row: 1 });
    kernel.last('request').reply({ key: '<b>', type: 'int' });
    await expect(answered).resolves.toEqual({ key: '<b>', type: 'int' });
    const nothing = feed.request('key', { row: 9 });
    kernel.last('request').reply(null);
    await expect(nothing).resolves.toBeNull();
    const refused = feed.request('dance');
    kernel.last('request').reply({ message: 'knows no request' }, false);
    await expect(refused).rejects.toThrow('knows no request');
    const late = feed.request('key', { row: 1 });
    const lost = expect(late).rejects.toThrow('has not answered for 30 s');
    await vi.advanceTimersByTimeAsync(31_000);
    await lost;
  });

  it('that is refused hello says why, and asks again', async () => {
    kernel.last('hello').reply({ message: 'OSError: the farm has burnt down' }, false);
    await vi.advanceTimersByTimeAsync(0);
    expect(channel.state).toBe('failed');
    expect(channel.reason).toBe('OSError: the farm has burnt down');
    await vi.advanceTimersByTimeAsync(12_000);
    await ready();
    expect(channel.state).toBe('ready');
    expect(channel.reason).toBe('');
  });

  it('reports that the control channel of an idle kernel does not answer, and notices when it does', async () => {
    await vi.advanceTimersByTimeAsync(20_000);
    expect(channel.state).toBe('asking');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(channel.state).toBe('failed');
    expect(channel.reason).toContain('allowed_message_types');
    await ready();
    expect(channel.state).toBe('ready');
  });

  it('waits for a busy kernel as long as it is busy', async () => {
    kernel.status = 'busy';
    await vi.advanceTimersByTimeAsync(120_000);
    expect(channel.state).toBe('asking');
    // A filter of messages may hold them back over any connection.
    expect(another.asked).toBe(0);
  });

  it('takes no notice of an answer that comes after the connection was another', async () => {
    const first = kernel.last('hello');
    kernel.connectionStatusChanged.emit('connected');
    first.reply(undefined, false);
    await vi.advanceTimersByTimeAsync(0);
    expect(channel.state).toBe('asking');
    await ready();
    expect(channel.state).toBe('ready');
  });

  it('subscribes again when another subscription has taken its place', async () => {
    await ready();
    channel.open('c').subscribe(['meta']);
    const first = kernel.last('subscribe').args.subscription;
    expect(kernel.last('want').args.subscription).toBe(first);
    kernel.last('want').reply({ message: 'replaced', reason: 'subscription' }, false);
    await vi.advanceTimersByTimeAsync(0);
    await ready();
    expect(kernel.count('subscribe')).toBe(2);
    expect(kernel.last('want').args).toMatchObject({ topics: ['meta'] });
    expect(kernel.last('want').args.subscription).not.toBe(first);
  });

  it('goes on over another connection, and waits for one, with the same feeds', async () => {
    channel.sessions = ['one'];
    await ready();
    const feed = channel.open('c');
    feed.subscribe(['meta']);
    expect(kernel.last('subscribe').args.sessions).toEqual(['one']);
    const next = new FakeKernel();
    channel.moveTo(next as unknown as Kernel.IKernelConnection);
    expect(kernel.last('subscribe').disposed).toBe(true);
    expect(kernel.last('unsubscribe').args.subscription).toBe(kernel.last('subscribe').args.subscription);
    expect(channel.state).toBe('ready');
    next.last('hello').reply(HELLO);
    await vi.advanceTimersByTimeAsync(0);
    expect(next.last('want').args).toMatchObject({ client: 'c', topics: ['meta'] });
    channel.sessions = ['one', 'two'];
    expect(next.last('renew').args.sessions).toEqual(['one', 'two']);
    channel.moveTo(null);
    expect(channel.state).toBe('asking');
    expect(feed.state.status).toBe('connecting');
    const sent = next.sent.length;
    await vi.advanceTimersByTimeAsync(120_000);
    expect(next.sent).toHaveLength(sent);
    channel.moveTo(kernel as unknown as Kernel.IKernelConnection);
    await ready();
    expect(channel.state).toBe('ready');
    expect(kernel.last('want').args).toMatchObject({ client: 'c', topics: ['meta'] });
    expect(feed.isDisposed).toBe(false);
  });

  it('renews seldom where no feed is open', async () => {
    await ready();
    for (let second = 0; second < 100; second++) {
      await vi.advanceTimersByTimeAsync(1000);
      kernel.last('subscribe');
      if (kernel.sent.some(sent => sent.op === 'renew' && !sent.disposed)) {
        kernel.last('renew').reply({ silent: {} });
      }
    }
    expect(kernel.count('renew')).toBeLessThanOrEqual(4);
    expect(kernel.count('renew')).toBeGreaterThanOrEqual(3);
  });

  it('leaves no timer, future or slot behind', async () => {
    await ready();
    channel.open('c').subscribe(['meta']);
    channel.dispose();
    expect(vi.getTimerCount()).toBe(0);
    expect(kernel.last('subscribe').disposed).toBe(true);
    expect(kernel.last('unsubscribe').args).toEqual({ tab: 'tab', subscription: kernel.last('subscribe').args.subscription });
    expect(kernel.sent.every(sent => sent.disposed)).toBe(true);
    const sent = kernel.sent.length;
    kernel.statusChanged.emit('restarting');
    kernel.statusChanged.emit('idle');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(kernel.sent).toHaveLength(sent);
  });
});
