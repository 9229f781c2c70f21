import { formatByteRate, formatBytes, formatCount, formatDuration, formatExactCount } from '../../../base/format';
import { mix } from '../../../base/theme';
import type { Run } from '../../../run/run';
import { gatheringNotes } from '../../../selectors/tasks/gathering';
import { forgetBySize, keepBySize, type Keeping } from '../../../plot/kept';
import type {
  EmptyText,
  PlotContext,
  PlotOption,
  Subject,
  TooltipContent,
  TooltipLink,
  Translate,
  VegaPicture,
  VegaPlot,
  VegaSize
} from '../../../plot/plot';
import { tableRows } from '../../../plot/table-rows';
import { cutMiddle } from '../../../plot/text';
import { clockAt } from '../../../selectors/moments';
import { clearedAt, nothingSince, sinceSummary, sinceTitle } from '../../../selectors/since-cleared';
import { liveWorkers } from '../../../selectors/workers/worker-rows';
import { MOST_WORKERS, matrixData, matrixSpec, scaleColour, scaleWords } from './matrix';
import { movedBefore, type Pair, tooFast, workerPairs } from './pairs';
import { rangeTitle, ratePicture, type RateRow } from './rate-bars';

/** Longest name on a button, in characters. */
const NAME = 32;

const SHAPE: PlotOption = {
  id: 'shape',
  label: 'As',
  choices: [
    { value: 'matrix', label: 'matrix' },
    { value: 'pairs', label: 'pairs, the fastest first' }
  ],
  initial: 'matrix'
};

/** Whether to draw a matrix: with many workers its cells are too small to tell apart. */
function isMatrix(run: Run, { options }: PlotContext): boolean {
  return (options.shape ?? SHAPE.initial) === 'matrix' && liveWorkers(run).length <= MOST_WORKERS;
}

function name({ from, to }: Pair): string {
  return `${from} → ${to}`;
}

function facts({ average, count, bytes, seconds }: Pair, trans: Translate): TooltipContent['rows'] {
  return [
    [trans.__("Dask's average, above 1 MB"), formatByteRate(average)],
    [trans.__('Transfers in the log'), formatExactCount(count)],
    ...(count > 0
      ? ([
          [trans.__('Total sent'), formatBytes(bytes)],
          [trans.__('Total time'), formatDuration(seconds)],
          [trans.__('Mean of all sizes'), formatByteRate(bytes / seconds)]
        ] as const)
      : [])
  ];
}

/** Both workers of a pair, which a click selects. */
function subjectOf(run: Run, pair: Pair): Subject {
  return { kind: 'workers', name: name(pair), workers: addressesOf(run, pair) };
}

function addressesOf(run: Run, { sender, receiver }: Pair): readonly string[] {
  return [sender, receiver].flatMap(id => run.workerNames[id]?.address ?? []);
}

/** Where there is more about a pair. */
function linksOf(run: Run, { sender, receiver, from, to }: Pair, trans: Translate): readonly TooltipLink[] {
  const address = (id: number): string => run.workerNames[id]?.address ?? '';
  return [
    { label: trans.__('Transfers'), plot: 'transfers', args: { worker: address(receiver) } },
    { label: trans.__('Details of %1', cutMiddle(from, NAME)), plot: 'worker', args: { worker: address(sender) } },
    { label: trans.__('Details of %1', cutMiddle(to, NAME)), plot: 'worker', args: { worker: address(receiver) } }
  ];
}

/** The pairs, of what the user has not cleared. */
function shownPairs(run: Run, context: Pick<PlotContext, 'cleared'>): readonly Pair[] {
  return workerPairs(run, clearedAt(run, context));
}

/** They are sorted again where they were shown as a matrix meanwhile. */
function fastestFirst(run: Run, context: Keeping & Pick<PlotContext, 'options' | 'cleared'>): readonly Pair[] {
  const basis = `${context.options.shape ?? ''} ${clearedAt(run, context)}`;
  return keepBySize(run, context, shownPairs(run, context), ({ rate }) => rate, basis);
}

