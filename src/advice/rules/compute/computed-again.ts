import { formatCount, formatDuration, formatPercent } from '../../../base/format';
import type { Seconds, Share } from '../../../base/units';
import type { Run } from '../../../run/run';
import type { Period } from '../../../run/selection/selection';
import type { Computation, ComputationFunction } from '../../../run/tables/computations';
import { AS_LONG, AS_MANY, alike, MOSTLY, ofOneGraph, type Part, partsIn, sharedIn, whenRan } from './ran';
import { liveWorkers } from '../../../selectors/workers/worker-rows';
import { oneLine } from '../../../plot/text';
import { count, seconds } from '../../figures';
import { type Facts, LEAST_SHARE, selecting, shareOf } from '../../facts';
import type { Finding, Rule } from '../../rule';
import { type Claim, claimedTime, lostIn, type Span } from '../../spans';
import { partOf, timeIn } from '../../time/parts';
import { measuredWords, tasksWords } from '../../words';

/** Fewer tasks are not worth a sentence. */
const LEAST_TASKS = 4;
/** A smaller part that threads had nothing to do is not mentioned. */
const LEAST_IDLE: Share = 0.01;

/** Tasks of the same keys, or of the same function, ran in one computation after the other, as often each time. */
export const computedAgain: Rule = {
  cause: 'computed-again',
  theme: 'compute',
  workload: 'recompute.py',
  recognised:
    'A computation asked for four or more tasks that had had a result before, by the same keys, and that the scheduler had ' +
    'forgotten since, and did not drop them before they ran; each counts with the mean of its function, or of the computation where that is not known. ' +
    'Several graphs of one computation, or later computations, also did ' +
    'where it executed more tasks than it has, no attempt was repeated and no worker left. Or, where the keys differ because tasks are fused: ' +
    'computations, or graphs of one computation, that ran after each other, not all with the same function of Dask, spend most ' +
    'of their samples in the same function outside of Dask, which the same functions called, in as many tasks that take about as long as those of the first. ' +
    'Where the same function of Dask took most of several graphs under other keys, in as many tasks, it is not known. What threads did not do while functions ran that repeat counts in proportion to what was repeated; if that is more than the computing, it is only likely.',
  needs: ['computations', 'tasks'],
  thresholds: [
    {
      value: MOSTLY,
      unit: 'share',
      of: 'samples of the tasks that are in one function of the user',
      source: 'it is what they are about'
    },
    { value: AS_MANY, unit: 'count', of: 'times as many tasks at most', source: 'tasks on the same blocks are as many' },
    { value: AS_LONG, unit: 'count', of: 'times as long a task at most', source: 'the same work takes about as long' }
  ],
  link: 'https://docs.dask.org/en/stable/best-practices.html#avoid-calling-compute-repeatedly',
  title: trans => trans.__('The same is computed again'),
  remedy: trans =>
    trans.__(
      'Keep what several results need with collection.persist(), or compute all results at once with dask.compute(a, b, …), which shares what they have in common.'
    ),
  // What fused tasks have in common only the profile shows.
  unknown: facts =>
    graphsOf(facts) > 1 && facts.run.profile.length === 0 && repeatedKeys(facts) === null
      ? facts.trans.__('There is no profile of the tasks.')
      : null,
  find: facts => repeatedKeys(facts) ?? sharedFunction(facts),
  overlooked: facts => {
    const { run, computations, trans } = facts;
    // Tasks may have run again for another reason, which only these topics say.
    return knowsWhy(run) || computations.every(({ values }) => !(values.done > values.tasks))
      ? sameFunction(facts)
      : trans.__('Not received: %1', WHY.filter(topic => !run.has(topic)).join(', '));
  }
};

/** That it is not known of a function that took most of several graphs, in as many tasks each time; `null` if there is none. */
function sameFunction(facts: Facts): string | null {
  const { run, trans } = facts;
  // Of these it is known, though they cost too little.
  if (repeatedKeys(facts) !== null) {
    return null;
  }
  const byPrefix = new Map<number, Part[]>();
  for (const part of partsIn(facts)) {
    byPrefix.set(part.prefix, [...(byPrefix.get(part.prefix) ?? []), part]);
  }
  for (const parts of byPrefix.values()) {
    const like = alike(parts.map(each => ({ ...each, ...ofOneGraph(run, each) })));
    const graphs = like.reduce((sum, each) => sum + each.graphs, 0);
    const again = like.reduce((sum, each) => sum + each.graphs * each.total, 0) - like[0].total;
    if (like[0].count >= LEAST_TASKS && shareOf(facts, again) >= LEAST_SHARE) {
      const words = [oneLine(like[0].name, 60), formatCount(graphs)] as const;
      return like.every(each => hadOtherKeys(run, each))
        ? trans.__(
            '%1 ran in %2 graphs under other keys each time: whether they computed the same again is not recorded.',
            ...words
          )
        : trans.__('%1 ran in %2 graphs: whether they computed the same again is not recorded.', ...words);
    }
  }
  return null;
}

