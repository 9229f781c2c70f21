import { formatCount } from '../../base/format';
import { ERROR, type LogLine, WARNING } from '../../run/logs/logs';
import { rowWithId } from '../../run/logs/gathered-log';
import type { Run } from '../../run/run';
import { selectionOf } from '../../run/selection/selection';
import { clockAt, sinceStart, sinceStartWords, startHint } from '../../selectors/moments';
import { areOthers, isOutside } from '../../selectors/selection/picked';
import { gatheringNotes } from '../../selectors/tasks/gathering';
import { workerAt, workerChoices } from '../../selectors/workers/one-worker';
import type { Cell, PlotContext, PlotOption, RowDetail, TablePlot, Translate } from '../../plot/plot';
import { tableRows } from '../../plot/table-rows';
import { oneLine } from '../../plot/text';
import { workerLabel } from '../../selectors/workers/worker-rows';

/** Longest line shown in a cell, in characters. */
const LONGEST = 2000;

const LEVEL: PlotOption = {
  id: 'level',
  label: 'Level',
  choices: [
    { value: '0', label: 'all levels' },
    { value: '20', label: 'info and above' },
    { value: '30', label: 'warnings and errors' },
    { value: '40', label: 'errors' }
  ],
  initial: '0'
};

const SERVERS: PlotOption = {
  id: 'servers',
  label: 'Of',
  choices: [
    { value: 'all', label: 'scheduler and workers' },
    { value: 'scheduler', label: 'the scheduler' },
    { value: 'workers', label: 'workers' }
  ],
  initial: 'all',
  found: workerChoices
};

/** All lines so far, newest first; a paused view excludes later ones. */
function lines(run: Run): readonly LogLine[] {
  return run.logs.list.filter(({ time }) => !(time > run.clock.latest)).sort((a, b) => b.time - a.time || b.id - a.id);
}

function chosen(run: Run, { options }: PlotContext): readonly LogLine[] {
  const least = Number(options.level ?? LEVEL.initial);
  const of = options.servers ?? SERVERS.initial;
  const worker = workerAt(run, of);
  const isOf = (server: number): boolean =>
    worker !== null ? server === worker : of === 'scheduler' ? server < 0 : of === 'workers' ? server >= 0 : true;
  return lines(run).filter(({ level, server }) => level >= least && isOf(server));
}

function serverLabel(run: Run, server: number, trans: Translate): string {
  return server < 0 ? trans.__('scheduler') : workerLabel(run.workerNames[server]);
}

/** A line without the prefix of Dask's format (time, logger, level), which other columns show. */
function message({ text, logger, levelName }: LogLine): string {
  const head = `${logger} - ${levelName} - `;
  const at = text.indexOf(head);
  return at < 0 ? text : text.slice(at + head.length);
}

function levelCell({ level, levelName }: LogLine): Cell {
  const text = oneLine(levelName, 20).toLowerCase();
  const look: Partial<Cell> = level >= ERROR ? { sign: '✕', tone: 'bad' } : level >= WARNING ? { sign: '▲', tone: 'warn' } : {};
  return { text, value: level, ...look };
}

/** A line with all its own lines, such as those of a traceback. */
function detail(run: Run, line: LogLine, trans: Translate): RowDetail {
  const { text, tone, sign } = levelCell(line);
  return {
    title: [sign, text, '·', sinceStartWords(line.time, run, trans)].filter(Boolean).join(' '),
    tone: tone === 'bad' ? 'bad' : 'plain',
    facts: [
      [trans.__('Server'), serverLabel(run, line.server, trans)],
      [trans.__('Clock'), clockAt(line.time, run)],
      [trans.__('Logger'), oneLine(line.logger)]
    ],
    text: message(line),
    links: []
  };
}

