import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { openRun, unreadOf } from '../../../src/report/open';

const whole = new Uint8Array(readFileSync(fileURLToPath(new URL('../../fixtures/run.dask-run', import.meta.url))));

const unread = async (bytes: Uint8Array): Promise<readonly string[]> => unreadOf(await openRun(bytes));

it('says what of the recording in a report could not be read', async () => {
  expect(await unread(whole)).toEqual([]);
  const [first] = (await openRun(whole)).recording.chunks;
  const damaged = whole.slice();
  damaged[first.offset + 60] ^= 1;
  expect((await unread(damaged)).join()).toContain('checksum is wrong. What it held is left out.');
  expect(await unread(whole.slice(0, -20))).toEqual(['A part of the recording in this file cannot be read.']);
});
