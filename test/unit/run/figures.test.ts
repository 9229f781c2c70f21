import { describe, expect, it } from 'vitest';
import { memoryFigures, Rate, taskFigures, workerFigures } from '../../../src/run/figures';
import { Run } from '../../../src/run/run';
import { type FakeWorker, frame, meta, prefixes, workers } from '../client-view/fakes';

function run(...list: readonly FakeWorker[]): Run {
  const made = new Run();
  made.apply(frame(1000, { meta: meta(), workers: workers(...list) }), 0);
  return made;
}

describe('workerFigures', () => {
  it('counts those that are there', () => {
    const made = run(
      { threads: 2 },
      { threads: 3, status: 'paused' },
      { status: 'closing_gracefully', threads: 1 },
      { status: 'lost' },
      { status: 'closed' }
    );
    expect(workerFigures(made)).toEqual({ count: 3, threads: 6, paused: 1, retiring: 1 });
  });
});

describe('memoryFigures', () => {
  it.each([
    ['blue', [{ managed: 2.3 }]],
    ['orange', [{ managed: 1 }, { managed: 1.4, recent: 1 }]],
    ['red', [{ managed: 1, unmanaged: 2.8 }]],
    ['red', [{ managed: 0, status: 'paused' }]],
    ['red', [{ managed: 0, status: 'closing_gracefully' }]],
    ['blue', [{ managed: 100, limit: 0 }]],
    ['blue', [{ managed: 4, status: 'lost' }]]
  ] as const)('is %s by the worker that is worst off', (level, list) => {
    expect(memoryFigures(run(...list)).level).toBe(level);
  });

  it('goes by the thresholds of the cluster', () => {
    const made = run({ managed: 3 });
    made.apply(frame(1001, { meta: meta({ thresholds: { target: null, spill: null, pause: 0.8, terminate: null } }) }), 0);
    expect(memoryFigures(made).level).toBe('blue');
  });
});

describe('taskFigures', () => {
  it('keeps counting what the scheduler has forgotten, and not what never ran', () => {
    const made = new Run();
    made.apply(
      frame(1000, {
        prefixes: prefixes({ forgotten: 5, forgotten_erred: 1, cancelled: 9, processing: 2 }, { erred: 1, queued: 1 })
      }),
      0
    );
    expect(taskFigures(made)).toEqual({ done: 7, all: 10, erred: 2 });
  });

  it('is nothing before the first task', () => {
    expect(taskFigures(new Run())).toEqual({ done: 0, all: 0, erred: 0 });
  });
});

describe('Rate', () => {
  it('is unknown at first', () => {
    const rate = new Rate();
    rate.note(5, 10);
    expect(rate.perSecond).toBeNaN();
  });

  it('forgets what is older than ten seconds', () => {
    const rate = new Rate();
    for (let second = 0; second <= 60; second++) {
      rate.note(second < 30 ? 100 * second : 3000, second);
    }
    expect(rate.perSecond).toBe(0);
  });

  it('begins anew when the count falls: the cluster was restarted', () => {
    const rate = new Rate();
    rate.note(1000, 1);
    rate.note(2000, 2);
    rate.note(0, 3);
    expect(rate.perSecond).toBeNaN();
    rate.note(10, 4);
    expect(rate.perSecond).toBe(10);
  });
});
