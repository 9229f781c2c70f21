import {
  formatByteRate,
  formatBytes,
  formatCount,
  formatDuration,
  formatExactCount,
  formatPercent,
  UNKNOWN
} from '../../base/format';
import type { Bytes, BytesPerSecond, Seconds } from '../../base/units';
import { rowWithId } from '../../run/logs/gathered-log';
import type { Run } from '../../run/run';
import { selectionOf } from '../../run/selection/selection';
import { clockAt, sinceStart, startHint } from '../../selectors/moments';
import { areOthers, isOutside } from '../../selectors/selection/picked';
import type { Party, Transfer } from '../../run/logs/transfers';
import { gatheringNotes } from '../../selectors/tasks/gathering';
import { chosenWorker, missingWorker, WORKER } from '../../selectors/workers/one-worker';
import type { Cell, PlotContext, PlotOption, TablePlot } from '../../plot/plot';
import { tableRows } from '../../plot/table-rows';
import { oneLine } from '../../plot/text';
import { workerLabel } from '../../selectors/workers/worker-rows';

/** Dask counts no transfer as shorter, because clocks are not accurate enough. */
const SHORTEST: Seconds = 0.001;

/** Length of a transfer, as Dask counts it. */
export function transferTime({ start, stop }: Transfer): Seconds {
  return Math.max(SHORTEST, stop - start);
}

function bandwidth(transfer: Transfer): BytesPerSecond {
  return transfer.total / transferTime(transfer);
}