/** Of the lines in the table. */
function counts(run: Run, context: PlotContext): readonly { readonly text: string; readonly tone?: 'warn' | 'bad' | 'strong' }[] {
  const { trans } = context;
  const all = chosen(run, context);
  const errors = all.filter(({ level }) => level >= ERROR).length;
  const warnings = all.filter(({ level }) => level >= WARNING && level < ERROR).length;
  return [
    { text: trans._n('1 line', '%2 lines', all.length, formatCount(all.length)), tone: 'strong' },
    ...(errors > 0 ? [{ text: trans._n('1 error', '%2 errors', errors, formatCount(errors)), tone: 'bad' as const }] : []),
    ...(warnings > 0
      ? [{ text: trans._n('1 warning', '%2 warnings', warnings, formatCount(warnings)), tone: 'warn' as const }]
      : [])
  ];
}

/** Log lines of the scheduler and the workers. */
export const logs: TablePlot = {
  id: 'logs',
  icon: '<path d="M1 2h2v2H1zm3.500 0H15v2H4.500zM1 6h2v2H1zm3.500 0H12v2H4.500zM1 10h2v2H1zm3.500 0H14v2H4.500z"/>',
  title: 'Logs',
  caption: 'what scheduler and workers write into their logs, by level',
  group: 'diagnosis',
  synonyms: ['get_worker_logs', 'get_scheduler_logs', 'warning', 'error', 'traceback', 'messages', 'logging'],
  howToRead:
    'One line for each record in the logs of Dask, the newest first. Choose a level below, search for a word or a worker, click a line to see all of it. ' +
    'Warnings about an unresponsive event loop, memory or a restarted worker explain gaps in other panes.',
  view: 'table',
  topics: ['meta', 'workers', 'logs'],
  options: [LEVEL, SERVERS],
  detail: (run, row, { trans }) => {
    const line = rowWithId(run.logs.list, Number(row));
    return line === undefined ? null : detail(run, line, trans);
  },
  leftOut: (run, row) => {
    const line = rowWithId(run.logs.list, Number(row));
    const { current } = selectionOf(run);
    return line !== undefined && (isOutside(current, line.time) || areOthers(run, current, [line.server]));
  },
  empty: (run, context) => {
    const { trans } = context;
    if (chosen(run, context).length > 0) {
      return null;
    }
    return lines(run).length > 0
      ? {
          head: trans.__('No lines match this choice.'),
          body: trans.__('There are others: choose all levels, of scheduler and workers, in the menu of the pane.')
        }
      : {
          head: run.logs.gathering.servers > 0 ? trans.__('The logs are empty.') : trans.__('No logs.'),
          body: trans.__('Log lines of the scheduler and the workers appear here, from the configured level on.'),
          awaited: true
        };
  },
  titleLine: counts,
  legend: () => [],
  notes: (run, { options, trans }) => {
    const of = options.servers ?? SERVERS.initial;
    const missing = !SERVERS.choices.some(({ value }) => value === of) && workerAt(run, of) === null;
    return [
      ...gatheringNotes(run.logs.gathering, run.logs.lost, trans),
      ...(missing ? [trans.__('the chosen worker is not in this run: scheduler and all workers are shown')] : [])
    ];
  },
  table: (run, context) => {
    const { trans } = context;
    return {
      columns: [
        { id: 'time', label: trans.__('Time'), tooltip: startHint(run, trans), align: 'right' },
        {
          id: 'clock',
          label: trans.__('Clock'),
          tooltip: trans.__("the scheduler's clock, in your time zone"),
          align: 'right',
          from: 480
        },
        { id: 'level', label: trans.__('Level'), align: 'left' },
        { id: 'server', label: trans.__('Server'), align: 'left', from: 360 },
        { id: 'logger', label: trans.__('Logger'), align: 'left', from: 600 },
        { id: 'text', label: trans.__('Line'), align: 'left' }
      ],
      rows: tableRows(chosen(run, context), line => {
        const server = serverLabel(run, line.server, trans);
        return [
          { text: sinceStart(line.time, run, trans), value: line.time },
          { text: clockAt(line.time, run), value: line.time },
          levelCell(line),
          { text: server, value: server },
          { text: oneLine(line.logger), value: line.logger },
          { text: oneLine(message(line), LONGEST), value: message(line) }
        ];
      })
    };
  },
  summary: (run, context) =>
    `${counts(run, context)
      .map(({ text }) => text)
      .join(', ')}.`
};
