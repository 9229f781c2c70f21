/** How the bridge gets to run in a kernel: all that this extension executes there by itself or on request. */
import type { Kernel } from '@jupyterlab/services';

/**
 * The only line that the extension executes, silently, in a kernel that may have the bridge: it imports neither dask
 * nor distributed, and does nothing if the bridge is missing.
 */
export const ACTIVATE_LINE =
  'try:\n    import dask_panes.kernel.activate as _dask_panes; _dask_panes.install(); del _dask_panes\nexcept ImportError:\n    pass';

/**
 * Send the bridge to a kernel without it: nothing is installed, and nothing is left in the namespace of the user.
 *
 * @param connection - gives the connection in use; `null` if there is none
 * @throws Error with a message for users if the kernel cannot take it
 */
export async function sendBridge(connection: () => Kernel.IKernelConnection | null): Promise<void> {
  const { addBridgeCode } = await import('../../bridge-source');
  const kernel = connection();
  if (kernel === null) {
    throw new Error('The connection to the kernel is closed.');
  }
  const future = kernel.requestExecute({ code: addBridgeCode(), silent: true, store_history: false });
  const reply = await future.done;
  if (reply.content.status !== 'ok') {
    const value = reply.content.status === 'error' ? reply.content.evalue : 'the kernel aborted it';
    throw new Error(`The bridge could not be added: ${value}`);
  }
}
