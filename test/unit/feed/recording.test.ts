import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Column, Frame } from '../../../src/feed/frame';
import { openRecording, type Recording, RecordingError } from '../../../src/feed/recordings/recording';
import { unpackColumn } from '../../../src/feed/recordings/recording-columns';
import { unpackKey } from '../../../src/feed/recordings/recording-keys';

const folder = fileURLToPath(new URL('../../fixtures/', import.meta.url));
const bytes = new Uint8Array(readFileSync(`${folder}run.dask-run`));
type Values = Record<string, (number | null)[]>;
interface Expected {
  info: unknown;
  start: number;
  end: number;
  tasks: number;
  keys: Record<string, { key: string; type: string }>;
  frames: { epoch: number; time: number; names: unknown; topics: Record<string, { c?: Values; m?: Values; s?: unknown }> }[];
}
const expected = JSON.parse(readFileSync(`${folder}run.json`, 'utf8')) as Expected;

function plain(columns: Readonly<Record<string, Column>> | undefined): Values {
  return Object.fromEntries(
    Object.entries(columns ?? {}).map(([name, column]) => [
      name,
      Array.from(column, value => (Number.isNaN(value) ? null : value))
    ])
  );
}

async function framesOf(recording: Recording): Promise<Frame[]> {
  const chunks = await Promise.all(recording.chunks.map(chunk => recording.read(chunk)));
  return chunks.flatMap(chunk => chunk.frames);
}

/** A copy of the fixture with some bytes replaced. */
function changed(at: number, ...values: number[]): Uint8Array {
  const copy = bytes.slice();
  copy.set(values, at);
  return copy;
}

describe('a recording of a real cluster', () => {
  it('says what Python says of it', async () => {
    const recording = await openRecording(bytes);
    expect(recording.info).toEqual(expected.info);
    expect([recording.start, recording.end, recording.tasks]).toEqual([expected.start, expected.end, expected.tasks]);
    expect([recording.complete, recording.why, recording.damaged]).toEqual([true, '', 0]);
  });

  it('gives the same frames, to the last bit', async () => {
    const frames = await framesOf(await openRecording(bytes));
    expect(frames.map(frame => [frame.epoch, frame.time])).toEqual(expected.frames.map(frame => [frame.epoch, frame.time]));
    for (const [i, frame] of frames.entries()) {
      expect(frame.names).toEqual(expected.frames[i].names);
      expect(Object.keys(frame.topics).sort()).toEqual(Object.keys(expected.frames[i].topics).sort());
      for (const [topic, body] of Object.entries(frame.topics)) {
        const wanted = expected.frames[i].topics[topic];
        expect(plain(body.columns)).toEqual(wanted.c ?? {});
        expect(plain(body.moves)).toEqual(wanted.m ?? {});
        expect(body.scalars).toEqual(wanted.s ?? {});
      }
    }
  });

  it('gives the key and type of every execution, exactly', async () => {
    const recording = await openRecording(bytes);
    const keys = Object.entries(expected.keys);
    expect(keys.length).toBe(expected.tasks);
    for (const [row, key] of keys) {
      expect(await recording.key(Number(row))).toEqual(key);
    }
    expect(keys.map(([, { key }]) => key)).toContain('<img src=x onerror=alert(1)>');
    expect(await recording.key(1_000_000)).toBeNull();
  });

  it('gives the tasks of a chunk as one body', async () => {
    const recording = await openRecording(bytes);
    for (const block of recording.chunks) {
      const chunk = await recording.read(block);
      const bodies = chunk.frames.flatMap(frame => frame.topics.tasks ?? []);
      const starts = (list: typeof bodies): number[] => list.flatMap(body => [...body.columns.start]);
      expect(starts([...chunk.tasks])).toEqual(starts(bodies));
      expect(starts(bodies).length).toBe(block.rows);
      if (block.rows > 0) {
        expect(chunk.tasks[0].scalars.first).toBe(block.firstRow);
      }
    }
  });

  it('sums up in a keyframe the frames before it', async () => {
    const recording = await openRecording(bytes);
    const [keyframe] = recording.keyframes;
    const state = await recording.readKeyframe(keyframe);
    const before = (await framesOf(recording)).filter(frame => frame.time <= keyframe.end && frame.epoch === state.epoch);
    const newest = new Map<number, number>();
    for (const body of before.flatMap(frame => frame.topics.prefixes ?? [])) {
      for (const [i, id] of body.columns.id.entries()) {
        newest.set(id, body.columns.memory[i]);
      }
    }
    const columns = state.topics.prefixes.columns;
    expect(new Map([...columns.id].map((id, i) => [id, columns.memory[i]]))).toEqual(newest);
    expect(state.topics.meta.scalars).toEqual(before.flatMap(frame => frame.topics.meta ?? []).at(-1)?.scalars);
  });
});

