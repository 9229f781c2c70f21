import { formatCount, formatDuration, formatExactCount, formatPercent } from '../../base/format';
import type { Seconds } from '../../base/units';
import type { Run } from '../../run/run';
import { durationTicks, niceDurationEnd } from '../../charts/axis';
import { steadyEnd } from '../../plot/kept';
import type { PlotContext, TableData, TitlePart } from '../../plot/plot';
import { functionBars, functionSort } from '../../charts/bars/function-bars';
import { erredLook, errorsLink } from '../../selectors/errors/link';
import { functionSubject } from '../../selectors/tasks/prefix-counts';
import { isLeftOut } from '../../selectors/selection/picked';
import { selectionOf } from '../../run/selection/selection';
import {
  clearedAt,
  nothingSince,
  nothingSinceRestart,
  sinceNotes,
  sinceSummary,
  sinceTitle
} from '../../selectors/since-cleared';
import { computeSums, computeTimes, type FunctionTime, sinceStart, uncountedNotes } from './function-time';
import {
  besidesFunctions,
  isOfSelected,
  noneSelected,
  OF,
  OF_RUN,
  OF_SELECTED,
  SELECTED_TOPICS,
  selectedNotes,
  selectedSummary,
  selectedTitle
} from './selected-time';
import { tableRows } from '../../plot/table-rows';

const sums = new WeakMap<readonly FunctionTime[], Seconds>();

/** Kept for the tooltips of one picture. */
function sum(values: readonly FunctionTime[]): Seconds {
  const known = sums.get(values) ?? values.reduce((all, each) => all + each.value, 0);
  sums.set(values, known);
  return known;
}

/** The functions that the title counts: of the selected tasks, without those that are dimmed. */
function counted(run: Run, context: PlotContext): readonly FunctionTime[] {
  const values = computeTimes(run, context);
  const { current } = selectionOf(run);
  return values.filter(({ id, selected }) => {
    const subject = selected === null ? null : functionSubject(run, id);
    return subject === null || !isLeftOut(current, subject);
  });
}

function titleLine(run: Run, context: PlotContext): readonly TitlePart[] {
  const { trans } = context;
  const values = counted(run, context);
  return [
    { text: trans.__('%1 of computing', formatDuration(sum(values))), tone: 'strong' },
    { text: trans._n('1 function', '%2 functions', values.length, formatCount(values.length)) },
    ...(isOfSelected(context) ? [selectedTitle(run, trans)] : sinceTitle(run, context))
  ];
}

function table(run: Run, context: PlotContext): TableData {
  const { trans } = context;
  const values = computeTimes(run, context);
  const all = sum(values);
  const right = (id: string, label: string, tooltip = ''): TableData['columns'][number] => ({
    ...{ id, label, align: 'right' },
    ...(tooltip === '' ? {} : { tooltip })
  });
  const whole = trans.__('of whole tasks, also where the period cuts them');
  return {
    columns: [
      { id: 'name', label: trans.__('Function'), align: 'left' },
      right('time', trans.__('Compute time')),
      right('share', trans.__('Of all')),
      ...(isOfSelected(context)
        ? [
            right('done', trans.__('Tasks')),
            right('mean', trans.__('Mean'), whole),
            right('median', trans.__('Median'), whole),
            right('p95', trans.__('p95'), whole),
            right('max', trans.__('Max'), whole),
            right('erred', trans.__('Erred'))
          ]
        : [
            right('done', trans.__('Tasks done')),
            right('recent', trans.__('Recent mean'), trans.__("Dask's moving average of one task"))
          ])
    ],
    rows: tableRows(values, ({ label, value, tasks, recent, selected }) => {
      const durations = selected === null ? [recent] : [selected.mean, selected.median, selected.p95, selected.max];
      return [
        { text: label, value: label },
        { text: formatDuration(value), value },
        { text: formatPercent(value / all), value: value / all },
        { text: formatExactCount(tasks), value: tasks },
        ...durations.map(each => ({ text: formatDuration(each), value: each })),
        ...(selected === null
          ? []
          : [
              {
                text: formatExactCount(selected.erred),
                value: selected.erred,
                ...erredLook(selected.erred, errorsLink(selected.name))
              }
            ])
      ];
    })
  };
}

