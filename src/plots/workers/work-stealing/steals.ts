/** Steals in the visible time: by period, by outcome, and by the pair of workers. */
import type { Seconds } from '../../../base/units';
import { alignsWithStream, commonSpan, spanOf } from '../../../charts/over-time/span';
import { columnWidth, type Span } from '../../../charts/over-time/thin';
import { STEAL_OUTCOME, type StealOutcome } from '../../../feed/schema';
import type { PlotContext } from '../../../plot/plot';
import type { Steal } from '../../../run/logs/steals';
import type { Run } from '../../../run/run';

/** Steals of one period. */
export interface Period extends Span {
  readonly steals: readonly Steal[];
}

/** The visible time. */
export interface Visible extends Span {
  readonly shared: boolean;
  readonly width: Seconds;
  readonly steals: readonly Steal[];
}

const COLUMNS = 80;

/** What is visible; `null` without a steal. */
export function visible(run: Run, context: PlotContext): Visible | null {
  const { list } = run.steals;
  const shown = list.filter(({ time }) => !(time > run.clock.latest));
  if (shown.length === 0) {
    return null;
  }
  const shared = commonSpan(run, context);
  const begin = shown[0].time - 1;
  const own = spanOf(run, context) ?? { from: begin, to: Math.max(run.clock.latest, begin + 1) };
  const span: Span = shared ?? own;
  const { from, to } = span;
  const steals = shown.filter(({ time }) => time >= from && time <= to);
  return { ...span, shared: alignsWithStream(run, context), width: columnWidth(span, COLUMNS), steals };
}

/** Periods with steals, in order. */
export function periods({ steals, width, from, to }: Visible): readonly Period[] {
  const found = new Map<number, Steal[]>();
  for (const steal of steals) {
    const column = Math.floor(steal.time / width);
    const list = found.get(column) ?? [];
    found.set(column, list);
    list.push(steal);
  }
  return [...found]
    .sort(([a], [b]) => a - b)
    .map(([column, list]) => ({ from: Math.max(from, column * width), to: Math.min(to, (column + 1) * width), steals: list }));
}

/** Number of steals by outcome. */
export function counts(steals: readonly Steal[]): Readonly<Record<StealOutcome, number>> {
  const sums = Object.fromEntries(STEAL_OUTCOME.map(outcome => [outcome, 0])) as Record<StealOutcome, number>;
  for (const { outcome } of steals) {
    sums[outcome] += 1;
  }
  return sums;
}

/** Estimated work of the steals that moved a task; those without an estimate add nothing. NaN if none has one. */
export function moved(steals: readonly Steal[]): Seconds {
  const costs = steals.filter(({ outcome }) => outcome === 'confirmed').map(({ cost }) => cost);
  const known = costs.filter(Number.isFinite);
  return costs.length > 0 && known.length === 0 ? Number.NaN : known.reduce((sum, cost) => sum + cost, 0);
}

/** Steals from one worker to another. */
export interface Pair {
  readonly victim: number;
  readonly thief: number;
  readonly steals: readonly Steal[];
}

/** Steals by the pair of workers, the most first. */
export function pairs(steals: readonly Steal[]): readonly Pair[] {
  const found = new Map<string, { victim: number; thief: number; steals: Steal[] }>();
  for (const steal of steals) {
    const { victim, thief } = steal;
    const id = `${victim} ${thief}`;
    const pair = found.get(id) ?? { victim, thief, steals: [] };
    found.set(id, pair);
    pair.steals.push(steal);
  }
  return [...found.values()].sort((a, b) => b.steals.length - a.steals.length);
}

/** Functions of steals with how many tasks, the most first. */
export function functions(steals: readonly Steal[]): readonly (readonly [prefix: number, count: number])[] {
  const found = new Map<number, number>();
  for (const { prefix } of steals) {
    found.set(prefix, (found.get(prefix) ?? 0) + 1);
  }
  return [...found].sort((a, b) => b[1] - a[1]);
}

/** Mean time from the request to the answer, of those that are known; NaN if none is. */
export function meanAnswer(steals: readonly Steal[]): Seconds {
  const known = steals.map(({ asked }) => asked).filter(Number.isFinite);
  return known.length > 0 ? known.reduce((sum, asked) => sum + asked, 0) / known.length : Number.NaN;
}
