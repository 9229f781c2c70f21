import { expect, it } from 'vitest';
import type { Advice, Verdict } from '../../../src/advice/advice';
import { shareWords } from '../../../src/advice/headline/shares';
import type { TopicBody } from '../../../src/feed/frame';
import { translate } from '../translate';
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
  const rest = 'They may have waited for data, a lock, the GIL or a free core, or for threads that computed for them.';
  expect(headline(4)).toBe(`${all} The threads of tasks used a CPU for only 10 % of that time. ${rest}`);
  expect(headline(4, 5)).toBe(`${all} Over all runs of these functions, tasks used a CPU for only 10 % of their time. ${rest}`);
  expect(headline(30)).toBe(all);
});

it('of coroutines it is not said that they used no CPU: Dask does not measure it', () => {
  const activities = executing([['load', 'thread-noncpu', 40]]);
  const { headline } = adviceOf(made({ rows: busy, now: 10, topics: { activities } }));
  expect(headline).toBe('Nothing wrong found: 100 % of thread time computing.');
});

it('where event loops of scheduler and all workers are late and Dask uses little CPU, other programs probably use the machine', () => {
  // Half of the time is between two tasks.
  const rows = [0, 1, 2, 3].flatMap(lane => tasks(lane, 10, 0.5, 0, 0.5));
  const all = (value: number): number[] => new Array<number>(11).fill(value);
  const said = (more: Readonly<Record<string, readonly number[]>> = {}, cpu = 20): Advice =>
    adviceOf(
      made({
        ...{ rows, now: 10, series: { cpu: all(cpu) } },
        columns: { scheduler_tick: all(0.06), scheduler_cpu: all(5), event_loop_min: all(0.04), ...more }
      })
    );
  const words =
    'Other programs probably used the machine: Dask used little CPU, but event loops of the scheduler and of all workers ticked late (every 60.0 ms and 40.0 ms instead of 20 ms).';
  expect(said().headline).toContain(words);
  expect(shareWords(said(), translate)).toContain('47 % not explained (other programs probably used the machine)');
  // One that is in time, or a process that is busy itself, is another reason.
  for (const other of [
    said({ event_loop_min: all(0.02) }),
    said({ scheduler_tick: all(0.02) }),
    said({ scheduler_cpu: all(90) }),
    said({}, 190)
  ]) {
    expect(other.machineBusy).toBe(false);
    expect(other.headline).not.toContain('Other programs');
  }
  const [late] = said({ scheduler_tick: all(0.2) }).verdicts;
  expect(late.sentence).toContain('All workers are late, too, so other programs probably use the machine.');
  expect(late.remedy).toBe(
    'Find out what else runs on the machines of the scheduler and the workers. Use no more threads than they have free cores.'
  );
});

it('small tasks on a machine that other programs use are only likely to be what costs the time between them', () => {
  const rows = [0, 1, 2, 3].flatMap(lane => tasks(lane, 400, 0.005, 0, 0.02));
  const said = (tick: number): Verdict => {
    const all = (value: number): number[] => new Array<number>(11).fill(value);
    const columns = { scheduler_tick: all(tick), scheduler_cpu: all(5), event_loop_min: all(tick) };
    const { verdicts } = adviceOf(made({ rows, now: 10, series: { cpu: all(20) }, columns }));
    return verdicts[0];
  };
  expect(said(0.02)).toMatchObject({ cause: 'small-tasks', confidence: 'high', doubt: '' });
  expect(said(0.06)).toMatchObject({
    cause: 'small-tasks',
    confidence: 'medium',
    doubt: 'Other programs probably used the machine: some of this time may be lost to them.'
  });
});

it('tasks that use a CPU for some of their time on a machine that others use are not said to have waited for other things', () => {
  const all = (value: number): number[] => new Array<number>(11).fill(value);
  const activities = executing([
    ['load', 'thread-cpu', 4],
    ['load', 'thread-noncpu', 36]
  ]);
  const columns = { scheduler_tick: all(0.06), scheduler_cpu: all(5), event_loop_min: all(0.04) };
  const { headline } = adviceOf(made({ rows: busy, now: 10, series: { cpu: all(20) }, columns, topics: { activities } }));
  expect(headline).toMatch(
    / The threads of tasks used a CPU for only 10 % of that time\. Other programs probably used the machine: /
  );
});
