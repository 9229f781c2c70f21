import { expect, it } from 'vitest';
import type { TopicBody } from '../../../src/feed/frame';
import { adviceOf, made, tasks } from './made';

const busy = [0, 1, 2, 3].flatMap(lane => tasks(lane, 10, 1));

/** Dask's fine metrics of executing functions, in seconds. */
function executing(metrics: readonly (readonly [prefix: string, activity: string, value: number])[]): TopicBody {
  return {
    columns: {
      id: Uint32Array.from(metrics, (_, i) => i),
      value: Float64Array.from(metrics, ([, , value]) => value)
    },
    scalars: { names: metrics.map(([prefix, activity], i) => [i, 'execute', prefix, activity, 'seconds']), base: [] }
  };
}

it('tasks that use a CPU for some of their time are not said to wait or sleep: they may wait for a free core', () => {
  const headline = (on: number, from = 0): string => {
    const activities = executing([
      ['load', 'thread-cpu', on],
      ['load', 'thread-noncpu', 40 - on]
    ]);
    return adviceOf(made({ rows: busy, now: 10, topics: { activities } }), { from, to: 10 }).headline;
  };
  const all = 'Nothing wrong found: 100 % of thread time computing.';
  expect(headline(0.1)).toBe(`${all} Tasks mostly waited or slept: their own threads used a CPU for < 1 % of that time.`);
  const rest = 'They may have waited for data, a lock or a free core, or for threads that computed for them.';
  expect(headline(4)).toBe(`${all} The threads of tasks used a CPU for only 10 % of that time. ${rest}`);
  expect(headline(4, 5)).toBe(`${all} Over all runs of these functions, tasks used a CPU for only 10 % of their time. ${rest}`);
  expect(headline(30)).toBe(all);
});

it('of coroutines it is not said that they used no CPU: Dask does not measure it', () => {
  const activities = executing([['load', 'thread-noncpu', 40]]);
  const { headline } = adviceOf(made({ rows: busy, now: 10, topics: { activities } }));
  expect(headline).toBe('Nothing wrong found: 100 % of thread time computing.');
});
