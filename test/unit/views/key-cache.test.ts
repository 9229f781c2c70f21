import { beforeEach, describe, expect, it } from 'vitest';
import type { Feed } from '../../../src/feed/feed';
import { Run } from '../../../src/run/run';
import { type FoundKey, KeyCache } from '../../../src/views/canvas/key-cache';
import { ShownRun } from '../../../src/views/shown-run';
import { translate } from '../translate';

const FEED = {} as Feed;

/** Questions that wait for an answer, by number. */
let asked: { readonly number: number; readonly answer: (key: FoundKey) => void; readonly fail: (error: Error) => void }[];
let arrived: string[];
let run: Run;
let shown: ShownRun;
let keys: KeyCache;

function begin(feed: string): void {
  run.apply({ feed, epoch: 0, seq: 0, time: 1000, cursor: {}, names: {}, topics: {} }, 0);
}

function make(feed: Feed | null = FEED): KeyCache {
  const find = (_: Feed, number: number): Promise<FoundKey> =>
    new Promise((answer, fail) => {
      asked.push({ number, answer, fail });
    });
  return new KeyCache({ feed, run, trans: translate }, shown, find, key => arrived.push(key.text));
}

/** Answer the oldest question. */
async function answer(key: string | null, task?: string): Promise<void> {
  asked.shift()?.answer({ key, ...(task === undefined ? {} : { task }) });
  await new Promise(resolve => setTimeout(resolve));
}

beforeEach(() => {
  [asked, arrived] = [[], []];
  run = new Run();
  shown = new ShownRun(run);
  begin('a');
  keys = make();
});

describe('the keys of what is pointed at', () => {
  it('are asked for once each', async () => {
    expect([keys.lookUp(5), keys.lookUp(5), keys.lookUp(6), keys.lookUp(5)]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined
    ]);
    expect(asked.map(({ number }) => number)).toEqual([5, 6]);
    await answer('five');
    await answer('six', 'six(1)');
    expect(keys.lookUp(5)).toMatchObject({ text: 'five', known: true, task: '' });
    expect(keys.lookUp(6)).toMatchObject({ text: 'six', known: true, task: 'six(1)' });
    expect([keys.peek(5), keys.peek(7), asked.length]).toEqual(['five', '', 0]);
  });

  it('arrive only for the task that was looked up last, also when that one is known already', async () => {
    keys.lookUp(3);
    await answer('three');
    keys.lookUp(5);
    keys.lookUp(3);
    await answer('five');
    expect(arrived).toEqual(['three']);
    keys.lookUp(6);
    keys.leave();
    await answer('six');
    expect(arrived).toEqual(['three']);
    expect(keys.peek(6)).toBe('six');
  });

  it('are text when there is none, and only a failure is asked again, for the next look', async () => {
    keys.lookUp(1);
    await answer(null);
    expect(keys.lookUp(1)).toMatchObject({ text: 'key not kept', known: false });
    keys.lookUp(2);
    asked.shift()?.fail(new Error('no answer'));
    await new Promise(resolve => setTimeout(resolve));
    expect(arrived).toEqual(['key not kept', 'key unknown: no answer']);
    expect(keys.lookUp(2)?.text).toBe('key unknown: no answer');
    expect([keys.peek(1), keys.peek(2)]).toEqual(['', '']);
    keys.lookUp(1);
    expect(asked.length).toBe(0);
    expect(keys.lookUp(2)).toBeUndefined();
    expect(asked.map(({ number }) => number)).toEqual([2]);
  });

  it('are those of one run', async () => {
    keys.lookUp(1);
    await answer('one of a');
    keys.lookUp(2);
    begin('b');
    await answer('two of a');
    expect(arrived).toEqual(['one of a']);
    expect([keys.peek(1), keys.peek(2), keys.lookUp(1)]).toEqual(['', '', undefined]);
    expect(asked.length).toBe(1);
  });

  it('of a run that has ended are not asked of the next one, and no answer of the next one is taken for it', async () => {
    keys.lookUp(1);
    shown.setPaused(true);
    begin('b');
    await answer('one of b');
    expect(arrived).toEqual(['key not kept']);
    expect(keys.lookUp(2)).toBeUndefined();
    await new Promise(resolve => setTimeout(resolve));
    expect([asked.length, keys.lookUp(2)?.text]).toEqual([0, 'key not kept']);
  });

  it('are not asked for without a feed', async () => {
    keys = make(null);
    keys.lookUp(1);
    await new Promise(resolve => setTimeout(resolve));
    expect(arrived).toEqual(['key not kept']);
  });

  it('do not grow without end', async () => {
    for (let number = 0; number < 1000; number++) {
      keys.lookUp(number);
      await answer(`key ${number}`);
    }
    const kept = Array.from({ length: 1000 }, (_, number) => keys.peek(number)).filter(key => key !== '').length;
    expect(kept).toBeLessThanOrEqual(256);
    expect(keys.peek(999)).toBe('key 999');
  });
});
