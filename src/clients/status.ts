/** The status of a pane: one state, its symbol and text (`docs/look.md`, "Pane"). */
import { formatElapsed, formatWallClock } from '../base/format';
import type { Milliseconds, Seconds } from '../base/units';
import type { SpokenState } from '../base/dom/state-announcer';
import { isolated } from '../plot/text';
import { nameOf } from './binding';
import { type ClientKind, type Clients, type KernelEntry, kindOf, type Situation } from './model';
import type { FeedState } from '../feed/feed';
import type { ClientInfo } from '../feed/kernel/kernel-channel';
import type { Translate } from '../plot/plot';
import { asOf } from '../run/as-of';
import type { Run } from '../run/run';
import { clockSeenAt } from '../selectors/moments';
import { oneDecimal } from '../selectors/plain-number';
import { knowsAllTasks } from '../selectors/tasks/prefix-counts';
import { runningCount } from '../selectors/workers/running-count';
import { disconnectedText } from './disconnected';

/** States of a pane, used in `node.dataset.state`. */
export const PANE_STATES = [
  'loading',
  'live',
  'paused',
  'idle',
  'empty',
  'limited',
  'silent',
  'disconnected',
  'closed',
  'none',
  'recorded',
  'failed'
] as const;
/** A state of a pane. */
export type PaneState = (typeof PANE_STATES)[number];

/** The symbol before the text, drawn by style/, so that no state is shown by colour alone. */
export type StatusSign = 'disc' | 'bars' | 'ring' | 'square' | 'cross' | 'none';

/** State, symbol and text of the status line. */
export interface PaneStatus {
  readonly state: PaneState;
  readonly sign: StatusSign;
  readonly text: string;
  /** What is announced instead of a text with a figure that ages. */
  readonly spoken?: string;
  readonly tone?: 'bad' | 'warn';
  /** The text is of something that ends while the state stays. */
  readonly passing?: boolean;
  /** The state is mostly over in a moment. */
  readonly brief?: boolean;
  /** The text after the separator is a button that follows live again. */
  readonly resumable?: boolean;
}

/** Input of a pane's status. */
export interface StatusInput {
  /** The subject of the pane; default: a cluster. */
  readonly kind?: ClientKind;
  /** Whether it shows a recording, which has no kernel. */
  readonly recorded?: boolean;
  readonly situation: Situation;
  /** `performance.now()` */
  readonly now: Milliseconds;
  readonly run: Run | null;
  readonly feed: FeedState | null;
  /** Whether the connection to the Jupyter server is lost, if there is no feed to report it. */
  readonly disconnected?: boolean;
  /** Whether the connection was released because the cluster is idle. */
  readonly resting?: boolean;
  /** Whether any of the plot's data has arrived. */
  readonly arrived: boolean;
  readonly empty: boolean;
  readonly failed: boolean;
  /** Scheduler time of a paused picture, or `null` while it follows. */
  readonly pausedAt: Seconds | null;
  /** Wall clock of the close, if known. */
  readonly closedAt: Seconds | null;
}

/** Longer ages are invalid: a year. */
const LONGEST_AGE: Seconds = 366 * 86_400;

/** Determine the state of a pane and its text. */
export function paneStatus(input: StatusInput, trans: Translate): PaneStatus {
  const { run, feed, situation } = input;
  if (input.failed) {
    return { state: 'failed', sign: 'cross', text: trans.__('this plot failed'), tone: 'bad' };
  }
  if (situation === 'none' && input.recorded) {
    return { state: 'none', sign: 'ring', text: trans.__('cannot be read') };
  }
  if (situation === 'none') {
    const text = input.kind === 'local' ? trans.__('nothing computed yet') : trans.__('no Dask client');
    return { state: 'none', sign: 'ring', text };
  }
  if (situation === 'closed') {
    const text = input.closedAt === null ? trans.__('closed') : trans.__('closed %1', minutes(input.closedAt));
    return { state: 'closed', sign: 'ring', text };
  }
  if (feed?.status === 'disconnected' || (input.disconnected && situation === 'waiting')) {
    return {
      state: 'disconnected',
      sign: 'square',
      text: disconnectedText(run && feed ? asOf(run, feed) : Number.NaN, trans),
      tone: 'bad'
    };
  }
  if (situation === 'waiting' || run === null || feed === null) {
    const text = input.recorded ? trans.__('loading') : trans.__('asking the kernel');
    return { state: 'loading', sign: 'ring', text, brief: true };
  }
  if (feed.status === 'silent') {
    return silent(run, feed, input.now, trans);
  }
  if (!input.arrived) {
    return feed.status === 'limited'
      ? { state: 'limited', sign: 'ring', text: trans.__('not available') }
      : { state: 'loading', sign: 'ring', text: trans.__('loading'), brief: true };
  }
  if (feed.status === 'recorded' && input.pausedAt === null) {
    const at = formatElapsed(run.clock.latest - run.origin, 1);
    return feed.playing
      ? {
          state: 'recorded',
          sign: 'disc',
          text: trans.__('recording · playing, %1', at),
          spoken: trans.__('recording · playing')
        }
      : {
          state: 'recorded',
          sign: 'bars',
          text: trans.__('recording · paused at %1', at),
          spoken: trans.__('recording · paused')
        };
  }
  if (input.pausedAt !== null) {
    const at = Number.isNaN(input.pausedAt) ? run.clock.latest : input.pausedAt;
    return { state: 'paused', sign: 'bars', text: trans.__('paused at %1', formatElapsed(at - run.origin, 1)), resumable: true };
  }
  return flowing(input, run, feed, trans);
}

