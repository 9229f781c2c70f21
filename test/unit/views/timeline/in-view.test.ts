// @vitest-environment jsdom
import { expect, it, vi } from 'vitest';
import { frameLoop } from '../../../../src/base/frame-loop';
import { Run } from '../../../../src/run/run';
import { LEGEND_RANK_EVENT } from '../../../../src/selectors/tasks/task-legend';
import { InView } from '../../../../src/views/timeline/controls/in-view';
import type { Picture } from '../../../../src/views/timeline/picture';
import { tasksBody } from '../../run/synthetic';

/** The orders sent while the picture moves; it looks at one moment of each second. */
function sentAt(starts: readonly number[], lanes = 1, then: (inView: InView) => void = () => undefined): string[][] {
  const run = new Run();
  const rows = Array.from({ length: lanes }, (_, lane) => [
    { lane, start: 1000, duration: 32, prefix: 1 },
    { lane, start: 1032, duration: 200, prefix: 2 }
  ]);
  run.tasks.apply(tasksBody(rows.flat()));
  const node = document.createElement('div');
  const sent: string[][] = [];
  node.addEventListener(LEGEND_RANK_EVENT, event => sent.push([...(event as CustomEvent).detail]));
  const viewport = { start: 1000, end: 1064, width: 64, timeOf: (x: number) => viewport.start + x };
  const inView = new InView({ shown: { run }, camera: { viewport }, stage: { node } } as unknown as Picture);
  for (const start of starts) {
    viewport.start = 1000 + start;
    viewport.end = 1064 + start;
    inView.update();
  }
  then(inView);
  return sent;
}

it('keeps the order of two functions while the time of one varies about a power of two', () => {
  // Of 64 moments, the functions have 32 and 32, or 31 and 33.
  expect(sentAt([0, 1, 0, 1])).toEqual([['prefix:1', 'prefix:2']]);
});

it('changes their order when the other has far more time', () => {
  expect(sentAt([0, -8, 20])).toEqual([
    ['prefix:1', 'prefix:2'],
    ['prefix:2', 'prefix:1']
  ]);
});

it('looks at the lanes of a large cluster in several frames', async () => {
  const sent = sentAt([0], 300);
  expect(sent).toEqual([]);
  await vi.waitFor(() => expect(sent).toEqual([['prefix:1', 'prefix:2']]));
});

it('leaves a count that is not done, and begins again later', async () => {
  const pending = vi.spyOn(frameLoop, 'remove');
  const sent = sentAt([0], 300, inView => {
    inView.rest();
    inView.update();
  });
  expect(pending).toHaveBeenCalledTimes(1);
  await vi.waitFor(() => expect(sent).toEqual([['prefix:1', 'prefix:2']]));
});
