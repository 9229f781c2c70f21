// Figures of which a part is not known.
import { beforeEach, expect, test } from 'vitest';
import { average } from '../../../src/advice/figures';
import { formatCount, setNumberLocale } from '../../../src/base/format';
import { KIND } from '../../../src/feed/schema';
import { ProfileStore } from '../../../src/run/logs/profile';
import type { Lane } from '../../../src/run/lanes/task-store';
import { Run } from '../../../src/run/run';
import { criticalPathOf } from '../../../src/selectors/graph/critical-path';
import { oneDecimal } from '../../../src/selectors/plain-number';
import { packageColour, packageOf, packagesOf } from '../../../src/selectors/profile/profile-package';
import { made } from '../advice/made';
import { LaneTime, lengthOf } from '../../../src/selectors/selection/lane-time';
import { NO_TIME, shareOf } from '../../../src/selectors/selection/thread-use';
import { compute } from '../plots/made-computations';
import { busyShare, busyWords, figureWords, lacksRunning, withoutWorkers } from '../../../src/selectors/computations/busy';
import { secondsWords, wallTime } from '../../../src/selectors/tasks/computation-words';
import { total, totalIfKnown, type WorkerRow } from '../../../src/selectors/workers/worker-rows';
import { context, theme as themeOf } from '../plots/cluster';
import { EXAMPLE, fn, profileBody } from '../run/profile-body';
import { foldGraph, graphRun } from '../run/made-graph';
import { runningBody, tasksBody } from '../run/synthetic';

beforeEach(() => setNumberLocale('en'));

test('a sum over workers is of those that have reported; none is known if no worker has', () => {
  const rows = [1, Number.NaN, 4, Number.POSITIVE_INFINITY].map(cpu => ({ cpu }) as WorkerRow);
  const cpu = (row: WorkerRow): number => row.cpu;
  expect([total(rows, cpu), totalIfKnown(rows, cpu), total([], cpu), totalIfKnown([], cpu)]).toEqual([5, 5, 0, 0]);
  expect(totalIfKnown([rows[1]], cpu)).toBeNaN();
});

test('means and ratios have the decimal separator of all other figures: a point may mean thousands in these', () => {
  setNumberLocale('de');
  expect([formatCount(1234), oneDecimal(1.234), average('busy', 2).text]).toEqual(['1.234', '1,2', '2,0']);
});

test('a share of no time is not known', () => {
  expect(shareOf(NO_TIME, 'compute')).toBeNaN();
  expect(shareOf({ ...NO_TIME, capacity: 0.5, idle: 0.25 }, 'idle')).toBe(0.5);
});

test('what threads did besides computing is distinguished, and no moment counts twice', () => {
  const run = new Run();
  const kind = (name: string): number => (KIND as readonly string[]).indexOf(name);
  const moves = [
    { at: 0, kind: kind('transfer'), start: 1000, duration: 1 },
    { at: 0, kind: kind('disk-read'), start: 1002, duration: 2 },
    { at: 0, kind: kind('deserialize'), start: 1005, duration: 4 },
    // Half of it while the transfer went on.
    { at: 0, kind: kind('disk-write'), start: 1000.5, duration: 1 }
  ];
  expect(moves.every(move => move.kind > 0)).toBe(true);
  const names = { lanes: { from: 0, values: [[0, 1] as const] } };
  const topics = { tasks: tasksBody([{ start: 1010, duration: 5 }], 0, moves) };
  run.apply({ feed: 'f', epoch: 0, seq: 0, time: 1020, cursor: {}, names, topics }, 0);
  const spent = (from: number, to: number): number[] => {
    const time = new LaneTime({ from, to });
    time.read(run.tasks.lanes[0] as Lane, null);
    return [time.computed, time.transfers, time.disks, time.others].map(lengthOf);
  };
  expect(spent(0, 2000)).toEqual([5, 1, 2.5, 4].map(length => expect.closeTo(length, 3)));
  expect(spent(1006, 1012)).toEqual([2, 0, 0, 3].map(length => expect.closeTo(length, 3)));
});

