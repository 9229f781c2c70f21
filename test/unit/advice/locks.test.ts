/** Tasks that wait for a lock, for each other or for an actor while they hold their threads: seen in the profile. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { advise } from '../../../src/advice/advise';
import type { Verdict } from '../../../src/advice/advice';
import type { TopicBody } from '../../../src/feed/frame';
import { RUNNING_STATE } from '../../../src/feed/schema';
import { openRun } from '../../../src/report/open';
import { translate } from '../translate';
import { adviceOf, type Made, made, profileOf, tasks, verdict } from './made';

/** Two workers with two threads, which run tasks for 10 s: 40 s, of which samples are one in 10 ms. */
const ROWS = [0, 1, 2, 3].flatMap(lane => tasks(lane, 10, 0.995, 0, 0.005));
const LOCK = ['acquire', 'distributed/lock.py'] as const;

function said(topic: TopicBody | null, more: Partial<Made> = {}): Verdict | undefined {
  const topics: Readonly<Record<string, TopicBody>> = topic === null ? {} : { profile: topic };
  return verdict(adviceOf(made({ functions: ['write', 'other'], rows: ROWS, topics, now: 10, ...more })), 'locks');
}

describe('tasks that wait', () => {
  it('for a lock are named with the part of their time that samples show', () => {
    const lock = said(profileOf('write', 1000, 3000, LOCK));
    expect(lock?.sentence).toBe(
      'Tasks wait for a lock. By samples, tasks of write wait 75 % of their time in Lock.acquire. Such waiting costs 75 % of the time.'
    );
    expect(lock?.cost.seconds).toBeCloseTo(0.75 * 39.8, 1);
    expect(lock?.evidence.selection.functions).toEqual(['write']);
    expect(lock?.evidence.figures.map(({ text }) => text)).toEqual(['75 %', '3,000', '29.8 s']);
  });

  it.each([
    ['acquire', 'distributed/semaphore.py', 'Tasks wait for a lock', 'Semaphore.acquire'],
    ['__enter__', 'dask/utils.py', 'Tasks wait for a lock', 'SerializableLock.acquire'],
    // Queues are filled, and events are set, by clients as well.
    ['get', 'distributed/queues.py', 'Tasks wait for another task or a client', 'Queue.get'],
    ['wait', 'distributed/event.py', 'Tasks wait for another task or a client', 'Event.wait'],
    ['get', 'distributed/variable.py', 'Tasks wait for another task or a client', 'Variable.get'],
    ['result', 'distributed/client.py', 'Tasks wait for each other', 'Future.result'],
    ['gather', 'distributed/client.py', 'Tasks wait for each other', 'Client.gather'],
    ['result', 'distributed/actor.py', 'Tasks wait for an actor', 'ActorFuture.result']
  ])('in %s of %s are named by what they wait for', (name, file, title, call) => {
    const found = said(profileOf('write', 1000, 3000, [name, file]));
    expect(found?.title).toBe(title);
    expect(found?.sentence).toContain(`wait 75 % of their time in ${call}.`);
  });

  it('in code of their own, or of another library, are not', () => {
    expect(said(profileOf('write', 1000, 3000, ['acquire', 'mine/lock.py']))).toBeUndefined();
    expect(said(profileOf('write', 1000, 3000, ['release', 'distributed/lock.py']))).toBeUndefined();
  });

  it('for the way there and back, which giving a lock back takes as well, are not', () => {
    expect(said(profileOf('write', 2000, 1000, LOCK, 1000))).toBeUndefined();
    expect(said(profileOf('write', 1000, 2500, LOCK, 500))?.sentence).toContain('wait 50 % of their time in Lock.acquire.');
    // How long the way is to an actor is not known: it may be as long.
    const actor = ['result', 'distributed/actor.py'] as const;
    expect(said(profileOf('write', 2100, 1900, actor))).toBeUndefined();
    expect(said(profileOf('write', 1900, 2100, actor))).toBeDefined();
  });

  it('for little, or in a few samples, are not', () => {
    expect(said(profileOf('write', 3700, 300, LOCK))).toBeUndefined();
    expect(said(profileOf('write', 5, 49, LOCK))).toBeUndefined();
  });

  it('in a small part of the time that was sampled say nothing of the rest', () => {
    expect(said(profileOf('write', 500, 1400, LOCK))).toBeUndefined();
    expect(said(profileOf('write', 600, 1500, LOCK))).toBeDefined();
  });

  it('of one function cost the part that this function has of all', () => {
    const rows = ROWS.map(row => ({ ...row, prefix: (row.lane ?? 0) % 2 }));
    const lock = said(profileOf('write', 500, 1500, LOCK), { rows });
    expect(lock?.cost.share).toBeCloseTo(0.75 / 2, 2);
    expect(lock?.sentence).toContain('tasks of write wait 75 % of their time in Lock.acquire. Such waiting costs 37 %');
  });

  it('may wait for a lock where it and what is done beside it call nothing else: it is not known', () => {
    const mixed = (file: string, samples: number): string | undefined => {
      const topic = profileOf('write', 0, 1, ['acquire', file]);
      const stack = Uint32Array.of(1, 2, 3);
      const body: TopicBody = {
        columns: { ...topic.columns, stack, samples: Uint32Array.of(3980 - samples, 1, samples) },
        // A function of the user calls what waits, and one of several functions.
        moves: { parent: Uint32Array.of(0, 1, 1), frame: Uint32Array.of(1, 2, 0) },
        scalars: topic.scalars
      };
      const { unknown, headline } = adviceOf(made({ functions: ['write'], rows: ROWS, topics: { profile: body }, now: 10 }));
      const why = unknown.find(({ cause }) => cause === 'locks')?.why;
      // Beside "nothing wrong found", that has to be said.
      expect(headline.endsWith(`computing. ${why}`)).toBe(why !== undefined);
      return why;
    };
    expect(mixed('dask/utils.py', 3000)).toMatch(
      /^Tasks may have waited for a lock of their process: Dask's samples do not tell/
    );
    expect(mixed('dask/utils.py', 300)).toBeUndefined();
    expect(mixed('mine/utils.py', 3000)).toBeUndefined();
  });

  it('hold no thread where they have seceded', () => {
    const running = [
      { id: 900, worker: 0, prefix: 0, start: 9, as_of: 10, key: 'write-900', state: RUNNING_STATE.indexOf('long-running') }
    ];
    expect(said(profileOf('write', 1000, 3000, LOCK), { running })).toBeUndefined();
    // Of those that have ended, samples of every second show it: one of five runs beside the threads.
    const beside = (tasks: number): Partial<Made> => {
      const series = { executing: new Array<number>(11).fill(tasks), computing: new Array<number>(11).fill(4) };
      return { series };
    };
    expect(said(profileOf('write', 1000, 3000, LOCK), beside(5))).toBeUndefined();
    expect(said(profileOf('write', 1000, 3000, LOCK), beside(4))).toBeDefined();
  });
});

