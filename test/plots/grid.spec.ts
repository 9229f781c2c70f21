/** Every plot of the catalogue, in every way of looking at it; its numbers against the original's. Started by scripts/plots.mjs. */
import { appendFileSync } from 'node:fs';
import { expect, test } from '../e2e/harness/test';
import { Gallery } from './gallery';
import { SIGHTS } from './sights';

/** What is reported of a plot. */
interface PlotLine {
  painted: boolean;
  parity: boolean;
  empty: boolean;
  hostile: boolean;
  narrow: boolean;
  values_compared: number;
  values_equal: number;
  marks_painted: number;
  labels_cut: number;
}

/** The plots that are asked for; all if none is. */
const ASKED = (process.env.DASK_PANES_TEST_PLOTS ?? '').split(',').filter(Boolean);
const LINES = process.env.DASK_PANES_TEST_LINES;
const MINUTE = 60_000;

test('plots show what there is, in every sight', async ({ lab }) => {
  test.setTimeout(25 * MINUTE);
  const gallery = new Gallery(lab);
  await gallery.open();
  const plots = (await gallery.plots()).filter(plot => ASKED.length === 0 || ASKED.includes(plot));
  const written = new Map<string, PlotLine>();
  const faults: string[] = [];
  const check = (plot: string, right: boolean, fault: string): boolean => {
    if (!right) {
      faults.push(`${plot}: ${fault}`);
    }
    return right;
  };
  for (const plot of plots) {
    const state = await gallery.saysNothing(plot);
    written.set(plot, {
      ...{ painted: true, parity: false, empty: state === '', hostile: false, narrow: true },
      ...{ values_compared: 0, values_equal: 0, marks_painted: Number.POSITIVE_INFINITY, labels_cut: 0 }
    });
    check(plot, state === '', state);
  }
  await gallery.work(plots);
  for (const sight of SIGHTS) {
    await gallery.take(sight);
    for (const [plot, line] of written) {
      const { marks, cut } = await gallery.look(plot, sight);
      line.marks_painted = Math.min(line.marks_painted, marks);
      line.labels_cut += cut.length;
      line.painted = check(plot, marks > 0, `nothing is painted (${sight})`) && line.painted;
      if (sight === 'narrow') {
        line.narrow = marks > 0 && cut.length === 0;
      }
      faults.push(...cut.map(fault => `${plot}: ${fault} (${sight})`));
    }
  }
  await gallery.end();
  await gallery.freeze();
  for (const [plot, line] of written) {
    line.hostile = check(plot, await gallery.isText(plot), 'hostile text is not shown as text');
    const { compared, equal, missing } = await gallery.parity(plot);
    line.values_compared = compared;
    line.values_equal = equal;
    line.parity = check(plot, compared > 0, 'no value was compared') && missing.length === 0;
    faults.push(...missing.map(fault => `${plot}: ${fault}`));
  }
  for (const [plot, line] of written) {
    const passed = !faults.some(fault => fault.startsWith(`${plot}: `));
    if (LINES !== undefined) {
      appendFileSync(LINES, `${JSON.stringify({ plot, ...line, passed })}\n`);
    }
  }
  expect(faults).toEqual([]);
});
