import { formatBytes, formatCount, formatExactCount } from '../../base/format';
import type { Seconds } from '../../base/units';
import type { HeldPoint, HeldValue } from '../../run/tables/cache';
import type { Run } from '../../run/run';
import { byteTicks, countTicks, niceByteEnd, niceEnd } from '../../charts/axis';
import { dashOf, dashWords } from '../../charts/prefix-fill';
import { visibleEnd } from '../../charts/over-time/span';
import { timePicture } from '../../charts/over-time/data';
import { valuesThatFit } from '../../charts/over-time/layout';
import type { TimeChart, TimeLine } from '../../charts/over-time/model';
import type { Moment, Span } from '../../charts/over-time/thin';
import { AXES } from '../../plot/icon';
import type { LegendItem, PlotContext, PlotOption, TableData, TitlePart, VegaSize, VegaPlot } from '../../plot/plot';
import { prefixLegend } from '../../selectors/tasks/task-legend';
import { oneLine } from '../../plot/text';
import { localFacts } from '../../selectors/local/facts';
import { columnHits, sharedEdges, sharedSpan } from './shared-time';
import { sinceStart, startHint } from '../../selectors/moments';
import { emptyText } from '../../selectors/local/words';

/** Time columns per line; each is drawn with its minimum and maximum. */
const COLUMNS = 120;

const METRIC: PlotOption = {
  id: 'metric',
  label: 'Value',
  choices: [
    { value: 'count', label: 'results' },
    { value: 'nbytes', label: 'size' }
  ],
  initial: 'count'
};

/** The measure that is drawn: how to read it from a point, format it and divide its axis. */
interface Metric {
  readonly by: HeldValue;
  readonly value: (point: HeldPoint) => number;
  readonly format: (value: number) => string;
  readonly end: (greatest: number) => number;
  readonly ticks: typeof countTicks;
}

const COUNT: Metric = { by: 'count', value: point => point.count, format: formatCount, end: niceEnd, ticks: countTicks };
const BYTES: Metric = { by: 'nbytes', value: point => point.nbytes, format: formatBytes, end: niceByteEnd, ticks: byteTicks };
/** The unit of a custom metric is unknown, so it is shown as a plain number. */
const OTHER: Metric = { ...COUNT, by: 'nbytes', value: point => point.nbytes };

function metricOf(run: Run, { options }: PlotContext): Metric {
  if (options.metric !== 'nbytes') {
    return COUNT;
  }
  const metric = localFacts(run)?.metric ?? '';
  return metric === '' || /bytes|size/i.test(metric) ? BYTES : OTHER;
}

function nameOf(run: Run, prefix: number): string {
  return oneLine(String(run.prefixNames[prefix] ?? ''));
}

function first(run: Run): Seconds {
  const starts = run.cache.prefixes.map(prefix => run.cache.point(prefix, 0).time);
  return Math.min(run.origin || Number.POSITIVE_INFINITY, ...starts);
}

/** The steps of a function within a time span; if there are too many, the minimum and maximum of each column. */
function moments(run: Run, prefix: number, { from, to }: Span, { value, by }: Metric): readonly Moment[] {
  const { cache: held } = run;
  const [low, high] = [held.upTo(prefix, from), held.upTo(prefix, to)];
  const found: Moment[] = [];
  let now = value(held.at(prefix, from));
  let piece = 0;
  const step = (at: Seconds, next: number): void => {
    // No line where the value is zero: the lines of many functions would overlap each other and the axis.
    piece += now === 0 && next > 0 ? 1 : 0;
    // A value holds until the next one: two points for each change.
    for (const here of now === 0 && next === 0 ? [] : [now, next]) {
      found.push({ at, value: here, low: here, high: here, piece });
    }
    now = next;
  };
  step(from, now);
  const every = high - low > 2 * COLUMNS ? Math.ceil((high - low) / COLUMNS) : 1;
  for (let i = low; i < high; i += every) {
    const end = Math.min(i + every, high);
    for (const at of every === 1 ? [i] : held.extremes(prefix, i, end, by)) {
      const point = held.point(prefix, at);
      step(point.time, value(point));
    }
  }
  step(to, now);
  return found;
}

function line(run: Run, prefix: number, span: Span, metric: Metric, { theme, hidden }: PlotContext): TimeLine {
  const id = prefixLegend(prefix);
  const { colour } = theme.prefix(prefix);
  return {
    id,
    colour,
    dashed: dashOf(prefix),
    line: !hidden.has(id),
    band: false,
    moments: moments(run, prefix, span, metric)
  };
}

function chart(run: Run, context: PlotContext, size: VegaSize): TimeChart {
  const metric = metricOf(run, context);
  const span = sharedSpan(run, first(run));
  const lines = run.cache.prefixes.map(prefix => line(run, prefix, span, metric, context));
  const greatest = lines.reduce((most, each) => (each.line ? Math.max(most, ...each.moments.map(at => at.value)) : most), 0);
  const end = visibleEnd(run, context, metric.end(greatest), context.options.metric);
  const origin = run.origin || span.from;
  return {
    span,
    origin,
    end,
    ticks: metric.ticks(end, valuesThatFit(size.height)),
    edges: sharedEdges(size.width),
    // Nothing is known after the current time, although a timeline may extend beyond it.
    lines: lines.map(each => ({ ...each, moments: each.moments.filter(at => at.at <= Math.max(run.clock.latest, span.from)) })),
    limit: Number.NaN,
    limitText: '',
    hits: columnHits(span, origin, column => (column.from > run.clock.latest ? [] : heldRows(run, column, metric)), context.trans)
  };
}

