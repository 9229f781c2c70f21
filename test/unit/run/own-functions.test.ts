import { describe, expect, it } from 'vitest';
import { Run } from '../../../src/run/run';
import { matcherOf } from '../../../src/run/selection/matcher';
import { rowsOwnedBy, type OwnedRows, whose } from '../../../src/run/selection/owned-rows';
import { selectionOf } from '../../../src/run/selection/selection';
import { computationWords } from '../../../src/selectors/computations/selected-words';
import { withinSelected } from '../../../src/selectors/computations/selected';
import { context } from '../plots/cluster';
import { compute, type Made } from '../plots/made-computations';
import { runningBody, tasksBody } from './synthetic';

const { trans } = context();
const [OWN, THEIRS, BOTH, ENDED, NEW] = [0, 1, 2, 3, 4];
const FUNCTIONS = ['own', 'theirs', 'both', 'ended', 'new'];
const ALL = [OWN, THEIRS, BOTH, ENDED, NEW];

const SELECTED: Made = {
  ...{ id: 0, since: 100, stop: 104, cell: 1 },
  of: { [OWN]: { tasks: 8, done: 2, left: 6 }, [BOTH]: { tasks: 3, left: 3 }, [ENDED]: { tasks: 1, done: 1 } }
};
const OTHER: Made = {
  ...{ id: 1, since: 100, stop: 104, cell: 2, client: 'another' },
  of: { [THEIRS]: { tasks: 9, done: 3, left: 6 }, [BOTH]: { tasks: 3, left: 3 }, [ENDED]: { tasks: 3, left: 3 } }
};

/** Two computations in progress. Whose the executions from row 6 on are has not arrived: one of each of some functions. */
function made(late: readonly number[], selected: Made = SELECTED, others: readonly Made[] = [OTHER]): Run {
  const run = new Run();
  const early = [OWN, THEIRS, OWN, THEIRS, ENDED, THEIRS];
  const rows = [...early, ...late].map((prefix, i) => ({ prefix, start: 100 + i, duration: 0.5 }));
  const names = {
    prefixes: { from: 0, values: FUNCTIONS },
    workers: { from: 0, values: [{ address: 'w', name: 'w', host: 'h', nthreads: 1, memory_limit: 0, joined: 0 }] },
    lanes: { from: 0, values: [[0, 0] as const] }
  };
  run.apply({ feed: 'made-up', epoch: 0, seq: 0, time: 120, cursor: {}, names, topics: { tasks: tasksBody(rows) } }, 0);
  const owned = early.map((prefix, row) => [row, prefix === THEIRS ? 1 : 0, 1] as const);
  return compute(run, [selected, ...others], 120, 'made-up', owned);
}

function ofEach(run: Run, row = 6): readonly string[] {
  const owned = rowsOwnedBy(run, 0) as OwnedRows;
  return ALL.map(prefix => whose(owned, row, prefix));
}

