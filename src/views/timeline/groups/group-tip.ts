/** Tooltip and live region text of lanes that are drawn as one. Texts may be untrusted and are only ever shown as text. */
import { formatCount, formatElapsed, formatPercent } from '../../../base/format';
import type { Seconds } from '../../../base/units';
import type { TooltipContent, Translate } from '../../../plot/plot';
import { oneLine } from '../../../plot/text';
import { eachBetween } from '../../../run/lanes/lane-search';
import type { Run } from '../../../run/run';
import { clockAt } from '../../../selectors/moments';
import type { Group } from '../lanes/layout';
import { threadsAt } from './group-threads';
import { headName } from './head-words';

/** Functions named; the others are counted together. */
const MOST_FUNCTIONS = 4;

/** The function of the task that ran on a lane at a moment and ended later than `after`; -1 for none. */
function endedAt(run: Run, lane: number, time: Seconds, after: Seconds): number {
  const track = run.tasks.lanes[lane]?.compute;
  let last = -1;
  if (track !== undefined) {
    // A thread does one thing at a time: of overlapping tasks, the latest counts.
    eachBetween(track, time, time, ({ label, start, duration }) => {
      last = start + duration > after ? label : last;
      return true;
    });
  }
  return last;
}

/** The functions of the tasks that have not ended and ran in a group at a moment. */
function goingOnAt(run: Run, { workers }: Group, time: Seconds): readonly number[] {
  return workers.flatMap(({ worker }) =>
    run.running.of(worker).flatMap(({ start, seceded, prefix }) => (start <= time && !seceded ? [prefix] : []))
  );
}

/** What ran in a group at a moment, finished and running tasks, by prefix. */
function runningAt(run: Run, group: Group, time: Seconds, after: Seconds): Map<number, number> {
  const counts = new Map<number, number>();
  const ended = group.lanes.map(lane => endedAt(run, lane, time, after)).filter(prefix => prefix >= 0);
  for (const prefix of [...ended, ...goingOnAt(run, group, time)]) {
    counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
  }
  return counts;
}

/**
 * Of how many threads were busy around a moment for which only sums of tasks are kept of any; NaN if single ones are kept of all.
 */
function busyThreads(run: Run, group: Group, time: Seconds, after: Seconds): number {
  let [busy, any] = [goingOnAt(run, group, time).length, false];
  for (const lane of group.lanes) {
    const past = run.tasks.lanes[lane]?.compute.past ?? null;
    any ||= past !== null && time < past.end && past.end > after;
    const cell = past?.at(time, 0) ?? null;
    busy += endedAt(run, lane, time, after) >= 0 ? 1 : cell !== null && cell.to > after ? cell.busy : 0;
  }
  return any ? busy : Number.NaN;
}

/**
 * Describe a moment of a group.
 *
 * @param after - what had ended by then is not shown; -Infinity for nothing
 */
export function groupContent(
  run: Run,
  group: Group,
  time: Seconds,
  trans: Translate,
  after: Seconds = Number.NEGATIVE_INFINITY
): TooltipContent {
  const threads = threadsAt(run, group, time);
  const earlier = busyThreads(run, group, time, after);
  if (!Number.isNaN(earlier)) {
    return {
      title: headName(group.workers, trans),
      state: trans._n('1 thread', '%2 threads', threads, formatCount(threads)),
      rows: [
        [trans.__('Time'), `${formatElapsed(time - run.origin, 2)} · ${clockAt(time, run)}`],
        [trans.__('Running'), trans.__('about %1 busy', formatPercent(Math.min(1, earlier / Math.max(1, threads))))]
      ],
      hint: trans.__('Only sums are kept for tasks this old: no single one can be shown')
    };
  }
  const counts = [...runningAt(run, group, time, after)].sort((a, b) => b[1] - a[1]);
  const busy = counts.reduce((sum, [, count]) => sum + count, 0);
  const named = counts
    .slice(0, MOST_FUNCTIONS)
    .map(([prefix, count]) => [oneLine(String(run.prefixNames[prefix] ?? '')), formatCount(count)] as const);
  const others = counts.slice(MOST_FUNCTIONS).reduce((sum, [, count]) => sum + count, 0);
  return {
    title: headName(group.workers, trans),
    state: trans._n('1 thread', '%2 threads', threads, formatCount(threads)),
    rows: [
      [trans.__('Time'), `${formatElapsed(time - run.origin, 2)} · ${clockAt(time, run)}`],
      [trans.__('Running'), busy === 0 ? trans.__('nothing') : trans._n('1 task', '%2 tasks', busy, formatCount(busy))],
      ...named,
      ...(others > 0 ? [[trans.__('other functions'), formatCount(others)] as const] : [])
    ],
    hint: trans.__('All threads in one row, as high as they were busy. C shows each thread')
  };
}
