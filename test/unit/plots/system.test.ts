import { beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import type { VegaPlot } from '../../../src/plot/plot';
import { contention } from '../../../src/plots/system/contention';
import { system } from '../../../src/plots/system/system';
import { frozen } from '../../../src/run/frozen';
import { Run } from '../../../src/run/run';
import { windowOf } from '../../../src/run/time-window';
import { render } from '../views/render';
import { context } from './cluster';
import { dataOf, paramsOf } from './drawing';

beforeEach(() => setNumberLocale('en'));

const T0 = 1_700_000_000;
const MiB = 1024 ** 2;
const FRAME = { width: 600, height: 420, firstRow: 0, endRow: 0 };

type Columns = Record<string, number | readonly number[]>;

/** A run of which the series has these columns, a point a second. */
function made(count: number, columns: Columns, run = new Run(), first = 0): Run {
  const column = (of: number | readonly number[]): Float64Array =>
    Float64Array.from({ length: count }, (_, i) => (typeof of === 'number' ? of : of[i]));
  const time = Float64Array.from({ length: count }, (_, i) => T0 + first + i);
  const body = {
    columns: {
      time,
      until: time,
      workers: column(4),
      ...Object.fromEntries(Object.entries(columns).map(([name, of]) => [name, column(of)]))
    },
    scalars: { first }
  };
  run.apply(
    { feed: 'made', epoch: 0, seq: 0, time: T0 + first + count - 1, cursor: {}, names: {}, topics: { series: body } },
    (T0 + first + count) * 1000
  );
  return run;
}

const OWN: Columns = {
  ...{ scheduler_cpu: 50, scheduler_memory: 200 * MiB, scheduler_net_read: MiB, scheduler_net_write: 2 * MiB },
  ...{ scheduler_fds: 70, scheduler_tick: 0.02, scheduler_gil: Number.NaN, scheduler_disk_read: 0, scheduler_disk_write: 0 }
};
const WORKERS: Columns = {
  ...{ cpu_sum: 400, cpu_min: 80, cpu_max: 150, process_sum: 4 * MiB, process_min: MiB, process_max: MiB },
  ...{ event_loop_sum: 0.4, event_loop_min: 0.02, event_loop_max: 0.3 },
  ...{ gil_sum: Number.NaN, gil_min: Number.NaN, gil_max: Number.NaN },
  ...{ net_read_sum: 3 * MiB, net_read_min: MiB, net_read_max: 2 * MiB }
};
const whole = (): Run => made(3, { ...OWN, ...WORKERS });
const title = (plot: VegaPlot, run: Run): string =>
  plot
    .titleLine(run, context())
    .map(part => part.text)
    .join(' · ');
const texts = (plot: VegaPlot, run: Run, height = 420): unknown[] =>
  dataOf(plot, run, context(), { ...FRAME, height }).texts.map(row => row.text);

describe("the scheduler's own process", () => {
  it('is shown in title, table and summary, beside its workers', () => {
    const run = whole();
    expect(title(system, run)).toBe(
      'scheduler: CPU 50 % · Memory 200 MiB · Event loop 20.0 ms · Network in 1.00 MiB/s · Network out 2.00 MiB/s · File descriptors 70'
    );
    const { columns, rows } = system.table(run, context({ options: { quantity: 'cpu' } }));
    expect(columns.map(column => column.label)).toEqual([
      'Time',
      'CPU, scheduler',
      'CPU, mean of workers',
      'CPU, minimum of workers',
      'CPU, maximum of workers'
    ]);
    expect(rows[0].cells.map(cell => cell.text).slice(1)).toEqual(['50 %', '100 %', '80 %', '150 %']);
    expect(system.summary(run, context())).toMatch(/^Scheduler system, scheduler: CPU 50 %/);
  });

  it('is called what else it is: that of the notebook, or of the workers as well', () => {
    const at = (address: string): readonly string[] => {
      const run = whole();
      const meta = { columns: {}, scalars: { address } };
      run.apply({ feed: 'made', epoch: 0, seq: 1, time: T0 + 3, cursor: {}, names: {}, topics: { meta } }, (T0 + 3) * 1000);
      return [system, contention].flatMap(plot => plot.notes(run, context())).filter(note => /process|kernel/.test(note));
    };
    expect(at('tcp://10.0.0.1:8786')).toEqual([]);
    expect(new Set(at('tls://127.0.0.1:8786'))).toEqual(new Set(["with a LocalCluster, the kernel's own work counts as well"]));
    expect(at('inproc://10.0.0.1/17/1')[0]).toMatch(/^scheduler, workers and notebook share one process/);
  });

  it('has beside the event loops of workers for how long one reported nothing, as while its own is blocked', () => {
    const silent = { unheard_sum: [1, 2, 9.5], unheard_min: 0.2, unheard_max: [0.5, 1.2, 9] };
    const run = made(3, { ...OWN, ...WORKERS, ...silent });
    const { columns, rows } = contention.table(run, context({ options: { quantity: 'event-loop' } }));
    expect(columns.at(-1)?.label).toBe('Longest silence of a worker');
    expect(rows.map(({ cells }) => cells.at(-1)?.text)).toEqual(['500 ms', '1.20 s', '9.00 s']);
    expect(JSON.stringify(dataOf(contention, run, context(), FRAME).hits.at(-1)?.tooltip)).toContain('9.00 s');
    for (const plot of [contention, system]) {
      // Before all others, which may have no room beside it.
      expect(plot.notes(run, context())[0]).toBe(
        'a worker sent no heartbeat for 9.00 s until 0:00 (stopped or blocked): its figures are older'
      );
    }
    // A scheduler that is late itself heard of nobody.
    const late = made(3, { ...OWN, ...WORKERS, ...silent, scheduler_tick: 0.2, unheard_min: 2 });
    expect(system.notes(late, context())).toEqual([]);
    const usual = made(3, { ...OWN, ...WORKERS, ...silent, unheard_max: [0.5, 1.2, 5.9] });
    expect(system.notes(usual, context())).toEqual([]);
  });

  it('leads from the event loop to what keeps it busy', () => {
    const run = whole();
    const leading = (plot: VegaPlot): unknown[] =>
      plot.titleLine(run, context()).flatMap(({ text, opens }) => (opens === undefined ? [] : [[text, opens]]));
    const scheduler = { plot: 'profile-server', args: { worker: 'scheduler' } };
    expect(leading(contention)).toEqual([['scheduler: Event loop 20.0 ms', scheduler]]);
    expect(leading(system)).toEqual([['Event loop 20.0 ms', scheduler]]);
    const [first] = dataOf(contention, run, context(), FRAME).hits;
    expect(first.tooltip).toMatchObject({ links: [{ label: 'Profile of the event loops', plot: 'profile-server', args: {} }] });
  });

  it('has an axis of its own for each quantity, all on one time axis', () => {
    const run = whole();
    const { lines, texts: all, hits } = dataOf(system, run, context(), FRAME);
    const own = lines.filter(row => String(row.group).includes('scheduler'));
    // 50 % of 200 and 200 of 256 MiB are in panels of their own, in pixels.
    expect(new Set(own.map(row => row.value)).size).toBe(6);
    expect(all.map(row => row.text)).toEqual(expect.arrayContaining(['CPU, of one core', 'Memory, of the process', '200 %']));
    expect(paramsOf(system, run, context(), FRAME)).toMatchObject({ top: 0, bottom: 420, end: 420 });
    expect(hits).toHaveLength(3);
    expect((hits[0].tooltip as { rows: string[][] }).rows).toContainEqual(['Network in, maximum of hosts', '2.00 MiB/s']);
  });

  it('never draws a value into the panel of another quantity', () => {
    const run = made(3, { ...OWN, ...WORKERS, scheduler_cpu: [1e9, 1e9, -5] });
    const rows = dataOf(system, run, context(), FRAME).lines.filter(row => row.group === 'CPU, of one core scheduler 0');
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      expect(Number(row.value)).toBeGreaterThan(420 - 70);
    }
  });

  it('says for how many quantities there is no room, and shows a chosen one', () => {
    expect(texts(system, whole(), 150)).toContain('4 more in a higher pane');
    const one = dataOf(system, whole(), context({ options: { quantity: 'files' } }), { ...FRAME, height: 80 });
    expect(one.texts.map(row => row.text)).toContain('File descriptors, open in the process');
  });

  it('is the time of a visible task stream unless another is chosen', () => {
    const run = whole();
    windowOf(run).show(run, { from: T0 + 1, to: T0 + 2 }, 'person');
    expect(paramsOf(system, run, context({ options: { span: 'stream' } }), FRAME)).toMatchObject({ left: 84, to: 0 });
    expect(paramsOf(system, run, context({ options: { span: 'whole' } }), FRAME)).toMatchObject({ to: 8 });
  });

  it('stays as it was in a paused view', () => {
    const run = whole();
    const copy = frozen(run);
    made(3, { ...OWN, ...WORKERS, scheduler_cpu: 99 }, run, 3);
    expect(title(system, copy)).toContain('CPU 50 %');
    expect(title(system, run)).toContain('CPU 99 %');
  });
});

