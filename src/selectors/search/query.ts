/** What a user types into a search for tasks. */
import type { Seconds } from '../../base/units';
import type { WorkerName } from '../../feed/frame';
import type { Run } from '../../run/run';
import { type DurationRange, NOTHING_SELECTED, type Selection } from '../../run/selection/selection';
import { workerLabel } from '../workers/worker-rows';
import { type CountedState, countIn, isCounted, type SearchState, searchStateOf } from './states';

/** A search text in its parts; names are compared without regard to case. */
export interface SearchQuery {
  /** Part of the name of a function; of a worker where no function has it. */
  readonly words: readonly string[];
  /** The same as they were typed. */
  readonly typed: readonly string[];
  /** Parts of the key. */
  readonly keys: readonly string[];
  /** Parts of the name of the function. */
  readonly functions: readonly string[];
  /** Parts of the name or of the address of the worker. */
  readonly workers: readonly string[];
  /** States that are asked for, each once; more than one at a time is impossible. */
  readonly states: readonly SearchState[];
  readonly durations: DurationRange | null;
  /** The first part that cannot be understood; empty if there is none. */
  readonly unknown: string;
}

const UNITS: Readonly<Record<string, Seconds>> = {
  '': 1,
  ...{ s: 1, sec: 1, second: 1, seconds: 1 },
  ...{ ms: 1e-3, us: 1e-6, µs: 1e-6, μs: 1e-6 },
  ...{ m: 60, min: 60, minute: 60, minutes: 60 },
  ...{ h: 3600, hour: 3600, hours: 3600, d: 86_400 }
};
/** Durations are kept as 32-bit numbers: a factor to the next one, or not quite. */
const NEXT = 1 + 2 ** -24;

/** A comparison with a duration, or a word with or without a field, in quotation marks where it has spaces. */
const TOKENS =
  /(?:^|\s)(>=|<=|≥|≤|>|<)\s*(\d+\.?\d*|\.\d+)\s*([a-zµμ]*)(?=\s|$)|(?:(function|worker|state|key):)?(?:"([^"]*)"?|(\S+))/giu;

/** A field without anything after it. */
const FIELD_ALONE = /^(?:function|worker|state|key):$/i;

/** Read a search text. No text is an error: what cannot be understood is reported. */
export function parseQuery(text: string): SearchQuery {
  const [words, typed, functions, workers, keys]: string[][] = [[], [], [], [], []];
  let [least, most] = [0, Number.POSITIVE_INFINITY];
  const states = new Set<SearchState>();
  let unknown = '';
  if (isTuple(text)) {
    return { ...parseQuery(''), keys: [text.trim()] };
  }
  for (const [all, sign, amount, unit, field, quoted, plain] of text.matchAll(TOKENS)) {
    const word = (quoted ?? plain ?? '').toLowerCase();
    const named = field?.toLowerCase() === 'state';
    const state = named || (field === undefined && quoted === undefined) ? searchStateOf(word, named) : null;
    if (sign !== undefined) {
      const seconds = Number(amount) * (UNITS[unit.toLowerCase()] ?? Number.NaN);
      if (Number.isNaN(seconds)) {
        unknown ||= all.trim();
      } else if (sign === '>' || sign === '>=' || sign === '≥') {
        least = Math.max(least, sign === '>' ? seconds * NEXT : seconds);
      } else {
        most = Math.min(most, sign === '<' ? seconds / NEXT : seconds);
      }
    } else if (state !== null) {
      states.add(state);
    } else if (named || FIELD_ALONE.test(word)) {
      unknown ||= all.trim();
    } else if (word !== '') {
      const said = quoted ?? plain ?? '';
      if (field === undefined) {
        words.push(word);
        typed.push(said);
      } else if (field.toLowerCase() === 'key') {
        keys.push(said);
      } else {
        (field.toLowerCase() === 'worker' ? workers : functions).push(word);
      }
    }
  }
  const durations = least > 0 || most < Number.POSITIVE_INFINITY ? { least, most } : null;
  return { words, typed, functions, workers, keys, states: [...states], durations, unknown };
}

