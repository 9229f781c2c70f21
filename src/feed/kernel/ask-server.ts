import { URLExt } from '@jupyterlab/coreutils';
import { ServerConnection } from '@jupyterlab/services';
import type { Milliseconds } from '../../base/units';

/** Statuses from a proxy when the server is not there: JupyterHub sends 424 (before 2.0: 503). */
const NOBODY_THERE = new Set([424, 502, 503, 504]);

/**
 * Send the Jupyter server one request, which does not count as activity.
 *
 * @param path - below the server's URL, such as `api`
 * @param patience - timeout
 * @returns `null` without a network, a server, or an answer in time
 */
export async function readServer(
  settings: ServerConnection.ISettings,
  path: string,
  patience: Milliseconds
): Promise<Response | null> {
  const url = `${URLExt.join(settings.baseUrl, path)}?no_track_activity=1`;
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), patience);
  try {
    return await ServerConnection.makeRequest(url, { method: 'GET', signal: abort.signal }, settings);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Whether the Jupyter server answers a request for its version.
 *
 * @param patience - timeout
 */
export async function askServer(settings: ServerConnection.ISettings, patience: Milliseconds): Promise<boolean> {
  const response = await readServer(settings, 'api', patience);
  return response !== null && !NOBODY_THERE.has(response.status);
}
