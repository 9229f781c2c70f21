import { beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import {
  byteTicks,
  countTicks,
  durationTicks,
  multipleTicks,
  niceByteEnd,
  niceDurationEnd,
  niceEnd,
  niceStep,
  plainTicks
} from '../../../src/charts/axis';
import { Kept, steadyEnd } from '../../../src/plot/kept';
import { frozen } from '../../../src/run/frozen';
import { Run } from '../../../src/run/run';
import { nprocessing } from '../../../src/plots/workers/nprocessing';
import { textWidth } from '../../../src/plot/text';
import { cluster, context, GiB, step } from './cluster';
import { dataOf } from './drawing';

beforeEach(() => setNumberLocale('en'));

const labels = (ticks: readonly { label: string }[]): string[] => ticks.map(tick => tick.label);

describe('ticks', () => {
  it('have the unit on the last one only', () => {
    expect(labels(byteTicks(32 * GiB, 4))).toEqual(['0', '8', '16', '24', '32 GiB']);
    expect(labels(durationTicks(40, 4))).toEqual(['0', '10', '20', '30', '40 s']);
    expect(labels(durationTicks(3600, 4))).toEqual(['0', '15', '30', '45', '60 m']);
    expect(labels(durationTicks(0.4, 4))).toEqual(['0', '100', '200', '300', '400 ms']);
    expect(labels(durationTicks(niceDurationEnd(1.9e-6), 4))).toEqual(['0', '0.5', '1', '1.5', '2 µs']);
    expect(labels(multipleTicks(4)(16, 4))).toEqual(['0', '4', '8', '12', '16']);
    expect(labels(countTicks(2000, 4))).toEqual(['0', '500', '1,000', '1,500', '2,000']);
  });

  it('are where their labels say, of large multiples and of small figures of user code', () => {
    expect(labels(multipleTicks(128)(1280, 10)).slice(-3)).toEqual(['1,024', '1,152', '1,280']);
    expect(labels(plainTicks(0.0004, 4))).toEqual(['0', '0.0001', '0.0002', '0.0003', '0.0004']);
    expect(labels(plainTicks(0.8, 4))).toEqual(['0', '0.2', '0.4', '0.6', '0.8']);
    expect(labels(plainTicks(15, 4))).toEqual(['0', '5', '10', '15']);
  });

  it('end on a limit that is no round figure, and keep clear of it', () => {
    expect(labels(byteTicks(31.2 * GiB, 4))).toEqual(['0', '8', '16', '24', '31.2 GiB']);
    expect(labels(byteTicks(25 * GiB, 4))).toEqual(['0', '8', '16', '25 GiB']);
  });

  it('are never more than fit, by a wide margin, whatever the end', () => {
    for (const end of [1, 7, 999, 123456, 1e12, 5e15]) {
      for (const make of [byteTicks, countTicks, durationTicks, plainTicks, multipleTicks(4)]) {
        const ticks = make(end, 3);
        expect(ticks.length).toBeGreaterThan(0);
        expect(ticks.length).toBeLessThanOrEqual(8);
        expect(ticks[0].value).toBe(0);
        expect(ticks[ticks.length - 1].value).toBeLessThanOrEqual(end * 1.000001);
      }
    }
  });
});

describe('the title of an axis', () => {
  it.each([180, 214, 320, 700])('is within a view of %d pixels', width => {
    const run = cluster({ workers: [{}, {}, {}] });
    const frame = { width, height: 240, firstRow: 0, endRow: 3 };
    const { texts } = dataOf(nprocessing, run, context(), frame);
    const title = texts.find(({ text }) => text === 'tasks assigned to the worker');
    const half = Math.min(textWidth(String(title?.text)), Number(title?.limit)) / 2;
    expect(Number(title?.x) - half).toBeGreaterThanOrEqual(0);
    expect(Number(title?.x) + half).toBeLessThanOrEqual(width);
  });
});

describe('ends', () => {
  it('are nice values above the maximum', () => {
    expect([0.4, 1, 14, 61, 99.9].map(niceEnd)).toEqual([0.4, 1, 15, 80, 100]);
    expect([0, 90e6, 3 * GiB].map(niceByteEnd)).toEqual([1024, 96 * 1024 ** 2, 3 * GiB]);
    expect([0, 38.6, 100, 4000].map(niceDurationEnd)).toEqual([1, 40, 100, 5400]);
    expect([0, Number.NaN, 0.03, 7].map(niceStep)).toEqual([1, 1, 0.05, 10]);
  });

  it('grow at once and shrink only after 10 s below half', () => {
    const run = new Run();
    const kept = new Kept();
    const at = (time: number, wanted: number): number => steadyEnd(step(run, { time }), { kept }, wanted);
    expect(at(0, 10)).toBe(10);
    expect(at(1, 20)).toBe(20);
    expect(at(2, 11)).toBe(20);
    expect(at(3, 4)).toBe(20);
    expect(at(12, 12)).toBe(20);
    expect(at(13, 4)).toBe(20);
    expect(at(22, 4)).toBe(20);
    expect(at(23, 4)).toBe(4);
  });

  it('stay where they are when a view pauses, and are forgotten with the run', () => {
    const run = cluster({ time: 0 });
    const kept = new Kept();
    steadyEnd(run, { kept }, 100);
    expect(steadyEnd(frozen(run), { kept }, 10)).toBe(100);
    run.apply({ feed: 'another', epoch: 0, seq: 0, time: 1, cursor: {}, names: {}, topics: {} }, 1000);
    expect(steadyEnd(run, { kept }, 10)).toBe(10);
  });

  it('are what fits where nothing is kept, and one for each axis', () => {
    const run = cluster({ time: 0 });
    const kept = new Kept();
    expect([100, 10].map(wanted => steadyEnd(run, {}, wanted))).toEqual([100, 10]);
    expect([100, 10].map(wanted => steadyEnd(run, { kept }, wanted, `axis ${wanted}`))).toEqual([100, 10]);
  });
});
