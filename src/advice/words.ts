/** Advice as text, for panes, cards, reports and screen readers. */
import { formatCount, formatDuration, formatElapsed, formatPercent } from '../base/format';
import type { Seconds, Share } from '../base/units';
import type { Translate } from '../plot/plot';
import { SHORTEST_PAUSE } from '../run/lanes/busy-periods';
import type { Run } from '../run/run';
import type { Period } from '../run/selection/selection';
import { extentWords } from '../selectors/selection/statistics-words';
import { namedClients } from '../selectors/tasks/computation-words';
import { liveWorkers } from '../selectors/workers/worker-rows';
import type { Advice, Confidence, Cost, Verdict } from './advice';
import { cellsIn } from './cells/cells';
import { shareWords, wallOf } from './headline/shares';
import { sinceStartWords } from '../selectors/moments';

/** Shorter periods are written with tenths of a second. */
const SHORT = 60;

/** Verdicts whose causes the user has not hidden. */
export function visibleVerdicts({ verdicts }: Advice, hidden: ReadonlySet<string>): readonly Verdict[] {
  return verdicts.filter(({ cause }) => !hidden.has(cause));
}

/**
 * Verdicts shown where there is room for few. Leaves out a client that may work at its own pace (`ownPace`), and beside it that there
 * was little parallelism: such work needs no remedy. The pane lists both.
 */
export function noticedVerdicts(advice: Advice, hidden: ReadonlySet<string>): readonly Verdict[] {
  const visible = visibleVerdicts(advice, hidden);
  const hasOwnPace = visible.some(({ ownPace }) => ownPace === true);
  return visible.filter(
    each => each.ownPace !== true && !(hasOwnPace && each.cause === 'little-parallelism' && each.confidence !== 'high')
  );
}

/** One sentence: what costs most, or that nothing was found. */
export function headlineOf(advice: Advice, hidden: ReadonlySet<string>, trans: Translate): string {
  const [first] = visibleVerdicts(advice, hidden);
  if (first !== undefined) {
    return first.sentence;
  }
  const { length } = advice.verdicts;
  return length > 0 ? trans._n('1 cause found, which is hidden.', '%1 causes found, which are hidden.', length) : advice.headline;
}

/** That nothing was found about all of the newest work but what is said of one of its cells. */
export function besideCellWords(advice: Advice, trans: Translate): string {
  return trans.__(
    'In all of the newest work (%1), no cause was found but that of one cell, below. %2.',
    thoseThreads(advice, trans),
    shareWords(advice, trans).slice(0, 2).join(', ')
  );
}

/** That nothing was found, and how many causes could not be checked. */
function nothingWords({ headline, unknown: { length } }: Advice, trans: Translate): string {
  const rest = length === 0 ? '' : trans._n('1 cause could not be checked.', '%1 causes could not be checked.', length);
  return `${headline} ${rest}`.trim();
}

/**
 * What is said where no verdict is shown: that nothing was found, or, where work may come at a pace of its own, only how long
 * there was none. Empty where what was found is hidden, or about another client.
 *
 * @param client - whose work the words are about; empty for that of all
 */
export function withoutVerdictWords(advice: Advice, hidden: ReadonlySet<string>, client: string, trans: Translate): string {
  if (advice.verdicts.length === 0) {
    return nothingWords(advice, trans);
  }
  const paced = visibleVerdicts(advice, hidden).find(({ ownPace }) => ownPace === true);
  return paced === undefined || (client !== '' && paced.client !== undefined && paced.client !== client)
    ? ''
    : trans.__(
        'For %1 of thread time there was no work: the client takes its time before it submits more, or work comes at a pace of its own.',
        formatPercent(paced.cost.share)
      );
}

/** A sentence about work that goes on. */
export function provisionalWords(sentence: string, trans: Translate): string {
  return trans.__('%1 The work goes on, so this may change.', sentence);
}

/**
 * "These causes cost 20 % of 24 s × 32 threads", or the sentence that nothing was found.
 *
 * @param isProvisional - whether the work goes on
 */
export function savingWords(advice: Advice, hidden: ReadonlySet<string>, trans: Translate, isProvisional = false): string {
  const { capacity } = advice;
  const costly = visibleVerdicts(advice, hidden).filter(({ cost }) => cost.seconds > 0);
  const seconds = costly.reduce((sum, { cost }) => sum + cost.seconds, 0);
  if (advice.period === null || !(seconds > 0)) {
    const headline = headlineOf(advice, hidden, trans);
    return isProvisional ? provisionalWords(headline, trans) : headline;
  }
  const words = trans._n(
    'This cause costs %2 of %3',
    'These causes cost %2 of %3',
    costly.length,
    formatPercent(seconds / capacity),
    isProvisional ? trans.__('%1 so far', thoseThreads(advice, trans)) : thoseThreads(advice, trans)
  );
  const workerless = Math.max(...visibleVerdicts(advice, hidden).map(each => each.workerless ?? 0));
  return workerless > 0 ? trans.__('%1, and %2 without any worker', words, formatDuration(workerless)) : words;
}

