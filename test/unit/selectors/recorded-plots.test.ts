import { expect, test } from 'vitest';
import type { TopicBody } from '../../../src/feed/frame';
import type { Topic } from '../../../src/feed/schema';
import { PLOTS } from '../../../src/plots';
import { Run } from '../../../src/run/run';
import { fitsRecording, hasRecordedTopics, isSeldomAndAbsent } from '../../../src/selectors/recorded-plots';
import { cluster } from '../plots/cluster';

const NOTHING: TopicBody = { columns: {}, scalars: {} };

/** A run that has received these topics, without rows. */
function heard(topics: readonly Topic[], run = new Run()): Run {
  const bodies = Object.fromEntries(topics.map(topic => [topic, NOTHING]));
  run.apply({ feed: 'made-up', epoch: 0, seq: 0, time: 1000, cursor: {}, names: {}, topics: bodies }, 0);
  return run;
}

const ids = (fits: (plot: (typeof PLOTS)[number]) => boolean): readonly string[] => PLOTS.filter(fits).map(({ id }) => id);

test('plots of GPUs fit where a worker had one, and what asks a scheduler never does', () => {
  const gpus = (run: Run): readonly string[] => ids(plot => plot.needs === 'gpu' && fitsRecording(plot, run));
  expect(gpus(cluster({ workers: [{}] }))).toEqual([]);
  expect(gpus(cluster({ workers: [{}, { gpu_memory: 1e9 }] }))).toEqual(['gpu-memory', 'gpu-utilization', 'rmm-memory']);
  expect(ids(plot => plot.needsScheduler === true && fitsRecording(plot, new Run()))).toEqual([]);
});

test('what users look for stays in the list without rows; what most recordings do not have does not', () => {
  const all = [...new Set(PLOTS.flatMap(({ topics }) => topics))];
  const run = heard(all);
  expect(ids(plot => isSeldomAndAbsent(plot, run))).toEqual(['memory-sampler', 'shuffle', 'hardware']);
  expect(ids(plot => hasRecordedTopics(plot, run))).toEqual(expect.arrayContaining(['errors', 'events', 'work-stealing']));
  const measured = { columns: {}, scalars: { state: 'done' } };
  run.apply({ feed: 'made-up', epoch: 0, seq: 1, time: 1001, cursor: {}, names: {}, topics: { hardware: measured } }, 0);
  expect(ids(plot => isSeldomAndAbsent(plot, run))).toEqual(['memory-sampler', 'shuffle']);
});

test('a plot without its topics is not recorded', () => {
  const run = heard(['meta', 'tasks', 'workers']);
  const found = ids(plot => hasRecordedTopics(plot, run));
  expect(found).toEqual(expect.arrayContaining(['task-stream', 'advice', 'workers']));
  expect(found.filter(id => ['errors', 'logs', 'profile-server'].includes(id))).toEqual([]);
});
