import { formatBytes, formatCount } from '../../../base/format';
import type { Bytes } from '../../../base/units';
import { noWorkers, workerOfRow } from '../../../charts/bars/worker-bars';
import type { LegendItem, PlotContext, TableData, TitlePart, VegaPlot } from '../../../plot/plot';
import { tableRows } from '../../../plot/table-rows';
import type { Run } from '../../../run/run';
import { clockAt } from '../../../selectors/moments';
import { gatheringNotes } from '../../../selectors/tasks/gathering';
import { hosts } from '../../../selectors/workers/host-rows';
import { calledWorker, chosenWorker, missingWorker, WORKER } from '../../../selectors/workers/one-worker';
import { countWorkers, liveWorkers, type WorkerRow, workerWord } from '../../../selectors/workers/worker-rows';
import { draw } from './drawing';
import { flowsOf, mostFlows, PERIOD } from './flows';
import { mapSpec } from './spec';
import { drawnHosts, fillOf, knowsTransfers, movedBy, movedWithout, STATES, stateOf } from './workers';

/** The period; its end is named on an idle cluster, of which the newest data may be hours old. */
function periodWords(run: Run, { options, trans }: PlotContext): string {
  const period = options.period ?? PERIOD.initial;
  if (Number.isFinite(run.idleSince)) {
    const end = clockAt(run.clock.latest, run);
    switch (period) {
      case '10':
        return trans.__('in the 10 s before %1', end);
      case '60':
        return trans.__('in the minute before %1', end);
      case '600':
        return trans.__('in the 10 minutes before %1', end);
      default:
        return trans.__('in the whole run');
    }
  }
  switch (period) {
    case '10':
      return trans.__('in the last 10 s');
    case '60':
      return trans.__('in the last minute');
    case '600':
      return trans.__('in the last 10 minutes');
    default:
      return trans.__('in the whole run');
  }
}

/** What did not move; nothing is said of workers that have left, nor of others than the chosen one. */
function nothingMoved(run: Run, context: PlotContext): string {
  const { trans } = context;
  if (!knowsTransfers(run)) {
    return trans.__('transfers are not known');
  }
  const only = chosenWorker(run, context);
  const words =
    flowsOf(run, context).left > 0
      ? trans.__('no results sent between these workers')
      : only === null
        ? trans.__('no results sent')
        : trans.__('no results sent or received by %1', calledWorker(run, only));
  return `${words} ${periodWords(run, context)}`;
}

function titleLine(run: Run, context: PlotContext): readonly TitlePart[] {
  const { trans } = context;
  const rows = liveWorkers(run);
  const count = hosts(run).length;
  const { list, bytes } = flowsOf(run, context);
  const pairs = trans._n('between 1 pair', 'between %2 pairs', list.length, formatCount(list.length));
  return [
    { text: countWorkers(rows, trans), tone: 'strong' },
    { text: trans._n('1 host', '%2 hosts', count, formatCount(count)) },
    {
      text: list.length === 0 ? nothingMoved(run, context) : `${formatBytes(bytes)} ${pairs} ${periodWords(run, context)}`
    }
  ];
}

function legend(run: Run, context: PlotContext): readonly LegendItem[] {
  const { theme, trans } = context;
  const rows = liveWorkers(run);
  return [
    ...STATES.flatMap((id): readonly LegendItem[] => {
      const row = rows.find(each => stateOf(each) === id);
      return row === undefined ? [] : [{ id, label: stateWords(row, context), colour: fillOf(id, theme), pattern: 'none' }];
    }),
    ...cancelledLegend(rows, context),
    { id: 'transfer', label: trans.__('transfer'), ...theme.kind('transfer'), pattern: 'none' }
  ];
}

/** Busy workers that run cancelled tasks only have a sign of their own. */
function cancelledLegend(rows: readonly WorkerRow[], { theme, trans }: PlotContext): readonly LegendItem[] {
  const row = rows.find(each => stateOf(each) === 'busy' && each.load === 'idle');
  if (row === undefined) {
    return [];
  }
  const { sign, word, colour } = workerWord(row, theme, trans);
  return [{ id: 'cancelled', label: `${sign} ${word}`, colour, pattern: 'none', inert: true }];
}

/** The state of a worker, with its sign in the picture: a busy one has none. */
function stateWords(row: WorkerRow, { theme, trans }: PlotContext): string {
  const { sign, word } = workerWord(row, theme, trans);
  return stateOf(row) === 'busy' ? trans.__('busy') : `${sign} ${word}`;
}

