/** What computations spent most of their time on. */
import { foldOf } from '../../../selectors/profile/profile-folds';
import type { Seconds } from '../../../base/units';
import { PerRun } from '../../../run/per-run';
import type { Run } from '../../../run/run';
import type { Computation } from '../../../run/tables/computations';
import { executionStatistics, type FunctionStatistics } from '../../../selectors/selection/statistics';
import { DURATION, INTERVAL_WORDS, LABEL_MASK, LOOKS, START_STRIDE } from '../../../run/lanes/lane-chunk';
import type { Period } from '../../../run/selection/selection';
import { type Facts, selecting } from '../../facts';
import { joined, type Span, spansOf } from '../../spans';
import { Grid } from '../../time/grid';

/** A function of the user's that takes less of the samples is not what the tasks are about. */
export const MOSTLY = 0.5;
const LEAST_SAMPLES = 5;
/** Frames of Dask and of its threads are below all tasks. */
const FRAMEWORK = /[\\/](dask|distributed|concurrent|tornado|asyncio)[\\/]|[\\/]threading\.py$|^<frozen/;

/** Graphs of one computation that are looked at. */
const MOST_GRAPHS = 10;
/** Computations that are remembered. */
const MOST_KNOWN = 200;

/** Tasks on the same blocks are as many, and take about as long. */
export const AS_MANY = 1.2;
export const AS_LONG = 2;
/** The newest are compared. */
const MOST_COMPUTATIONS = 50;

/** Times of two workers may differ by so much: what begins as little before the end of others began after them. */
const CLOCKS: Seconds = 0.05;

/** What the tasks of one function did. */
export interface Ran {
  readonly prefix: number;
  readonly name: string;
  readonly count: number;
  readonly total: Seconds;
}

interface Known {
  /** What it depends on. */
  readonly print: string;
  readonly ran: readonly Ran[];
}

const known = new PerRun<Map<number, Known>>(() => new Map());

/**
 * The function that took most of the time of a computation. Graphs that the same code submits within a second are one
 * computation, such as those of a loop: of several graphs, as many functions that ran after each other, oldest first.
 */
export function ranIn(run: Run, { id, values }: Computation): readonly Ran[] {
  const { start, stop, done, submissions } = values;
  const kept = start >= run.tasks.incompleteUntil;
  const print = `${start} ${stop} ${done} ${submissions} ${kept}`;
  const all = known.of(run);
  const before = all.get(id);
  if (before?.print === print) {
    return before.ran;
  }
  // Of executions that are only summed, functions are not known.
  const ran = kept && start < stop ? gathered(run, { from: start, to: stop }, submissions) : [];
  all.delete(id);
  all.set(id, { print, ran });
  if (all.size > MOST_KNOWN) {
    all.delete(all.keys().next().value ?? id);
  }
  return ran;
}

function gathered(run: Run, period: { readonly from: Seconds; readonly to: Seconds }, submissions: number): readonly Ran[] {
  const { functions } = executionStatistics(run, selecting({ period }), 'none');
  const graphs = Math.min(MOST_GRAPHS, Math.max(1, submissions || 1));
  if (graphs === 1) {
    return functions.slice(0, 1).map(ranOf);
  }
  const spans = functions.slice(0, graphs).flatMap(each => {
    const { span } = executionStatistics(run, selecting({ period, functions: [each.name] }), 'none');
    return span === null ? [] : [{ each, span }];
  });
  spans.sort((a, b) => a.span.from - b.span.from);
  let until = Number.NEGATIVE_INFINITY;
  const found: Ran[] = [];
  for (const { each, span } of spans) {
    if (span.from >= until - CLOCKS) {
      found.push(ranOf(each));
    }
    until = Math.max(until, span.to);
  }
  return found;
}

function ranOf({ prefix, name, count, total }: FunctionStatistics): Ran {
  return { prefix, name, count, total };
}

/**
 * The innermost function of the user in which most samples of a function of tasks are, with those that called it: a helper
 * that different functions call does something else for each.
 */
