/** Explains why a task is in its state, in plain words. */
import { formatCount, formatDuration, formatExactCount } from '../../base/format';
import type { Translate } from '../../plot/plot';
import type { Run } from '../../run/run';
import { oneLine, sentence } from '../../plot/text';
import { clockAt } from '../../selectors/moments';
import { plainNumber } from '../../selectors/plain-number';
import { sentenceAtEnd } from '../../selectors/run-end';
import { keptThreads } from '../../selectors/workers/cancelled';
import { stateWords } from '../../selectors/tasks/task-states';
import { UNFINISHED_STATES } from '../../selectors/tasks/unfinished';
import { isLeaving } from '../../selectors/workers/worker-rows';
import type { Neighbour, Reasons, ResourceNeed, TaskFacts } from './facts';

/** Names listed in a sentence. */
const NAMED = 5;
/** Unfinished dependencies named in a sentence, and the characters of their keys. */
const FIRST = 3;
const KEY = 60;

function someNames(names: readonly string[]): string {
  return [...names.slice(0, NAMED).map(name => oneLine(name)), ...(names.length > NAMED ? ['…'] : [])].join(', ');
}

/** What a task waits for, or its outcome; '' if the state says it all. */
export function whyWords(facts: TaskFacts, run: Pick<Run, 'clock'>, trans: Translate): string {
  if (!facts.known) {
    return goneWords(facts, trans);
  }
  switch (facts.state) {
    case 'waiting':
      return withHistory(waitingWords(facts, trans), facts, run, trans);
    case 'queued':
      return withHistory(queuedWords(facts, trans), facts, run, trans);
    case 'no-worker':
      return withHistory(noWorkerWords(facts, trans), facts, run, trans);
    case 'processing':
      return processingWords(facts, run, trans);
    case 'released':
      // Executions may be of an earlier task with the same key.
      if (Number.isNaN(facts.nbytes)) {
        return trans.__(
          'It was released before it had a result: nothing needs it now, most often because a task that needs it erred.'
        );
      }
      return facts.executions.length > 0 ? trans.__('It has finished; its result was no longer needed and was released.') : '';
    case 'erred':
      return facts.blamed === '' ? '' : trans.__('It did not run because %1, which it needs, erred.', oneLine(facts.blamed));
    default:
      return '';
  }
}

/** The same, of a run that has ended as of its end. */
export function whyAtEnd(facts: TaskFacts, run: Run, trans: Translate): string {
  const words = whyWords(facts, run, trans);
  const goesOn = facts.known && UNFINISHED_STATES.some(state => state === facts.state);
  return goesOn && words !== '' ? sentenceAtEnd(run, words, trans) : words;
}

function goneWords({ state, executions, key }: TaskFacts, trans: Translate): string {
  if (key === '') {
    return trans.__('This task is no longer kept.');
  }
  if (state === null && executions.length === 0) {
    return trans.__('The scheduler does not know this key, and no execution of it is kept.');
  }
  // Where scattered data is lost with its worker, Dask forgets it and all unfinished tasks that need it, wanted or not.
  if (state === 'cancelled') {
    return trans.__(
      'The scheduler has forgotten this task before it ended: it was no longer needed, or scattered data that it needs was lost with a worker. If it had begun, its thread goes on with it to its end.'
    );
  }
  return executions.length > 0
    ? trans.__('The scheduler has forgotten this task: it is no longer needed. Its data stays here.')
    : trans.__(
        'The scheduler has forgotten this task: it is no longer needed, or it was scattered data that was lost with its worker. Its data stays here.'
      );
}

/** Why a task that has had a result waits again, as far as it is known. */
function withHistory(words: string, { executions, before }: TaskFacts, run: Pick<Run, 'clock'>, trans: Translate): string {
  const last = executions.find(({ erred }) => !erred);
  if (last === undefined) {
    return words;
  }
  const when = clockAt(last.start, run);
  switch (before) {
    case 'lost':
      return last.gone
        ? `${words} ${trans.__('It has run before, at %1: its result was lost with worker %2, and is computed again.', when, oneLine(last.worker))}`
        : `${words} ${trans.__('It has run before, at %1: its result was lost, and is computed again.', when)}`;
    case 'again':
      return `${words} ${trans.__('It has run before, at %1: its result was released, and is needed again.', when)}`;
    default:
      return `${words} ${trans.__('It has run before, at %1.', when)}`;
  }
}

