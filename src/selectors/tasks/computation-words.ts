import { formatCount, formatDuration, UNKNOWN } from '../../base/format';
import type { Seconds } from '../../base/units';
import type { Translate } from '../../plot/plot';
import { oneLine, shortened } from '../../plot/text';
import { documentOf, documentsVersion, haveSameDocument } from '../client-names';
import type { Run } from '../../run/run';
import type { Period } from '../../run/selection/selection';
import type { Computation } from '../../run/tables/computations';
import { beginOf } from '../computations/reading';
import { clockAt } from '../moments';
import { atEnd } from '../run-end';

/** Longest line of code in a cell of a table, in characters. */
const LONGEST = 200;

/** State of a computation. */
export type ComputationState =
  | 'active'
  | 'renewing'
  | 'erred'
  | 'failed-before'
  | 'dropped'
  | 'unfollowed'
  | 'finished'
  | 'nothing';

/** Tasks of its own run that are left: not those whose results were lost after it had ended. */
function ownLeft({ left, renewing }: Computation['values']): number {
  return left - (renewing || 0);
}

/** Tasks of it that have failed and were not tried again since; of frames of earlier versions, all that have failed. */
function failed({ failed, erred }: Computation['values']): number {
  return Number.isFinite(failed) ? failed : erred;
}

/** State of a computation. */
export function stateOf({ values }: Computation): ComputationState {
  if (ownLeft(values) > 0) {
    return 'active';
  }
  if (values.renewing > 0) {
    return 'renewing';
  }
  if (failed(values) > 0) {
    return 'erred';
  }
  if (values.erred_before > 0) {
    return 'failed-before';
  }
  if (values.dropped > 0) {
    return 'dropped';
  }
  if (values.unfollowed > 0) {
    // What is left is known of the others only.
    return 'unfollowed';
  }
  // If only results were computed again in the block of a recording, it has no other tasks of the computation.
  return values.tasks > 0 || values.renewed > 0 ? 'finished' : 'nothing';
}

/** The state of a computation as text. */
export function stateWords(run: Run, computation: Computation, trans: Translate): string {
  switch (stateOf(computation)) {
    case 'active':
      return atEnd(run, trans.__('in progress'), trans);
    case 'renewing':
      return atEnd(run, trans.__('being computed again'), trans);
    case 'erred':
      return trans.__('with erred tasks');
    case 'failed-before':
      return trans.__('erred before');
    case 'dropped':
      return trans.__('not all ran');
    case 'unfollowed':
      return trans.__('end not known');
    case 'finished':
      return trans.__('finished');
    case 'nothing':
      return trans.__('nothing to do');
  }
}

