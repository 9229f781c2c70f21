// @vitest-environment jsdom
import { WidgetTracker } from '@jupyterlab/apputils';
import { Signal } from '@lumino/signaling';
import { Widget } from '@lumino/widgets';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_SETTINGS, type Settings } from '../../../src/base/jupyter/settings';
import { Lazy } from '../../../src/base/lazy';
import { sameBinding } from '../../../src/clients/binding';
import type { Binding } from '../../../src/clients/model';
import { ClientRegistry } from '../../../src/clients/registry';
import { Catalogue } from '../../../src/panes/catalogue';
import { tabs } from '../../../src/panes/docking/dock-tree';
import type { PaneDock } from '../../../src/panes/docking/docks';
import { LAYOUTS, type PaneLayout } from '../../../src/panes/docking/layouts';
import { PaneManager } from '../../../src/panes/manager';
import type { PaneCode } from '../../../src/panes/pane-maker';
import type { PlotPane } from '../../../src/panes/pane/pane';
import type { Plot, PlotFacts } from '../../../src/plot/plot';
import type { OpenPane } from '../../../src/panes/tokens';
import { PLOTS } from '../../../src/plots';
import { PLOT_FACTS } from '../../../src/plots/facts';
import { client, FakeDocuments, FakeKernel, FakeSessions } from '../clients/fakes';
import { translate } from '../translate';

const LOST = new Error('Loading chunk 7 failed.');

/** A dock that only puts widgets into the page. */
const dock: PaneDock = {
  add: widget => Widget.attach(widget, document.body),
  activate: () => undefined,
  document: () => null,
  arrange: () => undefined
};

let load: ReturnType<typeof vi.fn<() => Promise<PaneCode>>>;
let warned: string[];
let requests: unknown[] = [];
let manager: PaneManager;
let registry: ClientRegistry;
let tracker: WidgetTracker<PlotPane>;

let settings: { values: typeof DEFAULT_SETTINGS; readonly ready: Promise<void>; readonly changed: Signal<Settings, void> };

beforeEach(() => {
  settings = { values: DEFAULT_SETTINGS, ready: Promise.resolve(), changed: new Signal<Settings, void>({} as Settings) };
  registry = new ClientRegistry({
    documents: new FakeDocuments(),
    sessions: new FakeSessions(),
    kernels: {
      createChannel: () => {
        throw new Error('no kernel here');
      },
      connect: () => new FakeKernel('own').connection,
      settings,
      languageOf: () => undefined,
      activation: { line: '', ready: Promise.resolve(), enabled: () => false }
    }
  });
  warned = [];
  tracker = new WidgetTracker<PlotPane>({ namespace: 'test' });
  load = vi.fn(() => import('../../../src/panes/code'));
  manager = new PaneManager({
    plots: new Catalogue<PlotFacts>(PLOT_FACTS),
    layouts: new Catalogue<PaneLayout>(LAYOUTS),
    tracker,
    dock,
    settings: settings as unknown as Settings,
    code: new Lazy(load),
    services: { clients: registry, trans: translate, lead: () => undefined },
    saveReport: async request => {
      requests.push(request);
      return null;
    },
    warn: message => warned.push(message)
  });
});

afterEach(() => {
  for (const { id } of manager.openPanes) {
    document.getElementById(id)?.remove();
  }
  manager.dispose();
  registry.dispose();
});

it('saves what some plots need, and what they need as they are shown', async () => {
  requests = [];
  await manager.saveReport(undefined, ['compute-time-per-key'], ['meta', 'tasks']);
  await manager.saveReport();
  const topics = ['meta', 'workers', 'prefixes', 'tasks'];
  expect(requests).toEqual([
    { binding: { follow: true }, plots: ['compute-time-per-key'], topics },
    { binding: { follow: true } }
  ]);
});

const open = (): string[] => manager.openPanes.map(({ id }) => id).sort();

