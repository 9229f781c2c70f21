/** The sidebar's texts about kernels and clients (`docs/look.md`, "Sidebar"). Pure. */
import { formatBytes, formatExactCount } from '../../base/format';
import type { Milliseconds } from '../../base/units';
import type { Clients, KernelEntry, LiveClient } from '../../clients/model';
import type { ClientInfo } from '../../feed/kernel/kernel-channel';
import { disconnectedText } from '../../clients/disconnected';
import { idleText, minutes, onlyReadsGraph, waitingForKernel } from '../../clients/status';
import { localFacts } from '../../selectors/local/facts';
import { placeWords } from '../../selectors/local/words';
import type { Translate } from '../../plot/plot';
import { knowsAllTasks, taskCountText } from '../../selectors/tasks/prefix-counts';
import { presentTotals } from '../../selectors/tasks/work-order';
import { liveWorkers, type WorkerRow } from '../../selectors/workers/worker-rows';
import { asOf } from '../../run/as-of';
import { OUTDATED_AFTER } from '../../run/clock';
import type { Run } from '../../run/run';
import type { StatusSign } from '../../clients/status';

/** A line with the symbol before the name. */
export interface RowWords {
  readonly sign: StatusSign;
  readonly text: string;
  readonly tone?: 'bad';
}

/** The second line of a client: "LocalCluster · 8 workers · 32 threads". */
export function clientWords(info: ClientInfo, kernel: KernelEntry, followed: boolean, trans: Translate): RowWords {
  if (info.status === 'closed') {
    const text = info.closedAt === undefined ? trans.__('closed') : trans.__('closed %1', minutes(info.closedAt));
    return { sign: 'ring', text };
  }
  if (isUnheard(kernel)) {
    return kernelWords(kernel, trans);
  }
  if (info.status === 'connecting') {
    return { sign: 'ring', text: trans.__('connecting to %1', info.address || trans.__('its scheduler')) };
  }
  const parts = [
    info.cluster,
    ...(info.workers === 0
      ? [trans.__('no workers')]
      : [count(info.workers, 'worker', trans), count(info.threads, 'thread', trans)]),
    // The bars of the followed client show it better.
    ...(info.memoryLimit > 0 && !followed ? [formatBytes(info.memoryLimit)] : [])
  ];
  // Nothing can run there, and whether tasks wait is known only of clients that are watched.
  return { sign: info.workers === 0 ? 'ring' : 'disc', text: parts.filter(part => part !== '').join(' · ') };
}

/** Whether its clients are those of an earlier answer. */
function isUnheard({ state }: KernelEntry): boolean {
  return state === 'silent' || state === 'disconnected' || state === 'asking';
}

/** The second line of local schedulers: their activity, or how the last compute ended. */
export function localWords(info: ClientInfo, run: Run | null, kernel: KernelEntry, trans: Translate): RowWords {
  const facts = run === null ? null : localFacts(run);
  if (info.status === 'closed' || isUnheard(kernel)) {
    return clientWords(info, kernel, false, trans);
  }
  if (facts === null) {
    return { sign: 'ring', text: trans.__('computations without a Client') };
  }
  const place = placeWords(facts, trans);
  const when = minutes(facts.ended);
  switch (facts.outcome) {
    case 'running':
      return { sign: 'disc', text: trans.__('computing on %1', place) };
    case 'erred':
      return { sign: 'cross', text: trans.__('%1 · raised %2', place, when), tone: 'bad' };
    case 'interrupted':
      return { sign: 'ring', text: trans.__('%1 · interrupted %2', place, when) };
    case 'done':
      return { sign: 'ring', text: trans.__('%1 · done %2', place, when) };
  }
}

/** Facts of a client, with workers counted in its run if that has arrived: the kernel reports its facts only occasionally. */
export function currentFacts(info: ClientInfo, run: Run | null): ClientInfo {
  if (run === null || info.status !== 'running' || !run.has('workers')) {
    return info;
  }
  const workers = liveWorkers(run);
  const sum = (of: (worker: WorkerRow) => number): number => workers.reduce((total, worker) => total + of(worker), 0);
  return {
    ...info,
    workers: workers.length,
    threads: sum(({ nthreads }) => nthreads),
    memoryLimit: sum(({ limit }) => (limit > 0 ? limit : 0))
  };
}

/**
 * The same for a client with a run, which knows more about idle and silent states.
 *
 * @param tasks - whether the caller asks for the topics of tasks; else what the run has of them may be old
 */
