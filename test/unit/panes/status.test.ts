import { describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import type { FeedState } from '../../../src/feed/feed';
import type { Clients, KernelEntry } from '../../../src/clients/model';
import { paneStatus, spokenStatus, type StatusInput } from '../../../src/clients/status';
import type { ClientInfo } from '../../../src/feed/kernel/kernel-channel';
import { Run } from '../../../src/run/run';
import { frame } from '../clients/fakes';
import { cluster } from '../plots/cluster';
import { translate as trans } from '../translate';

const live: FeedState = { status: 'live', answered: 5000, reason: '' };
/** Local wall clock, as a user reads it. */
const wall = (time: number): string => new Date(time * 1000).toLocaleTimeString('en-GB');

function runAt(time: number, arrived: number, meta: Record<string, number | string[] | null> = {}): Run {
  const run = new Run();
  run.apply(frame({ time, topics: { meta: { columns: {}, scalars: meta } } }), arrived);
  return run;
}

function say(input: Partial<StatusInput>): ReturnType<typeof paneStatus> {
  return paneStatus(
    {
      situation: 'attached',
      now: 5000,
      run: runAt(1000, 5000),
      feed: live,
      arrived: true,
      empty: false,
      failed: false,
      pausedAt: null,
      closedAt: null,
      ...input
    },
    trans
  );
}

describe('the words of the status line', () => {
  it('give the age of the newest data', () => {
    expect(say({ now: 5200 })).toMatchObject({ state: 'live', sign: 'disc', text: 'live · 0.2 s' });
    expect(say({ now: 8000 })).toMatchObject({ state: 'live', text: 'live · 3 s ago' });
    setNumberLocale('de');
    expect(say({ now: 5200 }).text).toBe('live · 0,2 s');
    setNumberLocale('en');
    for (const now of [Number.NaN, Number.POSITIVE_INFINITY, 1e300]) {
      expect(say({ now })).toMatchObject({ state: 'live', text: 'live' });
    }
  });

  it('say since when the cluster is idle', () => {
    const noon = new Date().setHours(12, 0, 0, 0) / 1000;
    const idle = (since: number): ReturnType<typeof paneStatus> => say({ run: runAt(since + 60, 5000, { idle_since: since }) });
    expect(idle(noon)).toMatchObject({ state: 'idle', sign: 'ring', text: 'idle since 12:00' });
    // Over a night, the time alone would be one that has not come yet.
    expect(idle(1_700_000_000).text).toMatch(/^idle since .*14.*2023.*, \d\d:\d\d$/);
    expect(say({ run: runAt(1000, 5000, { idle_since: null }) }).state).toBe('live');
  });

  it('do not say of a scheduler that does not tell what is queued that it is idle', () => {
    const noon = new Date().setHours(12, 0, 0, 0) / 1000;
    const run = runAt(noon + 60, 5000, { idle_since: noon, unknown: ['queued', 'no_worker'] });
    expect(say({ run })).toMatchObject({ state: 'idle', text: 'nothing on the workers since 12:00' });
  });

  it('say that the scheduler reads a graph, which is not idle', () => {
    expect(say({ run: runAt(1000, 5000, { idle_since: null, reading: 2 }) })).toMatchObject({
      state: 'live',
      sign: 'disc',
      text: 'reading a graph',
      passing: true
    });
    // Tasks of earlier graphs run meanwhile.
    const busy = cluster({ time: 1000, workers: [{ nthreads: 2, processing: 2, executing: 2 }] });
    const topics = { meta: { columns: {}, scalars: { reading: 2 } } };
    busy.apply({ feed: 'made-up', epoch: 0, seq: 1, time: 1001, cursor: {}, names: {}, topics }, 5000);
    expect(busy.meta.reading).toBe(2);
    expect(say({ run: busy }).text).toBe('live · 0.0 s');
    const after = say({ run: runAt(1000, 5000, { idle_since: null, reading: 0 }) });
    expect(after).toEqual({ state: 'live', sign: 'disc', text: 'live · 0.0 s', spoken: 'live' });
  });

  it('do not promise what a limited feed will not bring', () => {
    expect(say({ arrived: false }).state).toBe('loading');
    expect(say({ arrived: false, feed: { ...live, status: 'limited' } }).state).toBe('limited');
    expect(say({ feed: { ...live, status: 'limited' } })).toMatchObject({ state: 'limited', text: 'live · 0.0 s' });
  });

  it('name the kernel only where one is asked', () => {
    expect(say({ situation: 'waiting' }).text).toBe('asking the kernel');
    expect(say({ situation: 'waiting', recorded: true })).toMatchObject({ state: 'loading', text: 'loading' });
  });

  it('count the seconds without an answer, and say of when the picture is', () => {
    const time = 1_700_000_000;
    const status = say({ now: 19_000, run: runAt(time, 5000), feed: { ...live, status: 'silent' } });
    expect(status).toMatchObject({
      state: 'silent',
      sign: 'square',
      tone: 'bad',
      text: `no answer for 14 s · as of ${wall(time)}`
    });
  });

  it('say where a picture is paused', () => {
    const run = runAt(1000, 5000);
    expect(say({ run, pausedAt: run.origin + 31.4 })).toMatchObject({
      state: 'paused',
      sign: 'bars',
      text: 'paused at 0:31.4',
      resumable: true
    });
  });

  it('say when it closed, also while paused', () => {
    const noon = new Date().setHours(12, 0, 0, 0) / 1000;
    const status = say({ situation: 'closed', closedAt: noon, pausedAt: 1010 });
    expect(status).toMatchObject({ state: 'closed', text: 'closed 12:00' });
  });

  it.each([
    [{ situation: 'none', run: null, feed: null }, 'none'],
    [{ situation: 'waiting', run: null, feed: null }, 'loading'],
    [{ arrived: false }, 'loading'],
    [{ empty: true }, 'empty'],
    [{ feed: { ...live, status: 'limited' } }, 'limited'],
    [{ failed: true }, 'failed']
  ] as const)('name the state: %o is %s', (input, state) => {
    expect(say(input).state).toBe(state);
  });
});

it('what is spoken has the name of the client', () => {
  const clients = { kernels: [{ path: 'work/a.ipynb', name: 'a.ipynb' }] } as unknown as Clients;
  const info = (key: string): ClientInfo => ({ key, kind: 'client', variable: key, cluster: '' }) as unknown as ClientInfo;
  const of = (...infos: readonly ClientInfo[]): string | undefined => {
    const shows = { named: { path: 'work/a.ipynb', info: infos[0] }, kernel: { clients: infos } as unknown as KernelEntry };
    const { spoken, of } = spokenStatus(
      { sign: 'square', text: 'no answer for 7 s', spoken: 'no answer' },
      shows,
      clients,
      trans
    );
    expect([spoken, of?.key]).toEqual(['no answer', 'first']);
    return of?.spoken;
  };
  expect(of(info('first'))).toBe('a.ipynb: no answer');
  expect(of(info('first'), info('second'))).toBe('first · a.ipynb: no answer');
  const local = (key: string): ClientInfo => ({ ...info(key), kind: 'local' });
  expect(of(info('first'), local('second'))).toBe('first · a.ipynb: no answer');
  expect(of(local('first'), info('second'))).toBe('local · a.ipynb: no answer');
  expect(of(local('first'))).toBe('a.ipynb: no answer');
  expect(spokenStatus({ sign: 'ring', text: 'no Dask client' }, null, clients, trans)).not.toHaveProperty('of');
});
