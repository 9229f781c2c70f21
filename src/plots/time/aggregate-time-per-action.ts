import { formatCount, formatDuration, formatExactCount, formatPercent, UNKNOWN } from '../../base/format';
import type { Theme } from '../../base/theme';
import type { Seconds } from '../../base/units';
import { KIND, type Kind } from '../../feed/schema';
import type { Run } from '../../run/run';
import { durationTicks, niceDurationEnd } from '../../charts/axis';
import {
  type BarChart,
  type BarColumn,
  barMargins,
  barPicture,
  type BarPlace,
  barPlace,
  type BarRow,
  readablePitch,
  stackedPlace,
  withTicks
} from '../../charts/bars';
import { kindTime, NAMED, sinceStart, timeSums } from './function-time';
import {
  clearedAt,
  nothingSince,
  nothingSinceRestart,
  sinceNotes,
  sinceSummary,
  sinceTitle
} from '../../selectors/since-cleared';
import { actionWord, isMeasured } from '../../selectors/tasks/kind-words';
import type { ActionStatistics } from '../../selectors/selection/action-statistics';
import { steadyEnd } from '../../plot/kept';
import type { PlotContext, TableData, TooltipContent, VegaSize, VegaPlot } from '../../plot/plot';
import { oneLine, textWidth } from '../../plot/text';
import {
  isOfSelected,
  noneSelected,
  OF,
  OF_RUN,
  OF_SELECTED,
  SELECTED_TOPICS,
  selectedActions,
  selectedNotes,
  selectedSummary,
  selectedTitle
} from './selected-time';

interface ActionTime {
  readonly kind: Kind;
  readonly label: string;
  readonly seconds: Seconds;
  /** Of the selected tasks; `null` for the whole run. */
  readonly selected: ActionStatistics | null;
}

/** Whether it is shown: a zero is also information. */
function isShown({ kind, seconds, selected }: ActionTime): boolean {
  return isMeasured(kind, seconds) || (selected?.count ?? 0) > 0;
}

/** All kinds that Dask measures, in the order of the feed. */
function actions(run: Run, context: PlotContext): readonly ActionTime[] {
  const selected = isOfSelected(context) ? selectedActions(run) : null;
  return KIND.map((kind, i) => {
    const own = selected?.[i] ?? null;
    const seconds = own === null ? kindTime(run, kind, context.cleared).seconds : own.total;
    return { kind, label: actionWord(run, kind, context.trans), seconds, selected: own };
  }).filter(isShown);
}

/** The functions that took most of it, as far as they are known. */
function mostOf(
  run: Run,
  { kind, selected }: ActionTime,
  { cleared }: PlotContext
): readonly { readonly label: string; readonly seconds: Seconds }[] {
  if (selected === null) {
    return kindTime(run, kind, cleared).most;
  }
  return selected.functions
    .filter(({ total }) => total > 0)
    .slice(0, NAMED)
    .map(({ prefix, total }) => ({ label: oneLine(run.prefixNames[prefix] ?? '') || UNKNOWN, seconds: total }));
}

function sum(all: readonly ActionTime[]): Seconds {
  return all.reduce((seconds, each) => seconds + each.seconds, 0);
}

/** Whether there is anything to show: selected tasks may have taken no time that could be measured. */
function isSome(all: readonly ActionTime[]): boolean {
  return all.some(({ seconds, selected }) => seconds > 0 || (selected?.count ?? 0) > 0);
}

function swatch(kind: Kind, theme: Theme): Pick<TooltipContent, 'colour' | 'pattern'> & { readonly colour: string } {
  return kind === 'compute' ? { colour: theme.worker.busy, pattern: 'none' } : theme.kind(kind);
}

function row(run: Run, action: ActionTime, whole: Seconds, context: PlotContext): BarRow {
  const { theme, trans } = context;
  const { kind, label, seconds, selected } = action;
  const { colour, pattern } = swatch(kind, theme);
  const share = formatPercent(seconds / whole);
  const further =
    selected === null ? [] : [formatCount(selected.count), formatDuration(selected.mean), formatDuration(selected.p95)];
  return {
    label: { text: label },
    bars: [{ segments: [{ size: seconds, fill: colour, pattern, ink: theme.background, least: 1 }] }],
    figures: [
      { text: formatDuration(seconds) },
      ...[whole > 0 ? share : '', ...further].map(text => ({ text, colour: theme.textSecondary }))
    ],
    tooltip: {
      title: label,
      state: share,
      colour,
      pattern,
      rows: [
        [trans.__('Time, all threads'), formatDuration(seconds)],
        ...(selected === null
          ? []
          : ([
              [trans.__('Number'), formatExactCount(selected.count)],
              [trans.__('Mean'), formatDuration(selected.mean)],
              [trans.__('p95'), formatDuration(selected.p95)]
            ] as const)),
        ...mostOf(run, action, context).map((each): [string, string] => [each.label, formatDuration(each.seconds)])
      ],
      hint: trans.__('Click: pin')
    }
  };
}

/** Five rows do not need scrolling: if the texts do not fit, the rows become lower. */
function place(texts: Pick<BarChart, 'columns' | 'gutter'>, heads: boolean, { width, height }: VegaSize): BarPlace {
  const margins = barMargins(height, { heads, axis: true, title: true });
  const room = height - margins.top - margins.bottom;
  const pitch = readablePitch(KIND.length, room);
  const stacked = stackedPlace(texts, width, margins, pitch, room / KIND.length);
  return stacked ?? barPlace(margins, pitch * KIND.length <= room ? pitch : Math.max(3, Math.floor(room / KIND.length)));
}

