import { beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import { activityTimeseries } from '../../../src/plots/time/fine-metrics/over-time';
import { frozen } from '../../../src/run/frozen';
import { Run } from '../../../src/run/run';
import { windowOf } from '../../../src/run/time-window';
import { render } from '../views/render';
import { context } from './cluster';
import { dataOf } from './drawing';

beforeEach(() => setNumberLocale('en'));

const KINDS = ['cpu', 'noncpu', 'executor', 'network', 'disk', 'serialize', 'compress', 'shuffle', 'other'] as const;
type Point = Partial<Record<(typeof KINDS)[number], number>> & { readonly time: number; readonly until?: number };

function made(points: readonly Point[], now = points[points.length - 1]?.time ?? 1000, run = new Run()): Run {
  const columns = {
    time: Float64Array.from(points, point => point.time),
    until: Float64Array.from(points, point => point.until ?? point.time),
    workers: Uint32Array.from(points, () => 1),
    ...Object.fromEntries(KINDS.map(kind => [`spent_${kind}`, Float64Array.from(points, point => point[kind] ?? 0)]))
  };
  const topics = { series: { columns, scalars: { first: 0 } } };
  run.apply({ feed: 'made', epoch: 0, seq: 0, time: now, cursor: {}, names: {}, topics }, 0);
  return run;
}

/** Ten seconds: two threads on a CPU, then one on a CPU and half of one that serializes. */
const POINTS: readonly Point[] = Array.from({ length: 11 }, (_, i) =>
  i <= 5 ? { time: 1000 + i, cpu: 2 } : { time: 1000 + i, cpu: 1, serialize: 0.5 }
);

const title = (run: Run): string[] => activityTimeseries.titleLine(run, context()).map(part => part.text);
const cells = (run: Run): string[][] =>
  activityTimeseries.table(run, context()).rows.map(row => row.cells.map(cell => cell.text));

describe('activities over time', () => {
  it('add up to what was spent, with shares and the highest rate', () => {
    expect(title(made(POINTS))).toEqual(['17.5 s', 'most: on a CPU, 86 %', 'means of 200 ms']);
    expect(cells(made(POINTS))).toEqual([
      ['on a CPU', '15.0 s', '86 %', '1.5 s/s', '2 s/s'],
      ['serializing and deserializing', '2.50 s', '14 %', '0.25 s/s', '0.5 s/s']
    ]);
    expect(activityTimeseries.summary(made(POINTS), context())).toBe(
      'Activities over time, 17.5 s, most: on a CPU, 86 %, means of 200 ms.'
    );
  });

  it('have areas on top of each other, of which the legend hides some', () => {
    const run = made(POINTS);
    expect(activityTimeseries.legend(run, context()).map(item => item.id)).toEqual(['cpu', 'serialize']);
    const frame = { width: 500, height: 200, firstRow: 0, endRow: 0 };
    const bands = dataOf(activityTimeseries, run, context(), frame).bands as unknown as {
      group: string;
      low: number;
      high: number;
    }[];
    const shapes = new Set(bands.map(({ group, low, high }) => `${group.split(' ')[0]} ${low.toFixed(3)} ${high.toFixed(3)}`));
    expect(shapes).toEqual(new Set(['cpu 0.000 2.000', 'cpu 0.000 1.000', 'serialize 1.000 1.500']));
    const hidden = context({ hidden: new Set(['cpu']) });
    expect(activityTimeseries.legend(run, hidden)).toHaveLength(2);
    const left = dataOf(activityTimeseries, run, hidden, frame).bands;
    expect(new Set(left.map(row => String(row.group).split(' ')[0]))).toEqual(new Set(['serialize']));
  });

  it('hold for the time since the point before, which may be long while nothing changes', () => {
    const quiet = [{ time: 1000 }, { time: 1001, cpu: 4 }, { time: 1002, until: 1060 }, { time: 1061, cpu: 1 }];
    expect(cells(made(quiet))[0].slice(0, 2)).toEqual(['on a CPU', '5.00 s']);
    // Nothing is known of the time between two pieces of a recording.
    expect(
      cells(
        made([
          { time: 1000, cpu: 1 },
          { time: 1100, cpu: 1 }
        ])
      )[0][1]
    ).toBe('1.00 s');
  });

  it('are those of the displayed time, also of a frozen run', () => {
    const run = made(POINTS);
    const copy = frozen(run);
    made([{ time: 1011, cpu: 50 }], 1011, run);
    expect(title(copy)[0]).toBe('17.5 s');
    const minute = context({ options: { span: '60' } });
    const long = made([...POINTS, { time: 1200, until: 1200 }, { time: 1201, cpu: 3 }]);
    expect(activityTimeseries.titleLine(long, minute)[0].text).toBe('3.00 s');
    windowOf(run).go({ from: 1012, to: 1013 });
    expect(title(run)).toEqual(['this period is later than 0:01.0']);
  });

  it('say that the newest are not known, where the scheduler has too many metrics', () => {
    const notes = (points: readonly Point[]): readonly string[] | undefined =>
      activityTimeseries.notes?.(made(points), context());
    expect(notes(POINTS)).toEqual([]);
    const unknown = Array.from({ length: 3 }, (_, i): Point => ({ time: 1011 + i, cpu: Number.NaN }));
    expect(notes([...POINTS, ...unknown])).toEqual([
      "the newest are not known: the scheduler has more than 20,000 of Dask's fine metrics"
    ]);
    // Known again, and before the first metric.
    expect(notes([...POINTS, ...unknown, { time: 1014, cpu: 1 }])).toEqual([]);
    expect(notes(unknown)).toEqual([]);
    expect(title(made([...POINTS, ...unknown]))[0]).toBe('17.5 s');
  });

  it('have one separator of decimals in all rates', () => {
    setNumberLocale('de');
    const rates = cells(
      made([
        { time: 1000, cpu: 0.001, other: 0.5 },
        { time: 1001, cpu: 0.001, other: 0.5 }
      ])
    ).flat();
    expect(rates).toContain('0,5 s/s');
    expect(rates).toContain('< 0,01 s/s');
    expect(rates.filter(text => /\d\.\d/.test(text))).toEqual([]);
  });

  it('say that nothing was measured: no points, an older collector, or only zeros', () => {
    const { columns, scalars } = {
      columns: { time: Float64Array.of(1000), until: Float64Array.of(1000) },
      scalars: { first: 0 }
    };
    const older = new Run();
    older.apply({ feed: 'a', epoch: 0, seq: 0, time: 1000, cursor: {}, names: {}, topics: { series: { columns, scalars } } }, 0);
    for (const run of [new Run(), older, made([{ time: 1000 }, { time: 1001 }])]) {
      expect(activityTimeseries.empty(run, context())?.head).toBe('No activities have been measured.');
      expect([title(run), cells(run), activityTimeseries.legend(run, context())]).toEqual([[], [], []]);
    }
    expect(activityTimeseries.empty(made(POINTS), context())).toBeNull();
  });

  it.each([
    ['some', POINTS],
    ['nothing', []],
    ['odd values', [{ time: 1000, cpu: 3e38, other: Number.NaN }, { time: 1001, cpu: -5, disk: 3e38 }, { time: 1001 }]],
    ['a day', Array.from({ length: 12_000 }, (_, i) => ({ time: 1000 + 10 * i, until: 1009 + 10 * i, cpu: i % 7 }))]
  ] as const)('have a picture of %s', async (_name, points) => {
    for (const [width, height] of [
      [90, 30],
      [300, 200],
      [900, 400]
    ]) {
      const { fault } = await render(activityTimeseries, made(points), { width, height, dark: true });
      expect(fault).toBeNull();
    }
  });
});
