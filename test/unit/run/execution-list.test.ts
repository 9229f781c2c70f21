import { expect, it } from 'vitest';
import { ExecutionList } from '../../../src/run/lanes/execution-list';
import { Run } from '../../../src/run/run';
import { tasksBody } from './synthetic';

const EPOCH = 1_700_000_000;

function names(lanes: number) {
  return {
    prefixes: { from: 0, values: ['inc'] },
    workers: { from: 0, values: [{ address: 'tcp://a', name: 'w', host: 'h', nthreads: 1, memory_limit: 0 }] },
    lanes: { from: 0, values: Array.from({ length: lanes }, (_, thread): [number, number] => [0, thread]) }
  };
}

function readAll(filling: Generator<void, void, void>): void {
  for (const _ of filling) {
    // Until it is through.
  }
}

it('has all executions where two read it at the same time, and where one gives up', () => {
  const run = new Run();
  const frame = { epoch: 0, seq: 0, time: EPOCH + 1e4, cursor: {}, names: names(8) };
  const send = (first: number, count: number, feed = 'f'): void => {
    const rows = Array.from({ length: count }, (_, i) => ({ lane: i % 8, start: EPOCH + first + i, duration: 0.5 }));
    run.apply({ ...frame, feed, topics: { tasks: tasksBody(rows, first) } }, 0);
  };
  const list = new ExecutionList(run.tasks);
  const missing = (): number => Array.from({ length: list.count }, (_, i) => i).filter(i => !list.has(i)).length;
  send(0, 40_000);
  const first = list.fill();
  first.next();
  first.next();
  // More than there is room for.
  send(40_000, 40_000);
  readAll(list.fill());
  readAll(first);
  expect([list.count, missing()]).toEqual([80_000, 0]);
  // As where the text of a search changes.
  send(80_000, 40_000);
  const second = list.fill();
  second.next();
  send(120_000, 80_000);
  readAll(list.fill());
  expect([list.count, missing()]).toEqual([200_000, 0]);
  // More than there is room for came while one read.
  send(200_000, 40_000);
  const third = list.fill();
  third.next();
  send(240_000, 80_000);
  readAll(third);
  readAll(list.fill());
  expect([list.count, missing()]).toEqual([320_000, 0]);
  // A run that starts over numbers its rows from the start.
  send(0, 20, 'another');
  readAll(list.fill());
  expect([list.count, missing(), list.has(20)]).toEqual([20, 0, false]);
});

it('has all executions that are kept, also where as many were dropped as have come', () => {
  const run = new Run();
  const send = (first: number, count: number): void => {
    const rows = Array.from({ length: count }, (_, i) => ({ lane: 0, start: EPOCH + first + i, duration: 0.5 }));
    const topics = { tasks: tasksBody(rows, first) };
    run.apply({ ...{ feed: 'f', epoch: 0, seq: 0, time: EPOCH + 1e4, cursor: {} }, names: names(1), topics }, 0);
  };
  run.keepTasks(1600);
  send(0, 1600);
  const list = new ExecutionList(run.tasks);
  const fill = (): void => readAll(list.fill());
  fill();
  send(1600, 100);
  // So many have room again, since more are dropped than have come.
  expect(run.tasks.kept).toBeLessThan(1600);
  send(1700, 1600 - run.tasks.kept);
  fill();
  const listed = Array.from({ length: list.count }, (_, i) => i).filter(i => list.base + i >= run.tasks.firstRow);
  expect(listed).toHaveLength(1600);
  expect(listed.filter(i => !list.has(i))).toEqual([]);
});
