// What "Save report" takes of a scheduler is of one moment, however long ago it ran.
import { expect, it, vi } from 'vitest';
import type { Frame, FrameNames } from '../../../src/feed/frame';
import type { Block, Recording } from '../../../src/feed/recordings/recording';
import { openRun } from '../../../src/report/open';
import { tasksBody } from '../run/synthetic';

/** When it is saved: 50 s after its first task began. */
const SAVED = 1_700_000_000;

const worker = { address: 'tcp://a', name: 'a', host: 'h', nthreads: 1, memory_limit: 0 };
const names: FrameNames = {
  prefixes: { from: 0, values: ['inc'] },
  workers: { from: 0, values: [worker] },
  lanes: { from: 0, values: [[0, 1]] }
};
const tasks = tasksBody([
  { start: SAVED - 50, duration: 1 },
  { start: SAVED - 40, duration: 5 }
]);
const frame: Frame = { feed: 'f', epoch: 0, seq: 0, time: SAVED, cursor: {}, names, topics: { tasks } };

const opened = vi.hoisted(() => ({ info: {} as Record<string, unknown> }));

vi.mock('../../../src/feed/recordings/recording', () => ({
  openRecording: async (): Promise<Recording> => ({
    ...{ info: opened.info, start: SAVED, end: SAVED + 1, tasks: 2, complete: true, why: '', missing: [], damaged: 0 },
    ...{ chunks: [{ offset: 0, start: SAVED, end: SAVED } as Block], keyframes: [] },
    read: async () => ({ frames: [frame], tasks: [tasks] }),
    readKeyframe: () => Promise.reject(new Error('there is none')),
    key: async () => null
  })
}));

it('begins with its first task, as the pane did from which it was saved', async () => {
  const { run, ofOneMoment } = await openRun(new Uint8Array());
  expect(ofOneMoment).toBe(true);
  expect(run.origin).toBe(SAVED - 50);
  expect(run.tasks.count).toBe(2);
});

it('of a block begins with the block, also where a task ran before', async () => {
  opened.info = { address: 'tcp://scheduler' };
  const { run, ofOneMoment } = await openRun(new Uint8Array());
  expect(ofOneMoment).toBe(false);
  expect(run.origin).toBe(SAVED);
});
