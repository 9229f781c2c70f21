import type { Translate } from '../../../plot/plot';
import { formatCount, formatDuration, formatPercent } from '../../../base/format';
import { oneDecimal } from '../../../selectors/plain-number';
import { average, count, seconds, share } from '../../figures';
import { type Facts, selecting, shareOf, threadsIn } from '../../facts';
import type { Finding, Rule } from '../../rule';
import { claimedTime, claimIn, joined, knowsEvents, longestOf, lostIn } from '../../spans';
import { timeIn } from '../../time/parts';
import { LEAST_TIMES, QUICK } from '../../time/taking';
import { workIn } from '../../work-in';
import { areIrregular, IRREGULAR, LEAST_BEATS, STEADY, UNEVEN } from './clocked';
import { ALONE, BESIDE, type Fed, fedIn, LATER, LEAST_PACED, LEAST_PIECES, MOST_TASKS, ROUNDS, SPREAD } from './fed';
import { LEAST_IN_CELL, LEAST_ROUNDS, type Loop, loopOf } from './rounds';
import { takenOneByOne } from './taken';
import { tasksWords } from '../../words';

/** Any client takes its time between two rounds: pauses that are not noticed are not reported. */
const LEAST_PAUSED = 0.2;
/** Rounds with as many tasks as the others: the first and the last may have more or fewer. */
const MOSTLY = 0.8;
/** What threads do that run nothing. */
const IDLE = ['outside', 'quiet', 'starved', 'overhead'] as const;
/** A program asks for results, and submits the next work only when it has them. */
export const clientWaits: Rule = {
  cause: 'client-waits',
  theme: 'client',
  workload: 'client_loop.py',
  recognised:
    'Four times or more, the client took results, or the last task failed, while nothing ran, and new tasks began only then. If a ' +
    'round has fewer tasks than there are threads, all that threads lost in it counts, otherwise the idle time ' +
    'after it and what they lost after its last task had begun. Twice are enough where one cell of a notebook submits in all rounds and no other client does; then only the idle times count. If the next tasks are from another cell, from a callback of a notebook (as that of a slider) and more than 1 s later, or come more than 10 s later, the user may have ' +
    'been thinking: that is not a round. Where it took no results, as with wait(), about as many idle times of 50 ms or more as it submitted graphs must be twice as long as all others, and graphs must come in them; then only the idle times count, and what threads lost after the last task of rounds with more tasks than threads had begun. Other work in the period does not change this. Or the client submits most ' +
    'tasks one by one while others run, and threads have none meanwhile. Or it goes on taking results when all tasks have ended, 20 times or more, no more than 10 s apart (10 times, if no more than 2 s apart). Where work comes at the beat of a clock, as in a ' +
    'stream in real time, nothing waits for the client: the times between its beginnings are about equal, and these drift less than the times between them differ.',
  needs: ['tasks', 'events', 'computations'],
  thresholds: [
    { value: LEAST_ROUNDS, unit: 'count', of: 'rounds of submitting and asking for results', source: 'fewer are no loop' },
    { value: LEAST_IN_CELL, unit: 'count', of: 'the same in one cell', source: 'a user who pauses begins another one' },
    {
      value: LEAST_PAUSED,
      unit: 'share',
      of: 'the time of the rounds that it costs',
      source: 'every client takes its time between rounds'
    },
    { value: LEAST_PIECES, unit: 'count', of: 'or tasks that are submitted one by one', source: 'fewer may be chance' },
    {
      value: SPREAD,
      unit: 'share',
      of: 'the time in which they run and more are submitted',
      source: 'a client that submits all at once is done long before'
    },
    { value: ALONE, unit: 'share', of: 'these tasks that come without others', source: 'others come with the graph of a few' },
    { value: MOST_TASKS, unit: 'share', of: 'all tasks that are submitted one by one', source: 'or the period is about others' },
    {
      value: BESIDE,
      unit: 'share',
      of: 'the time lost in which another task runs',
      source: 'with less, there is mostly nothing at all, as between rounds'
    },
    {
      value: LATER,
      unit: 'share',
      of: 'these tasks that begin after others have ended',
      source: 'with fewer, batches come one after the other; from recordings'
    },
    {
      value: ROUNDS,
      unit: 'share',
      of: 'the number of these tasks that rounds are at most, or that are in rounds of as many tasks each time',
      source: 'with more, a loop asks for the results of a few before it submits more; from recordings'
    },
    { value: LEAST_BEATS, unit: 'count', of: 'beats of a clock', source: 'fewer may keep time by chance' },
    {
      value: LEAST_PACED,
      unit: 'count',
      of: 'the same for tasks that are submitted one by one',
      source: 'how long each is prepared is not known'
    },
    {
      value: STEADY,
      unit: 'share',
      of: 'the deviation of the times between beats that the drift of a clock has at most',
      source: 'it is 0.7 with errors of their own, and more than 1 where each waits for the one before'
    },
    {
      value: UNEVEN,
      unit: 'share',
      of: 'the usual time between beats by which the others deviate from it at most',
      source: 'simulated: 0.5 % of loops whose client takes now long and now short are taken for a clock; 86 % without it'
    },
    {
      value: IRREGULAR,
      unit: 'share',
      of: 'the usual idle time between rounds, or usual time between tasks that are submitted one by one and neither as others end nor each after one result, by which these differ on average, up to which confidence is not low',
      source: 'from recordings: 0.02 to 0.09 in loops, 0.2 and more where work comes at random'
    },
    {
      value: LEAST_TIMES,
      unit: 'count',
      of: 'times that results are taken when all tasks have ended; half of them if it is quick',
      source: 'fewer may be a user who looks at some results'
    },
    {
      value: QUICK,
      unit: 's',
      of: 'between two of them, at most, where it is quick',
      source: 'nobody runs one cell after the other so soon'
    }
  ],
  link: 'https://docs.dask.org/en/stable/best-practices.html#avoid-calling-compute-repeatedly',
  title: trans => trans.__('The cluster waits for the client'),
  remedy: trans =>
    trans.__(
      'Submit all work first and ask for the results once (client.gather, dask.compute with several results, as_completed), and let workers do what the loop does in between.'
    ),
  find: facts => {
    const [waits, taken] = [betweenSubmissions(facts), takenOneByOne(facts)];
    // Each sentence is about one of them.
    return claimedTime(taken?.claims ?? []) > claimedTime(waits?.claims ?? []) ? taken : waits;
  },
  overlooked: facts => (knowsEvents(facts) ? null : facts.trans.__('The scheduler no longer has all its events of that time.'))
};

