/** The catalogue: adding a plot is adding its file and its line here. */
import { aggregateTimePerAction } from './aggregate-time-per-action';
import { bandwidthTypes } from './bandwidth/types';
import { bandwidthWorkers } from './bandwidth/workers';
import { clusterMemory } from './cluster-memory';
import { computeTimePerKey } from './compute-time-per-key';
import { costs } from './costs';
import { cpu } from './cpu';
import { cpuTimeseries } from './cpu-timeseries';
import { diskTimeseries } from './disk-timeseries';
import { events } from './events';
import { logs } from './logs';
import { memoryByKey } from './memory-by-key';
import { memorySampler } from './memory-sampler';
import { memoryTimeseries } from './memory-timeseries';
import { networkTimeseries } from './network-timeseries';
import { nprocessing } from './nprocessing';
import { occupancy } from './occupancy';
import { localCache } from './local/cache';
import { localResources } from './local/resources';
import { localTasks } from './local/tasks';
import type { Plot } from './plot';
import { profile } from './profile';
import { profileServer } from './profile-server';
import { progress } from './progress';
import { task } from './task';
import { taskGraph } from './task-graph';
import { taskGroups } from './task-groups';
import { taskStream } from './task-stream';
import { transfers } from './transfers';
import { workers } from './workers';
import { workersDisk } from './workers-disk';
import { workersMemory } from './workers-memory';
import { workersNetwork } from './workers-network';
import { workersTransferBytes } from './workers-transfer-bytes';

/** Every plot, in the order of the sidebar within its group. */
export const PLOTS: readonly Plot[] = [
  taskStream,
  progress,
  taskGraph,
  taskGroups,
  task,
  clusterMemory,
  workersMemory,
  memoryByKey,
  memorySampler,
  workers,
  nprocessing,
  cpu,
  occupancy,
  workersDisk,
  cpuTimeseries,
  memoryTimeseries,
  networkTimeseries,
  diskTimeseries,
  costs,
  computeTimePerKey,
  aggregateTimePerAction,
  profile,
  profileServer,
  workersTransferBytes,
  workersNetwork,
  bandwidthWorkers,
  bandwidthTypes,
  transfers,
  events,
  logs,
  localTasks,
  localResources,
  localCache
];

/** The plot of an id; `undefined` where a saved layout names one that this version does not have. */
export function plotById(id: string): Plot | undefined {
  return PLOTS.find(plot => plot.id === id);
}
