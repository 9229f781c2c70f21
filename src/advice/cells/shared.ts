/** What card, sidebar and pane say of the newest work: they read it here, so that all of them have the same figures at a time. */
import type { Milliseconds, Seconds } from '../../base/units';
import type { Translate } from '../../plot/plot';
import type { Run } from '../../run/run';
import { advicePace } from '../shown';
import { type TopVerdict, topVerdictOf } from './top-verdict';

interface Shared {
  readonly found: TopVerdict;
  readonly print: string;
  readonly trans: Translate;
  readonly at: Milliseconds;
  /** Of the run's clock. */
  readonly latest: Seconds;
}

const shared = new WeakMap<Run, Shared>();

/** What was last said of a run; `null` if nothing was, or by a view that hides other causes. */
export function lastSharedOf(run: Run, hidden: ReadonlySet<string>, trans: Translate): TopVerdict | null {
  const last = shared.get(run);
  return last?.print === printOf(run, hidden) && last.trans === trans ? last.found : null;
}

function printOf({ identity }: Run, hidden: ReadonlySet<string>): string {
  return [identity, ...[...hidden].sort()].join();
}

/** Whether a run has gone on since something was said of it. */
export function isSharedLate(run: Run): boolean {
  return shared.get(run)?.latest !== run.clock.latest;
}

/**
 * What is said of the newest work: what another view has just said of a live run, else what is so now.
 *
 * @param now - time of the page
 */
export function sharedVerdictOf(run: Run, hidden: ReadonlySet<string>, trans: Translate, now: Milliseconds): TopVerdict {
  const before = shared.get(run);
  const isLive = Number.isNaN(run.anchor);
  // A view that draws at its own pace finds nothing as new as this, and says what is so now.
  const isNew = before !== undefined && Math.abs(now - before.at) < advicePace(run) / 2;
  if (isLive && isNew && lastSharedOf(run, hidden, trans) !== null) {
    return before.found;
  }
  const found = topVerdictOf(run, hidden, trans);
  shared.set(run, { found, print: printOf(run, hidden), trans, at: now, latest: run.clock.latest });
  return found;
}
