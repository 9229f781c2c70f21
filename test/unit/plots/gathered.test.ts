import { beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import type { Scalar } from '../../../src/feed/frame';
import { logs } from '../../../src/plots/diagnosis/logs';
import type { TablePlot } from '../../../src/plot/plot';
import { transfers } from '../../../src/plots/transfers/transfers';
import { frozen } from '../../../src/run/frozen';
import type { Run } from '../../../src/run/run';
import { type Selection, selectionOf } from '../../../src/run/selection/selection';
import { isDimmed } from '../../../src/views/table/row-actions';
import { cluster, context } from './cluster';

beforeEach(() => setNumberLocale('en'));

const MiB = 1024 ** 2;

function apply(run: Run, topic: string, columns: Record<string, number[]>, scalars: Record<string, Scalar>, now = 1100): Run {
  const typed = Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, Float64Array.from(values)]));
  const topics = { [topic]: { columns: typed, scalars } };
  run.apply({ feed: 'made-up', epoch: 0, seq: 0, time: now, cursor: {}, names: {}, topics }, now * 1000);
  return run;
}

const two = (): Run =>
  cluster({
    workers: [
      { name: 'a', address: 'tcp://a:1' },
      { name: '<img src=x>', address: 'tcp://b:1' }
    ]
  });

const TRANSFERS = {
  columns: {
    sender: [1, 2, 0],
    receiver: [2, 1, 1],
    start: [1000, 1001, 1002],
    stop: [1000.5, 1001.0001, 1002.1],
    total: [8 * MiB, 100, 1000],
    compressed: [MiB, Number.NaN, 500],
    keys: [2, 1, 1],
    sides: [3, 1, 2]
  },
  scalars: {
    first: 0,
    names: ['x-1, x-2', '<b>y</b>\nz', 'z'],
    sender_address: ['', '', 'tcp://10.0.0.9:1'],
    receiver_address: ['', '', ''],
    servers: 2
  }
};

const table = (plot: TablePlot, run: Run, options: Record<string, string> = {}): Record<string, string>[] => {
  const { columns, rows } = plot.table(run, context({ options }));
  return rows.map(({ cells }) => Object.fromEntries(cells.map((cell, i) => [columns[i].id, cell.text])));
};
const title = (plot: TablePlot, run: Run): string[] => plot.titleLine(run, context()).map(({ text }) => text);