export function liveWords(live: LiveClient, now: Milliseconds, trans: Translate, tasks = true): RowWords | null {
  const { state } = live.feed;
  const workers = count(currentFacts(live.info, live.run).workers, 'worker', trans);
  if (state.status === 'disconnected') {
    return { sign: 'square', text: disconnectedText(asOf(live.run, state), trans), tone: 'bad' };
  }
  if (state.status === 'silent') {
    const seconds = Math.max(0, Math.round((now - state.answered) / 1000));
    return { sign: 'square', text: silentText(live, seconds, trans), tone: 'bad' };
  }
  // As panes do: only when it has been read do its tasks wait.
  if (live.info.status === 'running' && onlyReadsGraph(live.run)) {
    return { sign: 'disc', text: trans.__('reading a graph · %1', workers) };
  }
  const waiting = tasks && live.info.status === 'running' ? waitingWords(live.run, trans) : null;
  if (waiting !== null) {
    return waiting;
  }
  const since = live.run.idleSince;
  if (Number.isFinite(since) && live.info.status === 'running') {
    return { sign: 'ring', text: `${idleText(live.run, trans)} · ${workers}` };
  }
  const age = live.run.clock.at(now) - live.run.clock.latest;
  if (state.status === 'live' && age >= OUTDATED_AFTER) {
    return { sign: 'disc', text: trans.__('%1 · %2 s ago', workers, Math.round(age)) };
  }
  return null;
}

function silentText(live: LiveClient, seconds: number, trans: Translate): string {
  if (live.feed.state.silent !== 'scheduler') {
    return trans.__('no answer for %1 s · kernel', seconds);
  }
  return live.info.status === 'connecting'
    ? trans.__('no answer for %1 s · connecting to %2', seconds, live.info.address || trans.__('its scheduler'))
    : trans.__('no answer for %1 s · scheduler', seconds);
}

/** That tasks wait for workers, where there are none; `null` if none waits. */
export function waitingWords(run: Run, trans: Translate): RowWords | null {
  const waiting = tasksWithoutWorkers(run);
  if (waiting === 0) {
    return null;
  }
  // The text of one task has no place for the sign that there may be more.
  const number = knowsAllTasks(run) ? waiting : Math.max(2, waiting);
  const text = trans._n('no workers · 1 task waits', 'no workers · %2 tasks wait', number, taskCountText(run, waiting));
  return { sign: 'square', text, tone: 'bad' };
}

/** Tasks that have to run while the cluster has no workers. */
function tasksWithoutWorkers(run: Run): number {
  if (!run.has('workers') || !run.has('prefixes') || liveWorkers(run).length > 0) {
    return 0;
  }
  return presentTotals(run).active;
}

/** Text for a kernel without clients. */
export function kernelWords(kernel: KernelEntry, trans: Translate): RowWords {
  switch (kernel.state) {
    case 'ready':
      return { sign: 'ring', text: kernel.reason || trans.__('no Dask client yet: run Client()') };
    case 'asking':
      return { sign: 'ring', text: kernel.kind === 'recording' ? trans.__('loading') : trans.__('asking the kernel') };
    case 'missing':
      return {
        sign: 'ring',
        text:
          kernel.version === ''
            ? trans.__('dask_panes is missing in this kernel')
            : trans.__('dask_panes %1 of this kernel is not compatible with the extension', kernel.version)
      };
    case 'unsupported':
      return { sign: 'ring', text: trans.__('not supported in this kernel') };
    case 'failed':
      return { sign: 'cross', text: kernel.reason, tone: 'bad' };
    case 'silent':
      return { sign: 'square', text: trans.__('the kernel does not answer'), tone: 'bad' };
    case 'disconnected':
      return { sign: 'square', text: disconnectedText(Number.NaN, trans), tone: 'bad' };
    case 'dead':
      return {
        sign: 'cross',
        text: kernel.kind === 'recording' ? trans.__('cannot be read') : trans.__('the kernel has died'),
        tone: 'bad'
      };
    case 'unlooked':
      return { sign: 'ring', text: '' };
  }
}

/** "1 worker", "8 workers". */
export function count(number: number, noun: 'worker' | 'thread', trans: Translate): string {
  return noun === 'worker'
    ? trans._n('1 worker', '%2 workers', number, formatExactCount(number))
    : trans._n('1 thread', '%2 threads', number, formatExactCount(number));
}

/** Clients of a kernel that have not closed, the newest first. */
export function openClients(kernel: KernelEntry): readonly ClientInfo[] {
  return newestFirst(kernel.clients.filter(info => info.status !== 'closed'));
}

/** Clients, the newest first. */
export function newestFirst(clients: readonly ClientInfo[]): ClientInfo[] {
  return [...clients].sort((a, b) => b.created - a.created);
}

/** What the list says without any kernel in it: those of hosted clusters are listed elsewhere. */
export function noKernelWords(clients: Clients, trans: Translate): string {
  if (clients.starting) {
    return waitingForKernel(trans);
  }
  return clients.kernels.length > 0
    ? trans.__('Only kernels of hosted clusters are running. Run Client() in a notebook to see its cluster here.')
    : trans.__('No kernel is running. Run Client() in a notebook to see its cluster here.');
}
