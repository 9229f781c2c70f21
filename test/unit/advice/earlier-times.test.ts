/** Periods of the past, workers that have left, and times without news: what holds now, or later, is not said of them. */
import { describe, expect, it } from 'vitest';
import type { TopicBody } from '../../../src/feed/frame';
import { WORKER_STATUS } from '../../../src/feed/schema';
import type { Run } from '../../../src/run/run';
import { type SeriesPoint, step } from '../plots/cluster';
import { adviceOf, EPOCH, type Made, made, tasks, verdict } from './made';

const at = (point: SeriesPoint): SeriesPoint => ({
  ...point,
  time: EPOCH + point.time,
  until: EPOCH + (point.until ?? point.time)
});

/** A run with points of the series that hold for longer than a moment. */
function withPoints(what: Made, points: readonly SeriesPoint[]): Run {
  return step(made({ ...what, series: {} }), { time: EPOCH + (what.now ?? 100), series: points.map(at) });
}

const GONE = WORKER_STATUS.indexOf('closed');

const three = (value: number): [number, number, number] => [value, value, value];

describe('bytes on disk', () => {
  const rows = [...tasks(0, 10, 0.2), ...tasks(0, 50, 0.2, 200)];
  const points = [
    { time: 0, until: 199, spilled: three(0), threads: three(4) },
    { time: 200, spilled: three(0), threads: three(4) },
    { time: 205, until: 300, spilled: three(2 ** 30), threads: three(4) }
  ];

  it('began to grow after the last sample that had none, not after the first', () => {
    const quiet = withPoints({ rows, now: 300 }, [points[0], { ...points[2], time: 200 }]);
    expect(verdict(adviceOf(quiet), 'spilling')?.evidence.selection.period?.from).toBe(EPOCH + 199);
  });

  it('that have been there since before a period are there in it', () => {
    const one = verdict(
      adviceOf(withPoints({ rows: tasks(0, 1000, 0.2, 100), now: 300 }, points), { from: 250, to: 260 }),
      'spilling'
    );
    expect(one?.sentence).toContain('up to 1.00 GiB of results were on disk');
  });
});

describe('workers that have left', () => {
  /** As the collector tells it: with when, or without where that is not known. */
  const gone = (run: Run, ids: readonly number[], left = EPOCH + 3): Run => {
    const columns = {
      id: Uint32Array.from(ids),
      status: new Uint8Array(ids.length).fill(GONE),
      left: new Float64Array(ids.length).fill(left)
    };
    const topics = { workers: { columns, scalars: {} } };
    run.apply({ feed: 'made-up', epoch: 0, seq: 9, time: EPOCH + 100, cursor: {}, names: {}, topics }, 0);
    return run;
  };
  const worked = [0, 1, 2, 3].flatMap(lane => tasks(lane, 40, 0.2, 0, 0.002));

  it('had their own thread each: the one that is left has not run theirs', () => {
    const points = Array.from({ length: 9 }, (_, time) => ({
      time,
      workers: 4,
      threads: three(4),
      cpu: three(99),
      gil: three(Number.NaN)
    }));
    const each = withPoints({ rows: worked, workers: 4, threads: 1 }, points);
    expect(verdict(adviceOf(gone(each, [1, 2, 3])), 'gil')).toBeUndefined();
  });

  it('had memory of their own: what all had is no share of the limits of one', () => {
    const points = Array.from({ length: 9 }, (_, time) => ({
      time,
      workers: 4,
      process: three(2 ** 28 * (time + 1)),
      threads: three(4)
    }));
    const run = withPoints({ rows: worked, workers: 4, threads: 1 }, points);
    expect(verdict(adviceOf(gone(run, [1, 2, 3])), 'unmanaged-memory')).toBeUndefined();
    expect(
      verdict(
        adviceOf(
          withPoints(
            { rows: worked, workers: 1, threads: 4 },
            points.map(each => ({ ...each, workers: 1 }))
          )
        ),
        'unmanaged-memory'
      )
    ).toBeDefined();
  });

  const logs: TopicBody = {
    columns: { time: Float64Array.of(EPOCH + 1), level: new Uint8Array(1), server: Uint32Array.of(2) },
    scalars: { first: 0, lost: 0, name: [''], logger: [''], text: ['Worker is at 81% memory usage. Pausing worker.'] }
  };
  const pausing = (): Run => made({ rows: [0, 2].flatMap(lane => tasks(lane, 40, 0.2)), topics: { logs } });

  it('were paused until they left, and not for ever', () => {
    expect(verdict(adviceOf(gone(pausing(), [1])), 'paused')?.sentence).toContain('1 worker paused for 2.00 s');
    expect(verdict(adviceOf(gone(pausing(), [1], Number.NaN)), 'paused')).toBeUndefined();
  });
});
