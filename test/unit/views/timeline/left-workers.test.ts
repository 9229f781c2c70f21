// @vitest-environment jsdom
// Workers that left: those after a restart are others on the same hosts, and may have the same addresses.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { FrameNames } from '../../../../src/feed/frame';
import { WORKER_STATUS } from '../../../../src/feed/schema';
import { eachBetween, type Found } from '../../../../src/run/lanes/lane-search';
import { Run } from '../../../../src/run/run';
import { NOTHING_SELECTED } from '../../../../src/run/selection/selection';
import { selectionStatistics } from '../../../../src/selectors/selection/statistics';
import { groupContent } from '../../../../src/views/timeline/groups/group-tip';
import { LaneGroups } from '../../../../src/views/timeline/groups/groups';
import { Arrangement } from '../../../../src/views/timeline/lanes/arrangement';
import { Painter } from '../../../../src/views/timeline/paint/painter';
import { IDLE, Palette } from '../../../../src/views/timeline/paint/palette';
import { Viewport } from '../../../../src/views/timeline/time/viewport';
import { tipOf } from '../../../../src/views/timeline/tip';
import { type Row, tasksBody } from '../../run/synthetic';
import { translate as trans } from '../../translate';
import { blankCanvases } from '../blank-canvas';
import { theme } from '../light-theme';
import { holdPixels } from './work';

const EPOCH = 1_700_000_000;
const RUNNING = WORKER_STATUS.indexOf('running');
const LOST = WORKER_STATUS.indexOf('lost');

type Worker = NonNullable<FrameNames['workers']>['values'][number];

function worker(name: string, host: string, nthreads: number, joined: number, address = `tcp://${name}`): Worker {
  return { address, name, host, nthreads, memory_limit: 0, joined: EPOCH + joined };
}

/** @param lanes - worker of each lane; @param left - seconds at which a worker left, by its number */
function runOf(
  workers: readonly Worker[],
  lanes: readonly number[],
  rows: readonly Row[],
  left: readonly number[],
  end: number
): Run {
  const run = new Run();
  const known = workers.flatMap(({ address }, id) => (address === '' ? [] : [id]));
  const numbers = (of: (id: number) => number): Float64Array => Float64Array.from(known, of);
  const columns = {
    id: numbers(id => id),
    status: numbers(id => (Number.isNaN(left[id] ?? Number.NaN) ? RUNNING : LOST)),
    left: numbers(id => EPOCH + (left[id] ?? Number.NaN)),
    nthreads: numbers(id => workers[id].nthreads)
  };
  run.apply(
    {
      ...{ feed: 'f', epoch: 0, seq: 0, time: EPOCH + end, cursor: {} },
      names: {
        prefixes: { from: 0, values: ['inc'] },
        workers: { from: 0, values: workers },
        lanes: { from: 0, values: lanes.map((id, lane) => [id, lane] as const) }
      },
      topics: {
        meta: { columns: {}, scalars: { started: EPOCH } },
        tasks: tasksBody(rows),
        workers: { columns, scalars: {} }
      }
    },
    0
  );
  return run;
}

beforeEach(() => {
  blankCanvases();
  holdPixels();
});

afterEach(() => {
  vi.unstubAllGlobals();
});

it('a host drawn as one row is as high as its threads were busy, before and after a restart', () => {
  const workers = [
    ...[0, 1].map(id => worker(`w-${id}`, 'a', 4, 0)),
    ...[2, 3].map(id => worker(`w-${id}`, 'a', 4, 10)),
    worker('w-4', 'b', 4, 0)
  ];
  const lanes = Array.from({ length: 16 }, (_, lane) => lane >> 2);
  const rows = lanes.map((id, lane) => ({ lane, start: EPOCH + (id < 2 ? 0 : 10), duration: 10 }));
  const run = runOf(workers, lanes, rows, [10, 10], 20);
  const groups = new LaneGroups('');
  groups.toggleHost('a');
  const arrangement = new Arrangement({ run }, groups);
  arrangement.update(200, 1, 1, EPOCH, EPOCH + 20);
  const { layout } = arrangement;
  const [band] = layout.bands;
  const painter = new Painter(document.createElement('canvas'), { run }, new Palette(theme, new Set()));
  painter.setScene({ layout, bands: layout.bands, width: 100, height: 200, scroll: 0, ratio: 1 });
  const viewport = new Viewport();
  viewport.width = 100;
  viewport.anchor = EPOCH;
  viewport.perColumn = 0.2;
  painter.paint(viewport.grid(), 1e6);
  const { strip, rowOf } = painter as unknown as {
    readonly strip: { readonly codes: Uint32Array; readonly width: number; readonly left: number };
    readonly rowOf: readonly number[];
  };
  const heightAt = (x: number): number => {
    const filled = Array.from({ length: band.layers }, (_, row) => strip.codes[(rowOf[0] + row) * strip.width + strip.left + x]);
    return filled.filter(code => code !== IDLE).length / band.layers;
  };
  expect([heightAt(20), heightAt(80)]).toEqual([1, 1]);
  expect(band.group && groupContent(run, band.group, EPOCH + 5, trans).state).toBe('8 threads');
});

