import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KnownClients } from '../../../src/clients/kernels/known-clients';
import { info } from '../client-view/fakes';

describe('the clients of a kernel', () => {
  let known: KnownClients;
  let current = true;
  const ended = (): unknown => known.all.get('Client-1')?.kernelEnded ?? false;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'Date'] });
    known = new KnownClients(
      () => true,
      () => current
    );
    known.learn('ready', [info()]);
  });
  afterEach(() => vi.useRealTimers());

  it.each(['ready', 'dead', 'missing'] as const)('ended with it where it is %s without them', state => {
    known.learn(state, []);
    expect([known.all.get('Client-1')?.status, ended()]).toEqual(['closed', true]);
  });

  it('ended at the time at which that is noticed only where the page heard the kernel until then', () => {
    known.learn('dead', []);
    expect(known.all.get('Client-1')?.closedAt).toBe(Date.now() / 1000);
    known.learn('ready', [info({ key: 'Client-2' })]);
    // The computer slept, or the connection was lost.
    current = false;
    known.learn('dead', []);
    current = true;
    expect(known.all.get('Client-2')).toMatchObject({ status: 'closed', closedAt: undefined, kernelEnded: true });
  });

  it('are forgotten from the oldest on, those of which the page does not know when they ended last', () => {
    known = new KnownClients(
      () => false,
      () => current
    );
    known.learn('ready', [info({ key: 'late' })]);
    current = false;
    known.learn('dead', []);
    current = true;
    const closed = Array.from({ length: 10 }, (_, i) => info({ key: `Client-${i}`, status: 'closed', closedAt: i + 1 }));
    known.learn('ready', closed);
    expect([...known.all.keys()]).toEqual(['late', ...closed.slice(1).map(({ key }) => key)]);
  });

  it('of which it is not known when they ended count as ended when that was noticed', () => {
    known = new KnownClients(
      () => false,
      () => current
    );
    current = false;
    for (let i = 0; i < 10; i++) {
      known.learn('ready', [info({ key: `slept-${i}` })]);
      known.learn('dead', []);
      vi.advanceTimersByTime(60_000);
    }
    current = true;
    known.learn('ready', [info({ key: 'newest' })]);
    known.learn('dead', []);
    expect(known.all.has('newest')).toBe(true);
    expect(known.all.has('slept-0')).toBe(false);
  });

  it('ended with it where it is gone from the page', () => {
    known.closeAll();
    expect(ended()).toBe(true);
  });

  it('ended with it, too, where they closed in its last moments, and not where they had closed long before', () => {
    known.learn('ready', [info({ status: 'closed', closedAt: 7 })]);
    expect(ended()).toBe(false);
    vi.advanceTimersByTime(2_000);
    known.learn('dead', []);
    expect([known.all.get('Client-1')?.closedAt, ended()]).toEqual([7, true]);

    known = new KnownClients(
      () => true,
      () => current
    );
    known.learn('ready', [info()]);
    known.learn('ready', [info({ status: 'closed' })]);
    vi.advanceTimersByTime(60_000);
    known.learn('ready', [info({ status: 'closed' })]);
    known.learn('dead', []);
    expect(ended()).toBe(false);
  });

  it('did not end with it where it lists others: of those that closed it lists the newest only', () => {
    const other = (i: number): ReturnType<typeof info> => info({ key: `Client-${i}`, status: 'closed', closedAt: i });
    const others = Array.from({ length: 10 }, (_, i) => other(i + 2));
    known.learn('ready', [info({ status: 'closed', closedAt: 1 }), ...others.slice(1)]);
    vi.advanceTimersByTime(1_000);
    known.learn('ready', others);
    expect([known.all.get('Client-1')?.closedAt, ended()]).toEqual([1, false]);
    // Open when it was listed last.
    known = new KnownClients(
      () => true,
      () => current
    );
    known.learn('ready', [info(), info({ key: 'Client-2' })]);
    known.learn('ready', others);
    expect([known.all.get('Client-1')?.status, ended()]).toEqual(['closed', false]);
    // Another one in its place has none of them.
    known.learn('ready', [other(99)]);
    expect(ended()).toBe(true);
  });

  it('did not end with it where they had closed before the page knew them', () => {
    known = new KnownClients(
      () => true,
      () => current
    );
    known.learn('ready', [info({ status: 'closed' })]);
    known.learn('dead', []);
    expect(ended()).toBe(false);
  });
});
