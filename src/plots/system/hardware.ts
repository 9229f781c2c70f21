import { byteUnit, formatByteRate, formatBytes, formatCount, formatDuration, formatElapsed, formatTick } from '../../base/format';
import type { Theme } from '../../base/theme';
import type { Bytes, BytesPerSecond } from '../../base/units';
import { type BarRow, rowPicture } from '../../charts/bars';
import type { EmptyText, PlotContext, PlotOption, TableData, TitlePart, Translate, VegaPlot } from '../../plot/plot';
import { tableRows } from '../../plot/table-rows';
import { oneLine, textWidth } from '../../plot/text';
import { HARDWARE_KIND, type HardwareKind } from '../../feed/schema';
import type { HardwareRate } from '../../run/logs/hardware';
import type { Run } from '../../run/run';
import { workerLabel } from '../../selectors/workers/worker-rows';

/** What the rows are. */
const ROWS: PlotOption = {
  id: 'rows',
  label: 'Rows',
  choices: [
    { value: 'size', label: 'block sizes, mean of the workers' },
    { value: 'worker', label: 'workers, best block size' }
  ],
  initial: 'size'
};

/** A bar: what one worker, or the mean of all, reached. */
interface Measured {
  readonly id: string;
  readonly label: string;
  /** Whether it is of one worker. */
  readonly named: boolean;
  readonly kind: HardwareKind;
  readonly rate: BytesPerSecond;
  readonly least: BytesPerSecond;
  readonly most: BytesPerSecond;
  /** For the network, pairs of them: each sends to one other. */
  readonly workers: number;
  readonly size: Bytes;
}

function kindWords(kind: string, trans: Translate): string {
  switch (kind) {
    case 'disk':
      return trans.__('disk');
    case 'memory':
      return trans.__('memory');
    case 'network':
      return trans.__('network');
    default:
      return oneLine(kind);
  }
}

function colourOf(kind: HardwareKind, theme: Theme): string {
  return kind === 'disk'
    ? theme.kind('disk-read').colour
    : kind === 'memory'
      ? theme.memory('blue')[0]
      : theme.kind('transfer').colour;
}

function bySize(rates: readonly HardwareRate[]): [Bytes, readonly HardwareRate[]][] {
  const found = new Map<Bytes, HardwareRate[]>();
  for (const rate of rates) {
    const group = found.get(rate.size) ?? [];
    found.set(rate.size, group);
    group.push(rate);
  }
  return [...found];
}

function mean(rates: readonly HardwareRate[]): BytesPerSecond {
  return rates.reduce((sum, { rate }) => sum + rate, 0) / rates.length;
}

/** Sizes of blocks are whole: "10 MiB". */
function blockWords(size: Bytes): string {
  const { bytes, name } = byteUnit(size);
  return `${formatTick(Math.round(size / bytes))} ${name}`;
}

/** Mean of the workers for each size of a kind, as Dask's own benchmark reports it. */
function sizesOf(kind: HardwareKind, run: Run, { trans }: PlotContext): readonly Measured[] {
  const rates = run.hardware.list.filter(rate => rate.kind === kind);
  return bySize(rates)
    .sort(([a], [b]) => a - b)
    .map(([size, of]) => ({
      id: `${kind} ${size}`,
      label: `${kindWords(kind, trans)} ${blockWords(size)}`,
      named: false,
      ...{ kind, size, workers: of.length, rate: mean(of) },
      least: of.reduce((least, { rate }) => Math.min(least, rate), Number.POSITIVE_INFINITY),
      most: of.reduce((most, { rate }) => Math.max(most, rate), 0)
    }));
}

/** The size with the greatest mean. */
function best(kind: HardwareKind, run: Run, context: PlotContext): Measured | null {
  return sizesOf(kind, run, context).reduce<Measured | null>(
    (found, each) => (found && found.rate >= each.rate ? found : each),
    null
  );
}

/** Each worker with the size that is best in the mean, the slowest first. */
function workersOf(kind: HardwareKind, run: Run, context: PlotContext): readonly Measured[] {
  const size = best(kind, run, context)?.size;
  return run.hardware.list
    .filter(rate => rate.kind === kind && rate.size === size)
    .sort((a, b) => a.rate - b.rate)
    .map(({ worker, peer, rate, size: bytes }) => {
      const name = workerLabel(run.workerNames[worker]);
      const between = peer < 0 ? name : `${name} → ${workerLabel(run.workerNames[peer])}`;
      return {
        id: `${kind} ${worker}`,
        label: `${kindWords(kind, context.trans)} ${between}`,
        named: true,
        ...{ kind, rate, least: rate, most: rate, workers: 1, size: bytes }
      };
    });
}

