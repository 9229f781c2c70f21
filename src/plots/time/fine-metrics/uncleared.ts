/** Dask's fine metrics since the user has cleared what was before. */
import type { PlotContext } from '../../../plot/plot';
import { grownBy, type Sums } from '../../../run/cleared';
import type { Run } from '../../../run/run';
import type { Activity } from '../../../run/tables/activities';

/** What a cleared history begins from. */
export function metricSums({ activities }: Run): Sums {
  const all = [...activities.list, ...activities.ofSpans];
  return Object.fromEntries(all.filter(({ value }) => value > 0).map(({ id, value }) => [String(id), value]));
}

/** The value of a metric without what the user has cleared. */
export function uncleared(run: Run, { id, value }: Activity, { cleared }: PlotContext): number {
  return grownBy(run, cleared, String(id), value);
}
