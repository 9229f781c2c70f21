/** The statistics of a selection as a sentence and as tables. */
import { formatBytes, formatCount, formatDuration, formatPercent, formatTick } from '../../base/format';
import type { Seconds } from '../../base/units';
import type { TableData, Translate } from '../../plot/plot';
import { oneLine } from '../../plot/text';
import type { Run } from '../../run/run';
import { pausesOf, unobservedIn } from '../../run/idle-time';
import { pausedIn } from '../../run/lanes/busy-periods';
import type { Period } from '../../run/selection/selection';
import { erredLook, errorsLink } from '../errors/link';
import { attemptWords } from '../tasks/attempts';
import { oneDecimal } from '../plain-number';
import { neverSpilled } from '../tasks/never-spilled';
import { workerLabel } from '../workers/worker-rows';
import type { SelectionStatistics } from './statistics';
import { shareOf, type ThreadUse } from './thread-use';
import { type SelectedThreads, threadTime } from './threads';
import { sinceStart } from '../moments';

/** Smaller parts are left out of the sentence. */
export const LEAST_SHARE = 0.005;

/** From here on, a tenth of a thread changes no figure. */
const MANY = 100;

/** "6.3 s × 12 threads"; the mean of threads that came or left has a decimal, so that the product is right. */
export function extentWords({ from, to }: Period, { count }: Pick<SelectedThreads, 'count'>, trans: Translate): string {
  return trans._n('%3 × 1 thread', '%3 × %2 threads', rounded(count), threadCount(count), formatDuration(to - from));
}

/** A mean number of threads. */
export function threadCount(count: number): string {
  const shown = rounded(count);
  return Number.isInteger(shown) ? formatCount(shown) : formatTick(shown);
}

function rounded(count: number): number {
  return count < MANY ? Math.round(count * 10) / 10 : Math.round(count);
}

/** For how long nothing ran at all, which pictures fold; empty if that is a small part. */
export function pauseWords(
  run: Run,
  { period, threads }: Pick<SelectionStatistics, 'period' | 'threads'>,
  trans: Translate
): string {
  if (period === null) {
    return '';
  }
  const { from, to } = period;
  const pauses = pausesOf(run).map(pause => ({ from: Math.max(pause.from, from), to: Math.min(pause.to, to) }));
  const unobserved = unobservedIn(run, pauses);
  const paused = pausedIn(pauses, from, to) - unobserved;
  return [
    ...(paused > LEAST_SHARE * (to - from) ? [idleWords(paused, threads, trans)] : []),
    ...(unobserved > LEAST_SHARE * (to - from)
      ? [
          trans.__(
            'The scheduler did not answer for %1 of it: what threads waited for then was not observed.',
            formatDuration(unobserved)
          )
        ]
      : [])
  ].join(' ');
}

function idleWords(paused: Seconds, threads: SelectedThreads, trans: Translate): string {
  const length = formatDuration(paused);
  // An adaptive cluster has few threads then, or none.
  const stayed = threads.count > 0 && threads.moved + threads.unknown === 0;
  return stayed
    ? trans.__('Nothing ran for %1 of it: that counts as idle.', length)
    : trans.__('Nothing ran for %1 of it: that counts as idle for the threads that were there then.', length);
}

/** Which threads are not there for the whole period, or not known; empty if all are. */
export function threadWords({ moved, unknown }: SelectedThreads, trans: Translate): string {
  return [
    ...(moved > 0
      ? [
          trans._n(
            '1 worker came or left in this period: its threads count while it was there.',
            '%2 workers came or left in this period: their threads count while they were there.',
            moved,
            formatCount(moved)
          )
        ]
      : []),
    ...(unknown > 0
      ? [
          trans._n(
            'For 1 worker it is not known how many threads it had or how long it was there.',
            'For %2 workers it is not known how many threads they had or how long they were there.',
            unknown,
            formatCount(unknown)
          )
        ]
      : [])
  ].join(' ');
}

