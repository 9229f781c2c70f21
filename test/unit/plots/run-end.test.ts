// What goes on when a client closes is said as of then, by every text that shows it.
import { beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import { computations } from '../../../src/plots/tasks/computations';
import { progress } from '../../../src/plots/tasks/progress';
import { running } from '../../../src/plots/tasks/running';
import { taskStream } from '../../../src/plots/tasks/task-stream';
import { worker } from '../../../src/plots/workers/worker';
import type { Plot } from '../../../src/plot/plot';
import type { Run } from '../../../src/run/run';
import { runningBody } from '../run/synthetic';
import { cluster, context, step } from './cluster';
import { compute } from './made-computations';

beforeEach(() => setNumberLocale('en'));

/** One task of three runs, in a computation that goes on. */
function made(): Run {
  const run = cluster({
    workers: [{ name: 'a', address: 'tcp://a:1', executing: 1, processing: 1 }],
    prefixes: [{ name: 'load', processing: 1, memory: 2 }]
  });
  compute(run, [{ id: 0, since: 990, of: { 0: { tasks: 3, left: 1, done: 2 } } }]);
  const topics = { running: runningBody([{ id: 4, worker: 0, prefix: 0, start: 995, key: 'load-x' }]) };
  run.apply({ feed: 'made-up', epoch: 0, seq: 1, time: 1000, cursor: {}, names: {}, topics }, 1_000_000);
  return run;
}

const title = (plot: Plot, run: Run, options: Record<string, string> = {}): string =>
  plot
    .titleLine(run, context({ options }))
    .map(({ text }) => text)
    .join(', ');

const cell = (plot: Plot, run: Run, column: string): string | undefined => {
  const { columns, rows } = plot.table(run, context());
  return rows[0].cells[columns.findIndex(({ id }) => id === column)].text;
};

describe('after the end of a client', () => {
  it('what ran is said to have run then', () => {
    const run = made();
    expect(title(running, run)).toBe('1 task running, the longest for 5.00 s');
    run.end(1_001_000);
    expect(title(running, run)).toBe('1 task running when the client closed, the longest for 5.00 s');
    expect(cell(running, run, 'state')).toBe('running when the client closed');
    expect(cell(running, run, 'asof')).toMatch(/ before the end$/);
    expect(cell(taskStream, run, 'state')).toBe('running when the client closed');
    expect(title(taskStream, run)).toContain('1 running when the client closed');
    expect(taskStream.summary(run, context())).toMatch(/ This was so when the client closed\.$/);
    expect(title(worker, run, { worker: 'tcp://a:1' })).toContain('1 task running when the client closed');
  });

  it('what was in progress was so then', () => {
    const run = made();
    expect(cell(computations, run, 'state')).toBe('in progress');
    expect(title(progress, run)).toContain('2 / 3 done, ');
    run.end(1_001_000);
    expect(cell(computations, run, 'state')).toBe('in progress when the client closed');
    expect(title(computations, run)).toContain('1 in progress when the client closed');
    expect(title(progress, run)).toContain('2 / 3 done when the client closed, ');
  });

  it('time stands still, also in a copy, and what is over is said as before', () => {
    const run = made();
    expect(run.clock.at(2_000_000)).toBe(2000);
    run.end(1_001_000);
    expect([run.clock.at(2_000_000), run.copy().clock.at(2_000_000), run.copy().hasEnded]).toEqual([1001, 1001, true]);
    run.end(1_500_000);
    expect(run.clock.at(2_000_000)).toBe(1001);
    const over = step(cluster({ prefixes: [{ name: 'load', memory: 3 }] }), { time: 1000 });
    over.end(1_001_000);
    expect(title(progress, over)).not.toContain('closed');
  });

  it('a frame that comes all the same goes on', () => {
    const run = made();
    run.end(1_001_000);
    step(run, { time: 1010, prefixes: [{ name: 'load', processing: 1, memory: 2 }] });
    expect(run.hasEnded).toBe(false);
    expect(cell(computations, run, 'state')).toBe('in progress');
  });
});
