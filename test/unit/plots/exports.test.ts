import { describe, expect, it } from 'vitest';
import { commaSeparated } from '../../../src/plot/csv';
import { ProfileStore } from '../../../src/run/logs/profile';
import { speedscope } from '../../../src/selectors/profile/speedscope';
import { EXAMPLE, profileBody } from '../run/profile-body';

describe('a table as comma-separated values', () => {
  it('has full values, quotes what needs it, and leaves unknown numbers empty', () => {
    const columns = ['function', 'seconds'].map(id => ({ id, label: id, align: 'left' as const }));
    const rows = [
      ['a,"b"\n', 0.1 + 0.2],
      ['plain', Number.NaN],
      ['', 1e300]
    ].map((values, i) => ({ id: String(i), cells: values.map(value => ({ text: 'shown', value })) }));
    expect(commaSeparated({ columns, rows })).toBe(
      'function,seconds\r\n"a,""b""\n",0.30000000000000004\r\nplain,\r\n,1e+300\r\n'
    );
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
