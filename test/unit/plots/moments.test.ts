/** A recording at a moment is the same in every plot, however the moment was reached. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RecordedClient } from '../../../src/clients/recordings/recorded-client';
import { FileFeed } from '../../../src/feed/recordings/file-feed';
import type { Frame } from '../../../src/feed/frame';
import { type Block, openRecording } from '../../../src/feed/recordings/recording';
import { openRun } from '../../../src/report/open';
import { allShown } from './shown';

/** Of a few seconds, and one of two minutes, whose keyframes are used. */
const FILES = ['run.dask-run', 'keyframes.dask-run'] as const;
const bytesOf = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(`../../fixtures/${name}`, import.meta.url)));
const SHARES = [0.1, 0.45, 0.8, 1];

const WORKER = { address: 'tcp://1', name: 'w', host: 'h', nthreads: 2, memory_limit: 2 ** 32 };

async function opened(name: string): Promise<RecordedClient> {
  const recording = await openRecording(bytesOf(name));
  const client = new RecordedClient(name, {} as never, new FileFeed(recording));
  await client.feed.load();
  return client;
}

describe('a moment of a recording', () => {
  it.each(FILES.flatMap(name => SHARES.map(share => [name, share] as const)))(
    'is the same played, scrubbed, opened there and in a report: %s at %d of it',
    async (name, share) => {
      const [played, scrubbed, late] = [await opened(name), await opened(name), await opened(name)];
      const { start, end } = played.feed;
      const moment = start + share * (end - start);
      played.feed.seek(start);
      for (let step = 1; step <= 40; step++) {
        played.feed.seek(start + (step / 40) * (moment - start));
      }
      for (const there of [end, start, end, (start + end) / 2, start, moment]) {
        scrubbed.feed.seek(there);
      }
      late.feed.seek(moment);
      const report = await openRun(bytesOf(name));
      report.feed.seek(moment);
      const expected = allShown(late.run);
      for (const [how, run] of Object.entries({ played: played.run, scrubbed: scrubbed.run, 'in a report': report.run })) {
        const found = allShown(run);
        for (const [id, text] of Object.entries(expected)) {
          expect(found[id], `${id}, ${how}`).toBe(text);
        }
      }
    }
  );

  it('has the CPU of the last minute of each worker, whatever keyframes there are', async () => {
    const row = (i: number): Frame => ({
      ...{ feed: 'f', epoch: 0, seq: i, time: 1000 + i, cursor: {} },
      names: i === 0 ? { workers: { from: 0, values: [WORKER] } } : {},
      topics: {
        workers: {
          columns: { id: Uint32Array.of(0), last_seen: Float64Array.of(1000 + i), cpu: Float64Array.of(i) },
          scalars: {}
        }
      }
    });
    const frames = Array.from({ length: 300 }, (_, i) => row(i));
    const block = (offset: number): Block => ({ offset }) as Block;
    const recording = {
      ...{ start: 1000, end: 1299, tasks: 0, chunks: frames.map((_, i) => block(2 * i + 1)) },
      keyframes: [50, 150, 250].map(i => block(2 * i)),
      read: ({ offset }: Block) => Promise.resolve({ frames: [frames[(offset - 1) / 2]], tasks: [] }),
      readKeyframe: ({ offset }: Block) => Promise.resolve(row(offset / 2 - 1))
    };
    const make = async (): Promise<RecordedClient> => {
      const client = new RecordedClient('made', {} as never, new FileFeed(recording as never));
      await client.feed.load();
      return client;
    };
    const [played, scrubbed] = [await make(), await make()];
    for (let moment = 1000; moment <= 1260; moment++) {
      played.feed.seek(moment);
    }
    scrubbed.feed.seek(1000);
    scrubbed.feed.seek(1260);
    const minute = Array.from({ length: 61 }, (_, i) => 200 + i);
    expect(played.run.workers.cpuHistory(0)).toEqual(minute);
    expect(scrubbed.run.workers.cpuHistory(0)).toEqual(minute);
  });
});
