/** The selection of a computation in progress grows with it. */
import { describe, expect, it } from 'vitest';
import { Run } from '../../../src/run/run';
import { selectionOf } from '../../../src/run/selection/selection';
import { growSelected } from '../../../src/selectors/computations/growing';
import { selectedBy } from '../../../src/selectors/computations/selected';
import { compute } from '../plots/made-computations';

const NAMES = { prefixes: { from: 0, values: ['slow', 'sq'] } };

/** A run whose computation has begun, selected by a click. */
function clicked(): Run {
  const run = new Run();
  run.apply({ feed: 'made-up', epoch: 0, seq: 0, time: 100, cursor: {}, names: NAMES, topics: {} }, 0);
  growSelected(run);
  growSelected(run);
  compute(run, [{ id: 0, since: 99, stop: 101, of: { 0: { tasks: 60, left: 40 } } }], 101);
  selectionOf(run).select(selectedBy(run, run.computations.list[0]) ?? {});
  return run;
}

const selected = (run: Run): readonly [number | undefined, readonly string[] | null] => {
  const { period, functions } = selectionOf(run).current;
  return [period?.to, functions];
};

describe('the selection of a computation in progress', () => {
  it('grows by the second, with its functions, up to the end of the computation', () => {
    const run = clicked();
    expect(selected(run)).toEqual([101, ['slow']]);
    let changes = 0;
    selectionOf(run).changed.connect(() => {
      changes += 1;
    });
    const both = { 0: { tasks: 60, left: 20 }, 1: { tasks: 10, left: 10 } };
    compute(run, [{ id: 0, since: 99, stop: 101.5, of: both }], 101.5);
    expect([...selected(run), changes]).toEqual([101, ['slow'], 0]);
    compute(run, [{ id: 0, since: 99, stop: 102.5, of: both }], 102.5);
    expect([...selected(run), changes]).toEqual([102.5, ['slow', 'sq'], 1]);
    compute(run, [{ id: 0, since: 99, stop: 102.75, of: { 0: { tasks: 60 }, 1: { tasks: 10 } } }], 102.75);
    expect([...selected(run), changes]).toEqual([102.75, ['slow', 'sq'], 2]);
    compute(run, [{ id: 1, since: 200, stop: 201, of: { 0: { tasks: 3 } } }], 201);
    expect([...selected(run), changes]).toEqual([102.75, ['slow', 'sq'], 2]);
  });

  it('ends with its last task where the others were cancelled, so that it is what its row selects', () => {
    const run = clicked();
    compute(run, [{ id: 0, since: 99, stop: 101, of: { 0: { tasks: 60, left: 20 } } }], 160);
    expect(selected(run)).toEqual([160, ['slow']]);
    compute(run, [{ id: 0, since: 99, stop: 101, of: { 0: { tasks: 60, dropped: 20 } } }], 161);
    expect(selected(run)).toEqual([101, ['slow']]);
    expect(selectionOf(run).has(selectedBy(run, run.computations.list[0]) ?? {})).toBe(true);
  });

  it('stays what the user has made of it', () => {
    const narrowed = clicked();
    selectionOf(narrowed).change({ functions: ['sq'] });
    const another = clicked();
    selectionOf(another).change({ period: { from: 99.5, to: 100 } });
    const cleared = clicked();
    selectionOf(cleared).clear();
    const single = clicked();
    selectionOf(single).change({ functions: null, rows: { run: single.identity, numbers: [3] } });
    for (const run of [narrowed, another, cleared, single]) {
      compute(run, [{ id: 0, since: 99, stop: 105, of: { 0: { tasks: 60 }, 1: { tasks: 10 } } }], 105);
    }
    expect(selected(narrowed)).toEqual([105, ['sq']]);
    expect(selected(single)).toEqual([105, null]);
    expect(selected(another)).toEqual([100, ['slow']]);
    expect(selected(cleared)).toEqual([undefined, null]);
  });
});
