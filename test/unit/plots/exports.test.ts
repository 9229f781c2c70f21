import { describe, expect, it } from 'vitest';
import { commaSeparated } from '../../../src/plot/csv';
import { taskStream } from '../../../src/plots/tasks/task-stream';
import { profile } from '../../../src/plots/time/profile';
import { Run } from '../../../src/run/run';
import { ProfileStore } from '../../../src/run/logs/profile';
import { speedscope } from '../../../src/selectors/profile/speedscope';
import type { SelectionStatistics } from '../../../src/selectors/selection/statistics';
import { NO_TIME } from '../../../src/selectors/selection/thread-use';
import { functionTable } from '../../../src/selectors/selection/statistics-words';
import { EXAMPLE, profileBody } from '../run/profile-body';
import { runningBody, tasksBody } from '../run/synthetic';
import { cluster, context, step } from './cluster';

describe('a table as comma-separated values', () => {
  it('has full values, quotes what needs it, and leaves unknown numbers empty', () => {
    const columns = ['function', 'seconds'].map(id => ({ id, label: id, align: 'right' as const }));
    const rows = [
      ['a,"b"\n', 0.1 + 0.2],
      ['plain', Number.NaN],
      ['of nothing', Number.POSITIVE_INFINITY],
      ['', 1e300]
    ].map((values, i) => ({ id: String(i), cells: values.map(value => ({ text: 'shown', value })) }));
    expect(commaSeparated({ columns, rows })).toBe(
      'function,seconds\r\n"a,""b""\n",0.30000000000000004\r\nplain,\r\nof nothing,\r\n,1e+300\r\n'
    );
  });

  it('has words in columns of words, not the numbers that a table sorts them by', () => {
    const run = step(new Run(), { time: 1000 });
    const rows = [
      { start: 990, duration: 1 },
      { start: 991, duration: 1, status: 1 }
    ];
    const running = runningBody([{ id: 7, start: 995 }]);
    const names = { prefixes: { from: 0, values: ['inc'] } };
    run.apply(
      { feed: 'made-up', epoch: 0, seq: 1, time: 1000, cursor: {}, names, topics: { tasks: tasksBody(rows), running } },
      1_000_000
    );
    const lines = commaSeparated(taskStream.table(run, context())).split('\r\n');
    expect(lines.map(line => line.split(',').slice(0, 4).join(','))).toEqual([
      'function,state,start,duration',
      'inc,running,5,5',
      'inc,erred,1,1',
      'inc,finished,0,1',
      ''
    ]);
  });

  it('has no text that a spreadsheet would run', () => {
    const columns = [{ id: 'key', label: 'Key', align: 'left' as const }];
    const keys = ['=HYPERLINK("x")', '+1', '-1', '@a', '\tb', "('x', 0)", -5];
    const rows = keys.map((value, i) => ({ id: String(i), cells: [{ text: '', value }] }));
    expect(commaSeparated({ columns, rows }).split('\r\n').slice(1, -1)).toEqual([
      `"'=HYPERLINK(""x"")"`,
      "'+1",
      "'-1",
      "'@a",
      "'\tb",
      `"('x', 0)"`,
      '-5'
    ]);
  });
});

it('the CSV of a profile, and of a selection, has shares and seconds where its columns say so', () => {
  const run = cluster({ workers: [{ name: 'alice' }, { name: 'bob' }] });
  run.profile.apply(profileBody(EXAMPLE));
  const lines = commaSeparated(profile.table(run, context())).split('\r\n');
  expect(lines[0]).toBe('function,file,line,own,own-share,own-time,total,total-share,total-time');
  expect(
    lines
      .find(line => line.startsWith('load,'))
      ?.split(',')
      .slice(3)
  ).toEqual(['60', '0.6', '0.6', '60', '0.6', '0.6']);
  expect(
    lines
      .find(line => line.startsWith('main,'))
      ?.split(',')
      .slice(3)
  ).toEqual(['0', '0', '0', '100', '1', '1']);
  const inc = { prefix: 0, name: 'inc', count: 4, erred: 0, total: 5, min: 1, mean: 1.25, median: 1, p95: 2, max: 2, bytes: 80 };
  const of = (capacity: number): string => {
    const statistics = { functions: [inc], use: { ...NO_TIME, capacity }, count: 4, incompleteUntil: Number.NEGATIVE_INFINITY };
    return commaSeparated(functionTable(statistics as unknown as SelectionStatistics, context().trans)).split('\r\n')[1];
  };
  expect([of(20), of(0)]).toEqual(['inc,4,5,0.25,1,1,2,2,0,80', 'inc,4,5,,1,1,2,2,0,80']);
});

describe('a profile for speedscope', () => {
  const store = (): ProfileStore => {
    const found = new ProfileStore();
    found.apply(profileBody(EXAMPLE));
    return found;
  };

  it('has each stack with its time, the entry first', () => {
    const file = JSON.parse(speedscope(store(), store().fold(), 'Profile'));
    const [profile] = file.profiles;
    const names = profile.samples.map((sample: number[]) => sample.map(frame => file.shared.frames[frame].name).join(' > '));
    expect(names).toEqual(['main > load', 'main > fit', 'main > fit > load', 'main > fit > one of several callees']);
    expect(profile.weights).toEqual([0.4, 0.1, 0.2, 0.3]);
    expect(profile).toMatchObject({ type: 'sampled', unit: 'seconds', startValue: 0 });
    expect(profile.endValue).toBeCloseTo(1);
    expect(file.shared.frames[1]).toEqual({ name: 'main', file: '/home/me/main.py', line: 1 });
  });

  it('counts samples where their interval is not known, and is valid without any', () => {
    const unknown = new ProfileStore();
    unknown.apply(profileBody({ ...EXAMPLE, scalars: { interval: 0 } }));
    expect(JSON.parse(speedscope(unknown, unknown.fold(), 'x')).profiles[0]).toMatchObject({
      unit: 'none',
      weights: [40, 10, 20, 30]
    });
    const empty = new ProfileStore();
    expect(JSON.parse(speedscope(empty, empty.fold(), 'x')).profiles[0]).toMatchObject({ endValue: 0, samples: [] });
  });
});