describe('contention', () => {
  it('says of the GIL that it is not known, and how it gets known', () => {
    const run = whole();
    expect(title(contention, run)).toBe('scheduler: Event loop 20.0 ms');
    expect(contention.notes(run, context())).toEqual([
      'GIL: not known. Install gilknocker for the scheduler and the workers (pip install gilknocker) and restart them; distributed.admin.system-monitor.gil.enabled must be true, as it is by default'
    ]);
    expect(texts(contention, run)).toContain('not known: needs gilknocker');
  });

  it('does not ask for gilknocker where workers have it: their values are drawn', () => {
    const run = made(3, { ...OWN, ...WORKERS, gil_sum: 2, gil_min: 0.1, gil_max: 0.9 });
    expect(contention.notes(run, context())).toEqual([]);
    expect(texts(contention, run)).not.toContain('not known: needs gilknocker');
  });

  it('does not ask for gilknocker where it is there, in a time of which nothing was measured', () => {
    const known = { ...OWN, ...WORKERS, scheduler_gil: 0.25, gil_sum: 2, gil_min: 0.1, gil_max: 0.9 };
    // The scheduler was blocked for a minute.
    const run = made(3, known, made(3, known), 60);
    windowOf(run).show(run, { from: T0 + 20, to: T0 + 30 }, 'person', true);
    expect(contention.notes(run, context())).toEqual([]);
    expect(texts(contention, run).filter(text => /not known|not measured/.test(String(text)))).toEqual([
      'not measured in this time',
      'not measured in this time'
    ]);
    expect(system.notes(run, context())).toEqual([]);
  });

  it('has seconds and shares on axes of their own', () => {
    const run = made(3, { ...OWN, ...WORKERS, scheduler_gil: 0.25, gil_sum: 2, gil_min: 0.1, gil_max: 0.9 });
    expect(contention.notes(run, context())).toEqual([]);
    expect(title(contention, run)).toBe('scheduler: Event loop 20.0 ms · GIL 25 %');
    expect(texts(contention, run)).toEqual(expect.arrayContaining(['100 %', '300 ms']));
    const [row] = contention.table(run, context()).rows;
    expect(row.cells.map(cell => cell.text).slice(1)).toEqual([
      ...['20.0 ms', '100 ms', '20.0 ms', '300 ms', '–'],
      ...['25 %', '50 %', '10 %', '90 %']
    ]);
  });
});