/** Whether a text begins as the key of an array or a dataframe does, which has blanks: `('sum-1a2b', 0, 3)`. */
function isTuple(text: string): boolean {
  return /^\s*\(\s*['"]/.test(text);
}

/** Whether a query has no condition. */
export function isBlank({ words, functions, workers, keys, states, durations, unknown }: SearchQuery): boolean {
  return [words, functions, workers, keys, states].every(list => list.length === 0) && durations === null && unknown === '';
}

/** Whether a query is about tasks that run now. */
export function asksRunning({ states }: SearchQuery): boolean {
  return states.includes('running');
}

/** The state of a query whose tasks are counted by function only; `null` if it asks for none. */
export function countedOf({ states }: SearchQuery): CountedState | null {
  return states.find(isCounted) ?? null;
}

/** How many tasks have the state of {@link countedOf}; `null` if there is none, NaN if it is asked for more than is known. */
export function countedIn(run: Run, query: SearchQuery): number | null {
  const state = countedOf(query);
  if (state === null) {
    return null;
  }
  const conditions = conditionsOf(run, query);
  const byKey = keyTextsOf(run, query).length > 0;
  if (byKey || query.workers.length > 0 || query.durations !== null || (conditions?.workers ?? null) !== null) {
    return Number.NaN;
  }
  return conditions === null ? 0 : countIn(run, state, conditions.functions);
}

/** Texts that keys must contain: also words that no function and no worker has. */
export function keyTextsOf(run: Run, query: SearchQuery): readonly string[] {
  const others = query.typed.filter((_, i) => !isFunction(run, query.words[i]) && !isWorker(run, query.words[i]));
  return [...query.keys, ...others];
}

function isFunction(run: Run, word: string): boolean {
  return run.prefixNames.some(name => name.toLowerCase().includes(word));
}

function isWorker(run: Run, word: string): boolean {
  return run.workerNames.some(each => hasWord(each, word));
}

function hasWord(worker: WorkerName, word: string): boolean {
  return workerLabel(worker).toLowerCase().includes(word) || worker.address.toLowerCase().includes(word);
}

/**
 * The conditions of a query in the names of a run; `null` if nothing can satisfy them. Executions are compared with them,
 * and so are running tasks where the query asks for these.
 *
 * @param rows - executions whose keys contain {@link keyTextsOf} the query; `null` if there are no such texts
 */
export function conditionsOf(run: Run, query: SearchQuery, rows: readonly number[] | null = null): Selection | null {
  let functions: readonly string[] | null = null;
  let workers: readonly string[] | null = null;
  const narrowFunctions = (word: string): readonly string[] =>
    (functions ?? [...new Set(run.prefixNames)]).filter(name => name.toLowerCase().includes(word));
  const narrowWorkers = (word: string): readonly string[] => {
    const found = run.workerNames.filter(each => hasWord(each, word));
    return [...new Set(found.map(({ address }) => address))].filter(address => workers?.includes(address) ?? true);
  };
  for (const word of query.functions) {
    functions = narrowFunctions(word);
  }
  for (const word of query.workers) {
    workers = narrowWorkers(word);
  }
  for (const word of query.words) {
    if (isFunction(run, word)) {
      functions = narrowFunctions(word);
    } else if (rows === null || isWorker(run, word)) {
      workers = narrowWorkers(word);
    }
  }
  const { states, durations, unknown } = query;
  const impossible =
    unknown !== '' ||
    functions?.length === 0 ||
    workers?.length === 0 ||
    (durations !== null && durations.least > durations.most) ||
    states.length > 1;
  const found = rows === null ? null : { run: run.identity, numbers: rows };
  return impossible
    ? null
    : {
        ...{ ...NOTHING_SELECTED, functions, workers, durations, rows: found },
        ...{ erred: states.includes('erred'), finished: states.includes('finished') }
      };
}
