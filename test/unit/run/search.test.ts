import { describe, expect, it } from 'vitest';
import { Run } from '../../../src/run/run';
import { Matcher } from '../../../src/run/selection/matcher';
import { NOTHING_SELECTED } from '../../../src/run/selection/selection';
import { conditionsOf, isBlank, keyTextsOf, parseQuery } from '../../../src/selectors/search/query';
import { countSteps, type Scope, type Step, stepFrom } from '../../../src/selectors/search/scan';
import { randomOf, type Row, tasksBody } from './synthetic';

const EPOCH = 1_700_000_000;
const NONE = {
  ...{ words: [], typed: [], functions: [], workers: [], keys: [] },
  ...{ states: [], durations: null, unknown: '' }
};

describe('a search text', () => {
  it.each([
    ['', {}],
    ['  ', {}],
    ['Load', { words: ['load'] }],
    ['load sum-', { words: ['load', 'sum-'] }],
    ['"two words" x', { words: ['two words', 'x'] }],
    ['"open', { words: ['open'] }],
    ['function:load worker:10.0.0.1', { functions: ['load'], workers: ['10.0.0.1'] }],
    ['function:"a b"', { functions: ['a b'] }],
    ['erred', { states: ['erred'] }],
    ['state:failed', { states: ['erred'] }],
    ['RUNNING load', { states: ['running'], words: ['load'] }],
    ['finished erred finished', { states: ['finished', 'erred'] }],
    ['state:no-worker state:no_worker', { states: ['no-worker'] }],
    ['Cancelled', { states: ['cancelled'] }],
    // Words that functions may well have mean a state only where that is said.
    ['memory released lost', { words: ['memory', 'released', 'lost'] }],
    ['state:memory', { states: ['memory'] }],
    ['"cancelled" function:retried', { words: ['cancelled'], functions: ['retried'] }],
    ['state: load', { words: ['load'], unknown: 'state:' }],
    ['key:', { unknown: 'key:' }],
    ['"running" function:erred', { words: ['running'], functions: ['erred'] }],
    ['>= 2 s', { durations: { least: 2, most: Infinity } }],
    ['>=2', { durations: { least: 2, most: Infinity } }],
    ['<= 100ms', { durations: { least: 0, most: 0.1 } }],
    ['load ≥ 1 min ≤ .5h', { words: ['load'], durations: { least: 60, most: 1800 } }],
    ['<lambda>', { words: ['<lambda>'] }],
    ['a>5', { words: ['a>5'] }],
    ['> 2 parsecs', { unknown: '> 2 parsecs' }],
    ['state:green load', { words: ['load'], unknown: 'state:green' }],
    ['constructor __proto__', { words: ['constructor', '__proto__'] }],
    ['state:constructor', { unknown: 'state:constructor' }],
    ['\ud800 é', { words: ['\ud800', 'é'] }],
    ['key:Sum-1A key:"a b" load', { keys: ['Sum-1A', 'a b'], words: ['load'] }],
    [" ('Sum-1', 0, 3) ", { keys: ["('Sum-1', 0, 3)"] }],
    ['(b', { words: ['(b'] }]
  ])('%j is read', (text, parts) => {
    const { typed, ...read } = parseQuery(text);
    expect({ ...read, typed: [] }).toEqual({ ...NONE, ...parts });
    expect(typed.map(word => word.toLowerCase())).toEqual(read.words);
    expect(isBlank(parseQuery(text))).toBe(text.trim() === '');
  });

  it('is strict where it says so, in the resolution of kept durations', () => {
    const { durations } = parseQuery('> 0.1 s < 0.3 s');
    const [least, most] = [durations?.least ?? 0, durations?.most ?? 0];
    expect(0.1 < least && 0.3 > most).toBe(true);
    expect(Math.fround(0.1 + 1e-7)).toBeGreaterThan(least);
  });
});

function runOf(rows: readonly Row[]): Run {
  const run = new Run();
  const worker = { host: '', nthreads: 2, memory_limit: 0 };
  const names = {
    prefixes: { from: 0, values: ['load', 'sum', 'reload'] },
    workers: {
      from: 0,
      values: [
        { ...worker, name: 'first', address: 'tcp://10.0.0.1:1' },
        { ...worker, name: 'sum-host', address: 'tcp://10.0.0.2:1' }
      ]
    },
    lanes: { from: 0, values: [0, 1, 2, 3].map(lane => [lane % 2, lane] as const) }
  };
  run.apply({ feed: 'f', epoch: 0, seq: 0, time: EPOCH + 100, cursor: {}, names, topics: { tasks: tasksBody(rows) } }, 0);
  return run;
}