test('a computation of which seconds are not known says so', () => {
  const values = { since: 1000, stop: 1010, compute: 20, offered: 40, tasks: 8, left: 0, unfollowed: 0 };
  const computation = (change: Partial<typeof values>) =>
    ({ values: { ...values, ...change } }) as Parameters<typeof busyShare>[1];
  expect([secondsWords(computation({}), 20), secondsWords(computation({ unfollowed: 1 }), 20)]).toEqual(['20.0 s', '≥ 20.0 s']);
  const run = new Run();
  expect(busyWords(run, computation({ offered: 0 }))).toBe(secondsWords(computation({}), Number.NaN));
  expect(secondsWords(computation({}), Number.NaN)).not.toMatch(/NaN|\d/);
  expect([
    busyShare(run, computation({})),
    busyShare(run, computation({ compute: 90 })),
    busyShare(run, computation({ offered: 0 }))
  ]).toEqual([0.5, 1, Number.NaN]);
  expect([wallTime(run, computation({})), wallTime(run, computation({ stop: 990 }))]).toEqual([10, 0]);
  const { trans } = context();
  expect(figureWords(run, computation({}), trans)).toBe('10.0 s · 8 tasks · 50 % busy');
  expect(figureWords(run, computation({ tasks: 1, since: Number.NaN, offered: 0 }), trans)).toBe('1 task');
});

test('running tasks are not of a computation alone while others are not kept', () => {
  const run = new Run();
  const topics = { running: runningBody([{ id: 0, prefix: 0, start: 999 }]) };
  run.apply({ feed: 'made-up', epoch: 0, seq: 0, time: 1000, cursor: {}, names: {}, topics }, 0);
  const [computation] = compute(run, [{ id: 0, since: 990, of: { 0: { tasks: 9, left: 1 } } }]).computations.list;
  expect(lacksRunning(run, computation)).toBe(false);
  run.computations.unkept = 1;
  expect(lacksRunning(run, computation)).toBe(true);
});

test('a busy share is of the time in which there were workers: how long there was none is beside it', () => {
  const run = made({
    now: 20,
    series: { threads: Array.from({ length: 21 }, (_, time) => (time >= 4 && time < 11 ? 0 : 4)) },
    computations: [{ since: 0, last: 0, start: 0, stop: 20, compute: 39, offered: 52, tasks: 17 }]
  });
  const [computation] = run.computations.list;
  expect(withoutWorkers(run, computation)).toBe(7);
  expect(figureWords(run, computation, context().trans)).toBe('20.0 s · 17 tasks · 75 % busy · no worker for 7.00 s');
});

test('a critical path of less than a second has a share, too', () => {
  const run = graphRun([{ group: 0 }]);
  foldGraph(run, {
    tasks: tasksBody([{ start: 1000, duration: 0.5 }]),
    executed: { columns: { number: Uint32Array.of(0) }, scalars: { first: 0 } }
  });
  expect(criticalPathOf(run)).toMatchObject({ length: 0.5, wall: 0.5, share: 1, measured: 1 });
});

test('packages are numbered in their order, with a colour for the first sixteen', () => {
  const store = new ProfileStore();
  store.apply(profileBody(EXAMPLE));
  const packages = packagesOf(store);
  expect(packages.names).toEqual(['main', 'pandas', 'notebook']);
  expect([0, 1, 2, 3, 4, 99].map(frame => packages.of(frame))).toEqual([-1, 0, 1, 2, -1, -1]);
  expect(packagesOf(store)).toBe(packages);
  // Functions that come later, and functions of another run with other numbers.
  store.apply(
    profileBody({ first: 4, frames: [fn('load', '/env/lib/python3.12/site-packages/pandas/x.py'), fn('new')], rows: [] })
  );
  expect([packages.of(4), packages.of(5), packages.names[3]]).toEqual([1, 3, 'new']);
  store.apply(profileBody({ frames: [fn('other')], prefixes: ['p'], stacks: [[0, 1]], rows: [[1000, 1, 0, 1, 5]] }));
  expect([packages.names, packages.of(1)]).toEqual([['other'], 0]);
  const theme = themeOf();
  const colours = Array.from({ length: 18 }, (_, slot) => packageColour(theme, slot));
  expect([colours[15] === theme.track, colours[16], colours[17], packageColour(theme, -1)]).toEqual([
    false,
    theme.track,
    theme.track,
    theme.track
  ]);
  expect(colours[0]).not.toBe(colours[1]);
});

test('the package of a file is its folder in an environment, or says where it is from', () => {
  const names = [
    '/env/lib/python3.12/site-packages/pandas/io.py',
    'C:\\env\\Lib\\dist-packages\\six.py',
    '/usr/lib/python3.12/json/decoder.py',
    '<frozen importlib._bootstrap>',
    '/tmp/ipykernel_12/1.py',
    '<ipython-input-1>',
    '/home/me/work.py',
    ''
  ].map(packageOf);
  expect(names).toEqual(['pandas', 'six', 'Python', 'Python', 'notebook', 'notebook', 'work', '?']);
});
