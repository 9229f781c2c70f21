// @vitest-environment jsdom
import type { JupyterFrontEnd } from '@jupyterlab/application';
import { WidgetTracker } from '@jupyterlab/apputils';
import type { INotebookTracker } from '@jupyterlab/notebook';
import { CommandRegistry } from '@lumino/commands';
import { Widget } from '@lumino/widgets';
import { afterAll, expect, it, vi } from 'vitest';
import type { Settings } from '../../../src/base/jupyter/settings';
import { Lazy } from '../../../src/base/lazy';
import { ClientRegistry } from '../../../src/clients/registry';
import { Catalogue } from '../../../src/panes/catalogue';
import { PaneManager } from '../../../src/panes/manager';
import { addCellCommand } from '../../../src/panes/notebook/commands';
import type { PlotPane } from '../../../src/panes/pane/pane';
import { PLOT_FACTS } from '../../../src/plots/facts';
import { fakeSettings } from '../client-view/fakes';
import { client, FakeChannel, FakeDocuments, FakeKernel, FakeSessions } from '../clients/fakes';
import { translate } from '../translate';

const documents = new FakeDocuments();
const channels = new Map<string, FakeChannel>();
const settings = { ...fakeSettings(), ready: Promise.resolve() } as unknown as Settings;
const registry = new ClientRegistry({
  documents,
  sessions: new FakeSessions(),
  kernels: {
    createChannel: ({ id }) => {
      const channel = new FakeChannel();
      channels.set(id, channel);
      return channel;
    },
    connect: () => new FakeKernel('own').connection,
    settings,
    languageOf: () => 'python',
    activation: { line: '', ready: Promise.resolve(), enabled: () => false }
  }
});
const tracker = new WidgetTracker<PlotPane>({ namespace: 'test' });
const manager = new PaneManager({
  plots: new Catalogue(PLOT_FACTS),
  layouts: new Catalogue([]),
  tracker,
  dock: {
    add: widget => Widget.attach(widget, document.body),
    activate: () => undefined,
    document: () => null,
    arrange: () => undefined
  },
  settings,
  code: new Lazy(() => import('../../../src/panes/code')),
  services: { clients: registry, trans: translate, lead: () => undefined },
  saveReport: () => Promise.resolve(null),
  warn: message => expect.unreachable(message)
});

afterAll(() => {
  tracker.forEach(pane => {
    pane.dispose();
  });
  manager.dispose();
  registry.dispose();
});

it('is not offered where only local schedulers have computed', () => {
  documents.show({ path: 'c.ipynb', kernel: new FakeKernel('c') });
  const commands = new CommandRegistry();
  const notebooks = { currentWidget: { sessionContext: { path: 'c.ipynb' } } } as unknown as INotebookTracker;
  addCellCommand({ commands } as unknown as JupyterFrontEnd, notebooks, manager, registry, translate);
  channels.get('c')?.answer('ready', { ...client('local-1'), kind: 'local' });
  expect(commands.isVisible('dask-panes:cell-computations')).toBe(false);
  channels.get('c')?.answer('ready', client('cc'));
  expect(commands.isVisible('dask-panes:cell-computations')).toBe(true);
});

it('the computations of a cell are shown of its notebook, also where a pane is pinned to another one', async () => {
  documents.show({ path: 'b.ipynb', kernel: new FakeKernel('b') }, { path: 'a.ipynb', kernel: new FakeKernel('a') });
  channels.get('a')?.answer('ready', client('ca'));
  channels.get('b')?.answer('ready', client('cb'));
  await manager.open('computations', { binding: { follow: false, path: 'a.ipynb', client: 'ca' } });
  const commands = new CommandRegistry();
  const under = document.createElement('div');
  under.className = 'jp-Cell';
  const other = { node: under, model: { id: 'the cell under the pointer' } };
  const notebook = { sessionContext: { path: 'b.ipynb' }, content: { widgets: [other] } };
  const notebooks = { currentWidget: notebook, activeCell: { model: { id: 'the cell' } } } as unknown as INotebookTracker;
  const app = { commands, contextMenuHitTest: () => under } as unknown as JupyterFrontEnd;
  addCellCommand(app, notebooks, manager, registry, translate);
  await commands.execute('dask-panes:cell-computations');
  const shown = await vi.waitFor(() => {
    const found = tracker.find(pane => pane.restoreArgs.options.cell === 'the cell');
    expect(found).toBeDefined();
    return found;
  });
  expect(shown?.live?.info.key).toBe('cb');
  expect(manager.openPanes).toHaveLength(2);
  // A shortcut is about the active cell, wherever a context menu was before.
  await commands.execute('dask-panes:cell-computations', { here: true });
  await vi.waitFor(() => expect(shown?.restoreArgs.options.cell).toBe('the cell under the pointer'));
});

it('the computations of a cell are not those of another notebook where its own client has closed', async () => {
  documents.show({ path: 'e.ipynb', kernel: new FakeKernel('e') }, { path: 'd.ipynb', kernel: new FakeKernel('d') });
  channels.get('d')?.answer('ready', client('cd'));
  channels.get('e')?.answer('ready', client('ce', { status: 'closed' }));
  const commands = new CommandRegistry();
  const notebook = { sessionContext: { path: 'e.ipynb' }, content: { widgets: [] } };
  const notebooks = { currentWidget: notebook, activeCell: { model: { id: 'a cell of e' } } } as unknown as INotebookTracker;
  addCellCommand({ commands } as unknown as JupyterFrontEnd, notebooks, manager, registry, translate);
  await commands.execute('dask-panes:cell-computations');
  const shown = await vi.waitFor(() => {
    const found = tracker.find(pane => pane.restoreArgs.options.cell === 'a cell of e');
    expect(found).toBeDefined();
    return found;
  });
  expect(shown?.binding).toEqual({ follow: false, path: 'e.ipynb', client: 'ce' });
});
