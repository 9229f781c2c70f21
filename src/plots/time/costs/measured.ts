/**
 * The overheads of distributed computing, each with Dask's measurements of it, and nothing that Dask does not measure.
 */
import {
  formatByteRate,
  formatBytes,
  formatCount,
  formatCpu,
  formatDuration,
  formatPercent,
  UNKNOWN
} from '../../../base/format';
import type { Seconds } from '../../../base/units';
import type { Activity } from '../../../run/tables/activities';
import type { Run } from '../../../run/run';
import type { Translate } from '../../../plot/plot';
import { sharedProcessWords } from '../../../selectors/shared-process';
import { SERIALISING } from './thread-time';

/** One of the six costs. */
export interface Cost {
  readonly id: string;
  readonly label: string;
  /** Seconds spent, over all threads and event loops; NaN if not measured. */
  readonly seconds: Seconds;
  /** The most informative figure. */
  readonly figure: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
}

type Fits = (metric: Activity) => boolean;

function amount(run: Run, unit: 'seconds' | 'bytes', activities: readonly string[], context?: string): number {
  const fits: Fits = metric => activities.includes(metric.activity) && (context === undefined || metric.context === context);
  return run.activities.sum(unit, fits);
}

/** An amount, 0 where nothing of it was measured, but other things were; NaN before the first measurement. */
function orNone(run: Run, value: number): number {
  return run.activities.list.length > 0 ? value || 0 : Number.NaN;
}

/** A rate from bytes and seconds; NaN if either is unknown or zero. */
function rate(bytes: number, seconds: Seconds): number {
  return bytes > 0 && seconds > 0 ? bytes / seconds : Number.NaN;
}

/** The six overheads, in the order of Dask's documentation. All are cumulative since the scheduler started. */
export function measuredCosts(run: Run, trans: Translate): readonly Cost[] {
  return [
    compute(run, trans),
    memory(run, trans),
    network(run, trans),
    disk(run, trans),
    scheduler(run, trans),
    serialisation(run, trans)
  ];
}

function compute(run: Run, trans: Translate): Cost {
  const cpu = amount(run, 'seconds', ['thread-cpu'], 'execute');
  const other = amount(run, 'seconds', ['thread-noncpu'], 'execute');
  const share = cpu / (cpu + other);
  return {
    id: 'compute',
    label: trans.__('Compute time'),
    seconds: cpu + other,
    figure: Number.isFinite(share) ? trans.__('%1 on CPU', formatPercent(share)) : UNKNOWN,
    facts: [
      [trans.__('On a CPU'), formatDuration(cpu)],
      [trans.__('Not on a CPU'), formatDuration(other)]
    ]
  };
}

function memory(run: Run, trans: Translate): Cost {
  return {
    id: 'memory',
    label: trans.__('Memory bandwidth'),
    seconds: Number.NaN,
    figure: trans.__('not measured'),
    facts: [
      [trans.__('Bandwidth'), trans.__('Dask does not measure it while tasks run')],
      [trans.__('Inputs of tasks found in memory'), formatBytes(amount(run, 'bytes', ['memory-read'], 'execute'))],
      [trans.__('Sent from memory'), formatBytes(amount(run, 'bytes', ['memory-read'], 'get-data'))]
    ]
  };
}

function network(run: Run, trans: Translate): Cost {
  const seconds = amount(run, 'seconds', ['network'], 'gather-dep');
  // Dask's total is not shown: it begins with a figure of the configuration and comes close to what is measured only slowly.
  const rates = run.bandwidth.list.map(({ rate }) => rate);
  const average = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  // Dask adds up the rates of transfers between two heartbeats (`Scheduler.heartbeat_worker`, distributed 2026.8).
  const figure = Number.isFinite(average) ? trans.__('at most %1', formatByteRate(average)) : UNKNOWN;
  return {
    id: 'network',
    label: trans.__('Network bandwidth'),
    seconds,
    figure,
    facts: [
      [trans.__('Mean of pairs of workers, above 1 MB'), figure],
      [trans.__('Receiving, all workers'), formatDuration(seconds)],
      [trans.__('Sending, all workers'), formatDuration(amount(run, 'seconds', ['network'], 'get-data'))]
    ]
  };
}

function disk(run: Run, trans: Translate): Cost {
  const [read, written] = ['disk-read', 'disk-write'].map(activity => ({
    seconds: orNone(run, amount(run, 'seconds', [activity])),
    bytes: orNone(run, amount(run, 'bytes', [activity]))
  }));
  const bytes = read.bytes + written.bytes;
  const seconds = read.seconds + written.seconds;
  // What shuffles write is in the sums. Of what they read, Dask measures no time (`DiskShardsBuffer.read`, distributed 2026.8).
  const shuffled = amount(run, 'bytes', ['p2p-disk-read'], 'execute');
  return {
    id: 'disk',
    label: trans.__('Disk bandwidth'),
    seconds,
    figure: formatByteRate(rate(bytes, seconds)),
    facts: [
      [trans.__('Read'), trans.__('%1 in %2', formatBytes(read.bytes), formatDuration(read.seconds))],
      [trans.__('Reading'), formatByteRate(rate(read.bytes, read.seconds))],
      ...(shuffled > 0 ? [[trans.__('Also read by shuffles, time not measured'), formatBytes(shuffled)] as const] : []),
      [trans.__('Written'), trans.__('%1 in %2', formatBytes(written.bytes), formatDuration(written.seconds))],
      [trans.__('Writing'), formatByteRate(rate(written.bytes, written.seconds))]
    ]
  };
}

function scheduler(run: Run, trans: Translate): Cost {
  const { schedulerCpu, schedulerTick, transitions } = run.activities;
  const shared = sharedProcessWords(run, trans);
  return {
    id: 'scheduler',
    label: trans.__('Scheduler overhead'),
    seconds: Number.NaN,
    figure: Number.isFinite(schedulerCpu) ? trans.__('%1 of a core', formatCpu(schedulerCpu)) : UNKNOWN,
    facts: [
      [trans.__('CPU of its process, last minute'), formatCpu(schedulerCpu)],
      ...(shared === '' ? [] : [[trans.__('Its process'), shared] as const]),
      [trans.__('Tick of its event loop (20 ms when idle)'), formatDuration(schedulerTick)],
      [trans.__('Transitions of tasks'), formatCount(transitions)]
    ]
  };
}

function serialisation(run: Run, trans: Translate): Cost {
  const names: readonly (readonly [string, string])[] = [
    ['serialize', trans.__('Serialize')],
    ['deserialize', trans.__('Deserialize')],
    ['compress', trans.__('Compress')],
    ['decompress', trans.__('Decompress')]
  ];
  const seconds = orNone(run, amount(run, 'seconds', [...SERIALISING]));
  return {
    id: 'serialisation',
    label: trans.__('Serialization'),
    seconds,
    figure: formatDuration(seconds),
    facts: names.map(([activity, label]) => [label, formatDuration(orNone(run, amount(run, 'seconds', [activity])))] as const)
  };
}
