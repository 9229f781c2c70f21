import { expect, it } from 'vitest';
import { LAYOUTS, type PaneLayout } from '../../../src/panes/docking/layouts';
import { unknownName } from '../../../src/panes/docking/near-names';
import { PLOT_FACTS } from '../../../src/plots/facts';
import { translate } from '../translate';

const saved = (title: string): PaneLayout => ({ ...LAYOUTS[0], id: `saved:${title}`, title, saved: true });
const words = (what: string, ...titles: string[]): string =>
  unknownName(what, [...LAYOUTS, ...titles.map(saved)], PLOT_FACTS, translate);

it('offers the names of saved layouts, of layouts and of plots that are similar, as dask_panes.show takes them', () => {
  expect(words('My pains', 'My panes', 'Else')).toBe('There is no layout or plot named "My pains". Did you mean "My panes"?');
  expect(words('Memroy')).toMatch(/Did you mean "memory"/);
  expect(words('Task stream 2')).toMatch(/Did you mean "task-stream"/);
});

it('lists the layouts where nothing is similar, and a part of very many', () => {
  expect(words('zzz', 'Mine')).toMatch(/Layouts: "status", .*, "Mine"\. The sidebar lists the plots\.$/);
  const many = Array.from({ length: 40 }, (_, i) => `L${i}`);
  expect(words('zzz', ...many)).toContain('33 more');
});

it.each(['', '\ud800', 'x'.repeat(100_000), 'a\nb'])('takes any text: %#', what => {
  expect(words(what).split('\n')).toHaveLength(1);
  expect(words(what).length).toBeLessThan(1000);
});
