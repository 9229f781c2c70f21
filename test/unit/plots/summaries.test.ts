import { expect, it } from 'vitest';
import { PLOTS } from '../../../src/plots';
import { Run } from '../../../src/run/run';
import { cluster, context } from './cluster';

it('what is read out says neither "yet" nor "now": it may be of a recording, or of a client that has closed', () => {
  const runs = [new Run(), cluster({ workers: [{}, {}], prefixes: [{ name: 'f', memory: 2 }] })];
  const said = PLOTS.flatMap(plot => runs.map(run => `${plot.id}: ${plot.summary(run, context())}`));
  expect(said.filter(text => /\b(yet|now)\b/.test(text))).toEqual([]);
});
