/** Scale and Adapt in the menu of a client, as on its card. */
import { Notification } from '@jupyterlab/apputils';
import type { Settings } from '../../base/jupyter/settings';
import { clusterOf } from '../../client-view/cluster';
import { scaleCluster } from '../../client-view/scaling';
import type { Clients } from '../../clients/model';
import { showEnd } from '../../panes/actions/result';
import type { Translate } from '../../plot/plot';
import type { ViewAction } from '../../views/view';

/** What says whether a cluster can be scaled. */
interface Known {
  readonly clients: Pick<Clients, 'kernels'>;
  readonly parts: { readonly settings: Pick<Settings, 'values'> };
}

/**
 * The action that scales the cluster of a client, with why it is not possible now; none where the kernel has no cluster that can be
 * scaled, or actions are switched off.
 *
 * @param scale - asks for the number of workers and applies it
 */
export function scaleActions(
  { clients, parts }: Known,
  { path, key }: { readonly path: string; readonly key: string },
  trans: Translate,
  scale = scaleCluster
): readonly ViewAction[] {
  const kernel = clients.kernels.find(entry => entry.path === path);
  const info = kernel?.clients.find(client => client.key === key);
  const offered = parts.settings.values.actions && kernel && info && info.status !== 'closed';
  const held = offered ? clusterOf(kernel, info, trans) : null;
  if (held === null) {
    return [];
  }
  const { refusal, ...cluster } = held;
  const run = (): Promise<boolean> => {
    let id = '';
    const late = (message: string): void => {
      if (id === '') {
        id = Notification.emit(message, 'in-progress', { autoClose: false });
      } else {
        Notification.update({ id, message });
      }
    };
    return showEnd(
      () => scale(cluster, trans, late),
      () => id
    );
  };
  return [{ label: trans.__('Scale / Adapt…'), refusal, run: () => void run() }];
}
