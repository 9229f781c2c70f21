/** Times of a run, and of the user's wall clock in runs that may go on for days. */
import { formatElapsed, formatWallClock } from '../base/format';
import type { Seconds } from '../base/units';
import type { Translate } from '../plot/plot';
import type { Run } from '../run/run';

/** Texts of days: a table has many thousand times of a few days. */
const days = new Map<string, string>();
/** Days that are kept. */
const MOST = 1000;

/** What begins with `Run.origin`: above columns of {@link sinceStart}. */
export function startHint({ anchor, tasks, running }: Pick<Run, 'anchor' | 'tasks' | 'running'>, trans: Translate): string {
  if (Number.isFinite(anchor)) {
    return trans.__('since the recording began');
  }
  if (Number.isFinite(tasks.firstStart)) {
    return trans.__('since the first task that has ended began');
  }
  return Number.isFinite(running.earliest)
    ? trans.__('since the first task that runs began')
    : trans.__('since the cluster was first observed');
}

/** A time of a run, never negative: `0:05`; logs, graphs and tasks that still run may begin before the first task: `0:08 before`. */
export function sinceStart(time: Seconds, { origin }: Pick<Run, 'origin'>, trans: Translate, decimals = 0): string {
  const before = beforeStart(time - origin, decimals);
  return before === '' ? formatElapsed(time - origin, decimals) : trans.__('%1 before', before);
}

/** The same where nothing says what it is before: `0:08 before the first task`. */
export function sinceStartWords(
  time: Seconds,
  { origin, anchor }: Pick<Run, 'origin' | 'anchor'>,
  trans: Translate,
  decimals = 0
): string {
  const before = beforeStart(time - origin, decimals);
  if (before === '') {
    return formatElapsed(time - origin, decimals);
  }
  return Number.isFinite(anchor) ? trans.__('%1 before the recording', before) : trans.__('%1 before the first task', before);
}

/** How long before; empty for a time that is not before, as it is written. */
function beforeStart(elapsed: Seconds, decimals: number): string {
  const text = elapsed < 0 ? formatElapsed(-elapsed, decimals) : '';
  return formatElapsed(elapsed, decimals) === text ? '' : text;
}

/** A time as `10:42:07`, and on another day than that of the moment that the run shows as `21 Nov, 10:42:07`. */
export function clockAt(time: Seconds, { clock }: Pick<Run, 'clock'>): string {
  return clockSeenAt(clock.latest, time);
}

/** The same, as seen at another moment than that of a run. */
export function clockSeenAt(moment: Seconds, time: Seconds): string {
  const [date, now] = [new Date(time * 1000), new Date(moment * 1000)];
  const text = formatWallClock(time);
  const unknown = Number.isNaN(date.getTime()) || Number.isNaN(now.getTime()) || !/\d/.test(text);
  return unknown || isSameDay(date, now) ? text : `${dayOf(date, now)}, ${text}`;
}

function isSameDay(a: Date, b: Date): boolean {
  return a.getDate() === b.getDate() && a.getMonth() === b.getMonth() && a.getFullYear() === b.getFullYear();
}

function dayOf(date: Date, now: Date): string {
  const year = date.getFullYear() === now.getFullYear() ? undefined : 'numeric';
  const key = `${date.getFullYear()} ${date.getMonth()} ${date.getDate()} ${year}`;
  let text = days.get(key);
  if (text === undefined) {
    if (days.size >= MOST) {
      days.clear();
    }
    text = date.toLocaleDateString(undefined, { day: 'numeric', month: 'short', year });
    days.set(key, text);
  }
  return text;
}
