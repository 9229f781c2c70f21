import { describe, expect, it } from 'vitest';
import type { FrameNames, LaneName, WorkerName } from '../../../../src/feed/frame';
import { frozen } from '../../../../src/run/frozen';
import { Run } from '../../../../src/run/run';
import { Arrangement } from '../../../../src/views/timeline/lanes/arrangement';
import { groupLanes } from '../../../../src/views/timeline/lanes/lanes';
import { bandBottom, bandsWithin, layOut } from '../../../../src/views/timeline/lanes/layout';
import { bandAt } from '../../../../src/views/timeline/picking';
import { randomOf, tasksBody } from '../../run/synthetic';

function worker(name: string, host = 'a', nthreads = 2): WorkerName {
  return { address: `tcp://${name}`, name, host, nthreads, memory_limit: 0 };
}

const none = (): boolean => false;

describe('groupLanes', () => {
  it('sorts workers as people count, and lanes by appearance', () => {
    const lanes: LaneName[] = [
      [1, 70],
      [0, 9],
      [1, 30]
    ];
    const [host] = groupLanes([worker('w-10'), worker('w-2')], lanes, none);
    expect(host.workers.map(w => w.name)).toEqual(['w-2', 'w-10']);
    expect(host.workers[0].lanes).toEqual([0, 2]);
    expect(host.workers[1].lanes).toEqual([1, -1]);
  });

  it('keeps the rows of a lost worker, and gives a new one rows at once', () => {
    const lanes: LaneName[] = [[0, 1]];
    const groups = groupLanes([worker('old'), worker('idle'), worker('new')], lanes, w => w < 2);
    expect(groups[0].workers.map(w => [w.name, w.lanes])).toEqual([
      ['new', [-1, -1]],
      ['old', [0]]
    ]);
  });

  it('groups by host', () => {
    const groups = groupLanes([worker('x', 'b'), worker('y', 'a'), worker('z', 'b')], [], none);
    expect(groups.map(g => [g.host, g.workers.map(w => w.name)])).toEqual([
      ['a', ['y']],
      ['b', ['x', 'z']]
    ]);
  });

  it('survives senseless names and numbers', () => {
    const odd = [worker('w', 'a', 1e9), worker('v', 'a', Number.NaN), { name: 5, address: null, host: undefined, nthreads: '4' }];
    const lanes = [[7, 1], [Number.NaN, 2], null, undefined, [0, 3]];
    const groups = groupLanes(odd as unknown as WorkerName[], lanes as unknown as LaneName[], none);
    expect(groups.flatMap(g => g.workers).map(w => w.lanes.length)).toEqual([1, 64, 1].sort() as number[]);
  });
});

describe('Arrangement', () => {
  it('has the workers in the chosen order, as it was when it was chosen', () => {
    const run = new Run();
    const names = (workers: readonly string[]): FrameNames => ({
      prefixes: { from: 0, values: ['inc'] },
      workers: { from: 0, values: workers.map(name => worker(name, 'a', 1)) },
      lanes: { from: 0, values: workers.map((_, i) => [i, i] as const) }
    });
    const work = (lane: number, start: number, duration: number): void => {
      const tasks = tasksBody([{ lane, start: 1_700_000_000 + start, duration }]);
      const time = 1_700_000_000 + start + duration;
      run.apply({ feed: 'f', epoch: 0, seq: 0, time, cursor: {}, names: names(['w-1', 'w-2', 'w-3']), topics: { tasks } }, 0);
    };
    const arrangement = new Arrangement({ run });
    const shown = (order: string): string[] => {
      arrangement.order = order;
      arrangement.update(300, 1);
      return arrangement.hosts.flatMap(({ workers }) => workers.map(({ name }) => name));
    };
    work(0, 0, 2);
    work(1, 0, 5);
    work(2, 0, 1);
    expect(shown('name')).toEqual(['w-1', 'w-2', 'w-3']);
    expect(shown('busiest')).toEqual(['w-2', 'w-1', 'w-3']);
    work(2, 5, 50);
    expect(shown('busiest'), 'rows stay').toEqual(['w-2', 'w-1', 'w-3']);
    expect(shown('idlest')).toEqual(['w-1', 'w-2', 'w-3']);
    expect(shown('busiest')).toEqual(['w-3', 'w-2', 'w-1']);
    expect(shown('__proto__')).toEqual(['w-1', 'w-2', 'w-3']);
  });

  it.each([1, 2])('has the rows of the run that is shown, of which it reads only what changed (seed %i)', seed => {
    const random = randomOf(seed);
    const run = new Run();
    const lanes = 6;
    const names: FrameNames = {
      prefixes: { from: 0, values: ['inc'] },
      workers: { from: 0, values: [worker('w', 'a', lanes)] },
      lanes: { from: 0, values: Array.from({ length: lanes }, (_, i) => [0, i] as const) }
    };
    const shown = { run };
    const arrangement = new Arrangement(shown);
    const expectRows = (): void => {
      arrangement.update(600, 1);
      const rows = arrangement.layout.bands.map(band => band.layers);
      expect(rows).toEqual(Array.from(shown.run.tasks.lanes, lane => lane?.compute.rows));
    };
    const first = Array.from({ length: lanes }, (_, lane) => ({ lane, start: 1_700_000_000, duration: 1 }));
    let copy: Run | null = null;
    for (let frame = 0; frame < 60; frame++) {
      const start = 1_700_000_000 + frame * random();
      const row = { lane: Math.floor(random() * lanes), start, duration: 1 + random() * 3 };
      const tasks = tasksBody(frame === 0 ? first : [row]);
      run.apply({ feed: 'f', epoch: 0, seq: frame, time: start + 5, cursor: {}, names, topics: { tasks } }, 0);
      copy = frame % 20 === 5 ? frozen(run) : copy;
      shown.run = copy !== null && frame % 3 === 0 ? copy : run;
      expectRows();
    }
    expect(run.tasks.lanes.some(lane => (lane?.compute.rows ?? 0) > 1)).toBe(true);
  });
});

