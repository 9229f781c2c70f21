/** Texts on the card of a hosted cluster, and why one could not be started. Pure. */
import { formatBytes, formatExactCount, formatWallClock } from '../../base/format';
import { messageOf } from '../../base/untrusted';
import type { Seconds } from '../../base/units';
import { type HostedCluster, type HostFacts, StartFailure } from '../../clients/hosting/model';
import { disconnectedText } from '../../clients/disconnected';
import { MOST_WORKERS } from '../../panes/forms/count';
import type { Translate } from '../../plot/plot';
import { count, type RowWords } from '../clients/kernel-words';

/** A card's state with its two lines. */
export interface CardWords extends RowWords {
  /** The second line: current activity and possible events. */
  readonly more: string;
}

type CardState = Pick<HostedCluster, 'state' | 'facts' | 'asOf' | 'emptySince'>;

/** The texts of a card. */
export function cardWords({ state, facts, asOf, emptySince }: CardState, trans: Translate): CardWords {
  switch (state) {
    case 'running':
      return facts ? runningWords(facts, asOf, trans) : { sign: 'ring', text: trans.__('asking its kernel'), more: '' };
    case 'asking':
      return { sign: 'ring', text: trans.__('asking its kernel'), more: '' };
    case 'starting':
      return { sign: 'ring', text: startingWords(facts, trans), more: '' };
    case 'closing':
      return { sign: 'ring', text: trans.__('shutting down'), more: '' };
    case 'closed':
      return { sign: 'ring', text: trans.__('has ended'), more: trans.__('Its kernel still runs: remove it.') };
    case 'failed':
      return { sign: 'cross', text: trans.__('could not be started'), more: '', tone: 'bad' };
    case 'empty':
      return {
        sign: 'cross',
        text: trans.__('no cluster in its kernel'),
        // Nobody knows whether the page that began to start it is still there.
        more: trans.__(
          'Seen so since %1. Another tab may be starting it. If none does, or its kernel was restarted, remove it.',
          formatWallClock(emptySince)
        ),
        tone: 'bad'
      };
    case 'disconnected':
      return { sign: 'square', text: disconnectedText(facts ? asOf : Number.NaN, trans), more: '', tone: 'bad' };
    case 'silent':
      return { sign: 'square', text: trans.__('no answer from its kernel'), more: '', tone: 'bad' };
  }
}

/** The code with which a notebook connects to a cluster. */
export function connectCode(name: string): string {
  return `import dask_panes\n\nclient = dask_panes.connect("${name}")\nclient`;
}

/** Why a cluster, or the kernel for it, could not be started. */
export function startTroubleWords(error: unknown, trans: Translate): string {
  if (!(error instanceof StartFailure)) {
    return messageOf(error);
  }
  const { trouble, detail } = error;
  switch (trouble) {
    case 'refused':
      return trans.__('The server could not start a kernel: %1', detail);
    case 'no-kernel':
      return trans.__('The session has no kernel.');
    case 'language':
      return trans.__('%1 is not a Python kernel that can host a cluster.', detail);
    case 'line':
      return trans.__('The kernel cannot host a cluster.');
    case 'slow':
      return trans.__('The kernel did not come up within %1 s.', detail);
    case 'ended':
      return trans.__('The kernel ended while it started.');
    case 'died':
      return trans.__('The kernel died while it started. The log of the Jupyter server tells why.');
    case 'died-later':
      return trans.__('The kernel died while the cluster started. The log of the Jupyter server tells why.');
    case 'cluster':
      return trans.__('The cluster could not be started.');
    case 'other':
      return detail;
  }
}

function startingWords(facts: HostFacts | null, trans: Translate): string {
  if (facts === null) {
    return trans.__('starting its kernel');
  }
  return facts.asked > 0
    ? trans.__('starting · %1 of %2', facts.workers, count(facts.asked, 'worker', trans))
    : trans.__('starting the cluster');
}

function adaptiveWords([least, most]: readonly [number, number], trans: Translate): string {
  // The kernel reports no more, also where Dask has no limit.
  return most >= MOST_WORKERS
    ? trans.__('adapts, at least %1', count(least, 'worker', trans))
    : trans.__('adapts between %1 and %2', formatExactCount(least), formatExactCount(most));
}

function runningWords(facts: HostFacts, asOf: Seconds, trans: Translate): CardWords {
  const { workers, asked, threads, memory, tasks, clients, adaptive, kind, fixed, problem } = facts;
  const parts = [
    // A card without a class is one of the usual kind.
    ...(kind !== '' && kind !== 'LocalCluster' ? [kind] : []),
    adaptive === null && asked > workers
      ? trans.__('%1 of %2', workers, count(asked, 'worker', trans))
      : adaptive === null && asked < workers
        ? trans.__('%1 (%2 asked for)', count(workers, 'worker', trans), formatExactCount(asked))
        : count(workers, 'worker', trans),
    count(threads, 'thread', trans),
    ...(memory > 0 ? [formatBytes(memory)] : [])
  ];
  const use = [
    ...(adaptive ? [adaptiveWords(adaptive, trans)] : []),
    ...(clients > 0 ? [trans._n('1 client', '%2 clients', clients, formatExactCount(clients))] : []),
    tasks > 0
      ? trans._n('1 task', '%2 tasks', tasks, formatExactCount(tasks))
      : // Its kernel is asked only periodically: work of a client may have begun since.
        clients > 0
        ? trans.__('no tasks at %1', formatWallClock(asOf))
        : trans.__('no tasks at %1 (a server that stops idle kernels may stop it)', formatWallClock(asOf))
  ];
  const more = [use.join(' · '), ...(problem !== '' ? [problem] : fixed !== '' ? [fixed] : [])];
  return { sign: 'disc', text: parts.join(' · '), more: more.join(' · '), ...(problem !== '' ? { tone: 'bad' as const } : {}) };
}
