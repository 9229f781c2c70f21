import { formatCount, formatDuration } from '../../base/format';
import type { Seconds } from '../../base/units';
import type { PlotContext, PlotOption, RowDetail, TablePlot, TitlePart, Translate } from '../../plot/plot';
import { tableRows } from '../../plot/table-rows';
import { cutMiddle, oneLine } from '../../plot/text';
import type { Run } from '../../run/run';
import { isWholeKey, LISTED, LONGEST_KEY, type RunningTask } from '../../run/tables/running';
import { localFacts } from '../../selectors/local/facts';
import { clockAt, sinceStart, startHint } from '../../selectors/moments';
import { agoWords, atEnd } from '../../selectors/run-end';
import { functionSubject } from '../../selectors/tasks/prefix-counts';
import { calledWorker, chosenWorker, missingWorker, WORKER } from '../../selectors/workers/one-worker';
import { cancelledWords } from '../../selectors/workers/cancelled';
import { runningCount } from '../../selectors/workers/running-count';
import { executingOf, liveWorkers, workerLabel, type WorkerRow } from '../../selectors/workers/worker-rows';

/** Longest key on a button, in characters. */
const SHOWN = 60;

const FUNCTION: PlotOption = {
  id: 'function',
  label: 'Function',
  choices: [{ value: '', label: 'all functions' }],
  initial: '',
  found: run => {
    const names = new Set([...run.running.list].map(({ prefix }) => run.prefixNames[prefix] ?? '?'));
    return [...names].sort().map(name => ({ value: name, label: oneLine(name) }));
  }
};

/** Running tasks of the chosen function and worker, the longest first. */
function chosen(run: Run, context: PlotContext): readonly RunningTask[] {
  const worker = chosenWorker(run, context);
  const name = context.options.function ?? '';
  return [...run.running.list]
    .filter(task => (worker === null || task.worker === worker) && (name === '' || run.prefixNames[task.prefix] === name))
    .sort((a, b) => a.start - b.start || a.id - b.id);
}

/** How many tasks of the choice run, also those that no heartbeat has reported yet: workers count them without their functions. */
function countOf(run: Run, context: PlotContext, listed: number): number {
  const worker = chosenWorker(run, context);
  const counted = worker === null ? runningCount(run) : executingOf(run, worker);
  return (context.options.function ?? '') === '' ? Math.max(listed, counted || 0) : listed;
}

/** When its worker was last heard of: heartbeats confirm its tasks. */
function seen(run: Run, task: Pick<RunningTask, 'worker' | 'asOf'>): Seconds {
  const last = run.workers.get(task.worker, 'last_seen');
  return last > task.asOf ? last : task.asOf;
}

function ago(run: Run, time: Seconds): Seconds {
  return Math.max(0, run.clock.latest - time);
}

/** Whether the tasks are those of a local scheduler: they are known at once, and nobody can be asked about one. */
function isLocal(run: Run): boolean {
  return localFacts(run) !== null;
}

function stateText(run: Run, { seceded }: Pick<RunningTask, 'seceded'>, trans: Translate): string {
  if (run.hasEnded) {
    return atEnd(run, seceded ? trans.__('without a thread') : trans.__('running'), trans);
  }
  return seceded ? trans.__('has left its thread') : trans.__('runs');
}

/** Workers of the choice, whose threads may still run cancelled tasks. */
function keeping(run: Run, context: PlotContext): readonly WorkerRow[] {
  const worker = chosenWorker(run, context);
  return liveWorkers(run).filter(row => worker === null || row.id === worker);
}