describe('layOut', () => {
  const group = (workers: number, threads: number): ReturnType<typeof groupLanes> => [
    {
      host: 'a',
      workers: Array.from({ length: workers }, (_, w) => ({
        worker: w,
        name: `w${w}`,
        threads,
        lanes: Array.from({ length: threads }, (_, t) => w * threads + t)
      }))
    }
  ];

  it('has the sizes of the design at 10 and at 21 pixels', () => {
    const ten = layOut(group(8, 4), () => 1, 8 * (40 + 6), 1);
    expect(ten.pitch).toBe(10);
    expect(ten.bands[0]).toMatchObject({ top: 0, layerHeight: 7, movesTop: 7, movesHeight: 2 });
    expect(ten.bands[4].top).toBe(46);
    const tall = layOut(group(1, 4), () => 1, 4 * 21 + 6, 1);
    expect(tall.bands[1]).toMatchObject({ top: 21, layerHeight: 15, movesTop: 36, movesHeight: 5 });
    // Few lanes do not grow without end.
    // Few lanes fill the height.
    expect(layOut(group(1, 4), () => 1, 1000, 1)).toMatchObject({ pitch: 248 });
  });

  it.each([1, 1.25, 2, 3])('draws lanes in order, without overlap, on whole pixels, at ratio %s', ratio => {
    for (const [workers, height] of [
      [2, 50],
      [8, 300],
      [60, 400],
      [300, 500]
    ]) {
      const { bands, height: content } = layOut(group(workers, 3), lane => (lane % 5 === 0 ? 3 : 1), height * ratio, ratio);
      expect(bands.length).toBe(workers * 3);
      for (const [i, band] of bands.entries()) {
        expect(Number.isInteger(band.top) && Number.isInteger(band.layerHeight) && band.layerHeight > 0).toBe(true);
        expect(band.top).toBeGreaterThanOrEqual(i === 0 ? 0 : bandBottom(bands[i - 1]));
      }
      expect(bandBottom(bands[bands.length - 1])).toBeLessThanOrEqual(content);
    }
  });

  it('fits all lanes as long as each has a pixel, and then grows', () => {
    expect(layOut(group(100, 4), () => 1, 450, 1).height).toBeLessThanOrEqual(450);
    expect(layOut(group(1000, 4), () => 1, 450, 1).height).toBe(4000);
  });

  it('finds bands again', () => {
    const { bands } = layOut(group(50, 4), () => 1, 450, 1);
    for (const band of bands) {
      expect(bandAt(bands, band.top)).toBe(band);
      expect(bandAt(bands, bandBottom(band) - 1)).toBe(band);
    }
    expect(bandAt(bands, -1)).toBeNull();
    expect(bandAt(bands, 1e6)).toBeNull();
    expect(bandsWithin(bands, bands[10].top, 1)).toEqual([bands[10]]);
  });

  it('lays out 70,000 lanes', () => {
    const { bands, height } = layOut(group(17_500, 4), () => 1, 800, 1);
    expect(height).toBe(70_000);
    expect(bandsWithin(bands, 69_000, 800).length).toBe(800);
  });
});