/** A line that computes nothing: blank, a comment, a magic, an import, a decorator, a definition, or inside of something. */
const PREPARES = /^(?:\s|$|[#%!@)\]}]|(?:import|from|(?:async\s+)?def|class)\s)/;
/** A line that is blank, a comment or a magic. */
const EMPTY = /^\s*(?:[#%].*)?$/;

/**
 * The line of code to name a cell by, where it is not known which line started the computation: the first statement that is
 * neither an import nor a definition.
 */
function significantLine(lines: readonly string[]): string {
  return lines.find(text => !PREPARES.test(text)) ?? lines.find(text => !EMPTY.test(text)) ?? lines[0];
}

/** Least characters of the id of a client: `Client-3f2a91b0`. */
const CLIENT = 15;
/** Longest name of a document, in characters. */
const DOCUMENT = 40;
const NO_NAMES: ReadonlyMap<string, string> = new Map();

const clientNames = new WeakMap<Run, { readonly state: string; readonly names: ReadonlyMap<string, string> }>();

/** What Dask calls the clients of tasks that submit tasks. */
const OF_TASKS = 'Client-worker-';

/** Whether a client is one of tasks. */
export function isOfTasks(client: string): boolean {
  return client.startsWith(OF_TASKS);
}

/**
 * Names of clients by their ids, where more than one has submitted, or one that the run is not seen through: two notebooks count
 * their cells by themselves. Else empty.
 */
export function namedClients(run: Run): ReadonlyMap<string, string> {
  const names = namesOf(run);
  const isOfOthers = run.client !== '' && otherClients(run, run.client).length > 0;
  return names.size > 1 || isOfOthers ? names : NO_NAMES;
}

/** Names of those that have submitted, except one and those of its document: a kernel that starts again has another client. */
export function otherClients(run: Run, client: string): readonly string[] {
  return [...namesOf(run)].filter(([id]) => id !== client && !haveSameDocument(id, client)).map(([, name]) => name);
}

/** Names of all that have submitted: their notebooks, where the page knows them. */
function namesOf(run: Run): ReadonlyMap<string, string> {
  const state = `${run.identity} ${run.version('computations')} ${documentsVersion()}`;
  const known = clientNames.get(run);
  if (known?.state === state) {
    return known.names;
  }
  const ids = [...new Set(run.computations.list.map(({ client }) => client))].filter(
    client => client !== '' && !isOfTasks(client)
  );
  const short = (length: number): readonly string[] => ids.map(id => oneLine(id).slice(0, length));
  const enough = [CLIENT, CLIENT + 5, CLIENT + 10].find(length => new Set(short(length)).size === ids.length);
  const names = short(enough ?? Number.POSITIVE_INFINITY);
  const titles = ids.map(id => oneLine(documentOf(id) ?? '', DOCUMENT));
  // The name of a notebook to which all belong tells nothing.
  const documents = titles.length > 1 && new Set(titles).size === 1 ? titles.map(() => '') : titles;
  const name = (document: string, i: number): string =>
    // One notebook may have several clients, and two may have the same name.
    documents.filter(other => other === document).length === 1 && document !== '' ? document : `${document} ${names[i]}`.trim();
  const found = new Map(documents.map((document, i) => [ids[i], name(document, i)] as const));
  clientNames.set(run, { state, names: found });
  return found;
}

interface CodeParts {
  readonly head: string;
  readonly line: string;
  /** Whether the line is only the first one of the cell: another one may have started the computation. */
  readonly isOfCell: boolean;
}

/**
 * The cell, the client where there are several, and the span, and the line of code that started a computation; empty if it is
 * not known.
 */
function codeParts(run: Run, { cell, client, span, code, line, origin }: Computation): CodeParts {
  const lines = code.split('\n');
  const called = line > 0 ? lines[line - 1] : undefined;
  const isKnown = called !== undefined && called.trim() !== '';
  const chosen = isKnown ? called : significantLine(lines);
  const isOfCell = !isKnown && origin === 'cell' && lines.filter(text => !PREPARES.test(text)).length > 1;
  const names = [namedClients(run).get(client) ?? '', oneLine(span)].filter(Boolean).join(', ');
  const head = [cell > 0 ? `[${cell}]` : '', names === '' ? '' : `${names}:`].filter(Boolean).join(' ');
  return { head, line: oneLine(chosen, LONGEST), isOfCell };
}

/**
 * The name of a computation, the same in all views: the cell and the line of code that started it, `[6] total.compute()`; where
 * the line is not known, that with which the cell begins, `[6] cell: t0 = time()`; without the code, the function that took most.
 *
 * @param unknown - what stands for the code if neither is known
 */
export function codeWords(run: Run, computation: Computation, trans: Translate, unknown = trans.__('code not known')): string {
  if (computation.origin === 'earlier') {
    return trans.__('in progress before');
  }
  const { head, line, isOfCell } = codeParts(run, computation);
  return isOfCell
    ? `${head} ${trans.__('cell: %1', line)}`.trim()
    : `${head} ${line || functionName(run, computation) || unknown}`.trim();
}

/** The function that took most; empty if none is known. */
function functionName(run: Run, { id }: Computation): string {
  const [first] = [...run.computations.functionsOf(id)].sort((a, b) => (b.compute || 0) - (a.compute || 0));
  return first === undefined ? '' : oneLine(run.prefixNames[first.prefix] ?? '', LONGEST);
}

/** The same in a menu, with the number that distinguishes computations of one cell: `#3 [6] total.compute()`. */
export function choiceWords(run: Run, computation: Computation, longest: number): string {
  const { head, line, isOfCell } = codeParts(run, computation);
  return shortened([`#${computation.id}`, head, isOfCell ? `${line} …` : line].filter(Boolean).join(' '), longest);
}

/** The end of its last execution, or now while a task is left; NaN if nothing ran. */
export function endOf(run: Run, computation: Computation): Seconds {
  return stateOf(computation) === 'active' ? run.clock.latest : computation.values.stop;
}

/** From its submission ({@link beginOf}) to {@link endOf}; NaN if nothing ran. */
export function wallTime(run: Run, computation: Computation): Seconds {
  return Math.max(0, endOf(run, computation) - beginOf(computation));
}

/** Its {@link wallTime} as text. Of a computation of which not all tasks are followed nobody knows the end. */
export function wallWords(run: Run, computation: Computation): string {
  const wall = wallTime(run, computation);
  const more = computation.values.unfollowed > 0 && Number.isFinite(wall) && stateOf(computation) !== 'active';
  return `${more ? '≥ ' : ''}${formatDuration(wall)}`;
}

/** A sum of seconds over executions as text; executions that are not followed are not in it. */
export function secondsWords({ values }: Computation, seconds: Seconds): string {
  return Number.isFinite(seconds) ? `${values.unfollowed > 0 ? '≥ ' : ''}${formatDuration(seconds)}` : UNKNOWN;
}

/** Says of how many tasks the work is in no figure. */
export function unfollowedNote(computations: readonly Computation[], trans: Translate): readonly string[] {
  const unfollowed = computations.reduce((sum, { values }) => sum + (values.unfollowed || 0), 0);
  return unfollowed > 0
    ? [
        trans._n(
          'work of 1 task not counted',
          'work of %2 tasks not counted: too many at once',
          unfollowed,
          formatCount(unfollowed)
        )
      ]
    : [];
}

/** Its tasks as text: `82 of 120` while some are left, or where some never ran. */
export function taskWords({ values }: Computation, trans: Translate): string {
  const { tasks, unfollowed, dropped } = values;
  const without = ownLeft(values) + Math.max(0, dropped || 0);
  const known = without > 0 && without <= tasks && unfollowed === 0;
  return known ? trans.__('%1 of %2', formatCount(tasks - without), formatCount(tasks)) : formatCount(tasks);
}

/** Tasks that were, or are, computed again after it had ended. */
export function renewedCount({ values: { renewing, renewed } }: Computation): number {
  return (renewed || 0) + (renewing || 0);
}

/** The tasks that were, or have to be, computed again after it had ended: they are not part of its time. '' if there are none. */
export function renewedWords(run: Run, computation: Computation, trans: Translate): string {
  const { lost, ...values } = computation.values;
  const [renewed, renewing] = [values.renewed || 0, values.renewing || 0];
  const words = [
    renewed > 0 ? trans._n('1 computed again', '%2 computed again', renewed, formatCount(renewed)) : '',
    renewing > 0
      ? atEnd(
          run,
          trans._n('1 still to be computed again', '%2 still to be computed again', renewing, formatCount(renewing)),
          trans
        )
      : ''
  ]
    .filter(Boolean)
    .join(', ');
  return words === ''
    ? ''
    : Number.isFinite(lost)
      ? trans.__('%1; results were last lost at %2', words, clockAt(lost, run))
      : words;
}

/**
 * The time of a computation: from its submission to the end of its last task, or until now while some are left; `null` if none
 * has run. A user waits for all of it: for its graphs, and behind other work. Others may have run then, too.
 */
export function periodOf(run: Run, computation: Computation): Period | null {
  const ran = ranIn(run, computation);
  const begin = beginOf(computation);
  // By the clock of its worker, which is estimated, a task may have begun before it was submitted.
  return ran === null ? null : { from: ran.from < begin || Number.isNaN(begin) ? ran.from : begin, to: ran.to };
}

/** The part of {@link periodOf} from when its first task ran: for what is not known to be its own, such as samples. */
export function ranIn(run: Run, computation: Computation): Period | null {
  const { since, start, stop } = computation.values;
  const active = stateOf(computation) === 'active';
  // Before the first of its tasks ends, it is not known when one started.
  const from = active && !(start > 0) ? since : start;
  const to = active ? Math.max(stop || since, run.clock.latest) : stop;
  return from < to ? { from, to } : null;
}

/** Those in progress, newest first; without any, the newest that has tasks. */
export function presentComputations({ computations }: Run, list = computations.list): readonly Computation[] {
  const active = list.filter(each => each.values.left > 0);
  return active.length > 0 ? active : list.filter(each => each.values.tasks > 0).slice(0, 1);
}
