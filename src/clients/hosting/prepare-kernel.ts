import type { Kernel } from '@jupyterlab/services';
import type { Milliseconds } from '../../base/units';
import { IPYKERNEL } from '../kernels/kernel-language';
import { StartFailure, type StartTrouble } from './model';

/** A kernel that has not started after this long never will. */
const KERNEL_PATIENCE: Milliseconds = 60_000;

/** The only line needed to make a kernel a host; of dask and distributed it imports only Dask's configuration. */
const HOST_LINE = 'import dask_panes.clusters.host as _dask_panes; _dask_panes.serve(); del _dask_panes';

/** Terminal escape sequences, with which IPython colours tracebacks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what begins them
const COLOURS = /\u001b\[[0-9;]*m/g;

/**
 * Prepare a new kernel to host a cluster. If its environment lacks dask_panes, the bridge is sent to it.
 *
 * @throws StartFailure
 */
export async function prepareKernel(kernel: Kernel.IKernelConnection): Promise<void> {
  await cameUp(kernel);
  if ((await kernel.info).implementation !== IPYKERNEL) {
    throw new StartFailure('language', '', (await kernel.spec)?.display_name ?? kernel.name);
  }
  const first = await run(kernel, HOST_LINE);
  if (first === null) {
    return;
  }
  if (!(first.name === 'ModuleNotFoundError' && /'dask_panes/.test(first.value))) {
    throw new StartFailure('line', first.traceback);
  }
  const { addBridgeCode } = await import('../../feed/bridge-source');
  const second = (await run(kernel, addBridgeCode())) ?? (await run(kernel, HOST_LINE));
  if (second !== null) {
    throw new StartFailure('line', second.traceback);
  }
}

function cameUp(kernel: Kernel.IKernelConnection): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      kernel.statusChanged.disconnect(onStatus);
      kernel.disposed.disconnect(onGone);
      act();
    };
    const fail = (why: StartTrouble, detail = ''): void => settle(() => reject(new StartFailure(why, '', detail)));
    const onGone = (): void => fail('ended');
    const onStatus = (_: unknown, status: Kernel.Status): void => {
      if (status === 'dead' || status === 'autorestarting') {
        fail('died');
      }
    };
    const timer = setTimeout(() => fail('slow', String(KERNEL_PATIENCE / 1000)), KERNEL_PATIENCE);
    kernel.statusChanged.connect(onStatus);
    kernel.disposed.connect(onGone);
    kernel.info.then(() => settle(resolve), onGone);
  });
}

interface PythonError {
  readonly name: string;
  readonly value: string;
  readonly traceback: string;
}

/** Run code silently; returns `null` on success. */
async function run(kernel: Kernel.IKernelConnection, code: string): Promise<PythonError | null> {
  const future = kernel.requestExecute({ code, silent: true, store_history: false, stop_on_error: false, allow_stdin: false });
  const { content } = await future.done;
  switch (content.status) {
    case 'ok':
      return null;
    case 'error':
      return {
        name: content.ename,
        value: content.evalue,
        traceback: content.traceback.join('\n').replace(COLOURS, '')
      };
    default:
      return { name: 'Aborted', value: '', traceback: 'The kernel gave up the line that was to make it a host.' };
  }
}
