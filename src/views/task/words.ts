/** Explains why a task is in its state, in plain words. */
import { formatCount, formatTick } from '../../base/format';
import type { Translate } from '../../plot/plot';
import { oneLine } from '../../plot/text';
import type { TaskFacts } from './facts';

/** Names listed in a sentence. */
const NAMED = 5;

/** What a task waits for, or its outcome; '' if the state says it all. */
export function whyWords(facts: TaskFacts, trans: Translate): string {
  if (!facts.known) {
    return goneWords(facts, trans);
  }
  switch (facts.state) {
    case 'waiting':
      return waitingWords(facts, trans);
    case 'queued':
      return queuedWords(facts, trans);
    case 'no-worker':
      return noWorkerWords(facts, trans);
    case 'processing':
      return trans.__('It is on worker %1: running there, or next for a thread or for data.', oneLine(facts.worker));
    case 'released':
      return facts.executions.length > 0 ? trans.__('It has finished; its result was no longer needed and was released.') : '';
    case 'erred':
      return facts.blamed === '' ? '' : trans.__('It did not run because %1, which it needs, failed.', oneLine(facts.blamed));
    default:
      return '';
  }
}

function goneWords({ state, executions, key }: TaskFacts, trans: Translate): string {
  if (key === '') {
    return trans.__('This task is no longer kept.');
  }
  if (state === null && executions.length === 0) {
    return trans.__('The scheduler does not know this key, and no execution of it is kept.');
  }
  return state === 'cancelled'
    ? trans.__('The scheduler has forgotten this task: it was no longer needed before it ran.')
    : trans.__('The scheduler has forgotten this task: it is no longer needed. Its data stays here.');
}

function waitingWords({ lacking, dependencyCount, lostDependencies }: TaskFacts, trans: Translate): string {
  if (lostDependencies) {
    return trans.__('It needs a task that was forgotten: it cannot run.');
  }
  if (lacking === 0) {
    return trans.__('All its dependencies are ready; it continues in a moment.');
  }
  const all = formatCount(dependencyCount);
  return trans._n(
    'It waits for 1 of %3 tasks that it needs.',
    'It waits for %2 of %3 tasks that it needs.',
    lacking,
    formatCount(lacking),
    all
  );
}

function queuedWords({ queued }: TaskFacts, trans: Translate): string {
  const others = Math.max(0, queued - 1);
  return trans._n(
    'It is ready. It waits on the scheduler for a free thread with 1 other task, so that tasks with a higher priority can go first.',
    'It is ready. It waits on the scheduler for a free thread with %2 other tasks, so that tasks with a higher priority can go first.',
    others,
    formatCount(others)
  );
}

function noWorkerWords({ workers }: TaskFacts, trans: Translate): string {
  return workers === 0
    ? trans.__('There is no worker.')
    : trans._n(
        'The one worker does not fit: see what it asks for below.',
        'None of %2 workers fits: see what it asks for below.',
        workers,
        formatCount(workers)
      );
}

/** Restrictions and resources of a task, as a list of names; '' if there are none. */
export function restrictionWords({ restrictions }: TaskFacts, trans: Translate): string {
  const { workers, hosts, resources, loose } = restrictions;
  const some = (names: readonly string[]): string =>
    [...names.slice(0, NAMED).map(name => oneLine(name)), ...(names.length > NAMED ? ['…'] : [])].join(', ');
  const parts = [
    ...(workers.length > 0 ? [trans.__('worker %1', some(workers))] : []),
    ...(hosts.length > 0 ? [trans.__('host %1', some(hosts))] : []),
    ...resources.map(([name, amount]) => `${formatTick(amount)} ${oneLine(name)}`)
  ];
  return parts.length > 0 && loose ? `${parts.join(' · ')} ${trans.__('(if possible)')}` : parts.join(' · ');
}
