import type { Seconds } from '../../base/units';
import { ERRED, FLAGS_SHIFT, LABEL_MASK } from '../lanes/lane-chunk';
import type { Run } from '../run';
import type { RunningTask } from '../tables/running';
import { type OwnedRows, ownedRows, whose } from './owned-rows';
import { type Selection, selectionOf } from './selection';

/**
 * A selection in the numbers of one run, for loops over its executions.
 *
 * The dictionaries of the run are looked up once: a matcher is valid while {@link matchedState} of the run is the same. Names
 * that the run does not have match nothing, and so do rows of another run.
 */
export class Matcher {
  constructor(
    private readonly run: Run,
    selection: Selection
  ) {
    const { period, durations, erred, finished, workers, threads } = selection;
    this.from = period?.from ?? Number.NEGATIVE_INFINITY;
    this.to = period?.to ?? Number.POSITIVE_INFINITY;
    this.prefixes = prefixFlags(run, selection);
    this.rows = selection.rows === null ? null : new Set(selection.rows.run === run.identity ? selection.rows.numbers : []);
    this.owned = ownedRows(run, selection);
    this.least = durations?.least ?? 0;
    this.most = durations?.most ?? Number.POSITIVE_INFINITY;
    this.ended = erred || finished;
    this.mask = this.ended ? ERRED << FLAGS_SHIFT : 0;
    // No execution both raised and finished: the bits that both together ask for are never set.
    this.flags = erred ? this.mask | (finished ? -1 : 0) : 0;
    const all = this.prefixes === null && this.rows === null && this.owned === null;
    this.whole = all && durations === null && this.mask === 0;
    this.allLanes = threads === null && workers === null;
    this.addresses = workers === null ? null : new Set(workers);
    for (const { worker, thread } of threads ?? []) {
      this.threads ??= new Map();
      const own = this.threads.get(worker) ?? { numbers: new Set(), unused: 0 };
      this.threads.set(worker, own);
      if (thread === null) {
        own.unused += 1;
      } else {
        own.numbers.add(thread);
      }
    }
  }

  /** -Infinity without a period. */
  readonly from: Seconds;
  /** Infinity without a period. */
  readonly to: Seconds;
  /** Whether every lane is selected. */
  readonly allLanes: boolean;
  /** Whether every execution of the selected lanes and period is selected. */
  readonly whole: boolean;

  /** Whether a lane is selected. */
  lane(number: number): boolean {
    if (this.allLanes) {
      return true;
    }
    const [worker, thread] = this.run.laneNames[number] ?? [];
    const address = this.selectedAddress(worker);
    return (
      address !== undefined &&
      thread !== undefined &&
      (this.threads === null || (this.threads.get(address)?.numbers.has(thread) ?? false))
    );
  }

  /** Selected threads of a worker that have executed nothing, if it has as many; Infinity for all. */
  unused(worker: number): number {
    if (this.allLanes) {
      return Number.POSITIVE_INFINITY;
    }
    const address = this.selectedAddress(worker);
    if (address === undefined) {
      return 0;
    }
    return this.threads === null ? Number.POSITIVE_INFINITY : (this.threads.get(address)?.unused ?? 0);
  }

  /**
   * Whether an execution of a selected lane satisfies all conditions other than the period, or may satisfy them: see
   * `isDisputed`. The only place that decides this; called for each of a million executions.
   *
   * @param looks - label and flags, as in a chunk
   * @param row - below 0 for a task that runs
   */
  fits(looks: number, duration: Seconds, row: number): boolean {
    const { prefixes, rows, owned } = this;
    return (
      (prefixes === null || prefixes[looks & LABEL_MASK] === 1) &&
      (looks & this.mask) === this.flags &&
      duration >= this.least &&
      duration <= this.most &&
      (rows === null || rows.has(row)) &&
      (owned === null || whose(owned, row, looks & LABEL_MASK) !== 'other')
    );
  }

  /** The same for a task that runs; its lane is not known. */
  fitsRunning({ prefix, start }: Pick<RunningTask, 'prefix' | 'start'>, now: Seconds): boolean {
    return !this.ended && this.fits(prefix, Math.max(0, now - start), -1) && this.owned?.functions?.of(prefix, start) !== 'other';
  }

  private selectedAddress(worker: number | undefined): string | undefined {
    const address = worker === undefined ? undefined : this.run.workerNames[worker]?.address;
    return address !== undefined && (this.addresses?.has(address) ?? true) ? address : undefined;
  }

  /** By prefix id, 1 if selected; `null` if all are. Ids beyond its end are not selected. */
  private readonly prefixes: Uint8Array | null;
  /** Selected row numbers; `null` if all are. */
  private readonly rows: ReadonlySet<number> | null;
  /** Rows of the selected computation; `null` if all are selected. */
  private readonly owned: OwnedRows | null;
  /** Whether only executions with an outcome are selected, which a task that runs has not. */
  private readonly ended: boolean;
  /** Bits of the looks of an execution that are compared, and what they must be. */
  private readonly mask: number;
  private readonly flags: number;
  private readonly least: Seconds;
  private readonly most: Seconds;
  private readonly addresses: ReadonlySet<string> | null;
  /** Selected threads by the address of their worker; `null` if all are. */
  private threads: Map<string, { readonly numbers: Set<number>; unused: number }> | null = null;
}

function prefixFlags(run: Run, { functions }: Selection): Uint8Array | null {
  if (functions === null) {
    return null;
  }
  const names = new Set(functions);
  return Uint8Array.from(run.prefixNames, name => (names.has(name) ? 1 : 0));
}

const current = new WeakMap<Run, { readonly selection: Selection; readonly names: string; readonly matcher: Matcher }>();

/** What a matcher of a selection depends on in its run: dictionaries, and the rows of a computation. */
export function matchedState(run: Run, selection: Selection): string {
  const owned = ownedRows(run, selection);
  const { bounds = [], functions, end } = owned ?? {};
  const rows = owned === null ? '' : [bounds.length, bounds[bounds.length - 1], functions?.number, end].join(' ');
  return [run.identity, run.prefixNames.length, run.workerNames.length, run.laneNames.length, rows].join(' ');
}

/** The matcher of a run's current selection: the same one until that changes, or what it depends on. */
export function matcherOf(run: Run): Matcher {
  const selection = selectionOf(run).current;
  const names = matchedState(run, selection);
  const known = current.get(run);
  if (known?.selection === selection && known.names === names) {
    return known.matcher;
  }
  const matcher = new Matcher(run, selection);
  current.set(run, { selection, names, matcher });
  return matcher;
}
