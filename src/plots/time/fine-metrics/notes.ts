/** What the plots of Dask's fine metrics lack, as notes. */
import { formatCount, formatExactCount } from '../../../base/format';
import type { PlotContext, Translate } from '../../../plot/plot';
import { MOST_METRICS } from '../../../run/tables/activities';
import type { Run } from '../../../run/run';
import { chosenMetrics, isOdd, UNIT } from './metrics';

/** That not all of Dask's metrics are known, as a note; none if they are. */
export function metricsNotes({ activities }: Run, trans: Translate): readonly string[] {
  return activities.full ? [trans.__("only the first %1 of Dask's fine metrics are read", formatExactCount(MOST_METRICS))] : [];
}

/** How many metrics of the chosen rows and unit have no bar, as a note. */
export function oddNotes(run: Run, context: PlotContext): readonly string[] {
  const unit = context.options.unit ?? UNIT.initial;
  const odd = chosenMetrics(run, context).filter(metric => metric.unit === unit && unit !== '' && isOdd(metric)).length;
  return odd === 0
    ? []
    : [
        context.trans._n(
          '1 metric has no bar: it is below zero or not a finite number; the table has it',
          '%2 metrics have no bar: they are below zero or not finite numbers; the table has them',
          odd,
          formatCount(odd)
        )
      ];
}

/**
 * That the rates of what was spent are not known any more, as a note; none if they are. Rates are unknown before the first
 * metric, too.
 */
export function ratesNotes({ series }: Run, trans: Translate): readonly string[] {
  const rates = series.column('spent_cpu');
  const ended = Number.isNaN(rates[rates.length - 1]) && !rates.every(Number.isNaN);
  return ended
    ? [
        trans.__(
          "the newest are not known: the scheduler has more than %1 of Dask's fine metrics",
          formatExactCount(MOST_METRICS)
        )
      ]
    : [];
}
