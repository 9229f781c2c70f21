// A restart of the cluster clears what its scheduler has counted: nobody says that nothing has run.
import { expect, it } from 'vitest';
import type { Frame, TopicBody } from '../../../src/feed/frame';
import { progress } from '../../../src/plots/tasks/progress';
import { taskGraph } from '../../../src/plots/tasks/task-graph';
import { taskGroups } from '../../../src/plots/tasks/task-groups';
import { aggregateTimePerAction } from '../../../src/plots/time/aggregate-time-per-action';
import { computeTimePerKey } from '../../../src/plots/time/compute-time-per-key';
import { Run } from '../../../src/run/run';
import { tasksBody } from '../run/synthetic';
import { context } from './cluster';

const NOTHING: TopicBody = { columns: {}, scalars: {} };
const PLOTS = [progress, taskGraph, taskGroups, computeTimePerKey, aggregateTimePerAction];

function runOf(epoch: number, rows: number): Run {
  const run = new Run();
  const worker = { address: 'w', name: 'w', host: 'h', nthreads: 1, memory_limit: 0, joined: 0 };
  const names: Frame['names'] = {
    prefixes: { from: 0, values: ['load'] },
    workers: { from: 0, values: [worker] },
    lanes: { from: 0, values: [[0, 0]] }
  };
  const tasks = tasksBody(Array.from({ length: rows }, (_, i) => ({ prefix: 0, start: 100 + i, duration: 0.5 })));
  const topics = { tasks, prefixes: NOTHING, graph: NOTHING, groups: NOTHING };
  run.apply({ feed: 'made-up', epoch, seq: 0, time: 1000, cursor: {}, names, topics }, 0);
  return run;
}

const heads = (run: Run): (string | undefined)[] => PLOTS.map(plot => plot.empty(run, context())?.head);

it('says that nothing has run since a restart, where tasks had run before', () => {
  expect(new Set(heads(runOf(1, 3)))).toEqual(new Set(['Nothing since the cluster was restarted.']));
  const others = ['No tasks.', 'No tasks.', 'No task groups.', 'No compute time.', 'No task has taken time.'];
  expect(heads(runOf(1, 0))).toEqual(others);
  expect(heads(runOf(0, 3))).toEqual(others);
});
