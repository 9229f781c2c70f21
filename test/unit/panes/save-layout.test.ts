// @vitest-environment jsdom
import { JupyterFrontEnd } from '@jupyterlab/application';
import { Signal } from '@lumino/signaling';
import { expect, it, vi } from 'vitest';
import schema from '../../../schema/plugin.json';
import { DEFAULT_SETTINGS, type Settings, type SettingValues } from '../../../src/base/jupyter/settings';
import { Catalogue } from '../../../src/panes/catalogue';
import { tabs } from '../../../src/panes/docking/dock-tree';
import { LAYOUTS, type PaneLayout } from '../../../src/panes/docking/layouts';
import { removeLayout, saveLayout } from '../../../src/panes/docking/saved/actions';
import type { LayoutPane } from '../../../src/panes/docking/saved/layouts';
import { SavedLayouts } from '../../../src/panes/docking/saved/shelf';
import type { PaneManager } from '../../../src/panes/manager';
import { translate as trans } from '../translate';

// The DOM of tests has no idle time, for which JupyterLab's dialog waits.
Object.assign(globalThis, { requestIdleCallback: (then: () => void) => setTimeout(then) });

/** The settings of a user. */
class UserSettings {
  readonly ready = Promise.resolve();
  readonly changed = new Signal<this, void>(this);
  values: SettingValues = DEFAULT_SETTINGS;

  async save(_: string, user: () => SettingValues['layouts']['user']): Promise<void> {
    this.values = { ...this.values, layouts: { site: {}, user: user() } };
    this.changed.emit();
  }
}

const pane = (plot: string): LayoutPane => ({ plot, options: {}, hidden: [], table: false, legend: true });

it('a layout that the user replaces is the one that was named, whatever the case of the letters', async () => {
  const layouts = new Catalogue<PaneLayout>(LAYOUTS);
  const saved = new SavedLayouts(new UserSettings() as unknown as Settings, layouts, trans, text => expect.unreachable(text));
  let plot = 'cpu';
  const placer = { save: (title: string) => saved.save(title, tabs(pane(plot))) };
  const placed: unknown[] = [];
  const notePlaced = (id: unknown): unknown => placed.push(id);
  const manager = { parts: { layouts }, savedLayouts: saved, notePlaced, placer: async () => placer } as unknown as PaneManager;
  const warn = (message: string): void => expect.unreachable(message);
  const listed = async (): Promise<unknown> => {
    await saved.ready;
    return layouts.all.filter(layout => layout.saved).map(({ title, plots }) => [title, ...plots]);
  };
  const answer = async (selector: string, text?: string): Promise<void> => {
    const dialog = await vi.waitFor(() => {
      const found = document.querySelector<HTMLElement>(`.jp-Dialog:has(${selector})`);
      expect(found).not.toBeNull();
      return found;
    });
    const input = dialog?.querySelector('input');
    if (input && text !== undefined) {
      input.value = text;
    }
    dialog?.querySelector<HTMLElement>('.jp-mod-accept')?.click();
  };
  await saveLayout(manager, 'My panes', trans, warn);
  expect(await listed()).toEqual([['My panes', 'cpu']]);
  plot = 'progress';
  const done = saveLayout(manager, undefined, trans, warn);
  await answer('input', 'my panes');
  await answer('.jp-mod-warn');
  await done;
  expect(await listed()).toEqual([['My panes', 'progress']]);
  plot = 'logs';
  // A link in an output may name it, too.
  const named = saveLayout(manager, 'MY PANES', trans, warn);
  await answer('.jp-mod-warn');
  await named;
  expect(await listed()).toEqual([['My panes', 'logs']]);
  // The sidebar outlines it.
  expect(placed).toEqual(['saved:my-panes', 'saved:my-panes', 'saved:my-panes']);
});

it('removes the layout whose context menu was opened, and from the palette afterwards the one that is chosen', async () => {
  const layouts = new Catalogue<PaneLayout>(LAYOUTS);
  const warn = (message: string): void => expect.unreachable(message);
  const saved = new SavedLayouts(new UserSettings() as unknown as Settings, layouts, trans, warn);
  for (const title of ['One', 'Two', 'Three']) {
    await saved.save(title, tabs(pane('cpu')));
  }
  await saved.ready;
  const manager = { parts: { layouts }, savedLayouts: saved } as unknown as PaneManager;
  const target = document.createElement('button');
  target.dataset.layout = 'saved:two';
  document.body.append(target);
  // As JupyterLab, which remembers the event after its menu has closed.
  const { contextMenuHitTest } = JupyterFrontEnd.prototype;
  const app = { _contextMenuEvent: { target }, contextMenuHitTest } as unknown as JupyterFrontEnd;
  const item = schema['jupyter.lab.menus'].context.find(({ command }) => command === 'dask-panes:remove-layout');
  const titles = (): string[] => layouts.all.filter(layout => layout.saved).map(({ title }) => title);
  const answer = async (): Promise<string | null> => {
    const dialog = await vi.waitFor(() => document.querySelector<HTMLElement>('.jp-Dialog') ?? expect.unreachable());
    const choice = dialog.querySelector('select');
    dialog.querySelector<HTMLElement>('.jp-mod-accept')?.click();
    return choice === null ? dialog.textContent : [...choice.options].map(({ value }) => value).join();
  };
  const removed = removeLayout(manager, app, item?.args ?? {}, trans, warn);
  expect(await answer()).toContain('Remove the layout "Two"?');
  await removed;
  await saved.ready;
  expect(titles()).toEqual(['One', 'Three']);
  const chosen = removeLayout(manager, app, {}, trans, warn);
  expect(await answer()).toBe('One,Three');
  await chosen;
  await saved.ready;
  expect(titles()).toEqual(['Three']);
  const named = removeLayout(manager, app, { name: 'three' }, trans, warn);
  expect(await answer()).toContain('Remove the layout "Three"?');
  await named;
  await saved.ready;
  expect(titles()).toEqual([]);
});