/** "61 % computing, 9 % waiting for transfers, 30 % idle"; empty without a capacity. */
export function threadUseWords(run: Run, use: ThreadUse, trans: Translate): string {
  const unrecorded = attemptWords(run, trans).length > 0;
  const parts: readonly (readonly [part: Exclude<keyof ThreadUse, 'capacity'>, words: (share: string) => string])[] = [
    ['compute', share => trans.__('%1 computing', share)],
    ['unselected', share => trans.__('%1 computing other tasks', share)],
    ['running', share => trans.__('%1 running, not ended yet', share)],
    ['transfer', share => trans.__('%1 waiting for transfers', share)],
    [
      'disk',
      share =>
        neverSpilled(run)
          ? trans.__('%1 waiting to get or deserialize data', share)
          : trans.__('%1 waiting for disk or deserialization', share)
    ],
    ['earlier', share => trans.__('%1 not known (only sums are kept for older tasks)', share)],
    ['unobserved', share => trans.__('%1 not observed', share)],
    // Dask keeps no record of attempts that were retried, rescheduled or lost.
    ['idle', share => (unrecorded ? trans.__('%1 idle or not recorded', share) : trans.__('%1 idle', share))]
  ];
  return parts
    .filter(([part]) => shareOf(use, part) >= LEAST_SHARE)
    .map(([part, words]) => words(formatPercent(shareOf(use, part))))
    .join(', ');
}

/** "1,204 tasks, 38 MiB of results"; "about 6,204 tasks, the newest 1,204 with 38 MiB of results". */
export function countWords({ count, bytes, earlier }: SelectionStatistics, trans: Translate): string {
  if (earlier !== null) {
    const all = aboutWords(count + earlier.count, trans);
    return bytes > 0 ? `${all}, ${trans.__('the newest %1 with %2 of results', formatCount(count), formatBytes(bytes))}` : all;
  }
  return [
    trans._n('1 task', '%2 tasks', count, formatCount(count)),
    ...(bytes > 0 ? [trans.__('%1 of results', formatBytes(bytes))] : [])
  ].join(', ');
}

function aboutWords(count: number, trans: Translate): string {
  const whole = Math.round(count);
  return trans._n('about 1 task', 'about %2 tasks', whole, formatCount(whole));
}

/** "Functions", or which tasks they are of if not of all. */
export function functionsHead({ count, incompleteUntil }: SelectionStatistics, trans: Translate): string {
  return Number.isFinite(incompleteUntil)
    ? trans._n('Functions of the newest task', 'Functions of the newest %2 tasks', count, formatCount(count))
    : trans.__('Functions');
}

/** The same for the slowest tasks. */
export function slowestHead({ count, incompleteUntil }: SelectionStatistics, trans: Translate): string {
  return Number.isFinite(incompleteUntil)
    ? trans._n('Slowest of the newest task', 'Slowest of the newest %2 tasks', count, formatCount(count))
    : trans.__('Slowest tasks');
}

/**
 * How unevenly the work is distributed over the threads of workers, also of those that did nothing; empty with fewer than two workers.
 * A worker of which fewer threads are selected, or that was there for a shorter time, is not less busy for that.
 */
export function skewWords(run: Run, { workers, threads }: SelectionStatistics, trans: Translate): string {
  const times = new Map(threads.workers.map(({ worker, time }) => [worker, time]));
  const time = threadTime(threads);
  const shares = workers.map(({ worker, total }) => ({ worker, share: total / (times.get(worker) ?? Number.NaN) }));
  const [busiest] = shares.filter(({ share }) => Number.isFinite(share)).sort((a, b) => b.share - a.share);
  const mean = workers.reduce((sum, { total }) => sum + total, 0) / time;
  if (times.size < 2 || busiest === undefined || !(mean > 0)) {
    return '';
  }
  const name = workerLabel(run.workerNames[busiest.worker]);
  return trans.__('Busiest worker: %1, %2 × the mean', name, oneDecimal(busiest.share / mean));
}