/** For how long a cause left no worker, if that is most of what it costs; 0 if not. */
export function mostlyWorkerless({ threads }: Advice, { cost, workerless = 0 }: Verdict): Seconds {
  return workerless * threads > cost.seconds ? workerless : 0;
}

/** "20 % of 9.2 s", what a cause costs; or, if that is longer, for how long it left no worker. Empty if it costs nothing. */
export function costWords(advice: Advice, verdict: Verdict, trans: Translate): string {
  const { capacity, threads } = advice;
  const { cost } = verdict;
  const workerless = mostlyWorkerless(advice, verdict);
  if (workerless > 0) {
    return trans.__('no worker for %1 of %2', formatDuration(workerless), formatDuration(wallOf(advice)));
  }
  return cost.seconds > 0
    ? trans.__('%1 of %2', formatPercent(cost.share), formatDuration(threads > 0 ? capacity / threads : 0))
    : '';
}

/** "24 s × 32 threads", what shares are of. */
export function thoseThreads({ capacity, threads }: Advice, trans: Translate): string {
  const time = threads > 0 ? capacity / threads : 0;
  return extentWords({ from: 0, to: time }, { count: threads }, trans);
}

/**
 * The period that advice is about, after the start of the run; of the newest work also whose it is, where others had some.
 *
 * @param about - `work` where another period is selected: that of the evidence
 */
export function periodWords(run: Run, { period }: Advice, about: 'newest' | 'selected' | 'work', trans: Translate): string {
  if (period === null) {
    return '';
  }
  const decimals = period.to - period.from < SHORT ? 1 : 0;
  const [from, to] = [period.from, period.to].map(time => sinceStartWords(time, run, trans, decimals));
  const words = {
    newest: () => newestWords(run, period, from, to, trans),
    selected: () => trans.__('selected: %1 – %2', from, to),
    work: () => trans.__('this work: %1 – %2', from, to)
  }[about]();
  if (period.from === run.tasks.incompleteUntil) {
    return trans.__('%1 · only sums are kept for older tasks', words);
  }
  const idle = about === 'newest' ? idleFor(run, period) : 0;
  return idle > 0 ? trans.__('%1 · the cluster has been idle for %2', words, formatElapsed(idle)) : words;
}

/** "newest work: 0:12 – 0:15", "newest work: 0:12 – 0:15, of a.ipynb and b.ipynb". */
function newestWords(run: Run, period: Period, from: string, to: string, trans: Translate): string {
  const names = namedClients(run);
  const clients = cellsIn(run, period).flatMap(({ computations }) => computations.map(({ client }) => client));
  const whose = [...new Set(clients)].flatMap(client => (client === run.client ? [] : (names.get(client) ?? [])));
  if (whose.length === 0) {
    return trans.__('newest work: %1 – %2', from, to);
  }
  const others = whose.join(', ');
  return clients.includes(run.client)
    ? trans.__('newest work: %1 – %2, also of %3', from, to, others)
    : trans.__('newest work: %1 – %2, of %3', from, to, others);
}

/** Time since the last work, while nothing is under way; 0 if it is not long. */
function idleFor(run: Run, { to }: Period): Seconds {
  const idle = run.clock.latest - to;
  return idle >= SHORTEST_PAUSE && liveWorkers(run).length > 0 ? idle : 0;
}

/** What is less than this share of the time that was measured is not all of it. */
const ALL: Share = 0.95;

/** Whether other causes have some of the time that a cause claims. */
export function isPart(cost: Cost, claimed: Seconds): boolean {
  return cost.seconds < ALL * claimed;
}

/** A sentence with seconds as they were measured, beside the share of what was left of them: it says so. */
export function measuredWords(sentence: string, cost: Cost, claimed: Seconds, trans: Translate): string {
  return isPart(cost, claimed) ? trans.__('%1 The share is without what other causes explain.', sentence) : sentence;
}

/** "1 task", "20 tasks". */
export function tasksWords(count: number, trans: Translate): string {
  return trans._n('1 task', '%2 tasks', count, formatCount(count));
}

/** How certain a verdict is. */
export function confidenceWords(confidence: Confidence, trans: Translate): string {
  const words: Readonly<Record<Confidence, string>> = {
    high: trans.__('certain'),
    medium: trans.__('likely'),
    low: trans.__('uncertain')
  };
  return words[confidence];
}
