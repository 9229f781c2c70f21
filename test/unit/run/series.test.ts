import { describe, expect, it } from 'vitest';
import type { TopicBody } from '../../../src/feed/frame';
import { MEASURE, SERIES_COLUMNS } from '../../../src/feed/schema';
import { Series } from '../../../src/run/tables/series';
import { randomOf } from './synthetic';

const MEASURES = MEASURE.flatMap(measure => ['sum', 'min', 'max'].map(what => `${measure}_${what}`));
const HOUR = 3600;
/** What the collector keeps one by one. */
const RING = HOUR;

/** Points in the columns of the schema, of a cluster of many workers. */
function points(times: Float64Array, first: number, values = times, untils = times): TopicBody {
  const columns = Object.fromEntries([...SERIES_COLUMNS, ...MEASURES].map(name => [name, values]));
  return { columns: { ...columns, time: times, until: untils, workers: values.map(() => 1000) }, scalars: { first } };
}

const secondsFrom = (from: number, count: number): Float64Array => Float64Array.from({ length: count }, (_, i) => from + i);

const of = (series: Series, name: string): number[] => [...series.column(name)];

/** Whether times go on without a gap that a chart would show. */
function isWhole(series: Series): boolean {
  const [times, untils] = [of(series, 'time'), of(series, 'until')];
  return times.every((time, i) => i === 0 || (time > untils[i - 1] && time - untils[i - 1] <= 5));
}

