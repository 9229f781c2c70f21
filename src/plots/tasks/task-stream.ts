import { MARK_TOPICS } from '../../selectors/events/marks';
import { formatBytes, formatCount, formatDuration, formatElapsed } from '../../base/format';
import type { Seconds } from '../../base/units';
import { KIND } from '../../feed/schema';
import { clearedOf } from '../../run/cleared';
import { rowsFrom } from '../../run/lanes/lane-search';
import type { Run } from '../../run/run';
import type { Selection } from '../../run/selection/selection';
import { STREAM_ICON } from '../../plot/icon';
import type { Cell, EmptyText, LegendItem, PlotContext, TableData, TimelinePlot, TitlePart, Translate } from '../../plot/plot';
import { errorsLink, errorsOf } from '../../selectors/errors/link';
import { localFacts } from '../../selectors/local/facts';
import { attemptWords } from '../../selectors/tasks/attempts';
import { neverSpilled } from '../../selectors/tasks/never-spilled';
import { pastWords } from '../../selectors/tasks/past-words';
import { ERRED_LEGEND, moveLegend, prefixLegend } from '../../selectors/tasks/task-legend';
import { oneLine } from '../../plot/text';
import { runningCount } from '../../selectors/workers/running-count';
import { countWorkers, liveWorkers, total, workerLabel } from '../../selectors/workers/worker-rows';
import { busyParts, idleNotes, STREAM_OPTIONS } from './stream-options';

/** Rows of the table, limited to a readable number; the plot shows all. */
const TABLE_ROWS = 1000;
/** How ids of rows of running tasks begin. */
const RUNNING = 'running ';
/** Time span of the summary. */
const SUMMARY_PERIOD: Seconds = 60;

/** Tasks on each thread of each worker, over time. */
export const taskStream: TimelinePlot = {
  id: 'task-stream',
  icon: STREAM_ICON,
  title: 'Task stream',
  caption: 'what each thread did, when',
  group: 'tasks',
  wholePage: true,
  synonyms: ['gantt', 'timeline', 'trace', 'tracing', 'schedule', 'threads', 'idle', 'white space'],
  topics: ['tasks', 'workers', 'running', 'attempts', 'prefixes', ...MARK_TOPICS],
  view: 'timeline',
  clearable: true,
  options: STREAM_OPTIONS,
  howToRead:
    'Each row is a thread of a worker, each block a task in the colour of its function. The thin line below it is ' +
    'data that moved before a task could run: between workers (red), to and from disk (orange). ' +
    'The hatched row below the threads of a worker shows running tasks: a heartbeat reports that a task is running, but not on which thread. ' +
    'One that runs more than three times as long as nearly all others of its function is written out in the colour of warnings, with the 95th percentile of these.\n\n' +
    'White space is time in which a thread has finished no task: look for rows that are emptier than others, for long red or orange lines ' +
    'before short tasks, and for blocks much longer than their neighbours of the same colour.\n\n' +
    'A click on the name of a worker or of a host draws its threads as one row, as high as they were busy; the menu of a name pins a worker to the top.\n\n' +
    'Keys: W and S zoom, A and D pan, arrows go from task to task, 0 shows the whole run, L follows live, C and H draw a worker or a host as one row, P pins a worker.\n\n' +
    'The wheel zooms at the pointer; where there are more rows than fit it scrolls, and zooms with Ctrl. Shift and drag pan. A drag selects time and threads and shows their statistics; ' +
    'a double click zooms to the selection, Escape clears it.',
  empty: emptyText,
  titleLine,
  legend,
  notes,
  table,
  selects,
  summary
};

/** Shown before a task has ended, if running tasks cannot be drawn. */
function emptyText(run: Run, { trans }: PlotContext): EmptyText | null {
  if (run.tasks.count > 0 || Number.isFinite(run.running.earliest)) {
    return null;
  }
  const running = runningCount(run);
  if (running > 0) {
    return {
      head: trans._n(
        'No task has finished. 1 task is running.',
        'No task has finished. %2 tasks are running.',
        running,
        formatCount(running)
      ),
      body: trans.__('Tasks appear here when they finish.'),
      awaited: true
    };
  }
  const workers = liveWorkers(run);
  const assigned = total(workers, worker => worker.processing);
  const there = trans._n('The cluster has 1 worker.', 'The cluster has %2 workers.', workers.length, formatCount(workers.length));
  const body =
    assigned > 0
      ? trans._n(
          '1 task is assigned and has not finished yet.',
          '%2 tasks are assigned and have not finished yet.',
          assigned,
          formatCount(assigned)
        )
      : trans.__('Tasks appear here as they run.');
  return { head: trans.__('No task has finished.'), body: `${there} ${body}`, awaited: true };
}

