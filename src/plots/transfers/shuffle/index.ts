import { formatBytes, formatCount, formatPercent } from '../../../base/format';
import { type Colour, mix, type Theme } from '../../../base/theme';
import type { Bytes } from '../../../base/units';
import { byteTicks, niceByteEnd, type Ticks } from '../../../charts/axis';
import { type BarRow, type BarSegment, rowPicture } from '../../../charts/bars';
import { steadyEnd } from '../../../plot/kept';
import type { PlotContext, PlotOption, TitlePart, VegaPicture, VegaPlot, VegaSize } from '../../../plot/plot';
import { textWidth } from '../../../plot/text';
import type { Run } from '../../../run/run';
import { type Shuffle, SHUFFLE_BYTES, type ShuffleAmounts } from '../../../run/logs/shuffles';
import { atEnd } from '../../../selectors/run-end';
import { calledWorker } from '../../../selectors/workers/one-worker';
import { table } from './table';
import {
  amountText,
  amountWords,
  bytesText,
  calledShuffle,
  doneText,
  running,
  share,
  stateAtEnd,
  stateWords,
  timeRows
} from './texts';

const BY: PlotOption = {
  id: 'by',
  label: 'Rows',
  choices: [
    { value: 'shuffle', label: 'shuffles' },
    { value: 'worker', label: 'workers of running shuffles' }
  ],
  initial: 'shuffle'
};
/** The upper bar of a row, and the lower one. */
const [UPPER, LOWER] = ['upper', 'lower'];
/** Ends of ticks of a share. */
const PERCENT: Ticks = end => [0, 0.25, 0.5, 0.75, 1].map(part => ({ value: part * end, label: formatPercent(part) }));
const COLUMN = 76;

function byWorker({ options }: PlotContext): boolean {
  return (options.by ?? BY.initial) === 'worker';
}

function colours(theme: Theme): readonly [upper: Colour, lower: Colour] {
  return [theme.kind('transfer').colour, theme.task.memory];
}

function bar(size: number, place: 0 | 1, { theme, hidden }: PlotContext): BarSegment {
  const fill = colours(theme)[place];
  const shown = Number.isFinite(size) && !hidden.has(place === 0 ? UPPER : LOWER);
  return { size: shown ? size : 0, fill, least: 2 };
}

function figureColour({ state }: Shuffle, theme: Theme): Colour | undefined {
  return { sending: undefined, unpacking: undefined, done: theme.good, failed: theme.bad, stopped: theme.warn }[state];
}

function shuffleRow(run: Run, shuffle: Shuffle, context: PlotContext): BarRow {
  const { theme, trans } = context;
  const colour = figureColour(shuffle, theme);
  const over = shuffle.state === 'failed' || shuffle.state === 'stopped';
  const segment = (part: number, place: 0 | 1): BarSegment => {
    const whole = bar(part, place, context);
    return over ? { ...whole, fill: mix(theme.background, whole.fill, 0.4), outline: whole.fill } : whole;
  };
  return {
    label: { text: calledShuffle(shuffle, trans) },
    track: 1,
    bars: [
      { segments: [segment(share(shuffle.inputsDone, shuffle.inputs), 0)] },
      { segments: [segment(share(shuffle.outputsDone, shuffle.outputs), 1)] }
    ],
    figures: [
      { text: amountText(shuffle, 'sent') },
      { text: stateWords(shuffle, trans), ...(colour === undefined ? {} : { colour }) }
    ],
    tooltip: {
      title: calledShuffle(shuffle, trans),
      state: stateAtEnd(run, shuffle, trans),
      colour: colours(theme)[0],
      rows: [
        [trans.__('Input tasks done'), doneText(shuffle.inputsDone, shuffle.inputs, trans)],
        [trans.__('Output tasks done'), doneText(shuffle.outputsDone, shuffle.outputs, trans)],
        [trans.__('Workers'), formatCount(shuffle.workers)],
        ...SHUFFLE_BYTES.map((name): [string, string] => [amountWords(name, trans, shuffle.onDisk), amountText(shuffle, name)]),
        ...timeRows(run, shuffle, trans)
      ],
      hint: trans.__('Click: pin')
    }
  };
}

