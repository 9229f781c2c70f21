/** Workers that stand still: what their tasks took meanwhile is no sign of work that is divided unevenly. */
import { describe, expect, it } from 'vitest';
import { shareWords } from '../../../src/advice/headline/shares';
import { step } from '../plots/cluster';
import { translate } from '../translate';
import { adviceOf, EPOCH, type Made, made, tasks, verdict } from './made';

const SECONDS = Array.from({ length: 26 }, (_, second) => second);
const all = (value: number): number[] => SECONDS.map(() => value);
/** A worker is not heard of from 1.8 s until after 22 s. */
const silent = SECONDS.map(second => (second > 2 && second <= 22 ? second - 1.8 : 0.4));
const others = [1, 3].flatMap(lane => tasks(lane, 30, 0.5));
/** Both threads of worker 0 have short tasks, then one each until the worker goes on. */
const rows = [0, 2].flatMap(lane => [...tasks(lane, 4, 0.5), ...tasks(lane, 1, 20.4, 2), ...tasks(lane, 4, 0.5, 22.4)]);
const busy = SECONDS.map(second => (second <= 15 ? 4 : 2));
const least = SECONDS.map(second => (second <= 15 ? 2 : 0));
const what: Made = {
  ...{ now: 25, rows: [...rows, ...others] },
  computations: [{ since: 0, last: 0, start: 0, stop: 24.4, tasks: 78, done: 78, submissions: 1 }],
  series: { executing: busy, computing: busy, assigned: busy, processing: busy },
  columns: { unheard_max: silent, unheard_min: all(0.4), assigned_min: least, assigned_max: all(2), scheduler_tick: all(0.02) }
};

const until23 = (columns: Readonly<Record<string, readonly number[]>>) =>
  Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values.slice(0, 24)]));

