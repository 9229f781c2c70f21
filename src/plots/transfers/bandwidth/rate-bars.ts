/** Bars of bytes per second, one row for each pair of workers or each type. */
import { formatByteRate } from '../../../base/format';
import { type Colour, mix, type Theme } from '../../../base/theme';
import type { Run } from '../../../run/run';
import { niceByteEnd } from '../../../charts/axis';
import { steadyEnd } from '../../../plot/kept';
import { type BarRow, rowPicture } from '../../../charts/bars';
import { byteRateTicks } from '../../../charts/byte-rates';
import type { PlotContext, Subject, TitlePart, TooltipContent, Translate, VegaPicture, VegaSize } from '../../../plot/plot';
import { textWidth } from '../../../plot/text';
import { clearedAt } from '../../../selectors/since-cleared';
import { searchedFor } from '../../../selectors/search/row-search';

/** A row. */
export interface RateRow {
  readonly id: number;
  readonly label: string;
  readonly rate: number;
  /** Not Dask's average: drawn pale with an outline. */
  readonly pale: boolean;
  readonly tooltip: TooltipContent['rows'];
  /** What a click selects; default: nothing. */
  readonly subject?: Subject;
  readonly links?: TooltipContent['links'];
}

/** Colour of rates. */
function rateColour(theme: Theme): Colour {
  return theme.worker.busy;
}

/**
 * The slowest and the fastest rate, for a title. Dask's rate of all transfers is left out: it starts as a configured value and
 * approaches the measured one only slowly.
 */
export function rangeTitle(rates: readonly number[], trans: Translate): readonly TitlePart[] {
  const known = rates.filter(Number.isFinite);
  const least = formatByteRate(known.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY));
  const most = formatByteRate(known.reduce((a, b) => Math.max(a, b), 0));
  const text = least === most ? most : trans.__('%1 to %2', least, most);
  return known.length === 0 ? [] : [{ text, tone: 'strong' }];
}

/** The picture of the given rows. */
export function ratePicture(rows: readonly RateRow[], run: Run, context: PlotContext, size: VegaSize): VegaPicture {
  const { theme, trans } = context;
  const colour = rateColour(theme);
  const pale = mix(theme.background, colour, 0.3);
  const greatest = rows.reduce((most, { rate }) => Math.max(most, rate || 0), 0);
  const bar = (row: RateRow): BarRow => ({
    label: { text: row.label },
    bars: [
      { segments: [{ size: row.rate, fill: row.pale ? pale : colour, least: 1, ...(row.pale ? { outline: colour } : {}) }] }
    ],
    figures: [{ text: formatByteRate(row.rate) }],
    tooltip: {
      title: row.label,
      colour,
      rows: row.tooltip,
      ...(row.subject === undefined
        ? { hint: trans.__('Click: pin') }
        : { subject: row.subject, hint: trans.__('Click: pin, select its tasks') }),
      ...(row.links === undefined ? {} : { links: row.links })
    }
  });
  return rowPicture(theme, size, {
    items: rows,
    search: { wanted: searchedFor(context), texts: ({ label }) => [label] },
    row: bar,
    parts: { heads: false, axis: true, title: true },
    end: steadyEnd(run, context, niceByteEnd(greatest), `${clearedAt(run, context)}`),
    ticks: byteRateTicks,
    axisTitle: trans.__('bytes per second'),
    columns: [{ width: 90, from: 200 }],
    gutter: rows.reduce((most, { label }) => Math.max(most, textWidth(label)), 0)
  });
}