function columns(context: PlotContext): readonly BarColumn[] {
  const { trans } = context;
  return [
    { width: 80, from: 200 },
    { width: 46, from: 280 },
    ...(isOfSelected(context)
      ? [
          { width: 62, from: 420, head: trans.__('number') },
          { width: 66, from: 480, head: trans.__('mean') },
          { width: 66, from: 540, head: trans.__('p95') }
        ]
      : [])
  ];
}

function chart(run: Run, context: PlotContext, size: VegaSize): BarChart {
  const all = actions(run, context);
  const whole = sum(all);
  const fitting = niceDurationEnd(Math.max(...all.map(each => each.seconds)));
  // Another selection has another size, which the axis follows at once.
  const end = isOfSelected(context) ? fitting : steadyEnd(run, context, fitting, `${clearedAt(run, context)}`);
  const texts = { columns: columns(context), gutter: Math.max(...all.map(each => textWidth(each.label))) };
  return withTicks(durationTicks, size, {
    ...texts,
    end,
    axisTitle: context.trans.__('time, summed over all threads'),
    place: place(texts, isOfSelected(context), size),
    rows: all.map(each => row(run, each, whole, context))
  });
}

function table(run: Run, context: PlotContext): TableData {
  const { trans } = context;
  const all = actions(run, context);
  const whole = sum(all);
  const tooltip = trans.__('of whole intervals, also where the period cuts them');
  return {
    columns: [
      { id: 'action', label: trans.__('Action'), align: 'left' },
      { id: 'time', label: trans.__('Time'), tooltip: trans.__('all threads'), align: 'right' },
      { id: 'share', label: trans.__('Of all'), align: 'right' },
      ...(isOfSelected(context)
        ? ([
            { id: 'number', label: trans.__('Number'), align: 'right' },
            { id: 'mean', label: trans.__('Mean'), tooltip, align: 'right' },
            { id: 'p95', label: trans.__('p95'), tooltip, align: 'right' }
          ] as const)
        : [])
    ],
    rows: isSome(all)
      ? all.map(({ kind, label, seconds, selected }) => ({
          id: kind,
          cells: [
            { text: label, value: label },
            { text: formatDuration(seconds), value: seconds },
            { text: formatPercent(seconds / whole), value: seconds / whole },
            ...(selected === null
              ? []
              : [
                  { text: formatExactCount(selected.count), value: selected.count },
                  { text: formatDuration(selected.mean), value: selected.mean },
                  { text: formatDuration(selected.p95), value: selected.p95 }
                ])
          ]
        }))
      : []
  };
}

/** Time of tasks by activity. */
export const aggregateTimePerAction: VegaPlot = {
  id: 'aggregate-time-per-action',
  icon: '<path d="M1 2h13v3H1z"/><path fill-opacity=".65" d="M1 6.500h6v3H1z"/><path fill-opacity=".35" d="M1 11h3v3H1z"/>',
  title: 'Time per action',
  caption: 'time of computing, transfer, disk and deserializing',
  group: 'time',
  synonyms: ['aggregate time per action', 'overhead', 'communication', 'spill', 'serialization', 'costs'],
  howToRead:
    'One bar for each thing that workers do for tasks with a result, in seconds added up over all threads since the scheduler, or the recording, started, or since the last restart. ' +
    'Of the selected tasks, the bars are the time inside the selected period, also of tasks that erred, with number, mean and 95th percentile; running tasks do not count yet. ' +
    'Much transfer time and little computing means that tasks spend more on moving data than on work. Disk time means that memory was not sufficient. ' +
    'Deserializing has a bar only where Dask measured it for tasks: newer versions do not; Time and bytes by activity has it. ' +
    'Transfers and disk may go on while other tasks compute: the bars do not add up to the time that passed.',
  view: 'vega',
  topics: ['meta', 'prefixes'],
  choiceTopics: SELECTED_TOPICS,
  followsSelection: OF_SELECTED,
  options: [OF],
  clearable: OF_RUN,
  clearedTasks: null,
  sums: run => timeSums(run, KIND),
  empty: (run, context) => {
    const { trans } = context;
    if (isSome(actions(run, context))) {
      return null;
    }
    return isOfSelected(context)
      ? noneSelected(run, trans)
      : (nothingSince(run, context) ??
          nothingSinceRestart(run, trans) ?? {
            head: trans.__('No task has taken time.'),
            body: trans.__('What workers spend time on appears here with the first task that is done.'),
            awaited: true
          });
  },
  picture: (run, context) => barPicture(context.theme, size => chart(run, context, size)),
  titleLine: (run, context) => {
    const { trans } = context;
    const [compute, ...moves] = actions(run, context);
    return [
      { text: trans.__('%1 computing', formatDuration(compute.seconds)), tone: 'strong' },
      { text: trans.__('%1 moving data', formatDuration(sum(moves))) },
      ...(isOfSelected(context) ? [selectedTitle(run, trans)] : sinceTitle(run, context))
    ];
  },
  legend: () => [],
  notes: (run, context) =>
    isOfSelected(context)
      ? selectedNotes(run, 'actions', context.trans)
      : sinceNotes(run, context, sinceStart(run, context.trans)),
  table,
  summary: (run, context) => {
    const { trans } = context;
    const times = actions(run, context).map(({ label, seconds }) => `${label} ${formatDuration(seconds)}`);
    const words = `${[trans.__('Time per action'), ...times].join(', ')}.`;
    return isOfSelected(context) ? selectedSummary(run, words, trans) : sinceSummary(run, context, words);
  }
};
