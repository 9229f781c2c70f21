import type { Seconds } from '../../base/units';
import type { Run } from '../run';
import type { Selection } from './selection';

/** A selection in the numbers of one run, for loops over its executions. */
export interface Matcher {
  /** -Infinity without a period. */
  readonly from: Seconds;
  /** Infinity without a period. */
  readonly to: Seconds;
  /** Whether every lane is selected. */
  readonly allLanes: boolean;
  /** Whether a lane is selected. */
  lane(number: number): boolean;
  /** By prefix id, 1 if selected; `null` if all are. Ids beyond its end are not selected. */
  readonly prefixes: Uint8Array | null;
  /** Selected row numbers; `null` if all are. */
  readonly rows: ReadonlySet<number> | null;
  /** Only executions that raised an exception. */
  readonly erred: boolean;
  /** Whether every execution of the selected lanes and period is selected. */
  readonly whole: boolean;
}

/**
 * Look up the names of a selection in the dictionaries of a run. The result is valid until one of these grows or the run
 * starts over. Names that the run does not have match nothing, and so do rows of another run.
 */
export function matcherOf(run: Run, selection: Selection): Matcher {
  const { period, erred } = selection;
  const prefixes = prefixFlags(run, selection);
  const rows = selection.rows === null ? null : new Set(selection.rows.run === run.identity ? selection.rows.numbers : []);
  return {
    from: period?.from ?? Number.NEGATIVE_INFINITY,
    to: period?.to ?? Number.POSITIVE_INFINITY,
    allLanes: selection.threads === null && selection.workers === null,
    lane: laneTest(run, selection),
    prefixes,
    rows,
    erred,
    whole: prefixes === null && rows === null && !erred
  };
}

function prefixFlags(run: Run, { functions }: Selection): Uint8Array | null {
  if (functions === null) {
    return null;
  }
  const names = new Set(functions);
  return Uint8Array.from(run.prefixNames, name => (names.has(name) ? 1 : 0));
}

function laneTest(run: Run, { threads, workers }: Selection): Matcher['lane'] {
  if (threads === null && workers === null) {
    return () => true;
  }
  const addresses = workers === null ? null : new Set(workers);
  const byWorker = threads === null ? null : new Map<string, Set<number>>();
  for (const { worker, thread } of threads ?? []) {
    byWorker?.set(worker, (byWorker.get(worker) ?? new Set()).add(thread));
  }
  return number => {
    const [worker, thread] = run.laneNames[number] ?? [];
    const address = worker === undefined ? undefined : run.workerNames[worker]?.address;
    return (
      address !== undefined &&
      thread !== undefined &&
      (addresses?.has(address) ?? true) &&
      (byWorker?.get(address)?.has(thread) ?? byWorker === null)
    );
  };
}
