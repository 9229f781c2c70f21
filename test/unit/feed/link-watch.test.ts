// What distinguishes a held GIL from a lost connection: every order of events that a real link takes minutes or luck to show.
import type { Kernel } from '@jupyterlab/services';
import { beforeEach, describe, expect, it } from 'vitest';
import { type LinkState, LinkWatch, LOOK } from '../../../src/feed/kernel/link-watch';

describe('the watch over a link', () => {
  let now: number;
  let connection: Kernel.ConnectionStatus;
  let watched: boolean;
  let server: boolean;
  /** Whether the kernel answers over another connection. */
  let elsewhere: boolean;
  const asked = { kernel: 0, server: 0, elsewhere: 0, reconnect: 0 };
  let watch: LinkWatch;

  beforeEach(() => {
    now = 1000;
    connection = 'connected';
    watched = server = true;
    elsewhere = false;
    Object.assign(asked, { kernel: 0, server: 0, elsewhere: 0, reconnect: 0 });
    watch = new LinkWatch({
      askKernel: () => {
        asked.kernel += 1;
      },
      askServer: () => {
        asked.server += 1;
        return Promise.resolve(server);
      },
      askElsewhere: () => {
        asked.elsewhere += 1;
        return Promise.resolve(elsewhere);
      },
      reconnect: () => {
        asked.reconnect += 1;
      }
    });
  });

  /** Let time pass; the last state. */
  async function pass(ms: number, each: () => void = () => undefined): Promise<LinkState> {
    let state: LinkState = 'good';
    for (let spent = 0; spent < ms; spent += LOOK) {
      now += LOOK;
      each();
      state = watch.look({ now, connection, watched });
      await Promise.resolve();
      await Promise.resolve();
    }
    return state;
  }

  /** Milliseconds until a state is reported. */
  async function until(wanted: LinkState): Promise<number> {
    const begin = now;
    while ((await pass(LOOK)) !== wanted) {
      expect(now - begin).toBeLessThan(60_000);
    }
    return now - begin;
  }

  it('asks nothing while the kernel sends, and nothing for what is not visible', async () => {
    let since = 0;
    const beat = (): void => {
      since += LOOK;
      if (since >= 2000) {
        since = 0;
        watch.heard();
      }
    };
    expect(await pass(60_000, beat)).toBe('good');
    watched = false;
    expect(await pass(60_000)).toBe('good');
    expect(asked).toEqual({ kernel: 0, server: 0, elsewhere: 0, reconnect: 0 });
  });

  it('blames the kernel within 6 s where the server answers, asks it once, and is good with its first word', async () => {
    await pass(LOOK);
    watch.heard();
    expect(await until('kernel-silent')).toBeLessThanOrEqual(6000);
    expect(await pass(20_000)).toBe('kernel-silent');
    expect(asked.kernel).toBe(1);
    expect(asked.reconnect).toBe(0);
    watch.heard();
    expect(await pass(LOOK)).toBe('good');
  });

  it('blames the connection within 6 s if there is no answer', async () => {
    server = false;
    await pass(LOOK);
    watch.heard();
    expect(await until('silent')).toBeLessThanOrEqual(6000);
    watch.heard();
    expect(await pass(LOOK)).toBe('good');
  });

  it('never blames the kernel while the connection to it recovers, and replaces a dead connection, once', async () => {
    server = false;
    await until('silent');
    server = true;
    expect(await pass(2000)).toBe('silent');
    await pass(10_000);
    expect(asked.reconnect).toBe(1);
  });

  it('blames a dead connection, not the kernel, where the kernel answers over another one, and replaces it after a minute', async () => {
    elsewhere = true;
    await pass(LOOK);
    watch.heard();
    const states = new Set<LinkState>();
    const since = now;
    while ((await pass(LOOK)) !== 'held-up') {
      states.add('good');
      expect(now - since).toBeLessThan(6000);
    }
    for (let i = 0; i < 20; i++) {
      states.add(await pass(2000));
    }
    expect(states).toEqual(new Set(['good', 'held-up']));
    // A large output of a cell may be arriving over it.
    expect(asked).toMatchObject({ elsewhere: 1, reconnect: 0 });
    await pass(60_000);
    expect(asked).toMatchObject({ elsewhere: 1, reconnect: 1 });
    connection = 'connecting';
    await pass(LOOK);
    connection = 'connected';
    expect(await pass(LOOK)).toBe('good');
  });

  it('waits for the answer over another connection, but not for long', async () => {
    let answer: (answers: boolean) => void = () => undefined;
    watch = new LinkWatch({
      askKernel: () => undefined,
      askServer: () => Promise.resolve(true),
      askElsewhere: () => new Promise(resolve => (answer = resolve)),
      reconnect: () => undefined
    });
    await pass(LOOK);
    watch.heard();
    expect(await pass(5500)).toBe('good');
    expect(await pass(LOOK)).toBe('kernel-silent');
    answer(true);
    await pass(LOOK);
    expect(await pass(LOOK)).toBe('held-up');
    watch.heard();
    expect(await pass(LOOK)).toBe('good');
  });

  it('asks over another connection once a minute at most, in however many silences', async () => {
    for (let i = 0; i < 30; i++) {
      await pass(9000);
      watch.heard();
      await pass(1000);
    }
    expect(asked.elsewhere).toBe(5);
  });

  it('takes a server that goes while the kernel is silent for what it is', async () => {
    await until('kernel-silent');
    server = false;
    expect(await until('silent')).toBeLessThanOrEqual(3000);
  });

  it('reports a closed connection after 2 s, one that is not retried at once', async () => {
    await pass(LOOK);
    connection = 'connecting';
    expect(await pass(1500)).toBe('good');
    expect(await pass(500)).toBe('retrying');
    connection = 'disconnected';
    expect(await pass(LOOK)).toBe('gave-up');
    connection = 'connected';
    expect(await pass(LOOK)).toBe('good');
  });

  it('a kernel that starts slowly is no lost connection, unless the server is away', async () => {
    connection = 'connecting';
    expect(await pass(30_000)).toBe('good');
    server = false;
    expect(await until('retrying')).toBeLessThanOrEqual(3000);
    connection = 'connected';
    server = true;
    expect(await pass(1000)).toBe('good');
    connection = 'connecting';
    watch.restart();
    expect(await pass(30_000)).toBe('good');
  });

  it('a page that stood still, or a computer that slept, knows nothing of the time between', async () => {
    await pass(LOOK);
    watch.heard();
    now += 3_600_000;
    expect(await pass(LOOK)).toBe('good');
    expect(asked.kernel).toBe(0);
  });

  // The bridge sends no frame that takes 1 Mbit/s longer than 3.5 s: test_frame_sizes.py.
  it('large frames over a slow link are words, however late each is', async () => {
    let since = 0;
    const frame = (): void => {
      since += LOOK;
      if (since >= 4000) {
        since = 0;
        watch.heard();
      }
    };
    const states = new Set<LinkState>();
    for (let i = 0; i < 100; i++) {
      states.add(await pass(LOOK, frame));
    }
    expect([...states]).toEqual(['good']);
  });

  it('a refill of which each frame takes ten seconds is no lost connection while the server answers', async () => {
    let since = 0;
    const frame = (): void => {
      since += LOOK;
      if (since >= 10_000) {
        since = 0;
        watch.heard();
      }
    };
    const states = new Set<LinkState>();
    for (let i = 0; i < 200; i++) {
      states.add(await pass(LOOK, frame));
    }
    // Nothing distinguishes such a link from a kernel that holds the GIL.
    expect(states).toEqual(new Set(['good', 'kernel-silent']));
    expect(asked.reconnect).toBe(0);
    expect(asked.server).toBeGreaterThan(0);
  });

  it('an invisible renewal is watched, too, but the server is not asked before it is late', async () => {
    watched = false;
    await pass(LOOK);
    watch.asked();
    await pass(500);
    expect(asked.server).toBe(0);
    server = false;
    expect(await until('silent')).toBeLessThanOrEqual(4000);
  });

  it('asks the server rarely where nothing visible waits, as often as else from when something does', async () => {
    watched = false;
    await pass(LOOK);
    watch.asked();
    await pass(60_000);
    expect(asked.server).toBe(6);
    watched = true;
    await pass(10_000);
    expect(asked.server).toBe(11);
  });
});
