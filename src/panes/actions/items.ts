/** The actions that are offered for something, as buttons and as a menu. */
import type { MenuItem } from '../../plot-frame/menu-item';
import type { Translate } from '../../plot/plot';
import type { Subject } from '../../plot/tooltip';
import type { ViewAction, ViewActions } from '../../views/view';
import { type MenuPlace, openMenu } from '../pane/menu';
import type { Actor } from './actor';
import type { ActionName } from './client-action';

type Named = readonly [name: ActionName, label: string];

/** States of tasks that can be cancelled. */
const PENDING: readonly string[] = ['waiting', 'processing', 'queued', 'no-worker'];

/** The actions that fit a subject, or the whole cluster. */
function fitting(subject: Subject | null, trans: Translate): readonly Named[] {
  switch (subject?.kind) {
    case undefined:
      return [
        ['trim', trans.__('Trim memory of all workers…')],
        ['restart', trans.__('Restart the cluster…')]
      ];
    case 'worker':
      return [
        ['retire', trans.__('Retire worker…')],
        ['restart-worker', trans.__('Restart worker…')],
        ['trim', trans.__('Trim memory…')]
      ];
    case 'function':
      return [
        ['cancel', trans.__('Cancel tasks…')],
        ['retry', trans.__('Retry erred tasks…')]
      ];
    case 'task':
      return PENDING.includes(subject.state ?? '')
        ? [['cancel', trans.__('Cancel task…')]]
        : subject.state === 'erred'
          ? [['retry', trans.__('Retry task…')]]
          : [];
  }
}

/** The actions for a subject of a client's cluster, each with why it is not possible now. */
export function actionsOf(
  actor: Actor,
  client: { readonly path: string; readonly key: string },
  subject: Subject | null,
  trans: Translate
): readonly ViewAction[] {
  const { path, key } = client;
  const refusal = actor.refusal(path, key);
  return fitting(subject, trans).map(([name, label]) => ({
    label,
    refusal,
    run: () => void actor.run({ name, path, client: key, subject })
  }));
}

/** Actions as menu items; if they are not possible now, the reason stands above them. */
export function actionItems(actions: readonly ViewAction[]): readonly (MenuItem | null)[] {
  const refusal = actions.find(action => action.refusal !== '')?.refusal ?? '';
  const items = actions.map(({ label, refusal: reason, run }) => ({ label, enabled: reason === '', run }));
  return refusal === '' ? items : [{ label: refusal, enabled: false, run: () => undefined }, null, ...items];
}

/** Open a menu of the actions on the whole cluster of a client. */
export function openClusterMenu(
  actor: Actor,
  client: { readonly path: string; readonly key: string },
  trans: Translate,
  anchor: HTMLElement,
  place?: MenuPlace
): void {
  openMenu(actionItems(actionsOf(actor, client, null, trans)), anchor, place);
}

/** The actions of one client for a view. */
export function viewActions(
  actor: Actor,
  client: { readonly path: string; readonly key: string },
  trans: Translate
): ViewActions {
  const of = (subject: Subject): readonly ViewAction[] => actionsOf(actor, client, subject, trans);
  return {
    of,
    open: (subject: Subject, anchor: HTMLElement, place?: MenuPlace) => {
      const actions = of(subject);
      if (actions.length > 0) {
        openMenu(actionItems(actions), anchor, place);
      }
    }
  };
}
