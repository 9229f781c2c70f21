/** Dask's MemorySampler, live: memory of the cluster over the elapsed time of each run. */
import { formatBytes, formatCount, formatDuration, formatElapsed, formatExactCount } from '../../../base/format';
import type { Run } from '../../../run/run';
import { byteTicks, niceByteEnd } from '../../../charts/axis';
import { steadyEnd } from '../../../plot/kept';
import { hiddenWords } from '../../../charts/over-time/span';
import { timePicture } from '../../../charts/over-time/data';
import { valuesThatFit } from '../../../charts/over-time/layout';
import type { TimeChart, TimeLine } from '../../../charts/over-time/model';
import { dashOf, dashWords } from '../../../charts/prefix-fill';
import { columnWidth, type Point, thinPoints } from '../../../charts/over-time/thin';
import { AXES } from '../../../plot/icon';
import type { PlotContext, TableData, TitlePart, VegaSize, VegaPlot } from '../../../plot/plot';
import { tableRows } from '../../../plot/table-rows';
import { cutMiddle } from '../../../plot/text';
import { DRAWN, figures, legendId, type NamedRun, namedRuns, PLACE, place, type Placing, startOf, valueAt } from './runs';
import { gapOf } from '../../../run/tables/memory-runs';
import { sinceStart, startHint } from '../../../selectors/moments';

/** Points of all lines together; each line gets at least a tenth. */
const POINTS = 900;
/** Time columns with a tooltip. */
const COLUMNS = 120;
/** Longest label at the end of a line. */
const LABEL = 28;

function drawn(run: Run): readonly NamedRun[] {
  return namedRuns(run).slice(-DRAWN);
}

function* points(run: NamedRun, placing: Placing): Generator<Point> {
  const gap = gapOf(run);
  let piece = 0;
  for (const [i, time] of run.times.entries()) {
    piece += time - run.times[i - 1] > gap ? 1 : 0;
    const at = placing.at(run, time);
    const value = run.values[i];
    yield { at, until: at, value, low: value, high: value, piece };
  }
}

function line(run: NamedRun, count: number, placing: Placing, { theme, hidden }: PlotContext): TimeLine {
  const most = Math.max(POINTS / 10, POINTS / (2 * count));
  return {
    id: legendId(run),
    colour: theme.prefix(run.id).colour,
    dashed: dashOf(run.id),
    line: !hidden.has(legendId(run)),
    band: false,
    moments: thinPoints(points(run, placing), columnWidth(placing.span, most)).moments,
    label: cutMiddle(run.name, LABEL)
  };
}

function hits(runs: readonly NamedRun[], placing: Placing, { trans }: PlotContext): TimeChart['hits'] {
  const { from, to } = placing.span;
  const width = (to - from) / COLUMNS;
  return Array.from({ length: COLUMNS }, (_, i) => {
    const middle = from + (i + 0.5) * width;
    const rows = runs
      .map(run => [run.name, valueAt(run, placing.time(run, middle))] as const)
      .filter(([, value]) => Number.isFinite(value))
      .map(([name, value]): [string, string] => [name, formatBytes(value)]);
    const title = formatElapsed(middle - placing.origin, 1);
    return { from: middle - width / 2, to: middle + width / 2, tooltip: { title, rows, hint: trans.__('Click: pin') } };
  }).filter(({ tooltip }) => tooltip.rows.length > 0);
}

function chart(run: Run, context: PlotContext, size: VegaSize): TimeChart {
  const all = drawn(run);
  const placing = place(all, run, context);
  const shown = all.filter(each => !context.hidden.has(legendId(each)));
  const greatest = Math.max(0, ...shown.map(each => figures(each).peak));
  const end = steadyEnd(run, context, niceByteEnd(greatest), hiddenWords(context));
  return {
    span: placing.span,
    origin: placing.origin,
    elapsed: placing.elapsed,
    end,
    ticks: byteTicks(end, valuesThatFit(size.height)),
    lines: all.map(each => line(each, all.length, placing, context)),
    limit: Number.NaN,
    limitText: '',
    hits: hits(shown, placing, context)
  };
}

function titleLine(run: Run, { trans }: PlotContext): readonly TitlePart[] {
  const runs = namedRuns(run);
  const live = runs.filter(({ stopped }) => !stopped);
  return [
    { text: trans._n('1 run', '%2 runs', runs.length, formatCount(runs.length)), tone: 'strong' },
    ...live.map(each => ({ text: trans.__('%1, latest: %2', each.name, formatBytes(figures(each).last)) }))
  ];
}

