/** What is known of the bytes of a computation beyond its own totals: of all work in its time. */
import { countLeading } from '../../base/arrays';
import { formatBytes, UNKNOWN } from '../../base/format';
import type { Bytes, Seconds } from '../../base/units';
import type { Run } from '../../run/run';
import type { Computation } from '../../run/tables/computations';
import { endOf } from '../tasks/computation-words';

/** An amount that may be less or more than what belongs to the computation. NaN if it is not known. */
export interface Amount {
  readonly bytes: Bytes;
  /** Something is missing in it. */
  readonly atLeast: boolean;
  /** It may be of other work, too. */
  readonly atMost: boolean;
}

const NOT_KNOWN: Amount = { bytes: Number.NaN, atLeast: false, atMost: false };

/** An amount as text: `≤ 1.2 GiB`. */
export function amountWords({ bytes, atLeast, atMost }: Amount): string {
  if (bytes === 0 && !atLeast) {
    return formatBytes(bytes);
  }
  const sign = atLeast && atMost ? '≈ ' : atLeast ? '≥ ' : atMost ? '≤ ' : '';
  return Number.isFinite(bytes) ? `${sign}${formatBytes(bytes)}` : UNKNOWN;
}

/** From its first graph to the end of its last execution, or to now while tasks are left; `null` if nothing has run. */
function timeOf(run: Run, computation: Computation): { readonly from: Seconds; readonly to: Seconds } | null {
  const { since } = computation.values;
  const to = endOf(run, computation);
  return since < to ? { from: since, to } : null;
}

/** Times of transfers in order, and the bytes of all up to each. */
interface Moves {
  readonly version: number;
  readonly starts: Float64Array;
  readonly sums: Float64Array;
}

const moves = new WeakMap<Run, Moves>();

function movesOf(run: Run): Moves {
  const version = run.version('transfers');
  const known = moves.get(run);
  if (known?.version === version) {
    return known;
  }
  // To workers: a client fetches results, not inputs.
  const list = run.transfers.list.filter(({ receiver }) => receiver.worker >= 0).sort((a, b) => a.start - b.start);
  const sums = new Float64Array(list.length + 1);
  for (const [i, { total }] of list.entries()) {
    sums[i + 1] = sums[i] + (total || 0);
  }
  const made = { version, starts: Float64Array.from(list, ({ start }) => start), sums };
  moves.set(run, made);
  return made;
}

/** Number of starts before a time. */
function before(starts: Float64Array, time: Seconds): number {
  return countLeading(starts.length, i => starts[i] < time);
}

/** Whether tasks of another computation ran, or may have run, in its time. */
function isShared(run: Run, { id }: Computation, from: Seconds, to: Seconds): boolean {
  return run.computations.list.some(other => {
    const time = other.id === id ? null : timeOf(run, other);
    return time !== null && time.from < to && time.to > from;
  });
}

/** Bytes of the results that workers fetched from each other in its time, as their logs have it. */
export function movedIn(run: Run, computation: Computation): Amount {
  const time = timeOf(run, computation);
  const { gathering, lost } = run.transfers;
  if (time === null || !run.has('transfers') || gathering.limited !== '' || gathering.servers === 0) {
    return NOT_KNOWN;
  }
  const { starts, sums } = movesOf(run);
  const newest = starts[starts.length - 1] ?? Number.NEGATIVE_INFINITY;
  if (newest < time.from) {
    return NOT_KNOWN;
  }
  const bytes = sums[before(starts, time.to)] - sums[before(starts, time.from)];
  // Logs are read only while a pane shows them: it is not known whether they were read after the newest transfer. Nor is it
  // known when what is missing was.
  const atLeast = newest < time.to || lost > 0 || gathering.dropped > 0 || gathering.silent > 0;
  return { bytes, atLeast, atMost: isShared(run, computation, time.from, time.to) };
}

/**
 * How much more lay on the disks of all workers in its time, at the most, than at its start, as their heartbeats reported it: what
 * had been spilled before may lie there for hours.
 */
export function spilledIn(run: Run, computation: Computation): Amount {
  const time = timeOf(run, computation);
  const { series } = run;
  const spilled = series.column('spilled_sum');
  const until = series.column('until');
  if (time === null) {
    return NOT_KNOWN;
  }
  let [most, first, before] = [Number.NaN, Number.NaN, Number.NaN];
  for (let i = spilled.length - 1; i >= 0 && Number.isNaN(before); i--) {
    const begin = series.time(i);
    if (begin > time.to || !(spilled[i] >= 0)) {
      continue;
    }
    if (begin >= time.from || until[i] >= time.from) {
      most = Math.max(most || 0, spilled[i]);
      first = spilled[i];
    }
    before = begin <= time.from ? spilled[i] : Number.NaN;
  }
  if (Number.isNaN(most)) {
    return NOT_KNOWN;
  }
  const known = !Number.isNaN(before);
  return {
    bytes: Math.max(0, most - (known ? before : first)),
    atLeast: !known && first > 0,
    atMost: isShared(run, computation, time.from, time.to)
  };
}
