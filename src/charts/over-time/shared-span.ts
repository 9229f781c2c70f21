/** The visible time of a plot that may share the axis of a visible task stream. */
import type { PlotContext, PlotOption } from '../../plot/plot';
import type { Run } from '../../run/run';
import { windowOf } from '../../run/time-window';
import { SPAN } from './courses';
import type { Span } from './thin';

/** The option for the visible time. */
export const SHARED_SPAN: PlotOption = {
  ...SPAN,
  choices: [{ value: 'stream', label: 'as in the task stream' }, ...SPAN.choices],
  initial: 'stream'
};

/** The time that a visible task stream shows, if it is chosen and there is one. */
export function streamSpan(run: Run, { options }: PlotContext): Span | null {
  return (options.span ?? SHARED_SPAN.initial) === SHARED_SPAN.initial ? windowOf(run).span : null;
}
