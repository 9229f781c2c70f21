/** The comparison of the samples that a pane shows, B, with others of the same profile, A. */
import type { ProfileFilter, ProfileStore } from '../../run/logs/profile';
import type { Run } from '../../run/run';
import { NOTHING_SELECTED, type Period, type Selection, selectionOf } from '../../run/selection/selection';
import type { PlotChoice, PlotContext, PlotOption, Translate } from '../../plot/plot';
import { formatCount, formatElapsed } from '../../base/format';
import type { Share } from '../../base/units';
import { oneLine, shortened } from '../../plot/text';
import { choiceWords, codeWords, periodOf } from '../tasks/computation-words';
import { workerAt } from '../workers/one-worker';
import { workerLabel } from '../workers/worker-rows';
import { type ComparedFolds, comparedFolds } from './profile-folds';
import { filterOf, prefixChoices, workerChoices } from './profile-rows';
import { arrangementOf } from './trees/arrangement';

/** Computations among which one can choose, and the longest text of one. */
const MOST = 20;
const LONGEST = 60;
/** Longest name of a computation in the title. */
const TITLED = 40;
/** What the value of a period begins with. */
const PERIOD = 'period';
/** Differences of shares from which on a box has a stronger colour; below the first it counts as equal. */
const STEPS: readonly Share[] = [0.005, 0.03, 0.1];

/** The menu of a flame graph for what it is compared with. Samples differ from those shown in this one thing. */
export const againstOption: PlotOption = {
  id: 'against',
  label: 'Compare with',
  choices: [
    { value: '', label: 'not compared' },
    { value: 'rest', label: 'all other samples' },
    { value: 'before', label: 'the time before the selected period' }
  ],
  initial: '',
  labelOf: (run, value) => {
    const period = readPeriod(value);
    return period === null ? null : periodWords(run, period);
  },
  found: run => [
    ...selectedPeriod(run),
    ...run.computations.list
      .slice(0, MOST)
      .map((each): PlotChoice => ({ value: `computation ${each.id}`, label: choiceWords(run, each, LONGEST) })),
    ...prefixChoices(run.profile).map(({ value, label }) => ({ value: `function ${value}`, label })),
    ...workerChoices(run.profile, run).map(({ value, label }) => ({ value: `worker ${value}`, label }))
  ]
};

/** The selected period, to be compared with others that are selected later. */
function selectedPeriod(run: Run): readonly PlotChoice[] {
  const { period } = selectionOf(run).current;
  return period === null
    ? []
    : [{ value: `${PERIOD} ${period.from} ${period.to}`, label: `the period ${periodWords(run, period)}, then select another` }];
}

/** The period of a value; `null` if it has none. */
function readPeriod(value: string): Period | null {
  const [kind, from, to] = value.split(' ');
  const period = { from: Number(from), to: Number(to) };
  return kind === PERIOD && period.from < period.to && Number.isFinite(period.to - period.from) ? period : null;
}

/** "0:01.2 – 0:03.4". */
function periodWords(run: Run, { from, to }: Period): string {
  const origin = Number.isFinite(run.origin) ? run.origin : run.profile.period.from;
  return `${formatElapsed(from - origin, 1)} – ${formatElapsed(to - origin, 1)}`;
}

/** What a pane compares. */
export interface Comparison {
  /** Samples of both by stack; `null` if there is nothing to compare. */
  readonly folds: ComparedFolds | null;
  /** What A is. */
  readonly name: string;
  /** Why there is nothing to compare; empty if there is something. */
  readonly reason: string;
  /** Whether B has all samples: nothing is selected, and no option leaves samples out. */
  readonly whole: boolean;
}

/** What a pane compares; `null` if it does not compare. */
export function comparisonOf(
  store: ProfileStore,
  run: Run,
  options: PlotContext['options'],
  selection: Selection,
  trans: Translate
): Comparison | null {
  const against = options[againstOption.id] ?? '';
  if (against === '' || store !== run.profile) {
    return null;
  }
  const shown = filterOf(store, run, options, selection);
  const other = otherOf(store, run, against, shown);
  const name = nameOf(run, against, trans);
  const whole = Object.keys(shown).length === 0;
  if (other === null) {
    const reason = against === 'before' ? trans.__('select a period first') : trans.__('it is not known any more');
    return { folds: null, name, reason, whole };
  }
  if (JSON.stringify(other) === JSON.stringify(shown)) {
    const period = against.startsWith(`${PERIOD} `);
    const reason = period ? trans.__('select another period') : trans.__('both are the same samples');
    return { folds: null, name, reason, whole };
  }
  const folds = comparedFolds(store, shown, other);
  const [a, b] = [folds.a.total[0], folds.b.total[0]];
  const reason = a > 0 ? (b > 0 ? '' : trans.__('B has no samples')) : trans.__('A has no samples');
  return { folds: reason === '' ? folds : null, name, reason, whole };
}

