import { formatBytes } from '../../base/format';
import { mix } from '../../base/theme';
import { byteTicks, niceByteEnd } from '../../charts/axis';
import { steadyEnd } from '../../plot/kept';
import type { BarSegment } from '../../charts/bars';
import type { PlotContext } from '../../plot/plot';
import { tableRows } from '../../plot/table-rows';
import { workerBars, workerTooltip } from '../../charts/bars/worker-bars';
import { countWorkers, liveWorkers, total } from '../../selectors/workers/worker-rows';

/** Below this an axis would show noise as if it were traffic. */
const LEAST_END = 1024 * 1024;

function part(size: number, outgoing: boolean, { theme, hidden }: PlotContext): BarSegment {
  const { colour } = theme.kind('transfer');
  return {
    size: hidden.has(outgoing ? 'out' : 'in') ? 0 : size,
    fill: outgoing ? mix(colour, theme.background, 0.7) : colour,
    least: 2,
    ...(outgoing ? { outline: colour } : {})
  };
}

/** Bytes of the open transfers, by worker. */
export const workersTransferBytes = workerBars({
  id: 'workers-transfer-bytes',
  icon: '<path d="M10.500 1.500L15 5l-4.500 3.500V6H1V4h9.500zM5.500 7.500V10H15v2H5.500v2.500L1 11z"/>',
  title: 'Data transfer',
  short: 'Transfer',
  caption: 'open transfers of each worker, in and out',
  group: 'transfers',
  synonyms: ['network', 'communication', 'bandwidth', 'incoming', 'outgoing', 'bytes transferring'],
  howToRead:
    'For each worker the upper bar is the size of the results that it is fetching from others, the lower one of those that it is sending. ' +
    'These are the transfers open at the last heartbeat, not a rate. What P2P shuffles send is not among them: Shuffle has it. One long lower bar means that many workers wait for one.',
  use: row => (row.transferIn || 0) + (row.transferOut || 0),
  format: formatBytes,
  strip: (row, { hidden }) => Math.max((!hidden.has('in') && row.transferIn) || 0, (!hidden.has('out') && row.transferOut) || 0),
  shade: (_row, { theme }) => theme.kind('transfer').colour,
  heads: true,
  scale: (run, context, rows) => {
    const { trans } = context;
    const most = rows.reduce((greatest, row) => Math.max(greatest, row.transferIn || 0, row.transferOut || 0), LEAST_END);
    return {
      end: steadyEnd(run, context, niceByteEnd(most)),
      ticks: byteTicks,
      columns: [
        { width: 62, from: 300, head: trans.__('in') },
        { width: 62, from: 300, head: trans.__('out') }
      ]
    };
  },
  row: (row, context, scale) => {
    const { trans } = context;
    return {
      track: scale.end,
      bars: [{ segments: [part(row.transferIn, false, context)] }, { segments: [part(row.transferOut, true, context)] }],
      figures: [{ text: formatBytes(row.transferIn) }, { text: formatBytes(row.transferOut) }],
      tooltip: workerTooltip(row, context, [
        [trans.__('Incoming'), formatBytes(row.transferIn)],
        [trans.__('Outgoing'), formatBytes(row.transferOut)]
      ])
    };
  },
  titleLine: (run, { trans }) => {
    const rows = liveWorkers(run);
    return [
      { text: trans.__('%1 in', formatBytes(total(rows, row => row.transferIn))), tone: 'strong' },
      { text: trans.__('%1 out', formatBytes(total(rows, row => row.transferOut))), tone: 'strong' }
    ];
  },
  legend: (_run, { theme, trans }) => {
    const { colour } = theme.kind('transfer');
    return [
      { id: 'in', label: trans.__('incoming'), colour, pattern: 'none' },
      { id: 'out', label: trans.__('outgoing'), colour, pattern: 'none', outlined: true }
    ];
  },
  notes: () => [],
  table: (run, { trans }) => ({
    columns: [
      { id: 'name', label: trans.__('Worker'), align: 'left' },
      { id: 'in', label: trans.__('Incoming'), tooltip: trans.__('bytes of open transfers'), align: 'right' },
      { id: 'out', label: trans.__('Outgoing'), tooltip: trans.__('bytes of open transfers'), align: 'right' }
    ],
    rows: tableRows(liveWorkers(run), row => [
      { text: row.label, value: row.label },
      { text: formatBytes(row.transferIn), value: row.transferIn },
      { text: formatBytes(row.transferOut), value: row.transferOut }
    ])
  }),
  summary: (run, { trans }) => {
    const rows = liveWorkers(run);
    const [incoming, outgoing] = [total(rows, row => row.transferIn), total(rows, row => row.transferOut)];
    return trans.__(
      'Open transfers: %1 in, %2 out on %3.',
      formatBytes(incoming),
      formatBytes(outgoing),
      countWorkers(rows, trans)
    );
  }
});
