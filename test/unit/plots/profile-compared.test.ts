import { describe, expect, it } from 'vitest';
import { optionsOf } from '../../../src/plot/options';
import type { PlotContext } from '../../../src/plot/plot';
import { profile } from '../../../src/plots/time/profile';
import { profileServer } from '../../../src/plots/time/profile-server';
import type { Run } from '../../../src/run/run';
import { readSelection, writeSelection } from '../../../src/run/selection/saved-selection';
import { NOTHING_SELECTED, type Period, type Selection, selectionOf } from '../../../src/run/selection/selection';
import { comparisonOf, differenceOf, differenceStep, differenceWords, points } from '../../../src/selectors/profile/compared';
import { comparedFolds } from '../../../src/selectors/profile/profile-folds';
import { EXAMPLE, fn, type Made, profileBody } from '../run/profile-body';
import { randomOf } from '../run/synthetic';
import { cluster, context } from './cluster';
import { compute } from './made-computations';

function runOf(made: Made = EXAMPLE): Run {
  const run = cluster({
    workers: [
      { name: 'alice', address: 'tcp://a:1' },
      { name: '<b>bob</b>', address: 'tcp://b:2' }
    ]
  });
  run.profile.apply(profileBody(made));
  return run;
}

const chosen = (options: Record<string, string>, selection: Partial<Selection> = {}): PlotContext => ({
  ...context({ options }),
  saved: { selection: writeSelection({ ...NOTHING_SELECTED, ...selection }) }
});
const title = (run: Run, context: PlotContext): string =>
  profile
    .titleLine(run, context)
    .map(part => part.text)
    .join(' · ');
const rows = (run: Run, context: PlotContext): string[] =>
  profile.table(run, context).rows.map(({ cells }) => cells.map(cell => cell.text).join(' '));
const BOB = { worker: 'tcp://b:2', against: 'rest' };
const LAST = { from: 1002, to: 1004 };

describe('two periods', () => {
  const FIRST: Period = { from: 1000, to: 1002 };
  const against = (period: Period): string => `period ${period.from} ${period.to}`;

  it('are picked one after the other: the one that is selected is kept, then another is selected', () => {
    const run = runOf();
    const kept = (): string[] =>
      optionsOf(profile, run, {})
        .find(({ id }) => id === 'against')
        ?.choices.map(({ value }) => value)
        .filter(value => value.startsWith('period')) ?? [];
    expect(kept()).toEqual([]);
    selectionOf(run).select({ period: FIRST });
    expect(kept()).toEqual([against(FIRST)]);
    const options = { against: against(FIRST) };
    // As long as the same period is selected, there is nothing to compare.
    expect(profile.notes(run, chosen(options, { period: FIRST }))).toEqual([
      'not compared with the period 0:00.0 – 0:02.0: select another period'
    ]);
    expect(title(run, chosen(options, { period: LAST }))).toBe(
      'B: what is selected, 50 samples · A: the period 0:00.0 – 0:02.0, 50 samples'
    );
    expect(title(run, chosen(options))).toContain('B: all, 100 samples · A: the period');
    // The menu goes on to name it, also while another one, or none, is selected.
    selectionOf(run).select({ period: LAST });
    const shown = optionsOf(profile, run, options).find(({ id }) => id === 'against')?.choices;
    expect(shown?.find(({ value }) => value === options.against)?.label).toBe('0:00.0 – 0:02.0');
  });

  it('are none where a saved one is damaged', () => {
    const run = runOf();
    for (const value of ['period', 'period 2 1', 'period x 3', 'period 1', 'period 1 Infinity x']) {
      const [note] = profile.notes(run, chosen({ against: value }, { period: LAST }));
      expect(note, value).toContain('not compared');
    }
    // In another run it has no samples.
    expect(profile.notes(run, chosen({ against: 'period 1 2' }, { period: LAST }))[0]).toContain('A has no samples');
  });
});