/** Name of a worker in a transfer; a participant that is not a worker has no address. */
function partyLabel(run: Run, { worker, address }: Party, { trans }: PlotContext): string {
  const name = run.workerNames[worker];
  return name === undefined ? oneLine(address).replace(/^[a-z+]+:\/\//i, '') || trans.__('client') : workerLabel(name);
}

/** Newest first, even if a worker reported it late; a paused view excludes transfers that ended later. */
function newestFirst(run: Run): readonly Transfer[] {
  return run.transfers.list.filter(({ stop }) => !(stop > run.clock.latest)).sort((a, b) => (b.stop || 0) - (a.stop || 0));
}

/** One of the two logs that a worker keeps, or both. */
const DIRECTION: PlotOption = {
  id: 'direction',
  label: 'Direction',
  choices: [
    { value: 'both', label: 'in and out' },
    { value: 'in', label: 'incoming' },
    { value: 'out', label: 'outgoing' }
  ],
  initial: 'both'
};

/**
 * Transfers of the selected worker in the selected direction; without a selected worker the direction has no meaning.
 */
function chosen(run: Run, context: PlotContext): readonly Transfer[] {
  const all = newestFirst(run);
  const worker = chosenWorker(run, context);
  if (worker === null) {
    return all;
  }
  const direction = context.options.direction ?? DIRECTION.initial;
  return all.filter(
    ({ sender, receiver }) =>
      (direction !== 'in' && sender.worker === worker) || (direction !== 'out' && receiver.worker === worker)
  );
}

function sum(transfers: readonly Transfer[], of: (transfer: Transfer) => number): number {
  return transfers.reduce((all, each) => all + (of(each) || 0), 0);
}

const text = (value: string): Cell => ({ text: value, value });
const bytes = (value: Bytes): Cell => ({ text: formatBytes(value), value });

function cells(transfer: Transfer, run: Run, context: PlotContext): readonly Cell[] {
  const { trans } = context;
  const { start, stop, total, compressed, keys, names, notedBy } = transfer;
  const share = compressed / total;
  const sides = { receiver: trans.__('receiver'), sender: trans.__('sender'), both: trans.__('both') };
  return [
    { text: sinceStart(start, run, trans, 3), value: start },
    { text: sinceStart(stop, run, trans, 3), value: stop },
    { text: formatDuration(transferTime(transfer)), value: transferTime(transfer) },
    text(partyLabel(run, transfer.sender, context)),
    text(partyLabel(run, transfer.receiver, context)),
    bytes(total),
    bytes(compressed),
    { text: Number.isFinite(share) ? formatPercent(share) : UNKNOWN, value: share },
    { text: formatByteRate(bandwidth(transfer)), value: bandwidth(transfer) },
    { text: formatExactCount(keys), value: keys },
    text(oneLine(names)),
    text(sides[notedBy]),
    { text: clockAt(start, run), value: start }
  ];
}

/** All known transfers between workers. */
export const transfers: TablePlot = {
  id: 'transfers',
  icon: '<path d="M1 3.200h8V1.500L12.500 4.200 9 6.900V5.200H1zM15 10.800H7V9.100l-3.500 2.700L7 14.500v-1.700h8z"/>',
  title: 'Transfer log',
  caption: 'every transfer between workers, and to clients: when, how much, how fast, which keys',
  group: 'transfers',
  synonyms: ['network', 'communication', 'bandwidth', 'peer', 'incoming', 'outgoing', 'compressed', 'gather', 'dependencies'],
  howToRead:
    'One row for each transfer, the newest first: results that a worker fetched from another one. What P2P shuffles send is not among them: Shuffle has it. Sort by duration or bandwidth to find the slow ones; search finds workers and the first keys of a transfer, the choices below show the log of one worker, incoming or outgoing. ' +
    'Many small transfers with a low bandwidth are dominated by latency: larger chunks help. Compressed is what went over the wire; only the sender knows it.',
  view: 'table',
  topics: ['meta', 'workers', 'transfers'],
  options: [WORKER, DIRECTION],
  leftOut: (run, row) => {
    const transfer = rowWithId(run.transfers.list, Number(row));
    const { current } = selectionOf(run);
    return (
      transfer !== undefined &&
      (isOutside(current, transfer.start, transfer.stop) ||
        areOthers(run, current, [transfer.sender.worker, transfer.receiver.worker]))
    );
  },
  empty: (run, context) => {
    const { trans } = context;
    if (chosen(run, context).length > 0) {
      return null;
    }
    if (newestFirst(run).length > 0) {
      return {
        head: trans.__('No transfers match this choice.'),
        body: trans.__('There are others: choose all workers, in and out, in the menu of the pane.')
      };
    }
    const { limited } = run.transfers.gathering;
    return limited !== ''
      ? { head: trans.__('Workers refuse requests here.'), body: oneLine(limited) }
      : {
          head: trans.__('No transfers.'),
          body: trans.__(
            'Results that workers send each other for their tasks appear here. What P2P shuffles send is in Shuffle.'
          ),
          awaited: true
        };
  },
  titleLine: (run, context) => {
    const { trans } = context;
    const all = chosen(run, context);
    const total = sum(all, each => each.total);
    return [
      { text: trans._n('1 transfer', '%2 transfers', all.length, formatCount(all.length)), tone: 'strong' },
      { text: formatBytes(total) },
      { text: trans.__('%1 in transfers', formatDuration(sum(all, transferTime))) }
    ];
  },
  legend: () => [],
  notes: (run, context) => {
    const { options, trans } = context;
    const directed = (options.direction ?? DIRECTION.initial) !== DIRECTION.initial;
    return [
      ...gatheringNotes(run.transfers.gathering, run.transfers.lost, trans),
      ...missingWorker(run, context),
      ...(directed && chosenWorker(run, context) === null
        ? [trans.__('in and out: incoming and outgoing are of a chosen worker')]
        : [])
    ];
  },
  table: (run, context) => {
    const { trans } = context;
    return {
      columns: [
        { id: 'start', label: trans.__('Start'), tooltip: startHint(run, trans), align: 'right' },
        { id: 'stop', label: trans.__('Stop'), tooltip: startHint(run, trans), align: 'right' },
        { id: 'duration', label: trans.__('Duration'), align: 'right' },
        { id: 'sender', label: trans.__('From'), align: 'left' },
        { id: 'receiver', label: trans.__('To'), align: 'left' },
        { id: 'total', label: trans.__('Total'), tooltip: trans.__('size of the results in memory'), align: 'right' },
        {
          id: 'compressed',
          label: trans.__('Compressed'),
          tooltip: trans.__('bytes on the wire, as the sender counted them'),
          align: 'right'
        },
        {
          id: 'share',
          label: trans.__('Of total'),
          tooltip: trans.__('compressed, of the total; of small results the message itself is more'),
          align: 'right'
        },
        { id: 'bandwidth', label: trans.__('Bandwidth'), tooltip: trans.__('total by duration'), align: 'right' },
        { id: 'keys', label: trans.__('Keys'), tooltip: trans.__('results that were sent'), align: 'right' },
        { id: 'names', label: trans.__('First keys'), align: 'left' },
        { id: 'noted', label: trans.__('Logged by'), tooltip: trans.__('whose log it comes from'), align: 'left' },
        { id: 'clock', label: trans.__('Clock'), tooltip: trans.__("the scheduler's clock, in your time zone"), align: 'right' }
      ],
      rows: tableRows(chosen(run, context), transfer => cells(transfer, run, context))
    };
  },
  summary: (run, context) => {
    const { trans } = context;
    const all = chosen(run, context);
    const count = trans._n('1 transfer', '%2 transfers', all.length, formatCount(all.length));
    const total = sum(all, each => each.total);
    return trans.__('%1, %2 in %3.', count, formatBytes(total), formatDuration(sum(all, transferTime)));
  }
};
