/** The longer texts of a pane: in place of the picture, and in the strip below it. */
import { formatCount } from '../../base/format';
import { messageOf } from '../../base/untrusted';
import { minutes, notebookName, waitingForKernel } from '../../clients/status';
import type { ClientKind, Clients, KernelEntry } from '../../clients/model';
import type { EmptyText, Translate } from '../../plot/plot';
import type { Attachment } from '../../clients/attachment';
import { FOLLOW } from '../../clients/binding';
import { endingWords } from '../../clients/ending';
import type { FeedStatus } from '../../feed/feed';
import type { Lacking } from './arrival';
import { lossMessage, silenceMessage } from './lost-words';
import type { Run } from '../../run/run';
import { emptyBody, type PaneMessage } from '../../plot-frame/message';

/** Actions of the buttons in messages. */
export interface MessageActions {
  addBridge(): void;
  follow(): void;
  retry(): void;
  copy(text: string): void;
}

/** Text of a pane without a run. */
export function absentMessage(attachment: Attachment, clients: Clients, trans: Translate, actions: MessageActions): PaneMessage {
  const { kernel, named, binding, situation, kind } = attachment;
  const name = kernel?.name ?? (named ? notebookName(clients, named.path) : '');
  const refused = kernel === null ? null : kernelMessage(kernel, name, trans, actions);
  if (refused !== null) {
    return refused;
  }
  if (situation === 'waiting') {
    const unknown = named === null && (kernel === null || kernel.state === 'ready');
    const head = unknown ? waitingForKernel(trans) : trans.__('Asking the kernel of %1', name);
    return { head, progress: Number.NaN };
  }
  if (named?.info.status === 'closed') {
    return {
      head: kind === 'local' ? trans.__('The kernel of %1 has ended', name) : trans.__('The client of %1 is closed', name),
      body: `${trans.__('No open pane has the data of this client any more.')} ${whatToRun(kind, trans)}`,
      actions: binding.follow ? [] : [{ label: trans.__('Follow the active notebook'), run: actions.follow }]
    };
  }
  if (!binding.follow) {
    const found = clients.resolve(FOLLOW, kind);
    const newest = found?.info.status === 'closed' ? null : found;
    return {
      head: trans.__('The client of this pane is gone'),
      body: newest ? undefined : whatToRun(kind, trans),
      actions: [
        {
          label: newest ? trans.__('Show %1', notebookName(clients, newest.path)) : trans.__('Follow the active notebook'),
          run: actions.follow
        }
      ]
    };
  }
  if (kind === 'cluster' && kernel?.state === 'ready' && kernel.reason !== '') {
    return { head: trans.__('A client of %1 is not shown', name), body: kernel.reason };
  }
  const head = kind === 'local' ? trans.__('No computation without a Client yet') : trans.__('No Dask client yet');
  return { head, body: [whatToRun(kind, trans), ...whatRuns(kind, clients, trans)].join(' ') };
}

/** Why a kernel shows nothing; `null` where it answers. */
function kernelMessage(kernel: KernelEntry, name: string, trans: Translate, actions: MessageActions): PaneMessage | null {
  switch (kernel.state) {
    case 'missing': {
      const other = kernel.version !== '';
      return {
        head: other
          ? trans.__('dask_panes %1 in the kernel of %2 is not compatible with this extension', kernel.version, name)
          : trans.__('dask_panes is missing in the kernel of %1', name),
        body: other
          ? trans.__(
              'Install the same version in both environments. Until then, Add sends the part that this kernel needs. Nothing is installed.'
            )
          : trans.__(
              'Its environment does not have the package, or the setting “Make Dask Panes known to Python kernels” is off. Add sends the part that this kernel needs. Nothing is installed.'
            ),
        actions: [{ label: trans.__('Add'), run: actions.addBridge }]
      };
    }
    case 'unsupported':
      return {
        head: trans.__('Not supported in the kernel of %1', name),
        body: trans.__('This is not a Python kernel with a control channel that Dask Panes can use.')
      };
    case 'failed':
      return { head: trans.__('The kernel of %1 refused the request', name), body: kernel.reason, tone: 'bad' };
    case 'disconnected':
      return lossMessage(kernel, trans);
    case 'dead':
      return kernel.kind === 'recording'
        ? {
            head: trans.__('The recording %1 cannot be read', name),
            body: kernel.reason,
            tone: 'bad',
            actions: [{ label: trans.__('Try again'), run: () => kernel.look() }]
          }
        : null;
    default:
      return null;
  }
}

/** Work that a pane of the other kind shows. */
function whatRuns(kind: ClientKind, clients: Clients, trans: Translate): readonly string[] {
  const local = kind === 'local' ? null : clients.resolve(FOLLOW, 'local');
  return local === null
    ? []
    : [trans.__('%1 computes without a Client: the layout Local shows its tasks.', notebookName(clients, local.path))];
}

function whatToRun(kind: ClientKind, trans: Translate): string {
  return kind === 'local'
    ? trans.__('Compute something in a notebook with threads, processes or synchronously to see it here.')
    : trans.__('Run Client() in a notebook to see its cluster here.');
}

