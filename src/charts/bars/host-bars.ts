/** Shared by plots with bars for each host: of one value, or of two such as what it receives and sends. */
import { catalogueText } from '../../plot/translation';
import { formatByteRate, formatCount } from '../../base/format';
import { type Colour, mix, type Theme } from '../../base/theme';
import type { Run } from '../../run/run';
import { niceByteEnd, type Ticks } from '../axis';
import { barPitch, type BarRow, rowPicture } from '.';
import { byteRateTicks, LEAST_RATE } from '../byte-rates';
import { type HostRate, type HostRow, hosts } from '../../selectors/workers/host-rows';
import { forgetBySize, keepBySize, steadyEnd } from '../../plot/kept';
import type {
  LegendItem,
  PlotContext,
  PlotOption,
  Subject,
  TableData,
  Translate,
  VegaPicture,
  VegaPlot,
  VegaSize
} from '../../plot/plot';
import { tableRows } from '../../plot/table-rows';
import { compareNames, textWidth } from '../../plot/text';
import { searchedFor } from '../../selectors/search/row-search';
import { noWorkers } from './worker-bars';

/** A value of hosts, and its bar. */
export interface HostBar {
  readonly id: string;
  /** In English. */
  readonly name: string;
  /** What a run says of its hosts; NaN where that is not known. */
  readonly of: (run: Run) => (row: HostRow) => number;
}

/** The specific part of a plot of hosts; the rest is shared. */
export type HostBars = Pick<VegaPlot, 'id' | 'icon' | 'title' | 'caption' | 'group' | 'synonyms' | 'howToRead'> & {
  /** What the values need besides `meta` and `workers`. */
  readonly topics?: VegaPlot['topics'];
  readonly colour: (theme: Theme) => Colour;
  /** The full bar, then pale ones with an outline. All have one axis. */
  readonly bars: readonly HostBar[];
  readonly format: (value: number) => string;
  /** End of the axis for the greatest value. */
  readonly end: (greatest: number) => number;
  readonly ticks: Ticks;
  /** Width of the column with a value, in CSS pixels. */
  readonly figure: number;
  readonly notes?: VegaPlot['notes'];
};

/** How rates of bytes are written and drawn. */
export const BYTE_RATES: Pick<HostBars, 'format' | 'end' | 'ticks' | 'figure'> = {
  format: formatByteRate,
  end: greatest => niceByteEnd(Math.max(LEAST_RATE, greatest)),
  ticks: byteRateTicks,
  figure: 76
};

/** A rate that the workers of a host report. */
export function hostRate(rate: HostRate, name: string): HostBar {
  return { id: rate, name, of: () => row => row[rate] };
}

const SORT: PlotOption = {
  id: 'sort',
  label: 'Order',
  choices: [
    { value: 'name', label: 'by name' },
    { value: 'use', label: 'by use' }
  ],
  initial: 'name'
};

/** The hosts of one drawing with their values, in the order of the bars. */
interface Measured {
  readonly id: number;
  readonly row: HostRow;
  readonly values: readonly number[];
}

function measured({ bars }: HostBars, run: Run): readonly Measured[] {
  const values = bars.map(bar => bar.of(run));
  return hosts(run).map(row => ({ id: row.id, row, values: values.map(value => value(row)) }));
}

const known = (value: number): number => (Number.isFinite(value) ? value : 0);

function ordered(plot: HostBars, run: Run, context: PlotContext): readonly Measured[] {
  const rows = [...measured(plot, run)].sort((a, b) => compareNames(a.row.label, b.row.label) || a.id - b.id);
  if ((context.options.sort ?? SORT.initial) === 'use') {
    return keepBySize(run, context, rows, ({ values }) => values.reduce((sum, value) => sum + known(value), 0));
  }
  forgetBySize(run, context);
  return rows;
}

function countHosts(count: number, trans: Translate): string {
  return trans._n('1 host', '%2 hosts', count, formatCount(count));
}

function countWorkers(row: HostRow, trans: Translate): string {
  return trans._n('1 worker', '%2 workers', row.workers.length, formatCount(row.workers.length));
}

