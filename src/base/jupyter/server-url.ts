import { PageConfig } from '@jupyterlab/coreutils';

/** Absolute URL of the Jupyter server, to which links without a host belong. */
export function serverUrl(): string {
  return new URL(PageConfig.getBaseUrl(), document.baseURI).href;
}