function rows(run: Run, context: PlotContext): readonly Measured[] {
  const of = context.options.rows === 'worker' ? workersOf : sizesOf;
  return HARDWARE_KIND.filter(kind => !context.hidden.has(kind)).flatMap(kind => of(kind, run, context));
}

function bar(row: Measured, greatest: ReadonlyMap<HardwareKind, number>, { theme, trans }: PlotContext): BarRow {
  const share = (rate: BytesPerSecond): number => rate / Math.max(1, greatest.get(row.kind) ?? 1);
  const lines = row.workers > 1 ? [row.least, row.most].map(value => ({ value: share(value), colour: theme.textSecondary })) : [];
  return {
    // The ends of names differ.
    label: { text: row.label, keepEnd: row.named },
    track: 1,
    bars: [{ segments: [{ size: share(row.rate), fill: colourOf(row.kind, theme), least: 1 }] }],
    lines,
    figures: [{ text: formatByteRate(row.rate) }],
    tooltip: {
      title: row.label,
      state: formatByteRate(row.rate),
      rows: [
        [trans.__('Block size'), formatBytes(row.size)],
        [row.kind === 'network' ? trans.__('Pairs of workers') : trans.__('Workers'), formatCount(row.workers)],
        [trans.__('Slowest'), formatByteRate(row.least)],
        [trans.__('Fastest'), formatByteRate(row.most)]
      ],
      hint: trans.__('Click: pin')
    }
  };
}

/** "measured 11/26/2026, 13:05:10 (1:02 of the run), in 12 s"; the time of the run only if it had begun. */
function when(run: Run, trans: Translate): string {
  const { started, ended } = run.hardware;
  // The clock of the scheduler, in the time zone of the reader.
  const date = Number.isFinite(started) ? new Date(started * 1000).toLocaleString() : '';
  const took = formatDuration(ended - started);
  return started >= run.origin
    ? trans.__('measured %1 (%2 of the run), in %3', date, formatElapsed(started - run.origin), took)
    : trans.__('measured %1, in %2', date, took);
}

function empty(run: Run, { trans }: PlotContext): EmptyText | null {
  const { hardware } = run;
  if (hardware.list.length > 0) {
    return null;
  }
  if (hardware.state === 'running') {
    return {
      head: trans.__(
        'Measuring %1 of %2 …',
        kindWords(hardware.stage, trans),
        trans._n('1 worker', '%2 workers', hardware.workers, formatCount(hardware.workers))
      ),
      body: trans.__('It takes about 12 seconds where workers have nothing else to do.')
    };
  }
  if (hardware.state === 'failed') {
    const [first] = hardware.failures;
    return {
      head: trans.__('The hardware could not be measured.'),
      body: first === undefined ? trans.__('No worker answered.') : oneLine(`${first.address} ${first.reason}`, 500)
    };
  }
  return {
    head: trans.__('No measurements.'),
    body: trans.__(
      'The button above, in a live pane, measures the memory, disk and network of all workers. It loads them for about 12 seconds and slows down what they compute.'
    ),
    awaited: true
  };
}

function titleLine(run: Run, context: PlotContext): readonly TitlePart[] {
  const { trans } = context;
  const parts = HARDWARE_KIND.flatMap(kind => {
    const found = best(kind, run, context);
    return found === null ? [] : [{ text: `${kindWords(kind, trans)} ${formatByteRate(found.rate)}`, tone: 'strong' as const }];
  });
  return run.hardware.state === 'running'
    ? [...parts, { text: trans.__('measuring %1 …', kindWords(run.hardware.stage, trans)) }]
    : parts;
}

/** Whether a kind failed, as far as failures are listed. */
function mayHaveFailed(kind: HardwareKind, { hardware: { failures, failed } }: Run): boolean {
  return failed > failures.length || failures.some(each => each.kind === kind);
}

