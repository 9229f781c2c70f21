/** Parses the answer to the request `task` defensively: all of it comes from a cluster. */
import type { Bytes, Seconds } from '../../base/units';
import type { Scalar } from '../../feed/frame';
import { TASK_STATE, type TaskState } from '../../feed/schema';

/** Another task, as an entry of a list. */
export interface Neighbour {
  readonly key: string;
  readonly state: TaskState;
  /** -1 if the graph does not have it. */
  readonly number: number;
}

/** One execution of the task. */
export interface Execution {
  readonly start: Seconds;
  readonly duration: Seconds;
  readonly worker: string;
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
  readonly code: readonly Code[];
  /** Key of the failed task, if it is another one. */
  readonly blamed: string;
  readonly exception: string;
  readonly traceback: string;
  readonly erredOn: readonly string[];
  /** Number of queued tasks, if this one is queued. */
  readonly queued: number;
  /** Number of workers in the cluster, if none is eligible. */
  readonly workers: number;
  readonly executions: readonly Execution[];
}

type Map_ = Readonly<Record<string, Scalar>>;

function map(value: Scalar | undefined): Map_ {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function list(value: Scalar | undefined): readonly Scalar[] {
  return Array.isArray(value) ? value : [];
}

function text(value: Scalar | undefined): string {
  return typeof value === 'string' ? value : '';
}

function number(value: Scalar | undefined, otherwise = 0): number {
  return typeof value === 'number' ? value : otherwise;
}

function texts(value: Scalar | undefined): readonly string[] {
  return list(value).map(text);
}

function state(value: Scalar | undefined): TaskState | null {
  return TASK_STATE.find(known => known === value) ?? null;
}

function neighbours(value: Scalar | undefined): readonly Neighbour[] {
  return list(value)
    .map(map)
    .map(each => ({ key: text(each.key), state: state(each.state) ?? 'released', number: number(each.number, -1) }));
}

function execution(value: Scalar): Execution {
  const each = map(value);
  return {
    start: number(each.start, Number.NaN),
    duration: number(each.duration, Number.NaN),
    worker: text(each.worker),
    erred: each.erred === true,
    nbytes: number(each.nbytes, Number.NaN),
    type: text(each.type),
    moves: list(each.moves)
      .map(map)
      .map(move => ({ kind: text(move.kind), duration: number(move.duration) }))
  };
}

/** Parse an answer; malformed fields count as missing. */
export function readFacts(answer: Scalar): TaskFacts {
  const told = map(answer);
  const restrictions = map(told.restrictions);
  return {
    known: told.known === true,
    key: text(told.key),
    state: state(told.state),
    prefix: text(told.prefix),
    group: text(told.group),
    priority: text(told.priority),
    worker: text(told.worker),
    holders: texts(told.holders),
    holderCount: number(told.holder_count),
    nbytes: number(told.nbytes, Number.NaN),
    type: text(told.type),
    clients: number(told.clients),
    retries: number(told.retries),
    suspicious: number(told.suspicious),
    attempts: list(told.attempts)
      .map(map)
      .map(each => ({ end: number(each.end, Number.NaN), how: text(each.how) })),
    actor: told.actor === true,
    lacking: number(told.lacking),
    lostDependencies: told.lost_dependencies === true,
    dependencies: neighbours(told.dependencies),
    dependencyCount: number(told.dependency_count),
    dependents: neighbours(told.dependents),
    dependentCount: number(told.dependent_count),
    restrictions: {
      workers: texts(restrictions.workers),
      hosts: texts(restrictions.hosts),
      resources: Object.entries(map(restrictions.resources)).map(([name, amount]) => [name, number(amount)] as const),
      loose: restrictions.loose === true
    },
    annotations: text(told.annotations),
    code: list(told.code)
      .map(map)
      .map(each => ({ code: text(each.code), file: text(each.file), line: number(each.file_line) })),
    blamed: text(told.blamed),
    exception: text(told.exception),
    traceback: text(told.traceback),
    erredOn: texts(told.erred_on),
    queued: number(told.queued),
    workers: number(told.workers),
    executions: list(told.executions).map(execution)
  };
}

/** Frames of a running task, from the request `callstack`: one text per worker. */
export function readCallStack(answer: Scalar): readonly { readonly worker: string; readonly frames: string }[] {
  return list(answer)
    .map(map)
    .map(each => ({ worker: text(each.worker), frames: texts(each.frames).join('') }));
}