function betweenSubmissions(facts: Facts): Finding | null {
  const fed = fedIn(facts);
  if (fed !== null) {
    return fed.clocked ? null : ofPieces(facts, fed);
  }
  const loop = loopOf(facts);
  return loop === null || loop.clocked ? null : ofRounds(facts, loop);
}

function ofRounds(facts: Facts, loop: Loop): Finding | null {
  const { trans } = facts;
  const { rounds, pauses, waits, tails, capacity, even, silent, client } = loop;
  const between = claimIn(facts, waits, IDLE);
  const lost = timeIn(between.time);
  if (lost < LEAST_PAUSED * capacity) {
    return null;
  }
  // Without the pauses, threads would have had the tasks of the next round at the end of each.
  const behind = claimIn(facts, tails, ['starved', 'overhead']);
  const atEnd = timeIn(behind.time);
  const spans = joined(rounds.map(({ begin, pause: { to } }) => ({ from: begin, to })));
  const paused = pauses.reduce((sum, { from, to }) => sum + to - from, 0);
  // Most of what counts is in rounds of few tasks: what could run at the same time is not known.
  const waited = waits.reduce((all, { from, to }) => all + to - from, 0);
  const serial = waited > 2 * paused || atEnd > lost;
  const few = rounds.length < 2 * LEAST_ROUNDS;
  const counts = rounds.map(round => round.tasks).sort((a, b) => a - b);
  const tasks = counts[Math.floor(counts.length / 2)];
  const same = counts.filter(each => each === tasks).length >= MOSTLY * counts.length;
  const irregular = !loop.few && (silent || !serial) && areIrregular(pauses.map(({ from, to }) => to - from));
  return {
    claims: [between, behind],
    client,
    ownPace: irregular,
    confidence: irregular ? 'low' : serial || few || even || silent ? 'medium' : 'high',
    doubt: loop.few
      ? cellDoubt(rounds.length, trans)
      : irregular || (silent && !even)
        ? paceDoubt(trans)
        : doubtOf(rounds.length, { serial, even, few }, trans),
    evidence: {
      selection: selecting({ period: longestOf(facts, waits) }),
      plot: 'task-stream',
      figures: [
        count(trans.__('Rounds'), rounds.length),
        count(trans.__('Tasks each time'), tasks),
        seconds(trans.__('Without any work between them'), paused),
        share(trans.__('Threads that ran nothing in these rounds'), shareOf({ capacity }, timeIn(lostIn(facts, spans, IDLE)))),
        ...(atEnd > 0 ? [seconds(trans.__('Threads without a task at the end of rounds'), atEnd)] : [])
      ]
    },
    sentence: cost => {
      const words = [
        formatCount(rounds.length),
        same ? tasksWords(tasks, trans) : trans._n('about 1 task', 'about %2 tasks', tasks, formatCount(tasks)),
        formatDuration(paused),
        formatPercent(cost.share)
      ] as const;
      if (silent) {
        return trans.__(
          'The cluster waits for the client: all work had been done %1 times before the next was submitted (%2 each time, %3 without any work in all). It costs %4 of the time.',
          ...words
        );
      }
      const sentence = trans.__(
        'The cluster waits for the client: results were requested %1 times before the next work was submitted (%2 each time, %3 without any work in all). It costs %4 of the time.',
        ...words
      );
      return lost > 2 * timeIn(lostIn(facts, pauses, IDLE))
        ? trans.__('%1 Most of that was lost while rounds ran, because they had fewer tasks than there are threads.', sentence)
        : sentence;
    }
  };
}