function barRow(plot: HostBars, { row, values }: Measured, end: number, { theme, trans, hidden }: PlotContext): BarRow {
  const colour = plot.colour(theme);
  return {
    label: { text: row.label, keepEnd: true },
    track: end,
    bars: plot.bars.map(({ id }, i) => ({
      segments: [
        {
          size: hidden.has(id) ? 0 : values[i],
          fill: i === 0 ? colour : mix(colour, theme.background, 0.7),
          least: 2,
          ...(i === 0 ? {} : { outline: colour })
        }
      ]
    })),
    figures: values.map(value => ({ text: plot.format(value) })),
    tooltip: {
      title: row.label,
      subject: hostSubject(row),
      state: countWorkers(row, trans),
      colour,
      rows: plot.bars.map(({ name }, i): [string, string] => [catalogueText(trans, name), plot.format(values[i])]),
      hint: trans.__('Click: pin, select its tasks')
    }
  };
}

/** A host, which stands for its current workers. */
function hostSubject(row: HostRow): Subject {
  return { kind: 'workers', name: row.label, workers: addressesOf(row) };
}

function addressesOf({ workers }: HostRow): readonly string[] {
  return workers.map(({ address }) => address);
}

function hostOfRow(run: Run, row: string): Subject | null {
  const host = hosts(run).find(({ id }) => String(id) === row);
  return host === undefined ? null : hostSubject(host);
}

function picture(plot: HostBars, run: Run, context: PlotContext, size: VegaSize): VegaPicture {
  const all = ordered(plot, run, context);
  const greatest = all.reduce((most, { values }) => Math.max(most, ...values.map(known)), 0);
  const end = steadyEnd(run, context, plot.end(greatest));
  const mostShown = ({ values }: Measured): number => {
    const shown = values.filter((value, i) => Number.isFinite(value) && !context.hidden.has(plot.bars[i].id));
    return shown.length > 0 ? Math.max(...shown) : Number.NaN;
  };
  return rowPicture(context.theme, size, {
    items: all,
    search: { wanted: searchedFor(context), texts: each => [each.row.label] },
    row: each => barRow(plot, each, end, context),
    band: {
      value: mostShown,
      format: plot.format,
      name: ({ row }) => row.label,
      fill: () => plot.colour(context.theme),
      count: some => countHosts(some.length, context.trans),
      subject: (some, name) => ({ kind: 'workers', name, workers: some.flatMap(({ row }) => addressesOf(row)) }),
      trans: context.trans
    },
    parts: { heads: plot.bars.length > 1, axis: true, title: false },
    pitch: barPitch,
    end,
    ticks: plot.ticks,
    columns: plot.bars.map(({ name }) => ({ width: plot.figure, from: 320, head: catalogueText(context.trans, name) })),
    gutter: all.reduce((width, { row }) => Math.max(width, textWidth(row.label)), 0)
  });
}

function legend(plot: HostBars, { theme, trans }: PlotContext): readonly LegendItem[] {
  const colour = plot.colour(theme);
  return plot.bars.length < 2
    ? []
    : plot.bars.map(({ id, name }, i) => ({
        id,
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
      ...plot.bars.map(({ id, name }) => ({ id, label: catalogueText(trans, name), align: 'right' as const })),
      { id: 'workers', label: trans.__('Workers'), align: 'right' }
    ],
    rows: tableRows(measured(plot, run), ({ row, values }) => [
      { text: row.label, value: row.label },
      ...values.map(value => ({ text: plot.format(value), value })),
      { text: formatCount(row.workers.length), value: row.workers.length }
    ])
  };
}

/** The sums over all hosts as text, "12.0 MiB/s in"; hosts that do not report a value are left out, and no sum is of none. */
function totals(plot: HostBars, run: Run, trans: Translate): readonly string[] {
  const all = measured(plot, run);
  return plot.bars.map(({ name }, i) => {
    const silent = all.length > 0 && !all.some(({ values }) => Number.isFinite(values[i]));
    const sum = silent ? Number.NaN : all.reduce((whole, { values }) => whole + known(values[i]), 0);
    return `${plot.format(sum)} ${catalogueText(trans, name)}`;
  });
}

/** A plot with bars for each host. */
export function hostBars(plot: HostBars): VegaPlot {
  return {
    ...plot,
    view: 'vega',
    topics: ['meta', 'workers', ...(plot.topics ?? [])],
    options: [SORT],
    empty: noWorkers,
    acts: hostOfRow,
    picture: (run, context, size) => picture(plot, run, context, size),
    titleLine: (run, { trans }) => totals(plot, run, trans).map(text => ({ text, tone: 'strong' as const })),
    legend: (_run, context) => legend(plot, context),
    notes: plot.notes ?? (() => []),
    table: (run, context) => table(plot, run, context),
    summary: (run, { trans }) =>
      `${[catalogueText(trans, plot.title), ...totals(plot, run, trans), countHosts(hosts(run).length, trans)].join(', ')}.`
  };
}
