import { messageOf, numberOf, textOf } from '../../base/untrusted';
import { DisposableDelegate, type IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';
import type { FileFeed } from '../../feed/recordings/file-feed';
import { type ChannelState, type ClientInfo, RECORDING_KEY } from '../../feed/kernel/kernel-channel';
import type { Recording } from '../../feed/recordings/recording';
import type { KernelEntry, LiveClient } from '../model';
import type { RecordedClient } from './recorded-client';
import { Lazy } from '../../base/lazy';

/** Reading recordings: loaded with the first one. */
export const recordingCode = new Lazy(() => import('./code'));

/** The key by which panes bind to the recording at a path. */
export function recordingKey(path: string): string {
  return RECORDING_KEY + path;
}

/** Whether a client's key means a recording. */
export function isRecording(client: string): boolean {
  return client.startsWith(RECORDING_KEY);
}

/** All recordings of this tab: each is read once for all viewers, and dropped with the last one. */
export class Recordings {
  /**
   * @param read - returns the bytes of a file; rejects with a message for users
   * @param written - returns when a file was last written, as a text; '' where that is not known
   */
  constructor(
    private readonly read: (path: string) => Promise<ArrayBuffer>,
    private readonly written: (path: string) => Promise<string> = async () => ''
  ) {}

  /** Open recordings in the sidebar's order, which is the order of opening. */
  get entries(): readonly RecordingEntry[] {
    return [...this.open.values()];
  }

  /** Recordings were opened, read, or closed. */
  get changed(): ISignal<this, void> {
    return this.changedSignal;
  }

  /** The entry at a path, if it is open. */
  entry(path: string): RecordingEntry | null {
    return this.open.get(path) ?? null;
  }

  /** Open a recording (or share it) until the returned disposable is disposed; one that could not be read is read again. */
  hold(path: string): IDisposable {
    const entry = this.begin(path);
    entry.holders += 1;
    // The file may have been written meanwhile.
    entry.look();
    let held = true;
    return new DisposableDelegate(() => {
      if (held) {
        held = false;
        entry.holders -= 1;
        this.settle(entry);
      }
    });
  }

  /** Facts of the recording at a path, as far as it has been read; `null` if it cannot be. */
  want(path: string): ClientInfo | null {
    const entry = this.open.get(path) ?? new RecordingEntry(path);
    return entry.state === 'dead' ? null : entry.info;
  }

  /** A handle on a recording; `null` until it has been opened, which begins with the first call. */
  acquire(path: string): LiveClient | null {
    return this.begin(path).client?.share() ?? null;
  }

  /**
   * Read a file again after its content changed or reading failed.
   *
   * @param written - when it was last written, if that is known: all views of a file learn it, and it is read once
   */
  reload(path: string, written = ''): void {
    const entry = this.open.get(path);
    if (entry && (written === '' || written !== entry.written || entry.state === 'dead')) {
      void this.fill(entry, written);
    }
  }

  /** Read a file again if it was written meanwhile: kernels write recordings, which JupyterLab does not learn. */
  async look(path: string): Promise<void> {
    const entry = this.open.get(path);
    entry?.look();
    const written = await this.written(path);
    if (entry?.state === 'ready' && written !== '' && this.open.get(path) === entry) {
      this.reload(path, written);
    }
  }

  /** Drop all of them. */
  dispose(): void {
    for (const entry of this.open.values()) {
      entry.client?.dispose();
    }
    this.open.clear();
    Signal.clearData(this);
  }

  private begin(path: string): RecordingEntry {
    let entry = this.open.get(path);
    if (entry === undefined) {
      entry = new RecordingEntry(path, () => this.reload(path));
      this.open.set(path, entry);
      void this.fill(entry);
    }
    return entry;
  }

  private async fill(entry: RecordingEntry, written = ''): Promise<void> {
    let feed: FileFeed | null = null;
    const turn = ++entry.turn;
    entry.written = written;
    const isStale = (): boolean => this.open.get(entry.path) !== entry || turn !== entry.turn;
    try {
      const { FileFeed, noticeOf, openRecording, RecordedClient } = await this.code();
      if (written === '') {
        const found = await this.written(entry.path);
        entry.written = isStale() ? entry.written : found;
      }
      const recording = await openRecording(await this.read(entry.path));
      if (recording.chunks.length === 0) {
        throw new Error('This recording holds nothing: it ended before a part of it was written whole.');
      }
      if (isStale()) {
        return;
      }
      feed = new FileFeed(recording);
      const client = new RecordedClient(entry.path, recordedInfo(entry.path, recording, noticeOf(recording)), feed);
      client.released.connect(() => this.settle(entry));
      entry.begin(client);
    } catch (error) {
      if (isStale()) {
        return;
      }
      entry.fail(messageOf(error));
    }
    // Asynchronously: the caller is in the middle of a query.
    this.changedSignal.emit();
    if (feed) {
      // The pane that wanted it may have been closed or hidden meanwhile.
      this.settle(entry);
    }
    await feed?.load();
    if (feed?.isDisposed === false && feed.partsRead === 0) {
      entry.fail('Every part of this recording is damaged: nothing of it can be shown.');
      this.changedSignal.emit();
    }
  }

  private async code(): Promise<typeof import('./code')> {
    try {
      return await recordingCode.get();
    } catch (error) {
      console.warn('dask-panes: recordings cannot be read:', error);
      throw new Error(
        'The part of Dask Panes that reads recordings could not be loaded. Check that the Jupyter server runs and open it again.'
      );
    }
  }

  /** Drop a recording without viewers. */
  private settle(entry: RecordingEntry): void {
    if (!entry.used && this.open.get(entry.path) === entry) {
      this.open.delete(entry.path);
      entry.client?.dispose();
      this.changedSignal.emit();
    }
  }

  private readonly open = new Map<string, RecordingEntry>();
  private readonly changedSignal = new Signal<this, void>(this);
}

/** One recording in the sidebar's list: like a kernel with one client. */
export class RecordingEntry implements KernelEntry {
  /** @param again - reads the file again */
  constructor(
    readonly path: string,
    private readonly again: () => void = () => undefined
  ) {
    this.name = path.slice(path.lastIndexOf('/') + 1);
    this.info = { ...BARE, key: recordingKey(path), created: Date.now() / 1000 };
  }

  readonly kind = 'recording';
  readonly hosting = false;
  get kernelId(): string {
    return this.path;
  }
  readonly version = '';
  get reason(): string {
    return this.problem;
  }
  readonly name: string;
  state: ChannelState = 'asking';
  info: ClientInfo;
  /** Why it cannot be read, else ''. */
  problem = '';
  /** When the file was written that was read last, or is being read; '' where that is not known. */
  written = '';
  client: RecordedClient | null = null;
  /** Number of the last attempt to read it: an earlier one that ends later is not used. */
  turn = 0;
  /** Holders that keep it open without a pane. */
  holders = 0;

  get clients(): readonly ClientInfo[] {
    return this.state === 'ready' ? [this.info] : [];
  }

  /** Whether it has viewers. */
  get used(): boolean {
    return this.holders > 0 || (this.client?.used ?? false);
  }

  begin(client: RecordedClient): void {
    this.client?.dispose();
    this.client = client;
    this.info = client.info;
    this.state = 'ready';
    this.problem = '';
  }

  fail(problem: string): void {
    this.state = 'dead';
    this.problem = problem;
  }

  /** Read it again if it could not be read: otherwise it is read as soon as it is listed. */
  look(): void {
    if (this.state === 'dead') {
      this.state = 'asking';
      this.problem = '';
      this.again();
    }
  }

  async addBridge(): Promise<void> {
    throw new Error('A recording has no kernel.');
  }

  async options(): Promise<null> {
    return null;
  }

  async act(): Promise<never> {
    throw new Error('A recording has no kernel.');
  }
}

const BARE: Omit<ClientInfo, 'key' | 'created'> = {
  variable: '',
  cluster: 'recording',
  address: '',
  dashboard: '',
  dashboardReason: '',
  status: 'running',
  workers: 0,
  threads: 0,
  memoryLimit: 0,
  limited: ''
};

function recordedInfo(path: string, recording: Recording, notice: string): ClientInfo {
  const { info } = recording;
  const number = (name: string): number => numberOf(info[name]);
  return {
    ...BARE,
    key: recordingKey(path),
    address: textOf(info.address),
    workers: number('workers'),
    threads: number('threads'),
    created: number('created'),
    notice
  };
}
