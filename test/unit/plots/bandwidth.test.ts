import { beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import type { Scalar } from '../../../src/feed/frame';
import { workerPairs } from '../../../src/plots/transfers/bandwidth/pairs';
import { bandwidthTypes } from '../../../src/plots/transfers/bandwidth/types';
import { bandwidthWorkers } from '../../../src/plots/transfers/bandwidth/workers';
import { Kept } from '../../../src/plot/kept';
import type { TooltipContent, VegaPlot } from '../../../src/plot/plot';
import { frozen } from '../../../src/run/frozen';
import type { Run } from '../../../src/run/run';
import { render } from '../views/render';
import { cluster, context, step } from './cluster';
import { dataOf, rowCountOf } from './drawing';

beforeEach(() => setNumberLocale('en'));

const MiB = 1024 ** 2;
const FRAME = { width: 500, height: 400, firstRow: 0, endRow: 20 };

function send(run: Run, topic: string, columns: Record<string, number[]>, scalars: Record<string, Scalar> = {}): Run {
  const typed = Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, Float64Array.from(values)]));
  const topics = { [topic]: { columns: typed, scalars } };
  run.apply({ feed: 'made-up', epoch: 0, seq: 0, time: 1100, cursor: {}, names: {}, topics }, 1_100_000);
  return run;
}

/** Pairs as [sender, receiver, rate]. */
function averages(run: Run, pairs: readonly (readonly [number, number, number])[], types: Scalar = []): Run {
  const columns = {
    id: pairs.map(([sender, receiver]) => sender * 100 + receiver),
    sender: pairs.map(([sender]) => sender),
    receiver: pairs.map(([, receiver]) => receiver),
    rate: pairs.map(([, , rate]) => rate)
  };
  return send(run, 'bandwidth', columns, { total: 50 * MiB, types });
}

const small = (run: Run, total: [number, number] = [1000, 3000], ends: [number, number] = [1000.5, 1001.5]): Run =>
  send(
    run,
    'transfers',
    {
      sender: [3, 3],
      receiver: [1, 1],
      start: [1000, 1001],
      stop: ends,
      total,
      compressed: [1, 1],
      keys: [1, 1],
      sides: [3, 3]
    },
    { first: 0 }
  );

const three = (): Run =>
  averages(cluster({ workers: [{ name: 'a' }, { name: 'b<i>' }, { name: 'c' }] }), [
    [0, 1, 80 * MiB],
    [1, 0, 20 * MiB]
  ]);

const title = (plot: VegaPlot, run: Run): string[] => plot.titleLine(run, context()).map(({ text }) => text);
const table = (plot: VegaPlot, run: Run): Record<string, string>[] => {
  const { columns, rows } = plot.table(run, context());
  return rows.map(({ cells }) => Object.fromEntries(cells.map((cell, i) => [columns[i].id, cell.text])));
};