function rows(run: Run, context: PlotContext): readonly RateRow[] {
  return fastestFirst(run, context).map(pair => ({
    id: pair.id,
    label: name(pair),
    rate: pair.rate,
    pale: !pair.trusted,
    tooltip: facts(pair, context.trans),
    subject: subjectOf(run, pair),
    links: linksOf(run, pair, context.trans)
  }));
}

function picture(run: Run, context: PlotContext, size: VegaSize): VegaPicture {
  if (!isMatrix(run, context)) {
    return ratePicture(rows(run, context), run, context, size);
  }
  forgetBySize(run, context);
  const { theme, trans } = context;
  const matrix = {
    workers: liveWorkers(run),
    pairs: shownPairs(run, context),
    tooltip: (pair: Pair) => ({
      title: name(pair),
      subject: subjectOf(run, pair),
      rows: facts(pair, trans),
      hint: trans.__('Click: pin, select its tasks'),
      links: linksOf(run, pair, trans)
    })
  };
  return {
    key: 'matrix',
    spec: () => matrixSpec(theme),
    draw: frame => ({ params: {}, data: matrixData(matrix, context, frame) })
  };
}

/** Dask's averages are of all its life: without the log of transfers, nobody knows what was since the user cleared what was before. */
function unknownSince(run: Run, context: PlotContext): EmptyText | null {
  const at = clearedAt(run, context);
  return at === null || run.has('transfers') || run.bandwidth.list.length === 0
    ? null
    : {
        head: context.trans.__('Not known since %1.', clockAt(at, run)),
        body: context.trans.__(
          'There are only averages of Dask, which do not say when transfers were. The menu of the pane has: Show cleared history again.'
        )
      };
}