function title(run: Run, context: PlotContext): TitlePart[] {
  const { trans } = context;
  const found = chosen(run, context);
  const longest = found.length > 0 ? ago(run, found[0].start) : 0;
  const count = countOf(run, context, found.length);
  return [
    { text: atEnd(run, trans._n('1 task running', '%2 tasks running', count, formatCount(count)), trans), tone: 'strong' },
    // Short ones may end before a heartbeat reports them.
    ...(count > found.length ? [{ text: trans.__('%1 listed', formatCount(found.length)) }] : []),
    ...(found.length > 0 ? [{ text: trans.__('the longest for %1', formatDuration(longest)) }] : []),
    ...cancelledWords(keeping(run, context), trans).map(text => ({ text, tone: 'warn' as const }))
  ];
}

/** Running tasks without a row. Of which function they are is not known, and of which worker only as far as it counts them. */
function unlistedNotes(run: Run, context: PlotContext): readonly string[] {
  const { trans } = context;
  const { unlisted } = run.running;
  const worker = chosenWorker(run, context);
  const ofFunction = (context.options.function ?? '') !== '';
  const listed = worker === null ? 0 : run.running.of(worker).length;
  const own = worker === null ? unlisted : listed < LISTED ? 0 : executingOf(run, worker) - listed;
  if (!(unlisted > 0) || (!ofFunction && own <= 0)) {
    return [];
  }
  return ofFunction || Number.isNaN(own)
    ? [
        trans._n(
          'of all functions and workers, 1 more is not listed: a worker lists the 100 that run longest',
          'of all functions and workers, %2 more are not listed: a worker lists the 100 that run longest',
          unlisted,
          formatCount(unlisted)
        )
      ]
    : [
        trans._n(
          '1 more is not listed: a worker lists the 100 that run longest',
          '%2 more are not listed: a worker lists the 100 that run longest',
          own,
          formatCount(own)
        )
      ];
}

function detail(run: Run, task: RunningTask, trans: Translate): RowDetail {
  const local = isLocal(run);
  const whole = local || isWholeKey(task.key);
  return {
    title: oneLine(task.key, LONGEST_KEY),
    facts: [
      [trans.__('Function'), oneLine(run.prefixNames[task.prefix] ?? '?')],
      [trans.__('Worker'), calledWorker(run, task.worker)],
      [trans.__('State'), stateText(run, task, trans)],
      [trans.__('Since'), clockAt(task.start, run)],
      ...(whole ? [] : [[trans.__('Details'), trans.__('Its key is too long to be asked for.')] as const])
    ],
    text: '',
    links:
      whole && !local
        ? [
            {
              label: trans.__('Details and call stack of %1', cutMiddle(oneLine(task.key), SHOWN)),
              plot: 'task',
              args: { key: task.key }
            }
          ]
        : []
  };
}

/** Numbers of rows are used again: a row is of one task. */
function rowId({ id, start }: RunningTask): string {
  return `${id} ${start}`;
}

function find(run: Run, row: string): RunningTask | undefined {
  return [...run.running.list].find(task => rowId(task) === row);
}

/** The key of a row; `null` if it is cut, the row has gone, or there is no scheduler that could be asked. */
function wholeKey(run: Run, row: string): string | null {
  const key = find(run, row)?.key ?? '';
  return isLocal(run) || key === '' || !isWholeKey(key) ? null : key;
}

