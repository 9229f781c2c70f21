import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Signal } from '@lumino/signaling';
import { describe, expect, it, vi } from 'vitest';
import { Attachment } from '../../../src/clients/attachment';
import { ClientRegistry } from '../../../src/clients/registry';
import { absentMessage } from '../../../src/panes/pane/pane-words';
import { FakeDocuments } from './fakes';
import { translate } from '../translate';
import { recordingCode, Recordings, recordingKey } from '../../../src/clients/recordings/recordings';
import type { LiveClient } from '../../../src/clients/model';
import { FileFeed } from '../../../src/feed/recordings/file-feed';
import { openRecording } from '../../../src/feed/recordings/recording';
import { Run } from '../../../src/run/run';

const bytes = readFileSync(fileURLToPath(new URL('../../fixtures/run.dask-run', import.meta.url)));
const file = async (): Promise<ArrayBuffer> => new Uint8Array(bytes).buffer;

/** Ends a wait for what never comes; a file is read in slices between which others run. */
const PATIENCE = { timeout: 30_000 };

/** Wait until a recording is open and read. */
async function opened(recordings: Recordings): Promise<LiveClient> {
  await vi.waitFor(() => expect(recordings.entry('a/run.dask-run')?.client?.feed.loaded).toBe(1), PATIENCE);
  return recordings.acquire('a/run.dask-run') as LiveClient;
}

function feedOf(live: LiveClient): FileFeed {
  expect(live.feed).toBeInstanceOf(FileFeed);
  return live.feed as FileFeed;
}

/** What a run folded from the frames of the file up to a moment has: the plain way, without keyframes. */
async function plainly(moment: number): Promise<Run> {
  const recording = await openRecording(await file());
  const run = new Run();
  for (const chunk of recording.chunks) {
    for (const frame of (await recording.read(chunk)).frames) {
      if (frame.time <= moment) {
        run.apply(frame, 0);
      }
    }
  }
  return run;
}

function tables(run: Run): unknown {
  const rows = (table: Run['workers'] | Run['prefixes'], columns: readonly string[]): unknown =>
    [...table.ids].sort((a, b) => a - b).map(id => [id, ...columns.map(column => table.get(id, column as never))]);
  return {
    meta: run.meta,
    workers: rows(run.workers, ['status', 'processing', 'process', 'last_seen']),
    prefixes: rows(run.prefixes, ['memory', 'erred', 'forgotten', 'compute']),
    events: run.events.list.map(event => event.time),
    series: Array.from(run.series.column('time'))
  };
}

