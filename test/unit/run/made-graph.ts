/** Made-up graphs as frames bring them. */
import type { Frame, TopicBody } from '../../../src/feed/frame';
import { TASK_STATE, type TaskState } from '../../../src/feed/schema';
import { Run } from '../../../src/run/run';

/** A task of a made-up graph. */
export interface MadeTask {
  readonly group: number;
  readonly prefix?: number;
  readonly state?: TaskState;
  /** Numbers of what it needs. */
  readonly needs?: readonly number[];
}

/** What a body of topic `graph` says besides its rows. */
export type GraphScalars = Readonly<Record<string, number>>;

/** A body of topic `graph`: tasks from number `first` on. */
export function graphBody(tasks: readonly MadeTask[], first = 0, scalars: GraphScalars = {}): TopicBody {
  const edges = tasks.flatMap((task, i) => (task.needs ?? []).map(source => [source, first + i] as const));
  return {
    columns: {
      prefix: Uint32Array.from(tasks, task => task.prefix ?? task.group),
      group: Uint32Array.from(tasks, task => task.group),
      state: Uint8Array.from(tasks, task => TASK_STATE.indexOf(task.state ?? 'waiting'))
    },
    moves: { source: Uint32Array.from(edges, ([source]) => source), target: Uint32Array.from(edges, ([, target]) => target) },
    scalars: { first, first_edge: 0, kept: 0, not_kept: 0, edges_not_kept: 0, latest: 0, waiting: 0, ...scalars }
  };
}

/** States of tasks by number; of all tasks from 0 on where no numbers are given. */
export function statesBody(states: readonly TaskState[], numbers?: readonly number[]): TopicBody {
  return {
    columns: {
      state: Uint8Array.from(states, state => TASK_STATE.indexOf(state)),
      ...(numbers === undefined ? {} : { number: Uint32Array.from(numbers) })
    },
    scalars: numbers === undefined ? { first: 0 } : {}
  };
}

/** Fold bodies into a run whose functions and groups have names. */
export function foldGraph(run: Run, topics: Frame['topics'], names: readonly string[] = ['inc', 'dec', 'add', 'sum']): Run {
  const entries = { from: 0, values: names };
  run.apply(
    { feed: 'made-up', epoch: 0, seq: 0, time: 1000, cursor: {}, names: { prefixes: entries, groups: entries }, topics },
    1_000_000
  );
  return run;
}

/** `count` increments and decrements, and the sum of each pair. */
export function additions(count: number): readonly MadeTask[] {
  const all: MadeTask[] = [];
  for (let i = 0; i < count; i++) {
    all.push({ group: 0 }, { group: 1 }, { group: 2, needs: [3 * i, 3 * i + 1] });
  }
  return all;
}

/** A run with a graph. */
export function graphRun(tasks: readonly MadeTask[], scalars: GraphScalars = {}): Run {
  return foldGraph(new Run(), { graph: graphBody(tasks, 0, scalars) });
}