describe('transfers', () => {
  const made = (): Run => apply(two(), 'transfers', TRANSFERS.columns, TRANSFERS.scalars);

  it('has a row for each transfer, the newest first, with who sent to whom', () => {
    const [gone, short, long] = table(transfers, made());
    expect(long).toMatchObject({
      sender: 'a',
      receiver: '<img src=x>',
      duration: '500 ms',
      total: '8.00 MiB',
      compressed: '1.00 MiB',
      share: '13 %',
      bandwidth: '16.0 MiB/s',
      keys: '2',
      names: 'x-1, x-2',
      noted: 'both'
    });
    // Dask counts no transfer as shorter than a millisecond.
    expect(short).toMatchObject({ duration: '1.00 ms', compressed: '–', share: '–', noted: 'receiver', names: '<b>y</b> z' });
    expect(gone).toMatchObject({ sender: '10.0.0.9:1', receiver: 'a', noted: 'sender' });
    expect(title(transfers, made())).toEqual(['3 transfers', '8.00 MiB', '601 ms in transfers']);
    expect(transfers.summary(made(), context())).toBe('3 transfers, 8.00 MiB in 601 ms.');
  });

  it('is the log of one worker, incoming or outgoing', () => {
    const keys = (options: Record<string, string>): string[] => table(transfers, made(), options).map(({ names }) => names);
    expect(keys({ worker: 'tcp://b:1' })).toEqual(['<b>y</b> z', 'x-1, x-2']);
    expect(keys({ worker: 'tcp://b:1', direction: 'in' })).toEqual(['x-1, x-2']);
    expect(keys({ worker: 'tcp://b:1', direction: 'out' })).toEqual(['<b>y</b> z']);
    expect(keys({ direction: 'out' })).toHaveLength(3);
    const notes = (options: Record<string, string>): readonly string[] => transfers.notes(made(), context({ options }));
    expect(notes({ direction: 'out' })).toEqual(['in and out: incoming and outgoing are of a chosen worker']);
    expect([notes({ direction: 'both' }), notes({ worker: 'tcp://b:1', direction: 'out' })]).toEqual([[], []]);
    const gone = context({ options: { worker: 'tcp://gone' } });
    expect(transfers.notes(made(), gone)).toEqual(['the chosen worker is not in this run: all workers are shown']);
    expect(transfers.titleLine(made(), context({ options: { worker: 'tcp://b:1', direction: 'in' } }))[0].text).toBe(
      '1 transfer'
    );
  });

  it('are those of the worker that was at an address at the moment that a recording shows', () => {
    const run = made();
    const later = { name: 'a', address: 'tcp://a:1', host: '', nthreads: 1, memory_limit: 0 };
    run.learn({ workers: { from: 2, values: [later] } });
    const options = { worker: 'tcp://a:1' };
    expect(table(transfers, run, options)).toHaveLength(3);
    // The later one has joined: of its own it has none yet.
    const workers = { id: [2], status: [1], nthreads: [1], memory_limit: [0], last_seen: [1100] };
    expect(table(transfers, apply(run, 'workers', workers, {}), options)).toHaveLength(0);
    expect(transfers.empty(run, context({ options }))?.head).toBe('No transfers match this choice.');
  });

  it('are dimmed outside of the selected period, and of other workers', () => {
    const run = made();
    const ids = transfers.table(run, context()).rows.map(({ id }) => id);
    const bright = (conditions: Partial<Selection>): string[] => {
      selectionOf(run).select(conditions);
      return ids.filter(id => !isDimmed(transfers, run, id)).sort();
    };
    expect(bright({})).toEqual(['0', '1', '2']);
    expect(bright({ period: { from: 1000.2, to: 1001 } })).toEqual(['0', '1']);
    // The third is between a worker and something else.
    expect(bright({ workers: ['tcp://b:1'] })).toEqual(['0', '1']);
  });

  it('says what is missing, and why it is empty', () => {
    const silent = { first: 3, silent: 1, dropped: 2, lost: 4, limited: '' };
    expect(transfers.notes(apply(made(), 'transfers', {}, silent), context())).toEqual([
      '1 worker did not answer',
      'Dask had dropped some before they were read',
      '4 earlier rows not kept'
    ]);
    expect(transfers.empty(two(), context())?.head).toBe('No transfers.');
    expect(transfers.empty(two(), context())?.body).toContain('What P2P shuffles send is in Shuffle.');
    const limited = apply(two(), 'transfers', {}, { first: 0, limited: 'blocked: <b>run</b>' });
    expect(transfers.empty(limited, context())?.body).toBe('blocked: <b>run</b>');
  });

  it('starts over where the kernel does, and stays as it is while paused', () => {
    const run = made();
    const paused = frozen(run);
    const more = { sender: [1], receiver: [2], start: [1200], stop: [1201], total: [1], compressed: [1], keys: [1], sides: [3] };
    apply(run, 'transfers', more, { first: 3, names: ['later'] }, 1300);
    expect(table(transfers, run)).toHaveLength(4);
    expect(table(transfers, paused)).toHaveLength(3);
    apply(run, 'transfers', TRANSFERS.columns, TRANSFERS.scalars, 1301);
    expect(table(transfers, run)).toHaveLength(3);
  });
});