describe('the series of a cluster', () => {
  it('stays bounded over days of many workers, with its extremes, its means and its newest points', () => {
    const series = new Series();
    const random = randomOf(7);
    const all = secondsFrom(0, 50 * HOUR);
    const values = all.map(() => 1e6 * random());
    values[1000] = 5e6;
    values[2000] = -1;
    let longest = 0;
    for (let time = 0; time < all.length; time += 600) {
      series.apply(points(all.subarray(time, time + 600), time, values.subarray(time, time + 600)));
      longest = Math.max(longest, series.length);
    }
    expect(longest).toBeLessThanOrEqual(16_384);
    expect(series.column('cpu_sum').buffer.byteLength).toBeLessThanOrEqual(2 * 16_384 * 8);
    expect([series.lost, isWhole(series), series.time(0), of(series, 'until').at(-1)]).toEqual([0, true, 0, values.length - 1]);
    // The newest are as they came.
    expect(of(series, 'cpu_sum').slice(-5400)).toEqual([...values.slice(-5400)]);
    expect(series.meansUntil).toBeGreaterThan(45 * HOUR);
    expect(series.meansUntil).toBeLessThan(values.length - 5400);
    // A day at 10 s, as a page has it that comes late.
    const [times, untils] = [of(series, 'time'), of(series, 'until')];
    const dayAgo = times.findIndex(time => time > values.length - 23 * HOUR);
    expect(Math.max(...untils.slice(dayAgo).map((until, i) => until - times[dayAgo + i]))).toBeLessThan(10);
    expect([series.greatest('cpu_sum'), series.copy().greatest('cpu_sum'), series.greatest('none')]).toEqual([
      5e6,
      5e6,
      Number.NaN
    ]);
    expect(Math.max(...of(series, 'cpu_max'))).toBe(5e6);
    expect(Math.min(...of(series, 'cpu_min'))).toBe(-1);
    const sums = of(series, 'cpu_sum').reduce((sum, value, i) => sum + value * (untils[i] - times[i] + 1), 0);
    expect(sums / values.length).toBeCloseTo(values.reduce((sum, value) => sum + value) / values.length, 3);
    expect(new Set(of(series, 'workers'))).toEqual(new Set([1000]));
  });

  it('merges neither across gaps nor times with workers and without, and weighs what lasted longer more', () => {
    const series = new Series(20, 4);
    const add = (
      first: number,
      times: readonly number[],
      more: Partial<Record<'until' | 'workers' | 'cpu_sum', number[]>>
    ): void =>
      series.apply({
        columns: Object.fromEntries(
          Object.entries({ time: times, until: times, workers: times.map(() => 2), ...more }).map(([name, list]) => [
            name,
            Float64Array.from(list)
          ])
        ),
        scalars: { first }
      });
    add(0, [0, 1, 2, 3], { workers: [0, 0, 2, 2], cpu_sum: [Number.NaN, Number.NaN, 4, 8] });
    add(4, [9, 10, 13], { until: [9, 12, 13], cpu_sum: [1, 3, Number.NaN] });
    expect(series.meansUntil).toBeNaN();
    add(
      7,
      Array.from({ length: 14 }, (_, i) => 14 + i),
      { cpu_sum: new Array(14).fill(5) }
    );
    expect(of(series, 'time').slice(0, 4)).toEqual([0, 2, 9, 19]);
    expect(of(series, 'until').slice(0, 4)).toEqual([1, 3, 18, 23]);
    expect(of(series, 'workers').slice(0, 4)).toEqual([0, 2, 2, 2]);
    // 1 once, 3 for three seconds, 5 for five; one is not known.
    expect(of(series, 'cpu_sum').slice(0, 4)).toEqual([Number.NaN, 6, (1 + 9 + 25) / 9, 5]);
    expect([series.length, series.meansUntil, of(series, 'time').slice(-4)]).toEqual([8, 23, [24, 25, 26, 27]]);
    // What comes again replaces the newest; what has been merged does not come back.
    add(19, [26, 27, 28], { cpu_sum: [6, 7, 8] });
    add(2, [2, 3], { cpu_sum: [0, 0] });
    expect([of(series, 'time').slice(-4), of(series, 'cpu_sum').slice(-4)]).toEqual([
      [25, 26, 27, 28],
      [5, 6, 7, 8]
    ]);
    const copy = series.copy();
    add(22, [29], { cpu_sum: [9] });
    expect([copy.length, copy.meansUntil, series.length]).toEqual([9, 23, 10]);
    series.clear();
    expect([series.length, series.meansUntil]).toEqual([0, Number.NaN]);
  });

  it('keeps the mean of workers between their extremes where workers come and leave', () => {
    const series = new Series(100, 10);
    const times = secondsFrom(0, 100);
    const workers = times.map(time => (time % 20 < 15 ? 3 : 2));
    const columns = {
      time: times,
      until: times,
      workers,
      cpu_sum: workers.map(count => 100 * count),
      cpu_max: times.map(() => 100)
    };
    series.apply({ columns, scalars: { first: 0 } });
    series.apply({ columns: { time: Float64Array.of(100), workers: Float64Array.of(3) }, scalars: { first: 100 } });
    expect(series.length).toBeLessThan(30);
    const counts = of(series, 'workers');
    expect(
      new Set(
        of(series, 'cpu_sum')
          .slice(0, -1)
          .map((sum, i) => sum / counts[i])
      )
    ).toEqual(new Set([100]));
  });

  it('drops the oldest of what cannot be merged, and says so', () => {
    const series = new Series(100, 10);
    const times = Array.from({ length: 101 }, (_, i) => 1e6 * i);
    series.apply({ columns: { time: Float64Array.from(times) }, scalars: { first: 0 } });
    expect([series.length, series.lost, series.time(0), series.greatest('time')]).toEqual([50, 51, 51e6, 100e6]);
    series.apply({ columns: { time: Float64Array.of(1e9) }, scalars: { first: 101 } });
    expect(series.time(50)).toBe(1e9);
  });

  it('has nothing of a column of which nothing more comes', () => {
    const series = new Series(20, 4);
    const times = Array.from({ length: 20 }, (_, i) => i);
    series.apply({ columns: { time: Float64Array.from(times), cpu_sum: new Float64Array(20).fill(7) }, scalars: { first: 0 } });
    series.apply({ columns: { time: Float64Array.of(20, 21) }, scalars: { first: 20 } });
    expect(of(series, 'cpu_sum').slice(-3)).toEqual([7, Number.NaN, Number.NaN]);
  });

  it.each([
    ['goes on where it was', 3600],
    ['starts over', 0]
  ])('stays in order of time when a reader comes again after more than an hour and %s', (_, cursor) => {
    const series = new Series();
    series.apply(points(secondsFrom(0, 3600), 0));
    // By now, the collector has means of the first 5,400 s, with the numbers before those of the others.
    const end = 9000;
    const means = Float64Array.from({ length: (end - RING) / 10 }, (_, i) => 10 * i);
    const first = end - RING - means.length;
    const times = Float64Array.of(...means, ...secondsFrom(end - RING, RING));
    const body = points(
      times,
      first,
      times,
      times.map((time, i) => time + (i < means.length ? 9 : 0))
    );
    series.apply({ ...body, scalars: { first, ...(cursor > 0 ? { lost: first - cursor } : {}) } });
    expect(isWhole(series)).toBe(true);
    expect([series.time(0), series.time(3599), series.time(3600), of(series, 'time').at(-1)]).toEqual([0, 3599, 3600, 8999]);
    expect(series.length).toBe(3600 + (end - RING - 3600) / 10 + RING);
    series.apply(points(secondsFrom(8999, 2), 8999));
    expect([isWhole(series), of(series, 'time').at(-1)]).toEqual([true, 9000]);
  });
});