it('a pinned worker and the one before it at its address are both shown', () => {
  const address = 'tcp://10.0.0.1:9000';
  const workers = [worker('w', 'h', 1, 0, address), worker('w', 'h', 1, 10, address), worker('x', 'h', 1, 0)];
  const rows = [0, 1, 2].map(lane => ({ lane, start: EPOCH + 10 * lane, duration: 5 }));
  const run = runOf(workers, [0, 1, 2], rows, [9], 20);
  const groups = new LaneGroups('');
  const lanes = (): readonly number[] => {
    const arrangement = new Arrangement({ run }, groups);
    arrangement.update(200, 1, 1, EPOCH, EPOCH + 20);
    return arrangement.layout.bands.map(({ lane }) => lane);
  };
  expect([...lanes()].sort()).toEqual([0, 1, 2]);
  groups.togglePinned(address);
  expect([...lanes()].sort()).toEqual([0, 1, 2]);
});

it('workers of which only the number is kept have no idle threads since, and no rows', () => {
  const dropped = { address: '', name: 'left', host: '', nthreads: 0, memory_limit: 0 };
  const rows = [
    { lane: 0, start: EPOCH, duration: 1 },
    { lane: 1, start: EPOCH + 2, duration: 1 },
    { lane: 2, start: EPOCH + 50, duration: 50 },
    { lane: 3, start: EPOCH + 50, duration: 50 }
  ];
  const run = runOf([dropped, dropped, dropped, worker('a', 'h', 2, 50)], [0, 1, 3, 3], rows, [], 100);
  const period = { from: EPOCH + 50, to: EPOCH + 100 };
  expect(selectionStatistics(run, { ...NOTHING_SELECTED, period }).use).toMatchObject({ capacity: 100, compute: 100, idle: 0 });
  const arrangement = new Arrangement({ run });
  arrangement.update(200, 1, 1, period.from, period.to);
  expect(arrangement.hosts.flatMap(host => host.workers.map(({ name }) => name))).toEqual(['a']);
});

it.each([0.5, 1.01, 30])('what a task of %d hours waited for is named', hours => {
  const rows = [{ lane: 0, start: EPOCH + 60, duration: 3600 * hours }];
  const run = runOf([worker('w', 'h', 1, 0)], [0], [], [], 60 + 3600 * hours);
  const moved = [{ at: 0, kind: 1, start: EPOCH, duration: 55, peer: 0 }];
  run.apply(
    {
      ...{ feed: 'f', epoch: 0, seq: 1, time: EPOCH + 60 + 3600 * hours, cursor: {}, names: {} },
      topics: { tasks: tasksBody(rows, 0, moved) }
    },
    0
  );
  const arrangement = new Arrangement({ run });
  arrangement.update(100, 1);
  const found: Found[] = [];
  const lane = run.tasks.lanes[0];
  expect(lane).toBeDefined();
  if (lane) {
    eachBetween(lane.compute, EPOCH + 60, EPOCH + 70, each => found.push(each) < 0);
  }
  const target = { band: arrangement.layout.bands[0], kind: 'compute', interval: found[0] } as const;
  const tip = tipOf(target, run, arrangement.worker(0), new Palette(theme, new Set()), trans);
  expect(tip.content.rows).toContainEqual(['Before it', 'transfer 55.0 s']);
});