describe('the conditions of a search', () => {
  const of = (text: string) => conditionsOf(runOf([]), parseQuery(text));

  it('are those of the names that a run has', () => {
    expect(of('')).toEqual(NOTHING_SELECTED);
    expect(of('load')).toEqual({ ...NOTHING_SELECTED, functions: ['load', 'reload'] });
    expect(of('LOAD function:re')).toMatchObject({ functions: ['reload'] });
    expect(conditionsOf(runOf([]), parseQuery('load 3f2A'), [7])).toMatchObject({
      ...{ functions: ['load', 'reload'], workers: null, rows: { numbers: [7] } }
    });
    expect(keyTextsOf(runOf([]), parseQuery('load 3f2A 10.0.0.1 key:X'))).toEqual(['X', '3f2A']);
    // A function has it, so it is not the worker.
    expect(of('sum')).toMatchObject({ functions: ['sum'], workers: null });
    expect(of('worker:sum')).toMatchObject({ functions: null, workers: ['tcp://10.0.0.2:1'] });
    expect(of('10.0.0 first')).toMatchObject({ functions: null, workers: ['tcp://10.0.0.1:1'] });
    expect(of('erred >= 1')).toMatchObject({ erred: true, finished: false, durations: { least: 1, most: Infinity } });
    expect(of('state:done')).toEqual({ ...NOTHING_SELECTED, finished: true });
  });

  it('are impossible where nothing has the name, or nothing could satisfy them', () => {
    for (const text of [
      'nobody',
      'load sum',
      'function:10.0',
      'worker:load',
      '> 2 < 1',
      '> 1 parsec',
      'erred running',
      'finished erred'
    ]) {
      expect(of(text), text).toBeNull();
    }
  });
});

function result<T>(steps: Generator<void, T, void>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) {
      return value;
    }
  }
}

describe('a search', () => {
  it('finds nothing in a run without tasks', () => {
    const run = runOf([]);
    const scope = { run, matcher: new Matcher(run, NOTHING_SELECTED), after: -Infinity };
    expect(result(countSteps(scope))).toBe(0);
    expect(result(stepFrom(scope, null, 1))).toEqual({ hit: null, number: 0 });
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('finds, forth and back, what brute force finds (seed %i)', seed => {
    const random = randomOf(seed);
    const whole = (most: number): number => Math.floor(random() * most);
    const rows = Array.from({ length: 50 + whole(6000) }, () => ({
      lane: whole(4),
      prefix: whole(3),
      // Many start at the same time.
      start: EPOCH + whole(seed % 2 === 0 ? 20 : 100_000) / 10,
      duration: whole(50) / 10,
      status: whole(6) === 0 ? 1 : 0
    })).sort((a, b) => (seed % 3 === 0 ? 0 : a.start - b.start));
    const run = runOf(rows);
    const least = whole(3);
    const conditions = {
      ...NOTHING_SELECTED,
      functions: whole(2) === 0 ? ['load', 'sum'] : null,
      workers: whole(3) === 0 ? ['tcp://10.0.0.2:1'] : null,
      durations: whole(2) === 0 ? { least, most: least + 2 } : null,
      erred: whole(4) === 0,
      finished: whole(4) === 0
    };
    const after = whole(2) === 0 ? EPOCH + whole(20) : -Infinity;
    const scope: Scope = { run, matcher: new Matcher(run, conditions), after };
    const expected = rows
      .map((row, i) => ({ ...row, row: i, duration: Math.fround(row.duration) }))
      .filter(
        ({ lane, prefix, start, duration, status }) =>
          (conditions.functions === null || prefix < 2) &&
          (conditions.workers === null || lane % 2 === 1) &&
          (conditions.durations === null || (duration >= least && duration <= least + 2)) &&
          (!conditions.erred || status === 1) &&
          (!conditions.finished || status === 0) &&
          start + duration > after
      )
      .sort((a, b) => a.start - b.start || a.row - b.row);
    expect(result(countSteps(scope))).toBe(expected.length);
    const step = (from: number | null, direction: 1 | -1): Step =>
      result(stepFrom(scope, from === null ? null : expected[from], direction));
    for (let n = 0; n < 60 && expected.length > 0; n++) {
      const at = whole(expected.length);
      expect(step(at, 1).hit?.row ?? null).toBe(expected[at + 1]?.row ?? null);
      expect(step(at, 1).number).toBe(at + 1 < expected.length ? at + 2 : 0);
      expect(step(at, -1).hit?.row ?? null).toBe(expected[at - 1]?.row ?? null);
      expect(step(at, -1).number).toBe(at);
    }
    expect(step(null, 1).hit?.row).toBe(expected[0]?.row);
    expect(step(null, -1).hit?.row).toBe(expected.at(-1)?.row);
    expect(step(null, -1).number).toBe(expected.length);
  });
});
