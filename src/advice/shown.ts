/** Advice as the views of a run share it: computed once, and for one period. */
import { Signal } from '@lumino/signaling';
import type { Milliseconds, Seconds } from '../base/units';
import { TOPICS, type Topic } from '../feed/schema';
import type { Translate } from '../plot/plot';
import { liveOf } from '../run/frozen';
import type { Run } from '../run/run';
import { type Period, type Selection, selectionOf } from '../run/selection/selection';
import { advise } from './advise';
import type { Advice, Verdict } from './advice';
import { allWork, type AskedPeriod, newestPeriod, timeOfWork } from './period';
import { RULES } from './rules';

/** What the partition of time and every rule read. */
const READ: ReadonlySet<Topic> = new Set<Topic>([
  ...(['meta', 'tasks', 'workers', 'running', 'attempts', 'errors', 'computations', 'prefixes', 'series', 'activities'] as const),
  // What fused tasks have in common, and when workers paused.
  ...(['profile', 'logs'] as const),
  ...RULES.flatMap(rule => rule.needs)
]);
/** The topics that advice needs. */
export const ADVICE_TOPICS: readonly Topic[] = TOPICS.filter(topic => READ.has(topic));

/** Limits of the time between two computations. */
const PERIOD: Milliseconds = 1000;
const LONGEST_PERIOD: Milliseconds = 5000;
/** Share of the main thread that it may take. */
const LOAD = 0.02;
/** Periods of one run whose advice is kept: what is selected, the newest work, two of its cells, and what of one is of one client. */
const KEPT = 5;

interface Known {
  readonly print: string;
  readonly trans: Translate;
  readonly advice: Advice;
  readonly took: Milliseconds;
  readonly at: Seconds;
}

const known = new WeakMap<Run, readonly Known[]>();

/** What was reported about a run, or about a copy of it. */
export interface ReportedAdvice {
  readonly advice: Advice;
  /** The period that was asked about; `null` for the newest work. */
  readonly asked: AskedPeriod | null;
  /** Whether it is the verdict about the newest work that is shown where there is room for only one. */
  readonly isTop: boolean;
  /** The run when it was computed. */
  readonly identity: string;
  readonly at: Seconds;
}

/** By live run: the last advice, the last about its newest work, and the last about a selected period. */
const reported = new WeakMap<Run, readonly ReportedAdvice[]>();

/** Signals of live runs. */
const changes = new WeakMap<Run, Signal<Run, void>>();

/** The advice about a run, or what the user has hidden, has changed. */
export function adviceChanged(run: Run): Signal<Run, void> {
  const live = liveOf(run);
  const signal = changes.get(live) ?? new Signal<Run, void>(live);
  changes.set(live, signal);
  return signal;
}

/** Older advice is not shown beside pictures: no view of the run computes it any more. */
const STALE: Seconds = 10;

/**
 * The last advice about a run that is still true: what card and sidebar show, else of its newest work if that was asked for;
 * `null` if nothing is. Marks are about the same period as the sentence.
 */
export function reportedAdviceOf(run: Run): ReportedAdvice | null {
  // The clock of a recording goes back: what was found at a later moment is not so yet.
  const latest = Number.isNaN(run.anchor) ? Number.POSITIVE_INFINITY : run.clock.latest;
  const fresh = (reported.get(liveOf(run)) ?? []).filter(
    ({ identity, at }) => identity === run.identity && at <= latest && Math.abs(run.clock.latest - at) <= STALE
  );
  return fresh.find(({ isTop }) => isTop) ?? fresh.find(({ asked }) => asked === null) ?? fresh[0] ?? null;
}

/**
 * What holds a run back in a period. It is computed once for each state of the run.
 *
 * @param period - `null` for the newest work
 */
export function adviceOf(run: Run, period: AskedPeriod | null, trans: Translate): Advice {
  const { advice, fresh } = computed(run, period ?? newestPeriod(run), trans);
  if (fresh) {
    report(run, { advice, asked: period, isTop: false, identity: run.identity, at: run.clock.latest });
  }
  return advice;
}

/** What held a recorded run back in all of its work, and the period of that; `null` if it is the newest work. */
export function adviceOfAll(run: Run, trans: Translate): { readonly advice: Advice; readonly asked: Period | null } {
  const asked = allWork(run);
  return { advice: adviceOf(run, asked, trans), asked };
}

