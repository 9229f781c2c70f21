// @vitest-environment jsdom
import { type ISettingRegistry, SettingRegistry } from '@jupyterlab/settingregistry';
import { expect, it, vi } from 'vitest';
import { Settings } from '../../../src/base/jupyter/settings';
import { Favourites } from '../../../src/sidebar/favourites';

type Connector = SettingRegistry.IOptions['connector'];

/** The server's settings, which answers after some time. */
function slowServer(): Pick<Connector, 'fetch' | 'save'> {
  const late = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 20));
  const schema: ISettingRegistry.ISchema = {
    type: 'object',
    properties: { favourites: { type: 'array', items: { type: 'string' }, default: [] } }
  };
  let raw = '{}';
  return {
    async fetch(id) {
      await late();
      return { id, schema, raw, version: '1', data: { composite: {}, user: {} } };
    },
    async save(_, saved) {
      await late();
      raw = saved;
    }
  };
}

it('favourites are all kept that are chosen one soon after the other', async () => {
  const connector = slowServer() as Connector;
  const settings = new Settings(new SettingRegistry({ connector }), Promise.resolve());
  await settings.ready;
  const warn = vi.fn();
  const favourites = new Favourites(settings, warn);
  favourites.toggle('progress');
  favourites.toggle('workers');
  favourites.toggle('cpu');
  await vi.waitFor(() => expect(favourites.ids).toEqual(['progress', 'workers', 'cpu']));
  favourites.toggle('progress');
  favourites.toggle('cpu');
  await vi.waitFor(() => expect(favourites.ids).toEqual(['workers']));
  expect(warn).not.toHaveBeenCalled();
});