/** The functions with a value at the end of a column, largest first. */
function heldRows(run: Run, { to }: Span, metric: Metric): readonly (readonly [string, string])[] {
  return run.cache.prefixes
    .map(prefix => ({ prefix, value: metric.value(run.cache.at(prefix, to)) }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
    .slice(0, 12)
    .map(({ prefix, value }) => [nameOf(run, prefix), metric.format(value)] as const);
}

function newestOf(run: Run, prefix: number): HeldPoint {
  return run.cache.point(prefix, run.cache.length(prefix) - 1);
}

function totals(run: Run): { readonly count: number; readonly nbytes: number } {
  const points = run.cache.prefixes.map(prefix => newestOf(run, prefix));
  return {
    count: points.reduce((sum, point) => sum + point.count, 0),
    nbytes: points.reduce((sum, point) => sum + point.nbytes, 0)
  };
}

function peak(run: Run, prefix: number, { by, value }: Metric): number {
  const { cache } = run;
  return Math.max(0, ...cache.extremes(prefix, 0, cache.length(prefix), by).map(at => value(cache.point(prefix, at))));
}

function titleLine(run: Run, { trans }: PlotContext): readonly TitlePart[] {
  const { count, nbytes } = totals(run);
  const parts: TitlePart[] = [{ text: trans._n('1 result held', '%2 results held', count, formatCount(count)), tone: 'strong' }];
  const metric = localFacts(run)?.metric ?? '';
  if (metric !== '') {
    parts.push({ text: trans.__('metric: %1', oneLine(metric)) });
  } else if (nbytes > 0) {
    parts.push({ text: trans.__('≥ %1', formatBytes(nbytes)) });
  }
  return parts;
}

function legend(run: Run, { theme, trans }: PlotContext): readonly LegendItem[] {
  return run.cache.prefixes.map(prefix => ({
    id: prefixLegend(prefix),
    label: dashWords(nameOf(run, prefix), prefix, trans),
    colour: theme.prefix(prefix).colour,
    pattern: 'none'
  }));
}

function table(run: Run, context: PlotContext): TableData {
  const { trans } = context;
  const metric = metricOf(run, { ...context, options: { metric: 'nbytes' } });
  return {
    columns: [
      { id: 'function', label: trans.__('Function'), align: 'left' },
      { id: 'now', label: trans.__('Held'), tooltip: trans.__('results held now'), align: 'right' },
      { id: 'peak', label: trans.__('Peak'), tooltip: trans.__('results held at once'), align: 'right' },
      { id: 'size', label: trans.__('Peak size'), tooltip: trans.__('as far as sizes are known'), align: 'right' },
      { id: 'first', label: trans.__('First'), tooltip: startHint(run, trans), align: 'right' }
    ],
    rows: run.cache.prefixes.map(prefix => {
      const name = nameOf(run, prefix);
      const [most, size] = [COUNT, metric].map(each => peak(run, prefix, each));
      const first = run.cache.point(prefix, 0).time;
      return {
        id: String(prefix),
        cells: [
          { text: name, value: name },
          { text: formatExactCount(newestOf(run, prefix).count), value: newestOf(run, prefix).count },
          { text: formatExactCount(most), value: most },
          { text: metric.format(size), value: size },
          { text: sinceStart(first, run, trans, 1), value: first - run.origin }
        ]
      };
    })
  };
}

/** Number of results of each function that a local scheduler keeps over time. */
export const localCache: VegaPlot = {
  id: 'local-cache',
  icon: `${AXES}<path d="M3 11h2V8h2V5h2V3h2.200v6H14v1.200H10V4.200h-.800v2H8v3H6.200v3H3z"/>`,
  title: 'Local cache',
  caption: 'results that a local scheduler holds, by function, over time',
  group: 'local',
  about: 'local',
  synonyms: ['local scheduler', 'cache profiler', 'held', 'results', 'intermediate', 'reduction', 'memory'],
  howToRead:
    'One line for each function, in its colour in the tasks: how many of its results the scheduler holds because a later task needs them. ' +
    'A line that rises and falls sharply is a reduction that needed all of them at the same time: this uses much memory. ' +
    'Results that you requested are held until the end. Sizes are known only for arrays and plain values.',
  topics: ['meta', 'tasks', 'cache'],
  view: 'vega',
  options: [METRIC],
  sharesTime: true,
  empty: (run, { trans }) => (run.cache.prefixes.length > 0 ? null : emptyText(run, trans.__('No results are held.'), trans)),
  picture: (run, context) => timePicture(context.theme, size => chart(run, context, size)),
  titleLine,
  legend,
  notes: (run, { trans }) =>
    run.cache.lost > 0
      ? [trans._n('1 earlier change not kept', '%2 earlier changes not kept', run.cache.lost, formatCount(run.cache.lost))]
      : [],
  table,
  summary: (run, { trans }) => {
    const { count } = totals(run);
    const functions = run.cache.prefixes.length;
    return trans.__(
      'Local cache: %1, %2.',
      trans._n('1 result held', '%2 results held', count, formatCount(count)),
      trans._n('1 function', '%2 functions', functions, formatCount(functions))
    );
  }
};
