/** Machines that have too little CPU for Dask: programs that are not Dask's leave no other trace. */
import type { CpuPercent, Seconds } from '../../base/units';
import { shareProcess } from '../../selectors/shared-process';
import { once } from '../facts';
import { untilsOf } from '../points';

/** An event loop ticks every 20 ms. In recordings of machines without other work, the scheduler's does every 20 to 30 ms. */
const LATE: Seconds = 0.04;
/** The same for the worker whose event loop is the least late. */
const LATE_WORKERS: Seconds = 0.027;
/** Of a core, for each worker and for the scheduler: with more, they may be late since they are busy themselves. */
const LITTLE: CpuPercent = 50;

/** How late event loops are on average. */
export interface LateLoops {
  readonly scheduler: Seconds;
  /** Of the worker that is the least late. */
  readonly workers: Seconds;
}

/**
 * How late event loops were, if all of them were at the same time and no process of Dask used much CPU, which says that other programs
 * did; `null` if not, or if it is not known.
 */
export const busyMachine = once(({ run, period }): LateLoops | null => {
  const column = (name: string): Float64Array => run.series.column(name);
  const [times, untils, workers] = [column('time'), untilsOf(run), column('workers')];
  const [ticks, least] = [column('scheduler_tick'), column('event_loop_min')];
  const [own, cpu] = [column('scheduler_cpu'), column('cpu_sum')];
  const known = Array.from(times, (_, k) => k).filter(
    k => untils[k] > period.from && times[k] <= period.to && ticks[k] >= 0 && least[k] >= 0 && workers[k] > 0
  );
  const mean = (of: (k: number) => number): number => known.reduce((sum, k) => sum + of(k), 0) / known.length;
  const found = { scheduler: mean(k => ticks[k]), workers: mean(k => least[k]) };
  const isLate = found.scheduler >= LATE && found.workers >= LATE_WORKERS;
  const isIdle = mean(k => own[k]) < LITTLE && mean(k => cpu[k] / workers[k]) < LITTLE;
  // Where they share a process, they are late together for any reason.
  return isLate && isIdle && !shareProcess(run) ? found : null;
});
