import { expect, test } from 'vitest';
import { aroundTask, tasksOfCluster } from '../../../src/run/graph/graph-focus';
import { clusterOf, clustersOf, levelOf } from '../../../src/run/graph/graph-part';
import type { TaskGraph } from '../../../src/run/graph/task-graph';
import { additions, graphRun, type MadeTask } from './made-graph';

/** 0 → 1 → 2 → 3 → 4, and 5 → 2, 6 ← 5. */
const CHAIN: readonly MadeTask[] = [
  { group: 0 },
  { group: 1, needs: [0] },
  { group: 1, needs: [1, 5] },
  { group: 1, needs: [2] },
  { group: 2, needs: [3] },
  { group: 0 },
  { group: 2, needs: [5] }
];

const graphOf = (tasks: readonly MadeTask[]): TaskGraph => graphRun(tasks).graph;
const numbers = (part: ReturnType<typeof aroundTask>) => [...(part?.part.numbers ?? [])];

test('around a task is what it needs and what needs it, not their other neighbours', () => {
  const graph = graphOf(CHAIN);
  const whole = aroundTask(graph, 2, 100);
  expect(numbers(whole)).toEqual([0, 1, 2, 3, 4, 5]);
  expect([whole?.total, whole?.steps]).toEqual([6, 2]);
  expect([...(whole?.part.links.sources ?? [])]).toHaveLength(5);
  expect(aroundTask(graph, 77, 100)).toBeNull();
  expect(aroundTask(graph, -1, 100)).toBeNull();
});

test('as many whole steps are taken as fit; the first in any case, in part', () => {
  const graph = graphOf(CHAIN);
  const near = aroundTask(graph, 2, 4);
  expect(numbers(near)).toEqual([1, 2, 3, 5]);
  expect([near?.total, near?.steps]).toEqual([6, 1]);
  const wide = aroundTask(graph, 2, 5);
  expect([numbers(wide).length, wide?.steps]).toEqual([4, 1]);
  const cut = aroundTask(graph, 2, 3);
  expect([numbers(cut).length, cut?.total, cut?.steps]).toEqual([3, 6, 0]);
});

test('a cluster has its tasks and those linked with them, as many as fit', () => {
  const graph = graphOf(CHAIN);
  const own = tasksOfCluster(graph, 'all', 'group', 1, 100);
  expect([numbers(own), own?.total]).toEqual([[0, 1, 2, 3, 4, 5], 6]);
  const few = tasksOfCluster(graph, 'all', 'group', 1, 4);
  expect([numbers(few).length, few?.total]).toEqual([4, 6]);
  expect(numbers(few)).toEqual(expect.arrayContaining([1, 2, 3]));
  expect(tasksOfCluster(graph, 'all', 'group', 9, 100)).toBeNull();
});

test('functions by level are distinguished where one runs on several', () => {
  const graph = graphOf(CHAIN);
  const { clusters, by } = clustersOf(graph, 'all', 200, ['level', 'prefix']);
  expect(by).toBe('level');
  expect(clusters.map(({ id, prefix, count }) => [levelOf(id), prefix, count])).toEqual([
    [0, 0, 2],
    [1, 1, 1],
    [2, 1, 1],
    [3, 1, 1],
    [4, 2, 1],
    [1, 2, 1]
  ]);
  const idOf = clusterOf(graph, 'level');
  expect(idOf(0)).toBe(idOf(5));
  expect(clustersOf(graph, 'all', 3, ['level', 'prefix']).by).toBe('prefix');
});

test('a neighbourhood in 100,000 tasks is bounded', () => {
  const found = aroundTask(
    graphOf([...additions(33_000), { group: 3, needs: Array.from({ length: 33_000 }, (_, i) => 3 * i + 2) }]),
    99_000,
    500
  );
  expect([found?.part.numbers.length, found?.total, found?.steps]).toEqual([500, 99_001, 0]);
});
