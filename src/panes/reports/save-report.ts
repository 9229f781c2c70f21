/** "Save report": everything that the scheduler still has of a client's work, as one HTML file next to the notebook. */
import type { Contents } from '@jupyterlab/services';
import type { Binding, Clients, LiveClient } from '../../clients/model';
import { countOf, mapOf, messageOf, numberOf, textOf } from '../../base/untrusted';
import type { Milliseconds, Share } from '../../base/units';
import type { Feed } from '../../feed/feed';
import type { Topic } from '../../feed/schema';
import type { Translate } from '../../plot/plot';
import { reportFile, reportName, reportPageUrl } from './report-file';

/** For so long a client is waited for whose kernel has yet to be asked. */
const PATIENCE: Milliseconds = 10_000;
/** Interval of the check whether it is there. */
const STEP: Milliseconds = 100;

/** Dependencies of saving. */
export interface SaveServices {
  readonly clients: Clients;
  readonly contents: Contents.IManager;
  readonly trans: Translate;
  /** Offer bytes as a download of the browser. */
  download(name: string, text: string): void;
}

/** The report to save. */
export interface SaveRequest {
  readonly binding: Binding;
  /** Ids of the plots in the report; default: all. */
  readonly plots?: readonly string[];
  /** Topics in the report; default: all. */
  readonly topics?: readonly Topic[];
}

/** Progress of a report: its current step, and the completed fraction. */
export interface SaveProgress {
  readonly doing: 'history' | 'workers';
  readonly share: Share;
}

/** Location of a report. */
export interface SavedReport {
  readonly name: string;
  /** Path in JupyterLab's files; empty if it was downloaded because it could not be saved there. */
  readonly path: string;
  /** Why it could not be saved, as a message; '' if it was. */
  readonly reason: string;
  readonly tasks: number;
}

/**
 * Save a report; works while the kernel computes, since its main thread is not needed.
 *
 * @param onProgress - called about once per second in a long operation
 * @param signal - to cancel it: the kernel stops, and no file is written
 * @throws Error with a message for users: no client, a kernel that does not answer, a scheduler that is gone; the
 *   reason of `signal` if it was aborted
 */
export async function saveReport(
  request: SaveRequest,
  services: SaveServices,
  onProgress: (progress: SaveProgress) => void,
  signal: AbortSignal
): Promise<SavedReport> {
  const { trans } = services;
  const { path, live } = await opened(request.binding, services, signal);
  try {
    const notebook = path.split('/').pop() ?? '';
    const [page, content] = await Promise.all([
      pageText(trans),
      gather(live.feed, request, notebook, { trans, onProgress, signal })
    ]);
    signal.throwIfAborted();
    const name = reportName(notebook, new Date());
    const text = reportFile(page, content.facts, content.parts, trans);
    return { name, tasks: content.tasks, ...(await write(folderOf(path), name, text, services)) };
  } finally {
    live.dispose();
  }
}

/** The client to report on. A kernel without a document is asked first: while a pane rests, there is no connection to it. */
async function opened(
  binding: Binding,
  { clients, trans }: SaveServices,
  signal: AbortSignal
): Promise<{ readonly path: string; readonly live: LiveClient }> {
  const until = performance.now() + PATIENCE;
  for (;;) {
    const named = clients.resolve(binding);
    const live = named && clients.acquire(named.path, named.info.key);
    if (named && live) {
      return { path: named.path, live };
    }
    if (named === null || named.info.status === 'closed') {
      throw new Error(trans.__('There is no Dask client to report on: run Client() in a notebook.'));
    }
    if (performance.now() > until) {
      throw new Error(trans.__('There is no connection to the kernel.'));
    }
    clients.kernels.find(({ path, state }) => path === named.path && state === 'unlooked')?.look();
    await new Promise(resolve => setTimeout(resolve, STEP));
    signal.throwIfAborted();
  }
}

type Answer = Readonly<Record<string, unknown>>;

interface Gathering {
  readonly trans: Translate;
  readonly signal: AbortSignal;
  onProgress(progress: SaveProgress): void;
}

interface Gathered {
  readonly facts: Readonly<Record<string, unknown>>;
  readonly parts: readonly string[];
  readonly tasks: number;
}

/** Ask the kernel for a recording of the existing data, then for its bytes, part by part. */
async function gather(feed: Feed, request: SaveRequest, title: string, gathering: Gathering): Promise<Gathered> {
  const { trans, signal } = gathering;
  const begun = mapOf(
    await feed.request('save', {
      title: trans.__('Dask report of %1', title),
      ...(request.topics ? { topics: [...request.topics] } : {}),
      ...(request.plots ? { plots: [...request.plots] } : {})
    })
  );
  const id = textOf(begun.id);
  // A kernel that is gone has nothing to stop.
  const cancel = (): void => void feed.request('save', { id, cancel: true }).catch(() => undefined);
  signal.addEventListener('abort', cancel);
  try {
    if (signal.aborted) {
      cancel();
    }
    return await fetchParts(feed, await whenRecorded(feed, begun, gathering), gathering);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** A long history takes longer than a request may: the kernel reports its progress and is asked again. */
async function whenRecorded(feed: Feed, begun: Answer, { onProgress, signal }: Gathering): Promise<Answer> {
  let answer = begun;
  while (answer.pending === true) {
    onProgress({
      doing: answer.doing === 'workers' ? 'workers' : 'history',
      share: Math.min(1, Math.max(0, numberOf(answer.share)))
    });
    answer = mapOf(await unlessAborted(() => feed.request('save', { id: textOf(answer.id) }), signal));
  }
  return answer;
}

async function fetchParts(feed: Feed, answer: Answer, { trans, signal }: Gathering): Promise<Gathered> {
  const size = countOf(answer.size);
  const step = Math.max(1, countOf(answer.part));
  const parts: string[] = [];
  for (let offset = 0; offset < size; offset += step) {
    const part = await unlessAborted(() => feed.request('saved', { id: textOf(answer.id), offset }), signal);
    if (typeof part !== 'string') {
      throw new Error(trans.__('The kernel returned no recording.'));
    }
    parts.push(part);
  }
  return { facts: mapOf(answer.facts), parts, tasks: countOf(answer.tasks) };
}

/** What was asked for; or the reason of `signal`, also while the answer is under way. */
async function unlessAborted<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([ask(), aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function pageText(trans: Translate): Promise<string> {
  const response = await fetch(reportPageUrl());
  if (!response.ok) {
    throw new Error(trans.__('The page of reports could not be loaded: the Jupyter server answered %1.', response.status));
  }
  return response.text();
}

/** Save a report in a folder, or let the browser download it, so that nothing is lost. */
async function write(
  folder: string,
  name: string,
  text: string,
  { contents, download }: SaveServices
): Promise<Pick<SavedReport, 'path' | 'reason'>> {
  const path = folder === '' ? name : `${folder}/${name}`;
  try {
    const saved = await contents.save(path, { type: 'file', format: 'text', content: text });
    return { path: saved.path, reason: '' };
  } catch (error) {
    download(name, text);
    return { path: '', reason: messageOf(error) };
  }
}

function folderOf(path: string): string {
  return path.split('/').slice(0, -1).join('/');
}
