/** A scheduler that did not answer: that time is its own, never idle, and costs nothing that is known. */
import { describe, expect, it } from 'vitest';
import { advise } from '../../../src/advice/advise';
import type { Rule } from '../../../src/advice/rule';
import { RULES } from '../../../src/advice/rules';
import { claimIn } from '../../../src/advice/spans';
import { shareWords } from '../../../src/advice/headline/shares';
import { NOTHING_SELECTED } from '../../../src/run/selection/selection';
import type { Row } from '../run/synthetic';
import { translate } from '../translate';
import { adviceOf, completed, EPOCH, gathersAt, type Made, made, tasks, verdict } from './made';

const LANES = [0, 1, 2, 3];
/** Topics of a scheduler that did not answer in some periods. */
const stopped = (...periods: readonly (readonly [number, number])[]): Made['topics'] => ({
  meta: { columns: {}, scalars: { unobserved: periods.map(([from, to]) => [EPOCH + from, EPOCH + to]) } }
});
const all = (count: number, from: number): Row[] => LANES.flatMap(lane => tasks(lane, count, 0.5, from));
const computation = (since: number, stop: number, more: Readonly<Record<string, number>> = {}) => ({
  ...{ since, last: since, start: since, stop, tasks: 80, done: 80, submissions: 1 },
  ...more
});

