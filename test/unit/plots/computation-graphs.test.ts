import { beforeEach, describe, expect, it } from 'vitest';
import { formatWallClock, setNumberLocale } from '../../../src/base/format';
import type { Scalar } from '../../../src/feed/frame';
import { computations } from '../../../src/plots/tasks/computations';
import { frozen } from '../../../src/run/frozen';
import { Run } from '../../../src/run/run';
import { type graphsQuestion, readGraphs } from '../../../src/selectors/computations/graphs';
import { context } from './cluster';
import { compute, type Made } from './made-computations';

beforeEach(() => setNumberLocale('en'));

const MADE: Made = { id: 3, since: 1000, stop: 1010, cell: 4, of: { 0: { tasks: 6, done: 6 } } };

function run(submissions: number): Run {
  return submitted(compute(new Run(), [MADE]), submissions);
}

function submitted(made: Run, submissions: number, feed = 'made-up'): Run {
  const [{ values }] = made.computations.list;
  const columns = Object.fromEntries(Object.entries({ ...values, submissions }).map(([name, value]) => [name, [value]]));
  const topics = { computations: { columns: columns as never, scalars: { kept: 0, texts: [] } } };
  made.apply({ feed, epoch: 0, seq: submissions + 10, time: 1011, cursor: {}, names: {}, topics }, 1_011_000);
  return made;
}

const ANSWER: Scalar = {
  count: 3,
  most: { tasks: 4, graph: 2048, packing: null, reading: 0.5 },
  newest: {
    ...{ time: [1001.99, 1003, 1003.4], tasks: [1, 4, 1] },
    ...{ graph: [1024, 2048, 1024], packing: [null, null, null], reading: [0.001, 0.5, null] }
  }
};

const detail = (made: Run): ReturnType<NonNullable<typeof computations.detail>> =>
  computations.detail?.(made, '3', context()) ?? null;
const question = (made: Run): ReturnType<typeof graphsQuestion> => computations.asks?.(made, '3') ?? null;

describe('graphs of a computation', () => {
  it('are listed below the row, the newest first, with the extremes of all', () => {
    const made = run(3);
    expect(detail(made)?.facts).toEqual([['Graphs', '3']]);
    expect(question(made)).toMatchObject({ name: 'graphs', args: { computation: 3 } });
    question(made)?.take(ANSWER);
    expect(detail(made)?.title).toBe('Graphs of [4] total.compute()');
    expect(detail(made)?.facts).toEqual([['Graphs', '3']]);
    const lines = (detail(made)?.text ?? '').split('\n');
    expect(lines.map(line => line.trim().split(/ {2,}/))).toEqual([
      ['Read at', 'Tasks', 'Graph', 'Packing', 'Reading'],
      // In view above however many.
      ['largest', '4', '2.00 KiB', '–', '500 ms'],
      [`${formatWallClock(1003)}.4`, '1', '1.00 KiB', '–', '–'],
      [`${formatWallClock(1003)}.0`, '4', '2.00 KiB', '–', '500 ms'],
      [`${formatWallClock(1001)}.9`, '1', '1.00 KiB', '–', '1.00 ms']
    ]);
    // Columns are aligned.
    expect(new Set(lines.map(line => line.length)).size).toBe(1);
  });

  it('are read at seconds where a minute or more is between them', () => {
    const made = run(3);
    question(made)?.take({ ...(ANSWER as object), newest: { time: [1001.99, 1061.99, null] } } as Scalar);
    const lines = (detail(made)?.text ?? '').split('\n').slice(2);
    expect(lines.map(line => line.trim().split(/ {2,}/)[0])).toEqual(['–', formatWallClock(1061), formatWallClock(1001)]);
  });

  it('are asked for again only when there are more', () => {
    const made = run(3);
    question(made)?.take(ANSWER);
    expect(question(made)).toBeNull();
    submitted(made, 20_000);
    expect(question(made)?.about).toContain('20000');
    question(made)?.take({ ...(ANSWER as object), count: 20_000 } as Scalar);
    expect(detail(made)?.facts.slice(0, 2)).toEqual([
      ['Graphs', '20,000'],
      ['Listed', 'the newest 3']
    ]);
  });

  it('are known from some time on where an older version was replaced', () => {
    const made = run(5);
    question(made)?.take(ANSWER);
    expect(detail(made)?.facts.slice(0, 2)).toEqual([
      ['Graphs', '5'],
      ['Known', 'the newest 3 of 5']
    ]);
  });

  it('are not known where nobody can be asked, and are not asked for again', () => {
    const made = run(3);
    question(made)?.fail('A recording cannot be asked for this.');
    expect(detail(made)?.facts[1]).toEqual(['Each of them', 'not known: A recording cannot be asked for this.']);
    expect(question(made)).toBeNull();
    // Of another run with its number they are asked for.
    submitted(compute(made, [MADE], 1012, 'another'), 3, 'another');
    expect(question(made)).not.toBeNull();
  });

  it('are not asked for, nor taken, once another run has begun, whose computations have the same numbers', () => {
    const made = run(3);
    const paused = frozen(made);
    const [asked, late] = [question(paused), question(made)];
    expect([asked?.args, late?.args]).toEqual([{ computation: 3 }, { computation: 3 }]);
    submitted(compute(made, [MADE], 1012, 'another'), 3, 'another');
    expect(question(paused)).toBeNull();
    late?.take(ANSWER);
    asked?.fail('no answer');
    expect([paused, made].map(each => detail(each)?.facts)).toEqual([[['Graphs', '3']], [['Graphs', '3']]]);
  });

  it('need no list where there is one, which the columns have', () => {
    expect([detail(run(1)), question(run(1)), detail(new Run()), question(new Run())]).toEqual([null, null, null, null]);
  });

  it('are read from whatever an answer is', () => {
    for (const answer of [null, 3, 'x', [], {}, { most: 1, newest: {} }, { most: {}, newest: [] }] as Scalar[]) {
      expect(readGraphs(answer)).toBeNull();
    }
    const odd = readGraphs({ count: 'x', most: { tasks: -1 }, newest: { time: ['a', 5], tasks: [1, 2, 3] } });
    expect(odd).toMatchObject({ count: 0, most: { tasks: Number.NaN } });
    expect(odd?.newest.map(({ time, tasks, graph }) => [time, tasks, graph])).toEqual([
      [5, 3, Number.NaN],
      [Number.NaN, 2, Number.NaN]
    ]);
    const many = readGraphs({ count: 1, most: {}, newest: { time: Array.from({ length: 5000 }, () => 1) } });
    expect(many?.newest).toHaveLength(100);
  });
});
