import { formatCount, formatDuration, formatPercent } from '../../../base/format';
import type { Seconds } from '../../../base/units';
import { count, seconds, share } from '../../figures';
import { type Facts, selecting, shareOf, timeOf } from '../../facts';
import type { Rule } from '../../rule';
import { longestOf, lostIn, type Span, within } from '../../spans';

/** With fewer rounds it is no loop. */
const LEAST_ROUNDS = 4;
/** Any client takes its time between two rounds: pauses that are not noticed are not told. */
const LEAST_PAUSED = 0.2;
/** Submissions for each round: one, less some that are not known. */
const MOSTLY = 0.8;
/** A shorter time between two rounds is that of the connection. */
const LEAST_PAUSE: Seconds = 0.005;
/** The news of a graph is this much older or younger than the tasks that it is about. */
const NEAR: Seconds = 0.05;

/** A program asks for results, and submits the next work only when it has them. */
export const clientWaits: Rule = {
  cause: 'client-waits',
  theme: 'client',
  workload: 'client_loop.py',
  recognised:
    'Four times or more the client took results while nothing ran, and only then new tasks began. If a round ' +
    'has fewer tasks than there are threads, all that threads lost in between counts, else the pauses. Where the next ' +
    'tasks are those of another cell, or come more than 10 s later, a person may have thought: that is no round.',
  needs: ['tasks', 'events', 'computations'],
  thresholds: [
    { value: LEAST_ROUNDS, unit: 'count', of: 'rounds of submitting and asking for results', source: 'fewer are no loop' },
    { value: LEAST_PAUSED, unit: 'share', of: 'the time that it costs', source: 'every client takes its time between rounds' }
  ],
  link: 'https://docs.dask.org/en/stable/best-practices.html#avoid-calling-compute-repeatedly',
  title: trans => trans.__('The cluster waits for the client'),
  remedy: trans =>
    trans.__(
      'Submit all work first and ask for the results once (client.gather, dask.compute with several results, as_completed), and let workers do what the loop does between.'
    ),
  find: facts => {
    const { trans } = facts;
    const rounds = roundsOf(facts);
    const submitted = facts.computations.reduce((sum, { values }) => sum + (values.submissions || 0), 0);
    // Who submits once and takes results as they come does not hold anything up.
    if (rounds.length < LEAST_ROUNDS || submitted < MOSTLY * rounds.length) {
      return null;
    }
    const pauses = rounds.map(({ pause }) => pause).filter(({ from, to }) => to - from >= LEAST_PAUSE);
    const paused = pauses.reduce((sum, { from, to }) => sum + to - from, 0);
    const { threads } = facts;
    const tasks = rounds.reduce((sum, round) => sum + round.tasks, 0) / rounds.length;
    // Rounds of fewer tasks than there are threads leave threads idle in between, too.
    const serial = tasks < threads;
    const span = { from: rounds[0].begin, to: rounds[rounds.length - 1].pause.to };
    const claims = serial
      ? lostIn(facts, [span], ['outside', 'quiet', 'starved', 'overhead'])
      : lostIn(facts, pauses, ['outside', 'quiet', 'starved', 'overhead']);
    if (
      shareOf(
        facts,
        Object.values(claims).reduce((sum, each) => sum + each, 0)
      ) < LEAST_PAUSED
    ) {
      return null;
    }
    return {
      claims,
      confidence: rounds.length >= 2 * LEAST_ROUNDS ? 'high' : 'medium',
      evidence: {
        selection: selecting({ period: serial ? span : longestOf(facts, pauses) }),
        plot: 'task-stream',
        figures: [
          count(trans.__('Rounds'), rounds.length),
          count(trans.__('Tasks a round'), Math.round(tasks)),
          seconds(trans.__('Without any work between them'), paused),
          share(trans.__('Threads that ran nothing meanwhile'), shareOf(facts, timeOf(facts, 'outside', 'quiet')))
        ]
      },
      sentence: cost =>
        trans.__(
          'The cluster waits for the client: %1 times results were asked for before the next work was submitted (%2 a round, %3 without any work in all). It costs %4 of the time.',
          formatCount(rounds.length),
          trans._n('1 task', '%2 tasks', Math.round(tasks), formatCount(Math.round(tasks))),
          formatDuration(paused),
          formatPercent(cost.share)
        )
    };
  }
};

/** From one time when all was done and the client took results to the next. */
interface Round {
  readonly begin: Seconds;
  readonly tasks: number;
  /** From the end of the last task to the start of the next one. */
  readonly pause: Span;
}

/**
 * Rounds, from what was executed: a client took results, nothing was left to do, and later something else began. The news of
 * a result is some milliseconds older than its gathering.
 */
function roundsOf(facts: Facts): readonly Round[] {
  const { run, partition } = facts;
  const gathers = run.events.list.filter(each => each.action === 'gather' && within(facts, each.time)).map(({ time }) => time);
  const { activity, steps, threads } = partition;
  const { from, width, count: length } = steps;
  const rounds: Round[] = [];
  const cells = facts.computations.filter(each => each.cell > 0).map(({ values }) => values.since);
  let begin = from;
  let tasks = 0;
  let i = 0;
  let next = 0;
  while (i < length) {
    if (busy(facts, i)) {
      tasks += activity.starts[i];
      i += 1;
      continue;
    }
    const first = i;
    while (i < length && !busy(facts, i)) {
      i += 1;
    }
    const [idle, again] = [from + first * width, from + i * width];
    while (next < gathers.length && gathers[next] < idle - 2 * width) {
      next += 1;
    }
    // A user who pauses is no program that waits, and while there is no worker nobody waits for the client.
    if (threads.subarray(first, i).includes(0)) {
      begin = again;
      tasks = 0;
      continue;
    }
    const another = cells.some(since => since >= idle - NEAR && since <= again + NEAR);
    if (next < gathers.length && gathers[next] <= again && i < length && tasks > 0 && !another) {
      rounds.push({ begin, tasks, pause: { from: idle, to: again } });
      begin = again;
      tasks = 0;
    }
  }
  return rounds;
}

function busy({ partition }: Facts, i: number): boolean {
  const { compute, running, transfer, disk } = partition.activity;
  return compute[i] + running[i] + transfer[i] + disk[i] > 0;
}
