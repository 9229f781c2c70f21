import { formatDuration, formatPercent } from '../../base/format';
import type { Theme } from '../../base/theme';
import type { Seconds } from '../../base/units';
import { KIND, type Kind } from '../../feed/schema';
import type { Run } from '../../run/run';
import { durationTicks, niceDurationEnd } from '../../charts/axis';
import {
  type BarChart,
  barMargins,
  barPicture,
  type BarPlace,
  barPlace,
  type BarRow,
  readablePitch,
  stackedPlace,
  withTicks
} from '../../charts/bars';
import { kindTime, spenders } from './function-time';
import { actionWord } from '../../selectors/tasks/kind-words';
import { steadyEnd } from '../../plot/kept';
import type { PlotContext, TooltipContent, Translate, VegaSize, VegaPlot } from '../../plot/plot';
import { textWidth } from '../../plot/text';

/** Functions listed in a tooltip; the plot of compute time shows the rest. */
const NAMED = 5;

interface ActionTime {
  readonly kind: Kind;
  readonly label: string;
  readonly seconds: Seconds;
}

/** All kinds, in the order of the feed: a zero is also information. */
function actions(run: Run, trans: Translate): readonly ActionTime[] {
  return KIND.map(kind => ({ kind, label: actionWord(run, kind, trans), seconds: kindTime(run, kind) }));
}

function sum(all: readonly ActionTime[]): Seconds {
  return all.reduce((seconds, each) => seconds + each.seconds, 0);
}

function swatch(kind: Kind, theme: Theme): Pick<TooltipContent, 'colour' | 'pattern'> & { readonly colour: string } {
  return kind === 'compute' ? { colour: theme.worker.busy, pattern: 'none' } : theme.kind(kind);
}

function row(run: Run, { kind, label, seconds }: ActionTime, whole: Seconds, { theme, trans }: PlotContext): BarRow {
  const { colour, pattern } = swatch(kind, theme);
  const share = formatPercent(seconds / whole);
  const most = spenders(run, kind).slice(0, NAMED);
  return {
    label: { text: label },
    bars: [{ segments: [{ size: seconds, fill: colour, pattern, ink: theme.background, least: 1 }] }],
    figures: [{ text: formatDuration(seconds) }, { text: whole > 0 ? share : '', colour: theme.textSecondary }],
    tooltip: {
      title: label,
      state: share,
      colour,
      pattern,
      rows: [
        [trans.__('Time, all threads'), formatDuration(seconds)],
        ...most.map((each): [string, string] => [each.label, formatDuration(each.seconds)])
      ],
      hint: trans.__('Click: pin')
    }
  };
}

/** Five rows do not need scrolling: if the texts do not fit, the rows become lower. */
function place(texts: Pick<BarChart, 'columns' | 'gutter'>, { width, height }: VegaSize): BarPlace {
  const margins = barMargins(height, { heads: false, axis: true, title: true });
  const room = height - margins.top - margins.bottom;
  const pitch = readablePitch(KIND.length, room);
  const stacked = stackedPlace(texts, width, margins, pitch, room / KIND.length);
  return stacked ?? barPlace(margins, pitch * KIND.length <= room ? pitch : Math.max(3, Math.floor(room / KIND.length)));
}

function chart(run: Run, context: PlotContext, size: VegaSize): BarChart {
  const all = actions(run, context.trans);
  const whole = sum(all);
  const end = steadyEnd(run, context, niceDurationEnd(Math.max(...all.map(each => each.seconds))));
  const texts = {
    columns: [
      { width: 80, from: 200 },
      { width: 46, from: 280 }
    ],
    gutter: Math.max(...all.map(each => textWidth(each.label)))
  };
  return withTicks(durationTicks, size, {
    ...texts,
    end,
    axisTitle: context.trans.__('time, summed over all threads'),
    place: place(texts, size),
    rows: all.map(each => row(run, each, whole, context))
  });
}

/** Time of tasks by activity. */
export const aggregateTimePerAction: VegaPlot = {
  id: 'aggregate-time-per-action',
  icon: '<path d="M1 2h13v3H1z"/><path fill-opacity=".65" d="M1 6.500h6v3H1z"/><path fill-opacity=".35" d="M1 11h3v3H1z"/>',
  title: 'Time per action',
  caption: 'time of computing, transfer, disk and deserializing, whole run',
  group: 'time',
  synonyms: ['aggregate time per action', 'overhead', 'communication', 'spill', 'serialization', 'costs'],
  howToRead:
    'One bar for each thing that workers do for tasks with a result, in seconds added up over all threads since the scheduler, or the recording, started, or since the last restart. ' +
    'Much transfer time and little computing means that tasks spend more on moving data than on work. Disk time means that memory was not sufficient. ' +
    'Transfers and disk may go on while other tasks compute: the bars do not add up to the time that passed.',
  view: 'vega',
  topics: ['meta', 'prefixes'],
  empty: (run, { trans }) =>
    sum(actions(run, trans)) > 0
      ? null
      : {
          head: trans.__('No task has taken time yet.'),
          body: trans.__('What workers spend time on appears here with the first task that is done.')
        },
  picture: (run, context) => barPicture(context.theme, size => chart(run, context, size)),
  titleLine: (run, { trans }) => {
    const [compute, ...moves] = actions(run, trans);
    return [
      { text: trans.__('%1 computing', formatDuration(compute.seconds)), tone: 'strong' },
      { text: trans.__('%1 moving data', formatDuration(sum(moves))) }
    ];
  },
  legend: () => [],
  notes: (_run, { trans }) => [trans.__('since the scheduler or the recording started, or the last restart')],
  table: (run, { trans }) => {
    const all = actions(run, trans);
    const whole = sum(all);
    return {
      columns: [
        { id: 'action', label: trans.__('Action'), align: 'left' },
        { id: 'time', label: trans.__('Time'), tooltip: trans.__('all threads'), align: 'right' },
        { id: 'share', label: trans.__('Of all'), align: 'right' }
      ],
      rows:
        whole > 0
          ? all.map(({ kind, label, seconds }) => ({
              id: kind,
              cells: [
                { text: label, value: label },
                { text: formatDuration(seconds), value: seconds },
                { text: formatPercent(seconds / whole), value: seconds / whole }
              ]
            }))
          : []
    };
  },
  summary: (run, { trans }) =>
    `${[trans.__('Time per action'), ...actions(run, trans).map(({ label, seconds }) => `${label} ${formatDuration(seconds)}`)].join(', ')}.`
};
