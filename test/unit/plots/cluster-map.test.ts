import { beforeEach, describe, expect, it } from 'vitest';
import { formatWallClock, setNumberLocale } from '../../../src/base/format';
import { workersMap } from '../../../src/plots/workers/cluster-map';
import { MOST_FLOWS } from '../../../src/plots/workers/cluster-map/flows';
import { layMap, MOST_WORKERS } from '../../../src/plots/workers/cluster-map/layout';
import { textWidth } from '../../../src/plot/text';
import { frozen } from '../../../src/run/frozen';
import type { Run } from '../../../src/run/run';
import { hosts } from '../../../src/selectors/workers/host-rows';
import { render } from '../views/render';
import { cluster, context, step, theme, type Worker } from './cluster';
import { dataOf } from './drawing';

beforeEach(() => setNumberLocale('en'));

const MB = 1024 ** 2;
const FRAME = { width: 600, height: 400, firstRow: 0, endRow: 0 };

interface Made {
  from: number;
  to: number;
  bytes?: number;
  stop?: number;
  /** Of a party that is not a worker. */
  address?: string;
}

/** A run at time 1000 with transfers; -1 stands for no worker. */
function made(workers: readonly Worker[], transfers: readonly Made[] = [], clients: string[] = ['Client-1']): Run {
  const run = cluster({ workers });
  const column = (of: (transfer: Made) => number): Float64Array => Float64Array.from(transfers, of);
  const columns = {
    sender: column(({ from }) => from + 1),
    receiver: column(({ to }) => to + 1),
    start: column(({ stop }) => (stop ?? 999) - 0.5),
    stop: column(({ stop }) => stop ?? 999),
    total: column(({ bytes }) => bytes ?? MB),
    keys: column(() => 2)
  };
  const texts = transfers.map(({ address }) => address ?? '');
  const scalars = { first: 0, sender_address: texts, receiver_address: texts, names: transfers.map(() => '') };
  const topics = {
    transfers: { columns, scalars },
    meta: { columns: {}, scalars: { address: 'tcp://10.0.0.9:8786', clients: { count: clients.length, names: clients } } }
  };
  run.apply({ feed: 'made-up', epoch: 0, seq: 1, time: 1000, cursor: {}, names: {}, topics }, 1_000_000);
  return run;
}

const title = (run: Run, options = {}): string =>
  workersMap
    .titleLine(run, context({ options }))
    .map(({ text }) => text)
    .join(' · ');
const many = (count: number, perHost: number): Worker[] =>
  Array.from({ length: count }, (_, i) => ({ name: `worker-${i}`, host: `host-${Math.floor(i / perHost)}` }));

