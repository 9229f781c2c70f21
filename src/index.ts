/** The plugins of the JupyterLab extension. */
import type { JupyterFrontEndPlugin } from '@jupyterlab/application';
import { clientViewPlugins } from './client-view';
import { clientsPlugin } from './clients/plugin';
import { managerPlugin, panesPlugin } from './panes/plugin';
import { sidebarPlugin } from './sidebar/plugin';

const plugins: JupyterFrontEndPlugin<unknown>[] = [
  clientsPlugin,
  managerPlugin,
  panesPlugin,
  sidebarPlugin,
  ...clientViewPlugins
];

export default plugins;