export function frameOf(run: Run, { name }: Ran): string | null {
  const store = run.profile;
  const prefix = store.prefixes.indexOf(name);
  if (prefix < 0) {
    return null;
  }
  const fold = foldOf(store, { prefixes: [prefix] });
  const all = fold.total[0] ?? 0;
  let [found, depth]: [string | null, number] = [null, -1];
  for (let stack = 1; stack < store.stacks; stack++) {
    const frame = store.frame(stack);
    if (frame === null || FRAMEWORK.test(frame.file) || fold.total[stack] < MOSTLY * all || fold.total[stack] < LEAST_SAMPLES) {
      continue;
    }
    let steps = 0;
    const path: string[] = [];
    for (let caller = stack; caller > 0; caller = store.parent(caller)) {
      const called = store.frame(caller);
      steps += 1;
      path.push(...(called === null || FRAMEWORK.test(called.file) ? [] : [`${called.name}\n${called.file}\n${called.first}`]));
    }
    if (steps > depth) {
      [found, depth] = [path.join('\n'), steps];
    }
  }
  return found;
}

/** What the tasks of one function did in one computation. */
export interface Part extends Ran {
  readonly computation: Computation;
  /** Whether no other function took most of one of its graphs. */
  readonly alone: boolean;
}

/** What the newest computations of the period did, oldest first. */
export function partsIn({ run, computations }: Facts): readonly Part[] {
  const oldestFirst = computations.slice(0, MOST_COMPUTATIONS).reverse();
  return oldestFirst.flatMap(computation => {
    const all = ranIn(run, computation);
    return all.map(ran => ({ ...ran, computation, alone: all.length === 1 }));
  });
}

/** Those with as many tasks as the first, which take about as long. */
export function alike<T extends Ran>(all: readonly T[]): readonly T[] {
  const [first] = all;
  const near = (a: number, b: number, times: number): boolean => a <= b * times && b <= a * times;
  return all.filter(
    each => near(each.count, first.count, AS_MANY) && near(each.total / each.count, first.total / first.count, AS_LONG)
  );
}

/** What a part did in one graph: graphs of one computation that are alike cannot be distinguished. */
export function ofOneGraph(
  { computations }: Run,
  { computation: { id, values }, count, total, alone }: Part
): Pick<Part, 'count' | 'total'> & { readonly graphs: number } {
  const all = Math.max(1, values.submissions || 1);
  const functions = computations.functionsOf(id);
  const isEqual = alone && functions.length > 0 && functions.every(({ tasks }) => tasks % all === 0);
  const graphs = isEqual ? all : 1;
  return { count: count / graphs, total: total / graphs, graphs };
}

/** The function of the user that most is computed with, in several computations with the same number of tasks. */
export function sharedIn(facts: Facts): { readonly frame: string; readonly parts: readonly Part[] } | null {
  const byFrame = new Map<string, Part[]>();
  // A loop computes with the same functions again and again, and a live pane reads the whole profile for each.
  const frames = new Map<string, string | null>();
  for (const part of partsIn(facts)) {
    const before = frames.get(part.name);
    const frame = before === undefined ? frameOf(facts.run, part) : before;
    frames.set(part.name, frame);
    if (frame !== null) {
      byFrame.set(frame, [...(byFrame.get(frame) ?? []), part]);
    }
  }
  let best: { frame: string; parts: readonly Part[]; again: Seconds } | null = null;
  for (const [frame, all] of byFrame) {
    const parts = alike(all);
    const again = parts.slice(1).reduce((sum, { total }) => sum + total, 0);
    // The same function of Dask in each is a loop over other data; other functions on top of it need the same blocks.
    const different = new Set(parts.map(({ prefix }) => prefix)).size;
    if (different > 1 && again > (best?.again ?? 0)) {
      best = { frame: frame.split('\n')[0], parts, again };
    }
  }
  return best;
}

/** Shorter times between tasks belong to them. */
const BETWEEN: Seconds = 0.5;

/** Functions, and a time in which they ran. */
export interface RanIn {
  readonly prefixes: readonly number[];
  readonly time: Period;
}

/** When tasks of some functions ran, each in a time of its own, with short times between them. */
export function whenRan({ run, partition: { steps } }: Facts, parts: readonly RanIn[]): readonly Span[] {
  const ran = new Grid(steps);
  for (const { prefixes, time } of parts) {
    const [{ from, to }, wanted] = [time, new Set(prefixes)];
    for (const lane of run.tasks.lanes) {
      for (const { f64, f32, u32, length } of lane?.compute.chunks.filter(each => each.end >= from && each.first <= to) ?? []) {
        for (let i = 0, word = 0; i < length; i++, word += INTERVAL_WORDS) {
          const start = f64[i * START_STRIDE];
          if (start < to && wanted.has(u32[word + LOOKS] & LABEL_MASK)) {
            ran.add(Math.max(from, start), Math.min(to, start + f32[word + DURATION]));
          }
        }
      }
    }
  }
  return joined(spansOf(steps, ran.seconds()), BETWEEN);
}
