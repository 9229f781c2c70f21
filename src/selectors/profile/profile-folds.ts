/**
 * What pictures and texts compute from all samples of a profile, computed once for both.
 *
 * Guarantees: the same filter gives the same object until the samples change; a store keeps a limited number of them.
 */
import type { Seconds } from '../../base/units';
import type { FoldedTime } from '../../run/folded-time';
import type { ProfileFilter, ProfileFold, ProfileStore } from '../../run/logs/profile';

/** Results kept of a store: a few panes with different filters, each with its samples over time. */
const MOST_KEPT = 16;

/** Samples by stack, of the rows that pass a filter. */
export function foldOf(store: ProfileStore, filter: ProfileFilter): ProfileFold {
  return resultsOf(store, folds, JSON.stringify(filter), () => store.fold(filter));
}

/**
 * Samples over the whole time of the store, whatever period a filter has, in a number of columns of equal duration.
 *
 * @param folded - how pauses are folded; columns of a folded pause have no samples, as these would be those of all of it
 */
export function activityOf(
  store: ProfileStore,
  { prefixes, workers }: ProfileFilter,
  columns: number,
  folded?: FoldedTime
): Float64Array {
  const { from, to } = store.period;
  const filter = { prefixes, workers };
  const folds = folded?.folds.map(({ pause }) => pause) ?? [];
  const key = JSON.stringify([filter, columns, folded?.perColumn, folds]);
  return resultsOf(store, activities, key, () => {
    const even = (time: Seconds): Seconds => folded?.evenOf(time) ?? time;
    const sums = store.activity(filter, from, to, columns, even);
    const columnOf = (time: Seconds): number => Math.round(((even(time) - even(from)) / (even(to) - even(from))) * columns);
    for (const pause of folds) {
      sums.fill(0, Math.max(0, columnOf(pause.from)), Math.max(0, columnOf(pause.to)));
    }
    return sums;
  });
}

/** Samples by stack of two parts of a profile. */
export interface ComparedFolds {
  readonly a: ProfileFold;
  readonly b: ProfileFold;
  /** The mean of the shares that a stack has of either, so that what only one of them has is there as well; 1 in all. */
  readonly mean: ProfileFold;
}

/** Samples of the rows that pass a filter, B, and of those that pass another, or of all others, A. */
export function comparedFolds(store: ProfileStore, shown: ProfileFilter, other: ProfileFilter | 'rest'): ComparedFolds {
  const b = foldOf(store, shown);
  const all = foldOf(store, other === 'rest' ? {} : other);
  return resultsOf(store, comparisons, JSON.stringify([shown, other]), () => {
    const a = other === 'rest' ? joined(all, b, (x, y) => x - y) : all;
    const [one, two] = [a.total[0] || 1, b.total[0] || 1];
    return { a, b, mean: joined(a, b, (x, y) => (x / one + y / two) / 2) };
  });
}

function joined(a: ProfileFold, b: ProfileFold, join: (a: number, b: number) => number): ProfileFold {
  const of = (x: Float64Array, y: Float64Array): Float64Array => x.map((value, i) => join(value, y[i]));
  return { own: of(a.own, b.own), total: of(a.total, b.total) };
}

interface Results<T> {
  readonly changes: number;
  readonly byFilter: Map<string, T>;
}

type Cache<T> = WeakMap<ProfileStore, Results<T>>;

const folds: Cache<ProfileFold> = new WeakMap();
const comparisons: Cache<ComparedFolds> = new WeakMap();
const activities: Cache<Float64Array> = new WeakMap();

function resultsOf<T>(store: ProfileStore, cache: Cache<T>, key: string, compute: () => T): T {
  const { changes } = store;
  let results = cache.get(store);
  if (results?.changes !== changes) {
    results = { changes, byFilter: new Map() };
    cache.set(store, results);
  }
  const known = results.byFilter.get(key);
  if (known !== undefined) {
    return known;
  }
  const fresh = compute();
  if (results.byFilter.size >= MOST_KEPT) {
    results.byFilter.clear();
  }
  results.byFilter.set(key, fresh);
  return fresh;
}