function otherOf(store: ProfileStore, run: Run, against: string, shown: ProfileFilter): ProfileFilter | 'rest' | null {
  if (against === 'rest') {
    return 'rest';
  }
  const { from, to } = shown;
  if (against === 'before') {
    return from === undefined || to === undefined ? null : { ...shown, from: from - (to - from), to: from };
  }
  const [kind, ...rest] = against.split(' ');
  const value = rest.join(' ');
  switch (kind) {
    case 'computation': {
      const computation = run.computations.list.find(({ id }) => String(id) === value);
      return computation === undefined ? null : { ...shown, ...sampledPeriod(store, periodOf(run, computation)) };
    }
    case PERIOD: {
      const period = readPeriod(against);
      return period === null ? null : { ...shown, ...period };
    }
    case 'function':
      return { ...shown, prefixes: [store.prefixes.indexOf(value)] };
    case 'worker':
      return { ...shown, workers: filterOf(store, run, { worker: value }, NOTHING_SELECTED).workers };
    default:
      return null;
  }
}

/** What samples a period has; nothing where nothing has run. */
function sampledPeriod(store: ProfileStore, period: Period | null): ProfileFilter {
  if (period === null) {
    return { workers: [] };
  }
  // The end of what is in progress moves with each frame, its samples do not: they are not counted again.
  return { from: period.from, to: period.to < store.period.to ? period.to : Number.POSITIVE_INFINITY };
}

function nameOf(run: Run, against: string, trans: Translate): string {
  const [kind, ...rest] = against.split(' ');
  const value = rest.join(' ');
  switch (kind) {
    case 'rest':
      return trans.__('all other samples');
    case 'before':
      return trans.__('the time before');
    case 'computation': {
      const computation = run.computations.list.find(({ id }) => String(id) === value);
      return computation === undefined || computation.code === ''
        ? trans.__('the time of computation #%1', oneLine(value))
        : trans.__('the time of %1', shortened(codeWords(run, computation, trans), TITLED));
    }
    case PERIOD: {
      const period = readPeriod(against);
      return trans.__('the period %1', period === null ? oneLine(value) : periodWords(run, period));
    }
    case 'worker': {
      const id = workerAt(run, value);
      return oneLine(id === null ? value : workerLabel(run.workerNames[id]));
    }
    default:
      return oneLine(value);
  }
}

/** How much larger the share of a stack is in B than in A; negative if it is smaller. */
export function differenceOf({ a, b }: ComparedFolds, stack: number): Share {
  return b.total[stack] / b.total[0] - a.total[stack] / a.total[0];
}

/** From −3, much less in B, to 3, much more in B. */
export function differenceStep(difference: Share): number {
  return Math.sign(difference) * STEPS.filter(least => Math.abs(difference) >= least).length;
}

/** A difference in percentage points with its sign: `+12`, `−3`; `±0` below a half. */
export function points(difference: Share): string {
  const rounded = Math.round(100 * difference);
  return `${rounded > 0 ? '+' : rounded < 0 ? '−' : '±'}${formatCount(Math.abs(rounded))}`;
}

/** "+12 points: more in B". */
export function differenceWords(difference: Share, trans: Translate): string {
  const amount = points(difference);
  const step = differenceStep(difference);
  const words = step > 0 ? trans.__('more in B') : step < 0 ? trans.__('less in B') : trans.__('about equal');
  return trans._n('%2 point: %3', '%2 points: %3', Math.abs(Math.round(100 * difference)), amount, words);
}

/** The options of a picture that compares: only stacks from the entry on have a share of either. */
export function comparedOptions(options: PlotContext['options']): PlotContext['options'] {
  return arrangementOf(options) === 'left-heavy' ? options : { ...options, arrangement: '' };
}