describe('tasks of a worker that sent no heartbeat', () => {
  it('are no stragglers: their time, and that of threads that waited for them, is that of the silence', () => {
    const advice = adviceOf(made(what));
    expect(advice.verdicts.map(({ cause }) => cause)).toEqual(['event-loop-blocked']);
    const [{ cost, sentence, doubt }] = advice.verdicts;
    // Two threads stood still from 2 s to 22 s, and the other two waited from 15 s on.
    expect(cost.seconds).toBeCloseTo(2 * 20 + 2 * 7, -0.5);
    expect(sentence).toMatch(
      /^A worker did not answer for 20\.2 s while there were tasks\. .* If its tasks stood still, it costs 5\d % of the time\.$/
    );
    expect(doubt).toContain('Tasks of that worker may have computed meanwhile');
    expect(shareWords(advice, translate)[0]).toMatch(/^39 % computing \(another 40 % is in the costs of causes\)$/);
    expect(shareWords(advice, translate, new Set(['event-loop-blocked']))[1]).toMatch(/^5\d % in causes that are hidden$/);
  });

  it('are none either while they go on after it', () => {
    const rest = rows.filter(({ start }) => start < 2);
    const running = [0, 1].map(id => ({ id, start: 2, worker: 0 }));
    const [series, columns] = [until23(what.series ?? {}), until23(what.columns ?? {})];
    const run = made({ ...what, now: 23, rows: [...rest, ...others], running, series, columns });
    expect(adviceOf(run).verdicts.map(({ cause }) => cause)).toEqual(['event-loop-blocked']);
  });

  it('are what is in the costs, not cancelled tasks that ran at another time', () => {
    const running = [0, 1].map(id => ({ id, start: 2, worker: 0 }));
    const cancelled = SECONDS.map(second => (second > 22 ? 2 : 0));
    const series = { ...what.series, cancelled };
    const advice = adviceOf(made({ ...what, rows: [...rows.filter(({ start }) => start < 2), ...others], running, series }));
    expect(advice.verdicts.map(({ cause }) => cause)).toEqual(['event-loop-blocked']);
    expect([advice.computedInVain, advice.unrecordedInVain]).toEqual([expect.closeTo(40, 0), expect.closeTo(0, 1)]);
  });

  it('are stragglers where the worker began and ended others meanwhile', () => {
    const alive = [...tasks(0, 1, 20.4, 2), ...tasks(2, 40, 0.5, 2)];
    const advice = adviceOf(made({ ...what, rows: [...tasks(0, 4, 0.5), ...tasks(2, 4, 0.5), ...alive, ...others] }));
    expect(verdict(advice, 'straggler')).toMatchObject({ confidence: 'high', doubt: '' });
  });

  it('may be stragglers where another worker may have been the silent one', () => {
    const columns = { ...what.columns, assigned_min: all(0), assigned_max: all(1) };
    const found = verdict(adviceOf(made({ ...what, columns })), 'straggler');
    expect([found?.confidence, found?.doubt]).toEqual([
      'medium',
      'A worker sent no heartbeat meanwhile: whether these tasks computed, or its process stood still, is not known.'
    ]);
  });

  describe('may be stragglers, which is said,', () => {
    /** One thread of worker 0 has a long task, the other one had nothing after 2 s. */
    const own = [...tasks(0, 4, 0.5), ...tasks(2, 4, 0.5), ...tasks(0, 1, 20.4, 2), ...tasks(0, 4, 0.5, 22.4)];
    const columns = { ...what.columns, assigned_min: all(1), assigned_max: all(2) };
    const three = { executing: all(3), computing: all(3), assigned: all(3), processing: all(3) };
    const said = (more: Partial<Made>) => {
      const advice = adviceOf(made({ ...what, columns, series: three, ...more }));
      const { confidence, doubt } = verdict(advice, 'straggler') ?? {};
      return [confidence, doubt, verdict(advice, 'event-loop-blocked')?.sentence.includes('If its tasks stood still') ?? false];
    };
    const doubtful = [
      'medium',
      'A worker sent no heartbeat meanwhile: whether these tasks computed, or its process stood still, is not known.',
      false
    ];

    it('where a worker that has ended no task may be the silent one', () => {
      const running = [{ id: 0, start: 0.5, worker: 1, prefix: 1 }];
      expect(said({ rows: own, running })).toEqual(doubtful);
    });

    it('where another worker ended its last task meanwhile', () => {
      const ended = [1, 3].flatMap(lane => [...tasks(lane, 4, 0.5), ...tasks(lane, 1, 3, 2), ...tasks(lane, 4, 0.5, 22.4)]);
      expect(said({ rows: [...own, ...ended] })).toEqual(doubtful);
    });

    it('where they still run and another worker was the silent one, perhaps', () => {
      const running = [
        { id: 0, start: 2, worker: 0 },
        { id: 1, start: 0.5, worker: 1, prefix: 1 }
      ];
      const before = { rows: own.filter(({ start }) => start < 2), running };
      expect(said({ ...before, now: 23, series: until23(three), columns: until23(columns) })).toEqual(doubtful);
    });

    it('where the other worker was not heard of in the last seconds of it', () => {
      const ended = [1, 3].flatMap(lane => [...tasks(lane, 4, 0.5), ...tasks(lane, 1, 4, 2), ...tasks(lane, 4, 0.5, 22.4)]);
      const later = SECONDS.map(second => (second > 18 && second <= 22 ? second - 17.8 : 0.4));
      expect(said({ rows: [...own, ...ended], columns: { ...columns, unheard_min: later } })).toEqual(doubtful);
    });

    it('where a worker was lost meanwhile', () => {
      const lost = step(made({ ...what, rows: [...own, ...others], columns }), {
        time: EPOCH + 25,
        events: [
          { time: EPOCH + 22.5, action: 'remove-worker', topic: 'all', text: '{"worker": "tcp://w7", "processing-tasks": ["a"]}' }
        ]
      });
      expect(verdict(adviceOf(lost), 'straggler')?.doubt).toBe(doubtful[1]);
    });

    it('where results were written to disk meanwhile', () => {
      const spilled = SECONDS.map(second => (second > 22 ? 80_000_000 : 0));
      expect(said({ rows: [...own, ...others], series: { ...what.series, spilled } })).toEqual(doubtful);
    });
  });

  it('are of the silence where no worker is heard of, whichever had tasks', () => {
    const alone = [...rows, ...[1, 3].flatMap(lane => [...tasks(lane, 4, 0.5), ...tasks(lane, 6, 0.5, 22.4)])];
    const two = SECONDS.map(second => (second > 2 && second <= 22 ? 2 : 4));
    const columns = { ...what.columns, unheard_min: silent, assigned_min: all(0), assigned_max: all(1) };
    const series = { executing: two, computing: two, assigned: two, processing: two };
    const [first] = adviceOf(made({ ...what, rows: alone, series, columns })).verdicts;
    expect(first.sentence).toMatch(/^No worker answered for 20\.2 s .* If their tasks stood still, it costs 79 % of the time\.$/);
  });
});