describe('time in which the scheduler did not answer', () => {
  /** Threads work for 10 s, nothing runs for 10 s although workers have tasks, and they work on. */
  const halted: Made = {
    rows: [...all(20, 0), ...all(20, 20)],
    now: 30,
    computations: [computation(0, 30)],
    series: { assigned: new Array<number>(31).fill(4), processing: new Array<number>(31).fill(8) }
  };

  it('is not counted, and said', () => {
    expect(verdict(adviceOf(made(halted)), 'late-start')?.cost.share).toBeCloseTo(1 / 3, 1);
    const advice = adviceOf(made({ ...halted, topics: stopped([10, 20]) }));
    expect(advice.verdicts).toEqual([
      expect.objectContaining({
        ...{ cause: 'late-event-loops', title: 'The scheduler did not answer', confidence: 'high', doubt: '' },
        cost: { seconds: 0, share: 0 }
      })
    ]);
    expect(advice).toMatchObject({ capacity: expect.closeTo(80, 0), threads: expect.closeTo(4, 2), pauses: 0 });
    expect(advice.unanswered).toBeCloseTo(10, 2);
    expect(advice.unexplained.share).toBeLessThan(0.01);
    expect(advice.headline).toBe(
      'The scheduler did not answer for 10.0 s while there was work: its event loop was blocked, or its process or its machine stood still. Threads that ran nothing then are not counted.'
    );
    expect(shareWords(advice, translate)).toContain('scheduler did not answer for 10.0 s');
  });

  it('is no verdict where nobody waited for an answer, or for a moment of a long time', () => {
    const ended = { ...halted, computations: [computation(0, 10), computation(20, 30)] };
    const advice = adviceOf(made({ ...ended, topics: stopped([10, 20]) }));
    expect(advice.verdicts).toEqual([]);
    expect(advice.headline).toBe(
      'The scheduler did not answer for 10.0 s: threads that ran nothing then are not counted. ' +
        'Nothing else wrong found: 99 % of thread time computing.'
    );
    const rows = [...all(200, 0), ...all(20, 106)];
    const long = adviceOf(made({ rows, now: 116, series: {}, computations: [computation(0, 116)], topics: stopped([100, 106]) }));
    expect([long.verdicts, long.unanswered]).toEqual([[], expect.closeTo(6, 1)]);
  });

  it('comes before what costs less, and says how often it was', () => {
    const rows = [...tasks(0, 20, 0.5), ...all(20, 20), ...all(20, 40)];
    const what = { rows, now: 50, series: {}, computations: [computation(0, 50)], topics: stopped([10, 20], [30, 40]) };
    const advice = adviceOf(made(what));
    expect(advice.verdicts.map(({ cause }) => cause)).toEqual(['late-event-loops', 'little-parallelism']);
    expect(advice.headline).toMatch(/^2 times, the scheduler did not answer while there was work, for 20\.0 s in all: /);
  });

  it('counts as computing where tasks went on', () => {
    const rows = [...(halted.rows ?? []), ...tasks(0, 8, 1, 10)];
    const advice = adviceOf(made({ ...halted, rows, topics: stopped([10, 20]) }));
    expect([advice.capacity, advice.parts.compute]).toEqual([expect.closeTo(88, 0), expect.closeTo(88, 0)]);
    expect(advice.verdicts.map(({ cause }) => cause)).toEqual(['late-event-loops']);
    expect(advice.unanswered).toBeCloseTo(10, 2);
  });

  it('leaves the number of threads what it was before, whatever went on', () => {
    const long = { ...halted, rows: [...all(40, 0), ...tasks(0, 1, 40, 20)], now: 60, series: {} };
    const what = made({ ...long, computations: [computation(0, 60)], topics: stopped([20, 60]) });
    expect(adviceOf(what)).toMatchObject({ capacity: expect.closeTo(120, 0), threads: expect.closeTo(4, 2) });
    expect(adviceOf(what, { from: 30, to: 50 }).threads, 'nothing else is known').toBeCloseTo(1, 2);
  });

  it('is said if it is a tenth of a period, of which work that went on is no more', () => {
    const rows = [...all(170, 0), ...tasks(0, 1, 10, 85)];
    const what = { ...halted, rows, now: 95, series: {}, computations: [computation(0, 95)] };
    expect(adviceOf(made({ ...what, topics: stopped([85, 95]) })).headline).toMatch(
      /^The scheduler did not answer for 10\.0 s while there was work: /
    );
  });

  it('makes a verdict doubtful of which too little is left, in a period that is not short', () => {
    const rows = tasks(0, 15, 0.1);
    const advice = adviceOf(
      made({ ...halted, rows, now: 20, series: {}, computations: [computation(0, 20)], topics: stopped([1.5, 20]) })
    );
    expect(verdict(advice, 'little-parallelism')).toMatchObject({
      confidence: 'low',
      doubt: 'Only 1.50 s of the period is counted.'
    });
  });

  it('is no pause of a user, and no lack of workers', () => {
    const computations = [computation(0, 10, { cell: 1 }), computation(20, 30, { cell: 2 })];
    const threads = Array.from({ length: 31 }, (_, time) => (time >= 10 && time < 20 ? 0 : 4));
    const advice = adviceOf(made({ ...halted, computations, series: { threads }, topics: stopped([10, 20]) }));
    expect(advice).toMatchObject({ pauses: 0, workerless: 0, unanswered: expect.closeTo(10, 2) });
    // Before and after it, the user may have looked at something.
    const long = { ...halted, rows: [...all(20, 0), ...all(20, 60)], now: 70, series: {} };
    const paused = adviceOf(
      made({ ...long, computations: [computation(0, 10), computation(60, 70)], topics: stopped([20, 30]) })
    );
    expect(paused).toMatchObject({ pauses: expect.closeTo(40, 1), unanswered: expect.closeTo(10, 1) });
    expect(paused.capacity).toBeCloseTo(80, 0);
  });

  it('is all that is said of itself', () => {
    const { headline, capacity } = adviceOf(made({ ...halted, topics: stopped([10, 20]) }), { from: 12, to: 18 });
    expect([headline, capacity]).toEqual([
      'The scheduler did not answer for 6.00 s while there was work: its event loop was blocked, or its process or its machine stood still. Threads that ran nothing then are not counted.',
      0
    ]);
  });

  it('makes no client slow, whose rounds it was between', () => {
    const begins = [0, 1, 2, 3, 12, 13, 14, 15];
    const events = gathersAt(begins.map(begin => begin + 0.51));
    const what = {
      rows: begins.flatMap(begin => all(1, begin)),
      now: 15.6,
      computations: begins.map(begin => computation(begin, begin + 0.5, { tasks: 4, done: 4 }))
    };
    const loop = adviceOf(made({ ...what, topics: { events } }));
    const found = adviceOf(made({ ...what, topics: { ...stopped([3.6, 11.9]), events } }));
    const seconds = [loop, found].map(each => verdict(each, 'client-waits')?.cost.seconds);
    expect(seconds).toEqual([expect.closeTo(4 * 11.5, -0.7), expect.closeTo(4 * 3, -0.7)]);
  });
});

