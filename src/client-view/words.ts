/** What a displayed client says: pure texts and shares, from the facts of the output or from the live run. */
import { formatBytes, formatBytesOf, formatCount, formatRate } from '../base/format';
import type { MemoryLevel } from '../base/theme';
import type { Milliseconds, Seconds, Share } from '../base/units';
import type { FeedState } from '../feed/feed';
import type { ClientInfo } from '../feed/kernel/kernel-channel';
import type { Situation } from '../clients/attachment';
import { minutes, type PaneStatus, paneStatus, readsGraph } from '../clients/status';
import type { TitlePart, Translate } from '../plot/plot';
import { prefixCounts } from '../selectors/tasks/prefix-counts';
import { rateOf } from '../selectors/tasks/rates';
import { counted } from '../plot/text';
import { liveWorkers, total, type WorkerRow, worstLevel } from '../selectors/workers/worker-rows';
import { presentTotals } from '../selectors/tasks/work-order';
import type { Run } from '../run/run';
import type { ClientFacts } from './cell/facts';

/** A function that had its last task so long ago is at work: a loop waits for each result. */
const LULL: Seconds = 2;

/** Parts of a memory bar, from left to right. */
export const MEMORY_PARTS = ['managed', 'unmanaged', 'recent', 'spilled'] as const;
/** A part of a memory bar. */
export type MemoryPart = (typeof MEMORY_PARTS)[number];

/** Figures are old after so long. */
const OLD: Seconds = 5;

/** The row about memory. */
export interface MemoryWords {
  readonly text: string;
  /** Says each part with its figure; '' where only the limit is known. */
  readonly details: string;
  /** Parts in shares of the limit; `null` where there is no limit or no figure. */
  readonly bar: Readonly<Record<MemoryPart, Share>> | null;
  readonly level: MemoryLevel;
}

/** Everything that the card of a client shows. */
export interface CardWords {
  readonly title: string;
  /** Type of the cluster and address of the scheduler. */
  readonly where: string;
  readonly status: Pick<PaneStatus, 'sign' | 'text' | 'tone'> & { readonly state: string };
  readonly workers: readonly TitlePart[];
  readonly memory: MemoryWords;
  /** Empty where nothing is known of tasks. */
  readonly tasks: readonly TitlePart[];
  readonly dashboard: string;
  /** Why there is no dashboard. */
  readonly dashboardReason: string;
  /** Why only a part can be shown, and what of the configuration could not be used. */
  readonly limited: string;
}

/** Where a card stands with the kernel. */
export interface LiveState {
  readonly situation: Situation;
  readonly info: ClientInfo;
  readonly run: Run | null;
  readonly feed: FeedState | null;
  /** Whether the connection to the Jupyter server is lost. */
  readonly disconnected: boolean;
  /** `performance.now()` */
  readonly now: Milliseconds;
}

/** The card without a kernel: the facts as they were, and when. */
export function savedWords(facts: ClientFacts, today: Date, trans: Translate): CardWords {
  const { info } = facts;
  const time = moment(facts.time, today);
  const text = info.status === 'closed' ? trans('closed · as of %1', time) : trans('as of %1', time);
  return { ...factWords(facts, info, trans), status: { state: 'saved', sign: 'none', text } };
}

/** The card while its client is known to a kernel. */
export function liveWords(facts: ClientFacts, live: LiveState, trans: Translate): CardWords {
  const { run, info } = live;
  const words: CardWords = { ...factWords(facts, info, trans), status: statusWords(live, trans) };
  if (run === null || !run.has('workers')) {
    return words;
  }
  const workers = liveWorkers(run);
  return {
    ...words,
    workers: workerWords(workers, trans),
    memory: memoryWords(workers, trans),
    tasks: words.status.state === 'closed' ? endedWords(run, trans) : taskWords(run, words.status.state === 'live', trans)
  };
}

/** What follows from facts alone. */
function factWords(facts: ClientFacts, info: ClientInfo, trans: Translate): Omit<CardWords, 'status'> {
  const limit = info.memoryLimit > 0 ? formatBytes(info.memoryLimit) : '–';
  return {
    title: facts.kind === 'cluster' ? trans('Cluster') : trans('Client'),
    // A cluster that was displayed stays one, also while a client by address tells of it.
    where: [facts.kind === 'cluster' ? facts.info.cluster : info.cluster, info.address].filter(part => part !== '').join(' · '),
    workers: [{ text: formatCount(info.workers) }, { text: threadWords(info.threads, trans) }],
    memory: { text: limit, details: '', bar: null, level: 'blue' },
    tasks: [],
    dashboard: info.dashboard,
    dashboardReason: info.dashboardReason,
    limited: [info.limited, info.notice ?? ''].filter(text => text !== '').join(' ')
  };
}

