// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import type { GraphPicture } from '../../../../src/plot/plot';
import { layOutNow, type Placement } from '../../../../src/run/graph/graph-layout';
import { tasksOf } from '../../../../src/run/graph/graph-part';
import { Links } from '../../../../src/run/graph/links';
import type { Run } from '../../../../src/run/run';
import { SceneBuilder } from '../../../../src/views/graph/builder';
import { formerIn, layoutRequest } from '../../../../src/views/graph/layout-request';
import { LARGE, LayoutThread } from '../../../../src/views/graph/layout-thread';
import type { Scene } from '../../../../src/views/graph/scene/scene';
import { additions, foldGraph, graphBody, graphRun } from '../../run/made-graph';

const AT_ONCE = Number.POSITIVE_INFINITY;

/** All tasks of a run, as the plot draws them. */
function tasks(run: Run, subject = 'all'): GraphPicture {
  const { structure } = run.graph;
  return { kind: 'tasks', path: [], subject, structure: `${subject} ${structure}`, part: () => tasksOf(run.graph, 'all') };
}

function grow(run: Run, from: number, to: number): void {
  foldGraph(run, { graph: graphBody(additions(to).slice(3 * from), 3 * from, { first_edge: 2 * from }) });
}

function count(scene: Scene | null): number {
  return scene?.places.placement.x.length ?? 0;
}

/** A thread that answers when it is asked to. */
class Slow implements Pick<LayoutThread, 'start' | 'cancel'> {
  readonly cancel = vi.fn();
  done: ((placement: Placement | null) => void) | null = null;
  links = new Links(0, new Uint32Array(), new Uint32Array());

  start(links: Links, _former: unknown, done: (placement: Placement | null) => void): boolean {
    this.links = links;
    this.done = done;
    return true;
  }

  answer(): void {
    this.done?.(layOutNow(this.links));
  }
}

test('a graph that grows while it is laid out is shown, and then laid out again', () => {
  const run = graphRun(additions(3000));
  const builder = new SceneBuilder(new LayoutThread(), () => undefined);
  builder.take(tasks(run), run, null);
  // One slice of the layout.
  expect(builder.step(0)).toBeNull();
  grow(run, 3000, 3010);
  builder.take(tasks(run), run, null);
  const first = builder.step(AT_ONCE);
  expect([count(first), builder.busy]).toEqual([9000, true]);
  expect([count(builder.step(AT_ONCE)), builder.busy]).toEqual([9030, false]);
  expect(builder.step(AT_ONCE)).toBeNull();
});

test('what is laid out is discarded for another subject, and for another run', () => {
  const run = graphRun(additions(3000));
  const builder = new SceneBuilder(new LayoutThread(), () => undefined);
  builder.take(tasks(run), run, null);
  builder.step(0);
  const other = graphRun(additions(20));
  builder.take(tasks(other), other, null);
  expect([count(builder.step(AT_ONCE)), builder.busy]).toEqual([60, false]);
  builder.take(tasks(run), run, null);
  builder.step(0);
  builder.take(tasks(other, 'live'), run, null);
  expect(count(builder.step(AT_ONCE))).toBe(60);
  expect(builder.step(AT_ONCE)).toBeNull();
});

test('a thread lays out: nothing is busy meanwhile, and what has come since follows', () => {
  const run = graphRun(additions(10));
  const [thread, wake] = [new Slow(), vi.fn()];
  const builder = new SceneBuilder(thread, wake);
  builder.take(tasks(run), run, null);
  expect([builder.busy, builder.step(AT_ONCE)]).toEqual([false, null]);
  grow(run, 10, 12);
  builder.take(tasks(run), run, null);
  grow(run, 12, 15);
  builder.take(tasks(run), run, null);
  expect(thread.links.count).toBe(30);
  thread.answer();
  expect(wake).toHaveBeenCalledOnce();
  expect(count(builder.step(AT_ONCE))).toBe(30);
  expect(thread.links.count).toBe(45);
  thread.answer();
  expect(count(builder.step(AT_ONCE))).toBe(45);
});

test('where the thread fails, the graph is laid out in steps', () => {
  const run = graphRun(additions(10));
  const [thread, wake] = [new Slow(), vi.fn()];
  const builder = new SceneBuilder(thread, wake);
  builder.take(tasks(run), run, null);
  thread.done?.(null);
  expect([wake.mock.calls.length, builder.busy]).toEqual([1, true]);
  expect(count(builder.step(AT_ONCE))).toBe(30);
});

test('a run that starts over takes nothing from before', () => {
  const run = graphRun(additions(10));
  const thread = new Slow();
  const builder = new SceneBuilder(thread, () => undefined);
  builder.take(tasks(run), run, null);
  const before = thread.cancel.mock.calls.length;
  builder.reset();
  expect(thread.cancel.mock.calls.length).toBe(before + 1);
  builder.take(tasks(run), run, null);
  thread.answer();
  expect(count(builder.step(AT_ONCE))).toBe(30);
});

test('a page without workers, and a small graph, have no thread', () => {
  const done = vi.fn();
  const thread = new LayoutThread();
  const links = (nodes: number): Links => new Links(nodes, new Uint32Array(), new Uint32Array());
  expect([thread.start(links(LARGE), undefined, done), thread.start(links(LARGE - 1), undefined, done)]).toEqual([false, false]);
  thread.cancel();
  thread.dispose();
  expect([thread.isDisposed, thread.start(links(LARGE), undefined, done)]).toEqual([true, false]);
  expect(done).not.toHaveBeenCalled();
});

test('what a thread is sent lays out as it does here', () => {
  const { links } = tasksOf(graphRun(additions(200)).graph, 'all');
  const first = layOutNow(links);
  const some = (node: number): { x: number; y: number } | undefined =>
    node % 50 === 7 ? undefined : { x: first.x[node], y: 2 * first.y[node] };
  for (const former of [undefined, some]) {
    const sent = structuredClone(layoutRequest(links, former));
    const there = layOutNow(
      new Links(sent.count, sent.sources, sent.targets),
      sent.former === null ? undefined : formerIn(sent.former)
    );
    expect(there).toEqual(layOutNow(links, former));
  }
});
