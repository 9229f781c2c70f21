// @vitest-environment jsdom
import { LabShell, type LayoutRestorer } from '@jupyterlab/application';
import { WidgetTracker } from '@jupyterlab/apputils';
import { MessageLoop } from '@lumino/messaging';
import { Widget } from '@lumino/widgets';
import { afterEach, expect, it } from 'vitest';
import { Settings } from '../../../src/base/jupyter/settings';
import { Lazy } from '../../../src/base/lazy';
import { Catalogue } from '../../../src/panes/catalogue';
import { LabDock, shareBelow } from '../../../src/panes/docking/docks';
import { LAYOUTS } from '../../../src/panes/docking/layouts';
import { PaneManager } from '../../../src/panes/manager';
import type { PlotPane } from '../../../src/panes/pane/pane';
import { PLOT_FACTS } from '../../../src/plots/facts';
import { FakeClients } from '../client-view/fakes';
import { translate as trans } from '../translate';

const shell = new LabShell();
const tracker = new WidgetTracker<PlotPane>({ namespace: 'test' });
const manager = new PaneManager({
  plots: new Catalogue(PLOT_FACTS),
  layouts: new Catalogue(LAYOUTS),
  tracker,
  dock: new LabDock(shell),
  settings: new Settings(null, Promise.resolve()),
  code: new Lazy(() => import('../../../src/panes/code')),
  services: { clients: new FakeClients(), trans, lead: () => undefined },
  saveReport: () => Promise.resolve(null),
  warn: message => expect.unreachable(message)
});

afterEach(() => {
  manager.dispose();
  shell.dispose();
});

it('a layout shows its first pane in single-document mode', async () => {
  Widget.attach(shell, document.body);
  const notebook = new Widget();
  notebook.id = 'notebook';
  const empty = { mainArea: null, downArea: null, leftArea: null, rightArea: null, topArea: null, relativeSizes: null };
  const restorer = { fetch: () => Promise.resolve(empty), save: () => Promise.resolve() } as unknown as LayoutRestorer;
  await shell.restoreLayout('multiple-document', restorer);
  shell.add(notebook, 'main');
  shell.mode = 'single-document';
  await manager.layout('profile');
  MessageLoop.flush();
  const visible = (): string[] => tracker.filter(pane => pane.isVisible).map(({ plot }) => plot.id);
  expect(visible()).toEqual(['profile']);
  expect(notebook.isVisible).toBe(false);
});

it('leaves a notebook above a layout 45 % of a low window, such as one of 533 px, and panes more of a high one', () => {
  expect([480, 735].map(shareBelow)).toEqual([0.55, 0.6]);
});
