/** What the dialogs of actions say: what will be done, what is lost, and who else is concerned. Names are untrusted. */
import { formatCount } from '../../../base/format';
import type { Translate } from '../../../plot/plot';
import type { Subject } from '../../../plot/tooltip';
import type { Nothing, Question } from '../dialog';
import type { ClusterStakes, Plan, WorkerStakes } from '../replies';
import { clientLists, keyList, otherLists, shortName } from './lists';

export { shortName };

/** Confirmation that the hardware of all workers is measured, or why it cannot be. */
export function benchmarkQuestion(name: string, { workers, pending }: ClusterStakes, trans: Translate): Question | Nothing {
  if (workers === 0) {
    const sentences = [trans.__('The cluster has no workers to measure. Add some, and try again.')];
    return { title: trans.__('The hardware of %1 cannot be measured', shortName(name)), sentences, lists: [] };
  }
  const sentences = [
    trans._n(
      'For about 12 seconds, this loads the worker: it writes to its disk and copies in memory as fast as it can. Sending is not measured: there is no other worker.',
      'For about 12 seconds, this loads all %2 workers at once: each writes to its disk, copies in memory and sends to another worker as fast as it can.',
      workers,
      formatCount(workers)
    ),
    trans.__(
      'Each worker needs about 200 MB of memory and, for a moment, up to some GB in its local directory. It cannot be stopped.'
    ),
    pending === 0
      ? trans.__('No tasks wait or run now.')
      : trans._n(
          '1 task waits or runs: it slows down, and the figures will be too low. Workers whose threads are all busy are left out after a minute.',
          '%2 tasks wait or run: they slow down, and the figures will be too low. Workers whose threads are all busy are left out after a minute.',
          pending,
          formatCount(pending)
        )
  ];
  const title = trans.__('Measure the hardware of %1?', shortName(name));
  return { title, sentences, lists: [], accept: trans.__('Measure'), warns: true };
}

/** Confirmation that a worker ends, or why it cannot. */
export function retireQuestion(stakes: WorkerStakes, trans: Translate): Question | Nothing {
  const { name, only, actors, workers, adaptive } = stakes;
  if (actors > 0) {
    const sentence = trans._n(
      'An actor lives on it, and Dask does not move actors. Release the variables that hold it, and try again.',
      '%2 actors live on it, and Dask does not move actors. Release the variables that hold them, and try again.',
      actors,
      formatCount(actors)
    );
    return { title: trans.__('Worker %1 cannot be retired', shortName(name)), sentences: [sentence], lists: [] };
  }
  const sentences = [
    only > 0
      ? trans._n(
          '1 result is only there. It moves to another worker first; if none has room for it, the worker stays.',
          '%2 results are only there. They move to other workers first; if none has room for them, the worker stays.',
          only,
          formatCount(only)
        )
      : trans.__('None of its results has to move.'),
    processingWords(stakes, trans),
    givenUpWords(stakes, trans),
    ...(workers <= 1 ? [trans.__('It is the only worker: tasks wait until another one starts.')] : []),
    ...(adaptive ? [trans.__('Dask chooses the number of workers, so it may start another one.')] : [])
  ];
  const title = trans.__('Retire worker %1?', shortName(name));
  return { title, sentences: sentences.filter(Boolean), lists: [], accept: trans.__('Retire'), warns: true };
}

/** Confirmation that a worker restarts, or why it cannot. */
export function restartWorkerQuestion(stakes: WorkerStakes, trans: Translate): Question | Nothing {
  const { name, only, actors, nanny } = stakes;
  if (!nanny) {
    const title = trans.__('Worker %1 cannot be restarted', shortName(name));
    const sentence = trans.__('It has no nanny, which would start it again. Retire it, and start another one with a nanny.');
    return { title, sentences: [sentence], lists: [] };
  }
  const sentences = [
    only > 0
      ? trans._n(
          '1 result is only there and is lost. If it is still needed, it is computed again; data that was scattered is not.',
          '%2 results are only there and are lost. Those still needed are computed again; data that was scattered is not.',
          only,
          formatCount(only)
        )
      : actors === 0
        ? trans.__('No result is lost.')
        : '',
    actors > 0
      ? trans._n(
          'An actor lives there and is lost: Dask does not make it again.',
          '%2 actors live there and are lost: Dask does not make them again.',
          actors,
          formatCount(actors)
        )
      : '',
    processingWords(stakes, trans),
    givenUpWords(stakes, trans)
  ];
  const title = trans.__('Restart worker %1?', shortName(name));
  return { title, sentences: sentences.filter(Boolean), lists: [], accept: trans.__('Restart'), warns: true };
}

