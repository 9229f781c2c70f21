/** Where time goes: what threads did, and what Dask measures of the overheads of distributed computing. */
import { formatCount, formatDuration, formatElapsed, formatPercent } from '../../../base/format';
import type { CssPixels } from '../../../base/units';
import type { Run } from '../../../run/run';
import { durationTicks, niceDurationEnd } from '../../../charts/axis';
import { steadyEnd } from '../../../plot/kept';
import { type BarRow, rowPicture } from '../../../charts/bars';
import type { PlotContext, VegaPicture, VegaPlot, VegaSize } from '../../../plot/plot';
import { textWidth } from '../../../plot/text';
import { isMixed } from '../../../selectors/computations/selected';
import { metricsNotes } from '../fine-metrics/notes';
import { type Cost, measuredCosts } from './measured';
import { type Part, parts, swatch } from './parts';
import { outsideWords, periodWords } from './period-words';
import { RANGE, rangeOf, type ThreadTime, threadTime } from './thread-time';

function timeOf(run: Run, { options }: PlotContext): ThreadTime | null {
  const range = rangeOf(run, options.range ?? RANGE.initial);
  return range === null ? null : threadTime(run, range);
}

function partRow(part: Part, { capacity }: ThreadTime, { theme, trans }: PlotContext): BarRow {
  const { colour, pattern } = swatch(part.id, theme);
  const hollow = pattern === 'hollow';
  const share = Number.isFinite(part.seconds) ? formatPercent(part.seconds / capacity) : '–';
  return {
    label: { text: part.label },
    track: capacity,
    bars: [
      {
        segments: [
          hollow
            ? { size: part.seconds, fill: theme.background, outline: colour, least: 1 }
            : { size: part.seconds || 0, fill: colour, pattern, ink: theme.background, least: 1 }
        ]
      }
    ],
    figures: [{ text: formatDuration(part.seconds) }, { text: share, colour: theme.textSecondary }],
    tooltip: {
      title: part.label,
      state: share,
      colour,
      pattern,
      rows: [
        [trans.__('Thread-seconds'), formatDuration(part.seconds)],
        [trans.__('Of all threads'), share],
        [trans.__('Meaning'), part.means]
      ],
      hint: trans.__('Click: pin')
    }
  };
}

/** Rows without bars use the bars' space for text: their figures are short sentences. */
const WIDE: CssPixels = 150;

function heading(text: string, { theme, trans }: PlotContext): BarRow {
  const figures = [null, { text: trans.__('as measured'), colour: theme.textSecondary, limit: WIDE }];
  const tooltip = { title: text, rows: [[trans.__('Since'), trans.__('the scheduler or the recording started')] as const] };
  return { label: { text, strong: true, colour: theme.text }, bars: [], figures, tooltip };
}

function costRow(cost: Cost, { theme, trans }: PlotContext): BarRow {
  return {
    label: { text: cost.label },
    bars: [],
    figures: [null, { text: cost.figure, colour: theme.text, limit: WIDE }],
    tooltip: {
      title: cost.label,
      state: cost.figure,
      rows: [
        ...(Number.isFinite(cost.seconds) ? [[trans.__('Time'), formatDuration(cost.seconds)] as const] : []),
        ...cost.facts
      ],
      hint: trans.__('Click: pin')
    }
  };
}

function rows(run: Run, context: PlotContext): readonly BarRow[] {
  const time = timeOf(run, context);
  const { trans } = context;
  return time === null
    ? []
    : [
        ...parts(run, time, trans).map(part => partRow(part, time, context)),
        heading(!time.range.whole ? trans.__('Six costs of the whole run') : trans.__('Six costs'), context),
        ...measuredCosts(run, trans).map(cost => costRow(cost, context))
      ];
}

function picture(run: Run, context: PlotContext, size: VegaSize): VegaPicture {
  const all = rows(run, context);
  const time = timeOf(run, context);
  return rowPicture(context.theme, size, {
    items: all,
    row: each => each,
    parts: { heads: false, axis: true, title: true },
    end: steadyEnd(run, context, niceDurationEnd(time?.capacity ?? 1), context.options.range ?? RANGE.initial),
    ticks: durationTicks,
    axisTitle: context.trans.__('time, summed over all threads'),
    columns: [
      { width: 70, from: 360 },
      { width: 48, from: 160 }
    ],
    leastBars: 48,
    gutter: all.reduce((most, { label }) => Math.max(most, textWidth(label.text)), 0)
  });
}