function silent(run: Run, feed: FeedState, now: Milliseconds, trans: Translate): PaneStatus {
  const seconds = Math.max(0, Math.round((now - feed.answered) / 1000));
  const text = run.clock.known
    ? trans.__('no answer for %1 s · as of %2', seconds, formatWallClock(asOf(run, feed)))
    : trans.__('no answer for %1 s', seconds);
  return { state: 'silent', sign: 'square', text, spoken: trans.__('no answer'), tone: 'bad' };
}

function flowing(input: StatusInput, run: Run, feed: FeedState, trans: Translate): PaneStatus {
  const { idleSince } = run;
  const idle = Number.isFinite(idleSince);
  const state: PaneState = feed.status === 'limited' ? 'limited' : input.empty ? 'empty' : idle ? 'idle' : 'live';
  if (idle) {
    const text = idleText(run, trans);
    return {
      state,
      sign: 'ring',
      text: input.resting ? `${text} · ${trans.__('disconnected while idle: click to reconnect')}` : text
    };
  }
  if (onlyReadsGraph(run)) {
    return { state, sign: 'disc', text: trans.__('reading a graph'), passing: true };
  }
  const age = Math.max(0, run.clock.at(input.now) - run.clock.latest);
  // That a cluster is limited is among the notes.
  const spoken = state === 'limited' ? trans.__('live, with limits') : trans.__('live');
  return { state, sign: 'disc', text: liveText(age, trans), spoken };
}

/** Since when an idle cluster has had nothing to do, as far as that is known: tasks may wait that a scheduler does not report. */
export function idleText(run: Run, trans: Translate): string {
  const since = minutes(run.idleSince);
  return knowsAllTasks(run) ? trans.__('idle since %1', since) : trans.__('nothing on the workers since %1', since);
}

/** Age of the newest figures; not shown as a figure if the clock is unusable. */
function liveText(age: Seconds, trans: Translate): string {
  if (!(age < LONGEST_AGE)) {
    return trans.__('live');
  }
  return age < 1 ? trans.__('live · %1 s', oneDecimal(age)) : trans.__('live · %1 s ago', Math.round(age));
}

/** A notebook or console was opened just now, and its kernel is not known yet. */
export function waitingForKernel(trans: Translate): string {
  return trans.__('Waiting for the kernel of a notebook');
}

/** Whether the scheduler unpacks and orders a graph: none of its tasks makes progress until that is done. */
export function readsGraph(run: Run): boolean {
  return typeof run.meta.reading === 'number' && run.meta.reading > 0;
}

/** Whether it does, and nothing runs meanwhile: else the cluster is live. */
export function onlyReadsGraph(run: Run): boolean {
  return readsGraph(run) && !(runningCount(run) > 0);
}

/** Wall clock to the minute: 10:31, and on another day than today 21 Nov, 10:31. */
export function minutes(time: Seconds, today = new Date()): string {
  return clockSeenAt(today.getTime() / 1000, time).replace(/:\d\d(?=\D*$)/, '');
}

/** Display name of a client next to its notebook: its variable, else its cluster; none for local schedulers. */
export function clientName(info: ClientInfo): string {
  return info.kind === 'local' ? 'local' : info.variable || info.cluster || info.key;
}

/** Whether the notebook of a client has had several. */
export function isOneOfSeveral(kernel: KernelEntry | null, info: ClientInfo): boolean {
  return (kernel?.clients ?? []).filter(other => kindOf(other) === kindOf(info)).length > 1;
}

/** Name of the notebook of a client in texts of ours; not in `binding.ts`, which every page loads at its start. */
export function notebookName(clients: Clients, path: string): string {
  return isolated(nameOf(clients, path));
}

/** What shows a client. */
interface Shows {
  readonly named: { readonly path: string; readonly info: ClientInfo } | null;
  readonly kernel: KernelEntry | null;
}

/** A client for display: its notebook, and which client where the notebook has had several; empty for none. */
function calledClient(clients: Clients, { named, kernel }: Shows): string {
  if (named === null) {
    return '';
  }
  const name = notebookName(clients, named.path);
  return isOneOfSeveral(kernel, named.info) ? `${clientName(named.info)} · ${name}` : name;
}

/** What a screen reader says of a status, with the client of which it is. */
export function spokenStatus(
  status: Pick<PaneStatus, 'sign' | 'text' | 'spoken' | 'passing' | 'brief'>,
  shows: Shows | null,
  clients: Clients | null,
  trans: Translate
): SpokenState {
  const spoken = status.spoken ?? status.text;
  if (!shows?.named || clients === null) {
    return { ...status, spoken };
  }
  const { kernel, named } = shows;
  const called = calledClient(clients, shows);
  // Titles of panes say which is the local scheduler's: here, nothing else would.
  const isOfBothKinds = new Set((kernel?.clients ?? []).map(kindOf)).size > 1 && !isOneOfSeveral(kernel, named.info);
  const name = isOfBothKinds ? `${clientName(named.info)} · ${called}` : called;
  return { ...status, spoken, of: { key: shows.named.info.key, spoken: trans.__('%1: %2', name, spoken) } };
}
