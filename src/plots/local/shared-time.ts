/** Shared by charts of local schedulers: the time axis of the task timeline, and columns with tooltips. */
import { formatElapsed } from '../../base/format';
import type { CssPixels, Seconds } from '../../base/units';
import type { Run } from '../../run/run';
import { withFolds } from '../../run/idle-time';
import { windowOf } from '../../run/time-window';
import { SHORTEST } from '../../charts/over-time/span';
import type { TimeChart } from '../../charts/over-time/model';
import { decimalsOf, evenLength, evenTime, type Span } from '../../charts/over-time/thin';
import type { Translate } from '../../plot/plot';
import { gutterWidth } from '../../charts/time-gutter';

/** Time columns with a tooltip. */
const COLUMNS = 120;

/** The visible time span: that of the views of the run, else everything known from `first` on. */
export function sharedSpan(run: Run, first: Seconds): Span {
  const { chosen, span } = windowOf(run);
  if (span !== null) {
    return span;
  }
  if (chosen !== null) {
    return withFolds(run, chosen);
  }
  const from = Number.isFinite(first) ? first : run.origin || 0;
  const ended = run.idleSince > from;
  const to = ended ? run.idleSince : run.clock.latest;
  return withFolds(run, { from, to: Math.max(to, from + (ended ? 0.001 : SHORTEST)) });
}

/** Edges that align with those of a timeline of the same width. */
export function sharedEdges(width: CssPixels): NonNullable<TimeChart['edges']> {
  return { left: gutterWidth(width), right: 0 };
}

/** Tooltips at times that are evenly spaced on the axis. */
export function columnHits(
  span: Span,
  origin: Seconds,
  rows: (column: Span) => readonly (readonly [string, string])[],
  trans: Translate
): TimeChart['hits'] {
  const width = evenLength(span) / COLUMNS;
  const begin = evenTime(span, span.from);
  const timeAt = (even: Seconds): Seconds => span.folded?.timeOfEven(even) ?? even;
  const decimals = decimalsOf(width);
  return Array.from({ length: COLUMNS }, (_, i) => {
    const column = { from: timeAt(begin + i * width), to: timeAt(begin + (i + 1) * width) };
    const title = formatElapsed((column.from + column.to) / 2 - origin, decimals);
    return { ...column, tooltip: { title, rows: rows(column), hint: trans.__('Click: pin') } };
  }).filter(hit => hit.tooltip.rows.length > 0);
}
