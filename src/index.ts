/** The plugins of the JupyterLab extension. */
import type { JupyterFrontEndPlugin } from '@jupyterlab/application';
import { clientViewPlugins } from './client-view';
import { hostingPlugin } from './clients/hosting/plugin';
import { clientsPlugin, recordingsPlugin } from './clients/plugin';
import { configurationPlugin } from './configuration/plugin';
import { managerPlugin, panesPlugin } from './panes/plugin';
import { recordingPlugin } from './recording/plugin';
import { sidebarPlugin } from './sidebar/plugin';

const plugins: JupyterFrontEndPlugin<unknown>[] = [
  recordingsPlugin,
  clientsPlugin,
  hostingPlugin,
  managerPlugin,
  panesPlugin,
  recordingPlugin,
  configurationPlugin,
  sidebarPlugin,
  ...clientViewPlugins
];

export default plugins;