/** Time of all threads by activity, and the overheads that Dask measures. */
export const costs: VegaPlot = {
  id: 'costs',
  icon: '<path d="M1 4h6v8H1z"/><path fill-opacity=".65" d="M7 4h4v8H7z"/><path fill-opacity=".35" d="M11 4h4v8h-4z"/>',
  title: 'Where time goes',
  caption: 'what all threads did, and six costs as far as Dask measures them',
  group: 'time',
  synonyms: [
    'costs',
    'overhead',
    'bottleneck',
    'compute',
    'memory bandwidth',
    'network',
    'disk',
    'serialization',
    'idle',
    'efficiency'
  ],
  howToRead:
    'At the top, the time of all threads: the bars add up to wall time times threads. Long waiting for transfers or disk means that data is the limit; much time in scheduler and event loops with short tasks means ' +
    'that tasks are too small; idle threads mean too little work at the same time. Of a selected computation, the time from its submission to its end is divided, and what threads computed for others is a part of its own. Below, six costs with what Dask has measured since the scheduler, or the recording, started; it does not measure memory bandwidth. They have no times: for a period they are those of the whole run. Compute time not on a CPU is that of locks, files, other threads and programs, and all time of coroutines.',
  view: 'vega',
  topics: ['meta', 'workers', 'tasks', 'running', 'attempts', 'series', 'activities', 'bandwidth', 'computations'],
  options: [RANGE],
  followsSelection: 'period',
  empty: (run, context) =>
    timeOf(run, context) !== null
      ? null
      : {
          head: context.trans.__('No task has finished.'),
          body: context.trans.__(
            'What threads spend their time on appears here with the first task that runs for a while or ends.'
          ),
          awaited: true
        },
  picture,
  titleLine: (run, context) => {
    const time = timeOf(run, context);
    const { trans } = context;
    return time === null
      ? []
      : [
          { text: trans.__('%1 computing', formatPercent((time.compute + time.running) / time.capacity)), tone: 'strong' },
          {
            text: trans.__('%1 of threads in %2', formatDuration(time.capacity), formatDuration(time.range.to - time.range.from))
          },
          ...periodWords(run, time, trans).map(text => ({ text }))
        ];
  },
  legend: () => [],
  notes: (run, context) => {
    const { trans } = context;
    const time = timeOf(run, context);
    const { lost, incompleteUntil } = run.tasks;
    return [
      ...(time === null ? [] : outsideWords(run, time, trans)),
      ...(lost > 0 ? [trans._n('1 earlier task counts as idle', '%2 earlier tasks count as idle', lost, formatCount(lost))] : []),
      ...(time !== null && time.range.from === incompleteUntil
        ? [trans.__('only since %1: only sums are kept for older tasks', formatElapsed(incompleteUntil - run.origin))]
        : []),
      ...(time !== null && !time.range.whole
        ? [trans.__('(de)serializing and the six costs are known for the whole run only')]
        : []),
      ...(time?.range.selected && isMixed(run)
        ? [
            trans.__(
              'tasks of other computations may be in what is computing or running: for some, it is not known which one they belong to'
            )
          ]
        : []),
      ...metricsNotes(run, trans)
    ];
  },
  table: (run, context) => {
    const { trans } = context;
    const time = timeOf(run, context);
    const threads = time === null ? [] : parts(run, time, trans);
    const measured = time === null ? [] : measuredCosts(run, trans);
    return {
      columns: [
        { id: 'of', label: trans.__('Of'), align: 'left' },
        { id: 'what', label: trans.__('What'), align: 'left' },
        { id: 'time', label: trans.__('Time'), align: 'right' },
        { id: 'figure', label: trans.__('Figure'), align: 'right' },
        { id: 'more', label: trans.__('More'), align: 'left' }
      ],
      rows: [
        ...threads.map(part => {
          const share = part.seconds / (time?.capacity ?? 1);
          return {
            id: part.id,
            cells: [
              { text: trans.__('threads'), value: 0 },
              { text: part.label, value: part.label },
              { text: formatDuration(part.seconds), value: part.seconds },
              { text: Number.isFinite(share) ? formatPercent(share) : '–', value: share },
              { text: part.means, value: part.means }
            ]
          };
        }),
        ...measured.map(cost => {
          const more = cost.facts.map(([name, value]) => `${name}: ${value}`).join(' · ');
          return {
            id: `cost ${cost.id}`,
            cells: [
              { text: time?.range.whole === false ? trans.__('costs of the whole run') : trans.__('costs'), value: 1 },
              { text: cost.label, value: cost.label },
              { text: formatDuration(cost.seconds), value: cost.seconds },
              { text: cost.figure, value: cost.figure },
              { text: more, value: more }
            ]
          };
        })
      ]
    };
  },
  summary: (run, context) => {
    const { trans } = context;
    const time = timeOf(run, context);
    const words =
      time === null
        ? []
        : [
            ...periodWords(run, time, trans),
            ...parts(run, time, trans).map(({ label, seconds }) => `${label} ${formatPercent(seconds / time.capacity)}`)
          ];
    return `${[trans.__('Where time goes'), ...words].join(', ')}.`;
  }
};
