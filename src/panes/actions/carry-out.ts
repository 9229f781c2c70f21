/** Carries out actions: asks the kernel what would be lost, the user for confirmation, and shows the result. */
import { Notification } from '@jupyterlab/apputils';
import { formatBytes, formatCount } from '../../base/format';
import { actToEnd } from '../../clients/act-to-end';
import type { KernelEntry } from '../../clients/model';
import type { Scalar } from '../../feed/frame';
import type { Translate } from '../../plot/plot';
import type { Subject } from '../../plot/tooltip';
import type { ActionName, ClientAction } from './client-action';
import { confirmed, type Nothing, type Question } from './dialog';
import { showEnd } from './result';
import { readClusterStakes, readDone, readPlan, readTrimmed, readWorkerStakes } from './replies';
import {
  benchmarkQuestion,
  cancelQuestion,
  restartQuestion,
  restartWorkerQuestion,
  retireQuestion,
  retryQuestion,
  shortName,
  trimQuestion
} from './words';
import { cancelledWords, notCancelledWords, notRetriedWords, retriedWords } from './words/done';

/** Asks the kernel of the client for an action. */
type Ask = (name: string, args: Readonly<Record<string, string>>) => Promise<Scalar>;

/** What is asked before an action, and how it is carried out after that. */
interface Step {
  readonly question: Question | Nothing;
  /** Notification while it runs. */
  readonly pending: string;
  /** Acts; returns a message about the result. */
  act(): Promise<string>;
}

/**
 * Carry out an action after confirmation; the result is shown as a notification.
 *
 * @returns whether it was carried out
 * @throws Error if the kernel cannot say what would be lost, with a message for users
 */
export async function carryOut(action: ClientAction, kernel: KernelEntry, trans: Translate): Promise<boolean> {
  const target = { client: action.client };
  let late: (message: string) => void = () => undefined;
  const ask: Ask = async (name, args) => (await actToEnd(kernel, { name, target, args }, message => late(message))) as Scalar;
  const info = kernel.clients.find(({ key }) => key === action.client);
  // A client by address knows no class. Its scheduler goes on where the cluster restarts.
  const cluster = info?.cluster === 'Scheduler' ? '' : info?.cluster;
  const step = await STEPS[action.name](ask, action.subject, cluster || info?.address || action.client, trans);
  if (!(await confirmed(named(step.question, kernel, trans), trans))) {
    return false;
  }
  const id = Notification.emit(step.pending, 'in-progress', { autoClose: false });
  late = message => void Notification.update({ id, message: `${step.pending} ${message}` });
  return showEnd(
    () => step.act(),
    () => id
  );
}

/** Clusters of different notebooks often have equal names: a question names the notebook. */
function named(question: Question | Nothing, { name }: KernelEntry, trans: Translate): Question | Nothing {
  const whose = trans.__('This is done through the client of %1.', shortName(name));
  return 'accept' in question ? { ...question, sentences: [...question.sentences, whose] } : question;
}

type MakeStep = (ask: Ask, subject: Subject | null, cluster: string, trans: Translate) => Promise<Step>;

const STEPS: Readonly<Record<ActionName, MakeStep>> = {
  retire: async (ask, subject, _, trans) => {
    const worker = addressOf(subject);
    const stakes = readWorkerStakes(await ask('stakes', { worker }));
    const name = shortName(stakes.name);
    return {
      question: retireQuestion(stakes, trans),
      pending: trans.__('Retiring worker %1: its results move …', name),
      act: async () => {
        await ask('retire', { worker });
        return trans.__('Worker %1 was retired.', name);
      }
    };
  },
  'restart-worker': async (ask, subject, _, trans) => {
    const worker = addressOf(subject);
    const stakes = readWorkerStakes(await ask('stakes', { worker }));
    const name = shortName(stakes.name);
    return {
      question: restartWorkerQuestion(stakes, trans),
      pending: trans.__('Restarting worker %1 …', name),
      act: async () => {
        await ask('restart_worker', { worker });
        return trans.__('Worker %1 was restarted.', name);
      }
    };
  },
  trim: async (ask, subject, _, trans) => {
    const worker = subject === null ? null : addressOf(subject);
    return {
      question: trimQuestion(subject?.kind === 'worker' ? subject.name : null, trans),
      pending: trans.__('Trimming memory …'),
      act: async () => trimmedWords(await ask('trim', worker === null ? {} : { worker }), trans)
    };
  },
  restart: async (ask, _, cluster, trans) => ({
    question: restartQuestion(cluster, readClusterStakes(await ask('stakes', {})), trans),
    pending: trans.__('Restarting %1 …', shortName(cluster)),
    act: async () => {
      await ask('restart', {});
      return trans.__('%1 was restarted.', shortName(cluster));
    }
  }),
  benchmark: async (ask, _, cluster, trans) => ({
    question: benchmarkQuestion(cluster, readClusterStakes(await ask('stakes', {})), trans),
    pending: trans.__('Measuring the hardware of %1 begins …', shortName(cluster)),
    act: async () => {
      await ask('benchmark', {});
      return trans.__('The hardware is being measured; the pane shows the result.');
    }
  }),
  cancel: async (ask, subject, _, trans) => {
    const tasks = tasksOf(subject);
    const plan = readPlan(await ask('plan_cancel', tasks.args));
    return {
      question: cancelQuestion(tasks.subject, plan, trans),
      pending: trans.__('Cancelling …'),
      act: async () => {
        const { done, leftOut, gone } = readDone(await ask('cancel', { plan: plan.plan }));
        return [cancelledWords(done, gone, trans), notCancelledWords(leftOut, trans)].filter(Boolean).join(' ');
      }
    };
  },
  retry: async (ask, subject, _, trans) => {
    const tasks = tasksOf(subject);
    const plan = readPlan(await ask('plan_retry', tasks.args));
    return {
      question: retryQuestion(tasks.subject, plan, trans),
      pending: trans.__('Retrying …'),
      act: async () => {
        const { done, leftOut } = readDone(await ask('retry', { plan: plan.plan }));
        return [retriedWords(done, trans), notRetriedWords(leftOut, trans)].filter(Boolean).join(' ');
      }
    };
  }
};

function trimmedWords(value: Scalar, trans: Translate): string {
  const { workers, failed, freed } = readTrimmed(value);
  const words = trans._n('1 worker gave back %3.', '%2 workers gave back %3.', workers, formatCount(workers), formatBytes(freed));
  return failed === 0
    ? words
    : `${words} ${trans._n('1 worker could not.', '%2 workers could not.', failed, formatCount(failed))}`;
}

function addressOf(subject: Subject | null): string {
  if (subject?.kind !== 'worker') {
    throw new Error('This action needs a worker.');
  }
  return subject.address;
}

function tasksOf(subject: Subject | null): { readonly subject: Subject; readonly args: Readonly<Record<string, string>> } {
  if (subject?.kind === 'task') {
    return { subject, args: { key: subject.key } };
  }
  if (subject?.kind === 'function') {
    return { subject, args: { prefix: subject.prefix } };
  }
  throw new Error('This action needs a task or a function.');
}
