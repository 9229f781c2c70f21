/** Heartbeats that did not come: what workers report is of their last one. */
import { formatCount, formatDuration, formatElapsed } from '../base/format';
import type { Seconds } from '../base/units';
import type { Translate } from '../plot/plot';
import type { Run } from '../run/run';
import type { Period } from '../run/selection/selection';
import { clockAt } from './moments';
import { liveWorkers } from './workers/worker-rows';

/**
 * A heartbeat is overdue after this time, besides the intervals that a worker may miss. Also in
 * `bridge/dask_panes/scheduler/collector/heartbeats.py`.
 */
const PATIENCE: Seconds = 4;
const MISSED = 4;

/** A scheduler whose event loop ticks more rarely may read heartbeats late itself, unless it has just read that of another worker. */
const LATE: Seconds = 0.1;
const JUST: Seconds = 1;

/**
 * Time between two heartbeats of a worker, by the number of workers: `heartbeat_interval` of Dask's scheduler (distributed
 * 2026.8).
 */
export function intervalOf(workers: number): Seconds {
  return workers <= 10 ? 0.5 : workers < 50 ? 1 : workers < 200 ? 2 : workers / 200 + 1;
}

function isLate(tick: Seconds, leastUnheard: Seconds): boolean {
  return tick >= LATE && !(leastUnheard < JUST);
}

/** Of each sample, whether the scheduler may have read heartbeats late itself. */
export function lateSamples({ series }: Run): readonly boolean[] {
  const [ticks, others] = [series.column('scheduler_tick'), series.column('unheard_min')];
  return Array.from(ticks, (tick, k) => isLate(tick, others[k]));
}

/** For how long a worker sent no heartbeat in a period at most, and until when; `null` if none was overdue, or it is not known. */
function longestSilence({ series }: Run, { from, to }: Period): { readonly seconds: Seconds; readonly until: Seconds } | null {
  const [times, untils, workers] = ['time', 'until', 'workers'].map(name => series.column(name));
  const [unheard, least, ticks] = ['unheard_max', 'unheard_min', 'scheduler_tick'].map(name => series.column(name));
  let longest: { readonly seconds: Seconds; readonly until: Seconds } | null = null;
  for (let i = 0; i < unheard.length; i++) {
    const seconds = unheard[i];
    const isSeen = Math.max(times[i], untils[i]) >= from && times[i] <= to;
    if (
      isSeen &&
      seconds > PATIENCE + MISSED * intervalOf(workers[i]) &&
      seconds > (longest?.seconds ?? 0) &&
      !isLate(ticks[i], least[i])
    ) {
      longest = { seconds, until: times[i] };
    }
  }
  return longest;
}

/**
 * A note that figures of workers are older than their place in time, where heartbeats were overdue. Of a host, another worker may
 * have reported newer ones.
 */
export function silenceNotes(run: Run, period: Period | null, of: 'workers' | 'hosts', trans: Translate): readonly string[] {
  const silence = period === null ? null : longestSilence(run, period);
  if (silence === null) {
    return [];
  }
  const [seconds, until] = [formatDuration(silence.seconds), formatElapsed(silence.until - run.origin)];
  return [
    of === 'hosts'
      ? trans.__('a worker sent no heartbeat for %1 until %2 (stopped or blocked)', seconds, until)
      : trans.__('a worker sent no heartbeat for %1 until %2 (stopped or blocked): its figures are older', seconds, until)
  ];
}

/** The same for a worker whose heartbeats are overdue now, where the time of its last one is visible. */
export function overdueNotes(run: Run, worker: number, period: Period | null, trans: Translate): readonly string[] {
  return liveWorkers(run)
    .filter(({ id, overdue, lastSeen }) => id === worker && overdue === true && !(period !== null && period.to < lastSeen))
    .map(({ lastSeen }) => trans.__('no heartbeat since %1: its figures stay those of the last one', clockAt(lastSeen, run)));
}

/** A note that shares of busy threads count what workers ran at their last heartbeat, where heartbeats are overdue now. */
export function standingNotes(run: Run, trans: Translate): readonly string[] {
  const standing = liveWorkers(run).filter(({ overdue, executing }) => overdue === true && executing > 0);
  if (standing.length === 0) {
    return [];
  }
  const since = clockAt(Math.min(...standing.map(({ lastSeen }) => lastSeen)), run);
  return [
    trans._n(
      '1 worker has sent no heartbeat since %2: its tasks count as busy',
      '%3 workers have sent no heartbeat, the first since %2: their tasks count as busy',
      standing.length,
      since,
      formatCount(standing.length)
    )
  ];
}
