import { beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import type { Scalar } from '../../../src/feed/frame';
import { HARDWARE_KIND, type HardwareKind } from '../../../src/feed/schema';
import { benchmarkQuestion } from '../../../src/panes/actions/words';
import { hardware } from '../../../src/plots/system/hardware';
import { frozen } from '../../../src/run/frozen';
import type { Run } from '../../../src/run/run';
import { render } from '../views/render';
import { cluster, context } from './cluster';
import { dataOf, rowCountOf } from './drawing';

beforeEach(() => setNumberLocale('en'));

const MB = 1024 ** 2;
type Made = readonly [kind: HardwareKind, worker: number, peer: number, size: number, rate: number];

function measured(list: readonly Made[], scalars: Record<string, Scalar> = {}): Run {
  const run = cluster({ workers: [{ name: '<b>a</b>' }, { name: 'b' }] });
  const column = (of: (made: Made) => number): Float64Array => Float64Array.from(list, of);
  const columns = {
    worker: column(([, worker]) => worker),
    kind: Uint8Array.from(list, ([kind]) => HARDWARE_KIND.indexOf(kind)),
    peer: column(([, , peer]) => peer + 1),
    size: column(([, , , size]) => size),
    rate: column(([, , , , rate]) => rate)
  };
  const facts = { state: 'done', started: 900, ended: 912, workers: 2, failed: 0, failures: [], ...scalars };
  const topics = { hardware: { columns, scalars: facts } };
  run.apply({ feed: 'made-up', epoch: 0, seq: 1, time: 1000, cursor: {}, names: {}, topics }, 1_000_000);
  return run;
}

const LIST: readonly Made[] = [
  ['disk', 0, -1, 1024, MB],
  ['disk', 1, -1, 1024, 3 * MB],
  ['disk', 0, -1, MB, 100 * MB],
  ['disk', 1, -1, MB, 300 * MB],
  ['memory', 0, -1, MB, 4000 * MB],
  ['network', 0, 1, MB, 1000 * MB]
];
const title = (run: Run): string =>
  hardware
    .titleLine(run, context())
    .map(({ text }) => text)
    .join(' · ');

describe('hardware bandwidth', () => {
  it('says what the button does before anything was measured', () => {
    const run = cluster({ workers: [{}] });
    const empty = hardware.empty(run, context());
    expect(empty?.head).toBe('No measurements.');
    expect(empty?.body).toContain('12 seconds');
    expect(title(run)).toBe('');
  });

  it('has a bar for each size, which is the mean of the workers, and one for each worker', async () => {
    const run = measured(LIST);
    expect(title(run)).toBe('disk 200 MiB/s · memory 3.91 GiB/s · network 0.98 GiB/s');
    expect(rowCountOf(hardware, run, context())).toBe(4);
    expect(rowCountOf(hardware, run, context({ options: { rows: 'worker' } }))).toBe(4);
    expect(rowCountOf(hardware, run, context({ hidden: new Set(['disk']) }))).toBe(2);
    expect(hardware.table(run, context()).rows).toHaveLength(6);
    const { svg, fault } = await render(hardware, run, { choices: { rows: 'worker' }, width: 700 });
    expect(fault).toBeNull();
    expect(svg).toContain('&lt;b&gt;a&lt;/b&gt; → b');
  });

  it('says when it was measured and what failed, and keeps it in a frozen run', () => {
    const run = measured(LIST, { failed: 30, failures: [['tcp://x', 'disk', 'OSError: <i>full</i>']] });
    const notes = hardware.notes(frozen(run), context()).join('\n');
    expect(notes).toContain(new Date(900_000).toLocaleString());
    expect(notes).toContain('disk tcp://x: OSError: <i>full</i>');
    expect(notes).toContain('29 further failures');
  });

  it('says how long after the start of the run it was measured, if it was', () => {
    const run = measured(LIST);
    run.anchor = 838;
    expect(hardware.notes(run, context())[0]).toMatch(/^measured .* \(1:02 of the run\), in 12.0 s$/);
    run.anchor = 912;
    expect(hardware.notes(run, context())[0]).toBe(`measured ${new Date(900_000).toLocaleString()}, in 12.0 s`);
  });

  it('says what workers on one host share', () => {
    expect(hardware.howToRead).toContain('those on one host share its disk and memory');
  });

  it('counts pairs of workers for the network', () => {
    const { hits } = dataOf(hardware, measured(LIST), context(), { width: 500, height: 200, firstRow: 0, endRow: 9 });
    const names = (hits as { tooltip: { rows: [string, string][] } }[]).map(({ tooltip }) => tooltip.rows[1].join(' '));
    expect(names).toEqual(['Workers 2', 'Workers 2', 'Workers 1', 'Pairs of workers 1']);
  });

  it('says what is measured now, that it failed, and that one worker has no network', () => {
    const running = measured([], { state: 'running', stage: 'memory', ended: Number.NaN });
    expect(hardware.empty(running, context())?.head).toBe('Measuring memory of 2 workers …');
    expect(title(running)).toBe('measuring memory …');
    const failed = measured([], { state: 'failed', failures: [['tcp://x', 'disk', 'gone']] });
    expect(hardware.empty(failed, context())?.body).toBe('tcp://x gone');
    const lone = 'no network: it needs two workers';
    expect(hardware.notes(measured(LIST.slice(0, 5)), context())).toContain(lone);
    // Two workers were there, and one did not answer the other.
    const cut = measured(LIST.slice(0, 5), { failed: 1, failures: [['tcp://b', 'network', 'OSError: refused']] });
    expect(hardware.notes(cut, context())).not.toContain(lone);
    expect(hardware.notes(cut, context())).toContain('network tcp://b: OSError: refused');
  });

  it('leaves out what is no measurement', () => {
    const run = measured([
      ['disk', 0, -1, Number.NaN, 1],
      ['disk', 0, -1, 1, Number.NaN],
      ['disk', 999_999, 999_999, 1, 0]
    ]);
    expect(run.hardware.list).toHaveLength(1);
    expect(JSON.stringify(hardware.table(run, context()))).not.toContain('undefined');
  });

  it('asks before it begins, and not where there are no workers', () => {
    const stakes = { workers: 3, nannies: 0, results: 0, pending: 7, erred: 0, clients: { count: 0, clients: 0, named: [] } };
    const question = benchmarkQuestion('c', stakes, context().trans);
    expect(question.sentences.join(' ')).toMatch(/12 seconds.*all 3 workers.*7 tasks wait or run/);
    expect('accept' in question && question.warns).toBe(true);
    const one = benchmarkQuestion('c', { ...stakes, pending: 1 }, context().trans);
    expect(one.sentences.join(' ')).toContain('1 task waits or runs: it slows down');
    expect('accept' in benchmarkQuestion('c', { ...stakes, workers: 0 }, context().trans)).toBe(false);
  });
});
