/** Shared by plots with two bars per host: incoming or read, and outgoing or written. */
import { catalogueText } from '../../plot/translation';
import { formatByteRate, formatCount } from '../../base/format';
import { type Colour, mix, type Theme } from '../../base/theme';
import type { Run } from '../../run/run';
import { niceByteEnd } from '../axis';
import { barPitch, type BarRow, rowPicture } from '.';
import { byteRateTicks, LEAST_RATE } from '../byte-rates';
import { type HostRate, type HostRow, hosts, hostTotal } from '../../selectors/workers/host-rows';
import { forgetBySize, keepBySize, steadyEnd } from '../../plot/kept';
import type { LegendItem, PlotContext, PlotOption, TableData, Translate, VegaPicture, VegaPlot, VegaSize } from '../../plot/plot';
import { tableRows } from '../../plot/table-rows';
import { textWidth } from '../../plot/text';
import { noWorkers } from './worker-bars';
import { compareNames } from '../../selectors/workers/worker-rows';

/** One of the two rates of a plot of hosts. */
export interface Direction {
  readonly rate: HostRate;
  /** In English. */
  readonly name: string;
}

/** The specific part of a plot of hosts; the rest is shared. */
export type HostBars = Pick<VegaPlot, 'id' | 'icon' | 'title' | 'caption' | 'group' | 'synonyms' | 'howToRead'> & {
  readonly colour: (theme: Theme) => Colour;
  /** The full bar, then the pale one with an outline. */
  readonly directions: readonly [Direction, Direction];
};

const SORT: PlotOption = {
  id: 'sort',
  label: 'Order',
  choices: [
    { value: 'name', label: 'by name' },
    { value: 'use', label: 'by use' }
  ],
  initial: 'name'
};

function ordered({ directions }: HostBars, run: Run, context: PlotContext): readonly HostRow[] {
  const rows = [...hosts(run)].sort((a, b) => compareNames(a.label, b.label) || a.id - b.id);
  if ((context.options.sort ?? SORT.initial) === 'use') {
    return keepBySize(run, context, rows, row => directions.reduce((sum, { rate }) => sum + (row[rate] || 0), 0));
  }
  forgetBySize(run, context);
  return rows;
}

function countWorkers(row: HostRow, trans: Translate): string {
  return trans._n('1 worker', '%2 workers', row.workers.length, formatCount(row.workers.length));
}

function barRow(plot: HostBars, row: HostRow, end: number, { theme, trans, hidden }: PlotContext): BarRow {
  const colour = plot.colour(theme);
  return {
    label: { text: row.label, keepEnd: true },
    track: end,
    bars: plot.directions.map(({ rate }, i) => ({
      segments: [
        {
          size: hidden.has(rate) ? 0 : row[rate],
          fill: i === 0 ? colour : mix(colour, theme.background, 0.7),
          least: 2,
          ...(i === 0 ? {} : { outline: colour })
        }
      ]
    })),
    figures: plot.directions.map(({ rate }) => ({ text: formatByteRate(row[rate]) })),
    tooltip: {
      title: row.label,
      state: countWorkers(row, trans),
      colour,
      rows: plot.directions.map(({ rate, name }): [string, string] => [catalogueText(trans, name), formatByteRate(row[rate])]),
      hint: trans.__('Click: pin')
    }
  };
}

function picture(plot: HostBars, run: Run, context: PlotContext, size: VegaSize): VegaPicture {
  const all = ordered(plot, run, context);
  const most = all.reduce((rate, row) => Math.max(rate, ...plot.directions.map(each => row[each.rate] || 0)), LEAST_RATE);
  const end = steadyEnd(run, context, niceByteEnd(most));
  return rowPicture(context.theme, size, {
    items: all,
    row: row => barRow(plot, row, end, context),
    parts: { heads: true, axis: true, title: false },
    pitch: barPitch,
    end,
    ticks: byteRateTicks,
    columns: plot.directions.map(({ name }) => ({ width: 76, from: 320, head: catalogueText(context.trans, name) })),
    gutter: all.reduce((width, row) => Math.max(width, textWidth(row.label)), 0)
  });
}

function legend(plot: HostBars, { theme, trans }: PlotContext): readonly LegendItem[] {
  const colour = plot.colour(theme);
  return plot.directions.map(({ rate, name }, i) => ({
    id: rate,
    label: catalogueText(trans, name),
    colour,
    pattern: 'none',
    ...(i === 0 ? {} : { outlined: true })
  }));
}

function table(plot: HostBars, run: Run, { trans }: PlotContext): TableData {
  return {
    columns: [
      { id: 'host', label: trans.__('Host'), align: 'left' },
      ...plot.directions.map(({ rate, name }) => ({ id: rate, label: catalogueText(trans, name), align: 'right' as const })),
      { id: 'workers', label: trans.__('Workers'), align: 'right' }
    ],
    rows: tableRows(hosts(run), row => [
      { text: row.label, value: row.label },
      ...plot.directions.map(({ rate }) => ({ text: formatByteRate(row[rate]), value: row[rate] })),
      { text: formatCount(row.workers.length), value: row.workers.length }
    ])
  };
}

/** The total rates of all hosts as text: "12.0 MiB/s in". */
function totals(plot: HostBars, run: Run, trans: Translate): readonly string[] {
  return plot.directions.map(({ rate, name }) => `${formatByteRate(hostTotal(hosts(run), rate))} ${catalogueText(trans, name)}`);
}

/** A plot with two bars per host. */
export function hostBars(plot: HostBars): VegaPlot {
  return {
    ...plot,
    view: 'vega',
    topics: ['meta', 'workers'],
    options: [SORT],
    empty: noWorkers,
    picture: (run, context, size) => picture(plot, run, context, size),
    titleLine: (run, { trans }) => totals(plot, run, trans).map(text => ({ text, tone: 'strong' as const })),
    legend: (_run, context) => legend(plot, context),
    notes: () => [],
    table: (run, context) => table(plot, run, context),
    summary: (run, { trans }) =>
      `${[catalogueText(trans, plot.title), ...totals(plot, run, trans), trans._n('1 host', '%2 hosts', hosts(run).length, formatCount(hosts(run).length))].join(', ')}.`
  };
}