function processingWords({ processing }: WorkerStakes, trans: Translate): string {
  return processing === 0
    ? ''
    : trans._n(
        '1 task is assigned to it. If it has begun, it is computed again.',
        '%2 tasks are assigned to it. Those that have begun are computed again.',
        processing,
        formatCount(processing)
      );
}

/** Dask counts the end of a worker as a crash of it, for all tasks assigned to it, also where it was asked to end. */
function givenUpWords({ givenUp }: WorkerStakes, trans: Translate): string {
  return givenUp === 0
    ? ''
    : trans._n(
        'Unless it ends before, 1 of these fails instead (KilledWorker): Dask counts the end of the worker as a crash, and this task has had all that are allowed.',
        'Unless they end before, %2 of these fail instead (KilledWorker): Dask counts the end of the worker as a crash, and these tasks have had all that are allowed.',
        givenUp,
        formatCount(givenUp)
      );
}

/** Confirmation that workers give memory back. */
export function trimQuestion(worker: string | null, trans: Translate): Question {
  return {
    title: worker === null ? trans.__('Trim memory of all workers?') : trans.__('Trim memory of worker %1?', shortName(worker)),
    sentences: [
      trans.__('Memory that was freed and that the process still holds goes back to the operating system.'),
      trans.__('Results and tasks stay. It can take a second for each GiB.')
    ],
    lists: [],
    accept: trans.__('Trim memory'),
    warns: false
  };
}

/** Confirmation that a cluster restarts, or why it cannot. */
export function restartQuestion(name: string, stakes: ClusterStakes, trans: Translate): Question | Nothing {
  const { workers, nannies, results, pending, erred, clients } = stakes;
  if (workers > nannies) {
    const sentence = trans._n(
      '1 worker has no nanny, which would start it again: a restart would only end it.',
      '%2 workers have no nanny, which would start them again: a restart would only end them.',
      workers - nannies,
      formatCount(workers - nannies)
    );
    const remedy = trans.__('Close the cluster and make a new one, or start workers with nannies.');
    return { title: trans.__('%1 cannot be restarted', shortName(name)), sentences: [sentence, remedy], lists: [] };
  }
  if (workers === 0) {
    const sentences = [trans.__('It has no workers to restart.')];
    return { title: trans.__('%1 cannot be restarted', shortName(name)), sentences, lists: [] };
  }
  const sentences = [
    trans._n('Its worker ends and starts again.', 'All its %2 workers end and start again.', workers, formatCount(workers)),
    results + pending + erred === 0
      ? trans.__('There are no tasks to lose.')
      : trans.__(
          'All tasks are lost: %1. Variables that hold them cannot be used any more.',
          [
            ...(results > 0 ? [trans._n('1 result', '%2 results', results, formatCount(results))] : []),
            ...(pending > 0 ? [trans._n('1 unfinished task', '%2 unfinished tasks', pending, formatCount(pending))] : []),
            ...(erred > 0 ? [trans._n('1 erred task', '%2 erred tasks', erred, formatCount(erred))] : [])
          ].join(', ')
        )
  ];
  const lists = clientLists(clients, trans.__('Other clients that lose results'), trans);
  return { title: trans.__('Restart %1?', shortName(name)), sentences, lists, accept: trans.__('Restart'), warns: true };
}

