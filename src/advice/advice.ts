/**
 * What the adviser says of a run: causes of lost time with their cost, the evidence and the remedy. A pure function of a
 * run and a period computes it (`advise.ts`). Nothing here imports JupyterLab: a report and Node compute it, too.
 */
import type { Seconds, Share } from '../base/units';
import type { Period, Selection } from '../run/selection/selection';
import type { Part } from './time/parts';

/** Themes of causes, in the order of the documentation. */
export const THEMES = ['scheduling', 'memory', 'transfer', 'compute', 'client'] as const;
export type Theme = (typeof THEMES)[number];

/** Every cause that is looked for. Saved with what a user has hidden, so a name never changes. */
export const CAUSES = [
  'small-tasks',
  'little-parallelism',
  'straggler',
  'uneven-workers',
  'no-worker-fits',
  'lost-worker',
  'event-loop-blocked',
  'late-event-loops',
  'late-start',
  'slow-worker',
  'spilling',
  'oversized-chunks',
  'paused',
  'unmanaged-memory',
  'near-limit',
  'kept-results',
  'transfers',
  'serialisation',
  'computed-again',
  'gil',
  'failures',
  'retries',
  'cancelled-tasks',
  'client-waits',
  'large-graph',
  'data-by-value',
  'work-stealing',
  'held-back',
  'queueing',
  'between-tasks',
  'nested-tasks',
  'locks',
  'other-work'
] as const;
export type Cause = (typeof CAUSES)[number];

/** How certain a verdict is. */
export type Confidence = 'high' | 'medium' | 'low';

/** Units of figures; `share` is from 0 to 1. */
export type Unit = 's' | 'B' | 'share' | 'count';

/** One figure of the evidence. */
export interface Figure {
  /** Translated. */
  readonly label: string;
  /** In `unit`, with full precision; NaN if it is not known. */
  readonly value: number;
  readonly unit: Unit;
  /** The value as text, with its unit. */
  readonly text: string;
}

/** Time of threads that a cause costs. */
export interface Cost {
  /** Thread-seconds of the period. */
  readonly seconds: Seconds;
  /** Of wall time × threads of the period. */
  readonly share: Share;
}

/** What proves a verdict. */
export interface Evidence {
  /** What "Show me" selects. */
  readonly selection: Selection;
  /** Id of the plot that shows it best. */
  readonly plot: string;
  readonly figures: readonly Figure[];
}

/** One cause that was found. Texts are translated; names in them are untrusted text on one line. */
export interface Verdict {
  readonly cause: Cause;
  readonly theme: Theme;
  /** What it is, in some words. */
  readonly title: string;
  readonly cost: Cost;
  /** Time without any worker that it is to blame for: no thread lost it, so that it is in no cost. */
  readonly workerless?: Seconds;
  readonly confidence: Confidence;
  /** Why it is not certain; empty if it is. */
  readonly doubt: string;
  /** Whether it is that work may come at a pace of its own, by which nothing is lost. */
  readonly ownPace?: boolean;
  /** Id of the client that it is about, if it is known to be about one. */
  readonly client?: string;
  readonly evidence: Evidence;
  /** What holds the run back, in one sentence with figures. */
  readonly sentence: string;
  /** What to do, in one or two sentences. */
  readonly remedy: string;
  /** Address of Dask's documentation about it. */
  readonly link: string;
}

/** A cause that was looked for. */
export interface Sought {
  readonly cause: Cause;
  /** Translated. */
  readonly title: string;
}

/** A cause that cannot be looked for. */
export interface Unknown extends Sought {
  /** A sentence: what is missing. Translated. */
  readonly why: string;
}

/** What the adviser says of a period of a run. */
export interface Advice {
  /** The period as far as the run has come; `null` if nothing has run in it. */
  readonly period: Period | null;
  /** Time × threads of the period, in thread-seconds, while any are there and no pause of the user is. */
  readonly capacity: Seconds;
  /** Threads on average meanwhile. */
  readonly threads: number;
  /** Time of the period that counts as nobody's: nothing had been submitted for long. */
  readonly pauses: Seconds;
  /** Time in which a computation was in progress without any worker. */
  readonly workerless: Seconds;
  /**
   * Time in which the scheduler did not answer. Threads that ran nothing then are in no other time: whether they had anything
   * to do is not known.
   */
  readonly unanswered: Seconds;
  /** What the threads did; the parts add up to `capacity`. */
  readonly parts: Readonly<Record<Part, Seconds>>;
  /**
   * The causes, highest cost first; failures come before what costs little, dangers without a cost last. No second is in two
   * costs: with `unexplained` they add up to at most the time that was not computed, plus the wasted computing time.
   */
  readonly verdicts: readonly Verdict[];
  /** Computing time that is part of the costs, such as waiting for the GIL; without {@link computedForOthers}. */
  readonly computedInVain: Seconds;
  /**
   * What of {@link computedInVain} Dask keeps no record of, at most, such as attempts that failed: in pictures of tasks it is no
   * computing.
   */
  readonly unrecordedInVain: Seconds;
  /** Computing time of others than the selected computation: what of it held that up is a cost of it, and no wasted work. */
  readonly computedForOthers: Seconds;
  /** Checked and not found. */
  readonly absent: readonly Sought[];
  /** Not known, and why. */
  readonly unknown: readonly Unknown[];
  /** Time that was not computed and that no verdict explains. */
  readonly unexplained: Cost;
  /** Whether other programs probably had much of the CPU: event loops of scheduler and workers were late, and Dask used little. */
  readonly machineBusy: boolean;
  /** One sentence: the first verdict, or that nothing was found. */
  readonly headline: string;
}