describe('the legend', () => {
  const labels = (plot: VegaPlot, quantity = ''): string[] =>
    plot.legend(whole(), context({ options: { quantity } })).map(({ label }) => label);

  it('says whether what is shown is of workers, of hosts or of the scheduler alone', () => {
    expect(labels(contention).slice(1)).toEqual(['mean of workers (dashed)', 'minimum to maximum of workers']);
    expect(labels(system).slice(1)).toEqual(['mean of workers (dashed)', 'minimum to maximum of workers; network: of hosts']);
    expect(labels(system, 'received')).toEqual(['scheduler (solid)', 'minimum to maximum of hosts']);
    expect(labels(system, 'files')).toEqual(['scheduler (solid)']);
  });
});

describe.each([system, contention].map(plot => [plot.id, plot] as const))('%s', (_, plot) => {
  it('says why there is nothing', () => {
    expect(plot.empty(new Run(), context())?.head).toBe('No measurements.');
    expect(plot.empty(made(3, WORKERS), context())?.body).toMatch(/older version/);
    expect(plot.empty(whole(), context())).toBeNull();
  });

  it.each([
    ['nothing', {}, 0],
    ['one point', { ...OWN, ...WORKERS }, 1],
    ['odd values', { ...OWN, ...WORKERS, scheduler_cpu: 1e30, scheduler_tick: 1e10, scheduler_memory: Number.NaN }, 3],
    ['an hour', { ...OWN, ...WORKERS, scheduler_cpu: Array.from({ length: 3600 }, (_v, i) => i % 70) }, 3600]
  ])('has a picture of %s', async (_name, columns, count) => {
    const run = count === 0 ? new Run() : made(count, columns as Columns);
    for (const [width, height] of [
      [90, 30],
      [300, 200],
      [2000, 900]
    ]) {
      const { svg, fault, data } = await render(plot, run, { width, height, dark: true });
      expect(fault).toBeNull();
      expect(svg).not.toMatch(/NaN|undefined|Infinity|width="-/);
      expect(Object.values(data).flat().length).toBeLessThanOrEqual(4000);
    }
  });
});
