import { expect, test } from 'vitest';
import { TASK_STATE } from '../../../src/feed/schema';
import { frozen } from '../../../src/run/frozen';
import { clustersOf, countStates, tasksOf } from '../../../src/run/graph/graph-part';
import { neighboursOf } from '../../../src/run/graph/links';
import { stateOf, TaskGraph } from '../../../src/run/graph/task-graph';
import { additions, foldGraph, graphBody, graphRun, statesBody } from './made-graph';

function edgesOf(graph: TaskGraph): string[] {
  return Array.from({ length: graph.edgeCount }, (_, i) => `${graph.source(i)}>${graph.target(i)}`);
}

test('tasks and dependencies come in pieces, and some of them twice', () => {
  const graph = new TaskGraph();
  graph.apply(graphBody([{ group: 0 }, { group: 1, needs: [0] }]));
  graph.apply(
    graphBody(
      [
        { group: 1, needs: [0] },
        { group: 2, needs: [1] }
      ],
      1
    )
  );
  graph.apply(graphBody([{ group: 3, needs: [2] }], 3, { first_edge: 2 }));
  expect([graph.first, graph.end]).toEqual([0, 4]);
  expect(edgesOf(graph)).toEqual(['0>1', '1>2', '2>3']);
  expect([0, 1, 2, 3].map(number => graph.group(number))).toEqual([0, 1, 2, 3]);
});

test('states of some tasks, of all, and of tasks that are not there yet', () => {
  const graph = new TaskGraph();
  graph.apply(graphBody([{ group: 0 }, { group: 0 }, { group: 0, state: 'processing' }]));
  graph.applyStates(statesBody(['memory', 'erred'], [1, 7]));
  const states = (): string[] => [0, 1, 2].map(number => stateOf(graph.state(number)));
  expect(states()).toEqual(['waiting', 'memory', 'processing']);
  graph.applyStates(statesBody(['forgotten', 'memory', 'cancelled']));
  expect(states()).toEqual(['forgotten', 'memory', 'cancelled']);
});

test('what the collector does not keep any more goes', () => {
  const graph = new TaskGraph();
  graph.apply(graphBody(additions(4)));
  graph.apply(graphBody([{ group: 3, needs: [11] }], 12, { first_edge: 8, kept: 3, not_kept: 3 }));
  expect([graph.first, graph.end, graph.notKept]).toEqual([3, 13, 3]);
  expect(edgesOf(graph)).toEqual(['3>5', '4>5', '6>8', '7>8', '9>11', '10>11', '11>12']);
  expect(graph.group(12)).toBe(3);
});

test('dependencies are as many as the collector keeps', () => {
  const graph = new TaskGraph();
  graph.apply(graphBody([{ group: 0 }, { group: 1 }]));
  const part = 262_144;
  for (let i = 0; i < 8; i++) {
    const moves = { source: new Uint32Array(part), target: new Uint32Array(part).fill(1) };
    graph.apply({ ...graphBody([], 2, { first_edge: i * part }), moves });
    expect(graph.edgeCount).toBeLessThanOrEqual(1_065_536);
  }
  expect(graph.edgeCount).toBeGreaterThanOrEqual(1_000_000);
  graph.apply(graphBody([{ group: 2, needs: [1] }], 2, { first_edge: 8 * part }));
  const last = graph.edgeCount - 1;
  expect([graph.source(last), graph.target(last)]).toEqual([1, 2]);
});

test('a reader that comes late begins where the collector does', () => {
  const graph = new TaskGraph();
  graph.apply(graphBody([{ group: 1, needs: [99] }], 100, { first_edge: 50, kept: 100, not_kept: 100 }));
  expect([graph.first, graph.end]).toEqual([100, 101]);
  expect(tasksOf(graph, 'all').links.linkCount).toBe(0);
});

test('the latest work, what lives, and all', () => {
  const run = graphRun([...additions(2), { group: 3, needs: [2, 5] }], { latest: 3 });
  run.graph.applyStates(statesBody(['forgotten', 'forgotten', 'erred', 'forgotten', 'memory', 'processing', 'waiting']));
  const numbers = (scope: 'latest' | 'live' | 'all'): number[] => [...tasksOf(run.graph, scope).numbers];
  expect(numbers('all')).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(numbers('latest')).toEqual([3, 4, 5, 6]);
  expect(numbers('live')).toEqual([2, 4, 5, 6]);
  const { links } = tasksOf(run.graph, 'latest');
  expect([...neighboursOf(links.needs, 2)]).toEqual([0, 1]);
  expect([...neighboursOf(links.neededBy, 2)]).toEqual([3]);
  const counts = countStates(run.graph, 'all');
  expect(TASK_STATE.filter((_, code) => counts[code] > 0)).toEqual(['waiting', 'processing', 'memory', 'erred', 'forgotten']);
});

test('groups stand for their tasks, functions where there are too many groups', () => {
  const run = graphRun(additions(1000));
  run.graph.applyStates(
    statesBody(
      Array.from({ length: 500 }, () => 'memory' as const),
      [...Array(500).keys()]
    )
  );
  const { by, clusters, links, weights } = clustersOf(run.graph, 'all', 200);
  expect(by).toBe('group');
  expect(clusters.map(({ id, count }) => [id, count])).toEqual([
    [0, 1000],
    [1, 1000],
    [2, 1000]
  ]);
  expect(clusters[0].states[TASK_STATE.indexOf('memory')]).toBe(167);
  expect(Array.from(links.sources, (source, i) => [source, links.targets[i], weights[i]])).toEqual([
    [0, 2, 1000],
    [1, 2, 1000]
  ]);
  const many = graphRun(Array.from({ length: 300 }, (_, i) => ({ group: i, prefix: i % 3, needs: i > 0 ? [i - 1] : [] })));
  const byFunction = clustersOf(many.graph, 'all', 200);
  expect(byFunction.by).toBe('prefix');
  expect(byFunction.clusters.map(({ count }) => count)).toEqual([100, 100, 100]);
});

test('a frozen run keeps its graph', () => {
  const run = graphRun(additions(2));
  const held = frozen(run);
  foldGraph(run, { graph: graphBody([{ group: 3 }], 6, { first_edge: 4 }), states: statesBody(['memory'], [0]) });
  expect([held.graph.size, run.graph.size]).toEqual([6, 7]);
  expect([stateOf(held.graph.state(0)), stateOf(run.graph.state(0))]).toEqual(['waiting', 'memory']);
  expect(held.version('graph')).toBe(1);
});

test('a new feed starts over', () => {
  const run = graphRun(additions(2));
  run.apply({ feed: 'other', epoch: 0, seq: 0, time: 1, cursor: {}, names: {}, topics: {} }, 1);
  expect([run.graph.size, run.graph.edgeCount, run.groupNames.length]).toEqual([0, 0, 0]);
});