/** The tasks that run now. */
export const running: TablePlot = {
  id: 'running',
  icon: '<path d="M1 2h14v3H1z" fill-opacity=".4"/><path d="M1 6.500h10v3H1zM1 11h6v3H1z"/><path d="M12 9.500l3.500 2.250L12 14z"/>',
  title: 'Running tasks',
  caption: 'what runs now: key, function, worker, since when',
  group: 'tasks',
  synonyms: ['executing', 'now', 'stragglers', 'long-running', 'stuck', 'hanging', 'call stack', 'seceded'],
  howToRead:
    'One row for each task that ran at the last heartbeat of its worker and has not ended since, the longest first. ' +
    'A task that runs much longer than others of its function holds up what needs it: a double click shows its call stack. ' +
    'Workers report running tasks only with their heartbeats, so a task shorter than the time between two heartbeats may never appear here. ' +
    'A task that was cancelled while it ran has no row, but keeps its thread until it ends: the title counts such threads.',
  view: 'table',
  topics: ['meta', 'workers', 'running'],
  opens: 'task',
  openArgs: (run, row) => {
    const key = wholeKey(run, row);
    return key === null ? null : { key };
  },
  acts: (run, row) => {
    const key = wholeKey(run, row);
    return key === null ? null : { kind: 'task', key, state: 'processing' };
  },
  // What runs is not an execution yet.
  selects: (run, row) => {
    const name = run.prefixNames[find(run, row)?.prefix ?? -1];
    return name === undefined ? null : { functions: [name] };
  },
  subjects: (run, row) => {
    const task = find(run, row);
    const worker = run.workerNames[task?.worker ?? -1];
    const subject = functionSubject(run, task?.prefix ?? -1);
    return [
      ...(subject === null ? [] : [subject]),
      ...(worker === undefined ? [] : [{ kind: 'worker' as const, address: worker.address, name: workerLabel(worker) }])
    ];
  },
  detail: (run, row, { trans }) => {
    const task = find(run, row);
    return task === undefined ? null : detail(run, task, trans);
  },
  options: [FUNCTION, WORKER],
  empty: (run, context) => {
    const { trans } = context;
    if (chosen(run, context).length > 0) {
      return null;
    }
    return run.running.count > 0
      ? {
          head: trans.__('No running tasks match this choice.'),
          body: trans.__('There are others: choose all in the menu of the pane.')
        }
      : {
          head:
            run.has('running') && countOf(run, context, 0) === 0
              ? trans.__('No running tasks.')
              : trans.__('No running tasks are known.'),
          awaited: cancelledWords(keeping(run, context), trans).length === 0,
          body: isLocal(run)
            ? trans.__('A task appears here when Dask hands it out, and leaves when its result is taken.')
            : cancelledWords(keeping(run, context), trans).length > 0
              ? trans.__('Cancelled tasks keep their threads until they end: Python cannot stop them. Workers report how many.')
              : trans.__('A task appears here with the next heartbeat of its worker, and leaves when it ends.')
        };
  },
  titleLine: title,
  legend: () => [],
  notes: (run, context) => [...unlistedNotes(run, context), ...missingWorker(run, context)],
  table: (run, context) => {
    const { trans } = context;
    return {
      columns: [
        { id: 'key', label: trans.__('Key'), align: 'left' },
        { id: 'function', label: trans.__('Function'), align: 'left' },
        { id: 'worker', label: trans.__('Worker'), align: 'left' },
        { id: 'time', label: run.hasEnded ? trans.__('Ran for') : trans.__('Runs for'), align: 'right' },
        { id: 'since', label: trans.__('Since'), tooltip: startHint(run, trans), align: 'right' },
        {
          id: 'asof',
          label: trans.__('As of'),
          tooltip: trans.__('time since the last heartbeat of its worker'),
          align: 'right'
        },
        { id: 'state', label: trans.__('State'), align: 'left' }
      ],
      rows: tableRows(
        chosen(run, context).map(task => ({ ...task, id: rowId(task) })),
        task => {
          const name = run.prefixNames[task.prefix] ?? '?';
          const worker = workerLabel(run.workerNames[task.worker]);
          const asOf = isLocal(run) ? 0 : ago(run, seen(run, task));
          return [
            { text: oneLine(task.key), value: task.key },
            { text: oneLine(name), value: name },
            { text: worker, value: worker },
            { text: formatDuration(ago(run, task.start)), value: ago(run, task.start) },
            { text: sinceStart(task.start, run, trans, 1), value: task.start },
            { text: isLocal(run) && !run.hasEnded ? trans.__('now') : agoWords(run, asOf, trans), value: asOf },
            { text: stateText(run, task, trans), value: task.seceded ? 1 : 0 }
          ];
        }
      )
    };
  },
  summary: (run, context) =>
    `${title(run, context)
      .map(({ text }) => text)
      .join(', ')}.`
};
