// @vitest-environment jsdom
import { DockPanel, Widget } from '@lumino/widgets';
import { expect, it } from 'vitest';
import { Catalogue } from '../../../src/panes/catalogue';
import type { Area } from '../../../src/panes/docking/dock-tree';
import type { PaneDock } from '../../../src/panes/docking/docks';
import { LAYOUTS, type PaneLayout } from '../../../src/panes/docking/layouts';
import { LayoutPlacer } from '../../../src/panes/docking/placer';
import type { SavedLayouts } from '../../../src/panes/docking/saved/shelf';
import type { PlotPane } from '../../../src/panes/pane/pane';
import { PLOT_FACTS } from '../../../src/plots/facts';
import type { PlotFacts } from '../../../src/plot/plot';
import { translate as trans } from '../translate';

/** A pane by its plot; `layout` is the one that opened it. */
function made(plot: string, layout?: string): PlotPane {
  const widget = new Widget();
  widget.id = plot;
  const restoreArgs = { layout };
  return Object.assign(widget, { plot: { id: plot }, binding: { follow: true }, restoreArgs, change: () => undefined }) as never;
}

it('a layout has its own arrangement whatever was open: panes that stay become tabs, except those beside a document', async () => {
  const panel = new DockPanel();
  const notebook = new Widget();
  notebook.id = 'notebook';
  const [advice, events, cpu] = [made('advice'), made('events'), made('cpu', 'errors')];
  const panes = [advice, events, cpu];
  panel.addWidget(notebook);
  panel.addWidget(events, { mode: 'tab-after', ref: notebook });
  panel.addWidget(advice, { mode: 'split-right', ref: notebook });
  panel.addWidget(cpu, { mode: 'split-bottom', ref: advice });
  const arranged: Area<string>[] = [];
  const replaced: string[] = [];
  const dock: PaneDock = {
    add: widget => panel.addWidget(widget),
    activate: () => undefined,
    document: () => notebook,
    arrange: (layout, pane, _, gone) => {
      expect(layout.plots.map(key => pane(key).isDisposed)).not.toContain(true);
      arranged.push(layout.arrange(key => pane(key).id, 800, 700));
      replaced.push(...gone.map(({ id }) => id));
    }
  };
  const placer = new LayoutPlacer({
    layouts: new Catalogue<PaneLayout>(LAYOUTS),
    plots: new Catalogue<PlotFacts>(PLOT_FACTS),
    saved: { ready: Promise.resolve() } as SavedLayouts,
    create: ({ plot, layout }) => {
      const pane = made(plot, layout);
      panes.push(pane);
      return pane;
    },
    dock,
    trans,
    binding: () => ({ follow: true }),
    panes: () => panes.filter(pane => !pane.isDisposed),
    warn: text => expect.unreachable(text)
  });
  await placer.place('profile');
  expect(arranged).toEqual([
    expect.objectContaining({
      orientation: 'vertical',
      children: [
        expect.objectContaining({ widgets: ['profile', 'profile-server'], currentIndex: 0 }),
        expect.objectContaining({ widgets: ['task-stream', 'advice'], currentIndex: 0 })
      ]
    })
  ]);
  expect(replaced).toEqual(['cpu']);
  expect([advice.isDisposed, events.isDisposed, cpu.isDisposed]).toEqual([false, false, true]);
});