/** Whether no task of a function is known to have been asked for before, or to have been executed twice. */
function hadOtherKeys({ computations }: Run, { computation: { id, values }, prefix }: Part): boolean {
  const { again, done, tasks } = computations.functionsOf(id).find(each => each.prefix === prefix) ?? values;
  return again === 0 && !(done > tasks);
}

/** Tasks of the same keys. */
function repeatedKeys(facts: Facts): Finding | null {
  const { trans, period } = facts;
  const stable = unchanged(facts);
  const repeated = facts.computations.filter(
    each => againOf(countsOf(facts, each), stable) > 0 && each.values.since >= period.from
  );
  const asked = repeated.reduce((sum, each) => sum + againOf(countsOf(facts, each), stable), 0);
  // Those that were dropped before they ran have not been computed again.
  const dropped = repeated.reduce((sum, { values }) => sum + (values.dropped || 0), 0);
  const tasks = Math.max(0, asked - dropped);
  const all = repeated.reduce((sum, each) => sum + insideOf(facts, each) * repeatedTime(facts, each, stable), 0);
  const time = (all * tasks) / Math.max(1, asked);
  const claims = tasks < LEAST_TASKS ? [] : [claimOf(facts, spansOf(facts, repeated, stable), time)];
  // With idle time, as its cost: else it would be a cause of a cell, and none of a longer time in which it costs as much.
  if (shareOf(facts, claimedTime(claims)) < LEAST_SHARE) {
    return null;
  }
  const first = repeated[repeated.length - 1].values;
  const idle = claimedTime(claims) - time;
  return {
    claims,
    ...(idle > time
      ? {
          confidence: 'medium',
          doubt: trans.__('Most of it is idle time, which may have other reasons, too.')
        }
      : { confidence: 'high' }),
    evidence: {
      selection: selecting({
        period: first.start < period.to ? { from: Math.max(first.start, period.from), to: period.to } : period
      }),
      plot: 'computations',
      figures: [
        count(
          trans.__('Graphs submitted'),
          repeated.reduce((sum, { values }) => sum + (values.submissions || 0), 0)
        ),
        count(trans.__('Tasks that had been computed before'), tasks),
        seconds(trans.__('Their time'), time)
      ]
    },
    sentence: cost => {
      const words = trans._n(
        '%2 tasks had been computed before, and their results had been released. Computing them again took %3.',
        '%2 tasks of %4 computations had been computed before, and their results had been released. Computing them again took %3.',
        repeated.length,
        formatCount(tasks),
        formatDuration(time),
        formatCount(repeated.length)
      );
      const [share, beside] = [formatPercent(cost.share), formatDuration(idle)];
      const costs =
        idle > LEAST_IDLE * time
          ? // biome-ignore format: one text
            trans.__('Meanwhile threads were idle for %1, which may be saved, too. Together it costs %2 of the time.', beside, share)
          : trans.__('It costs %1 of the time.', share);
      return measuredWords(`${words} ${costs}`, cost, claimedTime(claims), trans);
    }
  };
}

/** Topics that say why tasks were executed again. */
const WHY = ['attempts', 'workers'] as const;

function knowsWhy(run: Run): boolean {
  return WHY.every(topic => run.has(topic));
}

/** Whether no task had to be executed again for another reason: a worker that left, or an attempt that did not end. */
function unchanged({ run }: Facts): boolean {
  const ended = (id: number): boolean =>
    (['lost', 'rescheduled', 'retried'] as const).every(name => !((run.attempts.get(id, name) || 0) > 0));
  return knowsWhy(run) && liveWorkers(run).length >= run.workerNames.filter(Boolean).length && run.attempts.ids.every(ended);
}

interface Counts {
  readonly tasks: number;
  readonly done: number;
  readonly again: number;
  readonly submissions: number;
}

/**
 * Tasks that had been computed before. The scheduler may still know the released tasks of a graph when the same code submits
 * the next one: they are no new tasks of the computation then, and only executed more often than it has tasks.
 */
function againOf({ tasks, done, again, submissions }: Counts, stable: boolean): number {
  return (again || 0) + (stable && submissions > 1 ? Math.max(0, done - tasks) : 0);
}

/** Counts of a computation. A later one may also have asked for its tasks, which belong to the first that did. */
function countsOf({ computations }: Facts, { values }: Computation): Counts {
  const later = computations.some(each => each.values.since > values.since) ? 1 : 0;
  return { ...values, submissions: (values.submissions || 1) + later };
}

/** Which part of a computation is in the period: its sums are of all of it. */
function insideOf({ period }: Facts, { values: { start, stop } }: Computation): Share {
  const inside = Math.min(stop, period.to) - Math.max(start, period.from);
  return start < stop ? Math.max(0, inside) / (stop - start) : 1;
}

