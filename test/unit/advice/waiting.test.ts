/** Threads that wait although there are tasks: for a resource, for the scheduler, or after each task for something else. */
import { describe, expect, it } from 'vitest';
import type { Cause } from '../../../src/advice/advice';
import type { TopicBody } from '../../../src/feed/frame';
import type { Run } from '../../../src/run/run';
import { adviceOf, EPOCH, type Made, made, tasks, verdict } from './made';

const ALL = [0, 1, 2, 3];

function numbers(length: number, value: (i: number) => number): number[] {
  return Array.from({ length }, (_, i) => value(i));
}

/** Samples of the scheduler and of the workers beside the sums of made-up runs. */
function sampled(what: Made, columns: Readonly<Record<string, number | readonly number[]>>): Run {
  const { now = 20 } = what;
  const run = made({ ...what, now });
  const times = Float64Array.from(numbers(now + 1, i => EPOCH + i));
  const values = { threads_sum: 4, workers: 2, ...columns };
  const body: TopicBody = {
    columns: {
      ...{ time: times, until: times },
      ...Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          name,
          typeof value === 'number' ? new Float64Array(now + 1).fill(value) : Float64Array.from(value)
        ])
      )
    },
    scalars: { first: 0, lost: 0 }
  };
  run.apply({ feed: 'made-up', epoch: 0, seq: 1, time: EPOCH + now, cursor: {}, names: {}, topics: { series: body } }, 0);
  return run;
}

const causes = (run: Run): Cause[] => adviceOf(run).verdicts.map(({ cause }) => cause);

describe('tasks that workers hold back', () => {
  /** A thread of each worker works. */
  const rows = [0, 1].flatMap(lane => tasks(lane, 20, 1));
  const held = (assigned: number, more: Made = {}): Run =>
    made({ rows, now: 20, series: { assigned: numbers(21, () => assigned) }, ...more });

  it('are reported with what the other threads lost, and with a doubt', () => {
    const one = verdict(adviceOf(held(4)), 'held-back');
    expect(one?.sentence).toMatch(
      /^Workers hold back tasks: for 20\.0 s, up to 2 threads had tasks and did not start them, while 2\.0 others worked\. It costs (49|50) % of the time\. Most often resources= /
    );
    expect(one).toMatchObject({ confidence: 'low', doubt: expect.stringContaining('is not recorded') });
    expect(one?.cost.seconds).toBeCloseTo(40, 0);
    expect(causes(held(4))).toEqual(['held-back']);
  });

  it('are as many as workers have: threads without a task are something else', () => {
    const three = adviceOf(held(3));
    expect(three.verdicts.map(({ cause }) => cause).sort()).toEqual(['held-back', 'little-parallelism']);
    expect(verdict(three, 'held-back')?.cost.share).toBeCloseTo(0.25, 1);
    expect(causes(held(2))).toEqual(['little-parallelism']);
  });

  it('may wait for data that workers receive now', () => {
    const receiving = (transfer: number): Run => {
      const run = held(4);
      const columns = { id: Uint32Array.of(0), transfer_in: Float64Array.of(transfer), nthreads: Uint32Array.of(2) };
      const topics = { workers: { columns, scalars: {} } };
      run.apply({ feed: 'made-up', epoch: 0, seq: 1, time: EPOCH + 20, cursor: {}, names: {}, topics }, 0);
      return run;
    };
    expect(causes(receiving(1e6))).not.toContain('held-back');
    expect(causes(receiving(0))).toContain('held-back');
  });

  it('may be short, where as many threads work all the time', () => {
    const short = [0, 1].flatMap(lane => tasks(lane, 190, 0.1, 0, 0.005));
    expect(causes(held(4, { rows: short }))).toEqual(['held-back']);
  });

  it('are none where each thread starts some, nor for a moment', () => {
    // Half of the threads work on average, now more and now fewer.
    const short = ALL.flatMap(lane => tasks(lane, 100, 0.1, 0.03 * lane, 0.1));
    expect(causes(held(4, { rows: short }))).not.toContain('held-back');
    const moment = { assigned: numbers(21, i => (i === 5 || i === 12 ? 4 : 2)) };
    expect(causes(held(4, { series: moment }))).toEqual(['little-parallelism']);
  });
});

