import { expect, test } from 'vitest';
import { layOutNow } from '../../../../src/run/graph/graph-layout';
import { tasksOf } from '../../../../src/run/graph/graph-part';
import { Camera } from '../../../../src/views/graph/camera';
import { Places } from '../../../../src/views/graph/scene/places';
import { TaskScene } from '../../../../src/views/graph/scene/task-scene';
import { additions, graphRun } from '../../run/made-graph';

function scene(count: number): TaskScene {
  const run = graphRun(additions(count));
  const part = tasksOf(run.graph, 'all');
  return new TaskScene(run, part, layOutNow(part.links));
}

test('everything is in view until the user navigates', () => {
  const camera = new Camera();
  camera.resize(400, 300);
  camera.show({ columns: 4, rows: 10, largest: { x: 100, y: 26 }, least: { x: 0, y: 0 } });
  expect([camera.toX(0), camera.toX(3)].map(Math.round)).toEqual([62, 338]);
  expect(camera.scale.y).toBe(26);
  camera.resize(800, 300);
  expect(camera.scale.x).toBe(100);
  const before = camera.columnAt(500);
  camera.zoom(0.5, 500, 100);
  expect(camera.columnAt(500)).toBeCloseTo(before);
  expect(camera.scale.x).toBe(200);
  camera.show({ columns: 8, rows: 10, largest: { x: 100, y: 26 }, least: { x: 0, y: 0 } });
  expect(camera.scale.x).toBe(200);
  camera.fit();
  expect(camera.scale.x).toBe(96);
});

test('what has no room at a readable size begins at the left edge', () => {
  const camera = new Camera();
  camera.resize(300, 300);
  camera.show({ columns: 10, rows: 2, largest: { x: 196, y: 62 }, least: { x: 68, y: 30 } });
  expect(camera.scale.x).toBe(68);
  expect(camera.toX(0)).toBe(50);
  expect(camera.toX(9)).toBeGreaterThan(300);
  for (let i = 0; i < 20; i++) {
    camera.zoom(1.5, 0, Number.NaN);
  }
  expect(camera.toX(9)).toBeLessThan(300);
});

test('the graph cannot be lost: some of it stays in view', () => {
  const camera = new Camera();
  camera.resize(400, 300);
  camera.show({ columns: 4, rows: 4, largest: { x: 50, y: 26 }, least: { x: 0, y: 0 } });
  camera.pan(1e6, -1e6);
  expect(camera.toX(3)).toBeGreaterThan(0);
  expect(camera.toY(0)).toBeLessThan(300);
  for (let i = 0; i < 50; i++) {
    camera.zoom(2, Number.NaN, Number.NaN);
  }
  expect(camera.scale.x).toBeGreaterThan(20);
});

test('a task is found by its place and by its number', () => {
  const graph = scene(50);
  const camera = new Camera();
  camera.resize(800, 600);
  camera.show(graph.content);
  for (let number = 0; number < 150; number++) {
    const node = graph.nodeOf(number);
    const { x, y, width, height } = graph.boxOf(camera, node);
    expect(graph.hit(camera, x + width / 2, y + height / 2)).toBe(node);
    expect(graph.idOf(node)).toBe(number);
  }
  expect(graph.hit(camera, -50, -50)).toBe(-1);
  expect(graph.nodeOf(150)).toBe(-1);
});

test('arrows walk along dependencies and along a column', () => {
  const run = graphRun(additions(3));
  const part = tasksOf(run.graph, 'all');
  const placement = layOutNow(part.links);
  const places = new Places(placement, part.links);
  expect(placement.x[places.beside(2, -1, 0)]).toBe(0);
  expect([0, 1]).toContain(places.beside(2, -1, 0));
  expect(places.beside(0, 1, 0)).toBe(2);
  expect(places.beside(2, 1, 0)).toBe(-1);
  const below = places.beside(2, 0, 1);
  expect(below < 0 ? places.beside(2, 0, -1) : below).not.toBe(2);
  expect(placement.x[below < 0 ? 2 : below]).toBe(1);
});
