/** The workers of a run as rows: which are there, their state, their order. */
import { formatCount } from '../../base/format';
import type { MemoryLevel, Theme } from '../../base/theme';
import type { Bytes, BytesPerSecond, CpuPercent, CssPixels, Seconds } from '../../base/units';
import type { WorkerName } from '../../feed/frame';
import { WORKER_HEARTBEAT, WORKER_LOAD, WORKER_STATUS, type WorkerLoad, type WorkerStatus } from '../../feed/schema';
import type { MemoryThresholds, Run } from '../../run/run';
import type { Translate } from '../../plot/plot';
import { compareNames, oneLine, textWidth } from '../../plot/text';
import { keptThreads } from './cancelled';
import { type GpuValues, gpuValues } from './gpu-values';

/** Constant for the lifetime of a worker. All texts are one line. */
interface WorkerIdentity {
  /** Display name: its name, or its address without the protocol if it has none. */
  readonly label: string;
  /** Estimated width of the label in a picture. */
  readonly labelWidth: CssPixels;
  readonly address: string;
  readonly host: string;
  readonly version: string;
  /** Name of its GPU; empty if not reported. */
  readonly gpuName: string;
}

/** Current values of a worker; NaN if not reported. */
export interface WorkerRow extends WorkerIdentity {
  /** Index into the run's dictionary of workers. */
  readonly id: number;
  readonly status: WorkerStatus;
  /** As the scheduler says, but a worker that has a task is not idle. */
  readonly load: WorkerLoad;
  /** As the scheduler says: idle is also a worker with a free thread, or with less than half of the mean work. */
  readonly stealingLoad: WorkerLoad;
  readonly level: MemoryLevel;
  readonly nthreads: number;
  /** NaN if the worker has none. */
  readonly limit: Bytes;
  readonly lastSeen: Seconds;
  /** Whether it has missed heartbeats, so that all its values are of the last one; `null` if that is not known. */
  readonly overdue: boolean | null;
  readonly cpu: CpuPercent;
  readonly processing: number;
  readonly executing: number;
  /** Those of `executing` that have left the worker's threads; NaN if that is not known. */
  readonly seceded: number;
  /** Tasks that nobody wants any more and that the worker has not ended. */
  readonly cancelled: number;
  readonly inMemory: number;
  readonly process: Bytes;
  readonly managed: Bytes;
  readonly unmanaged: Bytes;
  readonly recent: Bytes;
  readonly spilled: Bytes;
  readonly occupancy: Seconds;
  readonly transferIn: Bytes;
  readonly transferOut: Bytes;
  readonly netRead: BytesPerSecond;
  readonly netWrite: BytesPerSecond;
  readonly diskRead: BytesPerSecond;
  readonly diskWrite: BytesPerSecond;
  readonly fds: number;
  readonly gpu: GpuValues;
}

/** Statuses of a worker that has left for good. */
const GONE: ReadonlySet<WorkerStatus> = new Set<WorkerStatus>(['closed', 'failed', 'lost']);
/** Statuses in which a worker accepts no new tasks. */
const LEAVING: ReadonlySet<string> = new Set<WorkerStatus>(['closing_gracefully', 'closing']);

/** Whether the worker is gone for good. */
export function isGone({ status }: { readonly status: WorkerStatus }): boolean {
  return GONE.has(status);
}

/** The same for a status as the feed has it. */
export function isGoneCode(status: number): boolean {
  return isGone({ status: WORKER_STATUS[status] ?? 'unknown' });
}

/** Whether the worker retires or closes. */
export function isLeaving({ status }: { readonly status: string }): boolean {
  return LEAVING.has(status);
}

/** Whether the worker accepts no new tasks: Dask has paused it, or it retires. */
export function isHalted(row: WorkerRow): boolean {
  return row.status === 'paused' || isLeaving(row);
}

/**
 * The hue of a worker's memory, in Dask's order: red when it is paused or retiring, or has reached the threshold at
 * which the nanny ends it (its limit where that is switched off); orange from the lower of target and spill on.
 */