function notes(run: Run, { trans }: PlotContext): readonly string[] {
  const { failures, failed, state, list } = run.hardware;
  const more = failed - failures.length;
  return [
    ...(state === 'done' ? [when(run, trans)] : []),
    ...(list.length > 0 ? [trans.__('each kind on a scale of its own')] : []),
    ...(state === 'done' && list.length > 0 && !list.some(({ kind }) => kind === 'network') && !mayHaveFailed('network', run)
      ? [trans.__('no network: it needs two workers')]
      : []),
    ...failures.map(({ address, kind, reason }) => oneLine(`${kindWords(kind, trans)} ${address}: ${reason}`, 300)),
    ...(more > 0 ? [trans._n('1 further failure', '%2 further failures', more, formatCount(more))] : [])
  ];
}

function table(run: Run, { trans }: PlotContext): TableData {
  const name = (worker: number): string => (worker < 0 ? '' : workerLabel(run.workerNames[worker]));
  const rates = run.hardware.list.map((rate, id) => ({ ...rate, id }));
  return {
    columns: [
      { id: 'kind', label: trans.__('Kind'), align: 'left' },
      { id: 'worker', label: trans.__('Worker'), align: 'left' },
      { id: 'peer', label: trans.__('To'), align: 'left' },
      { id: 'size', label: trans.__('Block size'), align: 'right' },
      { id: 'rate', label: trans.__('Rate'), align: 'right' }
    ],
    rows: tableRows(rates, ({ kind, worker, peer, size, rate }) => [
      { text: kindWords(kind, trans), value: kind },
      { text: name(worker), value: name(worker) },
      { text: name(peer), value: name(peer) },
      { text: formatBytes(size), value: size },
      { text: formatByteRate(rate), value: rate }
    ])
  };
}

/** What memory, disk and network of the workers reach, measured on request. */
export const hardware: VegaPlot = {
  id: 'hardware',
  icon: '<path fill-rule="evenodd" d="M1 2h14v5H1zm1.300 1.300v2.400h11.400V3.300zM1 9h14v5H1zm1.300 1.300v2.400h11.400v-2.400z"/><path d="M10.500 4h2v1h-2zm0 7h2v1h-2z"/>',
  title: 'Hardware bandwidth',
  caption: 'what memory, disk and network of the workers reach, measured when you ask for it',
  group: 'system',
  synonyms: ['benchmark', 'bandwidth', 'disk speed', 'network speed', 'throughput', 'memory bandwidth', 'iops'],
  howToRead:
    'Each bar is the bytes per second that workers reach with blocks of one size: writing to their local directory, copying in memory, and sending to another worker and back. The two lines are the slowest and the fastest worker; each kind has a scale of its own. ' +
    'Small blocks are slow everywhere, so large ones show what the hardware can do: a disk below 100 MiB/s makes spilling costly, and a network far below its nominal speed makes transfers costly. All workers are measured at the same time: those on one host share its disk and memory, so each shows only a part of what the host reaches, and a pair of them does not use the network. A worker far below others with as many neighbours on its host is on a machine with a problem. ' +
    'Nothing is measured until you press the button. Tasks that run meanwhile and the measurement slow each other down.',
  view: 'vega',
  topics: ['meta', 'workers', 'hardware'],
  options: [ROWS],
  offers: 'benchmark',
  empty,
  picture: (run, context, size) => {
    const items = rows(run, context);
    const greatest = new Map(
      HARDWARE_KIND.map(kind => [kind, items.reduce((most, row) => (row.kind === kind ? Math.max(most, row.most) : most), 0)])
    );
    return rowPicture(context.theme, size, {
      items,
      row: each => bar(each, greatest, context),
      parts: { heads: false, axis: false, title: false },
      end: 1,
      columns: [{ width: 92, from: 180 }],
      leastBars: 50,
      gutter: items.reduce((most, { label }) => Math.max(most, textWidth(label)), 0)
    });
  },
  titleLine,
  legend: (run, { theme, trans }) =>
    HARDWARE_KIND.filter(kind => run.hardware.list.some(rate => rate.kind === kind)).map(kind => ({
      ...{ id: kind, label: kindWords(kind, trans), colour: colourOf(kind, theme), pattern: 'none' as const }
    })),
  notes,
  table,
  summary: (run, context) => {
    const parts = titleLine(run, context).map(({ text }) => text);
    return parts.length === 0 ? context.trans.__('The hardware was not measured.') : `${parts.join(', ')}.`;
  }
};
