import { beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import { mix } from '../../../src/base/theme';
import { prefixCounts, taskTotals } from '../../../src/plots/prefix-counts';
import { progress } from '../../../src/plots/progress';
import { observeRates, rateOf } from '../../../src/plots/rates';
import { frozen } from '../../../src/run/frozen';
import type { Run } from '../../../src/run/run';
import { cluster, context, step, theme } from './cluster';

beforeEach(() => setNumberLocale('en'));

const FRAME = { width: 700, height: 300, firstRow: 0, endRow: 12 };
const texts = (run: Run): unknown[] => progress.data(run, context(), FRAME).texts.map(row => row.text);

describe('counts', () => {
  const run = (): Run =>
    cluster({
      prefixes: [
        {
          name: 'inc',
          released: 3,
          forgotten: 4,
          memory: 5,
          erred: 1,
          forgotten_erred: 1,
          processing: 2,
          queued: 6,
          no_worker: 1,
          waiting: 7
        },
        { name: 'gone', cancelled: 9 },
        { name: 'add', memory: 4 }
      ]
    });

  it('keep what the scheduler has forgotten and leave out what was cancelled', () => {
    const [inc, add, ...rest] = prefixCounts(run());
    expect(inc).toMatchObject({ released: 7, memory: 5, erred: 2, done: 14, all: 30 });
    expect(add).toMatchObject({ id: 2, done: 4, all: 4 });
    expect(rest).toEqual([]);
    expect(taskTotals(prefixCounts(run()))).toMatchObject({ done: 18, all: 34, waiting: 7 });
  });

  it('are all in the title', () => {
    const line = progress.titleLine(run(), context()).map(part => part.text);
    expect(line).toEqual([
      '18 / 34 done',
      '2 processing',
      '6 queued',
      '7 waiting',
      '9 in memory',
      '1 without a worker that fits',
      '2 erred'
    ]);
  });

  it('are a bar in the colour that the function has in the task stream', () => {
    const data = progress.data(run(), context(), FRAME);
    const sized = data.segments.filter(row => row.value !== undefined);
    const { colour } = theme().prefix(0);
    expect(sized[0]).toMatchObject({ fill: mix(colour, '#ffffff', 0.55), value: 7 / 30 });
    expect(sized[1]).toMatchObject({ fill: colour, value: 5 / 30 });
    expect(texts(run())).toEqual(expect.arrayContaining(['inc', '✕ 2', '14 / 30', '4 / 4', '✓']));
  });

  it('are rows in the order that a person chose', () => {
    const names = (sort: string): unknown[] =>
      progress.table(run(), context({ options: { sort } })).rows.map(({ cells }) => cells[0].text);
    expect(names('first')).toEqual(['inc', 'add']);
    expect(names('size')).toEqual(['inc', 'add']);
    expect(names('name')).toEqual(['add', 'inc']);
    const data = progress.data(run(), context({ options: { sort: 'name' } }), FRAME);
    expect(data.texts.map(row => row.text).filter(text => text === 'inc' || text === 'add')).toEqual(['add', 'inc']);
  });

  it('are rows in order of first appearance, also after an update that names them in another', () => {
    const made = run();
    const labels = prefixCounts(made).map(each => each.label);
    const columns = { id: Uint32Array.of(2, 0), memory: Uint32Array.of(4, 50) };
    const topics = { prefixes: { columns, scalars: {} } };
    made.apply({ feed: 'made-up', epoch: 0, seq: 1, time: 1001, cursor: {}, names: {}, topics }, 0);
    expect(prefixCounts(made).map(each => each.label)).toEqual(labels);
  });
});

describe('rates', () => {
  const at = (run: Run, time: number, memory: number, processing = 4): Run => {
    step(run, { time, prefixes: [{ name: 'inc', memory, processing, waiting: 100 }] });
    observeRates(run);
    return run;
  };
  const rate = (run: Run): { perSecond: number; left: number } => rateOf(run, 0, 100, 4);

  it('are means of the last 10 s', () => {
    const run = cluster({ time: 0 });
    for (let time = 0; time <= 20; time += 0.5) {
      at(run, time, time <= 10 ? time * 8 : 80 + (time - 10) * 2);
    }
    expect(rate(run).perSecond).toBeCloseTo(2, 5);
    expect(rate(run).left).toBeCloseTo(50, 3);
  });

  it('are unknown until there was time to know them', () => {
    const run = cluster({ time: 0 });
    expect(rate(at(run, 0, 0)).perSecond).toBeNaN();
    expect(rate(at(run, 1, 50)).perSecond).toBeNaN();
    expect(rate(at(run, 2, 100)).perSecond).toBeCloseTo(50, 5);
  });

  it('fall to nothing when nothing finishes, though no count comes', () => {
    const run = at(at(cluster({ time: 0 }), 0, 0), 4, 40);
    step(run, { time: 9, workers: [] });
    expect(rate(run).perSecond).toBeCloseTo(40 / 9, 5);
    step(run, { time: 14, workers: [] });
    expect(rate(run).perSecond).toBe(0);
    expect(rate(run).left).toBeNaN();
  });

  it('promise no end where too little finished or nothing runs', () => {
    const run = at(at(cluster({ time: 0 }), 0, 0), 5, 4);
    expect(rate(run).perSecond).toBeCloseTo(0.8, 5);
    expect(rate(run).left).toBeNaN();
    const many = at(at(cluster({ time: 0 }), 0, 0), 5, 40);
    expect(rateOf(many, 0, 100, 0).left).toBeNaN();
    expect(rateOf(many, 0, 0, 4).left).toBeNaN();
  });

  it('begin anew with a new run', () => {
    const run = at(at(cluster({ time: 0 }), 0, 0), 5, 400);
    run.apply({ feed: 'made-up', epoch: 1, seq: 0, time: 6, cursor: {}, names: {}, topics: {} }, 6000);
    expect(rate(run).perSecond).toBeNaN();
  });

  it('stand still while a view is paused', () => {
    const run = at(at(cluster({ time: 0 }), 0, 0), 5, 40);
    const held = frozen(run);
    observeRates(held);
    at(run, 6, 400);
    at(run, 30, 400);
    expect(rate(held).perSecond).toBeCloseTo(8, 5);
    expect(rate(run).perSecond).toBe(0);
  });
});
