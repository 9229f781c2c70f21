import type { Seconds } from '../../../base/units';
import { type Facts, once, threadsIn } from '../../facts';
import { joined, type Span } from '../../spans';
import type { Computation } from '../../../run/tables/computations';
import { isOfTasks } from '../../../selectors/tasks/computation-words';
import { isClocked, LEAST_BEATS } from './clocked';
import { areOfOneCell, cellsOf, isAnotherCell, NEAR, untilSubmitted } from './cells';
import { CLOCKS, gatheredIn, idleAround, isIdleAround, receivedIn } from './gathered';

/** With fewer rounds it is no loop. */
export const LEAST_ROUNDS = 4;
/** The same where one cell submits in all of them: a user who pauses begins another one. */
export const LEAST_IN_CELL = 2;
/** Submissions for each round: one, less some that are not known. */
const MOSTLY = 0.8;
/** A shorter time between two rounds is that of the connection. */
const LEAST_PAUSE: Seconds = 0.005;
/** Longer steps do not show the pauses of a quick loop. */
const FINE: Seconds = 0.005;

/** Shorter pauses are between two tasks, where no results were taken in them. */
const LEAST_SILENT: Seconds = 0.05;
/** Times as long as other pauses, at least. */
const APART = 2;
/** Of more, it would take too long to look for the pauses between them. */
const MOST_COMPUTATIONS = 200;

/** From one time when all was done and the client took results to the next. */
export interface Round {
  readonly begin: Seconds;
  readonly tasks: number;
  /** When the last of them began: from then on, a thread without a task has none since no more was submitted. */
  readonly last: Seconds;
  /** From the end of the last task to the start of the next one. */
  readonly pause: Span;
}

/** Rounds of a program that submits the next work only when it has the results of the last. */
export interface Loop {
  readonly rounds: readonly Round[];
  /** Noticeable pauses between rounds; of few, until workers had tasks again. */
  readonly pauses: readonly Span[];
  /**
   * When threads wait for the client: in rounds of fewer tasks than there are threads all the time, in others, and where it
   * takes no results or rounds are few, the pauses.
   */
  readonly waits: readonly Span[];
  /** In the other rounds, from the last task's start to its end. */
  readonly tails: readonly Span[];
  /** Time × threads of the rounds. */
  readonly capacity: Seconds;
  /** Whether the rounds begin at the beat of a clock, however long they take: nothing waits for the program. */
  readonly clocked: boolean;
  /** Whether they seem to, but are too few to know it. */
  readonly even: boolean;
  /** Whether no client is known to have taken results in between: it waited for them, as with `wait()`. */
  readonly silent: boolean;
  /** Whether they are so few that only the same cell shows that the user did not pause between them. */
  readonly few: boolean;
  /** Id of the client that submitted in them; `undefined` if that is not known, or if several did. */
  readonly client: string | undefined;
}

/** Rounds before which something was submitted, and what that may have been. */
interface Submitted extends Pick<Loop, 'rounds' | 'client'> {
  readonly submitted: ReadonlySet<Computation>;
}

/** Rounds after which a client took results, few or many. */
export const takenRounds = once(
  (facts): Submitted =>
    submitted(facts, facts.partition.steps.width > FINE ? exactRoundsOf(facts) : roundsOf(facts, takenIn(facts)))
);

/** The loop of the client in a period, whatever else runs in it; `null` if there is none. */
export const loopOf = once((facts): Loop | null => {
  const taken = takenRounds(facts);
  const isLoop = taken.rounds.length >= LEAST_ROUNDS;
  const others = isLoop ? taken : submitted(facts, exactly(facts, silentRoundsOf(facts)));
  const silent = !isLoop && others.rounds.length >= LEAST_ROUNDS;
  const { rounds, client } = silent ? others : taken;
  const few = rounds.length < LEAST_ROUNDS;
  if (few && (rounds.length < LEAST_IN_CELL || !areOfOneCell(taken.submitted, rounds))) {
    return null;
  }
  const isPause = ({ from, to }: Span): boolean => to - from >= LEAST_PAUSE;
  const keepsTime = (least: number): boolean =>
    isClocked(
      rounds.map(({ pause }) => pause.to),
      rounds.map(({ pause: { from, to } }) => to - from),
      silent ? 0 : exactness(facts),
      least
    );
  // Rounds of fewer tasks than there are threads leave threads idle in between, too.
  const isSerial = ({ begin, tasks, pause: { to } }: Round): boolean => tasks < threadsIn(facts.partition, { from: begin, to });
  const pauseOf = ({ pause }: Round): Span => (few ? untilSubmitted(facts, pause) : pause);
  // Who only waits for tasks needs none of their results to submit more: what could run beside them is not the client's. Nor
  // do a few rounds show that each needs the one before.
  const waits = rounds.flatMap(round =>
    isSerial(round) && !silent && !few ? [{ from: round.begin, to: round.pause.to }] : [pauseOf(round)].filter(isPause)
  );
  return {
    rounds,
    pauses: rounds.map(pauseOf).filter(isPause),
    waits: joined(waits),
    tails: rounds.filter(round => !isSerial(round) && !few).map(({ last, pause }) => ({ from: last, to: pause.from })),
    capacity: rounds.reduce(
      (sum, { begin, pause: { to } }) => sum + (to - begin) * threadsIn(facts.partition, { from: begin, to }),
      0
    ),
    clocked: keepsTime(LEAST_BEATS),
    even: keepsTime(LEAST_BEATS / 2),
    silent,
    few,
    client
  };
});

