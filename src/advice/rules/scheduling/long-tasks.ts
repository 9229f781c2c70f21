/** Executions that take much longer than others of their function, and what threads waited for each of them. */
import type { Seconds } from '../../../base/units';
import { type Facts, once } from '../../facts';
import { joined, type Span } from '../../spans';
import type { Outlier } from '../../time/activity';
import { idleAround, receivedIn } from '../client/gathered';

/** An execution that has ended. */
export interface LongTask extends Outlier {
  /** Time of threads that had no task meanwhile. */
  readonly waited: Seconds;
}

/** The time of threads that waited for long tasks, between two times. */
export type Waited = (from: Seconds, to: Seconds) => Seconds;

/** Sums it up once, to be asked for each of very many tasks. */
export function waitedOf({ partition }: Facts): Waited {
  const { steps, byStep } = partition;
  const { from, width, count } = steps;
  const sums = new Float64Array(count + 1);
  for (let i = 0; i < count; i++) {
    sums[i + 1] = sums[i] + byStep.straggler[i];
  }
  const at = (time: Seconds): Seconds => {
    const step = Math.min(count, Math.max(0, (time - from) / width));
    const whole = Math.floor(step);
    return sums[whole] + (step - whole) * ((sums[whole + 1] ?? sums[whole]) - sums[whole]);
  };
  return (begin, end) => (begin < end ? at(end) - at(begin) : 0);
}

/** Those for which threads waited, the one that most was waited for first. */
export function longTasksIn({ partition }: Facts, waited: Waited): readonly LongTask[] {
  return partition.activity.outliers
    .map(each => ({ ...each, waited: waited(each.start, each.start + each.duration) }))
    .filter(each => each.waited > 0)
    .sort((a, b) => b.waited - a.waited || b.duration - a.duration);
}

/** Times as many results of its own function as its tasks need on average: a task that needs so many puts them together. */
const GATHERS = 2;

/**
 * Long tasks that need the result of another one of their function, and those whose result it is, where the graph is known: a
 * chain, or the narrow end of a tree. So are those that put results of their own function together, as where functions without a
 * name have one together. Threads wait since no other task is ready, however the data is divided.
 */
export const chainedIn = once((facts): readonly LongTask[] => {
  const { executed, graph } = facts.run;
  const byTask = new Map<number, LongTask>();
  for (const each of graph.edgeCount > 0 ? longTasksIn(facts, waitedOf(facts)) : []) {
    byTask.set(executed.task(each.row), each);
  }
  byTask.delete(-1);
  const found = new Set<LongTask>();
  const needs = new Map<LongTask, number>();
  const all = new Map<number, number>();
  for (let i = 0; byTask.size > 0 && i < graph.edgeCount; i++) {
    const prefix = graph.prefix(graph.target(i));
    if (graph.prefix(graph.source(i)) !== prefix) {
      continue;
    }
    all.set(prefix, (all.get(prefix) ?? 0) + 1);
    const [needed, by] = [byTask.get(graph.source(i)), byTask.get(graph.target(i))];
    if (by !== undefined) {
      needs.set(by, (needs.get(by) ?? 0) + 1);
    }
    if (needed !== undefined && by !== undefined) {
      found.add(needed).add(by);
    }
  }
  const tasks = needs.size > 0 ? tasksByFunction(facts) : new Map<number, number>();
  for (const [each, own] of needs) {
    const usual = (all.get(each.prefix) ?? 0) / (tasks.get(each.prefix) ?? 0);
    if (own > 1 && own >= GATHERS * usual) {
      found.add(each);
    }
  }
  return [...found];
});

function tasksByFunction({ run: { graph } }: Facts): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (let number = graph.first; number < graph.end; number++) {
    counts.set(graph.prefix(number), (counts.get(graph.prefix(number)) ?? 0) + 1);
  }
  return counts;
}

/** Whether a task that ran, or has run, between two times was all that there was to do. */
export type Alone = (from: Seconds, to: Seconds) => boolean;

/**
 * A client had taken results when nothing ran, then this task began, and no other one before it ended: threads wait since there
 * is nothing else, as while a model is fitted again with all data after a search, and not since work is uneven.
 */
export const aloneIn = once((facts): Alone => {
  const { run, period, partition } = facts;
  const { steps, activity } = partition;
  const begins = new Set(idleAround(run, receivedIn(facts), period.from).map(({ to }) => to));
  const stepAt = (time: Seconds): number => Math.min(steps.count, Math.max(0, Math.floor((time - steps.from) / steps.width)));
  return (from, to) =>
    begins.has(from) && activity.starts.subarray(stepAt(from), stepAt(to)).reduce((sum, each) => sum + each, 0) <= 1;
});

/** When such tasks ran, or run. */
export const aloneSpans = once((facts): readonly Span[] => {
  const { run, period } = facts;
  const alone = aloneIn(facts);
  const ended = longTasksIn(facts, waitedOf(facts)).map(({ start, duration }) => ({ from: start, to: start + duration }));
  const running = [...run.running.list].filter(({ seceded }) => !seceded).map(({ start }) => ({ from: start, to: period.to }));
  return joined([...ended, ...running].filter(({ from, to }) => alone(from, to)).sort((a, b) => a.from - b.from));
});

/** When they ran. */
export function spansOfTasks(list: readonly LongTask[]): readonly Span[] {
  return joined(list.map(({ start, duration }) => ({ from: start, to: start + duration })).sort((a, b) => a.from - b.from));
}
