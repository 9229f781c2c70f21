/** Content of a displayed client: pure texts and fractions, from the facts of the output or from the live run. */
import { formatBytes, formatBytesOf, formatCount, formatRate } from '../base/format';
import type { MemoryLevel } from '../base/theme';
import type { Milliseconds, Seconds, Share } from '../base/units';
import type { FeedState } from '../feed/feed';
import type { ClientInfo } from '../feed/kernel/kernel-channel';
import type { Situation } from '../clients/model';
import { endingSpoken, endingWords } from '../clients/ending';
import { minutes, type PaneStatus, paneStatus, readsGraph } from '../clients/status';
import type { TitlePart, Translate } from '../plot/plot';
import { knowsAllTasks, prefixCounts, taskCountText } from '../selectors/tasks/prefix-counts';
import { type ClientTasks, tasksOfClient } from '../selectors/client-tasks';
import { errorsLink } from '../selectors/errors/link';
import { rateOf } from '../selectors/rates/rates';
import { limitOf } from '../selectors/workers/memory-limit';
import { isLeaving, liveWorkers, total, totalIfKnown, type WorkerRow, worstLevel } from '../selectors/workers/worker-rows';
import { presentTotals } from '../selectors/tasks/work-order';
import { OUTDATED_AFTER } from '../run/clock';
import type { Run } from '../run/run';
import type { ClientFacts } from './cell/facts';

/** A function counts as active for this long after its last task: a loop waits for each result. */
const LULL: Seconds = 2;

/** What the row about tasks counts. */
type Counted = Omit<ClientTasks, 'computations' | 'others' | 'unrun'>;

/** Parts of a memory bar, from left to right. */
export const MEMORY_PARTS = ['managed', 'unmanaged', 'recent', 'spilled'] as const;
/** A part of a memory bar. */
export type MemoryPart = (typeof MEMORY_PARTS)[number];

/** The row about memory. */
export interface MemoryWords {
  readonly text: string;
  /** Lists each part with its figure; '' if only the limit is known. */
  readonly details: string;
  /** Parts as fractions of the limit; `null` if there is no limit or no figure. */
  readonly bar: Readonly<Record<MemoryPart, Share>> | null;
  readonly level: MemoryLevel;
}

/** Complete content of a client's card. */
export interface CardWords {
  readonly title: string;
  /** Type of the cluster and address of the scheduler. */
  readonly where: string;
  readonly status: Pick<PaneStatus, 'sign' | 'text' | 'spoken' | 'tone' | 'passing' | 'brief'> & { readonly state: string };
  readonly workers: readonly TitlePart[];
  readonly memory: MemoryWords;
  /** Empty if nothing is known of tasks. */
  readonly tasks: readonly TitlePart[];
  readonly dashboard: string;
  /** Why there is no dashboard link. */
  readonly dashboardReason: string;
  /** Why only part of the data is available, and which configuration values are invalid. */
  readonly limited: string;
}

/** State of a card's connection to the kernel. */
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

/** The card without a kernel: the facts at the time of the output. */
export function savedWords(facts: ClientFacts, today: Date, trans: Translate): CardWords {
  const { info } = facts;
  const time = minutes(facts.time, today);
  const text = info.status === 'closed' ? trans.__('closed · as of %1', time) : trans.__('as of %1', time);
  return { ...factWords(facts, info, trans), status: { state: 'saved', sign: 'none', text, spoken: '' } };
}

/** The card while a kernel knows its client. */
export function liveWords(facts: ClientFacts, live: LiveState, trans: Translate): CardWords {
  const { run, info } = live;
  const status = statusWords(facts.kind, live, trans);
  const ending = endingWords(info, trans);
  const joined = (...texts: readonly string[]): string => texts.join(' · ');
  const words: CardWords = {
    ...factWords(facts, info, trans),
    status:
      ending === ''
        ? status
        : {
            ...status,
            text: joined(status.text, ending),
            spoken: joined(status.spoken ?? status.text, endingSpoken(info, trans))
          }
  };
  if (run === null || !run.has('workers')) {
    return words;
  }
  const workers = liveWorkers(run);
  const counted: Counted = facts.kind === 'cluster' ? ofCluster(run) : tasksOfClient(run, info.key);
  return {
    ...words,
    workers: workerWords(workers, trans),
    memory: memoryWords(workers, trans),
    tasks:
      words.status.state === 'closed'
        ? endedWords(run, counted, trans)
        : taskWords(run, counted, words.status.state === 'live', trans)
  };
}

/** Of a cluster, the tasks of all clients are counted. */
function ofCluster(run: Run): Counted {
  return { totals: presentTotals(run), whose: 'only', submitted: true };
}

/** Content that follows from facts alone. */
function factWords(facts: ClientFacts, info: ClientInfo, trans: Translate): Omit<CardWords, 'status'> {
  // Schedulers elsewhere, as of a client by address, go on without the kernel.
  const gone = info.kernelEnded === true && info.cluster.startsWith('Local');
  // Only the cluster knows how much of it is in use.
  const limit = info.memoryLimit > 0 ? trans.__('limit %1', formatBytes(info.memoryLimit)) : '–';
  return {
    title: facts.kind === 'cluster' ? trans.__('Cluster') : trans.__('Client'),
    // A displayed cluster remains one, even if a client by address reports on it.
    where: [facts.kind === 'cluster' ? facts.info.cluster : info.cluster, info.address].filter(part => part !== '').join(' · '),
    workers: [{ text: formatCount(info.workers) }, { text: threadWords(info.threads, trans) }],
    memory: { text: limit, details: '', bar: null, level: 'blue' },
    tasks: [],
    dashboard: gone ? '' : info.dashboard,
    dashboardReason: gone ? trans.__('its kernel has ended') : info.dashboardReason,
    limited: [info.limited, info.notice ?? ''].filter(text => text !== '').join(' ')
  };
}

