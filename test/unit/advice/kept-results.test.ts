/** Results that nothing reads: since when that is known, and on what the rule is silent. */
import { describe, expect, it } from 'vitest';
import type { Cause, Verdict } from '../../../src/advice/advice';
import type { Frame, TopicBody } from '../../../src/feed/frame';
import { WORKER_STATUS } from '../../../src/feed/schema';
import type { Run } from '../../../src/run/run';
import { step } from '../plots/cluster';
import { adviceOf, EPOCH, made, tasks, verdict } from './made';

const GB = 1e9;
const NOW = 300;

interface Group {
  /** Times are seconds after {@link EPOCH}. */
  readonly stop?: number;
  readonly read?: number;
  readonly freed?: number;
  readonly needs?: number;
  readonly [column: string]: number | undefined;
}

const TIMES = new Set(['stop', 'read', 'freed']);

function groupsBody(groups: readonly Group[]): TopicBody {
  const value = (group: Group, name: string): number => (group[name] ?? 0) + (TIMES.has(name) && group[name] ? EPOCH : 0);
  const names = [
    'waiting',
    'queued',
    'no_worker',
    'processing',
    'released',
    'memory',
    'forgotten',
    'forgotten_erred',
    'cancelled'
  ];
  const columns = [...names, 'nbytes', 'stop', 'read', 'freed', 'freed_tasks'];
  const edges = groups.flatMap(({ needs }, target) => (needs === undefined ? [] : [{ source: needs, target }]));
  return {
    columns: {
      id: Uint32Array.from(groups.keys()),
      prefix: Uint32Array.from(groups.keys()),
      ...Object.fromEntries(columns.map(name => [name, Float64Array.from(groups, group => value(group, name))]))
    },
    moves: {
      source: Uint32Array.from(edges, ({ source }) => source),
      target: Uint32Array.from(edges, ({ target }) => target)
    },
    scalars: { not_kept: 0 }
  };
}

const LOADED: Group = { memory: 100, nbytes: 3 * GB, stop: 20, read: 30 };

/** Work for 300 s, with the first group's results in memory; limits are 8.6 GB in all. */
function kept(groups: readonly Group[], process = 7 * GB, spilled = 0): Run {
  const rows = [0, 1, 2, 3].flatMap(lane => tasks(lane, 290, 1, 0, 0, 1));
  const all = (value: number): number[] => Array.from({ length: NOW }, () => value);
  return made({
    rows,
    now: NOW,
    series: { process: all(process), spilled: all(spilled), computing: all(4), cpu: all(390) },
    topics: { groups: groupsBody(groups) }
  });
}

const said = (run: Run): Verdict | undefined => verdict(adviceOf(run), 'kept-results');

function gathered(run: Run, times: readonly number[], text: string): Run {
  return step(run, {
    time: EPOCH + NOW,
    events: times.map(time => ({ time: time + EPOCH, topic: 'all', action: 'gather', text }))
  });
}

