// @vitest-environment jsdom
import { Notification } from '@jupyterlab/apputils';
import { CommandRegistry } from '@lumino/commands';
import { Signal } from '@lumino/signaling';
import { expect, it, vi } from 'vitest';
import { Lazy } from '../../../../src/base/lazy';
import type { HostedCluster, HostedClusters } from '../../../../src/clients/hosting/model';
import { addHostingCommands } from '../../../../src/sidebar/hosting/commands';
import { HostingController, type HostingEnvironment } from '../../../../src/sidebar/hosting/controller';
import { type RunningOptions, runningClusters } from '../../../../src/sidebar/places/running';
import { translate as trans } from '../../translate';

const HOSTILE = '<img src=x onerror=alert(1)>';

function cluster(name: string, client = ''): HostedCluster {
  const shutDown = vi.fn(() => Promise.resolve());
  const look = vi.fn(() => Promise.resolve());
  return { id: name, path: `path/${name}`, name, facts: { client }, shutDown, look } as unknown as HostedCluster;
}

it('lists hosted clusters, opens their panes, and ends one by the command that asks, all once JupyterLab has asked', () => {
  const list = [cluster('a', 'Client-1'), cluster(HOSTILE)];
  const hosted = { list, changed: new Signal<object, void>({}) } as unknown as HostedClusters;
  const [execute, showClient, refreshRunning] = [vi.fn(() => Promise.resolve()), vi.fn(), vi.fn(() => Promise.resolve())];
  const app = { commands: { execute }, serviceManager: { sessions: { refreshRunning } } } as unknown as RunningOptions['app'];
  const section = runningClusters({ app, hosted, manager: { showClient }, trans });

  const [first, second] = section.running({ mode: 'list' });
  expect(section.running({ mode: 'list' }).map(item => item.label())).toEqual(['a', HOSTILE]);
  first?.open?.();
  second?.open?.();
  // One that is not known to run has no panes.
  expect(showClient.mock.calls).toEqual([['path/a', 'Client-1']]);
  first?.shutdown?.();
  expect(execute).toHaveBeenCalledWith('dask-panes:shut-down-cluster', { name: 'a', id: 'a' });
  expect(list[0]?.shutDown).not.toHaveBeenCalled();
  section.shutdownAll();
  expect(list.map(({ shutDown }) => vi.mocked(shutDown).mock.calls.length)).toEqual([1, 1]);
  section.refreshRunning();
  expect(refreshRunning).toHaveBeenCalledOnce();
  expect(section.runningChanged).toBe(hosted.changed);
});

it('says which clusters could not be shut down', async () => {
  const list = [cluster('a'), cluster('b')];
  vi.mocked((list[1] as HostedCluster).shutDown).mockRejectedValue(new Error('Forbidden'));
  const hosted = { list, changed: new Signal<object, void>({}) } as unknown as HostedClusters;
  const app = {} as RunningOptions['app'];
  const warning = vi.spyOn(Notification, 'warning').mockReturnValue('');
  runningClusters({ app, hosted, manager: { showClient: vi.fn() }, trans }).shutdownAll();
  await vi.waitFor(() => expect(warning).toHaveBeenCalledOnce());
  expect(warning).toHaveBeenCalledWith('b could not be shut down: Forbidden', { autoClose: false });
});

it('opens the panes of a cluster that has not been asked about since the page was loaded, else its card', async () => {
  const asked = { ...cluster('a'), facts: null as unknown };
  const gone = cluster('b');
  Object.assign(asked, { look: vi.fn(async () => Object.assign(asked, { facts: { client: 'Client-1' } })) });
  const hosted = { list: [asked, gone], changed: new Signal<object, void>({}) } as unknown as HostedClusters;
  const [execute, showClient] = [vi.fn(() => Promise.resolve()), vi.fn()];
  const app = { commands: { execute } } as unknown as RunningOptions['app'];
  const [first, second] = runningClusters({ app, hosted, manager: { showClient }, trans }).running({ mode: 'list' });
  first?.open?.();
  await vi.waitFor(() => expect(showClient.mock.calls).toEqual([['path/a', 'Client-1']]));
  second?.open?.();
  await vi.waitFor(() => expect(execute).toHaveBeenCalledWith('dask-panes:show-sidebar'));
  expect(showClient).toHaveBeenCalledOnce();
});

it('tells clusters of one name apart, and ends the one that was meant', async () => {
  const list = [cluster('default'), { ...cluster('default'), id: 'other' }, cluster('b')];
  const hosted = { list, changed: new Signal<object, void>({}) } as unknown as HostedClusters;
  const commands = new CommandRegistry();
  const shutDown = vi.spyOn(HostingController.prototype, 'shutDown').mockResolvedValue();
  const controller = new Lazy(async () => new HostingController(hosted, {} as HostingEnvironment, trans));
  addHostingCommands({ commands, palette: null, controller, trans, warn: vi.fn() });
  const app = { commands } as unknown as RunningOptions['app'];
  const items = runningClusters({ app, hosted, manager: { showClient: vi.fn() }, trans }).running({ mode: 'list' });
  expect(items.map(item => item.label())).toEqual(['default (1)', 'default (2)', 'b']);
  expect(items[1]?.labelTitle?.()).toBe('Dask cluster default (2)');
  items[1]?.shutdown?.();
  await vi.waitFor(() => expect(shutDown.mock.calls).toEqual([[list[1]]]));
  // A name alone says which only where one has it.
  await expect(commands.execute('dask-panes:shut-down-cluster', { name: 'default' })).rejects.toThrow('Several hosted clusters');
  await commands.execute('dask-panes:shut-down-cluster', { name: 'b' });
  expect(shutDown).toHaveBeenLastCalledWith(list[2]);
});