/** To how much the times of rounds are known: both ends of a pause lie in a step. */
function exactness({ partition: { steps } }: Facts): Seconds {
  return steps.width > FINE ? 0 : 2 * steps.width;
}

/**
 * Rounds before which a computation was submitted that has about as many submissions as it has rounds: a client that submits
 * once and takes results as they come does not hold anything up.
 */
function submitted(facts: Facts, rounds: readonly Round[]): Submitted {
  const computations = facts.computations.filter(each => isOwn(facts, each));
  const of = new Map<Round, Computation[]>();
  const counts = new Map<Computation, number>();
  for (const round of rounds) {
    const next = round.pause.to;
    const around = computations.filter(({ values: { since, last, stop, left } }) => {
      const end = left > 0 ? facts.run.clock.latest : Math.max(stop || 0, last);
      return since <= next + NEAR && end >= next - NEAR;
    });
    of.set(round, around);
    for (const each of around) {
      counts.set(each, (counts.get(each) ?? 0) + 1);
    }
  }
  const clients = new Map<string, number>();
  const fitting = [...counts].filter(([{ values }, count]) => (values.submissions || 0) >= MOSTLY * count);
  const all = new Set(fitting.map(([each]) => each));
  const found = rounds.filter(round => {
    const here = of.get(round)?.filter(each => all.has(each)) ?? [];
    for (const client of new Set(here.map(each => each.client))) {
      clients.set(client, (clients.get(client) ?? 0) + 1);
    }
    return here.length > 0;
  });
  // Another one may submit something during a few rounds.
  return {
    ...{ rounds: found, submitted: all },
    client: only([...clients].filter(([, count]) => count >= MOSTLY * found.length).map(([client]) => client))
  };
}

/** The only client of some; `undefined` if there are several, or if it is not known. */
export function only(clients: readonly string[]): string | undefined {
  const [first, ...others] = new Set(clients);
  return first === '' || others.length > 0 ? undefined : first;
}

/**
 * Whether a computation may be of the client of the selected one, or of its tasks: no other client holds that up by being
 * waited for.
 */
export function isOwn({ computation }: Facts, { client }: Computation): boolean {
  return computation === null || client === computation.client || isOfTasks(client);
}

/** Rounds after which a client took results, for a long period. */
function exactRoundsOf(facts: Facts): readonly Round[] {
  const { run, period, partition } = facts;
  const gathers = receivedIn(facts);
  // Many tasks may fail in each round, or all that clients ask for.
  const isIdle = [gatheredIn(facts), gathers].some(moments => isIdleAround(run, moments));
  if (gathers.length < LEAST_IN_CELL || !isIdle) {
    return [];
  }
  const { steps, threads } = partition;
  const stepAt = (time: Seconds): number => Math.min(steps.count - 1, Math.max(0, Math.floor((time - steps.from) / steps.width)));
  const cells = cellsOf(facts);
  const rounds: Round[] = [];
  let [begin, before] = [period.from, 0];
  for (const idle of idleAround(run, gathers, period.from)) {
    const tasks = idle.before - before;
    const nobody = threads.subarray(stepAt(idle.from), stepAt(idle.to) + 1).includes(0);
    if (idle.to < period.to && tasks > 0 && !nobody && !isAnotherCell(cells, idle)) {
      rounds.push({ begin, tasks, last: idle.began, pause: { from: idle.from, to: idle.to } });
    }
    [begin, before] = [idle.to, idle.before];
  }
  return rounds;
}

