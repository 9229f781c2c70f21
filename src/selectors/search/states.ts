/** The states that a search for tasks knows, and what a run knows of tasks in them. */
import type { AttemptsColumn, PrefixesColumn } from '../../feed/schema';
import type { Translate } from '../../plot/plot';
import type { Run } from '../../run/run';
import { stateWords } from '../tasks/task-states';

/** States of executions and running tasks, which are looked at one by one. */
const PLACED_STATES = ['finished', 'erred', 'running'] as const;

/** States that are counted by function only: such tasks have no place in time or on a thread, or it is not known which they are. */
const COUNTS = {
  waiting: { table: 'prefixes', column: 'waiting', why: 'unbegun' },
  queued: { table: 'prefixes', column: 'queued', why: 'unbegun' },
  'no-worker': { table: 'prefixes', column: 'no_worker', why: 'unbegun' },
  processing: { table: 'prefixes', column: 'processing', why: 'given' },
  cancelled: { table: 'prefixes', column: 'cancelled', why: 'never' },
  memory: { table: 'prefixes', column: 'memory', why: 'which' },
  released: { table: 'prefixes', column: 'released', why: 'which' },
  forgotten: { table: 'prefixes', column: 'forgotten', why: 'which' },
  retried: { table: 'attempts', column: 'retried', why: 'unrecorded' },
  rescheduled: { table: 'attempts', column: 'rescheduled', why: 'unrecorded' },
  lost: { table: 'attempts', column: 'lost', why: 'unrecorded' }
} as const satisfies Readonly<
  Record<
    string,
    { readonly why: 'unbegun' | 'given' | 'never' | 'which' | 'unrecorded' } & (
      | { readonly table: 'prefixes'; readonly column: PrefixesColumn }
      | { readonly table: 'attempts'; readonly column: AttemptsColumn }
    )
  >
>;

/** A state whose tasks are counted only. */
export type CountedState = keyof typeof COUNTS;
/** A state that a search can ask for. */
export type SearchState = (typeof PLACED_STATES)[number] | CountedState;

/** Every state, as it is typed. */
export const SEARCH_STATES: readonly SearchState[] = [...PLACED_STATES, ...(Object.keys(COUNTS) as CountedState[])];

/** Other words for them. */
const ALIASES: Readonly<Record<string, SearchState>> = {
  ...{ error: 'erred', failed: 'erred', done: 'finished', canceled: 'cancelled', no_worker: 'no-worker' }
};
/** Words that mean a state also without `state:`. Others may well be a part of a function's name. */
const BARE: readonly string[] = ['erred', 'error', 'failed', 'running', 'finished', 'waiting', 'queued', 'cancelled', 'retried'];

/** The state of a word in small letters; `null` if there is none. */
export function searchStateOf(word: string, named: boolean): SearchState | null {
  if (!named && !BARE.includes(word)) {
    return null;
  }
  return SEARCH_STATES.find(state => state === word) ?? (Object.hasOwn(ALIASES, word) ? ALIASES[word] : null);
}

/** Whether tasks in a state can only be counted: see {@link CountedState}. */
export function isCounted(state: SearchState): state is CountedState {
  return Object.hasOwn(COUNTS, state);
}

/** How many tasks, or attempts, of some functions are in a state; NaN if a run does not know. */
export function countIn(run: Run, state: CountedState, functions: readonly string[] | null): number {
  const counts = COUNTS[state];
  if (!run.has(counts.table)) {
    return Number.NaN;
  }
  const table = counts.table === 'prefixes' ? run.prefixes : run.attempts;
  const get = (id: number): number =>
    counts.table === 'prefixes' ? run.prefixes.get(id, counts.column) : run.attempts.get(id, counts.column);
  return table.ids
    .filter(id => functions?.includes(run.prefixNames[id] ?? '') ?? true)
    .reduce((sum, id) => sum + (get(id) || 0), 0);
}

/** A state as text. */
export function searchStateWords(state: SearchState, trans: Translate): string {
  switch (state) {
    case 'finished':
      return trans.__('finished');
    case 'running':
      return trans.__('running');
    case 'retried':
      return trans.__('failed and retried');
    case 'rescheduled':
      return trans.__('rescheduled');
    case 'lost':
      return trans.__('lost with their worker');
    default:
      return stateWords(state, trans);
  }
}

/** Whether what is counted are attempts, not tasks. */
export function isAttempt(state: CountedState): boolean {
  return COUNTS[state].table === 'attempts';
}

/** Why a state is not shown in time. */
export function whyCounted(state: CountedState, trans: Translate): string {
  switch (COUNTS[state].why) {
    case 'unbegun':
      return trans.__('not started, so on no thread yet');
    case 'given':
      return trans.__('assigned to workers: search for “running” to find those that run');
    case 'never':
      return trans.__('never run, so on no thread');
    case 'which':
      return trans.__('it is not known which of the tasks shown here');
    case 'unrecorded':
      return trans.__('Dask keeps no record of when and on which thread');
  }
}
