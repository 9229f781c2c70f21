/** Parses the answer to the request `task` defensively: all of it comes from a cluster. */
import { listOf, mapOf, numberOf, textOf } from '../../base/untrusted';
import type { Bytes, Seconds } from '../../base/units';
import { TASK_STATE, type TaskState } from '../../feed/schema';

/** Another task, as an entry of a list. */
export interface Neighbour {
  readonly key: string;
  readonly state: TaskState;
  /** -1 if the graph does not have it. */
  readonly number: number;
  /** Worker that it is assigned to; empty if none. */
  readonly worker: string;
  /** Whether it ran there at the last heartbeat. */
  readonly runs: boolean;
}

/** A resource that a task asks for. */
export interface ResourceNeed {
  readonly name: string;
  readonly needed: number;
  /** What its worker has; the most that one has, if it has no worker. */
  readonly supply: number;
  /** What other tasks that ran on its worker take. */
  readonly taken: number;
}

/** What holds up a task that is queued, unrunnable or assigned to a worker. */
export interface Reasons {
  /** Tasks in the queue of the scheduler. */
  readonly queued: number;
  /** Tasks that go first in the queue, or on its worker; NaN if that is not known. */
  readonly ahead: number;
  readonly workers: number;
  readonly paused: number;
  /** Workers that take tasks. */
  readonly running: number;
  /** Of the workers and hosts that it names, those that are there; NaN if it names none. */
  readonly fitting: number;
  /** Workers that it may run on and that have all resources that it needs, whatever their status; NaN if not known. */
  readonly able: number;
  /** Those of them that take tasks. */
  readonly ready: number;
  readonly resources: readonly ResourceNeed[];
  /** Status of its worker; empty without one. */
  readonly status: string;
  /** How long it had run at the last heartbeat of its worker; NaN if it did not. */
  readonly executing: Seconds;
  readonly seceded: boolean;
  /** Tasks that ran on its worker. */
  readonly busy: number;
  /** Tasks there that nobody wants any more; nearly each keeps a thread until it ends. */
  readonly cancelled: number;
  readonly threads: number;
  /** Last heartbeat of its worker, scheduler time. */
  readonly seen: Seconds;
  /** Whether it is overdue: what is known of the worker is from that time. */
  readonly silent: boolean;
}

/** One execution of the task. */
export interface Execution {
  readonly start: Seconds;
  readonly duration: Seconds;
  readonly worker: string;
  /** Whether its worker has gone since. */
  readonly gone: boolean;
  readonly erred: boolean;
  readonly nbytes: Bytes;
  readonly type: string;
  readonly moves: readonly { readonly kind: string; readonly duration: Seconds }[];
}

/** Source code that submitted a task. */
export interface Code {
  readonly code: string;
  readonly file: string;
  /** Line of the file, from 1. */
  readonly line: number;
}

/** All details of a task. */
export interface TaskFacts {
  /** Whether the scheduler has it now. */
  readonly known: boolean;
  readonly key: string;
  /** In the task graph; -1 if it is not kept there. */
  readonly number: number;
  /** `null` if nothing is known of it except possibly its executions. */
  readonly state: TaskState | null;
  readonly prefix: string;
  readonly group: string;
  readonly priority: string;
  readonly worker: string;
  readonly holders: readonly string[];
  readonly holderCount: number;
  /** NaN without a result. */
  readonly nbytes: Bytes;
  readonly type: string;
  readonly clients: number;
  /** What else wants it: names of variables, queues and the like. */
  readonly keptBy: readonly string[];
  /** Why it runs once more: its result was lost while something needed it, or had been released; null if not known. */
  readonly before: 'lost' | 'again' | null;
  readonly retries: number;
  readonly suspicious: number;
  /** Earlier attempts that are still in Dask's log, newest first. */
  readonly attempts: readonly { readonly end: Seconds; readonly how: string }[];
  readonly actor: boolean;
  /** Dependencies that are not in memory. */
  readonly lacking: number;
  readonly lostDependencies: boolean;
  readonly dependencies: readonly Neighbour[];
  readonly dependencyCount: number;
  readonly dependents: readonly Neighbour[];
  readonly dependentCount: number;
  readonly restrictions: {
    readonly workers: readonly string[];
    readonly hosts: readonly string[];
    readonly resources: readonly (readonly [name: string, amount: number])[];
    readonly loose: boolean;
  };
  readonly annotations: string;
  /** Arguments of the call as short texts, and keys of tasks that fusion has absorbed; empty where Dask does not say it. */
  readonly args: readonly string[];
  readonly fused: readonly string[];
  readonly code: readonly Code[];
  /** Key of the failed task, if it is another one. */
  readonly blamed: string;
  readonly exception: string;
  readonly traceback: string;
  readonly erredOn: readonly string[];
  readonly why: Reasons;
  readonly executions: readonly Execution[];
}

function texts(value: unknown): readonly string[] {
  return listOf(value).map(textOf);
}

