import { ServerConnection, type ServiceManager } from '@jupyterlab/services';
import { fromBase64 } from '../../base/arrays';

/**
 * The bytes of a file in JupyterLab's file browser, on any drive.
 *
 * @throws Error with a message for users if there is no such file, or it cannot be read
 */
export async function readFile(services: ServiceManager.IManager, path: string): Promise<ArrayBuffer> {
  const { contents, serverSettings } = services;
  // Failures here are those of the fast way; that of the way below is reported.
  const url = await contents.getDownloadUrl(path).catch(() => null);
  if (url !== null) {
    const answer = await ServerConnection.makeRequest(url, { cache: 'no-store' }, serverSettings).catch(() => null);
    if (answer?.ok) {
      return answer.arrayBuffer();
    }
    if (answer?.status === 404) {
      throw new Error(`There is no file ${path}.`);
    }
  }
  // A drive without download URLs: read through its contents API, which takes more time and memory.
  const model = await contents.get(path, { type: 'file', format: 'base64', content: true });
  return fromBase64(String(model.content)).buffer;
}
