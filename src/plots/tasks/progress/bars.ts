/** One bar of progress, its figures and its tooltip. */
import { formatCount, formatEstimate, formatExactCount, formatPercent, formatRate, UNKNOWN } from '../../../base/format';
import { type Colour, mix, type Pattern, type Theme } from '../../../base/theme';
import type { BarColumn, BarRow, BarSegment } from '../../../charts/bars';
import { repetition } from '../../../charts/prefix-fill';
import type { PlotContext, TooltipContent, Translate } from '../../../plot/plot';
import type { Run } from '../../../run/run';
import type { RowCounts } from '../../../selectors/computations/group-counts';
import { errorsOf } from '../../../selectors/errors/link';
import {
  countsOfPrefix,
  functionSubject,
  knowsAllTasks,
  type PrefixCounts,
  taskCountText
} from '../../../selectors/tasks/prefix-counts';
import { type Rate, rateOf } from '../../../selectors/rates/rates';
import { textWidth } from '../../../plot/text';

/** How far the colour of released tasks is blended with the background (`docs/look.md`, "Colours"). */
export const RELEASED = 0.55;

/** Only functions have a rate. */
export function speedOf(run: Run, counts: RowCounts): Rate {
  return counts.kind === 'function' ? rateOf(run, counts) : { perSecond: Number.NaN, left: Number.NaN };
}

/** The columns on the right: erred, done of all, rate, time left. */
export function columns(run: Run, trans: Translate, counts: readonly RowCounts[]): BarColumn[] {
  const widest = (text: (each: PrefixCounts) => string, least: number): number =>
    counts.reduce((most, each) => Math.max(most, textWidth(text(each)) + 10), least);
  const rated = counts.every(({ kind }) => kind === 'function');
  return [
    { width: counts.some(each => each.erred > 0) ? widest(erredText, 24) : 0, from: 0 },
    { width: widest(each => doneText(run, each), 66), head: trans.__('done / all'), from: 240 },
    { width: rated ? 50 : 0, head: trans.__('rate'), from: 420 },
    { width: rated ? 60 : 24, head: rated ? trans.__('left') : '', from: 340 }
  ];
}

function erredText({ erred }: PrefixCounts): string {
  return erred > 0 ? `✕ ${formatCount(erred)}` : '';
}

function doneText(run: Run, { done, all }: PrefixCounts): string {
  return `${formatCount(done)} / ${taskCountText(run, all)}`;
}

/** Results in memory; `≤` where some may be of another computation. */
export function memoryText(
  { memory, memoryKnown }: Pick<PrefixCounts, 'memory' | 'memoryKnown'>,
  format: typeof formatCount
): string {
  return `${memoryKnown || memory === 0 ? '' : '≤ '}${format(memory)}`;
}

/** Unfinished tasks by state; `≥` and `≤` where it is not known which of them are in it. */
export function stateTexts(
  {
    active,
    statesKnown,
    ...counts
  }: Pick<PrefixCounts, 'active' | 'statesKnown' | 'processing' | 'queued' | 'noWorker' | 'waiting'>,
  format: typeof formatCount
): Readonly<Record<'processing' | 'queued' | 'noWorker' | 'waiting', string>> {
  const [least, most] = statesKnown || active === 0 ? ['', ''] : ['≥ ', '≤ '];
  return {
    processing: `${least}${format(counts.processing)}`,
    queued: `${least}${format(counts.queued)}`,
    noWorker: `${least}${format(counts.noWorker)}`,
    waiting: `${most}${format(counts.waiting)}`
  };
}

/** Time left; a sign once everything has ended. */
export function leftText(run: Run, { active, erred, kind }: RowCounts, rate: Rate): string {
  if (active > 0) {
    return kind === 'function' ? formatEstimate(rate.left) : '';
  }
  return erred > 0 || !knowsAllTasks(run) ? UNKNOWN : '✓';
}

/** Colour of a row: that of its function. */
function lookOf({ prefix }: RowCounts, theme: Theme): { readonly colour: Colour; readonly pattern: Pattern } {
  return prefix < 0 ? { colour: theme.worker.busy, pattern: 'none' } : theme.prefix(prefix);
}

/** A stacked bar: its full length is all tasks of the row. */
function segments(counts: RowCounts, { theme, hidden }: PlotContext): BarSegment[] {
  const { colour } = lookOf(counts, theme);
  const share = (id: string, count: number): number => (hidden.has(id) ? 0 : count / counts.all);
  const released = mix(colour, theme.background, RELEASED);
  return [
    { size: share('released', counts.released), fill: counts.kind === 'span' ? colour : released },
    { size: share('memory', counts.memory), fill: colour, ...(counts.prefix < 0 ? {} : repetition(theme, counts.prefix)) },
    { size: share('erred', counts.erred), fill: theme.erred.colour, pattern: 'cross-hatch', ink: theme.background, least: 3 },
    { size: share('processing', counts.processing), fill: mix(colour, theme.background, 0.75), pattern: 'diagonal', ink: colour },
    { size: share('queued', counts.queued), fill: theme.track, pattern: 'diagonal', ink: theme.task.queued },
    { size: share('no-worker', counts.noWorker), fill: theme.background, pattern: 'cross-hatch', ink: theme.task['no-worker'] }
  ];
}