describe('tasks of 50 ms with 30 ms between them', () => {
  const rows = ALL.flatMap(lane => tasks(lane, 250, 0.05, 0, 0.03));
  const said = (columns: Readonly<Record<string, number>>): ReturnType<typeof verdict> => {
    const advice = adviceOf(sampled({ rows }, { assigned_sum: 4, ...columns }));
    expect(advice.verdicts.map(({ cause }) => cause)).toEqual(['between-tasks']);
    return advice.verdicts[0];
  };

  it('have a cost, and the reason that samples suggest: late event loops of workers', () => {
    const one = said({ event_loop_sum: 0.2, processing_sum: 12 });
    expect(one?.sentence).toMatch(
      /^Threads wait between tasks: 1,000 tasks took 50\.0 ms on average, and 30\.\d ms passed after each\. It costs 3[78] % of the time\. Most likely the workers are late: their event loops tick every 100 ms/
    );
    expect(one).toMatchObject({ confidence: 'low', doubt: expect.stringContaining('is not measured') });
    expect(one?.remedy).toContain('worker processes');
    expect(one?.remedy).toContain('plugins of workers');
  });

  it('are not said to lack tasks by samples before the first one began and after the last one ended', () => {
    const some = ALL.flatMap(lane => tasks(lane, 50, 0.05, 0.6, 0.03));
    const computations = [{ since: 0, last: 0, start: 0.6, stop: 4.6, tasks: 200 }];
    const processing = [0, 4.8, 4.8, 4.8, 4.8, 0];
    const { verdicts } = adviceOf(
      sampled({ rows: some, computations, now: 5 }, { assigned_sum: 4, event_loop_sum: 0.04, processing_sum: processing })
    );
    expect(verdicts.map(({ cause }) => cause)).toEqual(['between-tasks']);
    expect(verdicts[0].sentence).toContain('waits for its way through the scheduler: workers had 1.2 tasks for each thread');
  });

  it('cost what other causes leave: pauses and share are of different times then, and the sentence says so', () => {
    const late = { scheduler_tick: numbers(21, i => (i < 7 ? 0.2 : 0.02)), assigned_sum: 4, processing_sum: 40 };
    const { verdicts } = adviceOf(sampled({ rows }, late));
    expect(verdicts.map(({ cause }) => cause)).toEqual(['between-tasks', 'late-event-loops']);
    expect(verdicts[0].sentence).toMatch(
      /1,000 tasks took 50\.0 ms on average, and 30\.\d ms passed after each\. Without what other causes explain, it costs 2\d % of the time\. /
    );
  });

  it('are mostly finding out how large results are, if Dask counts it as disk though nothing is there', () => {
    const moves = rows.map(({ start }, at) => ({ at, kind: 3, start: start + 0.05, duration: 0.028 }));
    const run = sampled({ rows, moves }, { assigned_sum: 4, processing_sum: 12, event_loop_sum: 0.2, spilled_sum: 0 });
    const { verdicts } = adviceOf(run);
    expect(verdicts.map(({ cause }) => cause)).toEqual(['between-tasks']);
    expect(verdicts[0].sentence).toMatch(
      / 3[78] % of the time\. Most likely it takes long to find out the size of results: Dask records 2[78]\.\d ms a task/
    );
    expect(verdicts[0].remedy).toContain('__sizeof__');
    const spilled = sampled({ rows, moves }, { assigned_sum: 4, processing_sum: 12, event_loop_sum: 0.2, spilled_sum: 2 ** 20 });
    expect(causes(spilled)).not.toContain('between-tasks');
  });

  it('may wait for the scheduler where workers have no further task, else it is not known for what', () => {
    const alone = said({ event_loop_sum: 0.04, processing_sum: 4.4 });
    expect(alone?.sentence).toContain('workers had 1.1 tasks for each thread, so the next one came only when another had ended');
    expect(alone?.remedy).toContain('worker-saturation');
    const unknown = said({ event_loop_sum: 0.04, processing_sum: 40 });
    expect(unknown?.sentence).toContain(
      'Workers had the next tasks already. What kept them is not known: it may be tasks that hold the GIL, resources= that allow few at a time, a small pool of threads'
    );
    expect(unknown?.remedy).toMatch(
      /^If tasks hold the GIL, .* If they ask for resources=, .* Give a pool \(executor=\) as many threads as its worker has/
    );
    expect(said({ event_loop_sum: Number.NaN, processing_sum: Number.NaN })?.sentence).toMatch(/ What for is not known\.$/);
    // It is no way through the scheduler where a thread has no task.
    const none = said({ event_loop_sum: 0.04, processing_sum: 2.8 });
    expect(none?.sentence).toContain('no further task had been submitted, or was ready: workers had only 0.7 for each thread');
    expect(none?.evidence.figures.at(-1)).toMatchObject({ value: 0.7, text: '0.7' });
    expect(none?.remedy).toMatch(/^Submit work before/);
  });

  it('are too small if they are of 10 ms, and nothing is wrong with little time between them', () => {
    const tiny = ALL.flatMap(lane => tasks(lane, 500, 0.01, 0, 0.03));
    expect(causes(sampled({ rows: tiny }, {}))).toEqual(['small-tasks']);
    const quick = ALL.flatMap(lane => tasks(lane, 370, 0.05, 0, 0.003));
    expect(causes(sampled({ rows: quick }, {}))).toEqual([]);
    // Nor is it for two seconds.
    const begin = ALL.flatMap(lane => [...tasks(lane, 25, 0.05, 0, 0.03), ...tasks(lane, 5, 0.2, 2)]);
    expect(causes(sampled({ rows: begin, now: 3 }, {}))).toEqual([]);
  });

  it('queue for as many threads as there were then, of a cluster that has grown', () => {
    const many = numbers(64, i => i).flatMap(lane => tasks(lane, 200, 0.05, 20, 0.05));
    const grown = (few: number, more: number): number[] => numbers(41, i => (i < 20 ? few : more));
    const series = { threads: grown(4, 64), processing: grown(4, 140) };
    const before = ALL.flatMap(lane => tasks(lane, 40, 0.5, 0, 0.001));
    const one = verdict(adviceOf(made({ rows: [...before, ...many], threads: 32, now: 40, series })), 'queueing');
    expect(one?.sentence).toMatch(/^Tasks queue for the scheduler: 64 threads asked for 1,2\d\d tasks a second/);
  });

  it('queue where many threads ask for more than the scheduler can hand out', () => {
    const many = numbers(64, i => i).flatMap(lane => tasks(lane, 200, 0.05, 0, 0.05));
    const busy = (cpu: number, tasksOf = many, threads = 32): Run =>
      sampled(
        { rows: tasksOf, threads },
        { threads_sum: 2 * threads, scheduler_cpu: cpu, scheduler_tick: 0.05, processing_sum: 140, event_loop_sum: 0.04 }
      );
    const one = verdict(adviceOf(busy(97)), 'queueing');
    expect(one?.sentence).toMatch(
      /^Tasks queue for the scheduler: 64 threads asked for 1,2\d\d tasks a second of 50\.0 ms each, and got 6[34]\d\. They waited (49|50) % of the time/
    );
    expect([one?.confidence, one?.evidence.figures.at(-1)?.value]).toEqual(['medium', 97]);
    expect(causes(busy(97))).toEqual(['queueing']);
    // It is less certain where the scheduler does not take a core, or that is not known.
    expect(verdict(adviceOf(busy(30)), 'queueing')?.confidence).toBe('low');
    const unknown = verdict(adviceOf(busy(Number.NaN)), 'queueing');
    expect([unknown?.confidence, unknown?.evidence.figures.map(({ label }) => label)]).toEqual([
      'low',
      ['Tasks a second that threads ask for', 'Tasks a second that began', 'Mean duration']
    ]);
    // A few threads ask for fewer tasks, and longer tasks are fewer.
    expect(causes(busy(97, rows, 2))).toEqual(['between-tasks']);
    const few = numbers(64, i => i).flatMap(lane => tasks(lane, 10, 0.03, 0, 1.9));
    expect(causes(busy(97, few))).not.toContain('queueing');
    const small = numbers(64, i => i).flatMap(lane => tasks(lane, 400, 0.015, 0, 0.035));
    expect(causes(busy(97, small))).toEqual(['small-tasks']);
    const long = numbers(64, i => i).flatMap(lane => tasks(lane, 40, 0.25, 0, 0.25));
    expect(causes(busy(97, long))).not.toContain('queueing');
  });

  it('do not queue for the scheduler where a client submits as many as there are threads now and then', () => {
    const pulses = numbers(64, i => i).flatMap(lane => tasks(lane, 65, 0.05, 0.001 * (lane % 8), 0.25));
    const fed = (processing: number): Cause[] =>
      causes(
        sampled(
          { rows: pulses, threads: 32 },
          { threads_sum: 64, scheduler_cpu: 20, processing_sum: processing, event_loop_sum: 0.04 }
        )
      );
    expect(fed(11)).not.toContain('queueing');
    expect(fed(64)).toContain('queueing');
  });

  it('that queue for the scheduler do not wait for something else as well', () => {
    const half = numbers(64, i => i).flatMap(lane => [
      ...tasks(lane, 100, 0.05, 0, 0.05),
      ...tasks(lane, 22, 0.2, 10 + 0.05 * (lane % 8), 0.25)
    ]);
    const { verdicts } = adviceOf(
      sampled(
        { rows: half, threads: 32 },
        { threads_sum: 64, assigned_sum: 64, scheduler_cpu: 97, processing_sum: 140, event_loop_sum: 0.04 }
      )
    );
    expect(verdicts.map(({ cause }) => cause).sort()).toEqual(['between-tasks', 'queueing']);
    const other = verdicts.find(({ cause }) => cause === 'between-tasks');
    expect(other?.sentence).toMatch(
      /^Threads wait between tasks: 1,\d\d\d tasks took 200 ms on average, and 2\d\d ms passed after each\. It costs 2\d % of the time/
    );
  });
});