/** Name of what is cancelled or retried. */
function subjectName(subject: Subject): string {
  switch (subject.kind) {
    case 'worker':
    case 'workers':
      return shortName(subject.name);
    case 'task':
      return shortName(subject.key);
    case 'function':
      return shortName(subject.prefix);
  }
}

/** Confirmation that tasks are cancelled, or why there is nothing to cancel. */
export function cancelQuestion(subject: Subject, plan: Plan, trans: Translate): Question | Nothing {
  const name = subjectName(subject);
  const others = otherLists(plan, trans);
  const nothing = (sentences: readonly string[]): Nothing => ({
    title: trans.__('Nothing to cancel: %1', name),
    sentences,
    lists: others
  });
  if (plan.tasks === 0) {
    return nothing([trans.__('It has no unfinished tasks. Finished results stay until no variable holds them.')]);
  }
  if (plan.results === 0) {
    return nothing([
      plan.others.clients > 0
        ? trans.__('This client wants no result that needs these tasks; others do. Cancel it with one of those clients.')
        : plan.others.count > 0
          ? `${keptWords(trans)} ${trans.__('Delete the variable, queue or published data set, or cancel the task on a worker that asked for them, and the scheduler drops them.')}`
          : trans.__('No client wants a result that needs these tasks: the scheduler drops them by itself.')
    ]);
  }
  const downstream = plan.results - plan.direct;
  const sentences = [
    plan.direct > 0
      ? trans._n(
          '1 unfinished task that this client wants is cancelled.',
          '%2 unfinished tasks that this client wants are cancelled.',
          plan.direct,
          formatCount(plan.direct)
        )
      : trans.__('They are intermediate tasks: to stop them, the results that need them are cancelled.'),
    downstream > 0
      ? trans._n(
          '1 result that needs these tasks is cancelled with them.',
          '%2 results that need these tasks are cancelled with them.',
          downstream,
          formatCount(downstream)
        )
      : '',
    trans.__('Variables that hold what is cancelled cannot be used any more. Finished results stay.'),
    plan.others.count > 0 ? trans.__('Others keep their results, so the tasks that these need go on.') : '',
    trans.__('Running tasks run to their end and keep their threads until then: Python cannot stop them.'),
    leftWords(plan, trans)
  ];
  return {
    title: trans.__('Cancel %1?', name),
    sentences: sentences.filter(Boolean),
    lists: [keyList(plan, trans), ...others],
    // The button that closes a dialog is "Cancel", too.
    accept: trans.__('Cancel tasks'),
    warns: true
  };
}

/** Confirmation that erred tasks run again, or why there is nothing to retry. */
export function retryQuestion(subject: Subject, plan: Plan, trans: Translate): Question | Nothing {
  const name = subjectName(subject);
  if (plan.results === 0) {
    const sentence =
      plan.tasks === 0
        ? trans.__('It has no erred tasks.')
        : plan.others.clients > 0 || plan.others.count === 0
          ? trans.__('This client wants no result that needs them. Retry with one of the clients that do.')
          : keptWords(trans);
    return { title: trans.__('Nothing to retry: %1', name), sentences: [sentence], lists: otherLists(plan, trans) };
  }
  const sentences = [
    trans._n(
      '1 erred result of this client is computed again, with the tasks that it needs.',
      '%2 erred results of this client are computed again, with the tasks that they need.',
      plan.results,
      formatCount(plan.results)
    ),
    leftWords(plan, trans)
  ];
  return {
    title: trans.__('Retry %1?', name),
    sentences: sentences.filter(Boolean),
    lists: [keyList(plan, trans)],
    accept: trans.__('Retry'),
    warns: false
  };
}

/** No client wants results, but something that Dask keeps like a client. */
function keptWords(trans: Translate): string {
  return trans.__('No client wants a result that needs these tasks: what is named below keeps them.');
}

function leftWords({ left, results }: Plan, trans: Translate): string {
  return left === 0
    ? ''
    : trans.__('These are the first %1; do it again for the other %2.', formatCount(results), formatCount(left));
}
