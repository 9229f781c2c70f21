/** The catalogue. To add a plot, add its file and an entry here; see `docs/development.md`, "Add a plot". */
import { advice } from './diagnosis/advice';
import { aggregateTimePerAction } from './time/aggregate-time-per-action';
import { bandwidthTypes } from './transfers/bandwidth/types';
import { bandwidthWorkers } from './transfers/bandwidth/workers';
import { clusterMemory } from './memory/cluster-memory';
import { compareComputations } from './tasks/compare-computations';
import { computations } from './tasks/computations';
import { computeTimePerKey } from './time/compute-time-per-key';
import { contention } from './system/contention';
import { costs } from './time/costs';
import { cpu } from './workers/cpu';
import { criticalPath } from './tasks/critical-path';
import { cpuTimeseries } from './time/cpu-timeseries';
import { diskTimeseries } from './time/disk-timeseries';
import { errors } from './diagnosis/errors';
import { events } from './diagnosis/events';
import { logs } from './diagnosis/logs';
import { memoryByKey } from './memory/memory-by-key';
import { memorySampler } from './memory/sampler';
import { memoryTimeseries } from './time/memory-timeseries';
import { networkTimeseries } from './time/network-timeseries';
import { nprocessing } from './workers/nprocessing';
import { occupancy } from './workers/occupancy';
import { gpuMemory } from './gpu/memory';
import { gpuUtilization } from './gpu/utilization';
import { rmmMemory } from './gpu/rmm-memory';
import { fineMetrics } from './time/fine-metrics';
import { activityTimeseries } from './time/fine-metrics/over-time';
import { groupProgress } from './time/group-progress';
import { hardware } from './system/hardware';
import { localCache } from './local/cache';
import { localResources } from './local/resources';
import { localTasks } from './local/tasks';
import type { Plot } from '../plot/plot';
import { profile } from './time/profile';
import { profileServer } from './time/profile-server';
import { progress } from './tasks/progress';
import { system } from './system/system';
import { running } from './tasks/running';
import { task } from './tasks/task';
import { taskGraph } from './tasks/task-graph';
import { taskGroups } from './tasks/task-groups';
import { tasks } from './tasks/all-tasks';
import { taskStream } from './tasks/task-stream';
import { transfers } from './transfers/transfers';
import { shuffle } from './transfers/shuffle';
import { workStealing } from './workers/work-stealing';
import { worker } from './workers/worker';
import { workers } from './workers/workers';
import { workersDisk } from './workers/workers-disk';
import { workersMap } from './workers/cluster-map';
import { workersMemory } from './memory/workers-memory';
import { workersNetwork } from './transfers/workers-network';
import { workersTransferBytes } from './transfers/workers-transfer-bytes';

/** Every plot, in the order of the sidebar within its group. */
export const PLOTS: readonly Plot[] = [
  taskStream,
  progress,
  computations,
  compareComputations,
  running,
  tasks,
  taskGraph,
  criticalPath,
  taskGroups,
  task,
  clusterMemory,
  workersMemory,
  memoryByKey,
  memorySampler,
  workers,
  worker,
  nprocessing,
  cpu,
  occupancy,
  workersDisk,
  workersMap,
  workStealing,
  cpuTimeseries,
  memoryTimeseries,
  networkTimeseries,
  diskTimeseries,
  groupProgress,
  costs,
  computeTimePerKey,
  aggregateTimePerAction,
  fineMetrics,
  activityTimeseries,
  profile,
  profileServer,
  workersTransferBytes,
  workersNetwork,
  bandwidthWorkers,
  bandwidthTypes,
  transfers,
  shuffle,
  advice,
  errors,
  events,
  logs,
  system,
  contention,
  hardware,
  localTasks,
  localResources,
  localCache,
  gpuMemory,
  gpuUtilization,
  rmmMemory
];

/** The plot with this id; `undefined` if a saved layout refers to one that this version does not have. */
export function plotById(id: string): Plot | undefined {
  return PLOTS.find(plot => plot.id === id);
}
