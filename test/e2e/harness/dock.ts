/** Positions of the panes. */
import type { DockLayout } from '@lumino/widgets';
import type { Lab } from './lab';

/** An area of the dock with the plots of its panes (for documents, their names); sizes are rounded fractions. */
export type Area =
  | { readonly tabs: readonly string[]; readonly current: number }
  | { readonly orientation: string; readonly sizes: readonly number[]; readonly children: readonly Area[] };

/**
 * Close all launchers. JupyterLab opens one where nothing else is open, sooner or later: beside the first document, too, if the
 * document takes its time. It restores none.
 */
export function closeLaunchers(lab: Lab): Promise<void> {
  return lab.page.evaluate(() => {
    for (const widget of [...window.jupyterapp.shell.widgets('main')].filter(({ title }) => title.label === 'Launcher')) {
      widget.dispose();
    }
  });
}

/** The main area as the layout restorer would save it. */
export function dockLayout(lab: Lab): Promise<Area | null> {
  return lab.page.evaluate(() => {
    const shell = window.jupyterapp.shell as unknown as {
      saveLayout(): { readonly mainArea: { readonly dock: DockLayout.ILayoutConfig | null } | null };
    };
    const areaOf = (area: DockLayout.AreaConfig): Area =>
      area.type === 'tab-area'
        ? { tabs: area.widgets.map(widget => widget.node.dataset.plot ?? widget.title.label), current: area.currentIndex }
        : {
            orientation: area.orientation,
            // A difference of one pixel after a reload is the same position.
            sizes: area.sizes.map(size => Math.round(size * 50) / 50),
            children: area.children.map(areaOf)
          };
    const main = shell.saveLayout().mainArea?.dock?.main;
    return main ? areaOf(main) : null;
  });
}
