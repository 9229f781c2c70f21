/** What is loaded when the first place of JupyterLab has something to show. */
export { hostSpecs } from '../hosting/environment';
export { initialServer, startInitial } from './initial';
export { runningClusters } from './running';
export { StatusItem } from './status-item';