/**
 * Rounds, from what was executed: nothing was left to do, and later something else began.
 *
 * @param isEnd - whether such a pause ends a round; is asked in order
 */
function roundsOf(facts: Facts, isEnd: (pause: Span) => boolean): readonly Round[] {
  const { activity, steps, threads } = facts.partition;
  const { from, width, count: length } = steps;
  const rounds: Round[] = [];
  const cells = cellsOf(facts);
  let begin = from;
  let last = from;
  let tasks = 0;
  let i = 0;
  while (i < length) {
    if (busy(facts, i)) {
      tasks += activity.starts[i];
      last = activity.starts[i] > 0 ? from + i * width : last;
      i += 1;
      continue;
    }
    const first = i;
    while (i < length && !busy(facts, i)) {
      i += 1;
    }
    const pause = { from: from + first * width, to: from + i * width };
    // While there is no worker, nobody waits for the client.
    if (isAnotherCell(cells, pause) || threads.subarray(first, i).includes(0)) {
      begin = pause.to;
      tasks = 0;
    } else if (i < length && tasks > 0 && isEnd(pause)) {
      rounds.push({ begin, tasks, last, pause });
      begin = pause.to;
      tasks = 0;
    }
  }
  return rounds;
}

/**
 * Whether a client took results in a pause. By the clock of its worker, a task may seem to end some milliseconds after its
 * result was taken.
 */
function takenIn(facts: Facts): (pause: Span) => boolean {
  const gathers = receivedIn(facts);
  const early = Math.max(CLOCKS, 2 * facts.partition.steps.width);
  let next = 0;
  return ({ from, to }) => {
    while (next < gathers.length && gathers[next] < from - early) {
      next += 1;
    }
    const isTaken = next < gathers.length && gathers[next] <= to;
    next += isTaken ? 1 : 0;
    return isTaken;
  };
}

/**
 * Rounds of a client that takes no results, as with `persist()` and `wait()`: about as many pauses as there are graphs after
 * the first one are much longer than all others, and graphs come in them.
 */
function silentRoundsOf(facts: Facts): readonly Round[] {
  const { computations, period, partition } = facts;
  const own = computations.filter(({ values: { since } }) => since >= period.from);
  const graphs = own.reduce((sum, { values }) => sum + (values.submissions || 0), 0) - 1;
  const shortest = Math.max(LEAST_SILENT, 2 * partition.steps.width);
  if (graphs < LEAST_ROUNDS || own.length > MOST_COMPUTATIONS) {
    return [];
  }
  const lengths = roundsOf(facts, ({ from, to }) => to - from >= shortest)
    .map(({ pause: { from, to } }) => to - from)
    .sort((a, b) => b - a);
  let [least, apart] = [Number.POSITIVE_INFINITY, 0];
  for (let count = Math.ceil(MOSTLY * graphs); count <= Math.min(graphs, lengths.length); count++) {
    const ratio = lengths[count - 1] / (lengths[count] ?? shortest);
    [least, apart] = ratio > apart ? [lengths[count - 1], ratio] : [least, apart];
  }
  const rounds = apart >= APART ? roundsOf(facts, ({ from, to }) => to - from >= least) : [];
  const arrivals = own.flatMap(({ values: { since, last } }) => [since, last]).filter(time => time > rounds[0]?.pause.from);
  const within = arrivals.filter(time => rounds.some(({ pause }) => time >= pause.from - NEAR && time <= pause.to + NEAR));
  return within.length > 0 && within.length >= MOSTLY * arrivals.length ? rounds : [];
}

/**
 * The same rounds with the times of their pauses by executions: by steps, beats of a clock in a long period look the same as
 * pauses of a client.
 */
function exactly({ run, period }: Facts, rounds: readonly Round[]): readonly Round[] {
  const middles = rounds.map(({ pause: { from, to } }) => (from + to) / 2);
  const idle = rounds.length === 0 ? [] : idleAround(run, middles, period.from);
  let next = 0;
  return rounds.map((round, k) => {
    next += idle[next]?.to < middles[k] ? 1 : 0;
    const found = idle[next];
    return found?.from <= middles[k] && middles[k] <= found.to ? { ...round, pause: { from: found.from, to: found.to } } : round;
  });
}

function busy({ partition }: Facts, i: number): boolean {
  const { compute, running, transfer, disk } = partition.activity;
  return compute[i] + running[i] + transfer[i] + disk[i] > 0;
}
