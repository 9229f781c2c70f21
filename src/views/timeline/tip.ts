/** Tooltip and live region text of an interval. Texts may be untrusted and are only ever shown as text. */
import { clockAt } from '../../selectors/moments';
import { agoWords, atEnd } from '../../selectors/run-end';
import { anyKindWord } from '../../selectors/tasks/kind-words';
import { formatBytes, formatCount, formatDuration, formatElapsed } from '../../base/format';
import type { Seconds } from '../../base/units';
import { KIND } from '../../feed/schema';
import type { WorkerName } from '../../feed/frame';
import { errorsOf } from '../../selectors/errors/link';
import { graphLink } from '../../selectors/graph/link';
import { localFacts } from '../../selectors/local/facts';
import { functionSubject } from '../../selectors/tasks/prefix-counts';
import type { TooltipContent, Translate } from '../../plot/plot';
import { cutMiddle, oneLine } from '../../plot/text';
import { workerLabel } from '../../selectors/workers/worker-rows';
import { type Found, movesOf } from '../../run/lanes/lane-search';
import type { Run } from '../../run/run';
import type { RunningTask } from '../../run/tables/running';
import { groupContent } from './groups/group-tip';
import { pastContent } from './pointing/past-tip';
import type { WorkerLanes } from './lanes/lanes';
import type { Palette } from './paint/palette';
import type { Target } from './picking';

/** Transfers and I/O that began earlier than this before a task are not searched. */
const MOVES_REACH: Seconds = 3600;
/** Longest function name in the profile button, in characters. */
const LINK_LENGTH = 32;
/** Keys of running tasks are truncated to this length: see topic `running` of the schema. */
const KEY_CUT_AT = 200;

/** Content of a tooltip, and the number of the row whose key it needs. */
export interface Tip {
  readonly content: TooltipContent;
  readonly row: number;
}

/**
 * Describe an interval.
 *
 * @param lanes - its worker
 * @param after - of lanes that are drawn as one, what had ended by then is not shown; -Infinity for nothing
 */
export function tipOf(
  target: Target,
  run: Run,
  lanes: WorkerLanes | undefined,
  palette: Palette,
  trans: Translate,
  after: Seconds = Number.NEGATIVE_INFINITY
): Tip {
  if (target.running !== undefined) {
    return { row: -1, content: runningContent(target.running, run, lanes, palette, trans) };
  }
  const { interval } = target;
  const { group } = target.band;
  if (target.kind === 'group' && group !== undefined) {
    return { row: -1, content: groupContent(run, group, interval.start, trans, after) };
  }
  if (target.past !== undefined) {
    return { row: -1, content: pastContent(run, target.past, place(target, run, lanes, trans), palette, trans) };
  }
  const hint = trans.__('Click: keep this open');
  const rows: (readonly [string, string])[] = [
    [trans.__('Duration'), formatDuration(interval.duration)],
    [trans.__('Start'), `${formatElapsed(interval.start - run.origin, 2)} · ${clockAt(interval.start, run)}`],
    [trans.__('Worker'), place(target, run, lanes, trans)]
  ];
  if (target.kind === 'move') {
    const sender = run.workerNames[interval.detail - 1];
    if (sender !== undefined) {
      rows.push([trans.__('From'), workerLabel(sender)]);
    }
    const swatch = palette.move(interval.label) ?? palette.theme.kind('transfer');
    return {
      row: interval.row,
      content: { title: anyKindWord(run, KIND[interval.label], trans), state: trans.__('before its task'), ...swatch, rows, hint }
    };
  }
  rows.push([trans.__('Result'), interval.erred ? trans.__('none: the task erred') : formatBytes(interval.detail)]);
  // Local schedulers transfer nothing.
  if (localFacts(run) === null) {
    rows.push([trans.__('Before it'), before(target, run, trans)]);
  }
  const swatch = interval.erred ? palette.theme.erred : palette.theme.prefix(interval.label);
  const name = String(run.prefixNames[interval.label] ?? '');
  const title = oneLine(name);
  const link = { label: trans.__('Profile of %1', cutMiddle(title, LINK_LENGTH)), plot: 'profile', args: { prefix: name } };
  const graph = graphLink(run, { kind: 'execution', row: interval.row });
  const around = localFacts(run) === null ? [{ label: trans.__('Neighbourhood'), ...graph }] : [];
  const state = interval.erred ? trans.__('erred') : '';
  const failed =
    interval.erred && localFacts(run) === null ? [{ label: trans.__('Errors'), ...errorsOf(run, interval.label) }] : [];
  return {
    row: interval.row,
    content: { title, state, ...swatch, rows, hint, links: [...failed, link, ...around], ...subjectOf(run, interval.label) }
  };
}

