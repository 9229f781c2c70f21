/** What is said of a period in one sentence or two, where there is room for no more. */
import { formatCount, formatDuration, formatPercent } from '../../base/format';
import { messageOf } from '../../base/untrusted';
import type { Seconds, Share } from '../../base/units';
import { oneLine } from '../../plot/text';
import { liveWorkers } from '../../selectors/workers/worker-rows';
import { oneDecimal } from '../../selectors/plain-number';
import type { Cost, Verdict } from '../advice';
import { type Facts, LEAST_SHARE, LEAST_WALL, shareOf } from '../facts';
import { isPaced } from '../rules/client/fed';
import { haveSeceded, heldBySamples, secededWords, unknownWaits } from '../rules/compute/locks';
import { computedForOthers, heldByOthers } from '../rules/scheduling/waiting/held-by-others';
import { sumOf } from '../spans';
import { functionsWaitingOnCpu, waitingOnCpu } from '../time/on-cpu';
import type { Parts } from '../time/parts';
import { busyMachine } from './busy-machine';
import { whereUnexplained } from './unexplained';

/** Less of the time is not mentioned. */
const NOTEWORTHY: Share = 0.01;
/** From this share on, "nothing wrong" would be wrong. */
const MUCH_UNEXPLAINED: Share = 0.35;

/**
 * The first verdict, or that nothing was found.
 *
 * @param left - what no cause explains
 */
export function headlineWords(facts: Facts, [first]: readonly Verdict[], unexplained: Cost, left: Parts): string {
  if (first !== undefined) {
    return first.sentence;
  }
  const { capacity, trans } = facts;
  const lacking = lackingWords(facts);
  if (!(capacity > 0)) {
    return lacking.join(' ') || trans.__('There was nothing to compute in this time.');
  }
  const silent = silentWords(facts, unexplained);
  if (silent !== '') {
    return [...lacking, silent].join(' ');
  }
  return unexplained.share < MUCH_UNEXPLAINED && !areIdleBySamples(facts)
    ? [...lacking, nothingWrong(facts, lacking.length > 0), ...besideWords(facts), ...machineWords(facts, unexplained)].join(' ')
    : [...lacking, ...noCause(facts, unexplained, left)].join(' ');
}

/** Whether many threads had no task, by samples, where more time of tasks is recorded than threads worked. */
function areIdleBySamples(facts: Facts): boolean {
  const found = heldBySamples(facts);
  return found !== null && found.held <= (1 - MUCH_UNEXPLAINED) * found.threads;
}

/** What was not there for much of the time. */
function lackingWords({ trans, partition, capacity, wall, period }: Facts): readonly string[] {
  const { workerless, pauses } = partition;
  const unanswered = sumOf(partition.unanswered);
  const isLong = (time: Seconds, all: Seconds): boolean => time >= LEAST_WALL && time >= LEAST_SHARE * all;
  const words = [
    ...(isLong(unanswered, period.to - period.from - pauses)
      ? [
          trans.__(
            'The scheduler did not answer for %1: threads that ran nothing then are not counted.',
            formatDuration(unanswered)
          )
        ]
      : []),
    ...(capacity > 0 && isLong(workerless, wall) ? [trans.__('There was no worker for %1.', formatDuration(workerless))] : [])
  ];
  const none = !(capacity > 0) && !(pauses > 0 && workerless < LEAST_WALL) && words.length === 0;
  return none ? [trans.__('There was no worker.')] : words;
}

/** The share of thread time that is computing, without what is computed for others than the selected computation. */
function computingWords(facts: Facts): string {
  const { compute, running } = facts.partition.parts;
  return formatPercent(Math.max(0, compute + running - computedForOthers(facts)) / facts.capacity);
}

/** Of workers without heartbeats nothing is known; empty if there is none, or if little is not explained. */
function silentWords(facts: Facts, unexplained: Cost): string {
  const { run, period, trans } = facts;
  const silent = liveWorkers(run).filter(({ overdue, lastSeen }) => overdue === true && lastSeen < period.to).length;
  return silent > 0 && unexplained.share >= LEAST_SHARE
    ? trans._n(
        '1 worker sends no heartbeat: what it does is not known. %2 of thread time computing, %3 not explained.',
        '%4 workers send no heartbeat: what they do is not known. %2 of thread time computing, %3 not explained.',
        silent,
        computingWords(facts),
        formatPercent(unexplained.share),
        formatCount(silent)
      )
    : '';
}

