// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { taskStream } from '../../../src/plots/tasks/task-stream';
import { Run } from '../../../src/run/run';
import { tasksBody } from '../run/synthetic';
import { EPOCH, EVEN, feedOf, frame, framesDue, holdFrames, releaseFrames, viewOf } from './timeline/stand';

const LANES = 1000;

/** A run with a task of a second on each of its lanes. */
function runOf(): Run {
  const run = new Run();
  const worker = { address: 'tcp://a', name: 'a', host: 'h', nthreads: LANES, memory_limit: 0, joined: EPOCH };
  const lanes = Array.from({ length: LANES }, (_, i) => [0, i] as const);
  const names = {
    prefixes: { from: 0, values: ['inc'] },
    workers: { from: 0, values: [worker] },
    lanes: { from: 0, values: lanes }
  };
  const topics = { tasks: tasksBody(lanes.map((_, lane) => ({ lane, start: EPOCH + (lane % 2), duration: 1 }))) };
  run.apply({ feed: 'f', epoch: 0, seq: 0, time: EPOCH + 2, cursor: {}, names, topics }, 0);
  return run;
}

describe('the summary of a large picture', () => {
  /** Steps so far. */
  let steps: number;

  beforeEach(() => {
    holdFrames();
    steps = 0;
    const { summarySteps } = taskStream;
    vi.spyOn(taskStream, 'summarySteps').mockImplementation(function* (...args) {
      const all = summarySteps?.(...args);
      for (let step = all?.next(); step !== undefined; step = all?.next()) {
        steps += 1;
        if (step.done === true) {
          return step.value;
        }
        yield;
      }
      return '';
    });
    // Each look at the clock takes a third of a millisecond.
    let clock = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => clock++ / 3);
  });

  afterEach(() => {
    vi.restoreAllMocks();
    releaseFrames();
  });

  it('is found in slices of frames, and says the same as at once', async () => {
    const run = runOf();
    const expected = taskStream.summary(run, EVEN.context);
    const view = await viewOf(run, feedOf(), {}, EVEN);
    const label = (): string | null | undefined => view.node.querySelector('.dp-Timeline-plot')?.getAttribute('aria-label');
    const each: number[] = [];
    for (let last = 0; label() !== expected; last = steps) {
      expect(each.length).toBeLessThan(100);
      frame();
      each.push(steps - last);
    }
    expect(expected).toMatch(/50.% busy/);
    expect(steps).toBeGreaterThan(LANES / 64);
    expect(Math.max(...each)).toBeLessThan(4);
    view.dispose();
  });

  it('is left when the picture is hidden, and begins again when it is visible', async () => {
    const run = runOf();
    const view = await viewOf(run, feedOf(), {}, EVEN);
    frame();
    frame();
    view.setVisible(false);
    const hidden = steps;
    expect(hidden).toBeGreaterThan(0);
    expect(hidden).toBeLessThan(LANES / 64);
    for (let i = 0; i < 5; i++) {
      frame();
    }
    expect(framesDue()).toBe(0);
    expect(steps).toBe(hidden);
    view.setVisible(true);
    for (let i = 0; i < 60; i++) {
      frame();
    }
    const label = view.node.querySelector('.dp-Timeline-plot')?.getAttribute('aria-label');
    expect(label).toBe(taskStream.summary(run, EVEN.context));
    view.dispose();
  });
});
