/** State that a view saves with its pane, where panes pass from one client to another. */
import type { ClientInfo } from '../feed/kernel/kernel-channel';
import type { ViewHost } from '../views/view';

type Saved = ViewHost['saved'];
type Scheduler = Pick<ClientInfo, 'key' | 'scheduler'>;
type Shown = { readonly info: Scheduler } | null;

/**
 * Whether it was saved for a picture of another scheduler: after a reload, one may be shown until that of the own scheduler is
 * there.
 */
function isOfOther({ of }: Saved, { key, scheduler }: Scheduler): boolean {
  return typeof of === 'string' && of !== scheduler && of !== key;
}

/** What was saved and applies to the shown client: what was selected on another scheduler does not. */
export function savedFor(saved: Saved, shown: Shown): Saved {
  const { selection, ...others } = saved;
  return selection !== undefined && shown !== null && isOfOther(saved, shown.info) ? others : saved;
}

/**
 * What is kept once the view of a client has saved its state: `of` is the id of its scheduler, or its key. What was selected on
 * another scheduler waits for that, unless something is selected here.
 *
 * @param before - what was kept
 */
export function withSaved(before: Saved, saved: Saved, shown: Shown): Saved {
  const { selection, of = '' } = before;
  if (shown === null) {
    return saved;
  }
  const waits = Boolean(selection) && isOfOther(before, shown.info) && !('selection' in saved);
  return waits ? { ...saved, selection, of } : { ...saved, of: shown.info.scheduler || shown.info.key };
}

/**
 * What is kept once another client is shown: a picture of another scheduler has another time axis and other rows.
 *
 * @param before - the client that was shown
 */
export function withClient(saved: Saved, before: Scheduler, shown: Shown): Saved {
  const same = before.scheduler ? before.scheduler === shown?.info.scheduler : false;
  return same || isOfOther(saved, before) ? saved : {};
}
