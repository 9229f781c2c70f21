import type { Widget } from '@lumino/widgets';
import type { Plot, Translate } from '../../plot/plot';
import { catalogueText } from '../../plot/translation';
import { plotIcon } from '../icons';

/** Set the tab and the attributes of a pane: it is a named region that can be focused. */
export function labelPane({ title, node, id }: Widget, plot: Plot, trans: Translate): void {
  const label = catalogueText(trans, plot.title);
  title.label = label;
  title.caption = `${label}: ${catalogueText(trans, plot.caption)}`;
  title.icon = plotIcon(plot);
  title.closable = true;
  title.className = 'dp-Tab';
  // As JupyterLab does, in docks without it, too: the tab leads to its pane.
  title.dataset = { ...title.dataset, id, ...(plot.short ? { short: catalogueText(trans, plot.short) } : {}) };
  node.dataset.plot = plot.id;
  node.dataset.view = plot.view;
  node.dataset.state = 'loading';
  node.setAttribute('role', 'region');
  node.setAttribute('aria-label', label);
  node.tabIndex = -1;
}
