import type { Kind } from '../../feed/schema';
import type { Translate } from '../../plot/plot';

/** Names of a thread's activities in the interface. */
export function kindWord(kind: Kind, trans: Translate): string {
  const words: Readonly<Record<Kind, string>> = {
    compute: trans('compute'),
    transfer: trans('transfer'),
    'disk-read': trans('disk read'),
    'disk-write': trans('disk write'),
    deserialize: trans('deserialize')
  };
  return words[kind];
}