/** What can be selected and acted on from a task: its function. Local schedulers have no actions. */
function subjectOf(run: Run, prefix: number): Pick<TooltipContent, 'subject'> {
  const subject = localFacts(run) === null ? functionSubject(run, prefix) : null;
  return subject === null ? {} : { subject };
}

/** Details of a running task: a heartbeat does not report threads. */
function runningContent(
  { task, others }: NonNullable<Target['running']>,
  run: Run,
  lanes: WorkerLanes | undefined,
  palette: Palette,
  trans: Translate
): TooltipContent {
  const now = run.clock.latest;
  const reportedAt = heartbeatOf(run, task);
  const host = run.workerNames[task.worker]?.host;
  const where = [lanes?.name ?? '', oneLine(String(host ?? ''))].filter(part => part !== '').join(' · ');
  const rows: (readonly [string, string])[] = [
    [run.hasEnded ? trans.__('Ran for') : trans.__('Running for'), formatDuration(Math.max(0, now - task.start))],
    [trans.__('Since'), `${formatElapsed(task.start - run.origin, 2)} · ${clockAt(task.start, run)}`],
    [trans.__('As of'), agoWords(run, Math.max(0, now - reportedAt), trans)],
    [trans.__('Worker'), where]
  ];
  if (task.seceded) {
    rows.push([trans.__('Thread'), trans.__('its own (the task has seceded)')]);
  }
  if (others > 0) {
    rows.push([trans.__('At the same time'), trans._n('1 other task', '%2 other tasks', others, formatCount(others))]);
  }
  const name = String(run.prefixNames[task.prefix] ?? '');
  const title = oneLine(name);
  const profile = { label: trans.__('Profile of %1', cutMiddle(title, LINK_LENGTH)), plot: 'profile', args: { prefix: name } };
  const details = { label: trans.__('Task details'), plot: 'task', args: { key: task.key, number: -1 } };
  // The scheduler cannot be asked for a truncated key.
  const whole = task.key.length < KEY_CUT_AT && localFacts(run) === null;
  return {
    title,
    state: atEnd(run, trans.__('running'), trans),
    ...palette.theme.prefix(task.prefix),
    key: task.key,
    rows,
    hint: trans.__('Click: keep this open'),
    links: whole ? [profile, details] : [profile],
    ...subjectOf(run, task.prefix)
  };
}

/** The newest heartbeat of the task's worker, which still runs it. */
function heartbeatOf(run: Run, task: RunningTask): Seconds {
  const seen = run.workers.get(task.worker, 'last_seen');
  return Number.isFinite(seen) ? Math.max(task.asOf, seen) : task.asOf;
}

function place(target: Target, run: Run, lanes: WorkerLanes | undefined, trans: Translate): string {
  const { worker, lane } = target.band;
  const thread = lanes === undefined ? 0 : lanes.lanes.indexOf(lane) + 1;
  const facts = run.workerNames[worker];
  const parts = [lanes?.name ?? '', laneWord(facts, thread, trans), facts === undefined ? '' : oneLine(String(facts.host ?? ''))];
  return parts.filter(part => part !== '').join(' · ');
}

/** Name of a worker's lane: for local schedulers it may be a process, or the only one. */
function laneWord(facts: WorkerName | undefined, number: number, trans: Translate): string {
  switch (facts?.lane) {
    case 'process':
      return trans.__('process %1', number);
    case 'worker':
      return trans.__('worker %1', number);
    case 'synchronous':
      return '';
    default:
      return trans.__('thread %1', number);
  }
}

/** Transfers and I/O before the task could run, by kind. */
function before(target: Target, run: Run, trans: Translate): string {
  const moves = run.tasks.lanes[target.band.lane]?.moves ?? null;
  const { interval } = target;
  const { start, duration } = interval;
  const found: Found[] = moves === null ? [] : movesOf(moves, interval.row, start + duration, duration + MOVES_REACH);
  const total = new Map<number, Seconds>();
  for (const move of found) {
    total.set(move.label, (total.get(move.label) ?? 0) + move.duration);
  }
  const words = [...total].map(([kind, time]) => `${anyKindWord(run, KIND[kind], trans)} ${formatDuration(time)}`);
  return words.length === 0 ? trans.__('nothing moved') : words.join(', ');
}
