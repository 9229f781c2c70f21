/** The clusters of `labextension.initial`: started once for each run of the Jupyter server. */
import { URLExt } from '@jupyterlab/coreutils';
import { ServerConnection, type ServiceManager } from '@jupyterlab/services';
import { mapOf } from '../../base/untrusted';
import { type HostedClusters, StartCancelled, StartFailure } from '../../clients/hosting/model';
import type { InitialCluster } from '../../feed/kernel/kernel-channel';
import type { Translate } from '../../plot/plot';
import { freeName, isName } from '../hosting/form';
import { readConfiguration } from '../hosting/kinds';
import { startTroubleWords } from '../hosting/words';

const KEY = 'dask-panes:initial';

/** What initial clusters are started with. */
export interface InitialOptions {
  readonly hosted: Pick<HostedClusters, 'list' | 'start'>;
  readonly server: InitialServer;
  /** Name of the kernel spec; `null` if none can host a cluster. */
  readonly spec: string | null;
  readonly trans: Translate;
  warn(message: string): void;
}

/** What is asked of the Jupyter server. */
export interface InitialServer {
  /** Its address. */
  readonly url: string;
  /** When it started, in its words. */
  started(): Promise<string>;
  /** Learn which sessions run. */
  refresh(): Promise<void>;
  /** The initial clusters in Dask's configuration of a kernel spec's environment. */
  configured(spec: string): Promise<readonly InitialCluster[]>;
}

/**
 * Start the clusters of `labextension.initial` that do not run, unless this browser has done so since the server started: one
 * that was shut down stays so.
 */
export async function startInitial({ hosted, server, spec, trans, warn }: InitialOptions): Promise<void> {
  if (spec === null) {
    return;
  }
  try {
    const [key, started] = [`${KEY}:${server.url}`, await server.started()];
    if (localStorage.getItem(key) === started) {
      return;
    }
    // Before the first starts, which may take minutes: another tab does not start it, too.
    localStorage.setItem(key, started);
    const initial = await server.configured(spec);
    await server.refresh();
    for (const { name: given, ...options } of initial) {
      const taken = hosted.list.map(({ name }) => name);
      const name = isName(given) ? given : freeName(taken);
      if (!taken.includes(name)) {
        await hosted.start({ name, ...options }, { spec, folder: '' }).catch((error: unknown) => {
          // The others are started anyway.
          if (!(error instanceof StartCancelled)) {
            // The last line of a traceback is the error.
            const [cause] = error instanceof StartFailure ? error.traceback.trimEnd().split('\n').slice(-1) : [''];
            const why = cause || startTroubleWords(error, trans);
            warn(trans.__('The cluster %1 of labextension.initial could not be started: %2', name, why));
          }
        });
      }
    }
  } catch (error) {
    warn(trans.__('The clusters of labextension.initial could not be started: %1', startTroubleWords(error, trans)));
  }
}

/** The server of this page. A kernel that ends at once reads Dask's configuration. */
export function initialServer(services: ServiceManager.IManager): InitialServer {
  const { kernels, sessions, serverSettings } = services;
  return {
    url: serverSettings.baseUrl,
    refresh: () => sessions.refreshRunning(),
    started: async () => {
      const response = await ServerConnection.makeRequest(URLExt.join(serverSettings.baseUrl, 'api/status'), {}, serverSettings);
      if (!response.ok) {
        throw new ServerConnection.ResponseError(response);
      }
      return String(mapOf(await response.json()).started);
    },
    configured: async name => (await readConfiguration(kernels, name))?.clusters.initial ?? []
  };
}
