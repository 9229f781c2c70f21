import { readFileSync } from 'node:fs';
import { encode } from '@msgpack/msgpack';
import { beforeEach, describe, expect, it } from 'vitest';
import { ClientFeed, type FeedTransport } from '../../../src/feed/client-feed';
import type { Frame } from '../../../src/feed/frame';
import type { ClientInfo } from '../../../src/feed/kernel/kernel-channel';
import { CREDIT, PROTOCOL } from '../../../src/feed/schema';

const recorded = new Uint8Array(readFileSync(new URL('../../fixtures/0.frame', import.meta.url)));

function frame(cursor: Record<string, number>, idleSince?: number | null): Uint8Array {
  const topics = idleSince === undefined ? {} : { meta: { s: { idle_since: idleSince } } };
  return encode({ v: PROTOCOL, feed: 'f', epoch: 2, seq: 0, time: 1, cursor, topics });
}

const INFO: ClientInfo = {
  key: 'c',
  variable: 'client',
  cluster: 'LocalCluster',
  address: 'tcp://x',
  dashboard: '',
  dashboardReason: '',
  status: 'running',
  workers: 1,
  threads: 1,
  memoryLimit: 0,
  created: 1,
  limited: ''
};

class Recorder implements FeedTransport {
  readonly wants: Record<string, unknown>[] = [];
  readonly acknowledged: number[] = [];
  want(_client: string, args: Record<string, unknown>): void {
    this.wants.push(args);
  }
  acknowledge(_client: string, seq: number): void {
    this.acknowledged.push(seq);
  }
  requestClient(): Promise<null> {
    return Promise.resolve(null);
  }
  get generation(): number {
    return Number(this.wants.filter(want => 'gen' in want).at(-1)?.gen);
  }
}