function notes(run: Run, context: PlotContext): readonly string[] {
  const { trans } = context;
  const { list, left } = flowsOf(run, context);
  const drawn = drawnHosts(run, context).reduce((sum, host) => sum + host.workers.length, 0);
  const wanted = liveWorkers(run).filter(row => !context.hidden.has(stateOf(row))).length;
  const more = list.length - mostFlows(run);
  const few = Math.max(0, wanted - drawn);
  return [
    ...(few > 0 ? [trans._n('1 worker only in the table', '%2 workers only in the table', few, formatCount(few))] : []),
    ...(more > 0
      ? [
          trans._n(
            'lines of the %2 pairs that moved most; 1 other',
            'lines of the %2 pairs that moved most; %3 others',
            more,
            formatCount(mostFlows(run)),
            formatCount(more)
          )
        ]
      : []),
    ...(left > 0
      ? [trans._n('1 transfer of a worker that left', '%2 transfers of workers that left', left, formatCount(left))]
      : []),
    ...missingWorker(run, context),
    ...gatheringNotes(run.transfers.gathering, run.transfers.lost, trans)
  ];
}

function table(run: Run, context: PlotContext): TableData {
  const { trans, theme } = context;
  const moved = movedBy(run, context);
  const number = (value: number): { text: string; value: number } => ({ text: formatCount(value), value });
  const bytes = (value: Bytes): { text: string; value: number } => ({ text: formatBytes(value), value });
  return {
    columns: [
      { id: 'name', label: trans.__('Worker'), align: 'left' },
      { id: 'host', label: trans.__('Host'), align: 'left' },
      { id: 'status', label: trans.__('Status'), align: 'left' },
      { id: 'running', label: trans.__('Running'), align: 'right' },
      { id: 'received', label: trans.__('Received'), align: 'right' },
      { id: 'from', label: trans.__('From'), tooltip: trans.__('number of senders'), align: 'right' },
      { id: 'sent', label: trans.__('Sent'), align: 'right' },
      { id: 'to', label: trans.__('To'), tooltip: trans.__('number of receivers'), align: 'right' }
    ],
    rows: tableRows(liveWorkers(run), row => {
      const { received, sent, from, to } = moved.get(row.id) ?? movedWithout(run);
      const { sign, word, tone } = workerWord(row, theme, trans);
      return [
        { text: row.label, value: row.label },
        { text: row.host, value: row.host },
        { text: word, value: word, sign, ...(tone ? { tone } : {}) },
        number(row.executing),
        ...[bytes(received), number(from), bytes(sent), number(to)]
      ];
    })
  };
}

/** Clients, scheduler, hosts and workers, and who sends data to whom. */
export const workersMap: VegaPlot = {
  id: 'workers-map',
  icon: '<path fill-rule="evenodd" d="M5 1h6v4H5zm1.200 1.200v1.600h3.600V2.200zM1 10h4v4H1zm5 0h4v4H6zm5 0h4v4h-4z"/><path d="M7.500 5h1v2H13v3h-1V8H8.500v2h-1V8H4v2H3V7h4.500z"/>',
  title: 'Cluster map',
  caption: 'clients, scheduler, hosts and workers, and who sends data to whom',
  group: 'workers',
  synonyms: ['network', 'topology', 'hosts', 'machines', 'transfers', 'communication', 'nodes'],
  howToRead:
    'Above are the clients and the scheduler, below each host with its workers, in the colour and with the sign of their state; the frame of a worker near its memory limit is orange or red, with the sign ▲. ' +
    'An arrow goes from the worker that sent results to the one that received them; the thicker it is, the more bytes. What P2P shuffles send is not among them: Shuffle has it. ' +
    'Many thick arrows between hosts cost time: use fewer and larger steps, or keep data where it is used. If all arrows come from one worker, it holds what all others need.',
  view: 'vega',
  topics: ['meta', 'workers', 'transfers'],
  options: [PERIOD, WORKER],
  empty: noWorkers,
  acts: workerOfRow,
  picture: (run, context) => ({ key: 'map', spec: () => mapSpec(context.theme), draw: frame => draw(run, context, frame) }),
  titleLine,
  legend,
  notes,
  table,
  summary: (run, context) =>
    `${titleLine(run, context)
      .map(({ text }) => text)
      .join(', ')}.`
};