describe('bandwidth by workers', () => {
  it('shows which worker sends to which, by the average of Dask, else by the transfers that are known', () => {
    const run = small(three());
    expect(table(bandwidthWorkers, run)).toEqual([
      expect.objectContaining({ from: 'a', to: 'b<i>', average: '80.0 MiB/s', count: '0' }),
      expect.objectContaining({ from: 'b<i>', to: 'a', average: '20.0 MiB/s' }),
      expect.objectContaining({ from: 'c', to: 'a', average: '–', count: '2', bytes: '3.91 KiB', mean: '3.91 KiB/s' })
    ]);
    expect(title(bandwidthWorkers, run)).toEqual(['20.0 MiB/s to 80.0 MiB/s', '3 pairs of workers']);
    expect(bandwidthWorkers.summary(run, context())).toBe('3 pairs of workers, the fastest a → b<i> with 80.0 MiB/s.');
  });

  it('begins anew where its history is cleared: with the transfers since, and without averages that do not', () => {
    const run = small(three(), [1000, 3000], [1000.5, 1001.5]);
    const before = (time: number) => ({ run: run.identity, before: time, row: 0, tasks: 0, erred: 0, moves: 0, sums: {} });
    const of = (time: number): string[][] =>
      bandwidthWorkers
        .table(run, context({ cleared: before(time) }))
        .rows.map(({ cells }) => cells.slice(0, 4).map(({ text }) => text));
    expect(of(1001)).toEqual([['c', 'a', '–', '1']]);
    expect(bandwidthWorkers.titleLine(run, context({ cleared: before(1001) })).map(({ text }) => text)).toEqual([
      '5.86 KiB/s',
      '1 pair of workers',
      expect.stringMatching(/^since \d/)
    ]);
    expect(bandwidthWorkers.empty(run, context({ cleared: before(1002) }))?.head).toMatch(/^Nothing since /);
    // A recording may have Dask's averages alone.
    expect(bandwidthWorkers.empty(three(), context({ cleared: before(1002) }))?.head).toMatch(/^Not known since /);
    expect(table(bandwidthWorkers, run)).toHaveLength(3);
  });

  it('is a matrix with a row for each sender and a column for each receiver', () => {
    const { hits, texts, cells } = dataOf(bandwidthWorkers, small(three()), context(), FRAME);
    const [ab, ba, ca] = hits;
    expect(Number(ab.x)).toBeGreaterThan(Number(ba.x));
    expect(Number(ab.y)).toBeLessThan(Number(ba.y));
    expect(Number(ca.y)).toBeGreaterThan(Number(ba.y));
    expect(ca.x).toBe(ba.x);
    expect(ab.tooltip).toMatchObject({ title: 'a → b<i>' });
    expect(texts.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['from ↓', 'to →', 'a', 'c', '80', '20', 'figures in MiB/s'])
    );
    // Six pairs without themselves, then what is known of three of them; the outlined one is not of Dask's average.
    expect(cells).toHaveLength(9);
    expect(cells.filter(({ stroke }) => stroke !== null)).toHaveLength(1);
    expect(rowCountOf(bandwidthWorkers, three(), context())).toBe(0);
    // Its legend explains the colours: there is nothing to hide.
    expect(bandwidthWorkers.legend(small(three()), context()).map(({ label, inert }) => [label, inert])).toEqual([
      ['0 B/s', true],
      ['80.0 MiB/s', true],
      ['from the log', true]
    ]);
  });

  it('has figures in its cells, in the digits of the user, also just below the next digit', () => {
    const rates = [
      [0, 1, 99.7 * MiB],
      [1, 0, 99.4 * MiB],
      [1, 2, 5.04 * MiB],
      [2, 1, 0.000_412 * MiB]
    ] as const;
    const run = averages(cluster({ workers: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] }), rates);
    setNumberLocale('de');
    const { texts } = dataOf(bandwidthWorkers, run, context(), FRAME);
    expect(texts.map(({ text }) => text)).toEqual(expect.arrayContaining(['100', '99', '5', '0,00041']));
  });

  it('stands for both workers of a pair: a cell, a bar or a row selects their tasks, and leads on', () => {
    const run = three();
    const addresses = run.workerNames.map(({ address }) => address);
    const subject = { kind: 'workers', name: 'a → b<i>', workers: addresses.slice(0, 2) };
    for (const shape of ['matrix', 'pairs']) {
      const { hits } = dataOf(bandwidthWorkers, run, context({ options: { shape } }), FRAME);
      const tooltips = hits.map(({ tooltip }) => tooltip as TooltipContent);
      const found = tooltips.find(({ title }) => title === 'a → b<i>');
      expect(found, shape).toMatchObject({ subject, hint: 'Click: pin, select its tasks' });
      expect(found?.links?.map(({ label, plot, args }) => [label, plot, args.worker])).toEqual([
        ['Transfers', 'transfers', addresses[1]],
        ['Details of a', 'worker', addresses[0]],
        ['Details of b<i>', 'worker', addresses[1]]
      ]);
    }
    const [row] = bandwidthWorkers.table(run, context()).rows;
    expect(bandwidthWorkers.acts?.(run, row.id)).toEqual(subject);
    expect(bandwidthWorkers.acts?.(run, 'gone')).toBeNull();
  });

  it('sorts pairs again when they are chosen again', () => {
    const kept = new Kept();
    const run = averages(cluster({ workers: [{}, {}, {}] }), [[0, 1, 300 * MiB]]);
    const drawn = (shape: string): unknown =>
      dataOf(bandwidthWorkers, run, context({ options: { shape }, kept }), FRAME).hits.map(
        ({ tooltip }) => (tooltip as TooltipContent).title
      );
    drawn('pairs');
    averages(run, [
      [0, 1, 300 * MiB],
      [1, 2, 900 * MiB]
    ]);
    // What is shown does not move by itself.
    expect(drawn('pairs')).toEqual(['0 → 1', '1 → 2']);
    drawn('matrix');
    expect(drawn('pairs')).toEqual(['1 → 2', '0 → 1']);
  });

  it('lists the pairs of many workers instead, and says so', () => {
    const workers = Array.from({ length: 40 }, (_, i) => ({ name: `w${i}` }));
    const pairs = workers.map((_, i) => [i, (i + 1) % 40, (i + 1) * MiB] as const);
    const run = averages(cluster({ workers }), pairs);
    expect(rowCountOf(bandwidthWorkers, run, context())).toBe(40);
    const { texts, hits } = dataOf(bandwidthWorkers, run, context(), FRAME);
    expect(hits).toHaveLength(20);
    expect(texts.map(({ text }) => text)).toContain('w39 → w0');
    expect(bandwidthWorkers.notes(run, context())[0]).toContain('31 workers');
    const matrix = averages(cluster({ workers: workers.slice(0, 31) }), []);
    const all = Array.from({ length: 31 * 31 }, (_, i) => [Math.floor(i / 31), i % 31, MiB] as const);
    const full = averages(
      matrix,
      all.filter(([a, b]) => a !== b)
    );
    expect(dataOf(bandwidthWorkers, full, context(), FRAME).hits).toHaveLength(930);
  });

  it('says of which pairs Dask counts several transfers as one', () => {
    const run = averages(small(cluster({ workers: [{}, {}, {}] }), [2 * MiB, 6 * MiB]), [
      [2, 0, 18 * MiB],
      [0, 2, 18 * MiB]
    ]);
    // Two transfers of 4 and 12 MiB/s from 2 to 0; of the other direction, the log has none.
    expect(bandwidthWorkers.notes(run, context()).join()).toMatch(
      /^of 1 pair, Dask’s average is higher than its fastest transfer/
    );
    expect(title(bandwidthWorkers, run)).toEqual(['8.00 MiB/s to 18.0 MiB/s', '2 pairs of workers']);
    expect(workerPairs(run).map(({ rate, average }) => [rate / MiB, average / MiB])).toEqual([
      [8, 18],
      [18, 18]
    ]);
    const { cells } = dataOf(bandwidthWorkers, run, context(), FRAME);
    expect(cells.filter(({ stroke }) => stroke !== null)).toHaveLength(1);
    expect(bandwidthWorkers.legend(run, context()).map(({ label }) => label)).toContain('from the log');
    expect(bandwidthWorkers.notes(averages(run, [[2, 0, 12 * MiB]]), context())).toEqual([]);
  });

  it('does not doubt an average because of small transfers, where the large ones are not in the log any more', () => {
    const run = averages(small(cluster({ workers: [{}, {}, {}] }), [1000, 1_000_000]), [[2, 0, 100 * MiB]]);
    expect(workerPairs(run)).toMatchObject([{ trusted: true, count: 2, rate: 100 * MiB }]);
    expect(bandwidthWorkers.notes(run, context())).toEqual([]);
    expect(title(bandwidthWorkers, run)[0]).toBe('100 MiB/s');
  });

  it('makes nothing of transfers whose end is not known', () => {
    const run = small(three(), [1000, 3000], [1000.5, Number.NaN]);
    expect(workerPairs(run)[2]).toMatchObject({ count: 1, bytes: 1000, seconds: 0.5, rate: 2000 });
    const { texts } = dataOf(bandwidthWorkers, run, context(), { width: 400, height: 300, firstRow: 0, endRow: 0 });
    expect(texts.map(row => row.text)).toContain('figures in MiB/s');
    expect(workerPairs(small(three(), [1000, 3000], [Number.NaN, Number.NaN]))).toHaveLength(2);
  });

  it('forgets workers that have gone, and stays as it is while paused', () => {
    const run = three();
    const paused = frozen(run);
    averages(run, [[0, 1, Number.NaN]]);
    expect(workerPairs(run)).toHaveLength(1);
    expect(workerPairs(paused)).toHaveLength(2);
  });

  it('waits for a transfer', () => {
    expect(bandwidthWorkers.empty(cluster({ workers: [{}] }), context())?.head).toBe('No transfers.');
    expect(bandwidthWorkers.empty(three(), context())).toBeNull();
    // Results that clients gather are no transfers between workers.
    const gathered = {
      sender: [1],
      receiver: [0],
      start: [1000],
      stop: [1001],
      total: [1],
      compressed: [1],
      keys: [1],
      sides: [2]
    };
    const client = send(cluster({ workers: [{}] }), 'transfers', gathered, { first: 0, receiver_address: [''] });
    expect(bandwidthWorkers.empty(client, context())?.head).toBe('No transfers.');
  });

  it('does not say that there were no transfers where those that made them have left', () => {
    const run = step(small(cluster({ workers: [{}, {}, {}] })), { time: 1200, workers: [{ status: 'lost' }, {}, {}] });
    expect(bandwidthWorkers.empty(run, context())?.head).toBe('No transfers between the present workers.');
  });

  it.each(['matrix', 'pairs'])('is a spec that Vega takes, as %s', async shape => {
    for (const interpret of [false, true]) {
      const { svg, fault } = await render(bandwidthWorkers, small(three()), { interpret, dark: interpret, choices: { shape } });
      expect(fault).toBeNull();
      expect(svg).toContain('b&lt;i');
    }
  });
});

describe('bandwidth by type', () => {
  const types: Scalar = [
    ['list', MiB],
    ['<b>ndarray</b>', 90 * MiB]
  ];

  it('has a bar for each type, the fastest first', async () => {
    const run = averages(three(), [], types);
    expect(table(bandwidthTypes, run)).toEqual([
      { type: '<b>ndarray</b>', rate: '90.0 MiB/s' },
      { type: 'list', rate: '1.00 MiB/s' }
    ]);
    expect(bandwidthTypes.empty(run, context())).toBeNull();
    expect(bandwidthTypes.empty(three(), context())?.head).toBe('No bandwidth by type.');
    expect(bandwidthTypes.notes(run, context())).toEqual([expect.stringContaining('may be too high')]);
    expect(bandwidthTypes.notes(three(), context())).toEqual([]);
    expect(bandwidthTypes.summary(run, context())).toBe('Bandwidth by type, <b>ndarray</b> 90.0 MiB/s, list 1.00 MiB/s.');
    const { svg, fault } = await render(bandwidthTypes, run);
    expect(fault).toBeNull();
    expect(svg).toContain('&lt;b&gt;ndarray');
  });
});
