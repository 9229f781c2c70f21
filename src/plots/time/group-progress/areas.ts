/** The areas of a picture: the visible time, the functions in it, and how they are stacked. */
import { formatCount } from '../../../base/format';
import { type Colour, mix, PREFIX_COLOURS, type Theme } from '../../../base/theme';
import type { Seconds } from '../../../base/units';
import type { TimeChart, TimeLine } from '../../../charts/over-time/model';
import { alignsWithStream, commonSpan, foldedSpan, spanOf } from '../../../charts/over-time/span';
import { columnWidth, decimalsOf, type Moment, type Span } from '../../../charts/over-time/thin';
import type { PlotContext, Translate } from '../../../plot/plot';
import { oneLine } from '../../../plot/text';
import type { Run } from '../../../run/run';
import { type BusyThreads, busyThreads, foremost, type FunctionThreads, threadsIn } from '../../../selectors/tasks/busy-threads';
import { prefixLegend } from '../../../selectors/tasks/task-legend';
import { sinceStartWords } from '../../../selectors/moments';

/** Functions with an area of their own: those with the most time in what is visible. */
const NAMED = 8;
const COLUMNS = 80;
/** Columns with those of folded pauses. */
const MOST_COLUMNS = 400;
const OTHERS = 'others';
const OPACITY = 0.8;

/** What a picture shows. */
export interface Shown extends Span {
  readonly busy: BusyThreads;
  /** Whether the axis is that of a visible timeline. */
  readonly shared: boolean;
}

/** The visible time and its threads; `null` before the first task. */
export function shownOf(run: Run, context: PlotContext): Shown | null {
  const shared = commonSpan(run, context);
  const { firstStart } = run.tasks;
  const begin = Math.min(firstStart, run.running.earliest);
  if (!Number.isFinite(begin)) {
    return null;
  }
  const own = spanOf(run, context);
  const now = Math.max(run.clock.latest, begin + 1e-3);
  const period = { from: Math.max(begin, own?.from ?? begin), to: Math.max(now, own?.to ?? now) };
  const span: Span = shared ?? foldedSpan(run, context, period);
  const seen = span.to > span.from ? span : { from: begin, to: now };
  return { ...seen, shared: alignsWithStream(run, context), busy: busyThreads(run, seen, widthIn(seen)) };
}

/** Width of the columns of a period. */
export function widthIn(span: Span): Seconds {
  // Where pauses are folded, what is between them needs narrower columns; those of the pauses have no threads.
  return Math.max(columnWidth(span, COLUMNS), (span.to - span.from) / MOST_COLUMNS);
}

/** A function's name on one line. */
export function nameOf(run: Run, prefix: number): string {
  return oneLine(String(run.prefixNames[prefix] ?? '')) || '?';
}

/** A function's colour; areas have no patterns, so a repeated colour is paler, then darker. */
function colourOf(theme: Theme, prefix: number): Colour {
  const { colour } = theme.prefix(prefix);
  const repeated = Math.floor(prefix / PREFIX_COLOURS) % 3;
  return repeated === 0 ? colour : mix(colour, repeated === 1 ? theme.background : theme.text, 0.45);
}

/** The area of a function, or of the others. */
export interface Area {
  readonly id: string;
  readonly label: string;
  readonly colour: Colour;
  readonly of: Pick<FunctionThreads, 'prefix' | 'seconds' | 'total'>;
}

/** Functions that the legend hides and that have no time in what is visible. */
function hiddenWithoutTime(run: Run, { functions, count }: BusyThreads, hidden: ReadonlySet<string>): FunctionThreads[] {
  const present = new Set(functions.map(({ prefix }) => prefix));
  return [...run.prefixNames.keys()]
    .filter(prefix => hidden.has(prefixLegend(prefix)) && !present.has(prefix))
    .map(prefix => ({ prefix, seconds: new Float64Array(count), total: 0, time: 0 }));
}

/** Areas from the bottom to the top. */
export function areas(run: Run, { busy }: Shown, { theme, trans, hidden }: PlotContext): readonly Area[] {
  // What the legend hides stays in it, whatever the time is, and comes back with no other function.
  const functions = [...busy.functions, ...hiddenWithoutTime(run, busy, hidden)];
  const { named, others, left } = foremost({ ...busy, functions }, NAMED, ({ prefix }) => hidden.has(prefixLegend(prefix)));
  const all = named.map(of => ({
    id: prefixLegend(of.prefix),
    label: nameOf(run, of.prefix),
    colour: colourOf(theme, of.prefix),
    of
  }));
  const label = trans._n('1 other function', '%2 other functions', left, formatCount(left));
  return others === null ? all : [...all, { id: OTHERS, label, colour: theme.textSecondary, of: others }];
}

/** Areas on top of each other, each as steps; a period without time has none. */
export function stacked(
  all: readonly Area[],
  { busy }: Shown,
  hidden: ReadonlySet<string>
): { lines: TimeLine[]; greatest: number } {
  const base = new Float64Array(busy.count);
  let greatest = 0;
  const lines = all
    .filter(area => !hidden.has(area.id))
    .map(({ id, colour, of }): TimeLine => {
      const moments: Moment[] = [];
      let piece = 0;
      for (let i = 0; i < busy.count; i++) {
        const threads = threadsIn(busy, of.seconds, i) || 0;
        if (threads <= 0) {
          piece += 1;
          continue;
        }
        const [low, high] = [base[i], base[i] + threads];
        base[i] = high;
        greatest = Math.max(greatest, high);
        for (const at of [busy.from + i * busy.width, busy.from + (i + 1) * busy.width]) {
          moments.push({ at, value: high, low, high, piece });
        }
      }
      return { id, colour, dashed: false, line: false, band: true, bandOpacity: OPACITY, moments };
    });
  return { lines, greatest };
}

/** A line within a period. */
export function clip(line: TimeLine, { from, to }: Span): TimeLine {
  const moments = line.moments.map(each => ({ ...each, at: Math.min(Math.max(each.at, from), to) }));
  return { ...line, moments };
}

/**
 * What the tooltip shows for columns: the areas from the top to the bottom.
 *
 * @param first - rows above those of the areas
 * @param textOf - a value of an area in a column
 */
export function hits(
  run: Run,
  { busy, from, to }: Shown,
  all: readonly Area[],
  trans: Translate,
  textOf: (value: number) => string,
  first: (column: number) => readonly (readonly [string, string])[] = () => []
): TimeChart['hits'] {
  const decimals = decimalsOf(busy.width);
  return Array.from({ length: busy.count }, (_, i) => i)
    .filter(i => busy.passed[i] > 0)
    .map(i => {
      const [begin, end] = [busy.from + i * busy.width, busy.from + (i + 1) * busy.width];
      const rows = [...all].reverse().flatMap(({ label, of }): [string, string][] => {
        const value = threadsIn(busy, of.seconds, i);
        return value > 0 ? [[label, textOf(value)]] : [];
      });
      return {
        from: Math.max(begin, from),
        to: Math.min(end, to),
        tooltip: {
          title: `${sinceStartWords(begin, run, trans, decimals)} – ${sinceStartWords(end, run, trans, decimals)}`,
          rows: [...first(i), ...rows],
          hint: trans.__('Click: pin')
        }
      };
    })
    .filter(hit => hit.to > hit.from);
}