describe('the feed of a client', () => {
  let transport: Recorder;
  let feed: ClientFeed;
  let disposals: number;
  let frames: Frame[];

  beforeEach(() => {
    transport = new Recorder();
    disposals = 0;
    frames = [];
    feed = new ClientFeed('c', transport, () => {
      disposals += 1;
    });
    feed.frame.connect((_, got) => frames.push(got));
    feed.setClient(INFO);
  });

  it('asks for nothing before there is a subscription, then for what is wanted, from its cursor', () => {
    feed.subscribe(['tasks', 'meta']);
    expect(transport.wants).toEqual([]);
    feed.connect();
    expect(transport.wants).toEqual([{ topics: ['meta', 'tasks'], gen: transport.generation, feed: '', epoch: -1, cursor: {} }]);
  });

  it('changes topics without its cursor, and ends with an empty list', () => {
    feed.connect();
    const first = feed.subscribe(['meta']);
    const second = feed.subscribe(['meta', 'tasks']);
    first.dispose();
    expect(transport.wants.slice(1)).toEqual([{ topics: ['meta', 'tasks'] }]);
    second.dispose();
    expect(transport.wants.at(-1)).toEqual({ topics: [] });
    // Disposed twice is disposed once.
    second.dispose();
    feed.subscribe(['meta']);
    expect(transport.wants.at(-1)).toMatchObject({ topics: ['meta'], cursor: {} });
  });

  it('hands on frames in order', () => {
    feed.connect();
    feed.subscribe(['tasks']);
    feed.receive(recorded, 0, transport.generation);
    feed.receive(frame({ tasks: 50 }), 1, transport.generation);
    expect(frames).toHaveLength(2);
    expect(feed.state.status).toBe('live');
  });

  it('acknowledges at half of the credit, by frames or by bytes', () => {
    feed.connect();
    feed.subscribe(['tasks']);
    for (let seq = 0; seq < CREDIT.frames; seq++) {
      feed.receive(frame({ tasks: seq }), seq, transport.generation);
    }
    expect(transport.acknowledged).toEqual([CREDIT.frames / 2 - 1, CREDIT.frames - 1]);
    const large = encode({
      v: PROTOCOL,
      feed: 'f',
      epoch: 2,
      seq: 0,
      time: 1,
      topics: {},
      padding: 'x'.repeat(CREDIT.bytes / 2)
    });
    feed.receive(large, CREDIT.frames, transport.generation);
    expect(transport.acknowledged.at(-1)).toBe(CREDIT.frames);
  });

  it('asks again from its position after a gap, and drops what was on its way', () => {
    feed.connect();
    feed.subscribe(['tasks']);
    const old = transport.generation;
    feed.receive(frame({ tasks: 10 }), 0, old);
    feed.receive(frame({ tasks: 30 }), 2, old);
    expect(frames).toHaveLength(1);
    expect(transport.wants.at(-1)).toMatchObject({ topics: ['tasks'], feed: 'f', epoch: 2, cursor: { tasks: 10 } });
    feed.receive(frame({ tasks: 40 }), 3, old);
    expect(frames).toHaveLength(1);
    feed.receive(frame({ tasks: 40 }), 0, transport.generation);
    expect(frames).toHaveLength(2);
  });

  it('goes on from its cursor after a reconnection', () => {
    feed.connect();
    feed.subscribe(['tasks']);
    feed.receive(frame({ tasks: 10 }), 0, transport.generation);
    feed.lose('The kernel restarts.');
    expect(feed.state).toMatchObject({ status: 'connecting', reason: 'The kernel restarts.' });
    feed.receive(frame({ tasks: 20 }), 1, transport.generation);
    expect(frames).toHaveLength(1);
    feed.connect();
    expect(transport.wants.at(-1)).toMatchObject({ cursor: { tasks: 10 } });
  });

  it('says what it cannot read', () => {
    feed.connect();
    feed.subscribe(['tasks']);
    feed.receive(encode({ v: PROTOCOL + 1, feed: 'f' }), 0, transport.generation);
    expect(feed.state.status).toBe('limited');
    expect(feed.state.reason).toContain('install the same version');
  });

  it('says it until the scheduler is another one, or has been restarted', () => {
    const damaged = { topics: { tasks: { c: { start: 7 } } } };
    const next = (seq: number, change: Record<string, unknown>): string => {
      const plain = { v: PROTOCOL, feed: 'f', epoch: 2, seq: 0, time: 1, cursor: {}, topics: {} };
      feed.receive(encode({ ...plain, ...change }), seq, transport.generation);
      return feed.state.status;
    };
    feed.connect();
    feed.subscribe(['tasks']);
    expect(next(0, {})).toBe('live');
    expect(next(1, damaged)).toBe('limited');
    expect(next(2, {})).toBe('limited');
    expect(next(3, { epoch: 8 })).toBe('live');
    expect(next(4, { epoch: 8, ...damaged })).toBe('limited');
    // Of which of its lives that one was cannot be read: of that of the next one.
    expect(next(5, { epoch: 9 })).toBe('limited');
    expect(next(6, { epoch: 9 })).toBe('limited');
    expect(next(7, { feed: 'another' })).toBe('live');
  });

  it('distinguishes a silent kernel, a lost connection and a closed client', () => {
    feed.connect();
    feed.subscribe(['meta']);
    feed.receive(frame({}, null), 0, transport.generation);
    feed.setChannel('silent');
    expect(feed.state).toMatchObject({ status: 'silent', silent: 'kernel' });
    feed.setChannel('disconnected');
    expect(feed.state).toMatchObject({ status: 'disconnected', reason: 'The connection to the Jupyter server is lost.' });
    expect(feed.state.silent).toBeUndefined();
    feed.setChannel('ready');
    expect(feed.state.status).toBe('live');
    feed.setClient({ ...INFO, status: 'closed', closedAt: 99 });
    expect(feed.state).toMatchObject({ status: 'closed', closedAt: 99 });
    feed.setChannel('silent');
    expect(feed.state.status).toBe('closed');
  });

  it('says that the scheduler does not answer also where nothing has come yet', () => {
    feed.connect();
    feed.subscribe(['meta']);
    feed.setSchedulerSilence(7);
    expect(feed.state).toMatchObject({ status: 'silent', silent: 'scheduler' });
    feed.setSchedulerSilence(0);
    expect(feed.state.status).toBe('connecting');
  });

  it('says who is silent, and since when: a scheduler that is lost is no busy kernel', () => {
    feed.connect();
    feed.subscribe(['meta']);
    feed.receive(frame({}, null), 0, transport.generation);
    feed.answered(1000);
    feed.setClient({ ...INFO, status: 'connecting' });
    expect(feed.state).toMatchObject({ status: 'silent', silent: 'scheduler', answered: 1000 });
    // The kernel answers all the time, and that is not the scheduler's answer.
    feed.answered(5000);
    feed.setSchedulerSilence(4);
    feed.setChannel('ready');
    expect(feed.state).toMatchObject({ status: 'silent', silent: 'scheduler', answered: 1000 });
    feed.setClient(INFO);
    expect(feed.state.status).toBe('live');
    feed.setSchedulerSilence(50);
    expect(feed.state).toMatchObject({ status: 'silent', silent: 'scheduler' });
    expect(performance.now() - feed.state.answered).toBeGreaterThan(49_000);
    feed.setSchedulerSilence(0);
    feed.setChannel('silent');
    expect(feed.state).toMatchObject({ status: 'silent', silent: 'kernel' });
    feed.receive(frame({}, null), 1, transport.generation);
    expect(feed.state.silent).toBeUndefined();
  });

  it('stays limited after a silence of the kernel, of the server or of the scheduler', () => {
    const limited = { ...INFO, limited: 'Its scheduler takes no plugin.' };
    const states = (): string[] => [feed.state.status, feed.state.reason];
    feed.setClient(limited);
    for (const silence of ['silent', 'disconnected'] as const) {
      feed.setChannel(silence);
      expect(feed.state.status).toBe(silence);
      feed.setChannel('ready');
      expect(states()).toEqual(['limited', limited.limited]);
    }
    // It sends some topics.
    feed.subscribe(['meta']);
    feed.connect();
    feed.receive(frame({ meta: 1 }), 0, transport.generation);
    expect(states()).toEqual(['limited', limited.limited]);
    feed.setClient({ ...limited, status: 'connecting' });
    expect(feed.state.status).toBe('silent');
    feed.receive(frame({ meta: 2 }), 1, transport.generation);
    expect(states()).toEqual(['limited', limited.limited]);
    // Another scheduler may take one.
    feed.setClient(INFO);
    expect(states()).toEqual(['live', '']);
  });

  it('is silent while a limited scheduler does not answer', () => {
    const limited = { ...INFO, limited: 'Its scheduler takes no plugin.' };
    feed.setClient(limited);
    feed.connect();
    feed.subscribe(['meta']);
    feed.receive(frame({}, null), 0, transport.generation);
    feed.setSchedulerSilence(9);
    expect(feed.state).toMatchObject({ status: 'silent', silent: 'scheduler' });
    expect(performance.now() - feed.state.answered).toBeGreaterThan(8_000);
    // The kernel lists its clients again; that is not the scheduler's answer.
    feed.setClient(limited);
    feed.setSchedulerSilence(11);
    expect(feed.state).toMatchObject({ status: 'silent', silent: 'scheduler' });
    feed.setSchedulerSilence(0);
    expect(feed.state).toMatchObject({ status: 'limited', reason: limited.limited });
  });

  it('keeps the time of the last answer before the close, whatever the kernel answers later', () => {
    feed.answered(1_000);
    feed.setClient({ ...INFO, status: 'closed' });
    feed.answered(2_000);
    expect(feed.state.answered).toBe(1_000);
  });

  it('a client that the kernel no longer knows is closed', () => {
    feed.setClient(undefined);
    // When it ended is known of clients, if at all.
    expect([feed.state.status, feed.state.closedAt]).toEqual(['closed', undefined]);
  });

  it('is shared: the last handle ends it', () => {
    feed.connect();
    feed.subscribe(['meta']);
    const other = feed.share();
    feed.dispose();
    expect(disposals).toBe(0);
    other.dispose();
    other.dispose();
    expect(disposals).toBe(1);
    expect(transport.wants.at(-1)).toEqual({ topics: [] });
  });
});
