// @vitest-environment jsdom
import { Widget } from '@lumino/widgets';
import { expect, it } from 'vitest';
import { labelPane } from '../../../src/panes/pane/tab';
import { PLOTS } from '../../../src/plots';
import { context } from '../plots/cluster';

it('the tab of a pane has a shorter name for where there is little room, if the plot has one', () => {
  const shortOf = (id: string): string | undefined => {
    const pane = new Widget();
    const plot = PLOTS.find(each => each.id === id);
    expect(plot).toBeDefined();
    labelPane(pane, plot!, context().trans);
    expect(pane.title.label).toBe(plot?.title);
    const { short } = pane.title.dataset;
    pane.dispose();
    return short;
  };
  expect([shortOf('nprocessing'), shortOf('cpu'), shortOf('progress')]).toEqual(['Processing', 'CPU', undefined]);
});

it('choices below the panes are written alike, without a capital', () => {
  // Those are headings in the picture.
  const headings = ['system', 'contention'];
  const capital = PLOTS.filter(({ id }) => !headings.includes(id))
    .flatMap(({ options = [] }) => options)
    .flatMap(({ choices }) => choices.map(({ label }) => label))
    .filter(label => /^[A-Z][a-z]/.test(label));
  expect(capital).toEqual([]);
});