describe('a profile that is compared', () => {
  it('has the share of each function in both, and the difference with its sign', () => {
    const run = runOf();
    expect(title(run, chosen(BOB))).toBe('B: what is selected, 50 samples · A: all other samples, 50 samples');
    expect(rows(run, chosen(BOB))).toEqual([
      'fit /tmp/ipykernel_12/1.py 1 20 % 0 % 20 % 100 % +80',
      'one of several callees   0 % 60 % 0 % 60 % +60',
      'load /env/lib/python3.12/site-packages/pandas/io.py 1 80 % 40 % 80 % 40 % −40',
      'main /home/me/main.py 1 0 % 0 % 100 % 100 % ±0'
    ]);
    expect(profile.summary(run, chosen(BOB))).toBe(
      'Profile compared with all other samples. More in B: fit +80 points. Less in B: load −40 points.'
    );
    expect(profile.legend(run, chosen(BOB)).map(({ label, pattern }) => [label, pattern])).toEqual([
      ['+ more in B', 'none'],
      ['about equal', 'none'],
      ['− less in B', 'diagonal']
    ]);
    expect(profile.notes(run, chosen(BOB))).toEqual([
      'shares are compared, each of its own samples, whatever their numbers; boxes are as wide as the mean of both'
    ]);
    expect(profile.notes(run, chosen({ ...BOB, arrangement: 'sandwich' })).at(-1)).toBe('compared with callers on top');
  });

  it('compares periods, computations, functions and workers, in one thing', () => {
    const run = runOf();
    run.apply(
      {
        ...{ feed: 'made-up', epoch: 0, seq: 99, time: 1100, cursor: {}, names: {} },
        topics: {
          computations: {
            columns: Object.fromEntries(
              Object.entries({ id: 7, tasks: 1, start: 1000, stop: 1001 }).map(([name, value]) => [name, Float64Array.of(value)])
            ),
            scalars: { first: 0 }
          }
        }
      },
      0
    );
    const samples = (options: Record<string, string>, selection: Partial<Selection> = {}): string =>
      title(run, chosen(options, selection));
    expect(samples({ against: 'before' }, { period: LAST })).toBe(
      'B: what is selected, 50 samples · A: the time before, 50 samples'
    );
    expect(samples({ against: 'function train', prefix: 'read' })).toBe('B: what is selected, 40 samples · A: train, 60 samples');
    expect(samples({ against: 'worker tcp://b:2' }, { workers: ['tcp://a:1'] })).toBe(
      'B: what is selected, 50 samples · A: <b>bob</b>, 50 samples'
    );
    const choices = profile.options?.find(({ id }) => id === 'against')?.found?.(run) ?? [];
    expect(choices.map(({ value }) => value)).toEqual([
      ...run.computations.list.map(({ id }) => `computation ${id}`),
      ...['function read', 'function train', 'worker tcp://a:1', 'worker tcp://b:2']
    ]);
    expect(choices[0]?.value).toBe('computation 7');
    expect(samples({ against: 'computation 7' }, { period: LAST })).toBe(
      'B: what is selected, 50 samples · A: the time of computation #7, 40 samples'
    );
  });

  it('names a computation as the list of computations does, and B what it is', () => {
    const run = runOf();
    compute(run, [
      {
        ...{ id: 7, since: 1000, stop: 1001, cell: 4, code: 'x = 1\ntotal.compute()', line: 2 },
        of: { 0: { tasks: 1, done: 1 } }
      }
    ]);
    const against = { against: 'computation 7' };
    expect(title(run, chosen(against))).toMatch(/^B: all, .* · A: the time of \[4\] total\.compute\(\), .*$/);
    expect(title(run, chosen(against, { period: LAST }))).toMatch(/^B: what is selected, /);
    const choices = profile.options?.find(({ id }) => id === 'against')?.found?.(run) ?? [];
    expect(choices[0].label).toBe('#7 [4] total.compute()');
  });

  it('says why it compares nothing, and then shows the samples', () => {
    const run = runOf();
    for (const [options, selection, reason] of [
      [{ against: 'before' }, {}, 'not compared with the time before: select a period first'],
      [{ against: 'rest' }, {}, 'not compared with all other samples: A has no samples'],
      [{ ...BOB, prefix: 'gone' }, {}, 'not compared with all other samples: B has no samples'],
      [{ against: 'before' }, { period: { from: 900, to: 1001.2 } }, 'not compared with the time before: A has no samples'],
      [{ against: 'function gone' }, {}, 'not compared with gone: A has no samples'],
      [{ against: 'computation 99' }, {}, 'not compared with the time of computation #99: it is not known any more'],
      [{ against: 'odd <b>' }, {}, 'not compared with <b>: it is not known any more']
    ] as const) {
      const context = chosen(options, selection);
      expect(profile.notes(run, context), options.against).toEqual([reason]);
      expect(title(run, context)).toContain(' samples · ');
      expect(profile.table(run, context).columns[3].id).toBe('own');
    }
    expect(profile.notes(runOf({}), chosen({ against: 'rest' }))).toEqual([]);
    // Event loops have no functions of tasks, so they do not offer it.
    expect(profileServer.notes(run, chosen({ against: 'rest' }))).toEqual([]);
  });

  it('takes a computation in progress until now, and says where nothing of one has run', () => {
    const run = runOf();
    const ran = { tasks: 2, left: 1, done: 1 };
    compute(run, [
      { ...{ id: 7, since: 1000, stop: 1001, cell: 4, code: 'x' }, of: { 0: ran } },
      { ...{ id: 8, since: 1003.5, cell: 5, code: 'y' }, of: { 0: { ...ran, done: 0 } } }
    ]);
    run.clock.observe(1100, 0);
    expect(title(run, chosen({ against: 'computation 7', prefix: 'train' }))).toContain('A: the time of [4] x, 60 samples');
    // Of the samples nothing is counted again with the next frame.
    const folds = (): unknown =>
      comparisonOf(run.profile, run, { against: 'computation 7', prefix: 'train' }, NOTHING_SELECTED, context().trans)?.folds;
    const before = folds();
    expect(before).not.toBeNull();
    run.clock.observe(1101, 0);
    expect(folds()).toBe(before);
    compute(run, [{ ...{ id: 9, since: 1003.5, cell: 6, code: 'z' }, of: { 0: { tasks: 1 } } }]);
    expect(profile.notes(run, chosen({ against: 'computation 9' }))).toEqual([
      'not compared with the time of [6] z: A has no samples'
    ]);
  });

  it('says where both are the same', () => {
    const run = runOf();
    const both = 'both are the same samples';
    expect(profile.notes(run, chosen({ against: 'function read', prefix: 'read' }))).toEqual([`not compared with read: ${both}`]);
    expect(profile.notes(run, chosen({ against: 'worker tcp://b:2', worker: 'tcp://b:2' }))).toEqual([
      `not compared with <b>bob</b>: ${both}`
    ]);
    compute(run, [{ ...{ id: 7, since: 1000, stop: 1001, cell: 4, code: 'x' }, of: { 0: { tasks: 1, done: 1 } } }]);
    expect(profile.notes(run, chosen({ against: 'computation 7' }, { period: { from: 1000, to: 1001 } }))).toEqual([
      `not compared with the time of [4] x: ${both}`
    ]);
  });

  it('shows names as text, whatever is in them', () => {
    const name = ' <img src=x> %1 %2  computation 7\n\u202egnp ';
    const run = runOf({ ...EXAMPLE, prefixes: [name, 'train'], frames: [fn('main'), fn(name), fn('fit')] });
    const context = chosen({ against: `function ${name}`, prefix: 'train' });
    const { notes, titleLine, table, summary } = profile;
    const words = [...notes(run, context), ...titleLine(run, context).map(({ text }) => text), summary(run, context)].join('|');
    expect(titleLine(run, context)[1].text).toMatch(/<img src=x> %1 %2 .*computation 7.*, 40 samples$/);
    expect(words).not.toMatch(/[\n\u202e]/);
    expect(
      table(run, context)
        .rows.flatMap(({ cells }) => cells.map(({ text }) => text))
        .join('|')
    ).not.toMatch(/[\n\u202e]/);
  });

  it.each([1, 2, 3])('adds up, whatever the numbers of samples (seed %s)', seed => {
    const random = randomOf(seed);
    const below = (n: number): number => Math.floor(random() * n);
    const run = runOf({
      frames: [fn('a'), fn('b'), fn('c')],
      prefixes: ['read', 'train'],
      stacks: Array.from({ length: 40 }, (_, i) => [below(i + 1), below(4)] as const),
      rows: Array.from({ length: 60 }, () => [1000 * (1 + below(4)), 1 + below(2), below(2), below(41), 1 + below(900)] as const)
    });
    const folds = comparedFolds(run.profile, { workers: [1] }, 'rest');
    expect(folds.mean.total[0]).toBeCloseTo(1, 9);
    expect(folds.a.total[0] + folds.b.total[0]).toBe(run.profile.fold().total[0]);
    expect(differenceOf(folds, 0)).toBeCloseTo(0, 9);
    for (let stack = 1; stack < run.profile.stacks; stack++) {
      const other = run.profile.fold({ workers: [2] });
      expect(folds.a.total[stack]).toBe(other.total[stack]);
      const mean = other.total[stack] / other.total[0] / 2 + folds.b.total[stack] / folds.b.total[0] / 2;
      expect(folds.mean.total[stack]).toBeCloseTo(mean, 9);
    }
    // The same object, so that the picture is not made again.
    expect(comparedFolds(run.profile, { workers: [1] }, 'rest')).toBe(folds);
  });

  it('does not take its own selection for a comparison', () => {
    const run = runOf();
    const trans = context().trans;
    expect(comparisonOf(run.profile, run, {}, readSelection(''), trans)).toBeNull();
    expect([0.004, 0.005, -0.03, 0.5, -1].map(differenceStep)).toEqual([0, 1, -2, 3, -3]);
    expect([0.004, -0.004, 0.12, -0.126].map(points)).toEqual(['±0', '±0', '+12', '−13']);
    expect([0.011, -0.12, 0].map(each => differenceWords(each, trans).split(':')[0])).toEqual([
      '+1 point',
      '−12 points',
      '±0 points'
    ]);
  });
});
