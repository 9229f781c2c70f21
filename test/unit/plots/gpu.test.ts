import { beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import type { VegaPlot } from '../../../src/plot/plot';
import { gpuMemory } from '../../../src/plots/gpu/memory';
import { rmmMemory } from '../../../src/plots/gpu/rmm-memory';
import { gpuUtilization } from '../../../src/plots/gpu/utilization';
import { frozen } from '../../../src/run/frozen';
import type { Run } from '../../../src/run/run';
import { gpuWorkers } from '../../../src/selectors/workers/gpu-rows';
import { isListed } from '../../../src/sidebar/search';
import { cluster, context, GiB, step, type Worker } from './cluster';
import { dataOf, rowCountOf } from './drawing';

beforeEach(() => setNumberLocale('en'));

const PLOTS = [gpuMemory, gpuUtilization, rmmMemory];
const FRAME = { width: 500, height: 200, firstRow: 0, endRow: 9 };
const MONITOR: Worker = { name: 'monitor', gpu_memory: 20 * GiB, gpu_limit: 80 * GiB, gpu_utilization: 40 };
const CUDA: Worker = {
  ...{ name: '<b>cuda</b>', gpu_memory: 30 * GiB, gpu_limit: 40 * GiB, gpu_utilization: 100 },
  ...{ rmm_used: 20 * GiB, rmm_pool: 24 * GiB, cudf_spilled: 2 * GiB }
};
const SHARED = 'workers of one host may share a GPU; sums count it once for each worker';
const title = (plot: VegaPlot, run: Run): string =>
  plot
    .titleLine(run, context())
    .map(({ text }) => text)
    .join(' · ');
const texts = (plot: VegaPlot, run: Run): unknown[] => dataOf(plot, run, context(), FRAME).texts.map(row => row.text);

describe('plots of GPUs', () => {
  it.each(PLOTS)('say that no worker reports one: $id', plot => {
    const run = cluster({ workers: [{}, {}] });
    expect(plot.empty(run, context())?.head).toBe('No worker reports a GPU.');
    expect(plot.table(run, context()).rows).toHaveLength(0);
    expect(plot.summary(run, context())).not.toMatch(/NaN|undefined/);
    expect(gpuWorkers(run)).toHaveLength(0);
  });

  it.each(PLOTS)('have rows only of the workers that report one, and say how many do not: $id', plot => {
    const run = cluster({ workers: [{ name: 'plain' }, MONITOR, CUDA] });
    expect(plot.empty(run, context())).toBeNull();
    const rows = plot === rmmMemory ? 1 : 2;
    expect(rowCountOf(plot, run, context())).toBe(rows);
    expect(plot.table(run, context()).rows).toHaveLength(rows);
    expect(plot.notes(run, context())).toEqual([
      `${3 - rows} worker${rows === 2 ? '' : 's'} report${rows === 2 ? 's' : ''} none`,
      ...(plot === gpuMemory ? [SHARED] : [])
    ]);
    expect(texts(plot, run)).toContain('<b>cuda</b>');
    expect(texts(plot, run)).not.toContain('plain');
  });

  it('do not say that no worker reports a GPU where one reports memory of RMM', () => {
    const run = cluster({ workers: [{ rmm_used: GiB, rmm_pool: 2 * GiB }] });
    expect(rmmMemory.empty(run, context())).toBeNull();
    for (const plot of [gpuMemory, gpuUtilization]) {
      expect(plot.empty(run, context())?.head).toBe('No worker reports this of its GPU.');
    }
  });

  it('say which of several GPUs of a worker Dask measures', () => {
    for (const { howToRead } of [gpuMemory, gpuUtilization]) {
      expect(howToRead).toContain('Of several GPUs that a worker may use, Dask measures the first.');
    }
  });

  it('sum memory and limits', () => {
    const run = cluster({ workers: [MONITOR, CUDA] });
    expect(title(gpuMemory, run)).toBe('50.0 GiB of 120 GiB');
    expect(title(gpuUtilization, run)).toBe('mean 70 % · 2 workers');
    expect(title(rmmMemory, run)).toBe('20.0 GiB of 24.0 GiB · 30.0 GiB in use on the GPUs · 2.00 GiB moved to the host');
    expect(gpuMemory.notes(run, context())).toEqual([SHARED]);
    expect(gpuMemory.notes(cluster({ workers: [MONITOR] }), context())).toEqual([]);
  });

  it('do not set the memory of all workers against the limits or pools of some', () => {
    const run = cluster({ workers: [{ ...MONITOR, gpu_memory: 60 * GiB, gpu_limit: Number.NaN, rmm_used: 30 * GiB }, CUDA] });
    expect(title(gpuMemory, run)).toBe('90.0 GiB');
    expect(gpuMemory.summary(run, context())).toBe('90.0 GiB of GPU memory in use on 2 workers.');
    expect(title(rmmMemory, run)).toMatch(/^50\.0 GiB · /);
    expect(rmmMemory.summary(run, context())).not.toContain('50.0 GiB of 24.0 GiB');
  });

  it('divide memory by kind, which add up to what is in use on the GPU', () => {
    const run = cluster({ workers: [CUDA] });
    const { cells } = rmmMemory.table(run, context()).rows[0];
    expect(cells.slice(2).map(({ value }) => Number(value) / GiB)).toEqual([20, 24, 6, 2, 30, 40]);
    expect(rmmMemory.legend(run, context()).map(({ id }) => id)).toEqual(['used', 'pool', 'other', 'spilled']);
  });

  it('do not say that nothing is outside RMM where NVML is switched off', () => {
    const run = cluster({ workers: [{ name: 'a', rmm_used: 2 * GiB, rmm_pool: 8 * GiB }] });
    const { columns, rows } = rmmMemory.table(run, context());
    expect(rows[0].cells[columns.findIndex(({ id }) => id === 'other')].text).toBe('–');
    const [{ tooltip }] = dataOf(rmmMemory, run, context(), FRAME).hits as { tooltip: { rows: [string, string][] } }[];
    expect(new Map(tooltip.rows).get('outside RMM')).toBe('–');
  });

  it('do not call a pool free where allocations are not counted', () => {
    const uncounted: Worker = { name: 'uncounted', gpu_memory: 10 * GiB, rmm_used: 0, rmm_pool: 8 * GiB };
    const run = cluster({ workers: [uncounted] });
    expect(title(rmmMemory, run)).toBe('8.00 GiB in pools · 10.0 GiB in use on the GPUs');
    expect(rmmMemory.summary(run, context())).toBe('RMM holds 8.00 GiB on 1 worker; how much of it is allocated is not counted.');
    expect(rmmMemory.notes(run, context())).toEqual(['1 worker counts no allocations, or has none']);
    expect(rmmMemory.legend(run, context()).map(({ id }) => id)).toEqual(['held', 'other']);
    expect(rmmMemory.table(run, context()).rows[0].cells[2].text).toBe('–');
    expect(texts(rmmMemory, run)).not.toContain('0 B');

    const both = cluster({ workers: [uncounted, CUDA] });
    expect(title(rmmMemory, both)).toMatch(/^20\.0 GiB of 24\.0 GiB · /);
    expect(rmmMemory.summary(both, context())).toBe('RMM has allocated 20.0 GiB on 1 worker.');
    expect(rmmMemory.legend(both, context()).map(({ id }) => id)).toEqual(['used', 'pool', 'held', 'other', 'spilled']);
  });

  it('draw what is known where only a part is', () => {
    const run = cluster({ workers: [{ gpu_memory: GiB }, { gpu_utilization: 5 }, { rmm_used: GiB, rmm_pool: 0 }] });
    expect(title(gpuMemory, run)).toBe('1.00 GiB');
    expect(title(gpuUtilization, run)).toBe('mean 5 % · 1 worker');
    expect(rmmMemory.table(run, context()).rows[0].cells.map(({ text }) => text)).not.toContain('NaN');
    expect(rmmMemory.legend(run, context())).toHaveLength(3);
    for (const plot of PLOTS) {
      expect(JSON.stringify(dataOf(plot, run, context(), FRAME))).not.toContain('NaN');
    }
  });

  it.each(PLOTS)('keep within their axis whatever is measured: $id', plot => {
    const run = cluster({
      workers: [{ gpu_memory: 2 ** 63, gpu_limit: 1, gpu_utilization: 1e9, rmm_used: 2 ** 63, rmm_pool: 1 }]
    });
    expect(plot.empty(run, context())).toBeNull();
    expect(JSON.stringify(dataOf(plot, run, context(), FRAME))).not.toMatch(/NaN|null,null/);
  });

  it.each(PLOTS)('go when the worker goes, and stay in a frozen run: $id', plot => {
    const run = cluster({ workers: [CUDA] });
    const before = frozen(run);
    step(run, { time: 1001, workers: [{ ...CUDA, status: 'lost' }] });
    expect(plot.empty(run, context())?.head).toBe('No worker reports a GPU.');
    expect(plot.empty(before, context())).toBeNull();
  });

  it('are listed where a worker reports a GPU, and where one is open or a favourite', () => {
    const facts = { ...gpuMemory };
    expect([isListed(facts, false, false), isListed(facts, true, false), isListed(facts, false, true)]).toEqual([
      false,
      true,
      true
    ]);
    expect(PLOTS.every(({ needs }) => needs === 'gpu')).toBe(true);
  });
});
