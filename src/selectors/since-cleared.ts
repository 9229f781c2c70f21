/** Words for sums that begin where the user has cleared what was before. */
import type { EmptyText, PlotContext, TitlePart, Translate } from '../plot/plot';
import { clearedOf } from '../run/cleared';
import type { Run } from '../run/run';
import { clockAt } from './moments';

/** When the user cleared what was before; `null` if the sums are of all of the run. */
export function clearedAt(run: Run, { cleared }: Pick<PlotContext, 'cleared'>): number | null {
  return clearedOf(run, cleared)?.before ?? null;
}

/** "since 12:03:04", for a title; nothing if nothing is cleared. */
export function sinceTitle(run: Run, context: PlotContext): readonly TitlePart[] {
  const at = clearedAt(run, context);
  return at === null ? [] : [{ text: context.trans.__('since %1', clockAt(at, run)) }];
}

/** The note on when sums begin; what they begin with is in the title where the user chose it. */
export function sinceNotes(run: Run, context: PlotContext, otherwise: string): readonly string[] {
  return clearedAt(run, context) === null ? [otherwise] : [];
}

/** A summary of sums, with when they begin if the user chose it. */
export function sinceSummary(run: Run, context: PlotContext, words: string): string {
  const at = clearedAt(run, context);
  return at === null ? words : context.trans.__('Since %1: %2', clockAt(at, run), words);
}

/** Why there is nothing: all that was there is cleared. `null` if nothing is cleared. */
export function nothingSince(run: Run, context: PlotContext): EmptyText | null {
  const at = clearedAt(run, context);
  return at === null
    ? null
    : {
        head: context.trans.__('Nothing since %1.', clockAt(at, run)),
        body: context.trans.__('What was before is cleared in this pane. Its menu has: Show cleared history again.'),
        awaited: true
      };
}

/**
 * Why there is nothing although tasks have run: a restart of the cluster clears what its scheduler has counted. `null` if that
 * is not so; a newer collector goes on with what there was.
 */
export function nothingSinceRestart(run: Run, trans: Translate): EmptyText | null {
  return run.hasStartedOver && run.tasks.kept > 0
    ? {
        head: trans.__('Nothing since the cluster was restarted.'),
        body: trans.__(
          'A restart clears what the scheduler has counted. The task stream, Tasks and Computations show what was before.'
        ),
        awaited: true
      }
    : null;
}
