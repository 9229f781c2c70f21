/** Bars of bytes per second, one row for each pair of workers or type. */
import { formatByteRate } from '../../../base/format';
import { type Colour, mix, type Theme } from '../../../base/theme';
import type { CssPixels } from '../../../base/units';
import type { Run } from '../../../run/run';
import { niceByteEnd, steadyEnd, ticksThatFit } from '../../../charts/axis';
import { type BarChart, barData, barMargins, barParams, barPlace, layBars, readablePitch } from '../../../charts/bars';
import { byteRateTicks } from '../../../charts/byte-rates';
import type { PlotContext, RowMargins, TooltipContent, VegaFrame, VegaPlot } from '../../../plot/plot';
import { textWidth } from '../../../plot/text';

/** A row. */
export interface RateRow {
  readonly id: number;
  readonly label: string;
  readonly rate: number;
  /** Not Dask's average: drawn pale with an outline. */
  readonly pale: boolean;
  readonly tooltip: TooltipContent['rows'];
}

/** Colour of rates. */
export function rateColour(theme: Theme): Colour {
  return theme.worker.busy;
}

function margins(height: CssPixels): RowMargins {
  return barMargins(height, { heads: false, axis: true, title: true });
}

function chart(id: string, rows: readonly RateRow[], run: Run, context: PlotContext, frame: VegaFrame): BarChart {
  const { theme, trans } = context;
  const colour = rateColour(theme);
  const pale = mix(theme.background, colour, 0.3);
  const greatest = rows.reduce((most, { rate }) => Math.max(most, rate || 0), 0);
  const end = steadyEnd(run, id, niceByteEnd(greatest));
  const { top, bottom } = margins(frame.height);
  const bare: BarChart = {
    end,
    ticks: [],
    axisTitle: trans('bytes per second'),
    columns: [{ width: 90, from: 200 }],
    gutter: rows.reduce((most, { label }) => Math.max(most, textWidth(label)), 0),
    place: barPlace({ top, bottom }, readablePitch(rows.length, frame.height - top - bottom)),
    rows: rows.slice(frame.firstRow, frame.endRow).map(row => ({
      label: { text: row.label },
      bars: [
        { segments: [{ size: row.rate, fill: row.pale ? pale : colour, least: 1, ...(row.pale ? { outline: colour } : {}) }] }
      ],
      figures: [{ text: formatByteRate(row.rate) }],
      tooltip: { title: row.label, colour, rows: row.tooltip, hint: trans('Click: pin') }
    }))
  };
  const { left, right } = layBars(bare, frame);
  return { ...bare, ticks: byteRateTicks(end, ticksThatFit(right - left)) };
}

/** The parts of a plot that draw rows. */
export function rateBars(
  id: string,
  rows: (run: Run, context: PlotContext) => readonly RateRow[]
): Required<Pick<VegaPlot, 'rowPitch' | 'rowMargins' | 'params' | 'data'>> {
  return {
    rowPitch: readablePitch,
    rowMargins: (_run, _context, _width, height) => margins(height),
    params: (run, context, frame) => barParams(chart(id, rows(run, context), run, context, frame), frame),
    data: (run, context, frame) => barData(chart(id, rows(run, context), run, context, frame), frame, context.theme)
  };
}