function paceDoubt(trans: Translate): string {
  return trans.__('If work comes at a pace of its own, as from a sensor or a queue, nothing can be gained.');
}

function cellDoubt(rounds: number, trans: Translate): string {
  return trans.__(
    'This is based on %1 rounds. If the cell asks its user for something between them, as with input(), it waits for that.',
    String(rounds)
  );
}

function doubtOf(
  rounds: number,
  { serial, even, few }: Readonly<Record<'serial' | 'even' | 'few', boolean>>,
  trans: Translate
): string {
  if (even) {
    return trans.__(
      'The rounds begin at about equal intervals: if a clock sets them, as in a stream in real time, nothing waits for the client.'
    );
  }
  if (serial) {
    return trans.__('If each round needs the result of the last one, only the time without any work can be avoided.');
  }
  return few ? trans.__('This is based on %1 rounds.', String(rounds)) : '';
}

/** Tasks that the client submits one by one while others run: threads have none because it has not sent more. */
function ofPieces(facts: Facts, fed: Fed): Finding {
  const { trans, partition } = facts;
  const period = longestOf(facts, fed.spans);
  const busy = workIn(facts.run, period).use;
  const working = (busy.compute + busy.running) / (period.to - period.from);
  return {
    claims: [{ time: fed.lost, spans: fed.spans }],
    client: fed.client,
    ownPace: fed.ownPace,
    confidence: fed.ownPace ? 'low' : 'medium',
    doubt: paceDoubt(trans),
    remedy: trans.__(
      'The client submits tasks one by one while others run. Submit more of them at once or ahead, and let workers do what it does in between. If it has no more of them, fewer threads are enough.'
    ),
    evidence: {
      selection: selecting({ period }),
      plot: 'task-stream',
      figures: [
        count(trans.__('Submissions'), fed.submissions),
        average(trans.__('Threads that worked'), working),
        share(trans.__('Threads without a task meanwhile'), shareOf(facts, timeIn(fed.lost)))
      ]
    },
    sentence: cost =>
      trans.__(
        'The cluster waits for the client: it submitted tasks %1 times, a few at a time, and meanwhile %2 of %3 threads worked. It costs %4 of the time.',
        formatCount(fed.submissions),
        oneDecimal(working),
        formatCount(Math.round(threadsIn(partition, period))),
        formatPercent(cost.share)
      )
  };
}
