import { Signal } from '@lumino/signaling';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS, type Settings, type SettingValues } from '../../../src/base/jupyter/settings';
import { Catalogue } from '../../../src/panes/catalogue';
import { type Area, split, tabs, widgetsOf } from '../../../src/panes/docking/dock-tree';
import { LAYOUTS, type PaneLayout } from '../../../src/panes/docking/layouts';
import { type LayoutPane, paneLayout, readLayouts, writeArea } from '../../../src/panes/docking/saved/layouts';
import { SavedLayouts } from '../../../src/panes/docking/saved/shelf';
import { translate } from '../translate';

const pane = (plot: string, look: Partial<LayoutPane> = {}): LayoutPane => ({
  ...{ plot, options: {}, hidden: [], table: false, legend: true },
  ...look
});
const AREA: Area<LayoutPane> = split('horizontal', [
  [tabs(pane('progress', { table: true, hidden: ['inc'] }), pane('cpu')), 1],
  [
    split('vertical', [
      [tabs(pane('profile', { options: { prefix: 'inc' } })), 2],
      [tabs(pane('profile', { options: { prefix: 'add' }, legend: false })), 1]
    ]),
    3
  ]
]);
const read = (...sources: readonly unknown[]): ReturnType<typeof readLayouts> => readLayouts(sources, translate);
const titles = (...sources: readonly unknown[]): readonly string[] => read(...sources).layouts.map(({ title }) => title);

describe('saved layouts', () => {
  it('come back from JSON as they were', () => {
    const { layouts, problems } = read({ 'My panes': JSON.parse(JSON.stringify(writeArea(AREA))) });
    expect(problems).toEqual([]);
    expect(layouts).toEqual([{ title: 'My panes', area: AREA }]);
  });

  it('have each pane of a plot, with what it showed', () => {
    const layout = paneLayout('saved:x', { title: 'X', area: AREA }, translate);
    expect(layout.plots).toEqual(['progress', 'cpu', 'profile', 'profile#2']);
    expect(layout.look?.('profile#2')).toEqual({ options: { prefix: 'add' }, hidden: [], table: false, legend: false });
    const area = layout.arrange(key => `<${key}>`, 1000, 600);
    expect(widgetsOf(area)).toEqual(['<progress>', '<cpu>', '<profile>', '<profile#2>']);
    expect(area).toMatchObject({ orientation: 'horizontal', sizes: [1, 3] });
  });

  it('of a user replace those of the site, which null removes', () => {
    const site = { A: writeArea(AREA), B: writeArea(AREA) };
    expect(titles(site, { C: writeArea(tabs(pane('cpu'))) })).toEqual(['A', 'B', 'C']);
    expect(titles(site, { A: null })).toEqual(['B']);
    expect(read(site, { B: writeArea(tabs(pane('cpu'))) }).layouts.at(-1)?.area).toEqual(tabs(pane('cpu')));
  });

  it('may be written by hand with names of plots alone', () => {
    expect(read({ Short: { type: 'tab-area', widgets: ['cpu', 'progress'], currentIndex: 1 } }).layouts[0].area).toEqual({
      type: 'tab-area',
      widgets: [pane('cpu'), pane('progress')],
      currentIndex: 1
    });
  });

  const nested = (depth: number): unknown =>
    depth === 0
      ? { type: 'tab-area', widgets: ['cpu'] }
      : { type: 'split-area', orientation: depth % 2 ? 'vertical' : 'horizontal', children: [nested(depth - 1)], sizes: [1] };

  it.each([
    ['a number', 7],
    ['a list', [1]],
    ['no widgets', { type: 'tab-area', widgets: [] }],
    ['an invalid pane', { type: 'tab-area', widgets: [7] }],
    ['another type', { type: 'grid', children: [] }],
    ['a size of NaN', { type: 'split-area', orientation: 'vertical', children: [nested(0)], sizes: [Number.NaN] }],
    ['no sizes', { type: 'split-area', orientation: 'vertical', children: [nested(0)] }],
    ['an endless nest', nested(40)],
    ['too many panes', { type: 'tab-area', widgets: Array.from({ length: 61 }, () => 'cpu') }],
    [
      'too many panes in all',
      {
        type: 'split-area',
        orientation: 'vertical',
        sizes: [1, 1],
        children: [1, 2].map(() => ({ type: 'tab-area', widgets: Array(40).fill('cpu') }))
      }
    ]
  ])('that are %s are left out, which is said, and others stay', (_, value) => {
    const { layouts, problems } = read({ Broken: value, Whole: writeArea(AREA) });
    expect(layouts.map(({ title }) => title)).toEqual(['Whole']);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^The layout "Broken" of the settings cannot be used: .+\.$/);
  });

  it('are at most 100, with a name of at most 60 characters', () => {
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`Layout ${i}`, nested(0)]));
    expect(titles(many)).toHaveLength(100);
    // Those that are not listed are named.
    expect(read(many).problems).toHaveLength(1);
    expect(read(many).problems[0]).toContain('At most 100 saved layouts');
    expect(titles({ ' A': nested(0), A: nested(0) })).toEqual(['A']);
    expect(titles({ A: nested(0) }, { 'A ': null })).toEqual([]);
    expect(read({ ['x'.repeat(61)]: nested(0), '': nested(0) }).problems).toHaveLength(2);
    expect(titles(null, 'text', [])).toEqual([]);
  });
});