/**
 * Text while the first frames have not arrived, or never will.
 *
 * @param asked - how many workers are asked for them; 0 where none are
 */
export function loadingMessage(attachment: Attachment, asked: number, trans: Translate): PaneMessage {
  const feed = attachment.live?.feed.state;
  if (feed?.status === 'limited') {
    return { head: trans.__('This cluster cannot be shown'), body: feed.reason };
  }
  if (feed?.status === 'silent') {
    return {
      head:
        feed.silent === 'scheduler'
          ? trans.__('The scheduler has not answered yet')
          : trans.__('The kernel has not answered yet'),
      body: trans.__('What this plot needs has not come. It comes when there is an answer again.')
    };
  }
  const body = trans._n('1 worker is asked.', '%2 workers are asked, some at a time.', asked, formatCount(asked));
  return { head: trans.__('Loading'), ...(asked > 0 ? { body } : {}), progress: Number.NaN };
}

/**
 * Text of a plot without data.
 *
 * @param lacking - what will never have a topic of the plot; `null` where all topics are there
 * @param feed - the state of its feed, and why its scheduler is limited
 */
export function emptyMessage(
  empty: EmptyText,
  lacking: Lacking | null,
  { status, reason }: { readonly status?: FeedStatus; readonly reason: string },
  trans: Translate
): PaneMessage {
  if (lacking === null) {
    return { head: empty.head, body: emptyBody(empty, status, trans) };
  }
  const bodies = {
    cluster: trans.__('The cluster has not sent this. Its collector may be older than this plot.'),
    ended: trans.__('It had not come when the client closed: nobody had asked for it, or its collector is older than this plot.'),
    recording: trans.__('The recording does not contain this. It may be older than this plot.'),
    scheduler: trans.__('This scheduler does not report all that this plot shows: %1', reason)
  };
  // Whether there is nothing, as the plot would say, is not known.
  return { head: trans.__('Nothing is known'), body: bodies[lacking] };
}

/** Text of a plot that threw an error. */
export function failureMessage(title: string, error: unknown, trans: Translate, actions: MessageActions): PaneMessage {
  const reason = messageOf(error);
  const details = error instanceof Error ? (error.stack ?? reason) : reason;
  return {
    head: trans.__('%1 could not be drawn', title),
    body: reason,
    tone: 'bad',
    actions: [
      { label: trans.__('Try again'), run: actions.retry },
      { label: trans.__('Copy details'), run: () => actions.copy(details) }
    ]
  };
}

/** What is missing or wrong with the data of a pane, for its status line. */
export function feedNotes(attachment: Attachment, run: Run | null, trans: Translate): string[] {
  const feed = attachment.live?.feed.state;
  const limited = feed?.status === 'limited' ? [trans.__('limited: %1', feed.reason)] : [];
  const silent = feed?.silent === 'scheduler' ? [trans.__('the scheduler does not answer its client')] : [];
  const info = attachment.live?.info;
  const ending = info === undefined ? '' : endingWords(info, trans);
  const others = [...(run?.problems ?? []), info?.notice ?? '', ending].filter(text => text !== '');
  return [...limited, ...silent, ...others];
}

/** The strip below a picture whose client has ended, or whose kernel does not answer. */
export function bannerMessage(
  attachment: Attachment,
  clients: Clients,
  trans: Translate,
  actions: MessageActions
): PaneMessage | null {
  const { situation, live, named, kind, kernel } = attachment;
  if (situation === 'attached' && live !== null && kernel !== null) {
    const { state } = live.feed;
    return state.status === 'disconnected' ? lossMessage(kernel, trans) : silenceMessage(kernel, state, performance.now(), trans);
  }
  if (situation !== 'closed' || live === null) {
    return null;
  }
  if (kernel?.kind === 'recording') {
    return kernelMessage(kernel, kernel.name, trans, actions);
  }
  const { closedAt = live.feed.state.closedAt, kernelEnded = false } = named?.info ?? live.info;
  const newest = clients.resolve(FOLLOW, kind);
  const other = newest !== null && newest.info.status !== 'closed' && newest.info.key !== live.info.key;
  return {
    head: endWords(kind === 'local' || kernelEnded, closedAt === undefined ? '' : minutes(closedAt), trans),
    // Where another notebook has one, a pane that follows shows it when that notebook is active.
    body: clients.followed || kind === 'local' ? undefined : trans.__('No other client yet: run Client() in a notebook.'),
    actions: other ? [{ label: trans.__('Show %1', notebookName(clients, newest.path)), run: actions.follow }] : []
  };
}

/** @param time - wall clock of the end; '' if it is not known */
function endWords(withKernel: boolean, time: string, trans: Translate): string {
  if (withKernel) {
    return time === ''
      ? trans.__('The kernel has ended. Its data stays here.')
      : trans.__('The kernel ended at %1. Its data stays here.', time);
  }
  return time === ''
    ? trans.__('The client has closed. Its data stays here.')
    : trans.__('The client closed at %1. Its data stays here.', time);
}
