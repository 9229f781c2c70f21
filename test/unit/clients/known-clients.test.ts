import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KnownClients } from '../../../src/clients/kernels/known-clients';
import { info } from '../client-view/fakes';

describe('the clients of a kernel', () => {
  let known: KnownClients;
  const ended = (): unknown => known.all.get('Client-1')?.kernelEnded ?? false;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'Date'] });
    known = new KnownClients(() => true);
    known.learn('ready', [info()]);
  });
  afterEach(() => vi.useRealTimers());

  it.each(['ready', 'dead', 'missing'] as const)('ended with it where it is %s without them', state => {
    known.learn(state, []);
    expect([known.all.get('Client-1')?.status, ended()]).toEqual(['closed', true]);
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

    known = new KnownClients(() => true);
    known.learn('ready', [info()]);
    known.learn('ready', [info({ status: 'closed' })]);
    vi.advanceTimersByTime(60_000);
    known.learn('ready', [info({ status: 'closed' })]);
    known.learn('dead', []);
    expect(ended()).toBe(false);
  });

  it('did not end with it where they had closed before the page knew them', () => {
    known = new KnownClients(() => true);
    known.learn('ready', [info({ status: 'closed' })]);
    known.learn('dead', []);
    expect(ended()).toBe(false);
  });
});
