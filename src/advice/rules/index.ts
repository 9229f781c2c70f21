/** All rules. Where two could claim the same time, the first one has it: what is more certain comes first. */
import type { Rule } from '../rule';
import { clientWaits } from './client/client-waits';
import { dataByValue } from './client/data-by-value';
import { largeGraph } from './client/large-graph';
import { computedAgain } from './compute/computed-again';
import { cancelledTasks } from './compute/cancelled-tasks';
import { failures } from './compute/failures';
import { gil } from './compute/gil';
import { locks } from './compute/locks';
import { retries } from './compute/retries';
import { keptResults } from './memory/kept-results';
import { nearLimit } from './memory/near-limit';
import { oversizedChunks } from './memory/oversized-chunks';
import { paused } from './memory/paused';
import { spilling } from './memory/spilling';
import { unmanagedMemory } from './memory/unmanaged-memory';
import { eventLoopBlocked } from './scheduling/event-loop-blocked';
import { lateEventLoops } from './scheduling/late-event-loops';
import { lateStart } from './scheduling/late-start';
import { littleParallelism } from './scheduling/little-parallelism';
import { lostWorker } from './scheduling/lost/lost-worker';
import { noWorkerFits } from './scheduling/no-worker-fits';
import { slowWorker } from './scheduling/slow-worker';
import { smallTasks } from './scheduling/small-tasks';
import { straggler } from './scheduling/straggler';
import { unevenWorkers } from './scheduling/uneven-workers';
import { betweenTasks } from './scheduling/waiting/between-tasks';
import { heldBack } from './scheduling/waiting/held-back';
import { nestedTasks } from './scheduling/waiting/nested-tasks';
import { otherWork } from './scheduling/waiting/other-work';
import { queueing } from './scheduling/waiting/queueing';
import { workStealing } from './scheduling/work-stealing';
import { serialisation } from './transfer/serialisation';
import { transfers } from './transfer/transfers';

export const RULES: readonly Rule[] = [
  otherWork,
  paused,
  noWorkerFits,
  nestedTasks,
  eventLoopBlocked,
  retries,
  cancelledTasks,
  lostWorker,
  failures,
  keptResults,
  oversizedChunks,
  spilling,
  dataByValue,
  largeGraph,
  clientWaits,
  smallTasks,
  workStealing,
  serialisation,
  transfers,
  locks,
  slowWorker,
  straggler,
  unevenWorkers,
  littleParallelism,
  lateStart,
  lateEventLoops,
  queueing,
  computedAgain,
  gil,
  heldBack,
  betweenTasks,
  unmanagedMemory,
  nearLimit
];