function waitingWords({ lacking, dependencyCount, dependencies, lostDependencies }: TaskFacts, trans: Translate): string {
  if (lostDependencies) {
    return trans.__('It needs a task that was forgotten: it cannot run.');
  }
  if (lacking === 0) {
    return trans.__('All its dependencies are ready; it continues in a moment.');
  }
  const all = formatCount(dependencyCount);
  const words = trans._n(
    'It waits for 1 of %3 tasks that it needs',
    'It waits for %2 of %3 tasks that it needs',
    lacking,
    formatCount(lacking),
    all
  );
  const first = dependencies.filter(({ state }) => state !== 'memory').slice(0, FIRST);
  const names = first.map(each => neighbourWords(each, trans));
  return first.length > 0 ? sentence(`${words}: ${listed(names, lacking)}.`) : `${words}.`;
}

function listed(names: readonly string[], all: number): string {
  return all > names.length ? `${names.join(', ')}, …` : names.join(', ');
}

/** "load-1 (runs on worker a)". */
function neighbourWords({ key, state, worker, runs }: Neighbour, trans: Translate): string {
  const name = oneLine(key, KEY);
  if (state === 'processing' && worker !== '') {
    return runs
      ? trans.__('%1 (runs on worker %2)', name, oneLine(worker))
      : trans.__('%1 (is on worker %2)', name, oneLine(worker));
  }
  return `${name} (${stateWords(state, trans)})`;
}

function queuedWords({ why }: TaskFacts, trans: Translate): string {
  const { queued, ahead, workers, running } = why;
  // A collector of an earlier version does not say how many run.
  if (running === 0) {
    return workers === 0
      ? trans.__('There is no worker.')
      : `${trans.__('No worker takes tasks now.')}${pausedWords(why, trans)}`;
  }
  const others = Math.max(0, queued - 1);
  if (others === 0) {
    return `${trans.__('It is ready. It waits on the scheduler for a free thread.')}${pausedWords(why, trans)}`;
  }
  const words = trans._n(
    'It is ready. It waits on the scheduler for a free thread with 1 other task, so that tasks with a higher priority can go first.',
    'It is ready. It waits on the scheduler for a free thread with %2 other tasks, so that tasks with a higher priority can go first.',
    others,
    formatCount(others)
  );
  const place = Number.isNaN(ahead)
    ? ''
    : ahead === 0
      ? ` ${trans.__('It is the next one.')}`
      : ` ${trans._n('1 of them goes first.', '%2 of them go first.', ahead, formatCount(ahead))}`;
  return `${words}${place}${pausedWords(why, trans)}`;
}

/** Paused workers take no new tasks. Whether the user paused them is not known. */
function pausedWords({ paused, workers }: Reasons, trans: Translate): string {
  const words = trans._n(
    '1 of %3 workers is paused, most often for memory, and takes no new tasks.',
    '%2 of %3 workers are paused, most often for memory, and take no new tasks.',
    paused,
    formatCount(paused),
    formatCount(workers)
  );
  return paused > 0 ? ` ${words}` : '';
}

function noWorkerWords({ why, restrictions }: TaskFacts, trans: Translate): string {
  const { workers, running, fitting, able, ready, resources } = why;
  if (workers === 0) {
    return trans.__('There is no worker.');
  }
  if (ready > 0) {
    // `Worker.set_resources`
    return trans.__(
      'By now, a worker that takes tasks has what it needs. Dask does not notice that: it looks only where a worker joins or goes on after a pause. Cancel the task and submit it again.'
    );
  }
  const asked = [...restrictions.workers, ...restrictions.hosts];
  const short = resources.filter(({ needed, supply }) => supply < needed);
  // A collector of an earlier version does not say how many have all that it needs.
  const some = Number.isNaN(able) ? fitting > 0 && resources.length === 0 : able > 0;
  const parts = [
    ...(fitting === 0 ? [sentence(trans.__('What it asks for is not available: %1.', someNames(asked)))] : []),
    ...short.map(need => shortWords(need, trans)),
    ...(fitting > 0 && able === 0 && short.length === 0
      ? [trans.__('The workers that it asks for are there, but do not have the resources that it needs.')]
      : []),
    ...(some && fitting > 0 ? [trans.__('The workers that it asks for are there, but take no tasks now.')] : []),
    ...(some && !(fitting > 0) ? [trans.__('The workers that have what it needs take no tasks now.')] : []),
    ...(running === 0 ? [trans.__('No worker takes tasks now.')] : [])
  ];
  const all = trans._n(
    'The only worker does not fit: see below what the task asks for.',
    'None of %2 workers fits: see below what the task asks for.',
    workers,
    formatCount(workers)
  );
  return `${parts.length > 0 ? parts.join(' ') : all}${pausedWords(why, trans)}`;
}