/** Keep what card and sidebar say of the newest work: see `topVerdictOf`. */
export function keepTopVerdict(run: Run, advice: Advice, asked: AskedPeriod | null): void {
  report(run, { advice, asked, isTop: true, identity: run.identity, at: run.clock.latest });
}

/** What holds a run back in a period that nobody has selected: pictures do not show it. */
export function adviceOfPart(run: Run, period: AskedPeriod, trans: Translate): Advice {
  return computed(run, period, trans).advice;
}

function computed(run: Run, meant: AskedPeriod | null, trans: Translate): { readonly advice: Advice; readonly fresh: boolean } {
  const print = JSON.stringify([run.identity, run.clock.latest, meant, ADVICE_TOPICS.map(topic => run.version(topic))]);
  const before = known.get(run) ?? [];
  const same = before.find(each => each.print === print && each.trans === trans);
  if (same !== undefined) {
    return { advice: same.advice, fresh: false };
  }
  const begin = performance.now();
  const advice = advise(run, meant, trans);
  const took = performance.now() - begin;
  known.set(run, [{ print, trans, advice, took, at: run.clock.latest }, ...before].slice(0, KEPT));
  return { advice, fresh: true };
}

function report(run: Run, now: ReportedAdvice): void {
  const live = liveOf(run);
  const before = reported.get(live) ?? [];
  const same = (each: ReportedAdvice): boolean =>
    each.isTop === now.isTop && (now.isTop || (each.asked === null) === (now.asked === null));
  reported.set(live, [now, ...before.filter(each => !same(each))]);
  const last = before.find(same);
  if (last === undefined || marksOf(last.advice) !== marksOf(now.advice)) {
    changes.get(live)?.emit();
  }
}

/** What pictures show of advice. */
function marksOf({ verdicts }: Advice): string {
  return JSON.stringify(verdicts.map(({ cause, sentence, evidence }) => [cause, sentence, evidence.selection.period]));
}

/** Minimum time between two computations: a second, up to five where one takes long. */
export function advicePace(run: Run): Milliseconds {
  const all = known.get(run) ?? [];
  return paceOf(all.filter(({ at }) => at === all[0].at).reduce((sum, { took }) => sum + took, 0));
}

/** Minimum time between two computations of advice, by how long one takes. */
export function paceOf(took: Milliseconds): Milliseconds {
  return Math.min(LONGEST_PERIOD, Math.max(PERIOD, took / LOAD));
}

/** A selection that "Show me" made, and the period of its verdict. */
interface Shown {
  readonly selection: string;
  readonly period: AskedPeriod | null;
}

const shown = new WeakMap<Run, Shown>();

/**
 * The period that the user asks about: the selected one, or the time of the selected computation, as cards have it. `null` for
 * the newest work. The evidence of a verdict is selected without asking about its period.
 */
export function askedPeriod(run: Run): AskedPeriod | null {
  const selection = selectionOf(run).current;
  const evidence = shownEvidence(run);
  if (evidence !== null) {
    return evidence.period;
  }
  const { period, computation } = selection;
  if (period === null || computation?.run !== run.identity) {
    return period;
  }
  const found = run.computations.find(computation.id);
  return (found && timeOfWork(run, [found])) ?? { ...period, computation: computation.id };
}

/** What "Show me" has selected; `null` if what is selected now is the user's choice. */
function shownEvidence(run: Run): Shown | null {
  const last = shown.get(liveOf(run));
  return last !== undefined && last.selection === JSON.stringify(selectionOf(run).current) ? last : null;
}

/** What {@link askedPeriod} is: `work` is what a verdict is about whose evidence is selected. */
export function askedAbout(run: Run): 'newest' | 'selected' | 'work' {
  return askedPeriod(run) === null ? 'newest' : shownEvidence(run) === null ? 'selected' : 'work';
}

/**
 * Select the evidence of a verdict.
 *
 * @param period - that the verdict is about; `null` for the newest work
 */
export function showEvidence(run: Run, { evidence }: Verdict, period: AskedPeriod | null): void {
  const selection = selectionOf(run);
  selection.show(evidence.selection);
  shown.set(liveOf(run), { selection: JSON.stringify(selection.current satisfies Selection), period });
}