describe('a scheduler that answered late at other times', () => {
  const seconds = Array.from({ length: 51 }, (_, second) => second);
  const run = made({
    ...{ rows: [...all(20, 0), ...all(20, 40)], now: 50, computations: [computation(0, 50)], topics: stopped([10, 20]) },
    series: { assigned: seconds.map(() => 4), processing: seconds.map(() => 8) },
    columns: { scheduler_tick: seconds.map(second => (second > 20 && second <= 40 ? 0.3 : 0.02)) }
  });
  const late = RULES.filter(each => each.cause === 'late-event-loops');
  const said = (rules: readonly Rule[]) => advise(completed(run), null, translate, { rules }).verdicts.map(({ title }) => title);

  it('is said to, unless other causes have that time', () => {
    expect(said(late)).toEqual(['The scheduler answers late']);
    const other: Rule = {
      ...late[0],
      ...{ cause: 'between-tasks', title: () => 'Other', unknown: () => null },
      find: facts => ({
        ...{ claims: [claimIn(facts, [facts.period], ['overhead', 'quiet'])], confidence: 'high', sentence: () => '' },
        evidence: { selection: NOTHING_SELECTED, plot: '', figures: [] }
      })
    };
    expect(said([other, ...late])).toEqual(['Other', 'The scheduler did not answer']);
  });
});

describe('a scheduler that did not answer is no verdict', () => {
  const every = (length: number, count: number): readonly number[] => Array.from({ length: count }, (_, k) => k * length);
  const cause = (what: Made) => verdict(adviceOf(made({ ...what, series: {} })), 'late-event-loops');

  it('where the last task ended as it began', () => {
    const rows = [...all(20, 0), ...all(20, 20)];
    const computations = [computation(0, 10), computation(20, 30)];
    expect(cause({ rows, now: 30, computations, topics: stopped([9.8, 20.1]) })).toBeUndefined();
  });

  it('between rounds of one cell, where the notebook itself kept the scheduler from answering', () => {
    const begins = every(14, 10);
    const rows = begins.flatMap(begin => all(16, begin));
    const computations = [computation(0, 134, { last: 126, submissions: 10 })];
    const gaps = begins.slice(0, 9).map(begin => [begin + 7.8, begin + 14] as const);
    expect(cause({ rows, now: 134, computations, topics: stopped(...gaps) })).toBeUndefined();
    // A task that ran meanwhile shows that there was work.
    const more = begins.map(begin => ({ lane: 0, prefix: 0, start: begin + 8, duration: 3, nbytes: 100 }));
    expect(cause({ rows: [...rows, ...more], now: 134, computations, topics: stopped(...gaps) })).toBeDefined();
  });

  it('while the client packed a graph', () => {
    const rows = [...all(20, 0), ...all(20, 20)];
    const packed = (packing: number) => [computation(0, 10), computation(20, 30, { begun: EPOCH + 10, packing })];
    const found = (packing: number) => cause({ rows, now: 30, computations: packed(packing), topics: stopped([9.9, 20.1]) });
    expect([found(9.9), found(0.1)?.title]).toEqual([undefined, 'The scheduler did not answer']);
  });

  it('while it read graphs, of which the time is known in part', () => {
    const rows = [...all(40, 13), ...all(20, 40)];
    // It takes tasks over after the moment that is known of the graph.
    const large = computation(8, 50, { last: 8, reading: 10 });
    const known = (...periods: readonly (readonly [number, number])[]) => ({ rows, now: 50, topics: stopped(...periods) });
    expect(cause({ ...known([2.9, 13.1]), computations: [large] })).toBeUndefined();
    const many = computation(0, 50, { last: 45, reading: 48, submissions: 8 });
    expect(cause({ ...known([3, 9], [33, 39.5]), computations: [many] })).toBeUndefined();
    // What is said of others is without the time of those.
    const found = cause({ ...known([2.9, 13.1], [34, 40]), computations: [large] });
    expect(found?.sentence).toMatch(/^The scheduler did not answer for 6\.00 s while there was work/);
    expect(found?.evidence.figures.map(({ value }) => value)).toEqual([1, expect.closeTo(6, 3), expect.closeTo(6, 3)]);
    expect(found?.evidence.selection.period).toEqual({ from: EPOCH + 34, to: EPOCH + 40 });
  });
});