/** Compute time in seconds by function. */
export const computeTimePerKey = functionBars<FunctionTime>({
  id: 'compute-time-per-key',
  icon: '<path d="M1 2h13v3H1zm0 4.500h8v3H1zM1 11h4v3H1z"/>',
  title: 'Compute time per function',
  caption: 'time of computing by function',
  group: 'time',
  synonyms: ['compute time per key', 'duration', 'slow', 'expensive', 'prefix', 'hot'],
  howToRead:
    'One bar for each function: the seconds that its tasks with a result computed, added up over all threads since the scheduler, or the recording, started, or since the last restart. ' +
    'Of the selected tasks, the bars are the time inside the selected period, also of tasks that erred, with number, mean and 95th percentile of the tasks; running tasks do not count yet. ' +
    'Faster code helps most where the bar is longest. Many very short tasks cost more in overhead than in computing: look at the mean.',
  topics: ['meta', 'prefixes'],
  choiceTopics: SELECTED_TOPICS,
  followsSelection: OF_SELECTED,
  choices: [OF],
  clearable: OF_RUN,
  clearedTasks: null,
  sums: computeSums,
  sort: functionSort('size', 'by time'),
  axisTitle: 'time of computing, summed over all threads',
  figureWidth: 80,
  values: computeTimes,
  basis: (run, context) => (isOfSelected(context) ? besidesFunctions(run) : clearedAt(run, context)),
  scale: (run: Run, context, greatest) => ({
    // Another selection has another size, which the axis follows at once.
    end: isOfSelected(context)
      ? niceDurationEnd(greatest)
      : steadyEnd(run, context, niceDurationEnd(greatest), `${clearedAt(run, context)}`),
    ticks: durationTicks
  }),
  figure: each => formatDuration(each.value),
  more: context => {
    const { trans } = context;
    return isOfSelected(context)
      ? [
          { width: 62, from: 340, head: trans.__('tasks'), text: each => formatCount(each.tasks) },
          { width: 66, from: 420, head: trans.__('mean'), text: each => formatDuration(each.selected?.mean ?? Number.NaN) },
          { width: 66, from: 500, head: trans.__('p95'), text: each => formatDuration(each.selected?.p95 ?? Number.NaN) }
        ]
      : [];
  },
  tooltip: ({ value, tasks, recent, selected }, { trans }, all) => [
    [trans.__('Compute time'), formatDuration(value)],
    [trans.__('Of all'), formatPercent(value / sum(all))],
    ...(selected === null
      ? ([
          [trans.__('Tasks done'), formatExactCount(tasks)],
          [trans.__('Recent mean of a task'), formatDuration(recent)]
        ] as const)
      : ([
          [trans.__('Tasks'), formatExactCount(tasks)],
          [trans.__('Erred'), formatExactCount(selected.erred)],
          [trans.__('Mean of a task'), formatDuration(selected.mean)],
          [trans.__('p95 of a task'), formatDuration(selected.p95)],
          [trans.__('Longest task'), formatDuration(selected.max)]
        ] as const))
  ],
  empty: (run, context) => {
    const { trans } = context;
    if (computeTimes(run, context).length > 0) {
      return null;
    }
    return isOfSelected(context)
      ? noneSelected(run, trans)
      : (nothingSince(run, context) ??
          nothingSinceRestart(run, trans) ?? {
            head: trans.__('No compute time.'),
            body: trans.__('Each function appears here when its first task is done.'),
            awaited: true
          });
  },
  titleLine,
  notes: (run, context) =>
    isOfSelected(context)
      ? selectedNotes(run, 'functions', context.trans)
      : [...sinceNotes(run, context, sinceStart(run, context.trans)), ...uncountedNotes(run, context)],
  table,
  summary: (run, context) => {
    const { trans } = context;
    const values = counted(run, context);
    const most = values.reduce<FunctionTime | null>((best, each) => (each.value > (best?.value ?? 0) ? each : best), null);
    const functions = trans._n('1 function', '%2 functions', values.length, formatCount(values.length));
    const head = trans.__('%1 of computing by %2', formatDuration(sum(values)), functions);
    const words =
      most === null ? `${head}.` : trans.__('%1, the largest %2 with %3.', head, most.label, formatDuration(most.value));
    return isOfSelected(context) ? selectedSummary(run, words, trans) : sinceSummary(run, context, words);
  }
});
