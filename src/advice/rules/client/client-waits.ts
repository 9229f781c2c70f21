import { formatCount, formatDuration, formatPercent } from '../../../base/format';
import { count, seconds, share } from '../../figures';
import { selecting, shareOf } from '../../facts';
import type { Rule } from '../../rule';
import { longestOf, lostIn } from '../../spans';
import { LEAST_ROUNDS, loopOf } from './rounds';

/** Any client takes its time between two rounds: pauses that are not noticed are not reported. */
const LEAST_PAUSED = 0.2;
/** Rounds with as many tasks as the others: the first and the last may have more or fewer. */
const MOSTLY = 0.8;
/** A program asks for results, and submits the next work only when it has them. */
export const clientWaits: Rule = {
  cause: 'client-waits',
  theme: 'client',
  workload: 'client_loop.py',
  recognised:
    'Four times or more, the client took results while nothing ran, and new tasks began only then. If a ' +
    'round has fewer tasks than there are threads, all that threads lost in it counts, otherwise the pause ' +
    'after it. If the next tasks are from another cell, or come more than 10 s later, the user may have ' +
    'been thinking: that is not a round. Other work in the period does not change this.',
  needs: ['tasks', 'events', 'computations'],
  thresholds: [
    { value: LEAST_ROUNDS, unit: 'count', of: 'rounds of submitting and asking for results', source: 'fewer are no loop' },
    {
      value: LEAST_PAUSED,
      unit: 'share',
      of: 'the time of the rounds that it costs',
      source: 'every client takes its time between rounds'
    }
  ],
  link: 'https://docs.dask.org/en/stable/best-practices.html#avoid-calling-compute-repeatedly',
  title: trans => trans.__('The cluster waits for the client'),
  remedy: trans =>
    trans.__(
      'Submit all work first and ask for the results once (client.gather, dask.compute with several results, as_completed), and let workers do what the loop does in between.'
    ),
  find: facts => {
    const { trans } = facts;
    const loop = loopOf(facts);
    if (loop === null) {
      return null;
    }
    const { rounds, pauses, waits, capacity } = loop;
    const claims = lostIn(facts, waits, ['outside', 'quiet', 'starved', 'overhead']);
    const lost = Object.values(claims).reduce((sum, each) => sum + each, 0);
    if (lost < LEAST_PAUSED * capacity) {
      return null;
    }
    const paused = pauses.reduce((sum, { from, to }) => sum + to - from, 0);
    // Most of what counts is in rounds of few tasks: what could run at the same time is not known.
    const serial = waits.reduce((sum, { from, to }) => sum + to - from, 0) > 2 * paused;
    const counts = rounds.map(round => round.tasks).sort((a, b) => a - b);
    const tasks = counts[Math.floor(counts.length / 2)];
    const same = counts.filter(each => each === tasks).length >= MOSTLY * counts.length;
    return {
      claims,
      confidence: rounds.length >= 2 * LEAST_ROUNDS && !serial ? 'high' : 'medium',
      doubt: serial
        ? trans.__('If each round needs the result of the last one, only the time without any work can be avoided.')
        : '',
      evidence: {
        selection: selecting({ period: longestOf(facts, waits) }),
        plot: 'task-stream',
        figures: [
          count(trans.__('Rounds'), rounds.length),
          count(trans.__('Tasks each time'), tasks),
          seconds(trans.__('Without any work between them'), paused),
          share(trans.__('Threads that ran nothing meanwhile'), shareOf(loop, (claims.outside ?? 0) + (claims.quiet ?? 0)))
        ]
      },
      sentence: cost =>
        trans.__(
          'The cluster waits for the client: results were requested %1 times before the next work was submitted (%2 each time, %3 without any work in all). It costs %4 of the time.',
          formatCount(rounds.length),
          same
            ? trans._n('1 task', '%2 tasks', tasks, formatCount(tasks))
            : trans._n('about 1 task', 'about %2 tasks', tasks, formatCount(tasks)),
          formatDuration(paused),
          formatPercent(cost.share)
        )
    };
  }
};
