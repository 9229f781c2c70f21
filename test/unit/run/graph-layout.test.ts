import { expect, test } from 'vitest';
import { isotonic, layOut, layOutNow, type Placement } from '../../../src/run/graph/graph-layout';
import { Links } from '../../../src/run/graph/links';

function links(count: number, pairs: readonly (readonly [number, number])[]): Links {
  return new Links(
    count,
    Uint32Array.from(pairs, ([source]) => source),
    Uint32Array.from(pairs, ([, target]) => target)
  );
}

/** Links whose ends stand in the wrong order, or nodes of one place. */
function faults(graph: Links, { x, y }: Placement): string[] {
  const found: string[] = [];
  for (let i = 0; i < graph.linkCount; i++) {
    if (!(x[graph.sources[i]] < x[graph.targets[i]])) {
      found.push(`${graph.sources[i]} is not left of ${graph.targets[i]}`);
    }
  }
  const places = new Set(Array.from(x, (column, i) => `${column} ${y[i].toFixed(3)}`));
  return places.size === graph.count ? found : [...found, `${graph.count - places.size} nodes share a place`];
}

test('x is the longest path from a root', () => {
  const graph = links(5, [
    [0, 1],
    [1, 2],
    [0, 2],
    [2, 3],
    [4, 3]
  ]);
  expect([...layOutNow(graph).x]).toEqual([0, 1, 2, 3, 0]);
});

test('dependents stand beside what they need', () => {
  // inc and dec of 50 numbers, then their sums: each sum between its two.
  const pairs = Array.from({ length: 50 }, (_, i) => [
    [i, 100 + i],
    [50 + i, 100 + i]
  ]).flat() as [number, number][];
  const graph = links(150, pairs);
  const placement = layOutNow(graph);
  expect(faults(graph, placement)).toEqual([]);
  for (let i = 0; i < 50; i++) {
    expect(Math.abs(placement.y[i] - placement.y[50 + i])).toBe(1);
    expect(placement.y[100 + i]).toBeCloseTo((placement.y[i] + placement.y[50 + i]) / 2);
  }
  expect(placement).toMatchObject({ columns: 2, rows: 100 });
});

test('a tree has no crossings', () => {
  const pairs: [number, number][] = [];
  for (let node = 1; node < 127; node++) {
    pairs.push([node, Math.floor((node - 1) / 2)]);
  }
  const graph = links(127, pairs);
  const { x, y } = layOutNow(graph);
  expect(faults(graph, { x, y, columns: 7, rows: 64 })).toEqual([]);
  for (const [a, b] of pairs) {
    for (const [c, d] of pairs) {
      if (x[a] === x[c] && x[b] === x[d] && y[a] < y[c]) {
        expect(y[b]).toBeLessThanOrEqual(y[d]);
      }
    }
  }
});

test('nodes without links stand in a block below', () => {
  const graph = links(52, [[0, 1]]);
  const { x, y, columns, rows } = layOutNow(graph);
  expect(faults(graph, { x, y, columns, rows })).toEqual([]);
  expect([x[0], y[0], x[1], y[1]]).toEqual([0, 0, 1, 0]);
  expect(columns).toBe(10);
  expect(rows).toBe(7);
  expect(Math.min(...y.subarray(2))).toBe(2);
});

test('a circle, which groups may form, is cut', () => {
  const { x } = layOutNow(
    links(3, [
      [0, 1],
      [1, 0],
      [1, 2]
    ])
  );
  expect([...x]).toEqual([0, 1, 2]);
});

test('nothing at all has no extent', () => {
  expect(layOutNow(links(0, []))).toMatchObject({ columns: 0, rows: 0 });
});

test('what is there stays where it is while few nodes come', () => {
  const chains = (count: number): Links =>
    links(
      2 * count,
      Array.from({ length: count }, (_, i) => [2 * i, 2 * i + 1] as const)
    );
  const before = layOutNow(chains(100));
  const after = layOutNow(chains(110), node => (node < 200 ? { x: before.x[node], y: before.y[node] } : undefined));
  expect([...after.x.subarray(0, 200)]).toEqual([...before.x]);
  expect([...after.y.subarray(0, 200)]).toEqual([...before.y]);
  expect(faults(chains(110), after)).toEqual([]);
});

test('the fit keeps order', () => {
  expect([...isotonic(Float64Array.of(3, 1, 2, 5, 4))]).toEqual([2, 2, 2, 4.5, 4.5]);
});

test('a graph of 100,000 tasks is laid out in short steps', () => {
  const count = 100_000;
  const pairs: [number, number][] = [];
  for (let node = 1; node < count; node++) {
    pairs.push([Math.floor(node / 2), node], [Math.floor(node / 3), node]);
  }
  const graph = links(
    count,
    pairs.filter(([a, b]) => a !== b)
  );
  const steps = layOut(graph);
  let pauses = 0;
  for (;;) {
    const step = steps.next();
    if (step.done) {
      expect(step.value.columns).toBe(18);
      break;
    }
    pauses += 1;
  }
  expect(pauses).toBeGreaterThan(20);
});