describe('first tasks of workers that wait for an event', () => {
  /** One task of each thread waits for 6 s, the later ones do not: 24 s of 36 s. */
  const rows = [0, 1, 2, 3].flatMap(lane => [{ lane, start: 0, duration: 6.3, nbytes: 100 }, ...tasks(lane, 10, 0.3, 6.3)]);
  const event = ['wait', 'distributed/event.py'] as const;
  const about = (topic: TopicBody, more: Partial<Made> = {}) =>
    adviceOf(made({ functions: ['write', 'other'], rows, topics: { profile: topic }, now: 10, ...more }));
  const causes = (topic: TopicBody, more: Partial<Made> = {}): string[] => about(topic, more).verdicts.map(({ cause }) => cause);

  it('import nothing', () => {
    expect(causes(profileOf('write', 1200, 2400, event))).toEqual(['locks']);
    expect(causes(profileOf('write', 3600, 0, event))).toEqual(['late-start']);
  });

  it('are neither where there are too few samples: it is not known', () => {
    const { verdicts, unknown } = about(profileOf('write', 300, 600, event));
    expect(verdicts).toEqual([]);
    expect(unknown.find(({ cause }) => cause === 'locks')?.why).toBe('There are too few samples of tasks that seem to wait.');
  });

  it('have not seceded where one sample of the last second has tasks that had ended', () => {
    const four = new Array<number>(11).fill(4);
    const series = { executing: four, computing: four.map((value, second) => (second === 9 ? 0 : value)) };
    expect(causes(profileOf('write', 1200, 2400, event), { series })).toEqual(['locks']);
    const two = four.map((value, second) => (second >= 8 ? 0 : value));
    expect(causes(profileOf('write', 1200, 2400, event), { series: { executing: four, computing: two } })).not.toContain('locks');
  });
});

describe('without a profile', () => {
  it('it is not known whether tasks wait', () => {
    const { unknown } = adviceOf(made({ functions: ['write'], rows: ROWS, now: 10 }));
    expect(unknown.find(({ cause }) => cause === 'locks')?.why).toBe('There is no profile of the tasks.');
  });
});

describe('a real run', () => {
  it('in which one task at a time has a lock names it, with as much as it held up', async () => {
    const path = fileURLToPath(new URL('../../fixtures/advice/locked.dask-run', import.meta.url));
    const { run } = await openRun(await readFile(path));
    const [first, ...others] = advise(run, null, translate).verdicts;
    expect(first.cause).toBe('locks');
    // Of four threads, one has the lock.
    expect(first.cost.share).toBeGreaterThan(0.6);
    expect(first.cost.share).toBeLessThan(0.8);
    expect(first.sentence).toContain('tasks of inside wait 6');
    expect(first.sentence).toContain('% of their time in Lock.acquire.');
    expect(others).toEqual([]);
  });
});
