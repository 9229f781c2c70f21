/** The contract of a rule: one cause, how it is recognised, and what to do. */
import type { Seconds, Share } from '../base/units';
import type { Topic } from '../feed/schema';
import type { Translate } from '../plot/plot';
import type { Cause, Confidence, Cost, Evidence, Theme, Unit } from './advice';
import { type Facts, LEAST_SHARE } from './facts';
import type { Claim } from './spans';

/** A number that decides, and where it is from. For the documentation; texts are in English. */
export interface Threshold {
  readonly value: number;
  readonly unit: Unit;
  readonly of: string;
  readonly source: string;
}

/** What every cost has to reach: for rules that need nothing else to decide. */
export const LEAST_COST: Threshold = {
  value: LEAST_SHARE,
  unit: 'share',
  of: 'the time of all threads that is lost',
  source: 'measured: healthy runs lose as much in their first and last moments'
};

/** What a rule found. */
export interface Finding {
  /** Time that the cause takes. It is given to the rules in their order, and only what is left of it: no second is counted twice. */
  readonly claims: readonly Claim[];
  readonly confidence: Confidence;
  /** Why it is not certain; empty if it is. */
  readonly doubt?: string;
  /** Whether work may come at a pace of its own: then nothing is lost. */
  readonly ownPace?: boolean;
  /** Id of the client that it is about, if it is known to be about one. */
  readonly client?: string | undefined;
  readonly evidence: Evidence;
  /** What it is, in some words, where that of the rule would say too much. */
  readonly title?: string;
  /** What to do, where that of the rule would not help. */
  readonly remedy?: string;
  /** The sentence, for the cost that was given. */
  sentence(cost: Cost): string;
  /** Time without any worker that it is to blame for, if that is long. */
  readonly workerless?: Seconds;
  /** What it counts as in the order of verdicts, where it took more than its cost: threads that were not there have no time. */
  readonly weight?: Share;
  /** Causes of which this one is the end: they come after it. */
  readonly above?: readonly Cause[];
  /** What else the rule found: reported if other causes have too much of the time of this. */
  readonly otherwise?: Finding;
  /** It is reported even if it costs nothing: a danger, not a loss. */
  readonly always?: boolean;
}

/** One cause. */
export interface Rule {
  readonly cause: Cause;
  readonly theme: Theme;
  /** File of `test/advice/workloads` that shows it. */
  readonly workload: string;
  /** How it is recognised. For the documentation, in English. */
  readonly recognised: string;
  /** Topics without which it is not known. */
  readonly needs: readonly Topic[];
  readonly thresholds: readonly Threshold[];
  readonly link: string;
  /** Something went wrong: its verdicts come before those that cost little. */
  readonly isHarm?: true;
  /** The computing time in its cost is that of others: it was not wasted. */
  readonly computedByOthers?: true;
  /** What it is, in some words. */
  title(trans: Translate): string;
  /** What to do. */
  remedy(trans: Translate): string;
  /** What else is missing, as a sentence; `null` if the rule can decide. */
  unknown?(facts: Facts): string | null;
  /** The cause, if there is one. */
  find(facts: Facts): Finding | null;
  /** Where it was not found: why it may be there anyway, as a sentence; `null` if it would have been found. */
  overlooked?(facts: Facts): string | null;
}