/** One row for each function. */
export function functionTable({ functions, use, count, incompleteUntil }: SelectionStatistics, trans: Translate): TableData {
  const newest = Number.isFinite(incompleteUntil)
    ? { tooltip: trans._n('of the newest task', 'of the newest %2 tasks', count, formatCount(count)) }
    : {};
  const duration = (id: string, label: string): TableData['columns'][number] => ({ id, label, align: 'right', ...newest });
  return {
    columns: [
      { id: 'function', label: trans.__('Function'), align: 'left' },
      { id: 'tasks', label: trans.__('Tasks'), align: 'right' },
      duration('total', trans.__('Time')),
      { id: 'share', label: trans.__('Share'), tooltip: trans.__('of the time of the selected threads'), align: 'right' },
      duration('min', trans.__('Min')),
      duration('median', trans.__('Median')),
      duration('p95', trans.__('p95')),
      duration('max', trans.__('Max')),
      { id: 'erred', label: trans.__('Erred'), align: 'right' },
      { id: 'bytes', label: trans.__('Results'), align: 'right' }
    ],
    rows: functions.map(each => ({
      id: String(each.prefix),
      cells: [
        { text: oneLine(each.name), value: each.name },
        { text: formatCount(each.count), value: each.count },
        ...[each.total].map(value => ({ text: formatDuration(value), value })),
        ...[use.capacity > 0 ? each.total / use.capacity : Number.NaN].map(value => ({ text: formatPercent(value), value })),
        ...[each.min, each.median, each.p95, each.max].map(value => ({ text: formatDuration(value), value })),
        { text: formatCount(each.erred), value: each.erred, ...erredLook(each.erred, errorsLink(each.name)) },
        { text: formatBytes(each.bytes), value: each.bytes }
      ]
    }))
  };
}

/** The longest executions. */
export function slowestTable(run: Run, { slowest }: SelectionStatistics, trans: Translate): TableData {
  return {
    columns: [
      { id: 'function', label: trans.__('Function'), align: 'left' },
      { id: 'duration', label: trans.__('Duration'), align: 'right' },
      { id: 'start', label: trans.__('Start'), align: 'right' },
      { id: 'worker', label: trans.__('Worker'), align: 'left' }
    ],
    rows: slowest.map(({ lane, prefix, row, start, duration }) => {
      const worker = run.workerNames[run.laneNames[lane]?.[0] ?? -1];
      const name = worker === undefined ? '' : workerLabel(worker);
      const title = run.prefixNames[prefix] ?? '';
      return {
        id: String(row),
        cells: [
          { text: oneLine(title), value: title },
          { text: formatDuration(duration), value: duration },
          { text: sinceStart(start, run, trans, 2), value: start },
          { text: name, value: name }
        ]
      };
    })
  };
}

/** What the statistics leave out, and what is known of it; empty if nothing is missing. */
export function incompleteWords(run: Run, { count, earlier, incompleteUntil }: SelectionStatistics, trans: Translate): string {
  if (!Number.isFinite(incompleteUntil)) {
    return '';
  }
  const until = sinceStart(incompleteUntil, run, trans, 1);
  return earlier === null
    ? trans._n(
        'Only sums are kept for tasks that ended before %3, and these are not counted: all figures are for the newest task.',
        'Only sums are kept for tasks that ended before %3, and these are not counted: all figures are for the newest %2 tasks.',
        count,
        formatCount(count),
        until
      )
    : trans._n(
        'Only sums are kept for tasks that ended before %3: %4 with %5 of computing. Functions, quantiles and the slowest tasks are from the newest task.',
        'Only sums are kept for tasks that ended before %3: %4 with %5 of computing. Functions, quantiles and the slowest tasks are from the newest %2 tasks.',
        count,
        formatCount(count),
        until,
        aboutWords(earlier.count, trans),
        formatDuration(earlier.total)
      );
}
