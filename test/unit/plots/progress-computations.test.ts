import { beforeEach, describe, expect, it } from 'vitest';
import { formatCount, setNumberLocale } from '../../../src/base/format';
import { progress } from '../../../src/plots/tasks/progress';
import { memoryText } from '../../../src/plots/tasks/progress/bars';
import { clearHistory } from '../../../src/run/cleared';
import { frozen } from '../../../src/run/frozen';
import type { Run } from '../../../src/run/run';
import { selectionOf } from '../../../src/run/selection/selection';
import { presentCounts } from '../../../src/selectors/computations/counts';
import { presentTotals } from '../../../src/selectors/tasks/work-order';
import { cluster, context, type Prefix, step } from './cluster';
import { compute, type Made } from './made-computations';

beforeEach(() => setNumberLocale('en'));

const title = (run: Run, options = {}): string[] => progress.titleLine(run, context({ options })).map(({ text }) => text);
const rows = (run: Run, options = {}): Record<string, string>[] => {
  const { columns, rows } = progress.table(run, context({ options }));
  return rows.map(({ cells }) => Object.fromEntries(columns.map(({ id }, i) => [id, cells[i].text])));
};

/** Two functions that ran before: 100 tasks of each, 60 results of the first in memory. */
const BEFORE: Prefix[] = [
  { name: 'inc', released: 40, memory: 60, since: 10, until: 20 },
  { name: 'add', forgotten: 100, since: 10, until: 20 }
];

