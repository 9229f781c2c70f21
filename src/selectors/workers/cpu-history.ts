/** CPU of each worker over the last minute, as heartbeats brought it while somebody looked. */
import type { CpuPercent, Seconds } from '../../base/units';
import { Beside } from '../../run/beside';
import type { Run } from '../../run/run';
import type { WorkerRow } from './worker-rows';

const SPAN: Seconds = 60;

interface History {
  readonly times: Seconds[];
  readonly values: CpuPercent[];
}

const histories = new Beside(() => new Map<number, History>());

/** Note the newest heartbeats. */
export function observeCpu(run: Run, rows: readonly WorkerRow[]): void {
  const known = histories.of(run);
  for (const { id, lastSeen, cpu } of rows) {
    const history = known.get(id) ?? { times: [], values: [] };
    known.set(id, history);
    const { times, values } = history;
    const last = times[times.length - 1] ?? Number.NEGATIVE_INFINITY;
    if (!Number.isFinite(cpu) || lastSeen === last || !Number.isFinite(lastSeen)) {
      continue;
    }
    if (lastSeen < last) {
      times.length = 0;
      values.length = 0;
    }
    times.push(lastSeen);
    values.push(cpu);
    const kept = times.findIndex(time => time >= lastSeen - SPAN);
    times.splice(0, kept);
    values.splice(0, kept);
  }
}

/** Values of the last minute, oldest first. */
export function cpuHistory(run: Run, worker: number): readonly CpuPercent[] {
  return histories.of(run).get(worker)?.values ?? [];
}
