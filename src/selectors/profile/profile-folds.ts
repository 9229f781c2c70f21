/**
 * What pictures and texts compute from all samples of a profile, computed once for both.
 *
 * Guarantees: the same filter gives the same object until the samples change; a store keeps a limited number of them.
 */
import type { ProfileFilter, ProfileFold, ProfileStore } from '../../run/logs/profile';

/** Results kept of a store: a few panes with different filters, each with its samples over time. */
const MOST_KEPT = 16;

/** Samples by stack, of the rows that pass a filter. */
export function foldOf(store: ProfileStore, filter: ProfileFilter): ProfileFold {
  return resultsOf(store, folds, JSON.stringify(filter), () => store.fold(filter));
}

/** Samples over the whole time of the store, whatever period a filter has, in a number of columns of equal duration. */
export function activityOf(store: ProfileStore, { prefixes, workers }: ProfileFilter, columns: number): Float64Array {
  const { from, to } = store.period;
  const filter = { prefixes, workers };
  return resultsOf(store, activities, JSON.stringify([filter, columns]), () => store.activity(filter, from, to, columns));
}

interface Results<T> {
  readonly changes: number;
  readonly byFilter: Map<string, T>;
}

type Cache<T> = WeakMap<ProfileStore, Results<T>>;

const folds: Cache<ProfileFold> = new WeakMap();
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
