import { beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import { hosts } from '../../../src/selectors/workers/host-rows';
import { workersDisk } from '../../../src/plots/workers/workers-disk';
import { workersNetwork } from '../../../src/plots/transfers/workers-network';
import type { TooltipContent } from '../../../src/plot/plot';
import type { Run } from '../../../src/run/run';
import { selectionOf } from '../../../src/run/selection/selection';
import { selectRow } from '../../../src/views/table/row-actions';
import { cluster, context, theme } from './cluster';
import { dataOf } from './drawing';

beforeEach(() => setNumberLocale('en'));

const MiB = 1024 ** 2;
const FRAME = { width: 500, height: 300, firstRow: 0, endRow: 12 };

const run = (): Run =>
  cluster({
    workers: [
      { host: 'h10', net_read: 2 * MiB, net_write: MiB, disk_write: 5 * MiB },
      { host: 'h9', net_read: 8 * MiB },
      { host: 'h10', net_read: 3 * MiB, net_write: Number.NaN, disk_write: 5 * MiB },
      { host: 'h9', net_read: 90 * MiB, status: 'lost' }
    ]
  });
const sizes = (hidden: string[] = [], sort = 'name'): unknown[] =>
  dataOf(workersNetwork, run(), context({ hidden: new Set(hidden), options: { sort } }), FRAME).segments.flatMap(row =>
    row.value === undefined ? [] : [row.value]
  );

describe('hosts', () => {
  it('count once however many workers they have, without lost workers', () => {
    expect(hosts(run()).map(({ label, workers, netRead, netWrite }) => [label, workers.length, netRead, netWrite])).toEqual([
      ['h10', 2, 3 * MiB, MiB],
      ['h9', 1, 8 * MiB, 0]
    ]);
    expect(workersNetwork.titleLine(run(), context()).map(part => part.text)).toEqual(['11.0 MiB/s in', '1.00 MiB/s out']);
    expect(workersDisk.summary(run(), context())).toBe('Disk per host, 0 B/s read, 5.00 MiB/s written, 2 hosts.');
  });

  it('stand for their workers: a row or a bar selects their tasks', () => {
    const subject = { kind: 'workers', name: 'h10', workers: ['tcp://10.0.0.0:40', 'tcp://10.0.0.2:42'] };
    const { hits } = dataOf(workersNetwork, run(), context(), FRAME);
    expect(hits.map(({ tooltip }) => (tooltip as TooltipContent).subject)).toContainEqual(subject);
    const [row] = workersDisk.table(run(), context()).rows.filter(({ cells }) => cells[0].text === 'h10');
    expect(workersDisk.acts?.(run(), row.id)).toEqual(subject);
    expect(workersDisk.acts?.(run(), '99')).toBeNull();
    const live = run();
    selectRow(workersDisk, live, row.id, 'toggle');
    expect(selectionOf(live).current.workers).toEqual(subject.workers);
  });

  it('are not merged where workers do not say theirs', () => {
    const silent = cluster({ workers: [{ host: '' }, { host: '' }] });
    expect(hosts(silent).map(row => row.label)).toEqual(['tcp://10.0.0.0:40', 'tcp://10.0.0.1:41']);
  });

  it('have no rate that nobody said', () => {
    const unknown = cluster({ workers: [{ net_read: Number.NaN }] });
    expect(workersNetwork.table(unknown, context()).rows[0].cells.map(cell => cell.text)).toEqual([
      '10.0.0.1',
      '–',
      '0 B/s',
      '1'
    ]);
    const off = cluster({
      workers: [{}, { host: 'h2' }].map(each => ({ ...each, disk_read: Number.NaN, disk_write: Number.NaN }))
    });
    expect(workersDisk.titleLine(off, context()).map(part => part.text)).toEqual(['– read', '– written']);
    expect(workersDisk.summary(off, context())).toBe('Disk per host, – read, – written, 2 hosts.');
    const many = Array.from({ length: 120 }, (_, i) => ({ host: `h${i}`, disk_read: Number.NaN, disk_write: Number.NaN }));
    const [{ tooltip }] = dataOf(workersDisk, cluster({ workers: many }), context(), FRAME).bandHits;
    expect((tooltip as TooltipContent).rows).toEqual([['Value', '–']]);
  });

  it('are rows of two bars, by name as people count or by use', () => {
    expect(sizes()).toEqual([8 * MiB, 3 * MiB, MiB]);
    expect(sizes(['netRead'])).toEqual([MiB]);
    const labels = (sort: string): unknown[] =>
      dataOf(workersDisk, run(), context({ options: { sort } }), FRAME)
        .texts.map(row => row.text)
        .filter(text => /^h\d/.test(String(text)));
    expect(labels('name')).toEqual(['h9', 'h10']);
    expect(labels('use')).toEqual(['h10', 'h9']);
    const [incoming, outgoing] = workersNetwork.legend(run(), context());
    expect(incoming).toMatchObject({ id: 'netRead', label: 'in', colour: theme().kind('transfer').colour });
    expect(outgoing.outlined).toBe(true);
  });
});