/** Tasks that arrived since the user cleared the history. */
function shown(run: Run, context: PlotContext): { readonly count: number; readonly erred: number; readonly moveCount: number } {
  const { count, erred, moveCount, nextRow } = run.tasks;
  const cleared = clearedOf(run, context.cleared);
  return cleared === null
    ? { count, erred, moveCount }
    : {
        count: Math.max(0, Math.min(count, nextRow - cleared.row)),
        erred: Math.max(0, erred - cleared.erred),
        moveCount: Math.max(0, moveCount - cleared.moves)
      };
}

function titleLine(run: Run, context: PlotContext): readonly TitlePart[] {
  const { trans } = context;
  const { count, erred, moveCount } = shown(run, context);
  const parts: TitlePart[] = [{ text: trans._n('1 task', '%2 tasks', count, formatCount(count)), tone: 'strong' }];
  if (erred > 0) {
    parts.push({ text: trans.__('%1 erred', formatCount(erred)), tone: 'bad', opens: errorsLink() });
  }
  const running = runningCount(run);
  if (running > 0) {
    parts.push({ text: trans.__('%1 running', formatCount(running)) });
  }
  if (moveCount > 0) {
    parts.push({ text: trans._n('1 data move', '%2 data moves', moveCount, formatCount(moveCount)) });
  }
  return parts;
}

/** Functions in order of first appearance, then the reserved kinds; only those in the run. */
function legend(run: Run, { theme, trans }: PlotContext): readonly LegendItem[] {
  const { tasks } = run;
  const items: LegendItem[] = [];
  const runs = new Set<number>();
  for (const { prefix } of run.running.list) {
    runs.add(prefix);
  }
  for (const [prefix, name] of run.prefixNames.entries()) {
    if (tasks.countOfPrefix[prefix] !== undefined || runs.has(prefix)) {
      items.push({ id: prefixLegend(prefix), label: oneLine(String(name)), ...theme.prefix(prefix) });
    }
  }
  const seen = new Set<string>();
  for (const [code, kind] of KIND.entries()) {
    if (kind !== 'compute' && tasks.countOfKind[code] !== undefined && !seen.has(moveLegend(kind))) {
      seen.add(moveLegend(kind));
      items.push({ id: moveLegend(kind), label: moveWord(run, moveLegend(kind), trans), ...theme.kind(kind) });
    }
  }
  if (tasks.erred > 0) {
    items.push({ id: ERRED_LEGEND, label: trans.__('erred'), ...theme.erred });
  }
  return items;
}

function moveWord(run: Run, id: string, trans: Translate): string {
  if (id === 'disk') {
    return neverSpilled(run) ? trans.__('get or store data') : trans.__('disk');
  }
  return id === 'transfer' ? trans.__('transfer') : trans.__('deserialize');
}

function notes(run: Run, context: PlotContext): readonly string[] {
  const { trans } = context;
  const { lost, unplaced, incompleteUntil } = run.tasks;
  const past = (clearedOf(run, context.cleared)?.before ?? 0) < incompleteUntil ? pastWords(run, trans) : '';
  const earlier = run.meta.earlier_tasks;
  const list: string[] = [];
  if (typeof earlier === 'number' && earlier > 0) {
    list.push(trans._n('1 earlier task not seen', '%2 earlier tasks not seen', earlier, formatCount(earlier)));
  }
  if (past !== '') {
    list.push(past);
  }
  if (lost > 0) {
    list.push(trans.__('%1 lost', formatCount(lost)));
  }
  if (unplaced > 0) {
    list.push(trans.__('%1 without a usable time', formatCount(unplaced)));
  }
  const attempts = attemptWords(run, trans);
  if (attempts.length > 0) {
    list.push(trans.__('attempts that are not drawn: %1', attempts.join(', ')));
  }
  return [...list, ...idleNotes(run, context), ...storeNotes(run, trans)];
}

/** Why there are orange lines although nothing was on disk. */
function storeNotes(run: Run, trans: Translate): readonly string[] {
  const counted = KIND.some((kind, code) => kind.startsWith('disk') && run.tasks.countOfKind[code] !== undefined);
  return counted && neverSpilled(run)
    ? [trans.__('orange: to get or store data took 5 ms or more; nothing was seen on disk')]
    : [];
}

