import type { JupyterFrontEnd } from '@jupyterlab/application';
import { MenuSvg } from '@jupyterlab/ui-components';
import { CommandRegistry } from '@lumino/commands';
import type { IDisposable } from '@lumino/disposable';
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
  let items: IDisposable | null = null;
  // Before JupyterLab opens its menu: the items are those of the pane's state now.
  document.addEventListener(
    'contextmenu',
    ({ target }) => {
      const tab = target instanceof Element ? target.closest<HTMLElement>(TABS) : null;
      const pane = paneOf(tab?.dataset.id ?? '');
      items?.dispose();
      items = pane === undefined ? null : fillMenu(submenu, pane.menuItems());
    },
    true
  );
  contextMenu.addItem({ type: 'submenu', submenu, selector: TABS, rank: 0 });
}
