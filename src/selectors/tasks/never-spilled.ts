import type { Run } from '../../run/run';

/**
 * Whether no worker has had results on disk, as far as is known. What Dask calls reading from and writing to disk is then
 * something else: it counts every access to the results of a worker that takes 5 ms or more.
 */
export function neverSpilled(run: Run): boolean {
  let known = false;
  for (const bytes of run.series.column('spilled_sum')) {
    if (bytes > 0) {
      return false;
    }
    known ||= bytes === 0;
  }
  return known;
}