describe('a damaged recording', () => {
  it('without a byte is said to be empty', async () => {
    await expect(openRecording(new Uint8Array())).rejects.toThrow('the file is empty');
  });

  it('is read up to where it was cut off', async () => {
    const whole = await openRecording(bytes);
    for (const chunk of whole.chunks) {
      const end = chunk.offset + 48 + chunk.stored;
      for (const cut of [end, end + 20, end + 60]) {
        const recording = await openRecording(bytes.slice(0, cut));
        expect(recording.complete).toBe(false);
        const last = recording.chunks.at(-1) ?? chunk;
        expect(last.offset).toBeGreaterThanOrEqual(chunk.offset);
        expect((await recording.read(last)).frames.length).toBe(last.frames);
      }
    }
  });

  it('loses one block where one block is damaged', async () => {
    const [first, second] = (await openRecording(bytes)).chunks;
    const recording = await openRecording(changed(first.offset + 60, 1, 2, 3, 4));
    await expect(recording.read(recording.chunks[0])).rejects.toThrow(/damaged: its checksum/);
    expect((await recording.read(recording.chunks[1])).frames.length).toBe(second.frames);
  });

  it('loses its facts only where these are damaged', async () => {
    const recording = await openRecording(changed(84, bytes[84] ^ 1));
    expect(recording.info).toEqual({});
    expect(await framesOf(recording)).toHaveLength(expected.frames.length);
    for (const row of Object.keys(expected.keys).slice(0, 3)) {
      expect(await recording.key(Number(row))).toEqual(expected.keys[row]);
    }
  });

  it('reads the keys of whole chunks where another chunk is damaged', async () => {
    const last = (await openRecording(bytes)).chunks.at(-1);
    const recording = await openRecording(changed((last?.offset ?? 0) + 60, bytes[(last?.offset ?? 0) + 60] ^ 1));
    const [row] = Object.keys(expected.keys);
    expect(await recording.key(Number(row))).toEqual(expected.keys[row]);
  });

  it('goes on with the next block where a header is damaged and there is no index', async () => {
    const [first] = (await openRecording(bytes)).chunks;
    const recording = await openRecording(changed(first.offset, 0).slice(0, -16));
    expect(recording.damaged).toBe(48 + first.stored);
    expect(recording.chunks.every(chunk => chunk.offset > first.offset)).toBe(true);
    expect(recording.chunks.length).toBeGreaterThan(0);
  });

  it('is refused with a message if it is not a recording, or a newer one', async () => {
    await expect(openRecording(new Uint8Array(0))).rejects.toThrow(RecordingError);
    await expect(openRecording(new TextEncoder().encode('<html>not a recording at all</html>'))).rejects.toThrow(
      /not a recording/
    );
    await expect(openRecording(changed(8, 7))).rejects.toThrow('version 7');
  });

  it('never takes more memory than a block says, nor believes absurd sizes', async () => {
    const [first] = (await openRecording(bytes)).chunks;
    // The index is gone, so that the headers themselves count.
    const small = await openRecording(changed(first.offset + 12, 16, 0, 0, 0).slice(0, -16));
    await expect(small.read(small.chunks[0])).rejects.toThrow(/larger than it says/);
    const large = await openRecording(changed(first.offset + 12, 0, 0, 0, 1).slice(0, -16));
    await expect(large.read(large.chunks[0])).rejects.toThrow(/smaller than it says/);
    const absurd = await openRecording(changed(first.offset + 12, 255, 255, 255, 255).slice(0, -16));
    expect(absurd.chunks.some(chunk => chunk.offset === first.offset)).toBe(false);
  });

  it('survives any changed byte with an error of its own at most', async () => {
    for (let at = 0; at < bytes.length; at += 101) {
      try {
        const recording = await openRecording(changed(at, bytes[at] ^ 0x5a));
        for (const block of recording.chunks) {
          await recording.read(block);
        }
        await recording.key(3);
      } catch (error) {
        expect(error).toBeInstanceOf(RecordingError);
      }
    }
  });
});

describe('packed columns', () => {
  it('refuse what is no column', () => {
    for (const odd of [
      null,
      [],
      [9, 0, new Uint8Array(4)],
      [3, 0, 'text'],
      [3, 0, new Uint8Array(3)],
      [3, 7, new Uint8Array(4)],
      [3, 3, new Uint8Array(4)]
    ]) {
      expect(() => unpackColumn(odd)).toThrow(RecordingError);
    }
  });

  it('wrap around as the writer does', () => {
    // From 0xffffffff to 0 the difference is 1: zigzag 1 (-1), then 2 (+1).
    expect([...unpackColumn([3, 2, new Uint8Array([1, 2, 0, 0, 0, 0, 0, 0])])]).toEqual([0xffffffff, 0]);
  });
});

describe('packed keys', () => {
  const text = (name: string, ...indices: number[]): string | null => {
    const body = new DataView(new ArrayBuffer(3 + 4 * indices.length));
    body.setUint8(0, 3);
    for (const [i, index] of indices.entries()) {
      body.setInt32(3 + 4 * i, index, true);
    }
    return unpackKey(new Uint8Array(body.buffer), 'p', () => name);
  };

  it('are written as Python writes them', () => {
    expect(text('x', 1, -2)).toBe("('x', 1, -2)");
    expect(text("it's")).toBe('("it\'s",)');
    expect(text('"it\'s" \\ \n\u00a0\u202e\u{1f600}é', 0)).toBe(`('"it\\'s" \\\\ \\n\\xa0\\u202e\u{1f600}é', 0)`);
  });

  it('keep the forms of names', () => {
    const digits = Uint8Array.from({ length: 17 }, (_, i) => (i === 0 ? 1 : i * 15));
    expect(unpackKey(digits, 'inc', String)).toBe('inc-0f1e2d3c4b5a69788796a5b4c3d2e1f0');
    digits[0] = 2;
    expect(unpackKey(digits, 'inc', String)).toBe('inc-0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0');
    expect(unpackKey(digits, undefined, String)).toBeNull();
  });

  it('have every letter of their text', () => {
    const packed = new Uint8Array([0, ...new TextEncoder().encode('\ufeffload-1')]);
    expect(unpackKey(packed, undefined, String)).toBe('\ufeffload-1');
  });
});
