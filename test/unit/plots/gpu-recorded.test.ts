/** The plots of GPUs on a recording from a real one, beside what NVML said meanwhile; `scripts/check-gpus.py` made both. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formatBytes } from '../../../src/base/format';
import { gpuMemory } from '../../../src/plots/gpu/memory';
import { rmmMemory } from '../../../src/plots/gpu/rmm-memory';
import { gpuUtilization } from '../../../src/plots/gpu/utilization';
import { openRun } from '../../../src/report/open';
import { gpuWorkers } from '../../../src/selectors/workers/gpu-rows';
import { context, GiB } from './cluster';

const fixture = (name: string): Buffer => readFileSync(new URL(`../../fixtures/${name}`, import.meta.url));

/** Seconds since the epoch, bytes, bytes, per cent. */
type Sample = readonly [time: number, used: number, limit: number, utilization: number];
const NVML = (JSON.parse(fixture('gpu-nvml.json').toString()) as { rows: Sample[] }).rows;

/** Heartbeats and NVML's own interval are late by this much. */
const LATE_S = 2.5;
const MEMORY_BAND = 0.005;
const CPU_BAND = 5;

const { run, feed } = await openRun(new Uint8Array(fixture('gpu.dask-run')));
const titleOf = (plot: typeof gpuMemory): string => plot.titleLine(run, context()).map(({ text }) => text)[0];

describe('a recording from a real GPU', () => {
  it.each([0.02, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9, 1])('says what NVML said, at %d of it', share => {
    const moment = feed.start + share * (feed.end - feed.start);
    feed.seek(moment);
    const around = NVML.filter(([time]) => time > moment - LATE_S && time < moment + 0.2);
    const rows = gpuWorkers(run);
    expect(rows).toHaveLength(2);
    for (const { gpu } of rows) {
      const [, , limit] = around[0];
      expect(gpu.limit).toBe(limit);
      expect(gpu.memory).toBeGreaterThanOrEqual(Math.min(...around.map(([, used]) => used)) - MEMORY_BAND * limit);
      expect(gpu.memory).toBeLessThanOrEqual(Math.max(...around.map(([, used]) => used)) + MEMORY_BAND * limit);
      expect(gpu.utilization).toBeGreaterThanOrEqual(Math.min(...around.map(([, , , busy]) => busy)) - CPU_BAND);
      expect(gpu.utilization).toBeLessThanOrEqual(Math.max(...around.map(([, , , busy]) => busy)) + CPU_BAND);
    }
    const [used, limit] = [rows[0].gpu.memory + rows[1].gpu.memory, rows[0].gpu.limit + rows[1].gpu.limit];
    expect(titleOf(gpuMemory)).toBe(`${formatBytes(used)} of ${formatBytes(limit)}`);
  });

  it('says that the GPU was busy while it multiplied', () => {
    const busy = NVML.find(([, , , utilization]) => utilization === 100);
    feed.seek((busy?.[0] ?? 0) + LATE_S);
    expect(titleOf(gpuUtilization)).toBe('mean 100 %');
  });

  it('knows allocations only of the worker that counts them', () => {
    feed.seek(feed.end);
    // Three results of 2 GiB on each worker.
    expect(gpuWorkers(run).map(({ gpu }) => gpu.rmmUsed)).toEqual([6 * GiB, 0]);
    expect(titleOf(rmmMemory)).toBe('6.00 GiB of 8.00 GiB');
    expect(rmmMemory.notes(run, context())[0]).toBe('1 worker counts no allocations, or has none');
    expect(rmmMemory.table(run, context()).rows.map(({ cells }) => cells[2].text)).toEqual(['6.00 GiB', '–']);
  });
});
