import type { Kernel } from '@jupyterlab/services';
import type { Milliseconds } from '../../base/units';
import { mapOf } from '../../base/untrusted';
import { askKernel, Refusal } from './ask-kernel';
import { readServer } from './ask-server';

/** An answer over the silent connection may take this much longer than one over the other. */
const GRACE: Milliseconds = 500;

/**
 * Whether a kernel can be reached over another connection while nothing arrives over this one: the websocket is dead, or
 * something large holds it up.
 *
 * @param patience - timeout of each step
 */
export async function answersElsewhere(kernel: Kernel.IKernelConnection, patience: Milliseconds): Promise<boolean> {
  let heard = false;
  const listen = (_: unknown, { direction }: Kernel.IAnyMessageArgs): void => {
    heard ||= direction === 'recv';
  };
  kernel.anyMessage.connect(listen);
  try {
    const connections = await connectionsOf(kernel, patience);
    if (connections === 0) {
      // The server has dropped this connection and keeps messages for it. Another one would make it forget them.
      return !heard;
    }
    if (connections === null || !(await answersAnother(kernel, patience))) {
      return false;
    }
    await new Promise(resolve => setTimeout(resolve, GRACE));
    return !heard;
  } finally {
    kernel.anyMessage.disconnect(listen);
  }
}

/** How many websockets of a kernel the server has; `null` if it does not say. */
async function connectionsOf({ id, serverSettings }: Kernel.IKernelConnection, patience: Milliseconds): Promise<number | null> {
  const response = await readServer(serverSettings, `api/kernels/${encodeURIComponent(id)}`, patience);
  const { connections } = mapOf(response?.ok ? await response.json().catch(() => null) : null);
  return typeof connections === 'number' ? connections : null;
}

async function answersAnother(kernel: Kernel.IKernelConnection, patience: Milliseconds): Promise<boolean> {
  const other = kernel.clone({ handleComms: false });
  try {
    await askKernel(other, 'hello', {}, patience).reply;
    return true;
  } catch (error) {
    return error instanceof Refusal;
  } finally {
    other.dispose();
  }
}
