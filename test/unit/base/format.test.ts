import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  formatByteRate,
  formatBytes,
  formatBytesIn,
  formatBytesOf,
  formatCount,
  formatCpu,
  formatDuration,
  formatElapsed,
  formatEstimate,
  formatExactCount,
  formatPercent,
  formatRate,
  formatTick,
  formatWallClock,
  setNumberLocale
} from '../../../src/base/format';

const MiB = 1024 ** 2;
const GiB = 1024 ** 3;

beforeEach(() => setNumberLocale('en'));
afterEach(() => setNumberLocale(undefined));

it('has one kind of digits, with the separators of the locale', () => {
  for (const locale of ['ar-EG', 'fa', 'mr', 'de']) {
    setNumberLocale(locale);
    expect([formatDuration(4.21), formatDuration(492), formatExactCount(12_345)].join(' ')).toMatch(/^4\D21 s 8 m 12 s 12\D345$/);
  }
});

describe('bytes', () => {
  it.each([
    [0, '0 B'],
    [812, '812 B'],
    [999, '999 B'],
    [1000, '0.98 KiB'],
    [48.2 * MiB, '48.2 MiB'],
    [16.7 * GiB, '16.7 GiB'],
    [1023.9 * MiB, '1.00 GiB'],
    [1.5 * 1024 ** 6, '1536 PiB'],
    [-2 * GiB, '-2.00 GiB']
  ])('writes %d as %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

  it('writes a column in one unit, but a figure that would lose its digits in its own', () => {
    const write = formatBytesIn(3.3 * GiB);
    expect([3.3 * GiB, 1.824 * GiB, 40 * MiB, 1 * MiB, 0, Number.NaN].map(write)).toEqual([
      '3.30 GiB',
      '1.82 GiB',
      '40.0 MiB',
      '1.00 MiB',
      '0 GiB',
      '–'
    ]);
    expect(formatBytesIn(Number.NaN)(5)).toBe('5 B');
    // Without decimals, 1.08 GiB would be 1, and 410 MiB nothing.
    expect([126, 64.4, 9.99, 1.08, 0.4].map(size => formatBytesIn(126 * GiB)(size * GiB))).toEqual([
      ...['126 GiB', '64 GiB', '9.99 GiB', '1.08 GiB', '410 MiB']
    ]);
  });

  it('writes the unit of a part and its whole once', () => {
    expect(formatBytesOf(16.7 * GiB, 32 * GiB)).toBe('16.7 / 32.0 GiB');
    expect(formatBytesOf(79.8 * MiB, 23.5 * GiB)).toBe('79.8 MiB / 23.5 GiB');
    expect(formatBytesOf(0.4 * GiB, 128 * GiB)).toBe('410 MiB / 128 GiB');
    expect(formatBytesOf(1.08 * GiB, 128 * GiB)).toBe('1.08 / 128 GiB');
    expect(formatBytesOf(16.7 * GiB, Number.NaN)).toBe('16.7 GiB / –');
    expect(formatBytesOf(Number.NaN, 32 * GiB)).toBe('– / 32.0 GiB');
  });
});

describe('rates', () => {
  it('knows bytes and counts', () => {
    expect(formatByteRate(84.1 * MiB)).toBe('84.1 MiB/s');
    expect([0, 0.01, 0.4, 7.24, 9.97, 41.3, 12_345.6].map(formatRate)).toEqual([
      '0/s',
      '< 0.1/s',
      '0.4/s',
      '7.2/s',
      '10/s',
      '41/s',
      '12,346/s'
    ]);
  });
});

describe('durations', () => {
  it.each([
    [0, '0 s'],
    [85e-6, '85 µs'],
    [2e-7, '< 1 µs'],
    [0.9996e-3, '1.00 ms'],
    [0.581, '581 ms'],
    [0.99949, '999 ms'],
    [0.9996, '1.00 s'],
    [1.24, '1.24 s'],
    [49.9, '49.9 s'],
    [59.94, '59.9 s'],
    [59.96, '1 m 0 s'],
    [492, '8 m 12 s'],
    [3599.6, '1 h 00 m'],
    [7500, '2 h 05 m'],
    [86_399, '1 d 0 h'],
    [3 * 86_400 + 4 * 3600, '3 d 4 h'],
    [-1.24, '−1.24 s']
  ])('writes %d s as %s', (seconds, text) => expect(formatDuration(seconds)).toBe(text));
});

it('is no finer in estimates than they can be', () => {
  expect([0.2, 4.44, 47.9, 119, 500, 7500, Number.NaN].map(formatEstimate)).toEqual([
    '≈ 1 s',
    '≈ 4 s',
    '≈ 48 s',
    '≈ 2 m',
    '≈ 8 m',
    '≈ 2 h 05 m',
    '–'
  ]);
});

describe('times', () => {
  it.each([
    [5, 0, '0:05'],
    [760, 0, '12:40'],
    [7800, 0, '2:10:00'],
    [31.4, 1, '0:31.4'],
    [59.96, 1, '1:00.0'],
    [3599.99, 1, '1:00:00.0'],
    [-5, 0, '−0:05'],
    [-0.01, 0, '0:00']
  ])('writes %d s after the start with %d decimals as %s', (seconds, decimals, text) =>
    expect(formatElapsed(seconds, decimals)).toBe(text)
  );

  it('has the separator of the other figures: a point may be that of thousands', () => {
    setNumberLocale('de');
    expect([formatElapsed(31.4, 1), formatElapsed(3723.05, 2), formatDuration(1.24)]).toEqual(['0:31,4', '1:02:03,05', '1,24 s']);
  });

  it('writes the user’s wall clock', () => {
    expect(formatWallClock(new Date(2026, 10, 21, 9, 2, 7).getTime() / 1000)).toBe('09:02:07');
  });
});

describe('counts and shares', () => {
  it.each([
    [0, '0'],
    [1576, '1,576'],
    [999_999, '999,999'],
    [999_999.7, '1.00 M'],
    [1_234_567, '1.23 M'],
    [2.5e9, '2.50 G']
  ])('writes %d as %s', (count, text) => expect(formatCount(count)).toBe(text));

  it('has all digits for tooltips', () => expect(formatExactCount(1_234_567)).toBe('1,234,567'));

  it('says 100 % only when complete and never 0 % for something', () => {
    expect([0, 0.004, 0.414, 0.996, 0.99999, 1, 1.2].map(formatPercent)).toEqual([
      '0 %',
      '< 1 %',
      '41 %',
      '99 %',
      '99 %',
      '100 %',
      '120 %'
    ]);
  });

  it('writes CPU in per cent of one core', () => expect([371.6, 6400].map(formatCpu)).toEqual(['372 %', '6,400 %']));
});

it('writes a dash for what nobody knows', () => {
  for (const write of [
    formatBytes,
    formatByteRate,
    formatCount,
    formatCpu,
    formatDuration,
    formatElapsed,
    formatExactCount,
    formatPercent,
    formatRate,
    formatWallClock
  ]) {
    expect(write(Number.NaN)).toBe('–');
    expect(write(Number.POSITIVE_INFINITY)).toBe('–');
  }
});

it('keeps one meaning of the separators in all figures', () => {
  setNumberLocale('de');
  expect([formatCount(1576), formatBytes(16.7 * GiB), formatDuration(1.24)]).toEqual(['1.576', '16,7 GiB', '1,24 s']);
  expect(() => setNumberLocale('no such locale')).toThrow(RangeError);
  expect(formatCount(1576)).toBe('1.576');
});

describe('what was never measured', () => {
  const odd = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e300, -1e300, Number.MAX_VALUE];

  it.each([
    ...[
      formatBytes,
      formatBytesIn(GiB),
      formatBytesIn(Number.NaN),
      formatByteRate,
      formatCount,
      formatCpu,
      formatDuration,
      formatElapsed
    ],
    ...[formatEstimate, formatExactCount, formatPercent, formatRate, formatTick, formatWallClock]
  ])('is a dash, by formatter %#', write => {
    for (const value of odd) {
      expect(write(value)).toMatch(/^−?–$/);
    }
  });

  it('and a whole that nobody knows is one too', () => {
    expect(formatBytesOf(GiB, Number.NaN)).toBe('1.00 GiB / –');
    expect(formatBytesOf(1e300, 1e300)).toBe('– / –');
  });

  it('is no moment of the wall clock', () => {
    expect([-1, 1e12].map(formatWallClock)).toEqual(['–', '–']);
  });
});
