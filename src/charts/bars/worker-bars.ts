/** What the plots with one row of bars for each worker share: order, scrolling, emptiness, tooltip heads. */
import type { Run } from '../../run/run';
import type { Ticks } from '../axis';
import { ticksThatFit } from '../axis';
import {
  type BarChart,
  type BarColumn,
  type BarRow,
  barData,
  barMargins,
  barParams,
  barPitch,
  barPlace,
  barSpec,
  layBars
} from '.';
import type { EmptyText, PlotContext, TooltipContent, VegaFrame, VegaPlot } from '../../plot/plot';
import { orderWorkers, WORKER_SORT } from '../../selectors/workers/worker-order';
import { liveWorkers, type WorkerRow, workerWord } from '../../selectors/workers/worker-rows';

/** Axis and columns of a plot of workers. */
export interface WorkerScale {
  readonly end: number;
  readonly ticks: Ticks;
  readonly marks?: BarChart['marks'];
  readonly columns: readonly BarColumn[];
}

/** What a plot of workers says for itself; the rest is the same for all. */
export type WorkerBars = Omit<
  VegaPlot,
  'view' | 'rowCount' | 'rowPitch' | 'rowMargins' | 'spec' | 'specKey' | 'params' | 'data' | 'empty' | 'options' | 'topics'
> & {
  /** What the order by use compares. */
  readonly use: (row: WorkerRow) => number;
  readonly axisTitle?: string;
  /** Whether anything stands over the rows. */
  readonly heads: boolean;
  /** Whether a worker is drawn, after what the person switched off in the legend; all where it is missing. */
  readonly drawn?: (row: WorkerRow, context: PlotContext) => boolean;
  readonly scale: (run: Run, context: PlotContext, rows: readonly WorkerRow[]) => WorkerScale;
  readonly row: (row: WorkerRow, context: PlotContext, scale: WorkerScale, run: Run) => Omit<BarRow, 'label'>;
};

/** Why a plot of workers has nothing to show. */
export function noWorkers(run: Run, context: PlotContext): EmptyText | null {
  if (liveWorkers(run).length > 0) {
    return null;
  }
  const { trans } = context;
  return {
    head: trans('No workers.'),
    body: trans('The scheduler has no workers yet. They appear here when they join.')
  };
}

/** A plot with one row for each worker. */
export function workerBars(bars: WorkerBars): VegaPlot {
  const rows = (run: Run, context: PlotContext): readonly WorkerRow[] => {
    const live = liveWorkers(run);
    const drawn = bars.drawn;
    const shown = drawn ? live.filter(row => drawn(row, context)) : live;
    return orderWorkers(run, shown, bars.id, context.options.sort ?? WORKER_SORT.initial, bars.use);
  };
  const margins = (frame: { readonly height: number }): ReturnType<typeof barMargins> =>
    barMargins(frame.height, { heads: bars.heads, axis: true, title: bars.axisTitle !== undefined });
  const chart = (run: Run, context: PlotContext, frame: VegaFrame): BarChart => {
    const all = rows(run, context);
    const scale = bars.scale(run, context, liveWorkers(run));
    const { top, bottom } = margins(frame);
    const place = barPlace({ top, bottom }, barPitch(all.length, frame.height - top - bottom));
    const drawn = all.slice(frame.firstRow, frame.endRow).map(row => ({
      label: { text: row.label, keepEnd: true },
      ...bars.row(row, context, scale, run)
    }));
    const gutter = all.reduce((most, row) => Math.max(most, row.labelWidth), 0);
    const title = bars.axisTitle === undefined ? {} : { axisTitle: context.trans(bars.axisTitle) };
    const bare: BarChart = { ...scale, ...title, ticks: [], gutter, rows: drawn, place };
    const { left, right } = layBars(bare, frame);
    return { ...bare, ticks: scale.ticks(scale.end, ticksThatFit(right - left)) };
  };
  return {
    ...bars,
    view: 'vega',
    topics: ['meta', 'workers'],
    options: [WORKER_SORT],
    empty: noWorkers,
    rowCount: (run, context) => rows(run, context).length,
    rowPitch: barPitch,
    rowMargins: (_run, _context, _width, height) => margins({ height }),
    spec: (_run, context) => barSpec(context.theme),
    specKey: () => 'bars',
    params: (run, context, frame) => barParams(chart(run, context, frame), frame),
    data: (run, context, frame) => barData(chart(run, context, frame), frame, context.theme)
  };
}

/** A tooltip of a worker: who it is and in which state, then what the plot shows. */
export function workerTooltip(row: WorkerRow, context: PlotContext, rows: TooltipContent['rows']): TooltipContent {
  const { trans, theme } = context;
  const word = workerWord(row, theme, trans);
  return {
    title: row.label,
    state: `${word.sign} ${word.word}`,
    colour: word.colour,
    rows: [
      ...rows,
      [trans('Address'), row.address],
      ...(row.host === '' ? [] : ([[trans('Host'), row.host]] as const)),
      [trans('Threads'), Number.isFinite(row.nthreads) ? String(row.nthreads) : '–']
    ],
    hint: trans('Click: pin')
  };
}
