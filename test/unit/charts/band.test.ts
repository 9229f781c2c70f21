// The strip above many rows: it has all of them, with names, whatever is in view.
import { beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import type { TooltipContent, VegaPlot } from '../../../src/plot/plot';
import { textWidth } from '../../../src/plot/text';
import { gpuMemory } from '../../../src/plots/gpu/memory';
import { rmmMemory } from '../../../src/plots/gpu/rmm-memory';
import { gpuUtilization } from '../../../src/plots/gpu/utilization';
import { workersMemory } from '../../../src/plots/memory/workers-memory';
import { workersNetwork } from '../../../src/plots/transfers/workers-network';
import { workersTransferBytes } from '../../../src/plots/transfers/workers-transfer-bytes';
import { cpu } from '../../../src/plots/workers/cpu';
import { nprocessing } from '../../../src/plots/workers/nprocessing';
import { occupancy } from '../../../src/plots/workers/occupancy';
import { workersDisk } from '../../../src/plots/workers/workers-disk';
import type { Run } from '../../../src/run/run';
import { frameOf, render } from '../views/render';
import { cluster, context, GiB, theme, type Worker } from '../plots/cluster';
import { dataOf } from '../plots/drawing';

beforeEach(() => setNumberLocale('en'));

const WORKERS: readonly VegaPlot[] = [
  ...[cpu, nprocessing, occupancy, workersMemory, workersTransferBytes, gpuMemory, gpuUtilization, rmmMemory]
];
const HOSTS: readonly VegaPlot[] = [workersNetwork, workersDisk];
const EDGE = 8;

type Mark = { x: number; x2: number; y: number; y2: number; fill: string; tooltip: TooltipContent };

/** A thousand workers, made once. */
const thousand = (): Run => (made ??= many(1000));
let made: Run | undefined;

/** Workers that differ, each on a host of its own. */
function many(count: number, change: (i: number) => Worker = () => ({})): Run {
  const workers = Array.from({ length: count }, (_, i) => {
    const share = (i % 97) / 97;
    return {
      name: `w-${i}`,
      host: `10.1.${i >> 8}.${i & 255}`,
      cpu: 400 * share,
      processing: 8 * share,
      executing: 4 * share,
      occupancy: 60 * share,
      process: 4 * GiB * share,
      transfer_in: 1e7 * share,
      net_read: 1e6 * share,
      disk_write: 1e6 * share,
      gpu_memory: GiB * share,
      gpu_limit: GiB,
      gpu_utilization: 100 * share,
      rmm_used: GiB * share,
      rmm_pool: GiB,
      ...change(i)
    };
  });
  return cluster({ workers });
}

const bandOf = (plot: VegaPlot, run: Run, width: number, height: number, options = {}) => {
  const at = context({ options });
  const frame = frameOf(plot, run, width, height, at);
  const data = dataOf(plot, run, at, frame);
  const [track, ...marks] = data.band as unknown as Mark[];
  return { frame, data, track, marks, hits: data.bandHits as unknown as Mark[] };
};

describe('the strip above many rows', () => {
  it('leaves out what the legend hides, as its rows do, and knows what is not known', () => {
    const run = many(200, () => ({
      ...{ transfer_in: 3 * GiB, transfer_out: GiB, net_read: 3 * GiB, net_write: GiB },
      ...{ process: 3 * GiB, managed: 2 * GiB, unmanaged_old: GiB, spilled: GiB }
    }));
    const values = (plot: VegaPlot, hidden: string[], of = run): string[] => {
      const at = context({ hidden: new Set(hidden) });
      const { bandHits } = dataOf(plot, of, at, frameOf(plot, of, 900, 400, at));
      return [...new Set((bandHits as unknown as Mark[]).map(({ tooltip }) => tooltip.rows[0][1]))];
    };
    expect([values(workersNetwork, []), values(workersNetwork, ['netRead'])]).toEqual([['3.00 GiB/s'], ['1.00 GiB/s']]);
    expect([values(workersTransferBytes, []), values(workersTransferBytes, ['in'])]).toEqual([['3.00 GiB'], ['1.00 GiB']]);
    expect([values(workersMemory, []), values(workersMemory, ['spilled'])]).toEqual([['4.00 GiB'], ['3.00 GiB']]);
    // A worker that does not count its allocations says 0.
    expect(
      values(
        rmmMemory,
        [],
        many(200, () => ({ rmm_used: 0 }))
      )
    ).toEqual(['–']);
  });

  it.each([1000, 2000])('has all of %d workers in a pane of 300 and of 900 pixels, and the bars still fit', async count => {
    const run = count === 1000 ? thousand() : many(count);
    for (const plot of [...WORKERS, ...HOSTS]) {
      for (const [width, height] of [
        [300, 300],
        [500, 900]
      ]) {
        const { frame, hits, data } = bandOf(plot, run, width, height);
        const what = `${plot.id} ${width} × ${height}`;
        expect(frame.endRow - frame.firstRow, what).toBeGreaterThan(15);
        expect(hits.length, what).toBe(Math.min(count, Math.floor((width - 2 * EDGE) / 3)));
        const titles = hits.map(({ tooltip }) => tooltip.title);
        expect(new Set(titles).size, what).toBe(hits.length);
        const named = hits.reduce((sum, { tooltip }) => {
          const { subject } = tooltip;
          return sum + (subject?.kind === 'workers' ? subject.workers.length : 1);
        }, 0);
        expect(named, what).toBe(count);
        expect(data.hits, what).toHaveLength(frame.endRow - frame.firstRow);
        const { fault } = height > 300 ? { fault: null } : await render(plot, run, { width, height });
        expect(fault, what).toBeNull();
      }
    }
  });

  it('is not there where all rows have names, nor where there is no room', () => {
    for (const [count, width, height] of [
      [100, 500, 900],
      [1000, 199, 900],
      [1000, 500, 159]
    ]) {
      const { track, hits } = bandOf(cpu, many(count), width, height);
      expect([track, hits]).toEqual([undefined, []]);
    }
    const { track } = bandOf(cpu, many(101), 500, 900);
    expect(track).toMatchObject({ x: EDGE, x2: 492, fill: theme().track });
  });

  it('draws the mean, and pale the most, of the workers that share a column', () => {
    const run = many(1000, i => ({ cpu: i === 3 ? 400 : 100 }));
    const { marks, hits, track } = bandOf(cpu, run, 766, 400);
    // 250 columns of four workers each: the first has three with 100 % and one with 400 %.
    expect(hits).toHaveLength(250);
    const height = track.y2 - track.y;
    const heights = marks.slice(0, 4).map(({ y, y2 }) => (y2 - y) / height);
    expect(heights).toEqual([1, 175 / 400, 0.25, 0.25].map(share => Math.round(share * height) / height));
    expect(hits[0].tooltip).toMatchObject({
      title: 'w-0 … w-3',
      state: '4 workers',
      rows: [
        ['Mean', '175 %'],
        ['Most', '400 % · w-3'],
        ['Least', '100 % · w-0']
      ],
      subject: { kind: 'workers', workers: ['tcp://10.0.0.0:40', 'tcp://10.0.0.1:41', 'tcp://10.0.0.2:42', 'tcp://10.0.0.3:43'] },
      hint: 'Click: pin, select their tasks'
    });
  });

  it('has a column for each worker where there is room, which selects it', () => {
    const { hits, marks } = bandOf(cpu, many(120), 900, 400);
    expect(hits).toHaveLength(120);
    expect(hits[7].tooltip).toMatchObject({
      title: 'w-7',
      subject: { kind: 'worker', name: 'w-7' },
      rows: [['Value', '29 %']],
      hint: 'Click: pin, select its tasks'
    });
    // None for the workers without CPU time, and the mark of the rows in view.
    expect(marks).toHaveLength(120 - 2 + 1);
  });

  it('is in the order of the rows, and marks those in view', () => {
    const run = thousand();
    const at = context({ options: { sort: 'use' } });
    const frame = { width: 516, height: 300, firstRow: 500, endRow: 520 };
    const { band, bandHits } = dataOf(cpu, run, at, frame);
    const marks = band as unknown as Mark[];
    const mark = marks[marks.length - 1];
    expect([mark.x, mark.x2]).toEqual([EDGE + 250, EDGE + 260]);
    const means = (bandHits as unknown as Mark[]).map(({ tooltip }) => Number.parseFloat(String(tooltip.rows[0][1])));
    expect(means).toEqual([...means].sort((a, b) => b - a));
  });

  it('says what it has and its scale, so that heights can be read without colours', () => {
    const textsOf = (plot: VegaPlot, run: Run, width: number): { text: string; x: number; align: string }[] =>
      (bandOf(plot, run, width, 300).data.texts as unknown as { text: string; x: number; y: number; align: string }[]).filter(
        ({ y }) => y < 15
      );
    const words = (width: number): string[] => textsOf(cpu, thousand(), width).map(({ text }) => text);
    expect(words(700)).toEqual(['1,000 workers, in the order of the rows', 'full: mean, pale: most, 0 – 400 %']);
    for (const plot of [...WORKERS, ...HOSTS]) {
      for (const width of [200, 240, 300, 420, 700]) {
        const [left, right] = textsOf(plot, thousand(), width);
        expect(left?.text, plot.id).toMatch(/^1,000 (workers|hosts)/);
        expect(right?.text ?? '0 – ', plot.id).toContain('0 – ');
        expect(EDGE + textWidth(left.text), `${plot.id} ${width}`).toBeLessThanOrEqual(
          right === undefined ? width : right.x - textWidth(right.text)
        );
      }
    }
  });

  it('has the colour of a state that needs attention', () => {
    const run = many(200, i => (i === 5 ? { status: 'paused', process: 3.9 * GiB, cpu: 100 } : {}));
    const { worker, memory } = theme();
    expect(bandOf(cpu, run, 900, 400).marks.map(({ fill }) => fill)).toContain(worker.paused);
    expect(bandOf(workersMemory, run, 900, 400).marks.map(({ fill }) => fill)).toContain(memory('red')[0]);
  });

  it('stays what it is with odd values and names', () => {
    const run = many(300, i => ({
      name: i % 3 === 0 ? '\ud800' : i % 3 === 1 ? '<b>\n' : 'x'.repeat(300),
      cpu: [Number.NaN, 1e300, -5, Number.POSITIVE_INFINITY, 100][i % 5]
    }));
    const { marks, track } = bandOf(cpu, run, 300, 300);
    for (const { y, y2, x, x2 } of marks) {
      expect([x, x2, y, y2].every(Number.isFinite)).toBe(true);
      expect(y).toBeGreaterThanOrEqual(track.y);
      expect(y2 - y).toBeLessThanOrEqual(track.y2 - track.y);
    }
    const unknown = many(300, () => ({ cpu: Number.NaN }));
    const { marks: none, hits } = bandOf(cpu, unknown, 300, 300);
    expect(none).toHaveLength(1);
    expect(hits[0].tooltip.rows[0]).toEqual(['Mean', '–']);
  });

  it('leaves room for the heads of columns below it, and has what a search found', () => {
    const run = thousand();
    const heads = (bandOf(nprocessing, run, 500, 400).data.texts as unknown as { text: string; y: number }[]).filter(
      ({ text }) => text === '4 threads'
    );
    expect(heads.map(({ y }) => y > 40)).toEqual([true]);
    const at = context({ saved: { search: 'w-1' } });
    const { count } = cpu.picture(run, at, { width: 500, height: 400 }).rows ?? {};
    expect(count).toBe(111);
    const { bandHits } = dataOf(cpu, run, at, { width: 500, height: 400, firstRow: 0, endRow: 20 });
    expect(bandHits).toHaveLength(111);
  });
});