describe('the map of a cluster', () => {
  it('describes a worker when it is pointed at, not each in every drawing', () => {
    let texts = 0;
    const { trans } = context();
    const __ = (...words: Parameters<typeof trans.__>): string => {
      texts += 1;
      return trans.__(...words);
    };
    const given = { ...context(), trans: { ...trans, __ } };
    const drawn = workersMap.picture(made(many(500, 50)), given, FRAME).draw(FRAME);
    expect(texts).toBeLessThan(20);
    expect(drawn.data.hits.at(-1)?.tooltip).toMatchObject({ title: 'worker-499' });
  });

  it('says that there are no workers', () => {
    expect(workersMap.empty(made([]), context())?.head).toBe('No workers.');
  });

  it('calls no worker idle of which threads go on with cancelled tasks', () => {
    const labels = (cancelled: number): string[] =>
      workersMap.legend(made([{ name: 'a', nthreads: 2, load: 'idle', cancelled }]), context()).map(({ label }) => label);
    expect(labels(1)).toEqual(['busy', '▣ cancelled tasks', 'transfer']);
    expect(labels(0)).toEqual(['□ idle', 'transfer']);
  });

  it('names clients, scheduler, hosts and workers, as text', () => {
    const run = made(
      [
        { name: '<b>a</b>\u202e', host: 'h1' },
        { name: 'b', host: 'h2' }
      ],
      [],
      ['Client-<i>', 'Client-2']
    );
    const texts = dataOf(workersMap, run, context(), FRAME).texts.map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining(['2 clients', 'scheduler 10.0.0.9:8786', 'h1', 'h2', '<b>a</b>', 'b']));
  });

  it('draws who sent to whom in the period, the most with the thickest line', () => {
    const run = made(
      [{}, {}, {}],
      [
        { from: 0, to: 1, bytes: 3 * MB },
        { from: 0, to: 1, bytes: 5 * MB, stop: 995 },
        { from: 2, to: 1 },
        { from: 1, to: 2, stop: 900 },
        { from: 0, to: -1, bytes: 2 * MB },
        { from: -1, to: 0, address: 'tcp://gone:1' }
      ]
    );
    const { flows, heads } = dataOf(workersMap, run, context(), FRAME);
    const widths = flows.map(({ width }) => Number(width));
    expect(flows).toHaveLength(3);
    expect(heads).toHaveLength(3);
    expect(widths[0]).toBe(6);
    expect([...widths].sort((a, b) => b - a)).toEqual(widths);
    expect(title(run)).toBe('3 workers · 1 host · 11.0 MiB between 3 pairs in the last minute');
    expect(title(run, { period: 'all' })).toContain('between 4 pairs in the whole run');
    // Nothing comes of an idle cluster: hours later, the last minute would be another one.
    const idle = step(made([{}, {}], [{ from: 0, to: 1 }]), { time: 1000, idleSince: 990 });
    expect(title(idle)).toBe(`2 workers · 1 host · 1.00 MiB between 1 pair in the minute before ${formatWallClock(1000)}`);
    expect(title(idle, { period: 'all' })).toContain('in the whole run');
    expect(title(run, { period: '10', worker: 'tcp://10.0.0.2:42' })).toContain('1.00 MiB between 1 pair in the last 10 s');
    expect(workersMap.notes(run, context())).toContain('1 transfer of a worker that left');
  });

  it('sums what each worker received and sent', () => {
    const run = made(
      [{}, {}, {}],
      [
        { from: 0, to: 1 },
        { from: 2, to: 1 },
        { from: 1, to: 0, bytes: 4 * MB }
      ]
    );
    const cells = workersMap.table(run, context()).rows.map(row => row.cells.slice(4).map(({ value }) => value));
    expect(cells).toEqual([
      [4 * MB, 1, MB, 1],
      [2 * MB, 2, 4 * MB, 1],
      [0, 0, MB, 1]
    ]);
  });

  it('leaves out what the legend hides', () => {
    const run = made([{ load: 'idle' }, { load: 'busy' }], [{ from: 0, to: 1 }]);
    const drawn = (hidden: string[]): number[] => {
      const { flows, hits } = dataOf(workersMap, run, context({ hidden: new Set(hidden) }), FRAME);
      return [flows.length, hits.length];
    };
    expect([drawn([]), drawn(['transfer']), drawn(['idle'])]).toEqual([
      [1, 4],
      [0, 4],
      [0, 3]
    ]);
    expect(workersMap.legend(run, context()).map(({ id }) => id)).toEqual(['idle', 'busy', 'transfer']);
  });

  it.each([
    [1, 1],
    [12, 4],
    [100, 1],
    [700, 8],
    [700, 700],
    [700, 1]
  ])('keeps %i workers, %i a host, within the space and apart', (count, perHost) => {
    const run = made(many(count, perHost));
    for (const [width, height] of [
      [300, 300],
      [700, 400],
      [1600, 900]
    ] as const) {
      const { workers } = layMap(hosts(run), width, height);
      expect(workers).toHaveLength(count);
      expect(Math.min(...workers.map(({ x }) => x))).toBeGreaterThanOrEqual(0);
      expect(Math.max(...workers.map(box => box.x + box.width))).toBeLessThanOrEqual(width);
      expect(Math.max(...workers.map(box => box.y + box.height))).toBeLessThanOrEqual(height);
      expect(new Set(workers.map(({ x, y }) => `${x} ${y}`)).size).toBe(count);
      const named = workers.filter(each => each.named);
      expect(named.length === 0 || named.length === count).toBe(true);
    }
  });

  it('uses the room of a large pane: workers farther apart and larger, in the middle', () => {
    const run = made(many(8, 2));
    const spread = (width: number, height: number): { share: number; left: number; right: number; box: number } => {
      const { workers } = layMap(hosts(run), width, height);
      const [left, right] = [Math.min(...workers.map(({ x }) => x)), Math.max(...workers.map(box => box.x + box.width))];
      const [top, bottom] = [Math.min(...workers.map(({ y }) => y)), Math.max(...workers.map(box => box.y + box.height))];
      return { share: ((right - left) * (bottom - top)) / (width * height), left, right, box: workers[0].width };
    };
    const [small, large] = [spread(400, 300), spread(1600, 900)];
    expect(large.share).toBeGreaterThan(0.3);
    expect(large.box).toBeGreaterThan(small.box);
    expect(Math.abs(large.left - (1600 - large.right))).toBeLessThan(300);
  });

  it('has long names whole where there is room, and the address of the scheduler whole or not at all', () => {
    const name = 'worker-on-a-machine-with-a-name';
    const run = made([{ name }, { name: `${name}-2` }]);
    const texts = (width: number) => dataOf(workersMap, run, context(), { ...FRAME, width }).texts.map(each => String(each.text));
    for (const width of [300, 900]) {
      const { workers } = layMap(hosts(run), width, 400);
      expect(Math.min(...workers.map(box => box.width))).toBeGreaterThan(textWidth(`${name}-2`));
    }
    // With their signs.
    const idle = made([{ name, load: 'idle' }]);
    const [drawn] = dataOf(workersMap, idle, context(), { ...FRAME, width: 300 }).texts.filter(each =>
      String(each.text).includes(name)
    );
    expect(textWidth(String(drawn.text))).toBeLessThanOrEqual(Number(drawn.limit));
    expect(texts(900)).toContain('scheduler 10.0.0.9:8786');
    expect(texts(300)).toContain('scheduler');
  });

  it('has bounds for workers and lines, draws those that moved most, and says what is left out', () => {
    const transfers = Array.from({ length: MOST_FLOWS.many + 50 }, (_, i) => ({ from: i + 900, to: i + 901, bytes: i + 1 }));
    const run = made(many(MOST_WORKERS + 500, 8), transfers);
    const { hits, flows } = dataOf(workersMap, run, context(), FRAME);
    expect(hits).toHaveLength(MOST_WORKERS + 2);
    expect(flows).toHaveLength(MOST_FLOWS.many);
    expect(workersMap.notes(run, context())).toEqual([
      '500 workers only in the table',
      'lines of the 75 pairs that moved most; 50 others'
    ]);
    expect(workersMap.table(run, context()).rows).toHaveLength(MOST_WORKERS + 500);
    const one = made(many(MOST_WORKERS + 500, 8), transfers.slice(49));
    expect(workersMap.notes(one, context())).toContain('lines of the 75 pairs that moved most; 1 other');
  });

  it('is drawn without a fault, in the smallest pane and for a frozen run', async () => {
    const run = made(
      [{ status: 'paused' }, { status: 'closing' }, { status: 'init' }, {}],
      [
        { from: 0, to: 3 },
        { from: 3, to: 0 }
      ]
    );
    const before = frozen(run);
    step(run, { time: 2000, workers: [{ status: 'lost' }, {}, {}, {}] });
    expect(title(run)).toContain('no results sent in the last minute');
    expect(title(before)).toContain('between 2 pairs');
    for (const options of [{ width: 60, height: 40 }, { dark: true }, { interpret: true }]) {
      const { svg, fault } = await render(workersMap, before, options);
      expect(fault).toBeNull();
      expect(svg).not.toContain('NaN');
    }
  });

  it('does not call the run without transfers where others moved something', () => {
    const run = made([{}, {}, { name: 'third' }], [{ from: 0, to: 1 }]);
    expect(title(run, { worker: 'tcp://10.0.0.2:42' })).toContain('no results sent or received by third in the last minute');
    step(run, { time: 1001, workers: [{ status: 'lost' }, {}, {}] });
    expect(title(run, { period: 'all' })).toContain('no results sent between these workers in the whole run');
    expect(workersMap.notes(run, context({ options: { period: 'all' } }))).toContain('1 transfer of a worker that left');
    const of = (worker: string): string[] => {
      const options = { period: 'all', worker };
      return [title(run, options).split(' · ')[2], ...workersMap.notes(run, context({ options }))];
    };
    // The third had nothing to do with the one that has left, the second had.
    expect(of('tcp://10.0.0.2:42')).toEqual(['no results sent or received by worker 2 in the whole run']);
    expect(of('tcp://10.0.0.1:41')).toEqual([
      'no results sent between these workers in the whole run',
      '1 transfer of a worker that left'
    ]);
  });

  it('does not say that nothing moved where that is not known', () => {
    const refused = made([{}, {}]);
    const scalars = { first: 0, limited: 'blocked: run' };
    const topics = { transfers: { columns: {}, scalars } };
    refused.apply({ feed: 'made-up', epoch: 0, seq: 2, time: 1001, cursor: {}, names: {}, topics }, 1_001_000);
    // A recording that was made without them.
    const without = cluster({ workers: [{}, {}] });
    for (const run of [refused, without]) {
      expect(title(run)).toBe('2 workers · 1 host · transfers are not known');
      const { columns, rows } = workersMap.table(run, context());
      const received = columns.findIndex(({ id }) => id === 'received');
      expect(rows.map(({ cells }) => cells.slice(received).map(({ text }) => text))).toEqual([
        ['–', '–', '–', '–'],
        ['–', '–', '–', '–']
      ]);
    }
    expect(title(made([{}, {}]))).toContain('no results sent in the last minute');
    // A P2P shuffle may be moving everything: Dask notes none of it among transfers.
    expect(workersMap.howToRead).toContain('What P2P shuffles send is not among them');
  });

  it('does not draw a worker that has sent no heartbeat as an idle or busy one', () => {
    const run = made([{ load: 'idle', heartbeat: 1 }, { load: 'idle' }, { status: 'closing', heartbeat: 1 }]);
    const labels = workersMap.legend(run, context()).map(({ label }) => label);
    expect(labels).toEqual(['□ idle', '? no heartbeat', '→ retiring', 'transfer']);
    const { hits } = dataOf(workersMap, run, context({ hidden: new Set(['idle', 'retiring']) }), FRAME);
    expect(hits.slice(2).map(({ fill }) => fill)).toEqual([theme().worker.retiring]);
  });

  it('has a sign for each state, with the name or alone, which the legend explains: red is that of three states', () => {
    const limits = { memory_limit: 100, process: 100 };
    const states: Worker[] = [
      { name: 'busy' },
      { name: 'paused', status: 'paused', ...limits },
      { name: 'stopped', heartbeat: 1 },
      { name: 'leaves', status: 'closing_gracefully', ...limits },
      { name: 'waits', load: 'idle' },
      { name: 'full', load: 'saturated', ...limits },
      { name: 'cancelled', load: 'idle', cancelled: 1 }
    ];
    const run = made(states);
    const texts = (frame: typeof FRAME): unknown[] => dataOf(workersMap, run, context(), frame).texts.map(({ text }) => text);
    const signed = ['‖ paused', '? stopped', '→ leaves', '□ waits', '◆▲ full', '▣ cancelled'];
    expect(texts(FRAME)).toEqual(expect.arrayContaining(['busy', ...signed]));
    expect(workersMap.legend(run, context()).map(({ label }) => label)).toEqual([
      ...['□ idle', 'busy', '◆ saturated', '‖ paused', '? no heartbeat', '→ retiring', '▣ cancelled tasks', 'transfer']
    ]);
    // Too many for their names.
    const crowd = made([...many(250, 250), { status: 'paused' }, { load: 'saturated', ...limits }]);
    const alone = (width: number, height: number): unknown[] =>
      dataOf(workersMap, crowd, context(), { ...FRAME, width, height })
        .texts.slice(2)
        .map(({ text }) => text);
    expect(alone(600, 300).filter(text => text !== 'host-0')).toEqual(expect.arrayContaining(['‖', '◆']));
    expect(alone(200, 200)).toEqual([]);
  });

  it('counts no clients where the feed does not report them', () => {
    const run = cluster({ workers: [{}] });
    expect(dataOf(workersMap, run, context(), FRAME).texts.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['clients', 'scheduler'])
    );
  });
});
