import { numberOf } from '../../base/untrusted';
import type { Column, TopicBody } from '../../feed/frame';
import { TASK_STATE, type TaskState, type Topic } from '../../feed/schema';

/** Number of states of a task. */
export const STATE_COUNT = TASK_STATE.length;
/** Codes from this one on mean tasks that the scheduler has forgotten; an erred task stays erred. */
export const FORGOTTEN_FROM = TASK_STATE.indexOf('forgotten');
/** Dependencies that are kept, as many as the collector keeps, and how many are dropped together. */
const MOST_EDGES = 1_000_000;
const EDGE_CHUNK = 65_536;

/** The state of a code; states of a later version count as unknown. */
export function stateOf(code: number): TaskState {
  return TASK_STATE[code] ?? 'released';
}

/** A typed array that grows; elements before its end are valid. */
export class Growing<A extends Uint8Array | Uint32Array> {
  constructor(private readonly make: (length: number) => A) {
    this.values = make(256);
  }

  values: A;
  length = 0;

  /** Write values at an index; elements between the end and the index become zero. */
  write(at: number, column: Column): void {
    this.reserve(at + column.length);
    this.values.set(column, at);
    this.length = Math.max(this.length, at + column.length);
  }

  /** Drop values from the front. */
  drop(count: number): void {
    this.values.copyWithin(0, count, this.length);
    this.values.fill(0, Math.max(0, this.length - count), this.length);
    this.length = Math.max(0, this.length - count);
  }

  clear(): void {
    this.values = this.make(256);
    this.length = 0;
  }

  copy(): Growing<A> {
    const copy = new Growing<A>(this.make);
    copy.reserve(this.length);
    copy.values.set(this.values.subarray(0, this.length));
    copy.length = this.length;
    return copy;
  }

  private reserve(length: number): void {
    if (length > this.values.length) {
      const grown = this.make(Math.max(length, this.values.length * 2));
      grown.set(this.values.subarray(0, this.length));
      this.values = grown;
    }
  }
}

/**
 * The tasks that the scheduler has received, folded from the topics `graph` and `states`: typed arrays by task number,
 * and dependencies as pairs of numbers. Tasks that the collector drops are dropped here too.
 */
export class TaskGraph {
  /** Number of the oldest task. */
  get first(): number {
    return this.base;
  }

  /** Number of the next task. */
  get end(): number {
    return this.base + this.prefixes.length;
  }

  /** Number of tasks kept. */
  get size(): number {
    return this.prefixes.length;
  }

  /** Number of the first task since the scheduler last had none. */
  latest = 0;
  /** Tasks that the collector has dropped or never had. */
  notKept = 0;
  edgesNotKept = 0;
  /** Tasks that have not been read yet. */
  waiting = 0;
  /** Number of an execution before which the states know the ends of all; NaN where the collector does not tell it. */
  counted = Number.NaN;
  /** Changes with tasks and dependencies, not with states. */
  structure = 0;

  /** Index into the dictionary of prefixes. */
  prefix(number: number): number {
    return this.prefixes.values[number - this.base] ?? 0;
  }

  /** Index into the dictionary of groups. */
  group(number: number): number {
    return this.groups.values[number - this.base] ?? 0;
  }

  /** Code of `taskState`. */
  state(number: number): number {
    return this.states.values[number - this.base] ?? 0;
  }

  /** Number of kept dependencies. */
  get edgeCount(): number {
    return this.sources.length;
  }

  /** Task number of the dependency in pair `i`; it may have been dropped. */
  source(i: number): number {
    return this.sources.values[i];
  }

  /** Task number of the dependent in pair `i`; it may have been dropped. */
  target(i: number): number {
    return this.targets.values[i];
  }

  /** Fold in a body of topic `graph` or `states`; repeated rows change nothing. */
  apply(body: TopicBody, topic: Topic = 'graph'): void {
    if (topic === 'states') {
      this.applyStates(body);
    } else {
      this.applyTasks(body);
    }
  }