function statusWords(live: LiveState, trans: Translate): CardWords['status'] {
  const { run, info } = live;
  const status = paneStatus(
    {
      situation: info.status === 'closed' ? 'closed' : live.situation,
      now: live.now,
      disconnected: live.disconnected,
      run,
      feed: live.feed,
      arrived: run?.has('workers') ?? false,
      empty: false,
      failed: false,
      pausedAt: null,
      closedAt: info.closedAt ?? live.feed?.closedAt ?? null
    },
    trans
  );
  // A card has no picture: the age of its figures matters only where they are old.
  const fresh = run === null || (!readsGraph(run) && run.clock.at(live.now) - run.clock.latest < OLD);
  return status.state === 'live' && fresh ? { ...status, text: trans('live') } : status;
}

function workerWords(workers: readonly WorkerRow[], trans: Translate): TitlePart[] {
  const paused = workers.filter(({ status }) => status === 'paused').length;
  const retiring = workers.filter(({ status }) => status === 'closing_gracefully' || status === 'closing').length;
  return [
    { text: formatCount(workers.length) },
    {
      text: threadWords(
        total(workers, ({ nthreads }) => nthreads),
        trans
      )
    },
    ...(paused > 0 ? [{ text: trans('%1 paused', formatCount(paused)), tone: 'bad' } as const] : []),
    ...(retiring > 0 ? [{ text: trans('%1 retiring', formatCount(retiring)), tone: 'bad' } as const] : [])
  ];
}

function threadWords(threads: number, trans: Translate): string {
  return counted(trans, threads, '1 thread', '%1 threads');
}

function memoryWords(workers: readonly WorkerRow[], trans: Translate): MemoryWords {
  const [managed, unmanaged, recent, spilled] = MEMORY_PARTS.map(part => total(workers, worker => worker[part]));
  const limit = total(workers, worker => worker.limit);
  const used = managed + unmanaged + recent;
  const details = [
    trans('managed %1', formatBytes(managed)),
    trans('unmanaged %1', formatBytes(unmanaged)),
    trans('unmanaged, recent %1', formatBytes(recent)),
    trans('spilled to disk %1', formatBytes(spilled))
  ].join(', ');
  const whole = Math.max(limit, used + spilled);
  return {
    text: limit > 0 ? formatBytesOf(used, limit) : formatBytes(used),
    details,
    bar:
      limit > 0
        ? { managed: managed / whole, unmanaged: unmanaged / whole, recent: recent / whole, spilled: spilled / whole }
        : null,
    level: worstLevel(workers)
  };
}

function taskWords(run: Run, moving: boolean, trans: Translate): TitlePart[] {
  const { done, all, erred } = presentTotals(run);
  if (all === 0) {
    return [{ text: trans('none yet') }];
  }
  const rate = moving ? totalRate(run) : 0;
  return [
    { text: `${formatCount(done)} / ${formatCount(all)}` },
    ...(rate > 0 ? [{ text: formatRate(rate) }] : []),
    ...(erred > 0 ? [{ text: trans('%1 erred', formatCount(erred)), tone: 'strong' } as const] : [])
  ];
}

/** Tasks of a client that has closed: what had not been done by then is said as such. */
function endedWords(run: Run, trans: Translate): TitlePart[] {
  const { done, all } = presentTotals(run);
  return all === 0 || done === all
    ? taskWords(run, false, trans)
    : [{ text: counted(trans, all, '1 task', '%1 tasks') }, { text: trans('%1 done when it closed', formatCount(done)) }];
}

/** Tasks finished in a second, of all functions at work whose speed is known. */
function totalRate(run: Run): number {
  const present = prefixCounts(run).filter(({ active, until }) => active > 0 || until >= run.clock.latest - LULL);
  const rates = present.map(counts => rateOf(run, counts).perSecond);
  return rates.reduce((sum, rate) => sum + (Number.isFinite(rate) ? rate : 0), 0);
}

/** 10:44, or 21 Nov, 10:44 on another day. */
function moment(time: Seconds, today: Date): string {
  const date = new Date(time * 1000);
  const day = date.toDateString() === today.toDateString() ? '' : date.toLocaleDateString(undefined, dayFormat(date, today));
  return day === '' ? minutes(time) : `${day}, ${minutes(time)}`;
}

function dayFormat(date: Date, today: Date): Intl.DateTimeFormatOptions {
  const year = date.getFullYear() === today.getFullYear() ? undefined : 'numeric';
  return { day: 'numeric', month: 'short', year };
}
