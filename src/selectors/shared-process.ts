/** What shares a process: what is measured of the process is of all that is there. */
import type { Translate } from '../plot/plot';
import type { Run } from '../run/run';
import { liveWorkers } from './workers/worker-rows';

/** A scheduler that only programs of its machine reach is that of a LocalCluster most often, in the process of the notebook. */
const LOCAL = /^\w+:\/\/(127\.|localhost\b|\[::1\])/;

/** Whether it is most often the process of the notebook. */
export function isOfNotebook({ meta }: Run): boolean {
  return LOCAL.test(meta.address ?? '');
}

/** Whether workers share a process, each of which reports the CPU of that: threads of a `LocalCluster(processes=False)`. */
export function shareProcess({ workerNames }: Run): boolean {
  return workerNames.some(name => name?.address.startsWith('inproc:') === true);
}

/** What else is in the process of the scheduler; empty if nothing is known to be. */
export function sharedProcessWords(run: Run, trans: Translate): string {
  if (run.meta.address?.startsWith('inproc:') === true || shareProcess(run)) {
    return trans.__('scheduler, workers and notebook share one process: its figures are of them all');
  }
  return isOfNotebook(run) ? trans.__("with a LocalCluster, the kernel's own work counts as well") : '';
}

/** A note that figures of processes are the same for all workers; none if each has one. */
export function sharedWorkersNotes(run: Run, trans: Translate): readonly string[] {
  return shareProcess(run) && liveWorkers(run).length > 1
    ? [
        trans.__(
          'the workers share one process: each reports the CPU and the memory of all of it; sums count it once for each worker'
        )
      ]
    : [];
}