describe('progress of computations', () => {
  it('counts the tasks of the one in progress, and none from before', () => {
    const run = cluster({
      time: 1000,
      prefixes: [
        {
          ...{ name: 'inc', released: 40, memory: 65, processing: 4, queued: 3, waiting: 8, since: 990 },
          ...{ done_before: 100, memory_before: 60 }
        },
        BEFORE[1]
      ]
    });
    compute(run, [
      { id: 0, since: 10, stop: 20, of: { 0: { tasks: 100, done: 100 }, 1: { tasks: 100, done: 100 } } },
      { id: 1, since: 990, cell: 6, of: { 0: { tasks: 22, left: 15, dropped: 1, failed: 1, done: 5 } } }
    ]);
    expect(title(run)).toEqual([
      '5 / 21 done',
      '1 erred',
      '4 processing',
      '3 queued',
      '8 waiting',
      '5 in memory',
      '[6] total.compute()'
    ]);
    expect(rows(run)).toEqual([
      expect.objectContaining({ function: 'inc', done: '5', all: '21', erred: '1', memory: '5', released: '0', waiting: '8' })
    ]);
    // The card and the sidebar count the same.
    expect(presentTotals(run)).toMatchObject({ done: 5, all: 21, erred: 1, active: 15 });
    expect(progress.notes(run, context())).toEqual([]);
    expect(rows(run, { unit: 'functions' }).map(row => row.function)).toEqual(['inc', 'add']);
    expect(title(run, { unit: 'functions' })).not.toContain('[6] total.compute()');
  });

  it('shows the tasks of a computation whose functions have no counts any more, as in the title', () => {
    const run = cluster({ time: 1000, prefixes: [{ name: 'inc', since: 990, until: 995 }] });
    compute(run, [{ id: 1, since: 990, stop: 995, of: { 0: { tasks: 12, done: 12 } } }]);
    expect(title(run)[0]).toBe('12 / 12 done');
    expect(rows(run)).toEqual([expect.objectContaining({ function: 'inc', all: '12' })]);
    expect(progress.empty(run, context())).toBeNull();
  });

  it('begins at zero with a second run of the same cell, whatever is left of the first', () => {
    const run = cluster({ time: 1000, prefixes: [{ ...BEFORE[0], processing: 4, waiting: 96, done_before: 100, since: 999 }] });
    compute(run, [
      { id: 0, since: 10, stop: 20, cell: 6, of: { 0: { tasks: 100, done: 100 } } },
      { id: 1, since: 999, cell: 7, of: { 0: { tasks: 100, left: 100 } } }
    ]);
    expect(title(run)[0]).toBe('0 / 100 done');
    expect(title(run).at(-1)).toBe('[7] total.compute()');
  });

  it('adds those in progress at the same time, and says of results only what is sure', () => {
    const both = [{ name: 'inc', memory: 70, processing: 10, waiting: 20, since: 990 }];
    const run = compute(cluster({ time: 1000, prefixes: both }), [
      { id: 0, since: 990, of: { 0: { tasks: 50, left: 20, done: 30 } } },
      { id: 1, since: 995, of: { 0: { tasks: 50, left: 10, done: 40 } } }
    ]);
    expect(title(run)).toEqual(['70 / 100 done', '10 processing', '20 waiting', '70 in memory', '2 computations']);
    // The first is over: of the results in memory, up to all of the second may be its own.
    step(run, { time: 1001, prefixes: [{ name: 'inc', memory: 60, released: 30, processing: 10, since: 990 }] });
    compute(
      run,
      [
        { id: 0, since: 990, stop: 1000, of: { 0: { tasks: 50, done: 50 } } },
        { id: 1, since: 995, of: { 0: { tasks: 50, left: 10, done: 40 } } }
      ],
      1001
    );
    expect(title(run)).toEqual(['40 / 50 done', '10 processing', '≤ 40 in memory', 'total.compute()']);
    expect(rows(run)).toEqual([expect.objectContaining({ done: '40', memory: '≤ 40' })]);
    // Of none, none may be of others.
    expect(memoryText({ memory: 0, memoryKnown: false }, formatCount)).toBe('0');
  });

  it('counts the newest, too, when it is over before an older one', () => {
    const run = cluster({
      time: 1000,
      prefixes: [
        { name: 'wait', processing: 1, since: 900 },
        { name: 'inc', memory: 10, since: 995, until: 996 }
      ]
    });
    compute(run, [
      { id: 0, since: 900, of: { 0: { tasks: 1, left: 1 } } },
      { id: 1, since: 950, stop: 951, of: { 1: { tasks: 7, done: 7 } } },
      { id: 2, since: 995, stop: 996, of: { 1: { tasks: 10, done: 10 } } }
    ]);
    expect(title(run)[0]).toBe('10 / 11 done');
    expect(title(run).at(-1)).toBe('2 computations');
    expect(rows(run).map(row => [row.function, row.done, row.all])).toEqual([
      ['wait', '0', '1'],
      ['inc', '10', '10']
    ]);
  });

  it('stays at the last one when all is over', () => {
    const done = [{ name: 'inc', memory: 5, forgotten: 5, since: 990, until: 999 }];
    const run = compute(cluster({ time: 1000, prefixes: done }), [
      { id: 0, since: 990, stop: 999, cell: 3, of: { 0: { tasks: 10, done: 10 } } },
      { id: 1, since: 999, of: {} }
    ]);
    expect(title(run)).toEqual(['10 / 10 done', '5 in memory', '[3] total.compute()']);
  });

  it('forgets errors that were tried again with success', () => {
    const done = (erred: number): Prefix[] => [{ name: 'inc', memory: 10 - erred, erred, since: 990, until: 999 }];
    const made: Made[] = [{ id: 0, since: 990, stop: 995, of: { 0: { tasks: 10, failed: 2, done: 10 } } }];
    expect(title(compute(cluster({ time: 1000, prefixes: done(2) }), made))).toContain('2 erred');
    expect(title(compute(cluster({ time: 1000, prefixes: done(0) }), made))[0]).toBe('10 / 10 done');
  });

  it('goes back to episodes where tasks belong to no computation, or not all are known, and says so', () => {
    const again = [{ name: 'inc', memory: 8, processing: 2, since: 990 }];
    const ended: Made = { id: 0, since: 990, stop: 995, of: { 0: { tasks: 10, done: 10 } } };
    // Results that were lost are computed again.
    const lost = compute(cluster({ time: 1000, prefixes: again }), [ended]);
    expect(title(lost)[0]).toBe('8 / 10 done');
    expect(progress.notes(lost, context())).toEqual(['since the last idle time: tasks in progress belong to no computation']);
    // Counts of functions come a moment later: this is no reason.
    const late = compute(cluster({ time: 995.5, prefixes: again }), [ended], 995.5);
    expect(title(late)[0]).toBe('10 / 10 done');
    const many = compute(cluster({ time: 1000, prefixes: again }), [{ ...ended, unfollowed: 3 }]);
    step(many, { prefixes: [{ name: 'inc', memory: 10, since: 990, until: 995 }] });
    expect(progress.notes(many, context())).toEqual([
      'since the last idle time: the computation has too many tasks or functions'
    ]);
    // So many results are held that none of the new tasks is followed: they belong to it anyway.
    const full = compute(
      cluster({ time: 1060, prefixes: [{ name: 'train', processing: 8, queued: 292, since: 1000 }] }),
      [{ id: 1, since: 1000, unfollowed: 300, unlisted: 300, of: {} }],
      1060
    );
    expect(progress.notes(full, context())).toEqual([
      'since the last idle time: the computation has too many tasks or functions'
    ]);
    const large = ['since the last idle time: the computation has too many tasks or functions'];
    const functions = Array.from({ length: 200 }, (_, i) => ({ name: `f${i}`, memory: 1, since: 990 }));
    const of = Object.fromEntries(functions.map((_, i) => [i, { tasks: 1, done: 1 }]));
    const wide = compute(cluster({ time: 1000, prefixes: functions }), [{ ...ended, of, unlisted: 5 }]);
    expect(progress.notes(wide, context())).toEqual(large);
    // As in a recording in whose block failed tasks ran again.
    const few = compute(cluster({ time: 1000, prefixes: [{ name: 'inc', memory: 10, since: 990 }] }), [
      { ...ended, unlisted: 3 }
    ]);
    expect(progress.notes(few, context())).toEqual(['since the last idle time: the functions of some tasks are not known']);
    expect(presentCounts(cluster({ prefixes: again }))).toEqual({ computations: null, otherwise: 'none' });
    expect(progress.notes(cluster({ prefixes: again }), context())).toEqual([]);
  });

  it('counts the selected one instead, as long as it is selected', () => {
    const done = [{ name: 'inc', memory: 4, released: 8, erred: 2, processing: 3, since: 990, until: 0 }];
    const run = compute(cluster({ time: 1000, prefixes: done }), [
      { id: 0, since: 900, stop: 910, cell: 3, code: 'first()', of: { 0: { tasks: 10, done: 8, failed: 2 } } },
      { id: 1, since: 990, cell: 5, of: { 0: { tasks: 7, left: 3, done: 4 } } }
    ]);
    expect(title(run)[0]).toBe('4 / 7 done');
    selectionOf(run).select({ computation: { run: run.identity, id: 0 }, period: { from: 900, to: 910 } });
    expect([title(run)[0], title(run).at(-1)]).toEqual(['8 / 10 done', '[3] first()']);
    expect(title(run).join()).not.toContain('processing');
    expect(rows(run)).toEqual([expect.objectContaining({ function: 'inc', done: '8', all: '10', processing: '0' })]);
    // The card and the sidebar go on with what is present.
    expect(presentTotals(run)).toMatchObject({ done: 4, all: 7 });
    selectionOf(run).clear();
    expect(title(run)[0]).toBe('4 / 7 done');
  });

  it('says why the selected one is not shown where it had ended before the history was cleared', () => {
    const run = compute(cluster({ time: 1000, prefixes: [{ name: 'inc', processing: 3, memory: 4, released: 8, since: 990 }] }), [
      { id: 0, since: 900, stop: 910, of: { 0: { tasks: 10, done: 10 } } },
      { id: 1, since: 990, of: { 0: { tasks: 7, left: 3, done: 4 } } }
    ]);
    const inPane = context({ cleared: clearHistory(run, 1_000_000) });
    expect(progress.empty(run, inPane)).toBeNull();
    selectionOf(run).select({ computation: { run: run.identity, id: 0 } });
    expect(progress.empty(run, inPane)?.head).toMatch(/^Nothing since /);
    expect(progress.empty(run, context())).toBeNull();
  });

  it('does not say that the selected one runs what another one may run', () => {
    const both = [{ name: 'inc', processing: 16, waiting: 174, memory: 10, since: 990, recent: 20, recent_since: 990 }];
    const run = compute(cluster({ time: 1000, prefixes: both }), [
      { id: 0, since: 990, of: { 0: { tasks: 100, left: 90, done: 10 } } },
      { id: 1, since: 995, of: { 0: { tasks: 100, left: 100 } } }
    ]);
    const select = (id: number): void => selectionOf(run).select({ computation: { run: run.identity, id } });
    const state = (): unknown => {
      const [{ processing, waiting, rate, left }] = rows(run);
      return { processing, waiting, rate, left };
    };
    const note = 'which of its tasks run is not known: another computation has unfinished ones of the same functions';
    expect(state()).toMatchObject({ processing: '16', waiting: '174' });
    expect(rows(run)[0].rate).not.toBe('–');
    expect(progress.notes(run, context())).toEqual([]);
    select(1);
    expect(title(run).slice(0, 2)).toEqual(['0 / 100 done', '≤ 100 waiting']);
    expect(state()).toEqual({ processing: '≥ 0', waiting: '≤ 100', rate: '–', left: '–' });
    expect(progress.notes(run, context())).toEqual([note]);
    // More run than the other one has left.
    const last = { id: 0, since: 990, of: { 0: { tasks: 100, left: 5, done: 95 } } };
    compute(run, [last]);
    expect(state()).toMatchObject({ processing: '≥ 11', waiting: '≤ 89' });
    // Of which function its tasks are is not known.
    compute(run, [{ ...last, unlisted: 3 }]);
    expect(state()).toMatchObject({ processing: '≥ 0' });
    compute(run, [{ id: 0, since: 990, stop: 999, of: { 0: { tasks: 100, done: 100 } } }]);
    expect(state()).toMatchObject({ processing: '16', waiting: '84' });
    expect(progress.notes(run, context())).toEqual([]);
    select(0);
    expect(rows(run)[0]).toMatchObject({ done: '100', processing: '0', waiting: '0' });
  });

  it('stands still in a paused view', () => {
    const run = compute(cluster({ time: 1000, prefixes: [{ name: 'inc', waiting: 10, since: 990 }] }), [
      { id: 0, since: 990, of: { 0: { tasks: 10, left: 10 } } }
    ]);
    const held = frozen(run);
    compute(run, [{ id: 0, since: 990, stop: 1000.5, of: { 0: { tasks: 10, left: 0, done: 10 } } }], 1001);
    expect(title(held)[0]).toBe('0 / 10 done');
    expect(title(run)[0]).toBe('10 / 10 done');
  });
});
