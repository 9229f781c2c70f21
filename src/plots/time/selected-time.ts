/** Time of the selected tasks, for plots that otherwise show the scheduler's sums of the whole run. */
import { formatCount, formatElapsed } from '../../base/format';
import type { Seconds } from '../../base/units';
import type { Chosen, EmptyText, PlotContext, PlotOption, TitlePart, Translate, VegaPlot } from '../../plot/plot';
import { liveOf } from '../../run/frozen';
import type { Run } from '../../run/run';
import { matchedState } from '../../run/selection/matcher';
import { isEmpty, type Selection, selectionOf } from '../../run/selection/selection';
import { mixedNotes } from '../../selectors/computations/selected-words';
import { type ActionStatistics, actionStatistics } from '../../selectors/selection/action-statistics';
import { executionStatistics, type FunctionStatistics } from '../../selectors/selection/statistics';
import { earlierWords } from '../../selectors/tasks/past-words';

/** The option of what the time is of. */
export const OF: PlotOption = {
  id: 'of',
  label: 'Time of',
  choices: [
    { value: 'run', label: 'the whole run' },
    { value: 'selected', label: 'the selected tasks' }
  ],
  initial: 'run'
};

/** Its value for the sums of the whole run. */
export const OF_RUN: Chosen = { option: OF.id, value: OF.initial };

/** Its value for the time of the selected tasks. */
export const OF_SELECTED: Chosen = { option: OF.id, value: 'selected' };

/** Single tasks cost much more than the scheduler's sums: they are only sent if they are chosen. */
export const SELECTED_TOPICS: VegaPlot['choiceTopics'] = [{ ...OF_SELECTED, topics: ['tasks'] }];

/** Whether the time is that of the selected tasks. */
export function isOfSelected({ options }: Pick<PlotContext, 'options'>): boolean {
  return options[OF_SELECTED.option] === OF_SELECTED.value;
}

/** Up to this number of tasks, figures are computed with every change, which takes milliseconds. */
const FEW = 100_000;
/** With more, at most this many tasks are counted per second on average: some per cent of the page's time. */
const PER_SECOND = 200_000;

/** Figures, and what they are of. */
interface Figures<T> {
  readonly identity: string;
  /** Version of the run's tasks when they were computed. */
  readonly version: number;
  /** Which executions were known to be of a selected computation. */
  readonly owned: string;
  /** Scheduler time. */
  readonly at: Seconds;
  readonly selection: Selection;
  readonly value: T;
}

/** The executions of a selected computation may become known after they have come. */
function ownedIn(run: Run, selection: Selection): string {
  return selection.computation === null ? '' : matchedState(run, selection);
}

/** What was computed last for a run. */
class Latest<T> {
  constructor(private readonly compute: (run: Run, selection: Selection) => T) {}

  of(run: Run, selection: Selection): T {
    const last = this.known.get(run);
    if (last?.identity === run.identity && last.selection === selection && (this.isNewest(run, last) || isRecent(run, last))) {
      return last.value;
    }
    const value = this.compute(run, selection);
    const [version, owned] = [run.version('tasks'), ownedIn(run, selection)];
    this.known.set(run, { identity: run.identity, version, owned, at: run.clock.latest, selection, value });
    return value;
  }

  /** When the figures were computed, if tasks have come since; NaN otherwise. */
  outdatedAt(run: Run): Seconds {
    const last = this.known.get(run);
    return last === undefined || this.isNewest(run, last) ? Number.NaN : last.at;
  }

  private isNewest(run: Run, { version, owned, selection }: Figures<T>): boolean {
    return run.version('tasks') === version && ownedIn(run, selection) === owned;
  }

  private readonly known = new WeakMap<Run, Figures<T>>();
}

/** Whether figures of many tasks need not be computed again yet, while a cluster works. */
function isRecent(run: Run, { at }: Figures<unknown>): boolean {
  const { kept } = run.tasks;
  const age = run.clock.latest - at;
  const works = liveOf(run) === run && !Number.isFinite(run.anchor) && Number.isNaN(run.idleSince);
  return works && kept > FEW && age >= 0 && age < kept / PER_SECOND;
}

const functions = new Latest((run, selection) => executionStatistics(run, selection).functions);
const actions = new Latest(actionStatistics);
const others = new WeakMap<Run, Selection>();

/** All that is selected, whatever functions are, since each has a row: the same object until that changes. */
export function besidesFunctions(run: Run): Selection {
  const { current } = selectionOf(run);
  const known = others.get(run);
  const same = (name: string): boolean =>
    name === 'functions' || known?.[name as keyof Selection] === current[name as keyof Selection];
  if (known !== undefined && Object.keys(current).every(same)) {
    return known;
  }
  const selection = { ...current, functions: null };
  others.set(run, selection);
  return selection;
}

/** Statistics of each function: of the tasks that are selected, or would be if their function was. */
export function selectedFunctions(run: Run): readonly FunctionStatistics[] {
  return functions.of(run, besidesFunctions(run));
}

/** Statistics of each action of the selected tasks. */
export function selectedActions(run: Run): readonly ActionStatistics[] {
  return actions.of(run, selectionOf(run).current);
}

/** What the title says that the figures are of. */
export function selectedTitle(run: Run, trans: Translate): TitlePart {
  return {
    text: isEmpty(selectionOf(run).current) ? trans.__('of all tasks: none is selected') : trans.__('of what is selected')
  };
}

/** The summary of figures that are of the selected tasks. */
export function selectedSummary(run: Run, words: string, trans: Translate): string {
  return isEmpty(selectionOf(run).current) ? trans.__('Of all tasks: %1', words) : trans.__('Of what is selected: %1', words);
}

/** Why there are no selected tasks. */
export function noneSelected(run: Run, trans: Translate): EmptyText {
  if (!run.has('tasks')) {
    return {
      head: trans.__('Single tasks are not here.'),
      body: trans.__(
        'They arrive once this is chosen in a pane that is not paused. A recording or a saved page may have been made without them.'
      )
    };
  }
  return isEmpty(selectionOf(run).current)
    ? {
        head: trans.__('No task has ended.'),
        body: trans.__('Its time appears here with the first task that ends.'),
        awaited: true
      }
    : {
        head: trans.__('No selected task has ended.'),
        body: trans.__('Select another period or other tasks, for example in the task stream, or nothing for all tasks.')
      };
}

/** Which tasks are missing in the figures of functions, or of actions. */
export function selectedNotes(run: Run, of: 'functions' | 'actions', trans: Translate): readonly string[] {
  const outdated = (of === 'functions' ? functions : actions).outdatedAt(run);
  const { dropped, lost, unplaced, kept, incompleteUntil } = run.tasks;
  const { period } = selectionOf(run).current;
  const missing = lost + unplaced;
  const earlier = earlierWords(run, trans);
  return [
    ...(Number.isFinite(outdated) ? [trans.__('as of %1', formatElapsed(outdated - run.origin, 1))] : []),
    ...mixedNotes(run, trans),
    ...(earlier !== '' && period === null ? [earlier] : []),
    ...(missing > 0 ? [trans._n('1 task is missing', '%2 tasks are missing', missing, formatCount(missing))] : []),
    ...(dropped > 0 && incompleteUntil > (period?.from ?? Number.NEGATIVE_INFINITY)
      ? [trans.__('only the newest %1 tasks: of older ones, only sums are kept', formatCount(kept))]
      : [])
  ];
}