describe('a recording', () => {
  it.each([
    ['that is whole', (data: Uint8Array) => data, /^$/],
    [
      'whose index is damaged',
      (data: Uint8Array) => data.map((byte, i) => (i === data.length - 30 ? byte ^ 1 : byte)),
      /^It was not finished, or its end is damaged: .* 16 B of the file are cut off or damaged\.$/
    ],
    [
      'of a crash',
      (data: Uint8Array, at: number) => data.slice(0, at + 1000),
      /^It was not finished, or .* \d+ B of the file are cut off or damaged\.$/
    ],
    [
      'of a crash that lost a part within',
      (data: Uint8Array, at: number) => data.slice(0, at).fill(0, 16, 20),
      /^It was not finished, or .* B of the file are cut off or damaged\.$/
    ],
    ['of a crash between two parts', (data: Uint8Array, at: number) => data.slice(0, at), /^It was not finished, or .* shown\.$/]
  ])('%s says so', async (_, change, notice) => {
    const last = (await openRecording(await file())).chunks.at(-1);
    const changed = change(new Uint8Array(bytes), last?.offset ?? 0);
    const recordings = new Recordings(async () => new Uint8Array(changed).buffer);
    const held = recordings.hold('a/run.dask-run');
    const live = await opened(recordings);
    expect(live.info.notice).toMatch(notice);
    live.dispose();
    held.dispose();
    recordings.dispose();
  });

  it('whose reader cannot be loaded says so, and is read when it is opened again', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const load = vi.spyOn(recordingCode, 'get').mockRejectedValueOnce(new Error('Loading chunk 7 failed.'));
    const recordings = new Recordings(file);
    const first = recordings.hold('a/run.dask-run');
    await vi.waitFor(() => expect(recordings.entry('a/run.dask-run')?.problem).toContain('could not be loaded'), PATIENCE);
    expect(recordings.acquire('a/run.dask-run')).toBeNull();
    expect(load).toHaveBeenCalledOnce();
    const second = recordings.hold('a/run.dask-run');
    const live = await opened(recordings);
    expect(recordings.entry('a/run.dask-run')).toMatchObject({ state: 'ready', problem: '' });
    for (const held of [live, first, second]) {
      held.dispose();
    }
    recordings.dispose();
  });

  it('is read once for all, listed like a client, and forgotten with its last viewer', async () => {
    const read = vi.fn(file);
    const recordings = new Recordings(read);
    const hold = recordings.hold('a/run.dask-run');
    expect(recordings.acquire('a/run.dask-run')).toBeNull();
    const live = await opened(recordings);
    expect(read).toHaveBeenCalledTimes(1);
    expect(recordings.entries.map(({ name, state, kind, clients }) => [name, state, kind, clients[0].key])).toEqual([
      ['run.dask-run', 'ready', 'recording', recordingKey('a/run.dask-run')]
    ]);
    hold.dispose();
    expect(recordings.entries.length).toBe(1);
    live.dispose();
    expect(recordings.entries).toEqual([]);
    expect(live.severed).toBe(true);
  });

  it('is read again when it is opened again after another program has written it, and not otherwise', async () => {
    const read = vi.fn(file);
    let written = '10:00';
    const recordings = new Recordings(read, async () => written);
    recordings.hold('a/run.dask-run');
    await opened(recordings);
    await recordings.look('a/run.dask-run');
    expect(read).toHaveBeenCalledTimes(1);
    for (const now of ['10:01', '']) {
      written = now;
      await recordings.look('a/run.dask-run');
      await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(2), PATIENCE);
      await opened(recordings);
    }
    expect(read).toHaveBeenCalledTimes(2);
    recordings.dispose();
  });

  it('that another program has written is read once, although two views of it learn that', async () => {
    const read = vi.fn(file);
    let written = '10:00';
    const recordings = new Recordings(read, async () => written);
    const views = [recordings.hold('a/run.dask-run'), recordings.hold('a/run.dask-run')];
    const before = await opened(recordings);
    written = '10:01';
    await Promise.all([recordings.look('a/run.dask-run'), recordings.look('a/run.dask-run')]);
    await vi.waitFor(() => expect(before.severed).toBe(true), PATIENCE);
    const after = await opened(recordings);
    expect(read).toHaveBeenCalledTimes(2);
    for (const _ of views) {
      recordings.reload('a/run.dask-run', '10:02');
    }
    await vi.waitFor(() => expect(after.severed).toBe(true), PATIENCE);
    const last = await opened(recordings);
    expect(read).toHaveBeenCalledTimes(3);
    for (const held of [before, after, last, ...views]) {
      expect(recordings.entries).toHaveLength(1);
      held.dispose();
    }
    expect(recordings.entries).toEqual([]);
    expect(last.severed).toBe(true);
    recordings.dispose();
  });

  it('that cannot be read says why in its panes, which can read it again', async () => {
    const read = vi.fn(file).mockRejectedValueOnce(new Error('There is no file a/run.dask-run.'));
    const recordings = new Recordings(read);
    const registry = new ClientRegistry({
      documents: new FakeDocuments(),
      sessions: { running: () => [][Symbol.iterator](), runningChanged: new Signal({}) },
      kernels: {},
      recordings
    } as unknown as ConstructorParameters<typeof ClientRegistry>[0]);
    const attachment = new Attachment(registry, []);
    attachment.binding = { follow: false, path: 'a/run.dask-run', client: recordingKey('a/run.dask-run') };
    attachment.visible = true;
    await vi.waitFor(() => expect(recordings.entry('a/run.dask-run')?.problem).not.toBe(''), PATIENCE);
    const message = absentMessage(attachment, registry, translate, {} as Parameters<typeof absentMessage>[3]);
    expect(message).toMatchObject({ body: 'There is no file a/run.dask-run.', tone: 'bad' });
    message.actions?.[0].run();
    await vi.waitFor(() => expect(attachment.situation).toBe('attached'), PATIENCE);
    expect(read).toHaveBeenCalledTimes(2);
    attachment.dispose();
    registry.dispose();
  });

  it('shows everything at its end', async () => {
    const recordings = new Recordings(file);
    recordings.hold('a/run.dask-run');
    const { run } = await opened(recordings);
    expect(run.tasks.count).toBe(83);
    expect(run.tasks.erred).toBe(1);
    expect(run.has('tasks')).toBe(true);
    expect(run.prefixNames).toContain('inc');
    recordings.dispose();
  });

  it('is at every moment what its frames up to there come to, forth and back', async () => {
    const recordings = new Recordings(file);
    recordings.hold('a/run.dask-run');
    const live = await opened(recordings);
    const feed = feedOf(live);
    const length = feed.end - feed.start;
    for (const share of [1, 0.5, 0.2, 0.9, 0, 0.35, 0.7, 0.05, 1]) {
      const moment = feed.start + share * length;
      feed.seek(moment);
      expect(live.run.clock.at(123)).toBe(moment);
      expect(tables(live.run)).toEqual(tables(await plainly(moment)));
      const ends = live.run.tasks.lanes.flatMap(lane => lane?.compute.end ?? []).filter(Number.isFinite);
      expect(Math.max(0, ...ends)).toBeLessThanOrEqual(share === 1 ? Number.POSITIVE_INFINITY : moment);
    }
    recordings.dispose();
  });

  it('counts the tasks that had ended', async () => {
    const recordings = new Recordings(file);
    recordings.hold('a/run.dask-run');
    const live = await opened(recordings);
    const feed = feedOf(live);
    const all = live.run.tasks;
    const ends = all.lanes.flatMap(lane =>
      (lane?.compute.chunks ?? []).flatMap(chunk =>
        Array.from({ length: chunk.length }, (_, i) => chunk.startOf(i) + chunk.durationOf(i))
      )
    );
    expect(ends.length).toBe(83);
    for (const share of [0.01, 0.1, 0.5, 0.8]) {
      const moment = feed.start + share * (feed.end - feed.start);
      feed.seek(moment);
      expect(live.run.tasks.count).toBe(ends.filter(end => end <= moment).length);
      expect(live.run.tasks.countOfPrefix.reduce((sum: number, count) => sum + (count ?? 0), 0)).toBe(live.run.tasks.count);
    }
    feed.seek(feed.end);
    expect(live.run.tasks).toBe(all);
    recordings.dispose();
  });

  it('answers for keys, and for nothing that only a cluster knows', async () => {
    const recordings = new Recordings(file);
    recordings.hold('a/run.dask-run');
    const { feed } = await opened(recordings);
    expect(await feed.request('key', { row: 0 })).toMatchObject({ type: 'int' });
    await expect(feed.request('restart')).rejects.toThrow(/cannot be asked/);
    recordings.dispose();
  });

  it('plays, and stops at the end', async () => {
    const recordings = new Recordings(file);
    recordings.hold('a/run.dask-run');
    const feed = feedOf(await opened(recordings));
    feed.speed = 60;
    feed.play();
    expect(feed.state).toMatchObject({ status: 'recorded', playing: true });
    expect(feed.position).toBe(feed.start);
    await vi.waitFor(() => expect(feed.position).toBe(feed.end), PATIENCE);
    expect(feed.playing).toBe(false);
    recordings.dispose();
  });

  it('is not read for a pane that only asks what it is, as a hidden one does, nor kept for one that has gone meanwhile', async () => {
    const read = vi.fn(file);
    const recordings = new Recordings(read);
    expect(recordings.want('a/run.dask-run')).toMatchObject({ key: recordingKey('a/run.dask-run'), cluster: 'recording' });
    expect([recordings.entries, read.mock.calls]).toEqual([[], []]);
    // A visible pane takes it as soon as it is open.
    let live: LiveClient | null = null;
    const take = (): void => {
      live ??= recordings.acquire('a/run.dask-run');
    };
    recordings.changed.connect(take);
    expect(recordings.acquire('a/run.dask-run')).toBeNull();
    await vi.waitFor(() => expect(live).not.toBeNull(), PATIENCE);
    expect(recordings.entries).toHaveLength(1);
    (live as LiveClient | null)?.dispose();
    expect(recordings.entries).toEqual([]);
    // One that is closed before that does not.
    recordings.changed.disconnect(take);
    expect(recordings.acquire('a/run.dask-run')).toBeNull();
    expect(recordings.entries).toHaveLength(1);
    await vi.waitFor(() => expect(recordings.entries).toEqual([]), PATIENCE);
    expect(read).toHaveBeenCalledTimes(2);
    recordings.dispose();
  });

  it('says why it cannot be read', async () => {
    const recordings = new Recordings(async () => new TextEncoder().encode('something else, and long enough').buffer);
    recordings.hold('a/run.dask-run');
    await vi.waitFor(() => expect(recordings.entry('a/run.dask-run')?.state).toBe('dead'), PATIENCE);
    expect(recordings.entry('a/run.dask-run')?.problem).toBe('This is not a recording of Dask Panes.');
    expect(recordings.want('a/run.dask-run')).toBeNull();
  });

  it('that a pane could not read is read again when it is opened as a document, also by the pane', async () => {
    const read = vi.fn(file).mockRejectedValueOnce(new Error('There is no file a/run.dask-run.'));
    const recordings = new Recordings(read);
    expect(recordings.acquire('a/run.dask-run')).toBeNull();
    await vi.waitFor(() => expect(recordings.want('a/run.dask-run')).toBeNull(), PATIENCE);
    const held = recordings.hold('a/run.dask-run');
    expect(recordings.entry('a/run.dask-run')).toMatchObject({ state: 'asking', problem: '' });
    (await opened(recordings)).dispose();
    expect(recordings.want('a/run.dask-run')).not.toBeNull();
    held.dispose();
    expect([recordings.entries, read.mock.calls.length]).toEqual([[], 2]);
  });

  it('says so where no part of it is whole', async () => {
    const header = new Recordings(async () => new Uint8Array(bytes.subarray(0, 16)).buffer);
    header.hold('a/run.dask-run');
    await vi.waitFor(() => expect(header.entry('a/run.dask-run')?.problem).toContain('holds nothing'), PATIENCE);
    expect(header.want('a/run.dask-run')).toBeNull();
    header.dispose();
    const { chunks, keyframes } = await openRecording(await file());
    const copy = new Uint8Array(await file());
    for (const { offset } of [...chunks, ...keyframes]) {
      copy[offset + 60] ^= 1;
    }
    const damaged = new Recordings(async () => copy.buffer);
    damaged.hold('a/run.dask-run');
    await vi.waitFor(() => expect(damaged.entry('a/run.dask-run')?.problem).toContain('nothing of it can be shown'), PATIENCE);
    expect(damaged.want('a/run.dask-run')).toBeNull();
    damaged.dispose();
  });

  it('is read again when its file changed; its viewers are notified to take it again', async () => {
    const recordings = new Recordings(file);
    recordings.hold('a/run.dask-run');
    const before = await opened(recordings);
    recordings.reload('a/run.dask-run');
    await vi.waitFor(() => expect(before.severed).toBe(true), PATIENCE);
    const after = await opened(recordings);
    expect(after.run).not.toBe(before.run);
    expect(after.run.tasks.count).toBe(83);
    before.dispose();
    expect(after.severed).toBe(false);
    recordings.dispose();
  });

  it('that is read again before it has been read has what was read last', async () => {
    const answers: ((bytes: ArrayBuffer) => void)[] = [];
    const recordings = new Recordings(() => new Promise(resolve => answers.push(resolve)));
    recordings.hold('a/run.dask-run');
    await vi.waitFor(() => expect(answers).toHaveLength(1), PATIENCE);
    recordings.reload('a/run.dask-run');
    await vi.waitFor(() => expect(answers).toHaveLength(2), PATIENCE);
    answers[1](await file());
    await opened(recordings);
    // What was there before is no recording yet.
    answers[0](new ArrayBuffer(3));
    await new Promise(resolve => setTimeout(resolve, 100));
    expect(recordings.entry('a/run.dask-run')).toMatchObject({ state: 'ready', problem: '' });
    recordings.dispose();
  });
});
