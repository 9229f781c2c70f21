/** What is known about one worker, as text. All texts from a cluster are one line. */
import {
  formatByteRate,
  formatBytes,
  formatBytesOf,
  formatCount,
  formatCpu,
  formatDuration,
  formatExactCount,
  formatPercent
} from '../../base/format';
import type { Seconds } from '../../base/units';
import type { Translate } from '../../plot/plot';
import { oneLine } from '../../plot/text';
import type { Run } from '../../run/run';
import { clockAt } from '../moments';
import { plainNumber } from '../plain-number';
import { sentenceAtEnd } from '../run-end';
import { keptThreads } from './cancelled';
import { leftAt } from './worker-details';
import { isGone, isHalted, type WorkerRow } from './worker-rows';

/** The feed has at most 50 metrics of a worker. */
const METRICS = 50;

/** A name and a value of a worker. */
export interface WorkerFact {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  /** To sort and save; a number in the unit of the feed where there is one. */
  readonly value: number | string;
}

/** When a worker was heard of. */
export interface Heartbeat {
  readonly text: string;
  /** Since the last heartbeat that is known of; 0 if they are on time. */
  readonly value: Seconds;
  /** Whether the text is the time since then. */
  readonly since: boolean;
}

/** How long ago a worker was heard of. An idle cluster reports missed heartbeats only. */
export function heartbeatOf(row: WorkerRow, run: Run, trans: Translate): Heartbeat {
  const age = Math.max(0, run.clock.latest - row.lastSeen);
  if (!Number.isFinite(age)) {
    return { text: '', value: Number.NaN, since: false };
  }
  if (isGone(row)) {
    // An age would stand still with the clock of a cluster that is idle.
    return { text: clockAt(row.lastSeen, run), value: age, since: false };
  }
  if (row.overdue === true) {
    return { text: trans.__('none since %1', clockAt(row.lastSeen, run)), value: age, since: false };
  }
  if (row.overdue === false && Number.isFinite(run.idleSince)) {
    return { text: trans.__('on time'), value: 0, since: false };
  }
  return { text: formatDuration(Math.round(age * 10) / 10), value: age, since: true };
}

/** Why a worker takes no tasks, or why what is shown of it is old; '' if neither. */
export function whyHalted(row: WorkerRow, run: Run, trans: Translate): string {
  if (isGone(row)) {
    const left = leftAt(run, row);
    return Number.isFinite(left) ? trans.__('It left at %1.', clockAt(left, run)) : trans.__('It has left.');
  }
  const words = reasonWords(row, run, trans);
  return words === '' ? '' : sentenceAtEnd(run, words, trans);
}

/** The same for one that is there. */
function reasonWords(row: WorkerRow, run: Run, trans: Translate): string {
  if (row.overdue === true) {
    return trans.__(
      'It has sent no heartbeat since %1: its process may be stopped, cut off, or busy with code that holds the GIL. Its figures are from that time.',
      clockAt(row.lastSeen, run)
    );
  }
  switch (row.status) {
    case 'paused': {
      const { pause } = run.thresholds;
      // Dask pauses no worker that has no limit.
      return pause === null || !(row.limit > 0)
        ? trans.__('It is paused: it begins no task.')
        : trans.__(
            'It is paused: it begins no task. Dask does this to a worker whose memory is above %1 of its limit.',
            formatPercent(pause)
          );
    }
    case 'closing_gracefully':
      return trans.__('It retires: its results move to other workers, then it ends. It takes no new tasks.');
    case 'closing':
      return trans.__('It is closing and takes no new tasks.');
    case 'running':
      return '';
    default:
      return trans.__('It is starting and takes no tasks yet.');
  }
}

/** Memory against the limit. */
export function memoryWords(row: WorkerRow, trans: Translate): string {
  return row.limit > 0
    ? `${formatBytesOf(row.process, row.limit)} · ${formatPercent(row.process / row.limit)}`
    : trans.__('%1, no limit', formatBytes(row.process));
}

function metricText(value: unknown): string {
  return typeof value === 'number'
    ? plainNumber(value)
    : oneLine(typeof value === 'string' ? value : JSON.stringify(value ?? ''));
}

/** Who it is, and since when it is there. */
export function identityFacts(row: WorkerRow, run: Run, trans: Translate): readonly WorkerFact[] {
  const known = run.workerNames[row.id];
  const { text: heartbeat, since } = heartbeatOf(row, run, trans);
  const left = leftAt(run, row);
  const time = (value: number | undefined): string => (value !== undefined && Number.isFinite(value) ? clockAt(value, run) : '');
  const text = (id: string, name: string, value: string): WorkerFact => ({ id, name, text: value, value });
  return [
    text('address', trans.__('Address'), row.address),
    text('host', trans.__('Host'), row.host),
    { id: 'threads', name: trans.__('Threads'), text: exact(row.nthreads), value: row.nthreads },
    { id: 'pid', name: trans.__('Process id'), text: known?.pid === undefined ? '' : String(known.pid), value: known?.pid ?? '' },
    text('dashboard', trans.__('Port of its dashboard'), oneLine(known?.dashboard ?? '')),
    text('version', trans.__('Version of distributed'), row.version),
    { id: 'joined', name: trans.__('Joined'), text: time(known?.joined), value: known?.joined ?? '' },
    {
      id: 'seen',
      name: trans.__('Last heartbeat'),
      text: since ? trans.__('%1 ago', heartbeat) : heartbeat,
      value: row.lastSeen
    },
    { id: 'left', name: trans.__('Left at'), text: time(left), value: left }
  ];
}

