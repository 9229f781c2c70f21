/** The verdict to show where there is room for only one: of the newest cell, or else of what ran before it. */
import type { Seconds } from '../../base/units';
import type { Translate } from '../../plot/plot';
import type { Run } from '../../run/run';
import type { Period } from '../../run/selection/selection';
import type { Computation } from '../../run/tables/computations';
import { isOfTasks } from '../../selectors/tasks/computation-words';
import type { Advice, Verdict } from '../advice';
import { type AskedPeriod, goesOn, newestWorkOf, timeOfWork } from '../period';
import { adviceOf, adviceOfPart, keepTopVerdict } from '../shown';
import { costWords, noticedVerdicts, provisionalWords } from '../words';
import { durationWords } from '../headline/shares';
import { type CellWork, cellName, cellsIn, workOf } from './cells';

/** Shorter work is not mentioned. */
export const SHORTEST: Seconds = 2;
/** A step of a long period. */
const NEAR: Seconds = 0.1;

export interface TopVerdict {
  readonly advice: Advice;
  /** What costs most; `null` if nothing does. */
  readonly verdict: Verdict | null;
  /** The period that the advice is about; `null` for the newest work. */
  readonly asked: AskedPeriod | null;
  /** The cell that the verdict is about; empty if that is not known. */
  readonly cell: string;
  /** Whether its work goes on: the figures change until it has ended. */
  readonly goesOn: boolean;
  /** Whether the user has hidden a cause that would be said instead: other views may say it. */
  readonly isBesideHidden: boolean;
}

type Found = Omit<TopVerdict, 'goesOn' | 'isBesideHidden'>;

/**
 * What is reported about the newest work: where others had some, that of the client that the run is seen through, if it had any. A
 * cause of the newest cell comes first: counts beside it are of this cell. Each is measured by the time of its own cell, so
 * that it does not change when other cells run. From then on, marks on time axes show the same verdict.
 */
export function topVerdictOf(run: Run, hidden: ReadonlySet<string>, trans: Translate): TopVerdict {
  const found = chosen(run, hidden, trans);
  keepTopVerdict(run, found.advice, found.asked);
  const { advice, verdict } = found;
  const first = noticedVerdicts(advice, new Set()).find(each => each === verdict || hidden.has(each.cause));
  return { ...found, goesOn: goesOn(run, advice.period), isBesideHidden: verdict !== null && first !== verdict };
}

function chosen(run: Run, hidden: ReadonlySet<string>, trans: Translate): Found {
  const newest = adviceOf(run, null, trans);
  if (newest.period === null) {
    return { advice: newest, verdict: null, asked: null, cell: '' };
  }
  const own = ownClient(run, newest.period);
  const period = own === null ? newest.period : periodOfOwn(run, own, newest.period);
  const cells = cellsIn(run, period, own);
  const mine =
    own === null
      ? null
      : timeInside(
          run,
          cells.flatMap(({ computations }) => computations),
          period
        );
  const all = { advice: mine === null ? newest : adviceOfPart(run, mine, trans), asked: mine };
  // What a loop of another client costs is no news for this one.
  const noticed = (advice: Advice): readonly Verdict[] =>
    noticedVerdicts(advice, hidden).filter(({ client }) => own === null || client === undefined || client === own);
  const [first] = noticed(all.advice);
  const earlier = first && cells.find(each => contains(each, first));
  for (const cell of cells.length > 1 ? [cells.at(-1), earlier] : []) {
    const asked = cell ? timeInside(run, cell.computations, period) : null;
    const advice = asked && asked.to - asked.from >= SHORTEST ? adviceOfPart(run, asked, trans) : null;
    const [verdict] = advice === null ? [] : noticed(advice);
    if (cell !== undefined && advice !== null && verdict !== undefined) {
      return ofOneClient(run, cell, { advice, verdict, asked, cell: cellName(run, cell, trans) }, hidden, trans);
    }
  }
  const found = { ...all, verdict: first ?? null };
  return cells.length === 1
    ? ofOneClient(run, cells[0], { ...found, cell: cellName(run, cells[0], trans) }, hidden, trans)
    : { ...found, cell: '' };
}

