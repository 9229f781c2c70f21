import { PageConfig } from '@jupyterlab/coreutils';

/** Absolute URL of the Jupyter server, the base of links without a host. */
export function serverUrl(): string {
  return new URL(PageConfig.getBaseUrl(), document.baseURI).href;
}
