import { beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import type { Scalar } from '../../../src/feed/frame';
import { memorySampler } from '../../../src/plots/memory/sampler';
import { namedRuns, valueAt } from '../../../src/plots/memory/sampler/runs';
import { frozen } from '../../../src/run/frozen';
import { Kept } from '../../../src/plot/kept';
import { Run } from '../../../src/run/run';
import { render } from '../views/render';
import { context, step } from './cluster';
import { dataOf, paramsOf } from './drawing';

beforeEach(() => setNumberLocale('en'));

const MiB = 1024 ** 2;
const FRAME = { width: 500, height: 240, firstRow: 0, endRow: 0 };

interface Sample {
  readonly run: number;
  readonly time: number;
  readonly nbytes: number;
}

/** A run of the sampler as the collector describes it. */
const facts = (id: number, more: Readonly<Record<string, Scalar>> = {}): Scalar => ({
  id,
  key: `uid-${id}`,
  label: `collection ${id + 1}`,
  measure: 'process',
  interval: 0.5,
  stopped: true,
  ...more
});

let rows = 0;

function sample(
  run: Run,
  runs: readonly Scalar[],
  samples: readonly Sample[],
  now: number,
  more: Record<string, Scalar> = {}
): Run {
  const memory_samples = {
    columns: {
      run: Uint16Array.from(samples, each => each.run),
      time: Float64Array.from(samples, each => each.time),
      nbytes: Float64Array.from(samples, each => each.nbytes)
    },
    scalars: { first: rows, runs: [...runs], ...more }
  };
  rows += samples.length;
  run.apply({ feed: 'made-up', epoch: 0, seq: 0, time: now, cursor: {}, names: {}, topics: { memory_samples } }, now * 1000);
  return run;
}

/** Two runs of ten and twenty seconds, with a pause between them. */
function two(more: Readonly<Record<string, Scalar>> = {}): Run {
  const samples = [
    ...Array.from({ length: 21 }, (_, i) => ({ run: 0, time: 1000 + i / 2, nbytes: (i + 1) * MiB })),
    ...Array.from({ length: 41 }, (_, i) => ({ run: 1, time: 1050 + i / 2, nbytes: 5 * MiB }))
  ];
  return sample(new Run(), [facts(0), facts(1, more)], samples, 1100);
}

const lines = (run: Run, options: Record<string, string> = {}, hidden: string[] = []): { at: number; group: string }[] =>
  dataOf(memorySampler, run, context({ options, hidden: new Set(hidden) }), FRAME).lines.map(row => ({
    at: Number(row.at),
    group: String(row.group)
  }));
const extent = (run: Run, id: number, options?: Record<string, string>): number[] => {
  const own = lines(run, options).filter(({ group }) => group.startsWith(`run ${id} `));
  return [Math.min(...own.map(({ at }) => at)), Math.max(...own.map(({ at }) => at))];
};
const table = (run: Run): Record<string, string>[] => {
  const { columns, rows: found } = memorySampler.table(run, context());
  return found.map(({ cells }) => Object.fromEntries(cells.map((cell, i) => [columns[i].id, cell.text])));
};
const texts = (run: Run): unknown[] => dataOf(memorySampler, run, context(), FRAME).texts.map(row => row.text);

describe('memory-sampler', () => {
  it('says how to fill it while it is empty', () => {
    const run = step(new Run(), {});
    expect(memorySampler.empty(run, context())?.body).toContain('MemorySampler()');
    expect(memorySampler.empty(two(), context())).toBeNull();
  });

  it('sets runs side by side, or where they were', () => {
    const run = two();
    expect(extent(run, 0)).toEqual([0, 10]);
    expect(extent(run, 1)).toEqual([0, 20]);
    const [first, second] = [extent(run, 0, { place: 'absolute' }), extent(run, 1, { place: 'absolute' })];
    expect(first[1] - first[0]).toBe(10);
    expect(second[0] - first[0]).toBe(50);
  });

  it('keeps the figures of each run', () => {
    expect(table(two())).toEqual([
      expect.objectContaining({
        name: 'collection 1',
        state: 'done',
        measure: 'process',
        duration: '10.0 s',
        samples: '21',
        first: '1.00 MiB',
        peak: '21.0 MiB',
        mean: '10.5 MiB',
        last: '21.0 MiB'
      }),
      expect.objectContaining({ name: 'collection 2', duration: '20.0 s', samples: '41', peak: '5.00 MiB', mean: '5.00 MiB' })
    ]);
  });

  it('reports which run samples now, and what is lost', () => {
    const run = sample(two({ stopped: false }), [facts(0), facts(1, { stopped: false })], [], 1101, { lost: 7 });
    const words = memorySampler.titleLine(run, context()).map(({ text }) => text);
    expect(words).toEqual(['2 runs', 'collection 2, latest: 5.00 MiB']);
    expect(memorySampler.notes(run, context())).toEqual(['7 earlier samples not kept']);
  });

  it('names every run apart: without a label by its uid, measures where they differ, repeated labels by number', () => {
    const samples = [0, 1, 2, 3].map(run => ({ run, time: 1000 + run, nbytes: 1 }));
    const label = 'same';
    const named = sample(new Run(), [facts(0, { label: '' }), facts(1, { label }), facts(2, { label })], samples, 1100);
    expect(namedRuns(named).map(({ name }) => name)).toEqual(['uid-0', 'same', 'same (2)']);
    const measured = [facts(0), facts(1, { measure: 'spilled' }), facts(2, { measure: '' })];
    expect(namedRuns(sample(new Run(), measured, samples, 1100)).map(({ name }) => name)).toEqual([
      'collection 1 · process',
      'collection 2 · spilled',
      'collection 3'
    ]);
  });

  it('keeps hostile labels text of one line', () => {
    const run = sample(new Run(), [facts(0, { label: '<img src=x>\nmore' })], [{ run: 0, time: 1000, nbytes: MiB }], 1001);
    expect(namedRuns(run)[0].name).toBe('<img src=x> more');
    expect(texts(run)).toContain('<img src=x> more');
  });

  it('writes names at the ends of lines without overlap', () => {
    const samples = Array.from({ length: 6 }, (_, run) => [0, 1].map(i => ({ run, time: 1000 + i, nbytes: MiB }))).flat();
    const run = sample(
      new Run(),
      Array.from({ length: 6 }, (_, i) => facts(i)),
      samples,
      1100
    );
    const labels = dataOf(memorySampler, run, context(), FRAME).texts.filter(({ text }) => String(text).startsWith('collection'));
    const heights = labels.map(({ y }) => Number(y)).sort((a, b) => a - b);
    expect(labels).toHaveLength(6);
    expect(Math.min(...heights.slice(1).map((y, i) => y - heights[i]))).toBeGreaterThanOrEqual(13);
  });

  it('hides what the legend hides', () => {
    expect(new Set(lines(two(), {}, ['run 0']).map(({ group }) => group))).toEqual(new Set(['run 1 0']));
  });

  it('has an axis that fits what the legend shows, although no time passes', () => {
    const run = two();
    const kept = new Kept();
    const end = (hidden: string[]): number =>
      Number(paramsOf(memorySampler, run, context({ kept, hidden: new Set(hidden) }), FRAME).end);
    expect(end([])).toBeGreaterThan(20 * MiB);
    expect(end(['run 0'])).toBeLessThan(10 * MiB);
  });

  it('leaves a gap where nothing was sampled', () => {
    const samples = [0, 0.5, 1, 30, 30.5].map(i => ({ run: 0, time: 1000 + i, nbytes: MiB }));
    const run = sample(new Run(), [facts(0)], samples, 1100);
    expect(new Set(lines(run).map(({ group }) => group))).toEqual(new Set(['run 0 0', 'run 0 1']));
    // Neither has the tooltip a value there.
    const [only] = namedRuns(run);
    expect([1001, 1001.1, 1015, 1030, 1030.2].map(time => valueAt(only, time))).toEqual([MiB, NaN, NaN, MiB, MiB]);
    const hits = dataOf(memorySampler, run, context(), FRAME).hits as unknown as { at: number; until: number }[];
    expect(hits.some(({ at, until }) => at > 2 && until < 29)).toBe(false);
  });

  it('has means over the time that was sampled', () => {
    const samples = [
      ...[0, 1, 2].map(i => ({ run: 0, time: 1000 + i, nbytes: 90 * MiB })),
      ...[60, 61, 62].map(i => ({ run: 0, time: 1000 + i, nbytes: 10 * MiB }))
    ];
    expect(table(sample(new Run(), [facts(0)], samples, 1100))[0].mean).toBe('50.0 MiB');
  });

  it('has them also of a run of which the first samples are not kept', () => {
    // Half of what is dropped is before the gap.
    const samples = Array.from({ length: 500_001 }, (_, i) => {
      const isBefore = i < 25_000;
      return { run: 0, time: 1000 + i + (isBefore ? 0 : 1e6), nbytes: (isBefore ? 90 : 10) * MiB };
    });
    const [figures] = table(sample(new Run(), [facts(0)], samples, 2e6));
    expect([figures.mean, figures.first, figures.peak]).toEqual(['14.0 MiB', '90.0 MiB', '90.0 MiB']);
  });

  it('has what was sampled at each moment in the tooltips', () => {
    const [run] = namedRuns(two());
    expect(valueAt(run, 1000)).toBe(MiB);
    expect(valueAt(run, 1000.7)).toBe(2 * MiB);
    expect(valueAt(run, 999.9)).toBeNaN();
    expect(valueAt(run, 1010.1)).toBeNaN();
    const hits = dataOf(memorySampler, two(), context(), FRAME).hits;
    expect(hits).toHaveLength(120);
    expect(hits[10].tooltip).toMatchObject({
      rows: [
        ['collection 1', '4.00 MiB'],
        ['collection 2', '5.00 MiB']
      ]
    });
    expect(hits[119].tooltip).toMatchObject({ rows: [['collection 2', '5.00 MiB']] });
  });

  it('stays as it is while paused', () => {
    const run = two();
    const paused = frozen(run);
    sample(run, [facts(0), facts(1), facts(2)], [{ run: 2, time: 1101, nbytes: MiB }], 1102);
    expect(namedRuns(paused)).toHaveLength(2);
    expect(namedRuns(run)).toHaveLength(3);
  });

  it('draws a bounded number of points and runs, however long and many they are', () => {
    const ids = Array.from({ length: 40 }, (_, id) => id);
    const samples = ids.flatMap(run => Array.from({ length: 5000 }, (_, i) => ({ run, time: 1000 + i, nbytes: (i % 7) * MiB })));
    const run = sample(
      new Run(),
      ids.map(id => facts(id)),
      samples,
      9000
    );
    expect(lines(run).length).toBeLessThan(24 * 200);
    expect(new Set(lines(run).map(({ group }) => group)).size).toBe(24);
    expect(memorySampler.notes(run, context())).toEqual(['16 earlier runs not drawn']);
    expect(memorySampler.table(run, context()).rows).toHaveLength(40);
  });

  it('tells each of the drawn runs from all others by colour or dash, and the legend says the dash', () => {
    const ids = Array.from({ length: 24 }, (_, id) => id);
    const samples = ids.flatMap(run => [0, 1].map(i => ({ run, time: 1000 + i, nbytes: (run + 1) * MiB })));
    const all = ids.map(id => facts(id));
    const run = sample(new Run(), all, samples, 1100);
    const drawn = dataOf(memorySampler, run, context(), FRAME).lines;
    expect(new Set(drawn.map(({ stroke, dash }) => `${String(stroke)} ${String(dash)}`)).size).toBe(24);
    const labels = memorySampler.legend(run, context()).map(({ label }) => label);
    expect([labels[7], labels[8], labels[16]]).toEqual(['collection 8', 'collection 9 (dashed)', 'collection 17 (dotted)']);
    expect(new Set(memorySampler.legend(run, context()).map(({ pattern }) => pattern))).toEqual(new Set(['none']));
  });

  it('starts over with another run', () => {
    const run = two();
    run.apply({ feed: 'other', epoch: 0, seq: 0, time: 1, cursor: {}, names: {}, topics: {} }, 0);
    expect(memorySampler.empty(run, context())).not.toBeNull();
  });

  it('is a spec that Vega takes', async () => {
    for (const interpret of [false, true]) {
      const { svg, fault } = await render(memorySampler, two(), { interpret, dark: interpret });
      expect(fault).toBeNull();
      expect(svg).toContain('collection 2');
    }
  });
});