function exact(count: number): string {
  return Number.isFinite(count) ? formatExactCount(count) : '';
}

/** What it does and holds, as of its last heartbeat; nothing of that is true of one that has gone. */
export function workFacts(row: WorkerRow, trans: Translate): readonly WorkerFact[] {
  if (isGone(row)) {
    return [];
  }
  const count = (id: string, name: string, value: number): WorkerFact => ({ id, name, text: exact(value), value });
  const bytes = (id: string, name: string, value: number): WorkerFact => ({
    id,
    name,
    text: Number.isFinite(value) ? formatBytes(value) : '',
    value
  });
  const rate = (id: string, name: string, value: number): WorkerFact => ({
    id,
    name,
    text: Number.isFinite(value) ? formatByteRate(value) : '',
    value
  });
  const held = Number.isFinite(row.managed) ? formatBytes((row.managed || 0) + (row.spilled || 0)) : '';
  return [
    count('processing', trans.__('Tasks assigned'), row.processing),
    count('executing', trans.__('Tasks running'), row.executing),
    ...(row.seceded > 0 ? [count('seceded', trans.__('Of these, without a thread (seceded)'), row.seceded)] : []),
    ...(keptThreads(row) > 0 ? [count('cancelled', trans.__('Threads with cancelled tasks'), keptThreads(row))] : []),
    {
      id: 'occupancy',
      name: trans.__('Occupancy'),
      text: Number.isFinite(row.occupancy) ? trans.__('%1 of work', formatDuration(row.occupancy)) : '',
      value: row.occupancy
    },
    {
      id: 'results',
      name: trans.__('Results held'),
      text: [exact(row.inMemory), held].filter(Boolean).join(' · '),
      value: row.inMemory
    },
    bytes('transfer_in', trans.__('Open transfers in'), row.transferIn),
    bytes('transfer_out', trans.__('Open transfers out'), row.transferOut),
    rate('net_read', trans.__('Network in, of its host'), row.netRead),
    rate('net_write', trans.__('Network out, of its host'), row.netWrite),
    rate('disk_read', trans.__('Disk read, of its host'), row.diskRead),
    rate('disk_write', trans.__('Disk write, of its host'), row.diskWrite),
    { ...count('fds', trans.__('Open files'), row.fds), text: exact(row.fds) || trans.__('not known') }
  ];
}

/** CPU and the parts of its memory; nothing of one that has gone, whose figures the feed has emptied. */
export function memoryFacts(row: WorkerRow, trans: Translate): readonly WorkerFact[] {
  if (isGone(row)) {
    return [];
  }
  const bytes = (id: string, name: string, value: number): WorkerFact => ({
    id,
    name,
    text: Number.isFinite(value) ? formatBytes(value) : '',
    value
  });
  return [
    { id: 'cpu', name: trans.__('CPU'), text: Number.isFinite(row.cpu) ? formatCpu(row.cpu) : '', value: row.cpu },
    {
      id: 'memory',
      name: trans.__('Memory'),
      text: Number.isFinite(row.process) ? memoryWords(row, trans) : '',
      value: row.process
    },
    bytes('managed', trans.__('Managed'), row.managed),
    bytes('unmanaged', trans.__('Unmanaged'), row.unmanaged),
    bytes('recent', trans.__('Unmanaged, recent'), row.recent),
    bytes('spilled', trans.__('Spilled to disk'), row.spilled)
  ];
}

/** What it reports beyond Dask's own figures, as of its last heartbeat. */
export function metricFacts(row: WorkerRow, run: Run): readonly WorkerFact[] {
  return Object.entries(run.workers.userMetrics.get(row.id) ?? {})
    .slice(0, METRICS)
    .map(([name, value]) => ({
      id: `user:${name}`,
      name: oneLine(name),
      text: metricText(value),
      value: typeof value === 'number' ? value : metricText(value)
    }));
}

/** "1 worker paused", "2 workers retiring": the state of the cluster as text; empty if all are running. */
export function haltedWords(rows: readonly WorkerRow[], trans: Translate): readonly string[] {
  const silent = rows.filter(row => row.overdue === true).length;
  const paused = rows.filter(row => row.status === 'paused').length;
  const retiring = rows.filter(row => isHalted(row) && row.status !== 'paused').length;
  return [
    ...(silent > 0 ? [trans._n('1 worker without heartbeat', '%2 workers without heartbeat', silent, formatCount(silent))] : []),
    ...(paused > 0 ? [trans._n('1 worker paused', '%2 workers paused', paused, formatCount(paused))] : []),
    ...(retiring > 0 ? [trans._n('1 worker retiring', '%2 workers retiring', retiring, formatCount(retiring))] : [])
  ];
}
