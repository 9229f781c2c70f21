/** The actions that are offered for something, as buttons and as a menu. */
import type { MenuItem } from '../../plot-frame/menu-item';
import type { Plot, Translate } from '../../plot/plot';
import { cutMiddle, oneLine } from '../../plot/text';
import type { Subject } from '../../plot/tooltip';
import type { Run } from '../../run/run';
import { selectionOf } from '../../run/selection/selection';
import { conditionsFor, isPicked } from '../../selectors/selection/picked';
import { UNFINISHED_COLUMNS, UNFINISHED_STATES } from '../../selectors/tasks/unfinished';
import { allWorkers, isLeaving } from '../../selectors/workers/worker-rows';
import type { ViewAction, ViewActions } from '../../views/view';
import { type MenuPlace, openMenu } from '../pane/menu';
import type { Actor } from './actor';
import type { ActionName } from './client-action';

type Named = readonly [name: ActionName, label: string];

/** Longest name of a function in a menu, in characters. */
const NAME_LIMIT = 40;

/** What is known of a subject at this moment. */
interface Standing {
  /** Of a function: whether some of its tasks may not have ended. */
  readonly pending: boolean;
  /** Of a function: whether some of its tasks may be erred. */
  readonly erred: boolean;
  /** Of a worker: whether it retires or closes, which is neither to be asked for again nor to be interrupted. */
  readonly leaving: boolean;
}

/** The actions that fit a subject, or the whole cluster. */
function fitting(subject: Subject | null, trans: Translate, { pending, erred, leaving }: Standing): readonly Named[] {
  switch (subject?.kind) {
    case undefined:
      return [
        ['trim', trans.__('Trim memory of all workers…')],
        ['restart', trans.__('Restart the cluster…')]
      ];
    case 'worker':
      return [
        ...(leaving
          ? []
          : ([
              ['retire', trans.__('Retire worker…')],
              ['restart-worker', trans.__('Restart worker…')]
            ] as const)),
        ['trim', trans.__('Trim memory…')]
      ];
    case 'workers':
      return [];
    case 'function':
      return [
        ...(pending ? [['cancel', trans.__('Cancel tasks…')] as const] : []),
        ...(erred ? [['retry', trans.__('Retry erred tasks…')] as const] : [])
      ];
    case 'task':
      return UNFINISHED_STATES.some(state => state === subject.state)
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
  trans: Translate,
  standing: Standing = { pending: true, erred: true, leaving: false }
): readonly ViewAction[] {
  const { path, key } = client;
  const refusal = actor.refusal(path, key);
  return fitting(subject, trans, standing).map(([name, label]) => ({
    label,
    refusal,
    run: () => void actor.run({ name, path, client: key, subject })
  }));
}

/** The actions that a plot offers on the cluster of a client. */
export function offeredActions(
  actor: Actor,
  { path, key: client }: { readonly path: string; readonly key: string },
  offer: Plot['offers'],
  trans: Translate
): readonly ViewAction[] {
  const run = (): void => void actor.run({ name: 'benchmark', path, client, subject: null });
  return offer === undefined ? [] : [{ label: trans.__('Measure hardware…'), refusal: actor.refusal(path, client), run }];
}

/** Actions as menu items; if they are not possible now, the reason is above them. */
export function actionItems(actions: readonly ViewAction[]): readonly (MenuItem | null)[] {
  const refusal = actions.find(action => action.refusal !== '')?.refusal ?? '';
  const items = actions.map(({ label, refusal: reason, run }) => ({ label, enabled: reason === '', run }));
  return refusal === '' ? items : [{ label: refusal, enabled: false, run: () => undefined }, null, ...items];
}

/**
 * Open a menu of the actions on the whole cluster of a client.
 *
 * @param first - other actions, above them
 */
export function openClusterMenu(
  actor: Actor,
  client: { readonly path: string; readonly key: string },
  trans: Translate,
  anchor: HTMLElement,
  place?: MenuPlace,
  first: readonly ViewAction[] = []
): void {
  openMenu(actionItems([...first, ...actionsOf(actor, client, null, trans)]), anchor, place);
}

/** Tasks of a function may be pending or erred unless the scheduler counts none. */
function standingOf(run: Run, subject: Subject): Standing {
  const prefix = subject.kind === 'function' ? run.prefixNames.indexOf(subject.prefix) : -1;
  return {
    pending: UNFINISHED_COLUMNS.some(state => run.prefixes.get(prefix, state) !== 0),
    erred: run.prefixes.get(prefix, 'erred') !== 0,
    leaving: subject.kind === 'worker' && allWorkers(run).some(row => row.address === subject.address && isLeaving(row))
  };
}

/**
 * What a view of a run offers for a subject: to select its tasks in all views of the run, and actions on its cluster.
 *
 * @param client - where the client is at the time of the call: its notebook may be renamed
 * @param shown - what the view draws: while paused, it may be of an earlier scheduler, whose tasks and workers the cluster
 *   of the client does not know, or knows others by their names
 */
export function viewActions(
  actor: Actor,
  client: () => { readonly path: string; readonly key: string },
  run: Run,
  shown: () => Run,
  trans: Translate
): ViewActions {
  const ended = (): boolean => shown().identity !== run.identity;
  const acting = (subject: Subject): readonly ViewAction[] =>
    actionsOf(actor, client(), subject, trans, standingOf(run, subject));
  return {
    // A click that pins has selected already what it is about.
    of: subject =>
      ended() ? [] : [...(isPicked(selectionOf(run).current, subject) ? [] : selecting(subject, run, trans)), ...acting(subject)],
    open: (subject: Subject, anchor: HTMLElement, place?: MenuPlace) => {
      const groups = ended() ? [] : [selecting(subject, run, trans), acting(subject)].filter(group => group.length > 0);
      if (groups.length > 0) {
        openMenu(
          groups.flatMap((group, i) => [...(i > 0 ? [null] : []), ...actionItems(group)]),
          anchor,
          place
        );
      }
      return groups.length > 0;
    }
  };
}

/** The run's selection knows a single task by its executions only, so there is none for tasks. */
function selecting(subject: Subject, run: Run, trans: Translate): readonly ViewAction[] {
  const conditions = conditionsFor(subject);
  const label =
    subject.kind === 'function'
      ? trans.__('Select all tasks of %1 in all panes', cutMiddle(oneLine(subject.prefix), NAME_LIMIT))
      : trans.__('Select its tasks in all panes');
  return conditions === null ? [] : [{ label, refusal: '', run: () => selectionOf(run).select(conditions) }];
}