describe('results that nothing reads', () => {
  it('are named with their size and the time since their last use', () => {
    const one = said(kept([LOADED]));
    expect(one?.sentence).toBe(
      'Memory was short, while 2.79 GiB of results of load were kept although nothing had read them for 4 m 30 s.'
    );
    expect(one?.evidence.selection.functions).toEqual(['load']);
    expect(one?.evidence.selection.period?.from).toBe(EPOCH + 30);
  });

  it('are not said to be unread while not all events are known: clients may have taken them', () => {
    const since = (time: number): Run =>
      step(kept([LOADED]), {
        time: EPOCH + NOW,
        lostEvents: 5,
        events: [{ time: EPOCH + time, topic: 'all', action: 'add-worker', text: '{}' }]
      });
    expect(said(since(100))?.sentence).toContain('although nothing had read them for 3 m 20 s');
    const advice = adviceOf(since(200));
    expect(verdict(advice, 'kept-results')).toBeUndefined();
    const why = 'The scheduler no longer has all its events of that time.';
    const whyNot = (cause: Cause): string | undefined => advice.unknown.find(each => each.cause === cause)?.why;
    expect([whyNot('kept-results'), whyNot('client-waits')]).toEqual([why, why]);
    const known = adviceOf(since(-1));
    expect(known.unknown.map(({ cause }) => cause)).not.toContain('client-waits');
  });

  it('of several groups are added up; of a group that is partly freed, those that are left', () => {
    const one = said(
      kept([
        { ...LOADED, memory: 50, released: 50 },
        { ...LOADED, stop: 90, read: 0 }
      ])
    );
    expect(one?.sentence).toContain('4.19 GiB of results of sum and others (2 groups)');
  });

  it('were not read until the end of a period in the past', () => {
    const past = verdict(adviceOf(kept([LOADED]), { from: 100, to: 200 }), 'kept-results');
    expect(past?.sentence).toContain('nothing had read them for 2 m 50 s');
  });

  it('are known after they were freed', () => {
    const freed = { released: 100, nbytes: 3 * GB, stop: 20, read: 30, freed_tasks: 100 };
    expect(said(kept([{ ...freed, freed: 200 }]))?.sentence).toContain('for 2 m 50 s');
    expect(said(kept([{ ...freed, freed: 140 }]))).toBeUndefined();
  });

  it.each([
    ['were read a minute ago', [{ ...LOADED, read: NOW - 60 }]],
    ['are new', [{ ...LOADED, stop: NOW - 60, read: 0 }]],
    ['are needed by tasks that wait', [LOADED, { waiting: 5, needs: 0 }]],
    ['are needed by tasks that run', [LOADED, { processing: 1, needs: 0 }]],
    ['are small', [{ ...LOADED, nbytes: 0.5 * GB }]],
    ['are of scattered data, of which it is not known when they came', [{ memory: 100, nbytes: 3 * GB }]],
    [
      'are odd',
      [
        { ...LOADED, nbytes: Number.NaN },
        { ...LOADED, read: Number.POSITIVE_INFINITY }
      ]
    ]
  ])('are not told if they %s', (_, groups) => {
    expect(said(kept(groups))).toBeUndefined();
  });

  it('are not reported while memory is not short', () => {
    expect(said(kept([LOADED], 5 * GB))).toBeUndefined();
  });

  it('are not reported of workers without a limit: their memory is never short', () => {
    const body = kept([LOADED]);
    const without = (limit: number): Run => {
      const worker = (id: number): object => ({ address: `tcp://w${id}`, name: '', host: 'h', nthreads: 2, memory_limit: limit });
      const columns = { id: Uint32Array.of(0, 1), status: Uint8Array.of(2, 2), nthreads: Uint32Array.of(2, 2) };
      const names = { workers: { from: 0, values: [worker(0), worker(1)] } } as Frame['names'];
      const topics = { workers: { columns: { ...columns, memory_limit: Float64Array.of(limit, limit) }, scalars: {} } };
      body.apply({ feed: 'made-up', epoch: 0, seq: 1, time: EPOCH + NOW, cursor: {}, names, topics }, 0);
      return body;
    };
    expect(said(without(2 ** 32))).toBeDefined();
    expect(said(without(0))).toBeUndefined();
  });

  it('are not reported where the workers that had the memory have left since', () => {
    const columns = {
      id: Uint32Array.of(1),
      status: Uint8Array.of(WORKER_STATUS.indexOf('closed')),
      left: Float64Array.of(EPOCH + 285)
    };
    const gone: TopicBody = { columns, scalars: {} };
    const freed = { released: 100, nbytes: 3 * GB, stop: 20, read: 30, freed_tasks: 100, freed: 280 };
    const left = (process: number): Run => {
      const run = kept([freed], process);
      run.apply({ feed: 'made-up', epoch: 0, seq: 1, time: EPOCH + NOW, cursor: {}, names: {}, topics: { workers: gone } }, 0);
      return run;
    };
    expect(said(left(7 * GB))).toBeDefined();
    expect(said(left(4 * GB))).toBeUndefined();
  });

  it('cost the time of as much spilling as they have bytes', () => {
    const advice = adviceOf(kept([LOADED], 7 * GB, 2 * GB));
    expect(verdict(advice, 'kept-results')).toBeDefined();
    expect(verdict(advice, 'spilling')?.sentence).toContain('because results that nothing reads are kept');
    expect(verdict(adviceOf(kept([LOADED], 7 * GB, 6 * GB)), 'spilling')?.sentence).not.toContain('because');
  });

  it('count as read when clients may have gathered half of them', () => {
    const times = [100, 150, 200, 250, 290];
    expect(said(gathered(kept([LOADED]), times, '{"action": "gather", "count": 1}'))).toBeDefined();
    expect(said(gathered(kept([LOADED]), times, '{"action": "gather", "count": 25}'))).toBeUndefined();
    expect(said(gathered(kept([LOADED]), [100], '{"count": 50}'))?.sentence).toContain('for 3 m 20 s');
    expect(said(gathered(kept([LOADED]), [290], '{"cou'))).toBeUndefined();
  });

  it('are not known of an older collector', () => {
    const body = groupsBody([LOADED]);
    const { read: _, ...columns } = body.columns;
    const run = kept([]);
    run.apply(
      { feed: 'made-up', epoch: 0, seq: 1, time: EPOCH + NOW, cursor: {}, names: {}, topics: { groups: { ...body, columns } } },
      0
    );
    expect(adviceOf(run).unknown.find(({ cause }) => cause === 'kept-results')?.why).toBe(
      'It is not known when results were last read.'
    );
  });
});