describe('what is known before the code of panes is loaded', () => {
  it('is the same of every plot as its own file says', () => {
    const facts = PLOTS.map(plot => Object.fromEntries(Object.keys(PLOT_FACTS[0]).map(name => [name, plot[name as 'id']])));
    expect(
      PLOT_FACTS.map(({ id, title, caption, group, icon, view, synonyms, topics }) => ({
        id,
        title,
        caption,
        group,
        icon,
        view,
        synonyms,
        topics
      }))
    ).toEqual(facts);
  });

  it('has the plots of other extensions, without loading it', async () => {
    const plot: Plot = { ...PLOTS[0], id: 'other.plot', title: 'Of another extension' };
    const registration = manager.registerPlot(plot);
    expect(manager.plots).toContain('other.plot');
    expect(manager.parts.plots.find('other.plot')?.title).toBe('Of another extension');
    expect(load).not.toHaveBeenCalled();
    await manager.open('other.plot');
    expect(open()).toEqual(['dask-panes:other.plot:1']);
    registration.dispose();
    expect(open()).toEqual([]);
    expect(manager.plots).not.toContain('other.plot');
    await expect(manager.open('other.plot')).rejects.toThrow('There is no plot named "other.plot".');
  });
});

describe('panes', () => {
  it('are opened once, however fast they are asked for while the code loads', async () => {
    await Promise.all([manager.open('progress'), manager.open('progress'), manager.layout('status')]);
    expect(load).toHaveBeenCalledOnce();
    expect(open().filter(id => id.includes('progress'))).toEqual(['dask-panes:progress:1']);
    expect(open()).toHaveLength(8);
    expect(manager.isOpen('task-stream')).toBe(true);
  });

  it('of a layout replace those of another layout, but not what was opened by itself', async () => {
    await manager.open('cpu');
    await manager.layout('status');
    await manager.open('logs');
    await manager.layout('memory');
    const plots = (): string[] => manager.openPanes.map(({ plot }) => plot).sort();
    expect(plots()).toEqual(['cluster-memory', 'cpu', 'logs', 'memory-by-key', 'memory-timeseries', 'workers-memory']);
    await manager.layout('profile');
    await manager.layout('profile');
    expect(plots()).toEqual(['cpu', 'logs', 'profile', 'profile-server', 'task-stream']);
  });

  it('of the layout placed last show it as placed while all are open, and not another whose panes are open, too', async () => {
    const placed = (): string[] => LAYOUTS.filter(layout => manager.isPlaced(layout)).map(({ id }) => id);
    const heard: string[][] = [];
    for (const { plots } of LAYOUTS.filter(({ id }) => id === 'errors')) {
      await Promise.all(plots.map(plot => manager.open(plot)));
    }
    expect(placed()).toEqual([]);
    manager.changed.connect(() => heard.push(placed()));
    await manager.layout('status');
    expect([placed(), heard.at(-1)]).toEqual([['status'], ['status']]);
    // All its panes were open before.
    await manager.layout('errors');
    expect([placed(), heard.at(-1)]).toEqual([['errors'], ['errors']]);
    await manager.layout('status');
    tracker.find(pane => pane.plot.id === 'progress')?.dispose();
    expect([placed(), heard.at(-1)]).toEqual([[], []]);
  });

  it('of a layout change to the client of the next layout, or to the followed one, and do not pile up', async () => {
    const binding: Binding = { follow: false, path: 'run.dask-run', client: 'recording:run.dask-run' };
    await manager.open('cpu', { binding: { ...binding, client: 'pinned' } });
    await manager.layout('status');
    await manager.layout('status', binding);
    const layoutPanes = (): readonly OpenPane[] => manager.openPanes.filter(({ id }) => id !== 'dask-panes:cpu:1');
    expect(layoutPanes()).toHaveLength(8);
    expect(layoutPanes().every(pane => sameBinding(pane.binding, binding))).toBe(true);
    await manager.layout('memory', binding);
    expect(layoutPanes()).toHaveLength(4);
    await manager.layout('status');
    expect(layoutPanes()).toHaveLength(8);
    expect(layoutPanes().every(pane => pane.binding.follow)).toBe(true);
    expect(manager.openPanes).toHaveLength(9);
  });

  it('that a layout replaces give it their room before it is placed', async () => {
    const replaced: string[][] = [];
    vi.spyOn(dock, 'arrange').mockImplementation((...[, , , widgets]) => {
      replaced.push(widgets.filter(widget => !widget.isDisposed).map(({ id }) => id));
    });
    await manager.layout('errors');
    await manager.layout('profile');
    expect(replaced).toEqual([[], ['dask-panes:errors:1', 'dask-panes:logs:1', 'dask-panes:events:1']]);
    vi.restoreAllMocks();
  });

  it('of a layout without a plot that is not installed are placed, with a note', async () => {
    const arrange: PaneLayout['arrange'] = pane => tabs(pane('gone.plot'), pane('cpu'), pane('cpu#2'));
    manager.registerLayout({ id: 'x', title: 'X', caption: '', plots: ['gone.plot', 'cpu', 'cpu#2'], arrange });
    await manager.layout(' x ');
    expect(open()).toEqual(['dask-panes:cpu:1', 'dask-panes:cpu:2']);
    expect(warned).toEqual(['Plots of the layout "X" that are not installed were left out: "gone.plot".']);
    manager.registerLayout({ id: 'y', title: 'Y', caption: '', plots: ['gone.plot'], arrange });
    await expect(manager.layout('y')).rejects.toThrow('has only plots that are not installed: "gone.plot".');
  });

  it('whose code cannot be loaded: one warning for an action, and the next action tries again', async () => {
    load.mockRejectedValueOnce(LOST).mockRejectedValueOnce(new Error('again'));
    manager.reveal('progress');
    manager.revealLayout('status');
    await vi.waitFor(() => expect(warned).toHaveLength(1));
    expect(warned[0]).toContain('could not be loaded from the Jupyter server');
    await expect(manager.open('progress')).rejects.toThrow('could not be loaded');
    expect(warned).toHaveLength(2);
    expect(open()).toEqual([]);
    await manager.open('progress');
    expect(open()).toEqual(['dask-panes:progress:1']);
    expect(load).toHaveBeenCalledTimes(3);
  });

  it('of a saved layout keep their state if their code cannot be loaded: the command does not fail', async () => {
    load.mockRejectedValueOnce(LOST);
    const saved = ['progress', 'cpu'].map(plot => manager.restore({ plot, number: 2 }));
    expect(await Promise.all(saved)).toEqual([null, null]);
    expect(warned).toHaveLength(1);
    expect((await manager.restore({ plot: 'cpu', number: 2 }))?.id).toBe('dask-panes:cpu:2');
  });

  it('that followed do so after a reload, too, also where new ones do not', async () => {
    settings.values = { ...DEFAULT_SETTINGS, followActive: false };
    vi.spyOn(registry, 'resolve').mockReturnValue({ path: 'a.ipynb', info: client('c') });
    const pinned = { follow: false, path: 'a.ipynb', client: 'c' };
    await manager.open('progress');
    expect(manager.openPanes[0].binding).toEqual(pinned);
    expect((await manager.restore({ plot: 'cpu', number: 1 }))?.binding).toEqual({ follow: true });
    expect((await manager.restore({ plot: 'cpu', number: 2, binding: { ...pinned, follow: false } }))?.binding).toEqual(pinned);
  });

  it('are not made for a drop before their code is there', async () => {
    expect(() => manager.createForDrop('cpu')).toThrow('has not been loaded');
    await manager.open('progress');
    const opened: string[] = [];
    manager.opened.connect((_, plot) => opened.push(plot));
    expect(manager.createForDrop('cpu').id).toBe('dask-panes:cpu:1');
    expect(opened).toEqual(['cpu']);
  });
});
