/** What a person types into a search for tasks. */
import type { Seconds } from '../../base/units';
import type { Run } from '../../run/run';
import { type DurationRange, NOTHING_SELECTED, type Selection } from '../../run/selection/selection';
import { workerLabel } from '../workers/worker-rows';

/** A search text in its parts; names are compared without regard to case. */
export interface SearchQuery {
  /** Part of the name of a function; of a worker where no function has it. */
  readonly words: readonly string[];
  /** Parts of the name of the function. */
  readonly functions: readonly string[];
  /** Parts of the name or of the address of the worker. */
  readonly workers: readonly string[];
  readonly erred: boolean;
  readonly running: boolean;
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
const STATES: Readonly<Record<string, 'erred' | 'running'>> = {
  ...{ erred: 'erred', error: 'erred', failed: 'erred' },
  running: 'running'
};
/** Durations are kept as 32-bit numbers: a factor to the next one, or not quite. */
const NEXT = 1 + 2 ** -24;

/** A comparison with a duration, or a word with or without a field, in quotation marks where it has spaces. */
const TOKENS =
  /(?:^|\s)(>=|<=|≥|≤|>|<)\s*(\d+\.?\d*|\.\d+)\s*([a-zµμ]*)(?=\s|$)|(?:(function|worker|state):)?(?:"([^"]*)"?|(\S+))/giu;

/** Read a search text. Nothing of it is an error: what cannot be understood is told. */
export function parseQuery(text: string): SearchQuery {
  const [words, functions, workers]: [string[], string[], string[]] = [[], [], []];
  let [least, most] = [0, Number.POSITIVE_INFINITY];
  let [erred, running, unknown] = [false, false, ''];
  for (const [all, sign, amount, unit, field, quoted, plain] of text.matchAll(TOKENS)) {
    const word = (quoted ?? plain ?? '').toLowerCase();
    if (sign !== undefined) {
      const seconds = Number(amount) * (UNITS[unit.toLowerCase()] ?? Number.NaN);
      if (Number.isNaN(seconds)) {
        unknown ||= all.trim();
      } else if (sign === '>' || sign === '>=' || sign === '≥') {
        least = Math.max(least, sign === '>' ? seconds * NEXT : seconds);
      } else {
        most = Math.min(most, sign === '<' ? seconds / NEXT : seconds);
      }
    } else if (field?.toLowerCase() === 'state' || (field === undefined && quoted === undefined && Object.hasOwn(STATES, word))) {
      const state = Object.hasOwn(STATES, word) ? STATES[word] : undefined;
      erred ||= state === 'erred';
      running ||= state === 'running';
      unknown ||= state === undefined ? all.trim() : '';
    } else if (word !== '') {
      const list = { function: functions, worker: workers }[field?.toLowerCase() ?? ''] ?? words;
      list.push(word);
    }
  }
  const durations = least > 0 || most < Number.POSITIVE_INFINITY ? { least, most } : null;
  return { words, functions, workers, erred, running, durations, unknown };
}

/** Whether a query has no condition. */
export function isBlank({ words, functions, workers, erred, running, durations, unknown }: SearchQuery): boolean {
  return (
    [words, functions, workers].every(list => list.length === 0) && !erred && !running && durations === null && unknown === ''
  );
}

/**
 * The conditions of a query in the names of a run; `null` if nothing can satisfy them. Executions are compared with them,
 * and so are running tasks where the query asks for these.
 */
export function conditionsOf(run: Run, query: SearchQuery): Selection | null {
  let functions: readonly string[] | null = null;
  let workers: readonly string[] | null = null;
  const narrowFunctions = (word: string): readonly string[] =>
    (functions ?? [...new Set(run.prefixNames)]).filter(name => name.toLowerCase().includes(word));
  const narrowWorkers = (word: string): readonly string[] => {
    const found = run.workerNames.filter(
      each => workerLabel(each).toLowerCase().includes(word) || each.address.toLowerCase().includes(word)
    );
    return [...new Set(found.map(({ address }) => address))].filter(address => workers?.includes(address) ?? true);
  };
  for (const word of query.functions) {
    functions = narrowFunctions(word);
  }
  for (const word of query.workers) {
    workers = narrowWorkers(word);
  }
  for (const word of query.words) {
    if (run.prefixNames.some(name => name.toLowerCase().includes(word))) {
      functions = narrowFunctions(word);
    } else {
      workers = narrowWorkers(word);
    }
  }
  const { erred, durations, unknown } = query;
  const impossible =
    unknown !== '' ||
    functions?.length === 0 ||
    workers?.length === 0 ||
    (durations !== null && durations.least > durations.most) ||
    (erred && query.running);
  return impossible ? null : { ...NOTHING_SELECTED, functions, workers, durations, erred };
}