function table(run: Run, { trans }: PlotContext): TableData {
  return {
    columns: [
      { id: 'name', label: trans.__('Run'), align: 'left' },
      { id: 'state', label: trans.__('State'), align: 'left' },
      { id: 'measure', label: trans.__('Measure'), tooltip: trans.__("of Dask's MemoryState"), align: 'left' },
      { id: 'start', label: trans.__('Start'), tooltip: startHint(run, trans), align: 'right' },
      { id: 'duration', label: trans.__('Duration'), align: 'right' },
      { id: 'samples', label: trans.__('Samples'), align: 'right' },
      { id: 'interval', label: trans.__('Interval'), align: 'right' },
      { id: 'first', label: trans.__('First'), align: 'right' },
      { id: 'peak', label: trans.__('Peak'), align: 'right' },
      { id: 'mean', label: trans.__('Mean'), tooltip: trans.__('over time'), align: 'right' },
      { id: 'last', label: trans.__('Last'), align: 'right' }
    ],
    rows: tableRows(namedRuns(run), each => {
      const { duration, first, peak, mean, last } = figures(each);
      const state = each.stopped ? trans.__('done') : trans.__('samples');
      const interval = each.interval > 0 ? each.interval : Number.NaN;
      return [
        { text: each.name, value: each.name },
        { text: state, value: state, sign: each.stopped ? '■' : '●' },
        { text: each.measure || '–', value: each.measure },
        { text: sinceStart(startOf(each), run, trans), value: startOf(each) },
        { text: formatDuration(duration), value: duration },
        { text: formatExactCount(each.times.length), value: each.times.length },
        { text: formatDuration(interval), value: interval },
        ...[first, peak, mean, last].map(value => ({ text: formatBytes(value), value }))
      ];
    })
  };
}

/** Samples recorded by `MemorySampler`. */
export const memorySampler: VegaPlot = {
  id: 'memory-sampler',
  icon: `${AXES}<path fill-opacity=".4" d="M3 8l4-4.500 4 3.500 3.500-2v1.600L11 8.800 7.100 5.400 4.300 8.600 3 9.600z"/><path d="M3 11l3-3 3 1.500 5.500-5v1.800l-5.300 5-3-1.500L4.500 12H3z"/>`,
  title: 'Memory runs',
  caption: "what Dask's MemorySampler records, run beside run, live",
  group: 'memory',
  synonyms: ['memory sampler', 'ms.sample', 'compare', 'label', 'measure', 'aligned', 'peak'],
  howToRead:
    'One line for each run of MemorySampler: the memory of the whole cluster, from the start of the run. Of two ways to compute the same result, the one with the lower peak ' +
    'needs a smaller cluster. If a line does not come down at its end, something still refers to results.',
  view: 'vega',
  topics: ['meta', 'memory_samples'],
  options: [PLACE],
  empty: (run, { trans }) =>
    namedRuns(run).length > 0
      ? null
      : {
          head: trans.__('No memory runs.'),
          body: trans.__('What runs in the block "with MemorySampler().sample("name"):" appears here, while it runs.'),
          awaited: true
        },
  picture: (run, context) => timePicture(context.theme, size => chart(run, context, size)),
  titleLine,
  legend: (run, { theme, trans }) =>
    drawn(run).map(each => ({
      id: legendId(each),
      label: dashWords(each.name, each.id, trans),
      colour: theme.prefix(each.id).colour,
      pattern: 'none'
    })),
  notes: (run, { trans }) => {
    const more = namedRuns(run).length - DRAWN;
    return [
      ...(more > 0 ? [trans._n('1 earlier run not drawn', '%2 earlier runs not drawn', more, formatCount(more))] : []),
      ...(run.memoryRuns.lost > 0
        ? [
            trans._n(
              '1 earlier sample not kept',
              '%2 earlier samples not kept',
              run.memoryRuns.lost,
              formatExactCount(run.memoryRuns.lost)
            )
          ]
        : [])
    ];
  },
  table,
  summary: (run, { trans }) => {
    const parts = namedRuns(run).map(each => trans.__('%1 at most %2', each.name, formatBytes(figures(each).peak)));
    return `${[trans.__('Memory runs'), ...parts].join(', ')}.`;
  }
};