/** A worker of a shuffle. */
interface Part {
  readonly shuffle: Shuffle;
  readonly worker: number;
  readonly amounts: ShuffleAmounts;
}

/** Workers of the shuffles that run; of the newest one if none does. */
function parts(run: Run): readonly Part[] {
  const { list } = run.shuffles;
  const now = list.filter(running);
  return (now.length > 0 ? now : list.slice(0, 1)).flatMap(shuffle =>
    [...shuffle.at].sort(([a], [b]) => a - b).map(([worker, amounts]) => ({ shuffle, worker, amounts }))
  );
}

function partName(run: Run, { shuffle, worker }: Part, context: PlotContext): string {
  return `${calledWorker(run, worker)} · ${calledShuffle(shuffle, context.trans)}`;
}

function partRow(run: Run, part: Part, end: Bytes, context: PlotContext): BarRow {
  const { theme, trans } = context;
  const { amounts, shuffle } = part;
  return {
    label: { text: partName(run, part, context) },
    track: end,
    bars: [{ segments: [bar(amounts.received, 0, context)] }, { segments: [bar(amounts.read_back, 1, context)] }],
    figures: [{ text: formatBytes(amounts.received) }, { text: formatBytes(amounts.read_back) }],
    tooltip: {
      title: partName(run, part, context),
      state: stateAtEnd(run, shuffle, trans),
      colour: colours(theme)[0],
      rows: SHUFFLE_BYTES.map((name): [string, string] => [amountWords(name, trans, shuffle.onDisk), formatBytes(amounts[name])]),
      hint: trans.__('Click: pin')
    }
  };
}

function picture(run: Run, context: PlotContext, size: VegaSize): VegaPicture {
  const { theme, trans } = context;
  const widest = (labels: readonly string[]): number => Math.max(0, ...labels.map(textWidth));
  const column = (head: string): { width: number; from: number; head: string } => ({ width: COLUMN, from: 300, head });
  if (byWorker(context)) {
    const items = parts(run);
    const most = items.reduce((bytes, { amounts }) => Math.max(bytes, amounts.received || 0, amounts.read_back || 0), 1);
    const end = steadyEnd(run, context, niceByteEnd(most), 'bytes');
    return rowPicture(theme, size, {
      items,
      row: part => partRow(run, part, end, context),
      parts: { heads: true, axis: true, title: false },
      end,
      ticks: byteTicks,
      columns: [column(trans.__('received')), column(trans.__('read'))],
      gutter: widest(items.map(part => partName(run, part, context)))
    });
  }
  const { list } = run.shuffles;
  return rowPicture(theme, size, {
    items: list,
    row: shuffle => shuffleRow(run, shuffle, context),
    parts: { heads: true, axis: true, title: true },
    end: 1,
    ticks: PERCENT,
    axisTitle: trans.__('share of the tasks that have run'),
    columns: [column(trans.__('sent')), column('')],
    gutter: widest(list.map(shuffle => calledShuffle(shuffle, trans)))
  });
}

function titleLine(run: Run, { trans }: PlotContext): readonly TitlePart[] {
  const { list } = run.shuffles;
  if (list.length === 0) {
    return [];
  }
  const count = (of: (shuffle: Shuffle) => boolean): number => list.filter(of).length;
  const [now, done] = [count(running), count(({ state }) => state === 'done')];
  const [failed, stopped] = (['failed', 'stopped'] as const).map(state => count(shuffle => shuffle.state === state));
  const sent = list.reduce((bytes, shuffle) => bytes + (shuffle.sent || 0), 0);
  const nowText = trans.__('%1 running', formatCount(now));
  const disk = list.reduce((bytes, shuffle) => bytes + (shuffle.onDisk ? shuffle.stored || 0 : 0), 0);
  return [
    { text: now > 0 ? atEnd(run, nowText, trans) : nowText, tone: 'strong' },
    ...(done > 0 ? [{ text: trans.__('%1 done', formatCount(done)) }] : []),
    ...(failed > 0 ? [{ text: trans.__('%1 failed', formatCount(failed)), tone: 'bad' as const }] : []),
    ...(stopped > 0 ? [{ text: trans.__('%1 stopped', formatCount(stopped)), tone: 'warn' as const }] : []),
    { text: trans.__('%1 sent', bytesText(sent, list)) },
    ...(disk > 0 ? [{ text: trans.__('%1 written to disk', bytesText(disk, list)) }] : [])
  ];
}