export function memoryLevel(status: WorkerStatus, process: Bytes, limit: Bytes, thresholds: MemoryThresholds): MemoryLevel {
  if (status === 'paused' || isLeaving({ status })) {
    return 'red';
  }
  if (!(limit > 0)) {
    return 'blue';
  }
  const share = process / limit;
  if (share >= Math.min(thresholds.terminate ?? Number.POSITIVE_INFINITY, 1)) {
    return 'red';
  }
  const near = Math.min(thresholds.target ?? Number.POSITIVE_INFINITY, thresholds.spill ?? Number.POSITIVE_INFINITY);
  return share >= near ? 'orange' : 'blue';
}

/** The worst of all workers: the hue of the cluster's memory. */
export function worstLevel(rows: readonly WorkerRow[]): MemoryLevel {
  return rows.some(row => row.level === 'red') ? 'red' : rows.some(row => row.level === 'orange') ? 'orange' : 'blue';
}

/** Display name of a worker. */
export function workerLabel(worker: WorkerName | undefined): string {
  const name = oneLine(String(worker?.name ?? ''));
  const address = oneLine(worker?.address ?? '');
  return name !== '' && name !== address ? name : address.replace(/^[a-z+]+:\/\//i, '') || '–';
}

const facts = new WeakMap<WorkerName, WorkerIdentity>();
const NAMELESS: WorkerIdentity = { label: '–', labelWidth: textWidth('–'), address: '', host: '', version: '', gpuName: '' };

function factsOf(name: WorkerName | undefined): WorkerIdentity {
  if (name === undefined) {
    return NAMELESS;
  }
  let known = facts.get(name);
  if (known === undefined) {
    const label = workerLabel(name);
    const line = (text: string | undefined): string => oneLine(text ?? '');
    known = {
      label,
      labelWidth: textWidth(label),
      address: line(name.address),
      host: line(name.host),
      version: line(name.version),
      gpuName: line(name.gpu)
    };
    facts.set(name, known);
  }
  return known;
}

interface Cached {
  readonly version: string;
  readonly rows: readonly WorkerRow[];
  readonly live: readonly WorkerRow[];
}

const cache = new WeakMap<Run, Cached>();

function rowsOf(run: Run): Cached {
  const version = `${run.version('workers')}/${run.version('meta')}/${run.workers.size}`;
  const last = cache.get(run);
  if (last?.version === version) {
    return last;
  }
  const { thresholds } = run;
  const rows = byName(
    run,
    run.workers.ids.map(id => readRow(run, id, thresholds))
  );
  const fresh = { version, rows, live: rows.filter(row => !isGone(row)) };
  cache.set(run, fresh);
  return fresh;
}

/** All workers ever seen, by name. */
export function allWorkers(run: Run): readonly WorkerRow[] {
  return rowsOf(run).rows;
}

/** The current workers, by name. */
export function liveWorkers(run: Run): readonly WorkerRow[] {
  return rowsOf(run).live;
}

/**
 * Tasks that a worker executes: as of its last heartbeat, but at most the number that the scheduler has assigned to it,
 * since the scheduler learns of ended tasks at once.
 */
export function executingOf({ workers }: Run, id: number): number {
  const [executing, processing] = [workers.get(id, 'executing'), workers.get(id, 'processing')];
  return Number.isNaN(processing) ? executing : Math.min(executing, processing);
}

/** What is still true of a worker that has left; the feed has zeros in all other columns. */
const LASTING: ReadonlySet<string> = new Set(['nthreads', 'memory_limit', 'last_seen']);

function readRow(run: Run, id: number, thresholds: MemoryThresholds): WorkerRow {
  const status = WORKER_STATUS[run.workers.get(id, 'status')] ?? 'unknown';
  const gone = isGone({ status });
  const get = (column: Parameters<typeof run.workers.get>[1]): number =>
    gone && !LASTING.has(column) ? Number.NaN : run.workers.get(id, column);
  const process = get('process');
  const limit = get('memory_limit') > 0 ? get('memory_limit') : Number.NaN;
  const stealingLoad = WORKER_LOAD[get('load')] ?? 'busy';
  return {
    ...factsOf(run.workerNames[id]),
    id,
    status,
    load: stealingLoad === 'idle' && get('processing') > 0 ? 'busy' : stealingLoad,
    stealingLoad,
    level: memoryLevel(status, process, limit, thresholds),
    nthreads: get('nthreads'),
    limit,
    lastSeen: get('last_seen'),
    overdue: Number.isNaN(get('heartbeat')) ? null : WORKER_HEARTBEAT[get('heartbeat')] === 'overdue',
    cpu: get('cpu'),
    processing: get('processing'),
    executing: gone ? Number.NaN : executingOf(run, id),
    seceded: Math.min(get('seceded'), executingOf(run, id)),
    cancelled: get('cancelled'),
    inMemory: get('in_memory'),
    process,
    managed: get('managed'),
    unmanaged: get('unmanaged_old'),
    recent: get('unmanaged_recent'),
    spilled: get('spilled'),
    occupancy: get('occupancy'),
    transferIn: get('transfer_in'),
    transferOut: get('transfer_out'),
    netRead: get('net_read'),
    netWrite: get('net_write'),
    diskRead: get('disk_read'),
    diskWrite: get('disk_write'),
    fds: get('num_fds') || Number.NaN, // Each process has some; on Windows Dask counts none.
    gpu: gpuValues(get)
  };
}

/** Rank of each worker by name; collation is slow, so it runs once per new worker, not once per heartbeat. */
const places = new WeakMap<Run, { count: number; first: WorkerName | undefined; place: Map<number, number> }>();

function byName(run: Run, rows: WorkerRow[]): WorkerRow[] {
  let known = places.get(run);
  if (known === undefined || known.count !== rows.length || known.first !== run.workerNames[0]) {
    const sorted = [...rows].sort((a, b) => compareNames(a.label, b.label) || compareNames(a.address, b.address) || a.id - b.id);
    known = { count: rows.length, first: run.workerNames[0], place: new Map(sorted.map((row, i) => [row.id, i])) };
    places.set(run, known);
  }
  const { place } = known;
  return rows.sort((a, b) => (place.get(a.id) ?? a.id) - (place.get(b.id) ?? b.id));
}

/** A state shown before others, as text and with a symbol, since colour alone is not accessible. */
export interface WorkerWord {
  readonly sign: string;
  readonly word: string;
  readonly colour: string;
  /** Whether it is shown as a warning. */
  readonly tone?: 'warn' | 'bad';
}

/** The state of a worker as text. */
export function workerWord(row: WorkerRow, theme: Theme, trans: Translate): WorkerWord {
  if (isGone(row)) {
    // It may have been asked to: only events say whether.
    return { sign: '×', word: trans.__('has left'), colour: theme.worker.lost };
  }
  if (row.overdue === true && !isLeaving(row)) {
    return { sign: '?', word: trans.__('no heartbeat'), colour: theme.worker.retiring, tone: 'bad' };
  }
  if (row.status === 'paused') {
    return { sign: '‖', word: trans.__('paused'), colour: theme.worker.paused, tone: 'bad' };
  }
  if (isLeaving(row)) {
    return { sign: '→', word: trans.__('retiring'), colour: theme.worker.retiring, tone: 'bad' };
  }
  if (row.status !== 'running') {
    return { sign: '○', word: trans.__('starting'), colour: theme.worker.idle };
  }
  if (row.load === 'saturated') {
    return { sign: '◆', word: trans.__('saturated'), colour: theme.worker.saturated };
  }
  if (row.load === 'idle' && keptThreads(row) > 0) {
    return { sign: '▣', word: trans.__('cancelled tasks'), colour: theme.worker.busy, tone: 'warn' };
  }
  return row.load === 'idle'
    ? { sign: '□', word: trans.__('idle'), colour: theme.worker.idle }
    : { sign: '■', word: trans.__('busy'), colour: theme.worker.busy };
}

/** Like `total`; NaN if no worker has reported it. */
export function totalIfKnown(rows: readonly WorkerRow[], value: (row: WorkerRow) => number): number {
  const none = rows.length > 0 && !rows.some(row => Number.isFinite(value(row)));
  return none ? Number.NaN : total(rows, value);
}

/** Sum of a column over workers; workers that have not reported it are ignored. */
export function total(rows: readonly WorkerRow[], value: (row: WorkerRow) => number): number {
  return rows.map(value).reduce((sum, each) => sum + (Number.isFinite(each) ? each : 0), 0);
}

/** "1 worker", "8 workers". */
export function countWorkers(rows: readonly WorkerRow[], trans: Translate): string {
  return trans._n('1 worker', '%2 workers', rows.length, formatCount(rows.length));
}