/** What a click does. */
function hintOf({ kind }: RowCounts, trans: Translate): string {
  switch (kind) {
    case 'function':
      return trans.__('Click: pin, select its tasks');
    case 'group':
      return trans.__('Click: pin, select the tasks of its function');
    case 'span':
      return trans.__('Click: pin');
  }
}

function stateRows(run: Run, counts: RowCounts, trans: Translate): TooltipContent['rows'] {
  const exact = (name: string, count: number): [string, string] => [name, formatExactCount(count)];
  const unbegun = (name: string, count: string): [string, string] => [name, knowsAllTasks(run) ? count : UNKNOWN];
  const all: [string, string] = [trans.__('All'), taskCountText(run, counts.all, formatExactCount)];
  if (counts.kind === 'span') {
    return [
      all,
      exact(trans.__('Done'), counts.done),
      exact(trans.__('Erred'), counts.erred),
      exact(trans.__('Not done yet'), counts.active)
    ];
  }
  const { processing, queued, noWorker, waiting } = stateTexts(counts, formatExactCount);
  return [
    all,
    exact(trans.__('Released'), counts.released),
    [trans.__('In memory'), memoryText(counts, formatExactCount)],
    exact(trans.__('Erred'), counts.erred),
    [trans.__('Processing'), processing],
    unbegun(trans.__('Queued'), queued),
    unbegun(trans.__('No worker fits'), noWorker),
    [trans.__('Waiting'), waiting]
  ];
}

/** The row of what has counts. */
export function progressRow(run: Run, counts: RowCounts, context: PlotContext): BarRow {
  const { theme, trans } = context;
  const { colour, pattern } = lookOf(counts, theme);
  const speed = speedOf(run, counts);
  const subject = functionSubject(run, counts.prefix);
  return {
    label: { text: counts.label },
    track: 1,
    bars: [{ segments: segments(counts, context), frame: { to: 1, colour } }],
    figures: [
      { text: erredText(counts), strong: true },
      { text: doneText(run, counts), strong: counts.done < counts.all },
      { text: counts.active === 0 || !(speed.perSecond > 0) ? '' : formatRate(speed.perSecond), colour: theme.textSecondary },
      { text: leftText(run, counts, speed), colour: theme.textSecondary }
    ],
    tooltip: {
      title: counts.label,
      ...(subject === null ? {} : { subject }),
      state: trans.__('%1 done', knowsAllTasks(run) ? formatPercent(counts.done / counts.all) : doneText(run, counts)),
      colour,
      pattern,
      rows: [
        ...stateRows(run, counts, trans),
        ...(counts.kind === 'function'
          ? ([
              [counts.active > 0 ? trans.__('Rate, last 10 s') : trans.__('Rate at its end'), formatRate(speed.perSecond)],
              [trans.__('Time left'), leftText(run, counts, speed)]
            ] as const)
          : []),
        ...everRows(run, counts, trans),
        ...(counts.kind === 'group' ? functionRow(run, counts, trans) : [])
      ],
      hint: hintOf(counts, trans),
      ...(counts.ever.erred > 0 && counts.prefix >= 0
        ? { links: [{ label: trans.__('Errors'), ...errorsOf(run, counts.prefix) }] }
        : {})
    }
  };
}

/** All tasks of the function of a group, of which the group may be a part that Dask has not forgotten. */
function functionRow(run: Run, { prefix }: RowCounts, trans: Translate): [string, string][] {
  const { all, ever } = countsOfPrefix(run, prefix);
  return all > 0
    ? [
        [
          trans.__('Done, all of its function'),
          `${formatExactCount(ever.done)} / ${taskCountText(run, ever.all, formatExactCount)}`
        ]
      ]
    : [];
}

/** Counts before the current run of a function, if any. */
function everRows(run: Run, { all, ever }: PrefixCounts, trans: Translate): [string, string][] {
  const some = (count: number, name: string): [string, string][] => (count > 0 ? [[name, formatExactCount(count)]] : []);
  const cancelled = some(ever.cancelled, trans.__('Cancelled, all runs'));
  return ever.all === all
    ? cancelled
    : [
        [trans.__('Done, all runs'), `${formatExactCount(ever.done)} / ${taskCountText(run, ever.all, formatExactCount)}`],
        [trans.__('In memory, all runs'), formatExactCount(ever.memory)],
        ...some(ever.erred, trans.__('Erred, all runs')),
        ...cancelled
      ];
}
