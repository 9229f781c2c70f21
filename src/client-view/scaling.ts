/** Scale and Adapt on a card: a dialog, and a request to the kernel of the cluster. */
import { formatCount } from '../base/format';
import { countOf, listOf, mapOf } from '../base/untrusted';
import { actToEnd } from '../clients/act-to-end';
import { MOST_WORKERS } from '../panes/forms/count';
import { askForScale, type Scale } from '../panes/forms/scale-dialog';
import type { Scaling } from '../panes/forms/scaled-memory';
import type { Translate } from '../plot/plot';
import type { CardButton } from './card';
import type { HeldCluster, ScalableCluster } from './cluster';

/** Called with a message for users while an action goes on longer than expected. */
export type Late = (message: string) => void;

/**
 * The button that scales a cluster, or says why it cannot.
 *
 * @param attempt - runs the action and shows its result
 */
export function scaleButton(
  cluster: ScalableCluster,
  attempt: (action: (late: Late) => Promise<string>) => void,
  trans: Translate
): CardButton {
  return {
    label: trans.__('Scale / Adapt…'),
    title: trans.__('Ask the cluster for workers, or let Dask choose their number'),
    refusal: cluster.refusal,
    run: () => attempt(late => scaleCluster(cluster, trans, late))
  };
}

/**
 * Ask for the number of workers of a cluster, and apply it.
 *
 * @returns a message about the result; '' if cancelled
 * @throws Error with a message for users
 */
export async function scaleCluster({ kernel, target, name }: HeldCluster, trans: Translate, late: Late): Promise<string> {
  const now = readScaling(await kernel.act({ name: 'scaling', target, args: {} }));
  const scale = await askForScale(name, now, MOST_WORKERS, trans);
  if (scale === null) {
    return '';
  }
  await actToEnd(kernel, { name: 'workers' in scale ? 'scale' : 'adapt', target, args: { ...scale } }, late);
  return sentence(scale, trans);
}

function sentence(scale: Scale, trans: Translate): string {
  return 'workers' in scale
    ? trans._n(
        'The cluster was asked for 1 worker.',
        'The cluster was asked for %2 workers.',
        scale.workers,
        formatCount(scale.workers)
      )
    : trans.__('Dask chooses the number of workers by the load, from %1 to %2.', scale.minimum, scale.maximum);
}

/** A kernel's report of a cluster; untrusted. */
export function readScaling(value: unknown): Scaling {
  const map = mapOf(value);
  const [least, most, ...others] = listOf(map.adaptive).map(countOf);
  return {
    workers: countOf(map.workers),
    asked: countOf(map.asked),
    adaptive: most === undefined || others.length > 0 ? null : [least, most],
    memory: countOf(map.memory),
    machine: countOf(map.machine),
    grouped: map.grouped === true
  };
}