function state(value: unknown): TaskState | null {
  return TASK_STATE.find(known => known === value) ?? null;
}

function neighbours(value: unknown): readonly Neighbour[] {
  return listOf(value)
    .map(mapOf)
    .map(each => ({
      key: textOf(each.key),
      state: state(each.state) ?? 'released',
      number: numberOf(each.number, -1),
      worker: textOf(each.worker),
      runs: each.runs === true
    }));
}

/** `queued` and `workers` are those of earlier versions, which reported no more. */
function reasons(value: unknown, queued: unknown, workers: unknown): Reasons {
  const facts = mapOf(value);
  return {
    queued: numberOf(facts.queued, numberOf(queued)),
    ahead: numberOf(facts.ahead, Number.NaN),
    workers: numberOf(facts.workers, numberOf(workers)),
    paused: numberOf(facts.paused),
    running: numberOf(facts.running, Number.NaN),
    fitting: numberOf(facts.fitting, Number.NaN),
    able: numberOf(facts.able, Number.NaN),
    ready: numberOf(facts.ready),
    resources: listOf(facts.resources)
      .map(listOf)
      .map(([name, needed, supply, taken]) => ({
        name: textOf(name),
        needed: numberOf(needed),
        supply: numberOf(supply),
        taken: numberOf(taken)
      })),
    status: textOf(facts.status),
    executing: numberOf(facts.executing, Number.NaN),
    seceded: facts.seceded === true,
    busy: numberOf(facts.busy),
    cancelled: numberOf(facts.cancelled),
    threads: numberOf(facts.threads),
    seen: numberOf(facts.seen, Number.NaN),
    silent: facts.silent === true
  };
}

function execution(value: unknown): Execution {
  const each = mapOf(value);
  return {
    start: numberOf(each.start, Number.NaN),
    duration: numberOf(each.duration, Number.NaN),
    worker: textOf(each.worker),
    gone: each.gone === true,
    erred: each.erred === true,
    nbytes: numberOf(each.nbytes, Number.NaN),
    type: textOf(each.type),
    moves: listOf(each.moves)
      .map(mapOf)
      .map(move => ({ kind: textOf(move.kind), duration: numberOf(move.duration) }))
  };
}

/** Parse an answer; malformed fields count as missing. */
export function readFacts(answer: unknown): TaskFacts {
  const facts = mapOf(answer);
  const restrictions = mapOf(facts.restrictions);
  return {
    known: facts.known === true,
    key: textOf(facts.key),
    number: numberOf(facts.number, -1),
    state: state(facts.state),
    prefix: textOf(facts.prefix),
    group: textOf(facts.group),
    priority: textOf(facts.priority),
    worker: textOf(facts.worker),
    holders: texts(facts.holders),
    holderCount: numberOf(facts.holder_count),
    nbytes: numberOf(facts.nbytes, Number.NaN),
    type: textOf(facts.type),
    clients: numberOf(facts.clients),
    keptBy: texts(facts.kept_by),
    before: facts.before === 'lost' || facts.before === 'again' ? facts.before : null,
    retries: numberOf(facts.retries),
    suspicious: numberOf(facts.suspicious),
    attempts: listOf(facts.attempts)
      .map(mapOf)
      .map(each => ({ end: numberOf(each.end, Number.NaN), how: textOf(each.how) })),
    actor: facts.actor === true,
    lacking: numberOf(facts.lacking),
    lostDependencies: facts.lost_dependencies === true,
    dependencies: neighbours(facts.dependencies),
    dependencyCount: numberOf(facts.dependency_count),
    dependents: neighbours(facts.dependents),
    dependentCount: numberOf(facts.dependent_count),
    restrictions: {
      workers: texts(restrictions.workers),
      hosts: texts(restrictions.hosts),
      resources: Object.entries(mapOf(restrictions.resources)).map(([name, amount]) => [name, numberOf(amount)] as const),
      loose: restrictions.loose === true
    },
    annotations: textOf(facts.annotations),
    args: texts(facts.arguments),
    fused: texts(facts.fused),
    code: listOf(facts.code)
      .map(mapOf)
      .map(each => ({ code: textOf(each.code), file: textOf(each.file), line: numberOf(each.file_line) })),
    blamed: textOf(facts.blamed),
    exception: textOf(facts.exception),
    traceback: textOf(facts.traceback),
    erredOn: texts(facts.erred_on),
    why: reasons(facts.why, facts.queued, facts.workers),
    executions: listOf(facts.executions).map(execution)
  };
}

/** Frames of a running task on a worker. */
export interface CallStack {
  readonly worker: string;
  readonly key: string;
  readonly frames: string;
}

/** Frames of running tasks, from the request `callstack`. */
export function readCallStack(answer: unknown): readonly CallStack[] {
  return listOf(answer)
    .map(mapOf)
    .map(each => ({ worker: textOf(each.worker), key: textOf(each.key), frames: texts(each.frames).join('') }));
}
