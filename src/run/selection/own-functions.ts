/** Whose a task is by its function: while it runs, and until it is known whose its execution was. */
import type { Seconds } from '../../base/units';
import type { Run } from '../run';
import { type Computation, type ComputationFunction, isDivided } from '../tables/computations';

/** Whether a task is one of a computation: `unknown` if it may be. */
export type Whose = 'own' | 'other' | 'unknown';

let next = 0;

/** Functions of one computation, and of the others that are kept, by what is left of them. */
export class OwnFunctions {
  constructor({ computations }: Run, computation: Computation) {
    const { id, values } = computation;
    const shares = computations.functionsOf(id);
    this.whole = isDivided(computation, shares);
    this.isActive = values.left > 0;
    this.since = values.since;
    for (const { prefix, left } of shares) {
      this.all.add(prefix);
      if (left > 0) {
        this.left.add(prefix);
      }
    }
    if (computations.unkept > 0) {
      // Others are in progress of which nothing is known.
      this.isAlone = false;
      this.othersAreWhole = false;
    }
    for (const other of computations.list) {
      if (other.id !== id) {
        this.compare(other, computations.functionsOf(other.id));
      }
    }
  }

  /** Another number than that of functions which answer otherwise. */
  readonly number = next++;

  /** Whether the computation has tasks left. */
  readonly isActive: boolean;

  /**
   * Whose a task of a function is, which runs or has ended since the newest computations arrived.
   *
   * @param start - when it began, if that is known
   */
  of(prefix: number, start: Seconds = Number.POSITIVE_INFINITY): Whose {
    if (!this.isActive || start < this.since) {
      return 'other';
    }
    const isOfOthers = this.leftOfOthers.has(prefix);
    if (this.left.has(prefix)) {
      return isOfOthers || !this.othersAreWhole ? 'unknown' : 'own';
    }
    if (this.whole && (isOfOthers || this.onlyOthers.has(prefix))) {
      return 'other';
    }
    // It was submitted since then, or is of a computation of which not all functions are known.
    return this.isAlone && (this.all.has(prefix) || !this.whole) ? 'own' : 'unknown';
  }

  /** Whether all answers are the same. */
  equals(other: OwnFunctions): boolean {
    const flags = ({ isActive, since, whole, othersAreWhole, isAlone }: OwnFunctions): string =>
      [isActive, since, whole, othersAreWhole, isAlone].join(' ');
    return (
      flags(this) === flags(other) &&
      isSame(this.all, other.all) &&
      isSame(this.left, other.left) &&
      isSame(this.leftOfOthers, other.leftOfOthers) &&
      isSame(this.onlyOthers, other.onlyOthers)
    );
  }

  private compare(other: Computation, shares: readonly ComputationFunction[]): void {
    if (other.values.left > 0) {
      this.isAlone = false;
      this.othersAreWhole &&= isDivided(other, shares);
    }
    for (const { prefix, left } of shares) {
      if (left > 0) {
        this.leftOfOthers.add(prefix);
      }
      if (!this.all.has(prefix)) {
        this.onlyOthers.add(prefix);
      }
    }
  }

  /** When its first graph had been read. */
  private readonly since: Seconds;
  private readonly all = new Set<number>();
  private readonly left = new Set<number>();
  private readonly leftOfOthers = new Set<number>();
  private readonly onlyOthers = new Set<number>();
  /** Whether all functions of the computation are known, and all of those of the others in progress. */
  private readonly whole: boolean;
  private othersAreWhole = true;
  /** Whether no other computation is in progress. */
  private isAlone = true;
}

function isSame(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  return a.size === b.size && [...a].every(each => b.has(each));
}

interface Known {
  readonly version: string;
  /** By computation. */
  readonly functions: Map<number, OwnFunctions>;
  /** Those of the version before. */
  readonly earlier: ReadonlyMap<number, OwnFunctions>;
}

const known = new WeakMap<Run, Known>();

/** The functions of a computation: looked at once for each state of the computations, and the same object until something differs. */
export function ownFunctions(run: Run, computation: Computation): OwnFunctions {
  const { id } = computation;
  const version = `${run.identity} ${run.version('computations')}`;
  let last = known.get(run);
  if (last?.version !== version) {
    last = { version, functions: new Map(), earlier: last?.functions ?? new Map() };
    known.set(run, last);
  }
  let found = last.functions.get(id);
  if (found === undefined) {
    const made = new OwnFunctions(run, computation);
    const before = last.earlier.get(id);
    found = before?.equals(made) ? before : made;
    last.functions.set(id, found);
  }
  return found;
}
