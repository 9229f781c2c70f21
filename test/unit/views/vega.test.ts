import { describe, expect, it, vi } from 'vitest';
import type { Json, VegaPlot } from '../../../src/plot/plot';
import { PLOTS } from '../../../src/plots';
import { startChart } from '../../../src/views/vega/compile';
import { cluster, context, GiB, type Prefix, type Worker } from '../plots/cluster';
import { rowCountOf } from '../plots/drawing';
import { frameOf, render } from './render';

const HOSTILE = [
  '<img src=x onerror="alert(1)">',
  'datum.x',
  `"'\`${'${1+1}'}`,
  'two\nlines\u2028and a third',
  '\u202egnirts',
  'مرحبا',
  'x'.repeat(500),
  '__proto__',
  '',
  '%1 %s'
];

const vegaPlots = PLOTS.filter((plot): plot is VegaPlot => plot.view === 'vega');

function workers(count: number, name: (i: number) => string = String): Worker[] {
  return Array.from({ length: count }, (_, i) => ({
    name: name(i),
    host: name(i),
    status: i % 7 === 6 ? 'paused' : 'running',
    load: (['idle', 'busy', 'saturated'] as const)[i % 3],
    cpu: 37 * (i % 10),
    processing: i % 13,
    executing: 4,
    process: (0.5 + (i % 5) * 0.7) * GiB,
    managed: 0.3 * GiB,
    unmanaged_old: 0.1 * GiB,
    unmanaged_recent: 0.1 * GiB,
    spilled: i % 2 === 0 ? 0.4 * GiB : 0,
    occupancy: i,
    transfer_in: 1e6 * i,
    transfer_out: 3e6,
    net_read: 1e6 * (i % 11),
    net_write: 4e5,
    disk_read: 1e5 * i,
    disk_write: i % 3 === 0 ? 7e7 : 0
  }));
}

function prefixes(count: number, name: (i: number) => string = i => `f${i}`): Prefix[] {
  return Array.from({ length: count }, (_, i) => ({
    name: name(i),
    released: 3,
    memory: 5,
    erred: i % 2,
    processing: 4,
    queued: 2,
    no_worker: 1,
    waiting: 9,
    nbytes: 1e6 * (i % 9),
    compute: 0.5 + i,
    transfer: i / 3,
    disk_read: 0.1
  }));
}

const marks = (data: Readonly<Record<string, readonly unknown[]>>): number =>
  Object.values(data).reduce((sum, rows) => sum + rows.length, 0);

describe.each(vegaPlots.map(plot => [plot.id, plot] as const))('%s', (_, plot) => {
  it.each([0, 1, 8, 1000])('draws %d rows without a fault and within a thousand marks', async count => {
    const warn = vi.spyOn(console, 'warn');
    const run = cluster({ workers: workers(count), prefixes: prefixes(count) });
    const { svg, fault, data } = await render(plot, run);
    expect(fault).toBeNull();
    expect(warn).not.toHaveBeenCalled();
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
    expect(marks(data)).toBeLessThanOrEqual(1000);
  });

  it('shows hostile names as text', async () => {
    const run = cluster({
      workers: workers(HOSTILE.length, i => HOSTILE[i]),
      prefixes: prefixes(HOSTILE.length, i => HOSTILE[i])
    });
    const { svg, fault, data } = await render(plot, run, { width: 900, height: 600 });
    expect(fault).toBeNull();
    expect(svg).not.toContain('<img');
    if (rowCountOf(plot, run, context()) > 0) {
      // A name is cut at one of its ends.
      expect(svg).toMatch(/&lt;img src=x|"?alert\(1\).{0,6}&gt;/);
      expect(svg).toContain('datum.x');
      expect(svg).not.toMatch(/[\u202e\u2028]/);
      expect(data.texts.map(each => each.text)).toContain('two lines and a third');
    }
  });

  it('is the same picture where the page forbids code from text', async () => {
    const run = cluster({ workers: workers(8), prefixes: prefixes(8) });
    const compiled = await render(plot, run);
    const interpreted = await render(plot, run, { interpret: true });
    expect(interpreted.fault).toBeNull();
    expect(interpreted.svg).toBe(compiled.svg);
  });

  it.each([
    [120, 30],
    [180, 70],
    [250, 120],
    [2000, 1200]
  ])('has a picture at %d × %d', async (width, height) => {
    const run = cluster({ workers: workers(20), prefixes: prefixes(20) });
    const { svg, fault } = await render(plot, run, { width, height, dark: true });
    expect(fault).toBeNull();
    expect(svg).not.toMatch(/NaN|undefined|width="-/);
    expect(svg).toContain(`width="${width}"`);
  });

  it('has numbers that are not there yet as nothing', async () => {
    const nothing = {
      cpu: Number.NaN,
      process: Number.NaN,
      processing: Number.NaN,
      occupancy: Number.NaN,
      transfer_in: Number.NaN,
      net_read: Number.NaN,
      disk_write: Number.NaN
    };
    const run = cluster({ workers: [{ ...nothing, memory_limit: 0, nthreads: 0 }], prefixes: [{ name: 'f' }], thresholds: {} });
    const { svg, fault } = await render(plot, run);
    expect(fault).toBeNull();
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('has only plain data in its spec, and no text of a cluster', () => {
    const run = cluster({ workers: workers(3, () => 'SECRET'), prefixes: prefixes(3, () => 'SECRET') });
    const spec: Json = plot.picture(run, context(), frameOf(plot, run)).spec();
    expect(JSON.parse(JSON.stringify(spec))).toEqual(spec);
    expect(JSON.stringify(spec)).not.toContain('SECRET');
  });
});

it('loads nothing', async () => {
  const asked = vi.spyOn(globalThis, 'fetch');
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const spec = { data: { name: 'remote', url: 'http://localhost:9/data.json' }, mark: 'point', encoding: {} };
  const chart = startChart(spec, null);
  await chart.view.runAsync();
  expect(chart.view.data('remote')).toEqual([]);
  expect(asked).not.toHaveBeenCalled();
  expect(warn.mock.calls.flat().map(String).join(' ')).toContain('Plots load nothing.');
  chart.view.finalize();
});