  private applyTasks(body: TopicBody): void {
    const { columns, scalars, moves } = body;
    const first = numberOf(scalars.first, this.end);
    const kept = numberOf(scalars.kept, this.base);
    if (first > this.end) {
      // Tasks before these are missing, so they do not continue the existing ones.
      this.dropBefore(this.end);
      this.base = first;
    }
    for (const [name, into] of [
      ['prefix', this.prefixes],
      ['group', this.groups],
      ['state', this.states]
    ] as const) {
      const column = columns[name];
      if (column !== undefined && first >= this.base) {
        into.write(first - this.base, column);
      }
    }
    this.applyEdges(numberOf(scalars.first_edge, this.edgesEnd), moves?.source, moves?.target);
    this.latest = numberOf(scalars.latest, this.latest);
    this.notKept = numberOf(scalars.not_kept, this.notKept);
    this.edgesNotKept = numberOf(scalars.edges_not_kept, this.edgesNotKept);
    this.waiting = numberOf(scalars.waiting, 0);
    this.dropBefore(kept);
    this.structure += 1;
  }

  /** Fold in a body of topic `states`. */
  applyStates(body: TopicBody): void {
    const { state: codes, number: numbers } = body.columns;
    if (codes === undefined) {
      return;
    }
    this.counted = numberOf(body.scalars.counted, this.counted);
    const first = numberOf(body.scalars.first, this.base);
    for (let i = 0; i < codes.length; i++) {
      const at = (numbers === undefined ? first + i : numbers[i]) - this.base;
      // A task that arrives in a later frame brings its state with it.
      if (at >= 0 && at < this.states.length) {
        this.states.values[at] = codes[i];
      }
    }
  }

  clear(): void {
    this.counted = Number.NaN;
    this.base = this.edgesEnd = this.latest = this.notKept = this.edgesNotKept = this.waiting = 0;
    for (const column of [this.prefixes, this.groups, this.states, this.sources, this.targets]) {
      column.clear();
    }
    this.structure += 1;
  }

  /** An independent copy. */
  copy(): TaskGraph {
    const copy = new TaskGraph();
    const { base, edgesEnd, latest, notKept, edgesNotKept, waiting, counted, structure } = this;
    Object.assign(copy, { base, edgesEnd, latest, notKept, edgesNotKept, waiting, counted, structure });
    copy.prefixes = this.prefixes.copy();
    copy.groups = this.groups.copy();
    copy.states = this.states.copy();
    copy.sources = this.sources.copy();
    copy.targets = this.targets.copy();
    return copy;
  }

  private applyEdges(first: number, sources: Column | undefined, targets: Column | undefined): void {
    if (sources === undefined || targets === undefined) {
      return;
    }
    const skip = Math.min(Math.max(0, this.edgesEnd - first), sources.length);
    this.sources.write(this.sources.length, sources.subarray(skip));
    this.targets.write(this.targets.length, targets.subarray(skip));
    this.edgesEnd = Math.max(this.edgesEnd, first + sources.length);
    while (this.edgeCount > MOST_EDGES + EDGE_CHUNK) {
      this.sources.drop(EDGE_CHUNK);
      this.targets.drop(EDGE_CHUNK);
    }
  }

  private dropBefore(kept: number): void {
    const count = Math.min(kept - this.base, this.size);
    if (count <= 0) {
      return;
    }
    for (const column of [this.prefixes, this.groups, this.states]) {
      column.drop(count);
    }
    this.base = kept;
    let edges = 0;
    while (edges < this.edgeCount && Math.min(this.source(edges), this.target(edges)) < kept) {
      edges += 1;
    }
    this.sources.drop(edges);
    this.targets.drop(edges);
  }

  private base = 0;
  /** Number of the next dependency, counted from the start of the feed. */
  private edgesEnd = 0;
  private prefixes = new Growing(length => new Uint32Array(length));
  private groups = new Growing(length => new Uint32Array(length));
  private states = new Growing(length => new Uint8Array(length));
  private sources = new Growing(length => new Uint32Array(length));
  private targets = new Growing(length => new Uint32Array(length));
}
