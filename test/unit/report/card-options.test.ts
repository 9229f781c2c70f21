// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { compareComputations } from '../../../src/plots/tasks/compare-computations';
import { Card } from '../../../src/report/card';
import { Run } from '../../../src/run/run';
import { context } from '../plots/cluster';
import { compute } from '../plots/made-computations';

it('chooses what its menus do not list, once, and ignores options that it does not have', () => {
  const made = Array.from({ length: 60 }, (_, id) => ({
    ...{ id, since: 100 + id, stop: 101 + id, cell: id },
    of: { 0: { tasks: 2, done: 2 } }
  }));
  const run = compute(new Run(), made);
  const { trans } = context();
  const card = new Card(compareComputations, { run, feed: null as never, trans, saved: {}, open: () => undefined });
  const chosen = (): (string | undefined)[] =>
    [...card.node.querySelectorAll('select')].map(select => select.selectedOptions[0]?.textContent ?? undefined);
  const before = chosen();
  card.choose({ first: '3@103', second: '58@158', other: 'x' });
  expect(chosen()).toEqual(
    before.map((text, i) => text?.replace(/(the one before B|the newest)/, `${['#3 [3]', '#58 [58]'][i]} total.compute()`))
  );
  const count = card.node.querySelectorAll('option').length;
  card.choose({ first: '3@103' });
  expect(card.node.querySelectorAll('option')).toHaveLength(count);
  card.dispose();
});