/** Running tasks, one row each, longest-running first. */
function runningRows(run: Run, trans: Translate): TableData['rows'] {
  const now = run.clock.latest;
  return [...run.running.list]
    .sort((a, b) => a.start - b.start)
    .slice(0, TABLE_ROWS)
    .map(task => {
      const name = workerLabel(run.workerNames[task.worker]);
      const label = oneLine(String(run.prefixNames[task.prefix] ?? ''));
      const elapsed = task.start - run.origin;
      const duration = Math.max(0, now - task.start);
      return {
        id: `${RUNNING}${task.id}`,
        cells: [
          { text: label, value: label },
          { text: trans.__('running'), value: -1 },
          { text: formatElapsed(elapsed, 2), value: elapsed },
          { text: trans.__('%1 so far', formatDuration(duration)), value: duration },
          { text: name, value: name },
          { text: '–', value: Number.NaN },
          { text: oneLine(task.key), value: oneLine(task.key) }
        ]
      };
    });
}

/** Where the errors of a function are. Local schedulers have no such pane. */
function failed(run: Run, prefix: number): Partial<Cell> {
  return localFacts(run) === null ? { opens: errorsOf(run, prefix) } : {};
}

/** Running tasks, then the newest finished tasks, one row each. */
function table(run: Run, { trans, cleared }: PlotContext): TableData {
  const first = Math.max(run.tasks.nextRow - TABLE_ROWS, clearedOf(run, cleared)?.row ?? 0);
  const rows = rowsFrom(run.tasks.lanes, first).map(task => {
    const worker = run.laneNames[task.lane]?.[0] ?? -1;
    const name = workerLabel(run.workerNames[worker]);
    const label = oneLine(String(run.prefixNames[task.label] ?? ''));
    const elapsed = task.start - run.origin;
    return {
      id: String(task.row),
      cells: [
        { text: label, value: label },
        task.erred
          ? { text: trans.__('erred'), value: 1, tone: 'bad' as const, ...failed(run, task.label) }
          : { text: trans.__('finished'), value: 0 },
        { text: formatElapsed(elapsed, 2), value: elapsed },
        { text: formatDuration(task.duration), value: task.duration },
        { text: name, value: name },
        { text: formatBytes(task.detail), value: task.detail },
        { text: '', value: '' }
      ]
    };
  });
  return {
    columns: [
      { id: 'function', label: trans.__('Function'), align: 'left' },
      { id: 'state', label: trans.__('State'), align: 'left' },
      { id: 'start', label: trans.__('Start'), tooltip: trans.__('Since the first task began'), align: 'right' },
      { id: 'duration', label: trans.__('Duration'), align: 'right' },
      { id: 'worker', label: trans.__('Worker'), align: 'left' },
      { id: 'size', label: trans.__('Result'), tooltip: trans.__('Size of the result'), align: 'right' },
      { id: 'key', label: trans.__('Key'), tooltip: trans.__('Of tasks that run'), align: 'left' }
    ],
    rows: [...runningRows(run, trans), ...rows],
    total: run.running.count + Math.min(run.tasks.listed, run.tasks.nextRow - (clearedOf(run, cleared)?.row ?? 0))
  };
}

/** What a row of the table selects: a task, or, of one that runs, its function. */
function selects(run: Run, row: string): Partial<Selection> | null {
  if (!row.startsWith(RUNNING)) {
    return { rows: { run: run.identity, numbers: [Number(row)] } };
  }
  const task = [...run.running.list].find(({ id }) => `${RUNNING}${id}` === row);
  const name = run.prefixNames[task?.prefix ?? -1];
  return name === undefined ? null : { functions: [name] };
}

function summary(run: Run, context: PlotContext): string {
  const { trans } = context;
  const { tasks } = run;
  const { count, erred } = shown(run, context);
  const running = runningCount(run);
  if (tasks.count === 0) {
    return running > 0
      ? trans.__('Task stream: no task has finished, %1 running.', formatCount(running))
      : trans.__('Task stream: no tasks.');
  }
  const workers = liveWorkers(run);
  const threads = total(workers, worker => worker.nthreads);
  const to = running > 0 ? Math.max(tasks.lastEnd, run.clock.latest) : tasks.lastEnd;
  const from = Math.max(run.origin, to - SUMMARY_PERIOD);
  const parts = [
    trans._n('1 task', '%2 tasks', count, formatCount(count)),
    formatCount(erred),
    formatCount(running),
    countWorkers(workers, trans),
    trans._n('1 thread', '%2 threads', threads, formatCount(threads)),
    ...busyParts(run, { from, to }, context)
  ];
  return running > 0
    ? trans.__('Task stream: %1, %2 erred, %3 running on %4 with %5, %6 busy in the last %7.', ...parts)
    : trans.__(
        'Task stream: %1, %2 erred, %3 running on %4 with %5, %6 busy in the %7 before the last one ended, at %8.',
        ...parts,
        formatElapsed(to - run.origin)
      );
}
