// @vitest-environment jsdom
import { type ISettingRegistry, SettingRegistry } from '@jupyterlab/settingregistry';
import { expect, it, vi } from 'vitest';
import schema from '../../../../schema/plugin.json';
import { Settings } from '../../../../src/base/jupyter/settings';
import { Catalogue } from '../../../../src/panes/catalogue';
import { tabs } from '../../../../src/panes/docking/dock-tree';
import type { PaneLayout } from '../../../../src/panes/docking/layouts';
import { SavedLayouts } from '../../../../src/panes/docking/saved/shelf';
import { Favourites } from '../../../../src/sidebar/favourites';
import { translate as trans } from '../../translate';

type Connector = SettingRegistry.IOptions['connector'];

/** The settings of a user on the server, for several browser tabs. */
class Server {
  raw = '{}';

  get layouts(): string[] {
    return [...this.raw.matchAll(/"(One|Two)":/g)].map(([, title]) => title);
  }

  /** JupyterLab's registry of one tab. */
  tab(): Settings {
    const connector: Pick<Connector, 'fetch' | 'save'> = {
      fetch: async id => ({
        ...{ id, schema: schema as unknown as ISettingRegistry.ISchema, raw: this.raw, version: '1' },
        data: { composite: {}, user: {} }
      }),
      save: async (_, raw) => {
        this.raw = raw;
      }
    };
    return new Settings(new SettingRegistry({ connector: connector as Connector }), Promise.resolve(), trans);
  }
}

const area = tabs({ plot: 'cpu', options: {}, hidden: [], table: false, legend: true });
const warn = (text: string): void => expect.unreachable(text);

it('saves beside what another tab has saved meanwhile, and shows that, too', async () => {
  const server = new Server();
  const [first, second] = [server.tab(), server.tab()];
  await Promise.all([first.ready, second.ready]);
  await new SavedLayouts(first, new Catalogue<PaneLayout>([]), trans, warn).save('One', area);
  const layouts = new Catalogue<PaneLayout>([]);
  const shelf = new SavedLayouts(second, layouts, trans, warn);
  await shelf.save('Two', area);
  await shelf.ready;
  expect(layouts.all.map(({ title }) => title)).toEqual(['One', 'Two']);
  expect(server.layouts).toEqual(['One', 'Two']);
  const [here, there] = [new Favourites(first, warn), new Favourites(second, warn)];
  here.toggle('cpu');
  await vi.waitFor(() => expect(here.ids).toEqual(['cpu']));
  there.toggle('progress');
  await vi.waitFor(() => expect(there.ids).toEqual(['cpu', 'progress']));
  expect(server.layouts).toEqual(['One', 'Two']);
});

it('says what is wrong with settings that were written by hand, and saves when that is mended', async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(console, 'warn').mockReturnValue();
  const server = new Server();
  server.raw = '{ "keepTasks": 10, "favourites": ["cpu"] }';
  const settings = server.tab();
  await settings.ready;
  const reason = 'The settings of Dask Panes cannot be read: /keepTasks must be >= 1000.';
  expect(logged).toHaveBeenCalledWith(`${reason} The defaults apply.`);
  expect(settings.values.favourites).toEqual([]);
  const warnings: string[] = [];
  const favourites = new Favourites(settings, text => warnings.push(text));
  favourites.toggle('progress');
  await vi.waitFor(() => expect(warnings).toEqual([reason]));
  expect(server.raw).toContain('"cpu"');
  server.raw = '{ "keepTasks": 2000, "favourites": ["cpu"] }';
  favourites.toggle('progress');
  await vi.waitFor(() => expect(favourites.ids).toEqual(['cpu', 'progress']));
  expect(settings.values.keepTasks).toBe(2000);
  vi.restoreAllMocks();
});

it('says why nothing can be saved in the language of the page', async () => {
  const german = { __: (text: string, ...parts: readonly string[]) => ['auf Deutsch:', text, ...parts].join(' ') };
  const save = (registry: unknown): Promise<void> =>
    new Settings(registry as ISettingRegistry | null, Promise.resolve(), german).save('favourites', () => []);
  await expect(save(null)).rejects.toThrow('auf Deutsch: This front end has no settings.');
  vi.spyOn(console, 'error').mockReturnValue();
  const fails = (): Promise<never> => Promise.reject(new Error('x'));
  await expect(save({ load: fails, reload: fails })).rejects.toThrow(/^auf Deutsch: The settings .* x$/);
});