describe('whose an execution is, until that has arrived', () => {
  it('is known by its function, if only one of the computations in progress has tasks of it left', () => {
    const known = ['own', 'other', 'unknown', 'other', 'unknown'];
    expect(ofEach(made([]))).toEqual(known);
    expect(ofEach(made([]), -1), 'a task that runs').toEqual(known);
  });

  it('is not asked of the function once it has arrived', () => {
    const owned = rowsOwnedBy(made([]), 0) as OwnedRows;
    expect([0, 1].map(row => whose(owned, row, BOTH))).toEqual(['own', 'other']);
  });

  it('is its own if no other is in progress, unless others had its function and it never had', () => {
    const over: Made = { ...OTHER, of: { [THEIRS]: { tasks: 3, done: 3 }, [BOTH]: { tasks: 3, done: 3 } } };
    expect(ofEach(made([], SELECTED, [over]))).toEqual(['own', 'other', 'own', 'own', 'unknown']);
  });

  it('is never its own once none of its tasks is left', () => {
    const over: Made = { ...SELECTED, of: { [OWN]: { tasks: 2, done: 2 }, [ENDED]: { tasks: 1, done: 1 } } };
    expect(ofEach(made([], over))).toEqual(['other', 'other', 'other', 'other', 'other']);
  });

  it('is not known where not all functions are', () => {
    expect(ofEach(made([], { ...SELECTED, unlisted: 1 }))).toEqual(['own', 'unknown', 'unknown', 'unknown', 'unknown']);
    expect(ofEach(made([], SELECTED, [{ ...OTHER, unlisted: 1 }]))).toEqual(['unknown', 'other', 'unknown', 'other', 'unknown']);
    const unfollowed = ofEach(made([], SELECTED, [{ ...OTHER, unfollowed: 1 }]));
    expect(unfollowed).toEqual(['unknown', 'other', 'unknown', 'other', 'unknown']);
  });

  it('is not known where others are in progress that are not kept', () => {
    const run = made([], SELECTED, []);
    expect(ofEach(run).slice(0, 3)).toEqual(['own', 'unknown', 'own']);
    const apply = (unkept: number): readonly string[] => {
      const topics = { computations: { columns: {}, moves: {}, scalars: { kept: 0, unkept, texts: [], rows: [] } } };
      run.apply({ feed: 'made-up', epoch: 0, seq: 4, time: 120, cursor: {}, names: {}, topics }, 0);
      return ofEach(run).slice(0, 3);
    };
    expect(apply(5)).toEqual(['unknown', 'unknown', 'unknown']);
    expect(apply(0)).toEqual(['own', 'unknown', 'own']);
  });

  it('is another’s where it began before the graph had been read', () => {
    const { functions } = rowsOwnedBy(made([]), 0) as OwnedRows;
    expect([functions?.of(BOTH, 99), functions?.of(BOTH, 101)]).toEqual(['other', 'unknown']);
  });
});

describe('a selected computation beside another client', () => {
  const select = (run: Run): Run => {
    selectionOf(run).select({ computation: { run: run.identity, id: 0 } });
    return run;
  };
  const words = (run: Run): string | undefined => computationWords(run, { run: run.identity, id: 0 }, trans)?.sentence;

  it('has no execution and no running task of the other, and says where some may be', () => {
    const run = select(made([THEIRS, OWN]));
    expect(ALL.map(prefix => matcherOf(run).fits(prefix, 1, 6))).toEqual([true, false, true, false, true]);
    expect(words(run)).toMatch(/^Only tasks of /);
    expect(words(select(made([THEIRS, BOTH, OWN])))).toMatch(/^Tasks of others may be among them/);
    const fits = (start: number): boolean => matcherOf(run).fitsRunning({ prefix: BOTH, start }, 120);
    expect([fits(99), fits(101)]).toEqual([false, true]);
    const topics = { running: runningBody([{ id: 1, prefix: BOTH, start: 110 }]) };
    run.apply({ feed: 'made-up', epoch: 0, seq: 3, time: 120, cursor: {}, names: {}, topics }, 0);
    expect(words(run)).toMatch(/^Tasks of others may be among them/);
  });

  it('has another matcher as soon as whose tasks are is known otherwise', () => {
    const run = select(made([BOTH]));
    const before = matcherOf(run);
    compute(run, [OTHER], 120);
    expect(matcherOf(run), 'the same came again').toBe(before);
    compute(run, [{ ...OTHER, of: { [THEIRS]: { tasks: 9, done: 9 } } }], 120);
    expect(matcherOf(run)).not.toBe(before);
    expect(matcherOf(run)).toBe(matcherOf(run));
  });

  it('has the same functions of each computation until something differs', () => {
    const run = made([BOTH]);
    const each = () => [0, 1].map(id => rowsOwnedBy(run, id)?.functions);
    const before = each();
    compute(run, [OTHER], 120);
    expect(each(), 'the same came again').toEqual(before);
    const same = (functions: ReturnType<typeof each>) => functions.map((one, i) => one === before[i]);
    expect(same(each())).toEqual([true, true]);
    compute(run, [OTHER], 120);
    expect(same([rowsOwnedBy(run, 0)?.functions]), 'only one is asked for').toEqual([true]);
    compute(run, [{ ...OTHER, of: { [THEIRS]: { tasks: 9, done: 9 } } }], 120);
    expect(same(each())).toEqual([false, false]);
  });

  it('keeps executions that may be its own among chosen ones', () => {
    const run = select(made([THEIRS, OWN]));
    const rows = (numbers: number[]): unknown => withinSelected(run, { rows: { run: run.identity, numbers } })?.rows?.numbers;
    expect([rows([0, 1, 7]), rows([1])]).toEqual([[0, 7], undefined]);
  });
});
