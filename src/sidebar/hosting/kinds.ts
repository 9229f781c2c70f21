/** The kinds of clusters that Dask's configuration names, as kernels report them. */
import type { Kernel } from '@jupyterlab/services';
import type { Milliseconds } from '../../base/units';
import { prepareKernel } from '../../clients/hosting/prepare-kernel';
import type { Clients } from '../../clients/model';
import { askKernel } from '../../feed/kernel/ask-kernel';
import type { ClusterKinds, KernelOptions } from '../../feed/kernel/kernel-channel';
import { parseOptions } from '../../feed/kernel/parse-options';

/** Where no kernel has reported anything. */
export const NO_KINDS: ClusterKinds = { factory: '', presets: [], unlisted: 0, initial: [] };

/** How long kernels that know are waited for; they may be busy. */
const PATIENCE: Milliseconds = 1_000;
/** A kernel that has just imported Dask answers slowly. */
const LONG_PATIENCE: Milliseconds = 30_000;

/**
 * The kinds of clusters that the kernels of this window know, each by the first that reports it. If none has imported Dask, one
 * of them lets another process of its environment read the configuration.
 *
 * @param path - of the session whose kernel is preferred then
 */
export async function clusterKinds(clients: Pick<Clients, 'kernels'>, path = ''): Promise<ClusterKinds> {
  const ready = clients.kernels.filter(({ kind, state }) => kind !== 'recording' && state === 'ready');
  const late = new Promise<null>(resolve => setTimeout(() => resolve(null), PATIENCE));
  // The form works without the suggestions of a kernel that is busy, refuses or ends.
  const answers = await Promise.all(ready.map(kernel => Promise.race([kernel.options().catch(() => null), late])));
  const known = answers.filter(options => options !== null);
  const reader = ready.find(kernel => kernel.path === path) ?? ready[0];
  const read = known.length === 0 ? await reader?.options(true).catch(() => null) : null;
  return mergedKinds([...known, ...(read ? [read] : [])].map(({ clusters }) => clusters));
}

/** Kinds of several kernels: the factory of the first, and each preset once. */
function mergedKinds(found: readonly ClusterKinds[]): ClusterKinds {
  const presets = new Map<string, ClusterKinds['presets'][number]>();
  for (const preset of found.flatMap(kinds => kinds.presets)) {
    if (!presets.has(preset.name)) {
      presets.set(preset.name, preset);
    }
  }
  const unlisted = Math.max(0, ...found.map(kinds => kinds.unlisted));
  return { ...(found[0] ?? NO_KINDS), presets: [...presets.values()], unlisted };
}

/**
 * Let a new kernel of a kernel spec read Dask's configuration; it ends at once.
 *
 * @returns `null` if it reported nothing
 * @throws Error with a message for users
 */
export async function readConfiguration(kernels: Kernel.IManager, spec: string): Promise<KernelOptions | null> {
  const kernel = await kernels.startNew({ name: spec }, { handleComms: false });
  try {
    await prepareKernel(kernel);
    const { value } = await askKernel(kernel, 'options', {}, LONG_PATIENCE).reply;
    return parseOptions(value);
  } finally {
    // What it reported, or why it did not, is said in any case.
    await kernel.shutdown().catch((error: unknown) => console.warn('dask-panes:', error));
    kernel.dispose();
  }
}