describe('logs', () => {
  const LOGS = {
    columns: { time: [1003, 1001, 1002, 1004], level: [40, 20, 30, 50], server: [1, 0, 2, 0] },
    scalars: {
      first: 0,
      name: ['ERROR', 'INFO', 'WARNING', 'CRITICAL'],
      logger: ['distributed.worker', 'distributed.scheduler', 'l', 'l'],
      text: [
        '2026-11-21 11:53 - distributed.worker - ERROR - <script>alert(1)</script>\nTraceback',
        'Receive client',
        'slow',
        'end'
      ],
      servers: 3
    }
  };
  const made = (): Run => apply(two(), 'logs', LOGS.columns, LOGS.scalars);

  it('has the newest line first, of scheduler and workers', () => {
    expect(table(logs, made()).map(({ level, server, text }) => [level, server, text])).toEqual([
      ['critical', 'scheduler', 'end'],
      ['error', 'a', '<script>alert(1)</script> Traceback'],
      ['warning', '<img src=x>', 'slow'],
      ['info', 'scheduler', 'Receive client']
    ]);
    expect(title(logs, made())).toEqual(['4 lines', '2 errors', '1 warning']);
    expect(logs.summary(made(), context())).toBe('4 lines, 2 errors, 1 warning.');
  });

  it('has all lines of one below the table, with what a narrow table leaves out', () => {
    const run = made();
    const [, { id }] = logs.table(run, context()).rows;
    expect(logs.detail?.(run, id, context())).toMatchObject({
      title: '✕ error · 0:03',
      tone: 'bad',
      text: '<script>alert(1)</script>\nTraceback',
      facts: [
        ['Server', 'a'],
        ['Clock', expect.stringMatching(/\d\d:\d\d:\d\d/)],
        ['Logger', 'distributed.worker']
      ]
    });
    expect(logs.detail?.(run, '99', context())).toBeNull();
  });

  it('counts the lines that it shows, and says when those of the chosen worker cannot be', () => {
    const of = (options: Record<string, string>): string[] =>
      logs.titleLine(made(), context({ options })).map(({ text }) => text);
    expect(of({ servers: 'tcp://b:1' })).toEqual(['1 line', '1 warning']);
    expect(of({ level: '40' })).toEqual(['2 lines', '2 errors']);
    expect(logs.summary(made(), context({ options: { servers: 'scheduler' } }))).toBe('2 lines, 1 error.');
    const notes = (servers: string): readonly string[] => logs.notes(made(), context({ options: { servers } }));
    expect(notes('tcp://gone')).toEqual(['the chosen worker is not in this run: scheduler and all workers are shown']);
    expect(['all', 'scheduler', 'workers', 'tcp://b:1'].flatMap(notes)).toEqual([]);
  });

  it('are dimmed outside of the selected period, and of other workers, which the scheduler is not', () => {
    const run = made();
    const dimmed = (conditions: Partial<Selection>): (string | undefined)[] => {
      selectionOf(run).select(conditions);
      return logs.table(run, context()).rows.flatMap(({ id, cells }) => (isDimmed(logs, run, id) ? cells[5].text : []));
    };
    expect(dimmed({})).toEqual([]);
    expect(dimmed({ period: { from: 1002.5, to: 1003.5 } })).toEqual(['end', 'slow', 'Receive client']);
    expect(dimmed({ workers: ['tcp://a:1'] })).toEqual(['slow']);
  });

  it('shows a level and above, and the scheduler or workers alone', () => {
    const run = made();
    expect(table(logs, run, { level: '30' })).toHaveLength(3);
    expect(table(logs, run, { level: '40' })).toHaveLength(2);
    expect(table(logs, run, { servers: 'workers' }).map(({ server }) => server)).toEqual(['a', '<img src=x>']);
    expect(table(logs, run, { servers: 'tcp://b:1' }).map(({ server }) => server)).toEqual(['<img src=x>']);
    expect(table(logs, run, { servers: 'tcp://gone' })).toHaveLength(4);
    expect(table(logs, run, { servers: 'scheduler', level: '40' }).map(({ text }) => text)).toEqual(['end']);
  });

  it('distinguishes logs without lines from no logs', () => {
    expect(logs.empty(two(), context())?.head).toBe('No logs.');
    expect(logs.empty(apply(two(), 'logs', {}, { first: 0, servers: 2 }), context())?.head).toBe('The logs are empty.');
    expect(logs.empty(made(), context())).toBeNull();
    const quiet = context({ options: { servers: 'tcp://b:1', level: '40' } });
    expect(logs.empty(made(), quiet)).toMatchObject({ head: 'No lines match this choice.' });
  });

  it('signs levels, so that colour is not alone', () => {
    const { rows, columns } = logs.table(made(), context());
    const at = columns.findIndex(({ id }) => id === 'level');
    expect(rows.map(({ cells }) => cells[at].sign)).toEqual(['✕', '✕', '▲', undefined]);
  });
});