/** The client that the run is seen through, where others had work in a period; `null` if nobody else had, or it never had any. */
function ownClient(run: Run, period: Period): string | null {
  const clients = clientsOf(cellsIn(run, period).flatMap(({ computations }) => computations));
  const others = [...clients].filter(client => client !== run.client);
  return others.length > 0 && clientsOf(run.computations.list).has(run.client) ? run.client : null;
}

/** The newest period, where a client had work in it; else the time of its own newest work. */
function periodOfOwn(run: Run, client: string, newest: Period): Period {
  return cellsIn(run, newest, client).length > 0 ? newest : (newestWorkOf(run, client) ?? newest);
}

/** Who submitted some computations, except tasks. */
function clientsOf(computations: readonly Computation[]): ReadonlySet<string> {
  return new Set(computations.map(({ client }) => client).filter(client => !isOfTasks(client)));
}

/**
 * Where cells of several clients ran at the same time, the cell of the one that a verdict is about is named, and what held that
 * up most is said of its time; no cell is named if that is not known.
 */
function ofOneClient(run: Run, work: CellWork, found: Found, hidden: ReadonlySet<string>, trans: Translate): Found {
  const { verdict, advice } = found;
  if (clientsOf(work.computations).size < 2 || advice.period === null) {
    return found;
  }
  const part = verdict?.client === undefined ? null : workOf(run, work, verdict.client);
  const asked = part && timeInside(run, part.computations, advice.period);
  const own = asked && asked.to - asked.from >= SHORTEST ? adviceOfPart(run, asked, trans) : null;
  const isAbout = ({ cause, client }: Verdict): boolean =>
    cause === 'other-work' || (cause === verdict?.cause && client === verdict.client);
  // Of one computation, all verdicts are about it.
  const first = own && noticedVerdicts(own, hidden).find(each => asked?.computation !== undefined || isAbout(each));
  return part && own && first ? { advice: own, verdict: first, asked, cell: cellName(run, part, trans) } : { ...found, cell: '' };
}

/** The time of some work inside a period; what others held up is known of one computation. */
function timeInside(run: Run, computations: readonly Computation[], { from, to }: Period): AskedPeriod | null {
  const time = timeOfWork(run, computations);
  return time && { ...time, from: Math.max(from, time.from), to: Math.min(to, time.to) };
}

function contains({ from, to }: CellWork, { evidence: { selection } }: Verdict): boolean {
  const { period } = selection;
  return period !== null && period.from >= from - NEAR && period.to <= to + NEAR;
}

/** "[3] prices.compute(), 9.2 s: The cluster waits for the client: …"; a share of the time is one of this time. */
export function topVerdictSentence(found: TopVerdict, { sentence }: Verdict, trans: Translate): string {
  const { advice, cell, isBesideHidden } = found;
  const words =
    cell !== ''
      ? trans.__('%1, %2: %3', cell, durationWords(advice, found.goesOn, trans), sentence)
      : found.goesOn
        ? provisionalWords(sentence, trans)
        : sentence;
  return isBesideHidden ? trans.__('%1 A cause that comes first is hidden here ("Not helpful").', words) : words;
}

function soFar(found: TopVerdict, words: string, trans: Translate): string {
  return found.goesOn ? trans.__('%1 so far', words) : words;
}

/** "74 % of 9.2 s · The cluster waits for the client · [3] prices.compute()", where there is little room: its end may be cut. */
export function topVerdictTitle(found: TopVerdict, verdict: Verdict, trans: Translate): string {
  const { advice, cell, isBesideHidden } = found;
  const cost = costWords(advice, verdict, trans);
  const parts = [
    ...(cost === '' ? [] : [soFar(found, cost, trans)]),
    verdict.title,
    ...(isBesideHidden ? [trans.__('another cause is hidden')] : []),
    ...(cell === '' ? [] : [cell])
  ];
  return parts.reduce((words, part) => trans.__('%1 · %2', words, part));
}
