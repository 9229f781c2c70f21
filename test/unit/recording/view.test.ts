// @vitest-environment jsdom
import { MessageLoop } from '@lumino/messaging';
import { Signal } from '@lumino/signaling';
import { expect, it } from 'vitest';
import { Recordings } from '../../../src/clients/recordings/recordings';
import { Catalogue } from '../../../src/panes/catalogue';
import { tabs } from '../../../src/panes/docking/dock-tree';
import { LAYOUTS, type PaneLayout } from '../../../src/panes/docking/layouts';
import { PLOT_FACTS } from '../../../src/plots/facts';
import { RecordingView, type RecordingServices } from '../../../src/recording/view';
import { cluster } from '../plots/cluster';
import { translate as trans } from '../translate';

it('a recording offers the layouts that there are, also those that are saved, or read, after it was opened', () => {
  const layouts = new Catalogue<PaneLayout>(LAYOUTS);
  const recordings = new Recordings(() => new Promise(() => undefined));
  const placed: string[] = [];
  const view = new RecordingView('a.dask-run', {
    recordings,
    catalogues: { layouts, plots: new Catalogue(PLOT_FACTS) } as unknown as RecordingServices['catalogues'],
    trans,
    open: () => undefined,
    layout: name => placed.push(name)
  });
  const buttons = (): HTMLElement[] => [...view.node.querySelectorAll<HTMLElement>('.dp-Recording-layout')];
  const before = buttons().map(({ dataset }) => dataset.layout);
  expect(before).toContain('status');
  const mine: PaneLayout = {
    ...{ id: 'saved:mine', title: 'Mine', caption: '', plots: ['cpu'], saved: true },
    arrange: pane => tabs(pane('cpu'))
  };
  const saved = layouts.add(mine);
  expect(buttons().at(-1)?.textContent).toContain('Mine');
  buttons().at(-1)?.click();
  expect(placed).toEqual(['saved:mine']);
  saved.dispose();
  expect(buttons().map(({ dataset }) => dataset.layout)).toEqual(before);
  view.dispose();
  layouts.add(mine);
  expect(buttons()).toHaveLength(before.length);
  recordings.dispose();
});

it('a recording offers the plots that there are, also those that are registered after it was opened', async () => {
  const run = cluster({ workers: [{ name: 'a' }] });
  const clock = { start: 0, end: 10, position: 10, playing: false, speed: 1, loaded: 1, state: { reason: '' } };
  const client = { run, info: { created: 0, address: '' }, feed: { ...clock, moved: new Signal({}) } };
  const recordings = {
    changed: new Signal({}),
    hold: () => ({ dispose: () => undefined }),
    entry: () => ({ state: 'ready', problem: '', info: { notice: '' }, client })
  };
  const plots = new Catalogue(PLOT_FACTS);
  const open: string[] = [];
  const view = new RecordingView('a.dask-run', {
    recordings: recordings as unknown as Recordings,
    catalogues: { layouts: new Catalogue<PaneLayout>(LAYOUTS), plots } as unknown as RecordingServices['catalogues'],
    trans,
    open: plot => open.push(plot),
    layout: () => undefined
  });
  MessageLoop.flush();
  const offered = (): HTMLElement[] =>
    [...view.node.querySelectorAll<HTMLElement>('.dp-Recording-plot')].filter(({ parentElement }) => !parentElement?.hidden);
  const before = offered().map(({ dataset }) => dataset.plot);
  expect(before).toContain('workers');
  const workers = PLOT_FACTS.find(({ id }) => id === 'workers')!;
  const registered = plots.add({ ...workers, id: 'mine:workers', title: 'Mine' });
  MessageLoop.flush();
  expect(offered().map(({ dataset }) => dataset.plot)).toEqual([...before, 'mine:workers']);
  offered().at(-1)?.click();
  expect(open).toEqual(['mine:workers']);
  registered.dispose();
  MessageLoop.flush();
  expect(offered().map(({ dataset }) => dataset.plot)).toEqual(before);
  view.dispose();
  plots.add({ ...workers, id: 'mine:workers', title: 'Mine' });
  expect(view.node.querySelectorAll('[data-plot="mine:workers"]')).toHaveLength(0);
});

it('a recording says how many workers are there at its moment, without those that have left', () => {
  const statuses = ['running', 'running', 'lost'] as const;
  const run = cluster({ workers: statuses.map((status, i) => ({ name: String(i), address: `tcp://${i}:1`, status })) });
  const clock = { start: 0, end: 10, position: 10, playing: false, speed: 1, loaded: 1, state: { reason: '' } };
  const client = { run, info: { created: 0, address: '' }, feed: { ...clock, moved: new Signal({}) } };
  const recordings = {
    changed: new Signal({}),
    hold: () => ({ dispose: () => undefined }),
    entry: () => ({ state: 'ready', problem: '', info: { notice: '' }, client })
  };
  const view = new RecordingView('a.dask-run', {
    recordings: recordings as unknown as Recordings,
    catalogues: {
      layouts: new Catalogue<PaneLayout>(LAYOUTS),
      plots: new Catalogue(PLOT_FACTS)
    } as unknown as RecordingServices['catalogues'],
    trans,
    open: () => undefined,
    layout: () => undefined
  });
  MessageLoop.flush();
  expect(view.node.querySelector('.dp-Recording-about')?.textContent).toContain('workers: 2 ');
  view.dispose();
});
