import type { Seconds } from '../../base/units';
import { KIND, type Kind } from '../../feed/schema';
import type { Translate } from '../../plot/plot';
import type { Run } from '../../run/run';
import { neverSpilled } from './never-spilled';

/** Names of a thread's activities in the interface. */
function kindWord(kind: Kind, trans: Translate): string {
  const words: Readonly<Record<Kind, string>> = {
    compute: trans.__('compute'),
    transfer: trans.__('transfer'),
    'disk-read': trans.__('disk read'),
    'disk-write': trans.__('disk write'),
    deserialize: trans.__('deserialize')
  };
  return words[kind];
}

/** The name of an activity that a cluster reported, which may be newer than this list. */
export function anyKindWord(run: Run, kind: string | undefined, trans: Translate): string {
  const known = KIND.find(each => each === kind);
  return known === undefined ? trans.__('unknown') : actionWord(run, known, trans);
}

/** Time of what Dask counts as disk, as a heading. */
export function diskWord(run: Run, trans: Translate): string {
  return neverSpilled(run) ? trans.__('Get or store data') : trans.__('Disk');
}

/** The same for what a run did: nothing is called disk where no worker was seen to have results on it. */
export function actionWord(run: Run, kind: Kind, trans: Translate): string {
  if ((kind === 'disk-read' || kind === 'disk-write') && neverSpilled(run)) {
    return kind === 'disk-read' ? trans.__('get data') : trans.__('store data');
  }
  return kindWord(kind, trans);
}

/** Whether a time of an action is known: newer versions of Dask do not measure deserializing, so its zero may be wrong. */
export function isMeasured(kind: Kind, seconds: Seconds): boolean {
  return kind !== 'deserialize' || seconds > 0;
}
