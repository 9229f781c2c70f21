import { formatCount, formatDuration, formatExactCount } from '../../base/format';
import type { Cell, PlotContext, TableData, TableRow, TitlePart, Translate, WorkerPlot } from '../../plot/plot';
import { oneLine } from '../../plot/text';
import type { Run } from '../../run/run';
import {
  DETAILED,
  detailedWorker,
  eventsOf,
  linesOf,
  runningOn,
  tasksOn,
  workerTitle
} from '../../selectors/workers/worker-details';
import { identityFacts, memoryFacts, metricFacts, workFacts } from '../../selectors/workers/worker-words';
import { type WorkerRow, workerWord } from '../../selectors/workers/worker-rows';
import { atEnd } from '../../selectors/run-end';
import { runningFor } from '../../selectors/workers/running-count';
import { sinceStartWords } from '../../selectors/moments';

/** Events and log lines in the table. */
const MOST = 200;
/** Longest text in a cell, in characters. */
const LONGEST = 1000;

function rows(run: Run, row: WorkerRow, context: PlotContext): readonly TableRow[] {
  const { trans } = context;
  const { word, sign } = workerWord(row, context.theme, trans);
  const cells = (what: string, cell: Cell): readonly Cell[] => [{ text: what, value: what }, cell];
  const facts = [
    ...identityFacts(row, run, trans),
    ...memoryFacts(row, trans),
    ...workFacts(row, trans),
    ...metricFacts(row, run)
  ].filter(({ text }) => text !== '');
  return [
    { id: 'name', cells: cells(trans.__('Worker'), { text: row.label, value: row.label }) },
    { id: 'status', cells: cells(trans.__('Status'), { text: word, value: word, sign }) },
    ...facts.map(({ id, name, text, value }) => ({ id: `fact ${id}`, cells: cells(name, { text, value }) })),
    ...tasksOn(run, row).map(task => {
      const time = formatDuration(runningFor(run, task));
      const text = trans.__('%1, for %2', oneLine(task.key), time);
      return {
        id: `task ${task.id} ${task.start}`,
        cells: cells(run.hasEnded ? atEnd(run, trans.__('running'), trans) : trans.__('Runs'), { text, value: task.key })
      };
    }),
    ...eventsOf(run, row, MOST).map(({ time, action, text }, i) => {
      const shown = `${sinceStartWords(time, run, trans)} ${oneLine(action)} ${oneLine(text, LONGEST)}`;
      return { id: `event ${time} ${i}`, cells: cells(trans.__('Event'), { text: shown, value: shown }) };
    }),
    ...linesOf(run, row, MOST).map(({ id, time, text }) => {
      const shown = `${sinceStartWords(time, run, trans)} ${oneLine(text, LONGEST)}`;
      return { id: `line ${id}`, cells: cells(trans.__('Log line'), { text: shown, value: shown }) };
    })
  ];
}

function table(run: Run, context: PlotContext): TableData {
  const { trans } = context;
  const row = detailedWorker(run, context);
  return {
    columns: [
      { id: 'what', label: trans.__('What'), align: 'left' },
      { id: 'value', label: trans.__('Value'), align: 'left' }
    ],
    rows: row === null ? [] : rows(run, row, context)
  };
}

/** Of a run that has ended, how many ran at its end. */
function runningWords(run: Run, count: number, trans: Translate): string {
  const shown = formatExactCount(count);
  return run.hasEnded
    ? atEnd(run, trans._n('1 task running', '%2 tasks running', count, shown), trans)
    : trans._n('1 task runs', '%2 tasks run', count, shown);
}

function title(run: Run, context: PlotContext): TitlePart[] {
  const row = detailedWorker(run, context);
  if (row === null) {
    return [];
  }
  const { trans, theme } = context;
  const { word, tone } = workerWord(row, theme, trans);
  const running = runningOn(run, row);
  return [
    { text: workerTitle(run, row), tone: 'strong' },
    { text: word, ...(tone ? { tone } : {}) },
    ...(running > 0 ? [{ text: runningWords(run, running, trans) }] : [])
  ];
}

/** Tasks without a row. */
function notes(run: Run, context: PlotContext): readonly string[] {
  const row = detailedWorker(run, context);
  const more = row === null ? 0 : runningOn(run, row) - tasksOn(run, row).length;
  return more > 0
    ? [
        context.trans._n(
          '1 more is not listed: a worker lists the 100 that run longest',
          '%2 more are not listed: a worker lists the 100 that run longest',
          more,
          formatCount(more)
        )
      ]
    : [];
}

/** All details of one worker. */
export const worker: WorkerPlot = {
  id: 'worker',
  icon: '<path fill-rule="evenodd" d="M1 2h14v9H1zm1.200 1.200v6.600h11.600V3.200z"/><path d="M5 12.500h6V14H5zM4 5h5v1.200H4zm0 2.200h8v1.200H4z"/>',
  title: 'Worker details',
  caption: 'one worker: state, memory, what it runs, its events and log lines',
  group: 'workers',
  synonyms: ['info', 'node', 'paused', 'retiring', 'lost', 'restart', 'retire', 'address', 'nanny', 'process', 'why'],
  topics: ['meta', 'workers', 'running', 'events', 'logs'],
  view: 'worker',
  options: [DETAILED],
  howToRead:
    'Everything that is known about one worker: its state and why it takes no tasks, CPU and memory against its limit, what it runs, the tasks that wait on it, its largest results and its resources, the newest events about it and lines of its log. ' +
    'It is the worker that is selected, if you choose none below. The figures are those of its last heartbeat; of a worker that has left it says who it was and when it left, with its events and log lines. ' +
    'Look at these first if a worker has left, is paused, or runs nothing.',
  empty: (run, context) => {
    const { trans, options } = context;
    if (detailedWorker(run, context) !== null) {
      return null;
    }
    return (options.worker ?? '') === ''
      ? {
          head: trans.__('No worker chosen.'),
          body: trans.__('Select one in another pane, or choose one in the menu of this pane.')
        }
      : {
          head: trans.__('The chosen worker is not in this run.'),
          body: trans.__('Choose another one in the menu of the pane.')
        };
  },
  titleLine: title,
  legend: () => [],
  notes,
  table,
  summary: (run, context) => {
    const parts = title(run, context).map(({ text }) => text);
    return parts.length === 0 ? context.trans.__('Worker details.') : `${parts.join(', ')}.`;
  }
};