/** Transfer rates between workers. */
export const bandwidthWorkers: VegaPlot = {
  id: 'bandwidth-workers',
  icon: '<path d="M1 1h4v4H1zm5 5h4v4H6zm5 5h4v4h-4z"/><path fill-opacity=".6" d="M6 1h4v4H6zM1 11h4v4H1zm10-5h4v4h-4z"/><path fill-opacity=".25" d="M11 1h4v4h-4zM1 6h4v4H1zm5 5h4v4H6z"/>',
  title: 'Bandwidth by workers',
  caption: 'how fast workers receive from each other: who sends, who receives',
  group: 'transfers',
  synonyms: ['network', 'heat map', 'matrix', 'pair', 'source', 'destination', 'peer', 'slow link'],
  howToRead:
    'A row for each worker that sends, a column for each that receives; the darker (in dark themes the lighter) a cell, the faster. The figure is Dask’s average of transfers above 1 MB; ' +
    'an outlined cell shows the mean from the transfer log: it had only smaller transfers, or Dask’s average is higher than its fastest transfer, as where several came between two heartbeats. A pale row or column is a worker with a slow network; a single pale cell is a slow link between two workers.',
  view: 'vega',
  topics: ['meta', 'workers', 'bandwidth', 'transfers'],
  options: [SHAPE],
  clearable: true,
  clearedTasks: null,
  empty: (run, context) => {
    const { trans } = context;
    if (shownPairs(run, context).length > 0) {
      return null;
    }
    const none = movedBefore(run)
      ? {
          head: trans.__('No transfers between the present workers.'),
          body: trans.__('Workers that have left sent each other results: the transfer log has them.')
        }
      : {
          head: trans.__('No transfers.'),
          body: trans.__('Workers measure how fast they receive as soon as they send each other results.'),
          awaited: true
        };
    return unknownSince(run, context) ?? nothingSince(run, context) ?? none;
  },
  picture,
  acts: (run, row) => {
    const pair = workerPairs(run).find(({ id }) => String(id) === row);
    return pair === undefined ? null : subjectOf(run, pair);
  },
  titleLine: (run, context) => {
    const { trans } = context;
    const pairs = shownPairs(run, context);
    // Since a clearing there are no averages of Dask.
    const rated = clearedAt(run, context) === null ? pairs.filter(({ average }) => Number.isFinite(average)) : pairs;
    return [
      ...rangeTitle(
        rated.map(({ rate }) => rate),
        trans
      ),
      { text: trans._n('1 pair of workers', '%2 pairs of workers', pairs.length, formatCount(pairs.length)) },
      ...sinceTitle(run, context)
    ];
  },
  legend: (run, context) => {
    const { theme, trans } = context;
    const pairs = shownPairs(run, context);
    const logged = pairs.some(({ trusted }) => !trusted);
    const [least, most] = scaleWords(pairs);
    const plain = { pattern: 'none', inert: true } as const;
    const scale = [
      { id: 'least', label: least, colour: scaleColour(theme, 0), ...plain },
      { id: 'most', label: most, colour: scaleColour(theme, 1), ...plain }
    ];
    const outlined = {
      id: 'small',
      label: trans.__('from the log'),
      colour: mix(theme.background, theme.text, 0.6),
      ...plain,
      outlined: true
    };
    return [...(isMatrix(run, context) ? scale : []), ...(logged ? [outlined] : [])];
  },
  notes: (run, context) => {
    const { trans } = context;
    const over = tooFast(shownPairs(run, context));
    const wide = (context.options.shape ?? SHAPE.initial) === 'matrix' && !isMatrix(run, context);
    return [
      ...(wide ? [trans.__('pairs, because a matrix of more than %1 workers cannot be read', MOST_WORKERS)] : []),
      ...(over > 0
        ? [
            trans._n(
              'of 1 pair, Dask’s average is higher than its fastest transfer in the log, most likely because Dask adds up transfers between two heartbeats',
              'of %2 pairs, Dask’s average is higher than their fastest transfer in the log, most likely because Dask adds up transfers between two heartbeats',
              over,
              formatCount(over)
            )
          ]
        : []),
      ...gatheringNotes(run.transfers.gathering, 0, trans)
    ];
  },
  table: (run, { trans, ...context }) => ({
    columns: [
      { id: 'from', label: trans.__('From'), align: 'left' },
      { id: 'to', label: trans.__('To'), align: 'left' },
      {
        id: 'average',
        label: trans.__("Dask's average"),
        tooltip: trans.__('of transfers above 1 MB, as the receiver measured'),
        align: 'right'
      },
      { id: 'count', label: trans.__('Transfers'), tooltip: trans.__('in the transfer log'), align: 'right' },
      { id: 'bytes', label: trans.__('Sent'), align: 'right' },
      { id: 'seconds', label: trans.__('Time'), align: 'right' },
      { id: 'mean', label: trans.__('Mean'), tooltip: trans.__('of all sizes: sent by time'), align: 'right' }
    ],
    rows: tableRows(fastestFirst(run, context), pair => [
      { text: pair.from, value: pair.from },
      { text: pair.to, value: pair.to },
      { text: formatByteRate(pair.average), value: pair.average },
      { text: formatExactCount(pair.count), value: pair.count },
      { text: formatBytes(pair.bytes), value: pair.bytes },
      { text: formatDuration(pair.seconds), value: pair.seconds },
      { text: formatByteRate(pair.bytes / pair.seconds), value: pair.bytes / pair.seconds }
    ])
  }),
  summary: (run, context) => {
    const { trans } = context;
    const shown = shownPairs(run, context);
    const fastest = shown.reduce<Pair | null>((most, pair) => (pair.rate > (most?.rate ?? 0) ? pair : most), null);
    const pairs = trans._n('1 pair of workers', '%2 pairs of workers', shown.length, formatCount(shown.length));
    const words =
      fastest === null
        ? `${pairs}.`
        : trans.__('%1, the fastest %2 with %3.', pairs, name(fastest), formatByteRate(fastest.rate));
    return sinceSummary(run, context, words);
  }
};
