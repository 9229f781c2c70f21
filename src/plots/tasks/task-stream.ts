import { MARK_TOPICS } from '../../selectors/events/marks';
import { formatCount, formatElapsed } from '../../base/format';
import type { Seconds } from '../../base/units';
import { KIND } from '../../feed/schema';
import { clearedOf } from '../../run/cleared';
import type { Run } from '../../run/run';
import { STREAM_ICON } from '../../plot/icon';
import type { EmptyText, LegendItem, PlotContext, TimelinePlot, TitlePart, Translate } from '../../plot/plot';
import { afterAllSteps } from '../../selectors/all-steps';
import { errorsLink } from '../../selectors/errors/link';
import { stragglerWords } from '../../selectors/stragglers/stragglers';
import { attemptSums, attemptWords } from '../../selectors/tasks/attempts';
import { neverSpilled } from '../../selectors/tasks/never-spilled';
import { earlierTasks, earlierWords, pastWords } from '../../selectors/tasks/past-words';
import { ERRED_LEGEND, moveLegend, prefixLegend } from '../../selectors/tasks/task-legend';
import { oneLine } from '../../plot/text';
import { atEnd, sentenceAtEnd } from '../../selectors/run-end';
import { standingNotes } from '../../selectors/unheard';
import { runningCount } from '../../selectors/workers/running-count';
import { countWorkers, liveWorkers, total } from '../../selectors/workers/worker-rows';
import { busyParts, idleNotes, STREAM_OPTIONS } from './stream-options';
import { long, selects, table } from './stream-table';

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
  sums: attemptSums,
  options: STREAM_OPTIONS,
  howToRead:
    'Each row is a thread of a worker, each block a task in the colour of its function. The thin line below it is ' +
    'data that moved before a task could run: between workers (red), to and from disk (orange).\n\n' +
    'The hatched row below the threads of a worker shows running tasks: a heartbeat reports that a task is running, but not on which thread. ' +
    'A task that runs more than three times as long as nearly all others of its function did since the oldest computation in progress began is written out in the colour of warnings, with their 95th percentile; ' +
    'the table has it, too.\n\n' +
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
  long,
  selects,
  summary: (run, context) => afterAllSteps(summarySteps(run, context)),
  summarySteps
};

/** Shown before a task has ended, if running tasks cannot be drawn. */
function emptyText(run: Run, { trans }: PlotContext): EmptyText | null {
  if (run.tasks.count > 0 || Number.isFinite(run.running.earliest)) {
    return null;
  }
  const running = runningCount(run);
  if (running > 0) {
    const words = trans._n(
      'No task has finished. 1 task is running.',
      'No task has finished. %2 tasks are running.',
      running,
      formatCount(running)
    );
    return {
      head: sentenceAtEnd(run, words, trans),
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
  const head =
    earlierTasks(run) > 0 ? trans.__('No task has finished since the history began.') : trans.__('No task has finished.');
  return { head, body: `${there} ${body}`, awaited: true };
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
  const parts: TitlePart[] = [{ text: trans._n('1 execution', '%2 executions', count, formatCount(count)), tone: 'strong' }];
  if (erred > 0) {
    parts.push({ text: trans.__('%1 erred', formatCount(erred)), tone: 'bad', opens: errorsLink() });
  }
  const running = runningCount(run);
  if (running > 0) {
    parts.push({ text: atEnd(run, trans.__('%1 running', formatCount(running)), trans) });
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
  const list = [earlierWords(run, trans), past].filter(words => words !== '');
  if (lost > 0) {
    list.push(trans.__('%1 lost', formatCount(lost)));
  }
  if (unplaced > 0) {
    list.push(trans.__('%1 without a usable time', formatCount(unplaced)));
  }
  const attempts = attemptWords(run, trans, context.cleared);
  if (attempts.length > 0) {
    list.push(trans.__('attempts that are not drawn: %1', attempts.join(', ')));
  }
  return [...standingNotes(run, trans), ...list, ...idleNotes(run, context), ...storeNotes(run, trans)];
}

/** Why there are orange lines although nothing was on disk. */
function storeNotes(run: Run, trans: Translate): readonly string[] {
  const counted = KIND.some((kind, code) => kind.startsWith('disk') && run.tasks.countOfKind[code] !== undefined);
  return counted && neverSpilled(run)
    ? [trans.__('orange: to get or store data took 5 ms or more; nothing was seen on disk')]
    : [];
}

function* summarySteps(run: Run, context: PlotContext): Generator<void, string, void> {
  const { trans } = context;
  const { tasks } = run;
  const { count, erred } = shown(run, context);
  const running = runningCount(run);
  if (tasks.count === 0) {
    return running > 0
      ? sentenceAtEnd(run, trans.__('Task stream: no task has finished, %1 running.', formatCount(running)), trans)
      : trans.__('Task stream: no tasks.');
  }
  const workers = liveWorkers(run);
  const threads = total(workers, worker => worker.nthreads);
  const to = running > 0 ? Math.max(tasks.lastEnd, run.clock.latest) : tasks.lastEnd;
  const from = Math.max(run.origin, to - SUMMARY_PERIOD);
  const parts = [
    trans._n('1 execution', '%2 executions', count, formatCount(count)),
    formatCount(erred),
    formatCount(running),
    countWorkers(workers, trans),
    trans._n('1 thread', '%2 threads', threads, formatCount(threads)),
    ...(yield* busyParts(run, { from, to }, context))
  ];
  if (running > 0) {
    const words = trans.__('Task stream: %1, %2 erred, %3 running on %4 with %5, %6 busy in the last %7.', ...parts);
    return sentenceAtEnd(run, `${words} ${stragglerWords(run, trans)}`.trim(), trans);
  }
  return trans.__(
    'Task stream: %1, %2 erred, %3 running on %4 with %5, %6 busy in the %7 before the last one ended, at %8.',
    ...parts,
    formatElapsed(to - run.origin)
  );
}
