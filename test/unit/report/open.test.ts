import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { openRun, type Recorded, unreadOf } from '../../../src/report/open';

const whole = new Uint8Array(readFileSync(fileURLToPath(new URL('../../fixtures/run.dask-run', import.meta.url))));

const unread = async (bytes: Uint8Array): Promise<readonly string[]> => unreadOf(await openRun(bytes));

it('has tables of a part that is left out as the next keyframe has them, without moving the clock', async () => {
  const long = new Uint8Array(readFileSync(fileURLToPath(new URL('../../fixtures/keyframes.dask-run', import.meta.url))));
  const prefixes = (run: Recorded['run']): unknown =>
    [...run.prefixes.ids].map(id => [id, run.prefixes.get(id, 'released'), run.prefixes.get(id, 'compute')]);
  const { run: undamaged, recording } = await openRun(long);
  long[(recording.chunks[0]?.offset ?? 0) + 60] ^= 1;
  const { run, feed } = await openRun(long);
  expect(feed.problems.join()).toContain('checksum is wrong');
  expect(prefixes(run)).toEqual(prefixes(undamaged));
  const before = prefixes(run);
  feed.seek(feed.start);
  feed.seek(feed.end);
  expect(prefixes(run)).toEqual(before);
});

it('says what of the recording in a report could not be read', async () => {
  expect(await unread(whole)).toEqual([]);
  const [first] = (await openRun(whole)).recording.chunks;
  const damaged = whole.slice();
  damaged[first.offset + 60] ^= 1;
  expect((await unread(damaged)).join()).toContain('checksum is wrong. What it held is left out.');
  expect(await unread(whole.slice(0, -20))).toEqual(['A part of the recording in this file cannot be read.']);
});