type Repeats = ComputationFunction & { readonly repeated: number };

/** Totals of the functions of a computation, with how many of their tasks repeat. */
function repeatsOf(facts: Facts, computation: Computation, stable: boolean): readonly Repeats[] {
  const { submissions } = countsOf(facts, computation);
  return facts.run.computations
    .functionsOf(computation.id)
    .map(each => ({ ...each, repeated: againOf({ ...each, submissions }, stable) }));
}

/** Time of the tasks of a computation that repeat: of each function the mean of its tasks, or of all if it is not known. */
function repeatedTime(facts: Facts, computation: Computation, stable: boolean): Seconds {
  const { values } = computation;
  const functions = repeatsOf(facts, computation, stable);
  return functions.some(each => each.repeated > 0)
    ? functions.reduce((sum, { repeated, done, compute }) => sum + (done > 0 ? ((compute || 0) * repeated) / done : 0), 0)
    : ((values.compute || 0) * againOf(countsOf(facts, computation), stable)) / Math.max(1, values.tasks, values.done || 0);
}

/** Tasks of other keys in which the same function of the user ran. */
function sharedFunction(facts: Facts): Finding | null {
  const { trans, run } = facts;
  const found = graphsOf(facts) < 2 ? null : sharedIn(facts);
  if (found === null) {
    return null;
  }
  const { frame, parts } = found;
  const again = parts.slice(1).reduce((sum, { total }) => sum + total, 0);
  const tasks = parts.reduce((sum, part) => sum + part.count, 0);
  const name = oneLine(frame, 60);
  const repeats = parts.slice(1).map(({ computation, prefix }) => ({ prefixes: [prefix], time: timeOf(computation) }));
  const claims = [claimOf(facts, whenRan(facts, repeats), again)];
  return {
    claims,
    confidence: 'low',
    doubt: trans.__('It is not known whether the data was the same: the names of the tasks differ.'),
    evidence: {
      selection: selecting({ period: facts.period, functions: parts.map(part => run.prefixNames[part.prefix] ?? '') }),
      plot: 'profile',
      figures: [
        count(trans.__('Graphs with it'), parts.length),
        count(trans.__('Tasks'), tasks),
        seconds(trans.__('Computed after the first time'), again)
      ]
    },
    sentence: cost => {
      const words = [name, tasksWords(parts[0].count, trans), formatDuration(again), formatPercent(cost.share)] as const;
      // A cell that computes several results is one computation.
      const sentence =
        new Set(parts.map(part => part.computation)).size < parts.length
          ? trans._n(
              '%2 was called again by 1 more graph, in %3. If its data were the same, %4 of computing was repeated. With idle time meanwhile, it would cost %5 of the time.',
              '%2 was called again by %1 more graphs, in %3 each time. If their data were the same, %4 of computing was repeated. With idle time meanwhile, it would cost %5 of the time.',
              parts.length - 1,
              ...words
            )
          : trans._n(
              '%2 was called again by 1 more computation, in %3. If its data were the same, %4 of computing was repeated. With idle time meanwhile, it would cost %5 of the time.',
              '%2 was called again by %1 more computations, in %3 each time. If their data were the same, %4 of computing was repeated. With idle time meanwhile, it would cost %5 of the time.',
              parts.length - 1,
              ...words
            );
      return measuredWords(sentence, cost, claimedTime(claims), trans);
    }
  };
}

/**
 * Computing that is repeated, and of what threads did not do meanwhile the part that these tasks have of all computing then: without
 * them it would perhaps be shorter.
 */
function claimOf(facts: Facts, spans: readonly Span[], again: Seconds): Claim {
  const all = timeIn(lostIn(facts, spans, ['compute', 'running']));
  const part = all > 0 ? Math.min(1, again / all) : 0;
  return { time: { compute: again, ...partOf(lostIn(facts, spans, ['starved', 'quiet', 'overhead']), part) }, spans };
}

/** When functions ran of which tasks repeat; where these are not known, the whole time of their computations. */
function spansOf(facts: Facts, computations: readonly Computation[], stable: boolean): readonly Span[] {
  const parts = computations.map(each => ({
    prefixes: repeatsOf(facts, each, stable)
      .filter(({ repeated }) => repeated > 0)
      .map(({ prefix }) => prefix),
    time: timeOf(each)
  }));
  const known = parts.filter(({ prefixes }) => prefixes.length > 0);
  return [...parts.filter(each => !known.includes(each)).map(({ time }) => time), ...whenRan(facts, known)];
}

function timeOf({ values }: Computation): Period {
  return { from: values.since, to: Math.max(values.stop || 0, values.last) };
}

/** Graphs of the period. */
function graphsOf({ computations }: Facts): number {
  return computations.reduce((sum, { values }) => sum + Math.max(1, values.submissions || 1), 0);
}
