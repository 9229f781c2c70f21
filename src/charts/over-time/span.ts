/** The visible time of a chart: its own, that of a visible task stream, or a period that the user has gone to. */
import { formatElapsed } from '../../base/format';
import type { Seconds } from '../../base/units';
import { steadyEnd } from '../../plot/kept';
import type { PlotContext, PlotOption, TitlePart, Translate } from '../../plot/plot';
import { pausesOf, withFolds } from '../../run/idle-time';
import type { Run } from '../../run/run';
import type { Period } from '../../run/selection/selection';
import { windowOf } from '../../run/time-window';
import type { Span } from './thin';
import { sinceStartWords } from '../../selectors/moments';

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

const FOLDED = 'folded';

/** The option for pauses. */
export const PAUSES: PlotOption = {
  id: 'pauses',
  label: 'Idle time',
  choices: [
    { value: FOLDED, label: 'idle time folded' },
    { value: 'even', label: 'idle time shown' }
  ],
  initial: FOLDED
};

/** The same for charts: as long as a run has no pause there is nothing to choose. */
export const CHART_PAUSES: PlotOption = { ...PAUSES, offered: run => pausesOf(run).length > 0 };

/** {@link SPAN} for plots that belong to a task stream. */
export const SHARED_SPAN: PlotOption = { ...SPAN, initial: STREAM.value };

/**
 * The time that a chart shares with other views: the period that the user has gone to in any of them, else, if it is chosen,
 * what a visible task stream shows. `null` if there is neither.
 *
 * @param option - that of the plot
 */
export function commonSpan(run: Run, context: PlotContext, option = SHARED_SPAN): Span | null {
  const { chosen, span } = windowOf(run);
  const common = chosen ?? (isStreams(context, option) ? span : null);
  // A visible task stream has folded it.
  return common === null || (span !== null && foldsPauses(context)) ? common : foldedSpan(run, context, common);
}

function foldsPauses({ options }: PlotContext): boolean {
  return (options[PAUSES.id] ?? PAUSES.initial) === FOLDED;
}

/** A span with its pauses folded, unless they are to be shown at their length. */
export function foldedSpan(run: Run, context: PlotContext, { from, to }: Period): Span {
  return foldsPauses(context) ? withFolds(run, { from, to }) : { from, to };
}

/** Whether a chart with the option {@link SHARED_SPAN} has the edges of a visible task stream. */
export function alignsWithStream(run: Run, context: PlotContext): boolean {
  return isStreams(context, SHARED_SPAN) && windowOf(run).span !== null;
}

function isStreams({ options }: PlotContext, option: PlotOption): boolean {
  return (options.span ?? option.initial) === STREAM.value;
}

/** All that is known of a run, from its first task or measurement; `null` while nothing is. */
export function knownTime(run: Run): Period | null {
  const first = run.series.column('time').find(Number.isFinite) ?? Number.POSITIVE_INFINITY;
  const from = Math.min(first, run.tasks.firstStart, run.running.earliest);
  const to = Math.max(run.clock.latest, run.tasks.lastEnd);
  return from < to && Number.isFinite(from) ? { from, to } : null;
}

/** A visible time up to now: nothing later is known at the moment that the run shows. */
export function untilNow(span: Span, run: Run): Span {
  const now = run.clock.latest;
  return span.to < now ? { ...span, goesOn: true } : { ...span, to: now };
}

/** Why there are no figures, if the visible time is later than the moment that the run shows. */
export function laterThanShown(run: Run, span: Period | null, trans: Translate): readonly TitlePart[] {
  const now = run.clock.latest;
  return span !== null && span.from > now
    ? [{ text: trans.__('this period is later than %1', formatElapsed(now - run.origin, 1)) }]
    : [];
}

/** The newest measurement of a visible time. */
export interface Measured {
  readonly to: Seconds;
  /** Whether it does not hold any more: whatever was measured has gone, or cannot be measured since. */
  readonly over?: boolean;
}

/** When figures were measured, if that is not now; empty otherwise. */
export function measuredWords(run: Run, span: Period, { to, over = false }: Measured, trans: Translate): readonly string[] {
  // Between two measurements, the figures are those of the first.
  const at = over || to < span.from ? to : span.to;
  return at < run.clock.latest - 1 ? [trans.__('at %1', formatElapsed(at - run.origin, 1))] : [];
}

/** A title: figures, and when they were measured if that is not now. */
export function measuredTitle(
  run: Run,
  span: Period | null,
  parts: readonly TitlePart[],
  measured: Measured,
  trans: Translate
): readonly TitlePart[] {
  const later = laterThanShown(run, span, trans);
  if (later.length > 0 || span === null || parts.length === 0) {
    return later.length > 0 ? later : parts;
  }
  return [...parts, ...measuredWords(run, span, measured, trans).map(text => ({ text }))];
}

/**
 * The end of an axis over the visible time, as {@link steadyEnd}; of a period that the user has gone to, the end that fits it: an
 * earlier peak would flatten it, and time may not pass. So would what the legend hides.
 */
export function visibleEnd(run: Run, context: PlotContext, wanted: number, axis = ''): number {
  return windowOf(run).chosen === null ? steadyEnd(run, context, wanted, `${axis} ${hiddenWords(context)}`) : wanted;
}

/** For the name of an axis that fits what the legend shows. */
export function hiddenWords({ hidden }: Pick<PlotContext, 'hidden'>): string {
  return [...hidden].sort().join(' ');
}

/** What all views of a run say while they show a period that the user has gone to. */
export function periodNotes(run: Run, trans: Translate): readonly string[] {
  const { chosen } = windowOf(run);
  if (chosen === null) {
    return [];
  }
  const decimals = Math.max(1, Math.min(3, Math.ceil(1 - Math.log10(chosen.to - chosen.from))));
  const [from, to] = [chosen.from, chosen.to].map(time => sinceStartWords(time, run, trans, decimals));
  return [trans.__('only the time from %1 to %2', from, to)];
}

/** What is not as it was measured of all workers: means, and what is not kept. */
export function seriesNotes(run: Run, span: Period | null, trans: Translate): readonly string[] {
  const { series, origin } = run;
  const { lost, meansUntil } = series;
  return [
    ...(lost > 0 ? [trans._n('1 earlier measurement not kept', '%2 earlier measurements not kept', lost, lost)] : []),
    ...(span !== null && span.from < meansUntil
      ? [trans.__('before %1: means of several seconds', formatElapsed(meansUntil - origin))]
      : [])
  ];
}

/** The time of all measurements; `null` before the first. A paused view ends at its pause. */
export function wholeSpan(run: Run): Span | null {
  const from = run.series.column('time').find(Number.isFinite);
  const now = run.clock.latest;
  return from === undefined || from > now ? null : { from, to: Math.max(now, from + SHORTEST) };
}

/** The time that a chart shows by itself; `null` before the first measurement. */
export function spanOf(run: Run, context: PlotContext): Span | null {
  const { options } = context;
  const whole = wholeSpan(run);
  if (whole === null) {
    return null;
  }
  const now = run.clock.latest;
  const from = Math.max(whole.from, now - Number(options.span ?? SPAN.initial) || Number.NEGATIVE_INFINITY);
  return foldedSpan(run, context, { from, to: Math.max(now, from + SHORTEST) });
}

/** The visible time of a chart with the option {@link SPAN}; `null` before the first measurement. */
export function visibleSpan(run: Run, context: PlotContext): Span | null {
  const own = spanOf(run, context);
  return own === null ? null : (commonSpan(run, context, SPAN) ?? own);
}
