/** Options of the task stream, which its view reads, and what they mean for its figures. */
import { formatCount, formatDuration, formatPercent } from '../../base/format';
import { PAUSES } from '../../charts/over-time/span';
import type { PlotContext, PlotOption } from '../../plot/plot';
import { longest } from '../../run/folded-time';
import { pausesOfExecutions, unobservedIn } from '../../run/idle-time';
import { type Pause, pausedIn } from '../../run/lanes/busy-periods';
import type { Run } from '../../run/run';
import type { Period } from '../../run/selection/selection';
import { busyShareIn } from '../../selectors/selection/thread-use';

const ORDER: PlotOption = {
  id: 'order',
  label: 'Order',
  choices: [
    { value: 'name', label: 'by name' },
    { value: 'busiest', label: 'busiest first' },
    { value: 'idlest', label: 'least busy first' },
    { value: 'first', label: 'first to begin' },
    { value: 'tasks', label: 'most tasks first' },
    { value: 'memory', label: 'most memory first' }
  ],
  initial: 'name'
};

const ARROWS: PlotOption = {
  id: 'arrows',
  label: 'Dependencies',
  choices: [
    { value: 'on', label: 'arrows at the picked task' },
    { value: 'off', label: 'no arrows' }
  ],
  initial: 'on'
};

/** In the order of the status line. */
export const STREAM_OPTIONS: readonly PlotOption[] = [PAUSES, ORDER, ARROWS];

/** The idle periods that busy shares leave out: those that the picture may fold. */
function foldedPauses(run: Run, { options }: PlotContext): readonly Pause[] {
  return options.pauses === 'even' ? [] : longest(pausesOfExecutions(run));
}

/** What the busy shares of the workers leave out. */
export function idleNotes(run: Run, context: PlotContext): readonly string[] {
  const { trans } = context;
  const pauses = foldedPauses(run, context);
  const length = formatDuration(pauses.reduce((sum, { from, to }) => sum + to - from, 0));
  const unobserved = unobservedIn(run, pauses);
  if (unobserved > 0) {
    return [
      trans._n(
        '1 period in which nothing ran (%3) folded; busy shares leave it out; %4 of it were not observed: the scheduler did not answer',
        '%2 periods in which nothing ran (%3) folded; busy shares leave them out; %4 of them were not observed: the scheduler did not answer',
        pauses.length,
        formatCount(pauses.length),
        length,
        formatDuration(unobserved)
      )
    ];
  }
  return pauses.length === 0
    ? []
    : [
        trans._n(
          '1 idle period (%3) folded; busy shares leave it out',
          '%2 idle periods (%3) folded; busy shares leave them out',
          pauses.length,
          formatCount(pauses.length),
          length
        )
      ];
}

/** The busy share of a period, without its idle parts, and the length of it, found in steps of some lanes. */
export function* busyParts(
  run: Run,
  period: Period,
  context: PlotContext
): Generator<void, readonly [share: string, length: string], void> {
  const { from, to } = period;
  const pauses = foldedPauses(run, context);
  const [length, paused] = [formatDuration(to - from), pausedIn(pauses, from, to)];
  return [
    formatPercent(yield* busyShareIn(run, period, pauses)),
    paused > 0 ? context.trans.__('%1 without the %2 in which nothing ran', length, formatDuration(paused)) : length
  ];
}
