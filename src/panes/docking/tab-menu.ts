import type { JupyterFrontEnd } from '@jupyterlab/application';
import { MenuSvg } from '@jupyterlab/ui-components';
import { CommandRegistry } from '@lumino/commands';
import type { IDisposable } from '@lumino/disposable';
import type { Widget } from '@lumino/widgets';
import type { Translate } from '../../plot/plot';
import { fillMenu } from '../pane/menu';
import type { PlotPane } from '../pane/pane';

/** Tabs of panes. */
const TABS = '.lm-TabBar-tab.dp-Tab';

/**
 * Put the menu of a pane into JupyterLab's context menu of its tab.
 *
 * @param paneOf - a pane by the id of its widget
 */
export function addTabMenu(
  { contextMenu }: JupyterFrontEnd,
  paneOf: (id: string) => PlotPane | undefined,
  trans: Translate
): void {
  const submenu = new MenuSvg({ commands: new CommandRegistry() });
  submenu.addClass('dp-Menu');
  submenu.title.label = trans.__('Dask pane');
  let filled: { readonly pane: PlotPane; readonly items: IDisposable } | null = null;
  const clear = (): void => {
    filled?.items.dispose();
    filled = null;
  };
  // The items would keep the closed pane with its run.
  const onDisposed = (pane: Widget): void => {
    if (filled?.pane === pane) {
      clear();
    }
  };
  // Before JupyterLab opens its menu: the items are those of the pane's state now.
  document.addEventListener(
    'contextmenu',
    ({ target }) => {
      // A right click in the open menu opens no other one.
      if (!(target instanceof Element) || target.closest('.lm-Menu') !== null) {
        return;
      }
      clear();
      const pane = paneOf(target.closest<HTMLElement>(TABS)?.dataset.id ?? '');
      if (pane !== undefined) {
        filled = { pane, items: fillMenu(submenu, pane.menuItems()) };
        pane.disposed.connect(onDisposed);
      }
    },
    true
  );
  contextMenu.addItem({ type: 'submenu', submenu, selector: TABS, rank: 0 });
}