/** An amount of a resource; what is needed and what there is may differ in the last digit. */
function amountText(amount: number): string {
  return Number.isInteger(amount) ? formatExactCount(amount) : plainNumber(amount);
}

function shortWords({ name, needed, supply }: ResourceNeed, trans: Translate): string {
  return supply > 0
    ? trans.__('No worker has %1 of resource %2: the most is %3.', amountText(needed), oneLine(name), amountText(supply))
    : trans.__('No worker has resource %1.', oneLine(name));
}

/** Why a task that is assigned to a worker does not run there, or that it runs. */
function processingWords({ worker, why }: TaskFacts, run: Pick<Run, 'clock'>, trans: Translate): string {
  const { status, executing, seceded, ahead, busy, threads, cancelled, resources, silent } = why;
  const kept = keptThreads({ nthreads: threads, executing: busy, seceded: 0, cancelled });
  const name = oneLine(worker);
  if (status === '') {
    return trans.__('It is on worker %1: running there, or next for a thread or for data.', name);
  }
  if (silent) {
    const words = trans.__(
      'It is on worker %1, which has sent no heartbeat since %2: its process may be stopped, cut off, or busy with code that holds the GIL.',
      name,
      clockAt(why.seen, run)
    );
    return Number.isNaN(executing) ? words : `${words} ${trans.__('Then, it had run for %1.', formatDuration(executing))}`;
  }
  if (!Number.isNaN(executing)) {
    const time = formatDuration(executing);
    return seceded
      ? trans.__('It has left the threads of worker %1 and goes on: for %2 at its last heartbeat.', name, time)
      : trans.__('It runs on worker %1: for %2 at its last heartbeat.', name, time);
  }
  if (seceded) {
    return trans.__('It has left the threads of worker %1 and goes on.', name);
  }
  if (status === 'paused') {
    return trans.__('It is on worker %1, which is paused, most often for memory, and begins no task.', name);
  }
  if (isLeaving(why)) {
    return trans.__('It is on worker %1, which is about to end and begins no task.', name);
  }
  const taken = resources.find(({ needed, supply, taken: others }) => supply - others < needed);
  if (taken !== undefined) {
    const { name: resource, supply, taken: others } = taken;
    return trans.__(
      'It is on worker %1 and waits for resource %2: other tasks there take %3 of %4.',
      name,
      oneLine(resource),
      amountText(others),
      amountText(supply)
    );
  }
  if (ahead > 0) {
    const words = trans._n(
      'It is on worker %2, behind 1 other task: %3 of its threads are busy.',
      'It is on worker %2, behind %4 other tasks: %3 of its threads are busy.',
      ahead,
      name,
      `${formatCount(busy + kept)} / ${formatCount(threads)}`,
      formatCount(ahead)
    );
    return kept > 0 ? `${words} ${keptWords(kept, trans)}` : words;
  }
  if (busy + kept >= threads && threads > 0) {
    const words = trans.__('It is the next one on worker %1, whose threads are all busy.', name);
    return kept > 0 ? `${words} ${keptWords(kept, trans)}` : words;
  }
  return trans.__('It is on worker %1: it fetches data, or has just begun. Heartbeats report this with a delay.', name);
}

/** Of the threads of a worker, those that still run cancelled tasks. */
function keptWords(kept: number, trans: Translate): string {
  return trans._n(
    '1 of them still runs a cancelled task until that ends: Python cannot stop it.',
    '%2 of them still run cancelled tasks until these end: Python cannot stop them.',
    kept,
    formatCount(kept)
  );
}

/** Restrictions and resources of a task, as a list of names; '' if there are none. */
export function restrictionWords({ restrictions }: TaskFacts, trans: Translate): string {
  const { workers, hosts, resources, loose } = restrictions;
  const parts = [
    ...(workers.length > 0 ? [trans.__('worker %1', someNames(workers))] : []),
    ...(hosts.length > 0 ? [trans.__('host %1', someNames(hosts))] : []),
    ...resources.map(([name, amount]) => `${amountText(amount)} ${oneLine(name)}`)
  ];
  return parts.length > 0 && loose ? `${parts.join(' · ')} ${trans.__('(if possible)')}` : parts.join(' · ');
}
