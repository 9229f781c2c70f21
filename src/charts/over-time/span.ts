/** The visible time of a chart, which may be that of a visible task stream. */
import type { Seconds } from '../../base/units';
import type { PlotContext, PlotOption } from '../../plot/plot';
import type { Run } from '../../run/run';
import { windowOf } from '../../run/time-window';
import type { Span } from './thin';

/** Shortest time axis: over less, noise would look like a trend. */
export const SHORTEST: Seconds = 10;

const STREAM = { value: 'stream', label: 'as in the task stream' };

/** The option for the visible time. */
export const SPAN: PlotOption = {
  id: 'span',
  label: 'Time',
  choices: [
    { value: 'whole', label: 'whole run' },
    { value: '3600', label: 'last hour' },
    { value: '600', label: 'last 10 minutes' },
    { value: '60', label: 'last minute' },
    STREAM
  ],
  initial: 'whole'
};

/** The same, for plots that belong to a task stream. */
export const SHARED_SPAN: PlotOption = { ...SPAN, initial: STREAM.value };

/**
 * The time that a visible task stream shows, if it is chosen and there is one.
 *
 * @param option - that of the plot
 */
export function streamSpan(run: Run, { options }: PlotContext, option = SHARED_SPAN): Span | null {
  return (options.span ?? option.initial) === STREAM.value ? windowOf(run).span : null;
}

/** The visible time; `null` before the first measurement. A paused view ends at its pause. */
export function spanOf(run: Run, { options }: PlotContext): Span | null {
  const first = run.series.column('time').find(Number.isFinite);
  const now = run.clock.latest;
  if (first === undefined || first > now) {
    return null;
  }
  const from = Math.max(first, now - Number(options.span ?? SPAN.initial) || Number.NEGATIVE_INFINITY);
  return { from, to: Math.max(now, from + SHORTEST) };
}

/** The visible time of a chart with the option {@link SPAN}; `null` before the first measurement. */
export function visibleSpan(run: Run, context: PlotContext): Span | null {
  const own = spanOf(run, context);
  return own === null ? null : (streamSpan(run, context, SPAN) ?? own);
}
