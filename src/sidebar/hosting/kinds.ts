/** The kinds of clusters that Dask's configuration names, as kernels tell them. */
import type { Milliseconds } from '../../base/units';
import type { Clients } from '../../clients/model';
import type { ClusterKinds } from '../../feed/kernel/kernel-channel';

/** Where no kernel has told anything. */
export const NO_KINDS: ClusterKinds = { factory: '', presets: [], initial: [] };

/** How long a form waits for kernels, which may be busy. */
const PATIENCE: Milliseconds = 1_000;

/** The kinds of clusters that the kernels of this window know, each by the first that tells it. */
export async function clusterKinds(clients: Clients): Promise<ClusterKinds> {
  const ready = clients.kernels.filter(({ kind, state }) => kind !== 'recording' && state === 'ready');
  const late = new Promise<null>(resolve => setTimeout(() => resolve(null), PATIENCE));
  const answers = await Promise.all(ready.map(kernel => Promise.race([kernel.options().catch(() => null), late])));
  const found = answers.flatMap(options => (options ? [options.clusters] : []));
  const presets = new Map(found.flatMap(kinds => kinds.presets).map(preset => [preset.name, preset]));
  return { ...(found[0] ?? NO_KINDS), presets: [...presets.values()] };
}
