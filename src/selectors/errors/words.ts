/** What failed, as text. Every text of an error is untrusted and cut to one line. */
import { formatCount, formatExactCount, formatPercent } from '../../base/format';
import type { Translate } from '../../plot/plot';
import { oneLine } from '../../plot/text';
import type { ErrorGroup } from '../../run/tables/errors';
import type { Run } from '../../run/run';
import { clockAt } from '../moments';
import { calledWorker } from '../workers/one-worker';

/** Longest message in a cell, in characters. */
const MESSAGE = 500;
/** Workers and functions that a cell names. */
const NAMED = 3;
/** The exceptions where no worker fits what a task asks for, and where there is no worker at all. */
export const NO_VALID_WORKER = 'NoValidWorkerError';
export const NO_WORKER = 'NoWorkerError';
/** The message where a task could not begin, as the bridge has it. Dask's own is in a pickle, which nobody opens. */
export const TOO_LARGE = 'the inputs of the task are larger than the memory limit of its worker';
/** The message where the worker of an actor was lost, as the bridge has it. */
export const ACTOR_LOST = 'Worker holding Actor was lost';
/** From this share of its limit on, a worker was probably out of memory when it died: heartbeats are late. */
const FULL = 0.75;

/** Whether the code of the task raised it, in an execution; the others are the scheduler's own. */
export function isRaised({ kind, type, message, deaths }: ErrorGroup): boolean {
  const own = type === NO_VALID_WORKER || type === NO_WORKER || message === TOO_LARGE || message === ACTOR_LOST;
  return kind === 'erred' && deaths === 0 && !own;
}

/** Type of the exception. */
export function typeWords(group: ErrorGroup, trans: Translate): string {
  if (group.kind === 'retried') {
    return trans.__('retried');
  }
  return group.type === '' ? (group.more ? trans.__('other exceptions') : trans.__('exception')) : oneLine(group.type);
}

/** The message; where messages differ, with … for what differs. */
export function messageWords(group: ErrorGroup, trans: Translate): string {
  if (group.kind === 'retried') {
    return trans.__('Dask keeps no error message of attempts that are retried: see the logs of the workers.');
  }
  if (group.deaths > 0) {
    return killedWords(group, trans);
  }
  if (group.type === NO_WORKER) {
    return trans.__('For longer than the scheduler waits, no worker took tasks.');
  }
  if (group.type === NO_VALID_WORKER) {
    return trans.__('For longer than the scheduler waits, no worker had what the task asks for.');
  }
  return group.more ? trans.__('further messages, each different') : oneLine(group.shape || group.message, MESSAGE);
}

/** Why a worker probably died. Dask blames each task that it had, also one that only waited there. */
function killedWords({ deaths, memory, limit }: ErrorGroup, trans: Translate): string {
  const died = trans._n(
    '1 worker died that had the task (running or waiting)',
    '%2 workers died that had the task (running or waiting)',
    deaths,
    formatCount(deaths)
  );
  if (!(limit > 0) || Number.isNaN(memory)) {
    return `${died}.`;
  }
  const share = formatPercent(memory / limit);
  return memory / limit >= FULL
    ? trans.__('%1, probably out of memory: %2 of the limit at the last heartbeat.', died, share)
    : trans.__(
        '%1: suddenly out of memory, a crash of native code, or a failure of the machine. %2 of the memory limit at the last heartbeat.',
        died,
        share
      );
}

/** Name of the function; several functions where they share a group. */
export function functionWords(run: Run, { prefix }: ErrorGroup, trans: Translate): string {
  return prefix < 0 ? trans.__('several functions') : oneLine(run.prefixNames[prefix] ?? '?');
}

/** Names with the largest counts first. */
function names(counts: ReadonlyMap<number, number>, name: (id: number) => string, most: number): string[] {
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  const shown = sorted.slice(0, most).map(([id, count]) => (count > 1 ? `${name(id)} × ${formatCount(count)}` : name(id)));
  return sorted.length > most ? [...shown, `+ ${formatCount(sorted.length - most)}`] : shown;
}

/** The workers on which it failed. */
export function workerWords(run: Run, { at, elsewhere }: ErrorGroup, trans: Translate, most = NAMED): string {
  const others = elsewhere > 0 ? [trans.__('others × %1', formatCount(elsewhere))] : [];
  return [...names(at, id => calledWorker(run, id), most), ...others].join(', ');
}

/** Functions of the tasks that did not run because of it. */
export function blockedWords(run: Run, { blocked }: ErrorGroup, most = NAMED): string {
  return names(blocked, id => oneLine(run.prefixNames[id] ?? '?'), most).join(', ');
}

/** Whether its tasks are still erred in Dask. */
export function nowWords({ kind, now, count, again, dependents }: ErrorGroup, trans: Translate): string {
  if (now > 0 && kind === 'erred') {
    return now === count + dependents ? trans.__('erred') : trans.__('%1 still erred', formatCount(now));
  }
  if (kind === 'retried' || again >= count) {
    return trans.__('tried again');
  }
  return again > 0 ? trans.__('%1 tried again', formatCount(again)) : trans.__('released');
}

/** All facts of a group, for the panel below the table. */
export function groupFacts(run: Run, group: ErrorGroup, trans: Translate): readonly (readonly [string, string])[] {
  const { count, again, dependents, now, first, last, kind } = group;
  const blocked = dependents > 0 ? `${formatExactCount(dependents)}: ${blockedWords(run, group, 20)}` : '';
  const released = trans.__('Dask has released these tasks; the history of the run still lists them.');
  const facts: readonly (readonly [string, string])[] = [
    [trans.__('Function'), functionWords(run, group, trans)],
    [trans.__('Times'), formatExactCount(count)],
    [trans.__('Did not run because of it'), blocked],
    [trans.__('Tried again'), again > 0 ? formatExactCount(again) : ''],
    [trans.__('Erred now'), now > 0 || again >= count ? formatExactCount(now) : kind === 'retried' ? '' : released],
    [trans.__('First'), first > 0 ? clockAt(first, run) : ''],
    [trans.__('Last'), last > 0 ? clockAt(last, run) : ''],
    [trans.__('Workers'), workerWords(run, group, trans, 20)]
  ];
  return facts.filter(([, value]) => value !== '');
}

/** "3 errors", "2 failed and retried": what there is. */
export function errorCounts(groups: readonly ErrorGroup[]): { erred: number; retried: number; dependents: number; now: number } {
  const sum = (of: (group: ErrorGroup) => number): number => groups.reduce((all, group) => all + of(group), 0);
  return {
    erred: sum(group => (group.kind === 'erred' ? group.count : 0)),
    retried: sum(group => (group.kind === 'retried' ? group.count : 0)),
    dependents: sum(group => group.dependents),
    now: sum(group => group.now)
  };
}