/** Progress of P2P shuffles, and their bytes by worker. */
export const shuffle: VegaPlot = {
  id: 'shuffle',
  icon: '<path d="M1 3h3.500l6 8H12V9l3.500 3-3.500 3v-2H9.500l-6-8H1z"/><path fill-opacity=".5" d="M1 13h2.500l2-2.700-1.200-1.600L2.500 11H1zM8.200 6.700L10.500 5H12v2l3.500-3L12 1v2H9.500L7 5.100z"/>',
  title: 'Shuffle',
  caption: 'how far P2P shuffles and rechunks are, and what they send and store',
  group: 'transfers',
  synonyms: ['p2p', 'rechunk', 'merge', 'join', 'set_index', 'exchange', 'disk', 'network', 'partitions', 'barrier'],
  howToRead:
    'One row for each P2P shuffle, the newest first. The upper bar is the share of the tasks that have cut up their input and handed it over to be sent, the lower bar is the share of the tasks that have taken their output; ' +
    'these begin only after all input has arrived. Bytes are those of each worker’s last heartbeat, so the last bytes of a short shuffle, or all, may be missing; sent and received are also what a worker keeps, which it sends to itself. ' +
    'A worker that receives much more than the others has too large a part of the output. A shuffle that was stopped and is followed by another one was probably restarted because a worker that took part left.',
  view: 'vega',
  topics: ['meta', 'workers', 'shuffles'],
  options: [BY],
  empty: (run, { trans, ...context }) => {
    if (run.shuffles.list.length === 0) {
      return {
        head: trans.__('No P2P shuffle has run.'),
        body: trans.__(
          'Shuffles and merges of dask.dataframe appear here, and rechunks of dask.array that would make many tasks otherwise, or all with the configuration array.rechunk.method "p2p". Shuffles by other methods are ordinary tasks.'
        ),
        awaited: true
      };
    }
    return byWorker({ trans, ...context }) && parts(run).length === 0
      ? {
          head: trans.__('No bytes by worker are known.'),
          body: trans.__('Workers report them with their heartbeats while a shuffle runs.')
        }
      : null;
  },
  picture,
  titleLine,
  legend: (run, context) => {
    const { theme, trans } = context;
    const labels = byWorker(context)
      ? [amountWords('received', trans), amountWords('read_back', trans)]
      : [trans.__('input tasks done'), trans.__('output tasks done')];
    return run.shuffles.list.length === 0
      ? []
      : labels.map((label, i) => ({
          id: i === 0 ? UPPER : LOWER,
          label,
          colour: colours(theme)[i],
          pattern: 'none' as const
        }));
  },
  notes: (run, { trans }) => {
    const { list, lost } = run.shuffles;
    const ended = list.filter(each => !running(each));
    const unreported = ended.filter(each => each.reporting === 0).length;
    // Of very many workers, the feed has those that moved most.
    const listed = Math.max(0, ...list.filter(({ at, reporting }) => at.size < reporting).map(({ at }) => at.size));
    return [
      ...(listed > 0 ? [trans.__('of each shuffle, the %1 workers that moved most are listed', formatCount(listed))] : []),
      ...(ended.length > unreported ? [trans.__('bytes of ended shuffles: as of the last heartbeats before their end')] : []),
      ...(unreported > 0
        ? [
            trans._n(
              'bytes of 1 shuffle not known: it ended before a heartbeat of it was read',
              'bytes of %2 shuffles not known: they ended before a heartbeat of them was read',
              unreported,
              formatCount(unreported)
            )
          ]
        : []),
      ...(lost > 0 ? [trans._n('1 earlier shuffle not kept', '%2 earlier shuffles not kept', lost, formatCount(lost))] : [])
    ];
  },
  table,
  summary: (run, context) => `${[context.trans.__('Shuffle'), ...titleLine(run, context).map(part => part.text)].join(', ')}.`
};
