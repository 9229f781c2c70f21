/** First tasks of each worker that take longer, since something is imported, compiled or loaded. */
import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../../src/advice/advice';
import type { Row } from '../run/synthetic';
import { adviceOf, EPOCH, type Made, made, tasks } from './made';

/** Of each of four lanes the first task, then twenty of 0.1 s. */
const rows = (first: readonly number[], more: Partial<Row> = {}): Row[] =>
  first.flatMap((duration, lane) => [{ lane, start: 0, duration, nbytes: 100, ...more }, ...tasks(lane, 20, 0.1, duration)]);

function verdicts(what: Made, period: Parameters<typeof adviceOf>[1] = null): readonly Verdict[] {
  return adviceOf(made({ now: 10, ...what }), period).verdicts;
}

const causes = (list: readonly Verdict[]): string[] => list.map(({ cause }) => cause);

describe('first tasks that take longer on each worker', () => {
  // Threads of a worker wait for the same, and end about when it does.
  const cold = rows([3, 3.1, 3.02, 2.9]);

  it('cost by how much, and are named', () => {
    const [one, ...others] = verdicts({ rows: cold });
    expect([one.cause, others]).toEqual(['late-start', []]);
    expect(one.title).toBe('The first tasks of workers take longer');
    expect(one.sentence).toContain('The first tasks of load on 2 workers took 3.01 s, later ones 100 ms');
    expect(one.cost.seconds).toBeCloseTo(3 + 3.1 + 3.02 + 2.9 - 4 * 0.1, 1);
    expect(one.evidence.selection.rows?.numbers).toHaveLength(4);
    expect(one.evidence.selection.period).toEqual({ from: EPOCH, to: EPOCH + 3.1 });
  });

  it('are no long tasks for which data should be divided, where others wait for them', () => {
    // Lane 0 has done its own before, and has nothing left while the first task of lane 1 runs.
    const late = [
      { lane: 0, start: 0, duration: 3 },
      ...tasks(0, 20, 0.1, 3),
      { lane: 1, start: 3, duration: 3 },
      ...tasks(1, 2, 0.1, 6)
    ];
    const [one, ...others] = verdicts({ rows: late, threads: 1 });
    expect([one.cause, others]).toEqual(['late-start', []]);
    // The other thread had nothing to do before 3 s and after 5 s.
    expect(one.cost.seconds).toBeCloseTo(2 * 2.9 + 3 + 1, 1);
  });

  it('cost what others wait for them, and not for a long task later', () => {
    const first = [
      { lane: 0, start: 0, duration: 3 },
      ...tasks(0, 20, 0.1, 3),
      { lane: 1, start: 3, duration: 3 },
      ...tasks(1, 20, 0.1, 6)
    ];
    const long = [...[0, 1].flatMap(lane => tasks(lane, 20, 0.1, 8, 0, 1)), { lane: 0, prefix: 1, start: 10, duration: 4 }];
    const list = verdicts({ rows: [...first, ...long], threads: 1, now: 14 });
    expect(causes(list)).toEqual(['late-start', 'straggler']);
    expect(list[0].cost.seconds).toBeCloseTo(2 * 2.9 + 3 + 1, 1);
    expect(list[1].sentence).toMatch(/^A task of sum took 4\.00 s, 40 times/);
    expect(list[1].cost.seconds).toBeCloseTo(4, 1);
  });

  it.each<[string, Made]>([
    ['one worker begins at once', { rows: rows([3, 0.1, 3, 0.1]) }],
    ['there is one worker', { rows: cold, workers: 1, threads: 4 }],
    ['later ones take as long', { rows: [...cold, ...[0, 1, 2, 3].flatMap(lane => tasks(lane, 2, 2, 6))] }],
    ['they have larger results', { rows: rows([3, 3.1, 3.02, 2.9], { nbytes: 1000 }) }],
    ['all are of functions without a name', { rows: cold, functions: ['lambda'] }],
    [
      'later ones are of another computation',
      { rows: cold, computations: [{ since: 0, last: 0, start: 0, stop: 3.1, tasks: 4, done: 4 }] }
    ],
    ['they take a moment', { rows: rows([0.9, 0.9, 0.9, 0.9]) }],
    [
      'they take a few times as long',
      { rows: [0, 1, 2, 3].flatMap(lane => [{ lane, start: 0, duration: 2 }, ...tasks(lane, 9, 0.5, 2)]) }
    ]
  ])('are not seen where %s', (_, what) => {
    expect(causes(verdicts(what))).not.toContain('late-start');
  });

  it('are none where the next ones of each thread take as long: these were submitted first', () => {
    const two = [0, 1, 2, 3].flatMap(lane => [...tasks(lane, 2, 1.2), ...tasks(lane, 24, 0.1, 2.4)]);
    expect(causes(verdicts({ rows: two, now: 5 }))).toEqual([]);
    const one = [0, 1, 2, 3].flatMap(lane => [...tasks(lane, 1, 1.2), ...tasks(lane, 36, 0.1, 1.2)]);
    expect(causes(verdicts({ rows: one, now: 5 }))).toEqual(['late-start']);
  });

  it('are seen after much other work, too', () => {
    const other = [0, 1, 2, 3].flatMap(lane => tasks(lane, 600, 0.03, 0, 0, 1));
    const later = cold.map(row => ({ ...row, start: row.start + 30 }));
    expect(causes(verdicts({ rows: [...other, ...later], now: 40 }, { from: 29, to: 40 }))).toEqual(['late-start']);
  });

  it('are those of the whole run: later work has none', () => {
    const again = [0, 1, 2, 3].flatMap(lane => [{ lane, start: 20, duration: 3 }, ...tasks(lane, 20, 0.1, 23)]);
    expect(causes(verdicts({ rows: [...cold, ...again], now: 30 }, { from: 19, to: 30 }))).not.toContain('late-start');
  });

  it('are no tasks that ran until the cluster was restarted, which leave no execution', () => {
    const on = Array.from({ length: 55 }, (_, i) => (i < 30 || i >= 34 ? 4 : 0));
    const of = (computing: readonly number[]): readonly string[] =>
      causes(
        verdicts({
          now: 54,
          rows: [0, 1, 2, 3].flatMap(lane => tasks(lane, 40, 0.5, 34, 0.001)),
          series: {
            threads: on.map((_, i) => (i >= 31 && i < 33 ? 0 : 4)),
            assigned: on,
            processing: on,
            executing: computing,
            computing,
            cancelled: on.map(() => 0)
          },
          computations: [
            { since: 0, last: 0, tasks: 4, dropped: 4, submissions: 1 },
            { since: 34, last: 34, start: 34, stop: 54, tasks: 160, done: 160, submissions: 1, compute: 80 }
          ]
        })
      );
    expect(of(on)).not.toContain('late-start');
    // Where no heartbeat reports one that runs, they did start late.
    expect(of(on.map((threads, i) => (i < 30 ? 0 : threads)))).toContain('late-start');
  });
});