function statusWords(kind: ClientFacts['kind'], live: LiveState, trans: Translate): CardWords['status'] {
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
  if (kind === 'cluster' && status.state === 'closed') {
    // Nobody reports on the cluster any more, which may go on.
    return { ...status, text: trans.__('its client: %1', status.text) };
  }
  // A card has no picture: the age of its figures is shown only if they are outdated.
  const fresh = run === null || (!readsGraph(run) && run.clock.at(live.now) - run.clock.latest < OUTDATED_AFTER);
  return status.state === 'live' && fresh ? { ...status, text: trans.__('live') } : status;
}

function workerWords(workers: readonly WorkerRow[], trans: Translate): TitlePart[] {
  const paused = workers.filter(({ status }) => status === 'paused').length;
  const retiring = workers.filter(isLeaving).length;
  return [
    { text: formatCount(workers.length) },
    {
      text: threadWords(
        total(workers, ({ nthreads }) => nthreads),
        trans
      )
    },
    ...(paused > 0 ? [{ text: trans.__('%1 paused', formatCount(paused)), tone: 'bad' } as const] : []),
    ...(retiring > 0 ? [{ text: trans.__('%1 retiring', formatCount(retiring)), tone: 'bad' } as const] : [])
  ];
}

function threadWords(threads: number, trans: Translate): string {
  return trans._n('1 thread', '%2 threads', threads, formatCount(threads));
}

function memoryWords(workers: readonly WorkerRow[], trans: Translate): MemoryWords {
  const known = MEMORY_PARTS.map(part => totalIfKnown(workers, worker => worker[part]));
  const [managed, unmanaged, recent, spilled] = known.map(bytes => bytes || 0);
  const limit = limitOf(workers);
  // What no worker has reported is not nothing.
  const used = known.slice(0, 3).every(Number.isNaN) ? Number.NaN : managed + unmanaged + recent;
  const texts = known.map(formatBytes);
  const details = [
    trans.__('managed %1', texts[0]),
    trans.__('unmanaged %1', texts[1]),
    trans.__('unmanaged, recent %1', texts[2]),
    trans.__('spilled to disk %1', texts[3])
  ].join(', ');
  const whole = Math.max(limit || 0, (used || 0) + spilled);
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

function taskWords(run: Run, counted: Counted, moving: boolean, trans: Translate): TitlePart[] {
  const { totals, whose } = counted;
  if (totals === null || totals.all === 0) {
    return [{ text: noneWords(run, counted, trans) }];
  }
  // How fast each function is, is known of all clients together.
  const rate = moving && whose !== 'own' ? totalRate(run) : 0;
  const figure = `${formatCount(totals.done)} / ${taskCountText(run, totals.all)}`;
  return [
    { text: whose === 'all' ? trans.__('%1, all clients', figure) : figure },
    ...(rate > 0 ? [{ text: formatRate(rate) }] : []),
    ...erredWords(run, totals.erred, trans)
  ];
}

/** Without tasks of the client: those of others are not its own. */
function noneWords(run: Run, { totals, submitted }: Counted, trans: Translate): string {
  if (totals === null) {
    return submitted ? trans.__('none known') : trans.__('none yet');
  }
  return knowsAllTasks(run) ? (hasRun(run) ? trans.__('none now') : trans.__('none yet')) : trans.__('none known');
}

/** Whether any task has run: the counts of a scheduler that was cleared, as by `client.restart()`, start over. */
function hasRun({ tasks, computations }: Run): boolean {
  return tasks.kept > 0 || computations.list.some(({ values }) => values.tasks > 0);
}

/** Local schedulers have no pane of errors. */
function erredWords(run: Run, erred: number, trans: Translate): TitlePart[] {
  const text = trans.__('%1 erred', formatCount(erred));
  return erred > 0 ? [{ text, tone: 'bad', ...(run.meta.local ? {} : { opens: errorsLink() }) }] : [];
}

/** Tasks of a closed client, including those that were unfinished at that time. */
function endedWords(run: Run, counted: Counted, trans: Translate): TitlePart[] {
  const { totals } = counted;
  if (totals === null || totals.all === 0) {
    const none = hasRun(run) ? trans.__('none when it closed') : trans.__('no tasks');
    return totals !== null && knowsAllTasks(run) ? [{ text: none }] : taskWords(run, counted, false, trans);
  }
  const { done, all, erred } = totals;
  return done + erred === all || !knowsAllTasks(run)
    ? taskWords(run, counted, false, trans)
    : [
        { text: trans._n('1 task', '%2 tasks', all, formatCount(all)) },
        { text: trans.__('%1 done when it closed', formatCount(done)) },
        ...erredWords(run, erred, trans)
      ];
}

/** Tasks finished per second, over all active functions with a known speed. */
function totalRate(run: Run): number {
  const present = prefixCounts(run).filter(({ active, until }) => active > 0 || until >= run.clock.latest - LULL);
  const rates = present.map(counts => rateOf(run, counts).perSecond);
  return rates.reduce((sum, rate) => sum + (Number.isFinite(rate) ? rate : 0), 0);
}