/** Settings whose values a test changes. */
class FakeSettings {
  readonly ready = Promise.resolve();
  values: SettingValues = DEFAULT_SETTINGS;
  readonly changed = new Signal<this, void>(this);
  save(name: string, make: () => unknown): Promise<void> {
    this.values = {
      ...this.values,
      ...(name === 'layouts' ? { layouts: { ...this.values.layouts, user: make() as object } } : {})
    } as SettingValues;
    this.changed.emit();
    return Promise.resolve();
  }
}

describe('the list of layouts', () => {
  const setup = async (site: Record<string, unknown> = {}) => {
    const settings = new FakeSettings();
    settings.values = { ...DEFAULT_SETTINGS, layouts: { site, user: {} } };
    const catalogue = new Catalogue<PaneLayout>(LAYOUTS);
    const warned: string[] = [];
    const saved = new SavedLayouts(settings as unknown as Settings, catalogue, translate, text => warned.push(text));
    const listed = (): (readonly string[])[] => catalogue.all.filter(({ saved: own }) => own).map(({ id, title }) => [id, title]);
    await saved.ready;
    return { settings, catalogue, warned, saved, listed };
  };

  it('has what was saved, a second time under the same name too, and loses what was removed', async () => {
    const { saved, listed, catalogue } = await setup();
    await saved.save(' My panes ', AREA);
    await saved.save('my PANES!', tabs(pane('cpu')));
    await saved.save('図', tabs(pane('cpu')));
    await saved.save('My panes', tabs(pane('cpu')));
    await saved.ready;
    expect(listed()).toEqual([
      ['saved:my-panes', 'my PANES!'],
      ['saved:layout', '図'],
      ['saved:my-panes-2', 'My panes']
    ]);
    await saved.remove(catalogue.find('saved:layout')!);
    await saved.ready;
    expect(listed()).toHaveLength(2);
    await expect(saved.save('  ', AREA)).rejects.toThrow('A name has 1 to 60 characters.');
    saved.dispose();
    expect(listed()).toEqual([]);
  });

  it("removes a site's layout for this user only, who can save one of that name again", async () => {
    const { saved, listed, catalogue, settings } = await setup({ Site: writeArea(AREA) });
    await saved.remove(catalogue.find('saved:site')!);
    expect(settings.values.layouts).toMatchObject({ site: { Site: {} }, user: { Site: null } });
    await saved.ready;
    expect(listed()).toEqual([]);
    await saved.save('Site', AREA);
    await saved.ready;
    expect(listed()).toEqual([['saved:site', 'Site']]);
  });

  it('refuses one more than are read again, and replaces one of those', async () => {
    const site = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`Layout ${i}`, writeArea(AREA)]));
    const { saved, listed } = await setup(site);
    await expect(saved.save('New', AREA)).rejects.toThrow('At most 100 saved layouts');
    await saved.save('Layout 7', tabs(pane('cpu')));
    await saved.ready;
    expect(listed()).toHaveLength(100);
  });

  it('forgets one that is named as a property of every object', async () => {
    const { saved, catalogue, settings } = await setup();
    await saved.save('constructor', AREA);
    await saved.ready;
    await saved.remove(catalogue.find('saved:constructor')!);
    expect(Object.keys(settings.values.layouts.user)).toEqual([]);
  });

  it('says once what it cannot read', async () => {
    const { settings, warned, saved } = await setup({ Broken: 1 });
    settings.changed.emit();
    await saved.ready;
    expect(warned).toHaveLength(1);
  });
});
