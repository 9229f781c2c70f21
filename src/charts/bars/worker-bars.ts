/** Shared by plots with one row of bars per worker: order, scrolling, empty states, tooltip headers. */
import { catalogueText } from '../../plot/translation';
import type { Colour } from '../../base/theme';
import type { Run } from '../../run/run';
import type { Ticks } from '../axis';
import { type BarChart, type BarColumn, barPitch, type BarRow, rowPicture } from '.';
import type { EmptyText, PlotContext, Subject, TooltipContent, VegaPicture, VegaPlot, VegaSize } from '../../plot/plot';
import { orderWorkers, WORKER_SORT } from '../../selectors/workers/worker-order';
import { leftWorkers } from '../../selectors/workers/left-workers';
import { searchedFor } from '../../selectors/search/row-search';
import { allWorkers, countWorkers, liveWorkers, type WorkerRow, workerWord } from '../../selectors/workers/worker-rows';

/** Axis and columns of a plot of workers. */
export interface WorkerScale {
  readonly end: number;
  readonly ticks: Ticks;
  readonly marks?: BarChart['marks'];
  readonly columns: readonly BarColumn[];
}

/** The specific part of a plot of workers; the rest is shared. */
export type WorkerBars = Omit<VegaPlot, 'view' | 'picture' | 'empty' | 'options' | 'topics'> & {
  /** The value compared by the order by use. */
  readonly use: (row: WorkerRow) => number;
  /** How it is written in the strip above many workers. */
  readonly format: (value: number) => string;
  /** The value there, without what the legend hides; NaN where it is not known. Default: {@link use}. */
  readonly strip?: (row: WorkerRow, context: PlotContext) => number;
  /** The colour of a worker there; default: of a busy one. */
  readonly shade?: (row: WorkerRow, context: PlotContext) => Colour;
  readonly axisTitle?: string;
  /** Whether there is anything above the rows. */
  readonly heads: boolean;
  /** Whether a worker is drawn, given the hidden legend items; default: all. */
  readonly drawn?: (row: WorkerRow, context: PlotContext) => boolean;
  readonly scale: (run: Run, context: PlotContext, rows: readonly WorkerRow[]) => WorkerScale;
  readonly row: (row: WorkerRow, context: PlotContext, scale: WorkerScale, run: Run) => Omit<BarRow, 'label'>;
};

/** Why a plot of workers is empty. */
export function noWorkers(run: Run, context: PlotContext): EmptyText | null {
  if (liveWorkers(run).length > 0) {
    return null;
  }
  const { trans } = context;
  return {
    head: trans.__('No workers.'),
    awaited: true,
    body:
      // Not by their names: a recording knows those of workers that join later.
      allWorkers(run).length > 0
        ? trans.__('All workers have left. Others appear here when they join.')
        : trans.__('The scheduler has no workers yet. They appear here when they join.')
  };
}

/** A plot with one row per worker. */
export function workerBars(bars: WorkerBars): VegaPlot {
  const rows = (run: Run, context: PlotContext): readonly WorkerRow[] => {
    const live = liveWorkers(run);
    const drawn = bars.drawn;
    const shown = drawn ? live.filter(row => drawn(row, context)) : live;
    return orderWorkers(run, context, shown, context.options.sort ?? WORKER_SORT.initial, bars.use);
  };
  const picture = (run: Run, context: PlotContext, size: VegaSize): VegaPicture => {
    const all = rows(run, context);
    const scale = bars.scale(run, context, liveWorkers(run));
    return rowPicture(context.theme, size, {
      ...scale,
      items: all,
      search: { wanted: searchedFor(context), texts: ({ label, address, host }) => [label, address, host] },
      row: row => ({ label: { text: row.label, keepEnd: true }, ...bars.row(row, context, scale, run) }),
      band: {
        value: row => (bars.strip ?? bars.use)(row, context),
        format: bars.format,
        name: ({ label }) => label,
        fill: row => bars.shade?.(row, context) ?? context.theme.worker.busy,
        count: some => countWorkers(some, context.trans),
        subject: workersSubject,
        trans: context.trans
      },
      parts: { heads: bars.heads, axis: true, title: bars.axisTitle !== undefined },
      pitch: barPitch,
      ...(bars.axisTitle === undefined ? {} : { axisTitle: catalogueText(context.trans, bars.axisTitle) }),
      gutter: all.reduce((most, row) => Math.max(most, row.labelWidth), 0)
    });
  };
  return {
    ...bars,
    ...{ view: 'vega', topics: ['meta', 'workers'], options: [WORKER_SORT], empty: noWorkers, acts: workerOfRow, picture },
    titleLine: (run, context) => [...bars.titleLine(run, context), ...leftWorkers(run, context.trans)]
  };
}

/** A worker, for actions on it. */
function workerSubject({ address, label }: WorkerRow): Subject {
  return { kind: 'worker', address, name: label };
}

/** Several workers, or one. */
function workersSubject(rows: readonly WorkerRow[], name: string): Subject {
  return rows.length === 1 ? workerSubject(rows[0]) : { kind: 'workers', name, workers: rows.map(({ address }) => address) };
}

/** The worker of a row of a table, for actions on it; `null` for one that has left. */
export function workerOfRow(run: Run, row: string): Subject | null {
  const worker = liveWorkers(run).find(({ id }) => String(id) === row);
  return worker === undefined ? null : workerSubject(worker);
}

/** Tooltip of a worker: name and state, then the plot's values. */
export function workerTooltip(row: WorkerRow, context: PlotContext, rows: TooltipContent['rows']): TooltipContent {
  const { trans, theme } = context;
  const word = workerWord(row, theme, trans);
  return {
    title: row.label,
    subject: workerSubject(row),
    state: `${word.sign} ${word.word}`,
    colour: word.colour,
    rows: [
      ...rows,
      [trans.__('Address'), row.address],
      ...(row.host === '' ? [] : ([[trans.__('Host'), row.host]] as const)),
      [trans.__('Threads'), Number.isFinite(row.nthreads) ? String(row.nthreads) : '–']
    ],
    hint: trans.__('Click: pin, select its tasks'),
    links: [{ label: trans.__('Worker details'), plot: 'worker', args: { worker: row.address } }]
  };
}
