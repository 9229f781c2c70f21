import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { growSelected } from '../../../src/selectors/computations/growing';
import { PerRun } from '../../../src/run/per-run';
import { frozen, liveOf } from '../../../src/run/frozen';
import type { TopicBody } from '../../../src/feed/frame';
import { rowsFrom } from '../../../src/run/lanes/lane-search';
import { cluster, context, step } from '../plots/cluster';
import { logs } from '../../../src/plots/diagnosis/logs';
import { profile } from '../../../src/plots/time/profile';
import { transfers } from '../../../src/plots/transfers/transfers';
import { ProfileStore } from '../../../src/run/logs/profile';
import { EXAMPLE, fn, profileBody } from './profile-body';
import { tasksBody } from './synthetic';

it('keeps what a run said when it was frozen', () => {
  const run = cluster({ time: 5, workers: [{ cpu: 1 }], prefixes: [{ name: 'inc', memory: 3 }] });
  const held = frozen(run);
  const version = held.version('workers');
  step(run, {
    time: 9,
    workers: [{ cpu: 2 }, { cpu: 7 }],
    prefixes: [{ name: 'inc', memory: 4 }, { name: 'add' }],
    thresholds: {}
  });
  expect(held.workers.get(0, 'cpu')).toBe(1);
  expect(held.workers.size).toBe(1);
  expect(held.prefixes.get(0, 'memory')).toBe(3);
  expect(held.prefixNames).toEqual(['inc']);
  expect(held.workerNames).toHaveLength(1);
  expect(held.thresholds.target).toBe(0.6);
  expect(held.clock.latest).toBe(5);
  expect(held.version('workers')).toBe(version);
  expect(run.workers.get(0, 'cpu')).toBe(2);
  expect(liveOf(held)).toBe(run);
  expect(liveOf(run)).toBe(run);
});

it('keeps it when the run starts over', () => {
  const run = cluster({ workers: [{ cpu: 1 }] });
  const held = frozen(run);
  run.apply({ feed: 'another', epoch: 0, seq: 0, time: 1, cursor: {}, names: {}, topics: {} }, 1000);
  expect(run.workers.size).toBe(0);
  expect(held.workers.get(0, 'cpu')).toBe(1);
});

it('takes along what readers keep kept a run', () => {
  const kept = new PerRun(() => new Map<string, number[]>());
  const run = cluster({});
  kept.of(run).set('a', [1]);
  const held = frozen(run);
  kept.of(held).get('a')?.push(2);
  expect(kept.of(run).get('a')).toEqual([1]);
  expect(kept.of(held).get('a')).toEqual([1, 2]);
  run.apply({ feed: 'another', epoch: 0, seq: 0, time: 1, cursor: {}, names: {}, topics: {} }, 1000);
  expect(kept.of(run).size).toBe(0);
  expect(kept.of(held).size).toBe(1);
});

const keptByPage = new PerRun(() => ({ rows: 0 }));

it('lets a run go that nobody shows any more', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const shown = (act: (run: ReturnType<typeof cluster>) => void): WeakRef<object> => {
    const run = cluster({});
    act(run);
    return new WeakRef(run);
  };
  const runs = [shown(() => undefined), shown(run => void keptByPage.of(run)), shown(growSelected)];
  // What was just made stays until the turn has ended.
  await new Promise(resolve => setTimeout(resolve));
  collect();
  expect(runs.map(run => run.deref() === undefined)).toEqual([true, true, true]);
});

it('keeps executions, series and events as they were', () => {
  const run = cluster({});
  const apply = (time: number, topics: Record<string, TopicBody>): void =>
    run.apply({ feed: 'f', epoch: 0, seq: 0, time, cursor: {}, names: {}, topics }, time * 1000);
  const events = (time: number): TopicBody => ({
    columns: { time: Float64Array.of(time) },
    scalars: { topic: ['t'], action: ['a'], text: ['{}'] }
  });
  const series = (first: number): TopicBody => ({ columns: { time: Float64Array.of(1000 + first) }, scalars: { first } });
  apply(1001, {
    tasks: tasksBody([{ lane: 0, prefix: 0, start: 1000, duration: 1 }], 0),
    events: events(1000),
    series: series(0)
  });
  const held = frozen(run);
  apply(1009, {
    tasks: tasksBody(
      [1001, 1002].map((start, lane) => ({ lane, prefix: 0, start, duration: 5 })),
      1
    ),
    events: events(1002),
    series: series(1)
  });
  expect([run.tasks.count, run.series.length, run.events.list.length]).toEqual([3, 2, 2]);
  expect([held.tasks.count, held.series.length, held.events.list.length]).toEqual([1, 1, 1]);
  expect(rowsFrom(held.tasks.lanes, 0)).toHaveLength(1);
  expect(held.tasks.lastEnd).toBe(1001);
  expect(held.version('tasks')).toBe(run.version('tasks') - 1);
});

it('keeps what was gathered from workers, and the titles about it', () => {
  const run = cluster({ workers: [{}] });
  const apply = (time: number, topics: Record<string, TopicBody>): void =>
    run.apply({ feed: 'f', epoch: 0, seq: 0, time, cursor: {}, names: {}, topics }, time * 1000);
  const line = (first: number): TopicBody => ({
    columns: { time: Float64Array.of(1000 + first), level: Float64Array.of(20), server: Float64Array.of(0) },
    scalars: { first, text: [`line ${first}`] }
  });
  const transfer = (first: number): TopicBody => ({
    columns: Object.fromEntries(
      ['sender', 'receiver', 'start', 'stop', 'total', 'keys', 'sides'].map(name => [name, Float64Array.of(1)])
    ),
    scalars: { first }
  });
  apply(1001, { profile: profileBody(EXAMPLE), loops: profileBody(EXAMPLE), logs: line(0), transfers: transfer(0) });
  const held = frozen(run);
  const titles = (): string[] =>
    [profile, logs, transfers].map(plot =>
      plot
        .titleLine(held, context())
        .map(({ text }) => text)
        .join('')
    );
  const before = titles();
  const rows = profile.table(held, context()).rows.length;
  const more = profileBody({ first: 1, frames: [fn('late')], stacks: [[0, 4]], rows: [[500, 1, 0, 6, 900]] });
  apply(1002, { profile: more, loops: more, logs: line(1), transfers: transfer(1) });
  expect([run.profile.length, run.logs.list.length, run.transfers.list.length]).toEqual([5, 2, 2]);
  expect(titles()).toEqual(before);
  expect(profile.table(held, context()).rows).toHaveLength(rows);
  // A kernel that starts over writes from the first row on.
  apply(1003, {
    profile: profileBody({ ...EXAMPLE, rows: [[1, 1, 0, 2, 7]] }),
    loops: more,
    logs: line(0),
    transfers: transfer(0)
  });
  expect(titles()).toEqual(before);
  expect([...held.profile.fold().own]).toEqual([0, 0, 40, 10, 20, 30]);
});

it('keeps samples when the store that they were taken of puts older ones together', () => {
  const store = new ProfileStore(8);
  const rows = (from: number): readonly (readonly [number, number, number, number, number])[] =>
    [0, 1, 2, 3].map(i => [from + i * 1000, 1, 0, 2, 1] as const);
  store.apply(profileBody({ ...EXAMPLE, rows: rows(1000) }));
  const held = store.copy();
  for (let first = 1; first < 6; first++) {
    store.apply(profileBody({ first, rows: rows(first * 10_000) }));
  }
  expect(held.length).toBe(4);
  expect(held.period.to).toBe(1004);
  expect(held.fold().own[2]).toBe(4);
});
