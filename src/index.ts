/** The plugins of the JupyterLab extension. */
import type { JupyterFrontEndPlugin } from '@jupyterlab/application';
import { clientViewPlugins } from './client-view';
import { clientsPlugin, recordingsPlugin } from './clients/plugin';
import { managerPlugin, panesPlugin } from './panes/plugin';
import { recordingPlugin } from './panes/recording/plugin';
import { sidebarPlugin } from './sidebar/plugin';

const plugins: JupyterFrontEndPlugin<unknown>[] = [
  recordingsPlugin,
  clientsPlugin,
  managerPlugin,
  panesPlugin,
  recordingPlugin,
  sidebarPlugin,
  ...clientViewPlugins
];

export default plugins;
