import { URLExt } from '@jupyterlab/coreutils';
import { ServerConnection } from '@jupyterlab/services';
import type { Milliseconds } from '../../base/units';

/** Statuses from a proxy when the server is not there: JupyterHub sends 424 (before 2.0: 503). */
const NOBODY_THERE = new Set([424, 502, 503, 504]);

/**
 * Whether the Jupyter server answers: one request for its version, which does not count as activity.
 *
 * @param patience - timeout
 */
export async function askServer(settings: ServerConnection.ISettings, patience: Milliseconds): Promise<boolean> {
  const url = `${URLExt.join(settings.baseUrl, 'api')}?no_track_activity=1`;
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), patience);
  try {
    const response = await ServerConnection.makeRequest(url, { method: 'GET', signal: abort.signal }, settings);
    return !NOBODY_THERE.has(response.status);
  } catch {
    // No network, no server, or no answer in time: the result is "no".
    return false;
  } finally {
    clearTimeout(timer);
  }
}
