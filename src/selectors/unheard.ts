/** Heartbeats that did not come: what workers report is of their last one. */
import { formatDuration } from '../base/format';
import type { Seconds } from '../base/units';
import type { Translate } from '../plot/plot';
import type { Run } from '../run/run';
import type { Period } from '../run/selection/selection';
import { clockAt } from './moments';
import { liveWorkers } from './workers/worker-rows';

/** A heartbeat is overdue after this time, besides the intervals that a worker may miss. Also in `bridge/dask_panes/scheduler/collector/heartbeats.py`. */
const PATIENCE: Seconds = 4;
const MISSED = 4;

/** Time between two heartbeats of a worker, by the number of workers: `heartbeat_interval` of Dask's scheduler (distributed 2026.8). */
function intervalOf(workers: number): Seconds {
  return workers <= 10 ? 0.5 : workers < 50 ? 1 : workers < 200 ? 2 : workers / 200 + 1;
}

/** For how long a worker sent no heartbeat in a period at most; 0 if none was overdue, or it is not known. */
function longestSilence({ series }: Run, { from, to }: Period): Seconds {
  const [times, untils, workers, unheard] = ['time', 'until', 'workers', 'unheard_max'].map(name => series.column(name));
  let longest = 0;
  for (let i = 0; i < unheard.length; i++) {
    if (Math.max(times[i], untils[i]) >= from && times[i] <= to && unheard[i] > PATIENCE + MISSED * intervalOf(workers[i])) {
      longest = Math.max(longest, unheard[i]);
    }
  }
  return longest;
}

/** A note that figures of workers are older than their place in time, where heartbeats were overdue. */
export function silenceNotes(run: Run, period: Period | null, trans: Translate): readonly string[] {
  const silence = period === null ? 0 : longestSilence(run, period);
  return silence > 0
    ? [
        trans.__(
          'a worker sent no heartbeat for %1: its figures stay those of its last one, also if it is stopped or its event loop blocked',
          formatDuration(silence)
        )
      ]
    : [];
}

/** The same for a worker whose heartbeats are overdue now. */
export function overdueNotes(run: Run, worker: number, trans: Translate): readonly string[] {
  return liveWorkers(run)
    .filter(({ id, overdue }) => id === worker && overdue === true)
    .map(({ lastSeen }) => trans.__('no heartbeat since %1: its figures stay those of the last one', clockAt(lastSeen, run)));
}