/** That there is nothing; and how little tasks use a CPU, which is all that is known of tasks that wait for something of their own. */
function nothingWrong(facts: Facts, isMore: boolean): string {
  const { trans } = facts;
  const computing = trans.__('%1 of thread time computing', computingWords(facts));
  const nothing = isMore ? trans.__('Nothing else wrong found: %1.', computing) : trans.__('Nothing wrong found: %1.', computing);
  return `${nothing} ${waitingWords(facts)}`.trim();
}

/** With a larger share on a CPU, tasks may compute, and wait for a core that others have. */
const HARDLY: Share = 0.02;

/** That threads of tasks waited more than they computed; empty if they did not, or that is not known. */
function waitingWords(facts: Facts): string {
  const { trans } = facts;
  const [onCpu, usual] = [waitingOnCpu(facts), functionsWaitingOnCpu(facts)];
  const isOfPeriod = !Number.isNaN(onCpu);
  const share = isOfPeriod ? onCpu : usual;
  if (Number.isNaN(share)) {
    return '';
  }
  const used = formatPercent(share);
  if (share < HARDLY) {
    return isOfPeriod
      ? trans.__('Tasks mostly waited or slept: their own threads used a CPU for %1 of that time.', used)
      : trans.__('Tasks mostly waited or slept: over all runs of these functions, they used a CPU for %1 of their time.', used);
  }
  return [
    isOfPeriod
      ? trans.__('The threads of tasks used a CPU for only %1 of that time.', used)
      : trans.__('Over all runs of these functions, tasks used a CPU for only %1 of their time.', used),
    // Else that is said of the machine.
    ...(busyMachine(facts) === null
      ? [trans.__('They may have waited for data, a lock, the GIL or a free core, or for threads that computed for them.')]
      : [])
  ].join(' ');
}

/** That much is not explained, and where it is. */
function noCause(facts: Facts, unexplained: Cost, left: Parts): readonly string[] {
  const { trans } = facts;
  const words = trans.__(
    'No cause found: %1 of thread time computing, %2 not explained.',
    computingWords(facts),
    formatPercent(unexplained.share)
  );
  const where = unexplained.share < LEAST_SHARE ? '' : detail(facts, () => whereWords(facts, unexplained, left));
  return [words, ...besideWords(facts), ...(where === '' ? [] : [where]), ...machineWords(facts, unexplained)];
}

/** That other programs probably had the CPU, where much is not explained or tasks wanted it. */
function machineWords(facts: Facts, unexplained: Cost): readonly string[] {
  // Tasks that used a CPU for a part of their time may have waited for it.
  const matters = unexplained.share >= LEAST_SHARE || waitingOnCpu(facts) >= HARDLY || functionsWaitingOnCpu(facts) >= HARDLY;
  const late = matters ? busyMachine(facts) : null;
  return late === null
    ? []
    : [
        facts.trans.__(
          'Other programs probably used the machine: Dask used little CPU, but event loops of the scheduler and of all workers ticked late (every %1 and %2 instead of 20 ms).',
          formatDuration(late.scheduler),
          formatDuration(late.workers)
        )
      ];
}

function whereWords(facts: Facts, unexplained: Cost, left: Parts): string {
  const { run, period, trans } = facts;
  const seceded = [...run.running.list].filter(each => each.seceded && each.start < period.to).length;
  if (seceded > 0) {
    return trans._n(
      '1 task that has seceded runs beside the threads: its time is not counted.',
      '%2 tasks that have seceded run beside the threads: their time is not counted.',
      seceded,
      formatCount(seceded)
    );
  }
  return isPaced(facts)
    ? trans.__(
        'Work comes at equal intervals, as in a stream in real time or from a client that takes as long each time, and is done before there is more.'
      )
    : whereUnexplained(facts, left, unexplained.seconds);
}

/** What else is to be known of the computing time. */
function besideWords(facts: Facts): readonly string[] {
  const { trans } = facts;
  const away = detail(facts, () => (haveSeceded(facts) ? secededWords(trans) : ''));
  const held = detail(facts, () => {
    const found = heldBySamples(facts);
    return found === null
      ? ''
      : trans.__('By samples, %1 of %2 threads had a task on average.', oneDecimal(found.held), oneDecimal(found.threads));
  });
  const others = detail(facts, () => {
    const share = shareOf(facts, heldByOthers(facts)?.all ?? 0);
    return share >= NOTEWORTHY ? trans.__('Other computations had %1 of thread time.', formatPercent(share)) : '';
  });
  const waits = detail(facts, () => unknownWaits(facts) ?? '');
  return [away, held, others, waits].filter(text => text !== '');
}

/** A sentence that is added; one that fails takes nothing else with it. */
function detail({ trans }: Facts, say: () => string): string {
  try {
    return say();
  } catch (error) {
    return trans.__('The rule failed: %1', oneLine(messageOf(error)));
  }
}
