import type { ClientInfo } from '../feed/kernel/kernel-channel';
import type { Actor } from '../panes/actions/actor';
import { openClusterMenu } from '../panes/actions/items';
import type { Translate } from '../plot/plot';
import type { CardButton } from './card';

/** The button of a card with the actions on its cluster; none without a client that a kernel reports. */
export function clusterActions(
  actor: Actor | null,
  named: { readonly path: string; readonly info: ClientInfo } | null,
  trans: Translate
): CardButton[] {
  if (actor === null || named === null || named.info.kind === 'local' || named.info.status === 'closed') {
    return [];
  }
  const { path, info } = named;
  return [
    {
      label: trans.__('Actions'),
      title: trans.__('Restart the cluster, or trim the memory of its workers'),
      refusal: actor.refusal(path, info.key),
      menu: true,
      run: button => openClusterMenu(actor, { path, key: info.key }, trans, button)
    }
  ];
}
