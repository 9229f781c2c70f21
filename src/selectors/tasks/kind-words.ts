import { KIND, type Kind } from '../../feed/schema';
import type { Translate } from '../../plot/plot';

/** Names of a thread's activities in the interface. */
export function kindWord(kind: Kind, trans: Translate): string {
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
export function anyKindWord(kind: string | undefined, trans: Translate): string {
  const known = KIND.find(each => each === kind);
  return known === undefined ? trans.__('unknown') : kindWord(known, trans);
}
