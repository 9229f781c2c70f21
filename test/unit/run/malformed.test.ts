// What a feed of another version, or a damaged one, may say: the rest of it is used anyway.
import { expect, test } from 'vitest';
import type { Column, Scalar, TopicBody } from '../../../src/feed/frame';
import { Folding } from '../../../src/run/folded-time';
import { stateOf } from '../../../src/run/graph/task-graph';
import { ProfileStore } from '../../../src/run/logs/profile';
import { Shuffles } from '../../../src/run/logs/shuffles';
import { readSelection } from '../../../src/run/selection/saved-selection';
import { Activities } from '../../../src/run/tables/activities';
import { fn, profileBody } from './profile-body';

function body(columns: Record<string, readonly number[]>, scalars: Record<string, Scalar>): TopicBody {
  const typed = Object.entries(columns).map(([name, values]): [string, Column] => [name, Float64Array.from(values)]);
  return { columns: Object.fromEntries(typed), scalars };
}

test('activities have the names and the bases that are well formed', () => {
  const activities = new Activities();
  activities.apply(
    body(
      { id: [1, 2, 3, 4], value: [10, 20, 30, 40] },
      {
        names: [[1, 'execute', 'inc', 'thread-cpu', 'seconds'], ['2', 'execute'], 'odd', [3, 'gather', 7], null],
        base: [[1, 5], [2, 'five'], ['3', 5], 'odd', [4, 0.5]],
        scheduler_cpu: 3,
        transitions: 'many'
      }
    )
  );
  expect(
    activities.list.map(({ context, prefix, activity, unit, value, base }) => [context, prefix, activity, unit, value, base])
  ).toEqual([
    ['execute', 'inc', 'thread-cpu', 'seconds', 10, 5],
    ['', '', '', '', 20, 0],
    ['gather', '', '', '', 30, 0],
    ['', '', '', '', 40, 0.5]
  ]);
  expect([activities.schedulerCpu, Number.isFinite(activities.transitions)]).toEqual([3, false]);
  activities.apply(body({}, { transitions: 12 }));
  expect([activities.schedulerCpu, activities.transitions]).toEqual([3, 12]);
  activities.apply(body({ id: [1], value: [11] }, { base: [[1, 5]] }));
  expect(activities.list.find(({ value }) => value === 11)).toBeDefined();
});

test('shuffles have no texts that are of none of them', () => {
  const shuffles = new Shuffles();
  shuffles.apply(
    body(
      { id: [0, 1], state: [0, 99] },
      { texts: [{ name: 'nameless' }, 'odd', { id: 1, name: 'one' }], at: [['x'], [1, 2, 30]] }
    )
  );
  expect(shuffles.list.map(({ id }) => id)).toEqual([1, 0]);
  const [one, zero] = shuffles.list;
  expect(JSON.stringify(zero)).not.toContain('nameless');
  expect(one.state).toBe('stopped');
  expect([zero.workers, zero.reporting]).toEqual([0, 0]);
});

test('shuffles under way are kept while those after them are dropped', () => {
  const shuffles = new Shuffles();
  const ids = (id: number[], scalars: Record<string, Scalar>): readonly number[] => {
    shuffles.apply(body({ id, state: id }, scalars));
    return [...shuffles.list.map(each => each.id), shuffles.lost, shuffles.copy().lost];
  };
  expect(ids([0, 1, 2, 3], { kept: 0, older: [] })).toEqual([3, 2, 1, 0, 0, 0]);
  expect(ids([4], { kept: 3, older: [0] })).toEqual([4, 3, 0, 2, 2]);
  expect(ids([], {})).toEqual([4, 3, 0, 2, 2]);
  expect(ids([], { kept: 4, older: [] })).toEqual([4, 4, 4]);
  // From an older collector.
  expect(ids([9], { kept: 9 })).toEqual([9, 9, 9]);
});

test('a state of a later version counts as unknown', () => {
  expect([stateOf(0), stateOf(250), stateOf(-1), stateOf(0.5)]).toEqual(['released', 'released', 'released', 'released']);
});

test('a saved range of durations is from zero or more to no less', () => {
  const durations = (least: unknown, most: unknown): unknown =>
    readSelection(JSON.stringify({ durations: { least, most } })).durations;
  expect(durations(0, 5)).toEqual({ least: 0, most: 5 });
  expect(durations(2, 2)).toEqual({ least: 2, most: 2 });
  expect(durations(2, null)).toEqual({ least: 2, most: Number.POSITIVE_INFINITY });
  for (const [least, most] of [
    [-1, 5],
    [3, 2],
    [0, null],
    ['0', 5],
    [0, '5'],
    [null, 5]
  ]) {
    expect(durations(least, most)).toBeNull();
  }
});

test('without pauses no time is left over', () => {
  const none = new Folding([], 100, [20]);
  expect([none.pauses, none.perColumnFor(0, 50, 100), none.busyIn(3, 8)]).toEqual([[], 0.5, 5]);
});

test('a stack whose caller is not known is one of the threads', () => {
  const store = new ProfileStore();
  const stacks = [
    [0, 1],
    [7, 1],
    [2, 1],
    [4, 1]
  ] as const;
  store.apply(profileBody({ frames: [fn('f')], prefixes: ['p'], stacks, rows: [[1000, 1, 0, 3, 5]] }));
  expect([1, 2, 3, 4].map(stack => store.parent(stack))).toEqual([0, 0, 2, 0]);
  expect([...store.fold().total.slice(0, 5)]).toEqual([5, 0, 5, 5, 0]);
});
