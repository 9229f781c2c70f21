import { expect, it } from 'vitest';
import { ExecutionList } from '../../../src/run/lanes/execution-list';
import { Run } from '../../../src/run/run';
import { tasksBody } from './synthetic';

const EPOCH = 1_700_000_000;

it('has all executions that are kept, also where as many were dropped as have come', () => {
  const run = new Run();
  const names = {
    prefixes: { from: 0, values: ['inc'] },
    workers: { from: 0, values: [{ address: 'tcp://a', name: 'w', host: 'h', nthreads: 1, memory_limit: 0 }] },
    lanes: { from: 0, values: [[0, 1]] }
  } as const;
  const send = (first: number, count: number): void => {
    const rows = Array.from({ length: count }, (_, i) => ({ lane: 0, start: EPOCH + first + i, duration: 0.5 }));
    const topics = { tasks: tasksBody(rows, first) };
    run.apply({ ...{ feed: 'f', epoch: 0, seq: 0, time: EPOCH + 1e4, cursor: {} }, names, topics }, 0);
  };
  run.keepTasks(1600);
  send(0, 1600);
  const list = new ExecutionList(run.tasks);
  const fill = (): void => {
    for (const _ of list.fill()) {
      // Until it is through.
    }
  };
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
