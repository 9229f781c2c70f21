import type { Run } from '../../run/run';

/**
 * Whether no worker was seen to have results on disk, although its memory was measured. What Dask calls reading from and
 * writing to disk is then probably something else: it counts every access to the results of a worker that takes 5 ms or more.
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
