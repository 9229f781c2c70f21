// Files of recordings written byte by byte: what is read of a header, an index and a chunk, and what is refused.
import { deflateRawSync } from 'node:zlib';
import { encode } from '@msgpack/msgpack';
import { describe, expect, it } from 'vitest';
import type { Column } from '../../../../src/feed/frame';
import { type Block, openRecording, RecordingError } from '../../../../src/feed/recordings/recording';
import { blockValue, findBlocks, payload } from '../../../../src/feed/recordings/recording-blocks';
import { LIMITS } from '../../../../src/feed/schema-checks';

const HEADER = 48;
const [INFO, CHUNK, KEYFRAME, KEYS, PACKED_KEYS, INDEX] = [1, 2, 3, 4, 5, 6];

/** zlib's checksum, bit by bit. */
function crc32(bytes: Uint8Array): number {
  let c = ~0;
  for (const byte of bytes) {
    c ^= byte;
    for (let k = 0; k < 8; k++) {
      c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
    }
  }
  return ~c >>> 0;
}

interface Made {
  readonly kind?: number;
  readonly body: Uint8Array;
  readonly deflate?: boolean;
  /** Written in place of what is true. */
  readonly raw?: number;
  readonly stored?: number;
  readonly method?: number;
  readonly reserved?: number;
  readonly frames?: number;
  readonly start?: number;
  readonly end?: number;
  readonly firstRow?: number;
  readonly rows?: number;
}

function block(made: Made): Uint8Array {
  const stored = made.deflate ? new Uint8Array(deflateRawSync(made.body)) : made.body;
  const bytes = new Uint8Array(HEADER + stored.length);
  const view = new DataView(bytes.buffer);
  bytes.set([0xd5, 0x44, 0x50, 0x42, made.kind ?? CHUNK, made.method ?? Number(made.deflate ?? false)]);
  view.setUint16(6, made.reserved ?? 0, true);
  view.setUint32(8, made.stored ?? stored.length, true);
  view.setUint32(12, made.raw ?? made.body.length, true);
  view.setUint32(20, made.frames ?? 0, true);
  view.setFloat64(24, made.start ?? 0, true);
  view.setFloat64(32, made.end ?? 0, true);
  view.setUint32(40, made.firstRow ?? 0, true);
  view.setUint32(44, made.rows ?? 0, true);
  bytes.set(stored, HEADER);
  view.setUint32(16, crc32(bytes.subarray(20)), true);
  return bytes;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

interface Index {
  readonly why?: unknown;
  readonly missing?: unknown;
  readonly offsets?: (real: number[]) => number[];
  readonly headers?: (real: Uint8Array) => unknown;
  readonly kind?: number;
}

/** A file of blocks; with an index where one is given. */
function fileOf(blocks: readonly Uint8Array[], index: Index | null = null): Uint8Array {
  const head = new Uint8Array(16);
  head.set([0x89, 0x44, 0x50, 0x52, 0x0d, 0x0a, 0x1a, 0x0a, 1]);
  const parts = [head, ...blocks];
  if (index === null) {
    return joined(parts);
  }
  const offsets: number[] = [];
  let at = head.length;
  for (const each of blocks) {
    offsets.push(at);
    at += each.length;
  }
  const places = Float64Array.from(index.offsets?.(offsets) ?? offsets);
  const headers = joined(blocks.map(each => each.subarray(0, HEADER)));
  const value = {
    offsets: new Uint8Array(places.buffer),
    headers: index.headers?.(headers) ?? headers,
    why: index.why ?? '',
    missing: index.missing ?? []
  };
  const end = new Uint8Array(16);
  new DataView(end.buffer).setBigUint64(0, BigInt(at), true);
  end.set(new TextEncoder().encode('DPR-END\n'), 8);
  return joined([...parts, block({ kind: index.kind ?? INDEX, body: encode(value) }), end]);
}

const TEXT = new TextEncoder().encode('some text, some text, some text');

describe('a file of blocks', () => {
  const FIELDS = { frames: 7, start: 12.5, end: 13.75, firstRow: 100, rows: 11 };
  const blocks = [block({ body: TEXT, ...FIELDS }), block({ kind: KEYFRAME, body: TEXT, deflate: true, frames: 1 })];

  it('has the fields of its headers, by its index and without one', async () => {
    const expected = [
      { ...FIELDS, kind: CHUNK, offset: 16, deflated: false, stored: TEXT.length, raw: TEXT.length },
      { kind: KEYFRAME, offset: 16 + blocks[0].length, deflated: true, stored: blocks[1].length - HEADER, raw: TEXT.length }
    ];
    const whole = await findBlocks(fileOf(blocks, { why: 'it was ended', missing: ['a', 7, 'b'] }));
    expect(whole.blocks).toMatchObject(expected);
    expect([whole.complete, whole.why, whole.missing, whole.damaged]).toEqual([true, 'it was ended', ['a', 'b'], 0]);
    const cut = await findBlocks(fileOf(blocks));
    expect(cut.blocks).toEqual(whole.blocks);
    expect([cut.complete, cut.why, cut.missing, cut.damaged]).toEqual([false, '', [], 0]);
    const odd = await findBlocks(fileOf(blocks, { why: 7, missing: 'none' }));
    expect([odd.why, odd.missing]).toEqual(['', []]);
    const none = await findBlocks(fileOf([]));
    expect([none.blocks, none.complete]).toEqual([[], false]);
  });

  it('is read from any place of a buffer', async () => {
    const file = fileOf(blocks, {});
    const around = new Uint8Array(file.length + 13);
    around.set(file, 13);
    const { blocks: found } = await findBlocks(around.subarray(13));
    expect(found.length).toBe(2);
    expect(await payload(around.subarray(13), found[1])).toEqual(TEXT);
  });

  it('is read block by block where its index is malformed, or of another kind, or does not fit', async () => {
    const complete = async (index: Index): Promise<boolean> => (await findBlocks(fileOf(blocks, index))).complete;
    expect(await complete({})).toBe(true);
    expect([
      await complete({ kind: INFO }),
      await complete({ headers: headers => headers.subarray(1) }),
      await complete({ headers: () => 'text' }),
      await complete({ offsets: list => list.slice(1) })
    ]).toEqual([false, false, false, false]);
    const damaged = fileOf(blocks, {});
    damaged[damaged.length - 30] ^= 1;
    const found = await findBlocks(damaged);
    expect([found.complete, found.blocks.length]).toEqual([false, 2]);
    // Its place may be anything.
    for (const place of [0n, 5n, 1n << 40n, (1n << 64n) - 1n]) {
      const file = fileOf(blocks, {});
      new DataView(file.buffer).setBigUint64(file.length - 16, place, true);
      expect((await findBlocks(file)).complete, String(place)).toBe(false);
    }
  });

  it('is read block by block where its index says impossible things of one', async () => {
    const found = async (index: Index): Promise<unknown> => {
      const { blocks: list, complete } = await findBlocks(fileOf(blocks, index));
      return [list.map(({ offset }) => offset), complete];
    };
    const second = 16 + blocks[0].length;
    const at = (offset: number): Promise<unknown> => found({ offsets: ([first]) => [first, offset] });
    const { length } = fileOf(blocks, {});
    expect([await at(16), await at(length - 1)]).toEqual([
      [[16, 16], true],
      [[16, length - 1], true]
    ]);
    const scanned = [[16, second], false];
    for (const offset of [15, length, -1, Number.NaN, 1e300]) {
      expect(await at(offset), String(offset)).toEqual(scanned);
    }
    const packed = (headers: Uint8Array): Uint8Array => headers.map((byte, i) => (i === HEADER + 5 ? 2 : byte));
    expect(await found({ headers: packed })).toEqual(scanned);
  });

  it('has no blocks that are packed in an unknown way, or too large', async () => {
    const found = async (change: Partial<Made>): Promise<number> =>
      (await findBlocks(fileOf([block({ body: TEXT, ...change }), blocks[1]]))).blocks.length;
    expect([await found({}), await found({ method: 1 }), await found({ method: 2 }), await found({ reserved: 1 })]).toEqual([
      ...[2, 2, 1, 1]
    ]);
    expect([await found({ raw: LIMITS.frameBytes }), await found({ raw: LIMITS.frameBytes + 1 })]).toEqual([2, 1]);
  });

  it('counts the bytes that belong to no block, and goes on behind them', async () => {
    const rubbish = new Uint8Array(29).fill(0xd5);
    const between = await findBlocks(fileOf([blocks[0], rubbish, blocks[1]]));
    expect([between.blocks.map(({ kind }) => kind), between.damaged]).toEqual([[CHUNK, KEYFRAME], 29]);
    const behind = await findBlocks(fileOf([blocks[0], rubbish]));
    expect([behind.blocks.length, behind.damaged]).toEqual([1, 29]);
    const cut = fileOf(blocks).slice(0, -1);
    expect([(await findBlocks(cut)).blocks.length, (await findBlocks(cut)).damaged]).toEqual([1, blocks[1].length - 1]);
    // A header alone is a block of nothing.
    expect((await findBlocks(fileOf([block({ body: new Uint8Array() })]))).blocks.length).toBe(1);
  });

  it('believes a size that leads to no other block only with its checksum', async () => {
    const bodies = Array.from({ length: 50 }, (_, i) => new Uint8Array(100).fill(i));
    for (const more of [-20, 1, 100, 1000]) {
      const file = fileOf(bodies.map((body, i) => block({ body, rows: i, ...(i === 7 ? { stored: body.length + more } : {}) })));
      const found = await findBlocks(file);
      expect([found.blocks.map(({ rows }) => rows), found.damaged]).toEqual([
        Array.from(bodies.keys()).filter(i => i !== 7),
        HEADER + 100
      ]);
    }
  });

  it('reads a file of headers that lie once, not once for each of them', async () => {
    const count = 60_000;
    const head = block({ body: new Uint8Array() });
    // Each says that it is as large as all that follow it.
    const file = fileOf(Array.from({ length: count }, () => head));
    const view = new DataView(file.buffer);
    for (let i = 0; i < count - 1; i++) {
      view.setUint32(16 + i * HEADER + 8, HEADER * (count - i) - HEADER - 1, true);
    }
    const found = await findBlocks(file);
    expect([found.blocks.length, found.damaged]).toEqual([1, HEADER * (count - 1)]);
  });

  it('has the bytes of a block if they are whole and what was written', async () => {
    const file = fileOf(blocks);
    const found = (await findBlocks(file)).blocks;
    expect([await payload(file, found[0]), await payload(file, found[1])]).toEqual([TEXT, TEXT]);
    await expect(payload(file.subarray(0, -1), found[1])).rejects.toThrow('is cut off');
    for (const at of [found[0].offset + 20, found[0].offset + 47, found[0].offset + 48]) {
      const other = file.slice();
      other[at] ^= 1;
      const [damaged] = (await findBlocks(other)).blocks;
      await expect(payload(other, damaged), String(at)).rejects.toThrow('its checksum is wrong');
    }
    // The index has every header again.
    for (let i = 0; i < HEADER; i++) {
      const indexed = fileOf(blocks, {});
      indexed[found[0].offset + i] ^= 1;
      expect(await payload(indexed, (await findBlocks(indexed)).blocks[0]), String(i)).toEqual(TEXT);
    }
    const of = async (change: Partial<Made>): Promise<Uint8Array> => {
      const made = fileOf([block({ body: TEXT, deflate: true, ...change })]);
      return payload(made, (await findBlocks(made)).blocks[0]);
    };
    await expect(of({ raw: TEXT.length - 1 })).rejects.toThrow('larger than it says');
    await expect(of({ raw: TEXT.length + 1 })).rejects.toThrow('smaller than it says');
    await expect(of({ deflate: false, method: 1, body: new Uint8Array([255, 255, 255]) })).rejects.toThrow(
      /^A block of the recording is damaged: \w+/
    );
    expect(await of({ body: new Uint8Array(), raw: 0 })).toEqual(new Uint8Array());
  });

  it('has values, and no others than msgpack has', async () => {
    const of = async (body: Uint8Array): Promise<unknown> => {
      const file = fileOf([block({ body })]);
      return blockValue(file, (await findBlocks(file)).blocks[0]);
    };
    expect(await of(encode({ a: [1, 'x'] }))).toEqual({ a: [1, 'x'] });
    for (const body of [new Uint8Array([0xc1]), new Uint8Array(), encode('text').subarray(0, 3)]) {
      await expect(of(body)).rejects.toThrow(RecordingError);
      await expect(of(body)).rejects.toThrow(/^A block of the recording is damaged: /);
    }
  });
});

const u32 = (...values: number[]): unknown => [3, 0, new Uint8Array(Uint32Array.from(values).buffer)];
const f64 = (...values: number[]): unknown => [5, 0, new Uint8Array(Float64Array.from(values).buffer)];

/** A chunk of two frames with two tasks and one, of which the first frame has a move of its second task, and the second one two. */
const TABLE = {
  f: u32(0, 1),
  n: u32(2, 1),
  c: { prefix: u32(4, 5, 6), lane: u32(0, 1, 0) },
  k: u32(1, 2),
  m: { at: u32(1, 0, 0), kind: u32(7, 8, 9) },
  s: [
    { first: 100, lost: 2 },
    { first: 102, lost: 3 }
  ]
};
const VALUE = { feed: 'f', epoch: 3, times: f64(10, 20), names: [[1, { prefixes: { from: 0, values: ['a'] } }]], topics: {} };

async function chunkOf(value: unknown) {
  const file = fileOf([block({ body: encode(value), firstRow: 100, rows: 3, start: 10, end: 20 })]);
  const recording = await openRecording(file);
  return recording.read(recording.chunks[0]);
}

const plain = (columns: Readonly<Record<string, Column>> | undefined): unknown =>
  columns === undefined ? undefined : Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, [...column]]));

describe('a chunk', () => {
  it('is cut into its frames, and has its tasks as one body', async () => {
    const { frames, tasks } = await chunkOf({ ...VALUE, topics: { tasks: [TABLE] } });
    expect(frames.map(({ feed, epoch, seq, time, cursor, names }) => [feed, epoch, seq, time, cursor, names])).toEqual([
      ['f', 3, 0, 10, {}, {}],
      ['f', 3, 1, 20, {}, VALUE.names[0][1]]
    ]);
    expect(frames.map(({ topics }) => [plain(topics.tasks?.columns), topics.tasks?.scalars, plain(topics.tasks?.moves)])).toEqual(
      [
        [{ prefix: [4, 5], lane: [0, 1] }, TABLE.s[0], { at: [1], kind: [7] }],
        [{ prefix: [6], lane: [0] }, TABLE.s[1], { at: [0, 0], kind: [8, 9] }]
      ]
    );
    expect([tasks.length, plain(tasks[0].columns), tasks[0].scalars, plain(tasks[0].moves)]).toEqual([
      1,
      { prefix: [4, 5, 6], lane: [0, 1, 0] },
      { first: 100, lost: 5 },
      // Positions are in the whole body.
      { at: [1, 2, 2], kind: [7, 8, 9] }
    ]);
  });

  it('has frames without moves, of some topics only, and of several tables', async () => {
    const { k: _, m: __, ...still } = TABLE;
    const { frames, tasks } = await chunkOf({ ...VALUE, topics: { tasks: [still] } });
    expect([frames[0].topics.tasks?.moves, tasks[0].moves]).toEqual([undefined, undefined]);
    const one = { ...still, f: u32(1), n: u32(3), s: ['odd'] };
    const later = await chunkOf({ ...VALUE, topics: { tasks: [one], meta: [{ f: u32(0), n: u32(0), s: [{ x: 1 }] }] } });
    expect(later.frames.map(({ topics }) => Object.keys(topics))).toEqual([['meta'], ['tasks']]);
    expect([later.frames[0].topics.meta?.scalars, later.frames[1].topics.tasks?.scalars, later.tasks[0].scalars]).toEqual([
      { x: 1 },
      {},
      { first: 0, lost: 0 }
    ]);
    // Of several tables, the bodies of the frames are given.
    const two = await chunkOf({
      ...VALUE,
      topics: {
        tasks: [
          { ...still, f: u32(1), n: u32(3), s: [{ first: 1 }] },
          { f: u32(0), n: u32(1), c: { prefix: u32(9) }, s: [] }
        ]
      }
    });
    expect(two.tasks.map(({ columns }) => [...columns.prefix])).toEqual([[9], [4, 5, 6]]);
    const none = await chunkOf(VALUE);
    expect(none.tasks).toEqual([]);
  });

  it('is refused where its numbers do not agree', async () => {
    const of = (change: object): Promise<unknown> => chunkOf({ ...VALUE, topics: { tasks: [{ ...TABLE, ...change }] } });
    await expect(of({ n: u32(2) })).rejects.toThrow();
    await expect(of({ n: u32(2, 1, 0) })).rejects.toThrow('several numbers of frames');
    await expect(of({ k: u32(3) })).rejects.toThrow('several numbers of frames');
    await expect(of({ f: u32(0, 2) })).rejects.toThrow('a frame too many');
    await expect(of({ n: u32(2, 2) })).rejects.toThrow('tasks.prefix has 3 rows, its frames have 4');
    await expect(of({ k: u32(1, 1) })).rejects.toThrow('tasks.moves.at has 3 rows, its frames have 2');
    await expect(chunkOf({ ...VALUE, topics: { meta: ['text'] } })).rejects.toThrow('topic meta is no table');
    for (const change of [{ feed: 7 }, { epoch: 'x' }, { topics: 'none' }]) {
      await expect(chunkOf({ ...VALUE, ...change })).rejects.toThrow('A chunk of the recording is damaged.');
    }
    await expect(chunkOf('text')).rejects.toThrow('A chunk of the recording is damaged.');
  });

  it('has as many frames as a feed may have, and no more', async () => {
    const times = (count: number): unknown => f64(...Array.from({ length: count }, () => 1));
    expect((await chunkOf({ ...VALUE, times: times(LIMITS.frames) })).frames.length).toBe(LIMITS.frames);
    await expect(chunkOf({ ...VALUE, times: times(LIMITS.frames + 1) })).rejects.toThrow(`has ${LIMITS.frames + 1} frames`);
  });

  it('takes no notice of odd names', async () => {
    const names = async (value: unknown): Promise<unknown[]> =>
      (await chunkOf({ ...VALUE, names: value })).frames.map(frame => frame.names);
    expect([await names('x'), await names([7, [9, {}], [0, 'x'], [1]]), await names([['0', { a: 1 }]])]).toEqual([
      [{}, {}],
      [{}, {}],
      [{ a: 1 }, {}]
    ]);
  });
});

describe('keys of a recording', () => {
  const texts = ['first', 'second-key', 'x'];
  const packed = texts.map(text => joined([new Uint8Array([0]), new TextEncoder().encode(text)]));
  const about = {
    length: u32(...packed.map(({ length }) => length)),
    type: u32(0, 1, 5),
    types: { 0: 'int', 1: 'float' },
    groups: {}
  };
  const rows = { firstRow: 100, rows: 3 };
  const parts = (change: object = {}, packedRows: object = rows): Uint8Array[] => [
    block({ body: encode({ ...VALUE, topics: { tasks: [TABLE] } }), ...rows, start: 10, end: 20 }),
    block({ kind: KEYS, body: encode({ ...about, ...change }), ...rows }),
    block({ kind: PACKED_KEYS, body: joined(packed), ...packedRows })
  ];
  const key = async (row: number, blocks = parts()): Promise<unknown> => (await openRecording(fileOf(blocks))).key(row);

  it('are those of their rows, and none of others', async () => {
    expect([await key(100), await key(101), await key(102)]).toEqual([
      { key: 'first', type: 'int' },
      { key: 'second-key', type: 'float' },
      { key: 'x', type: '' }
    ]);
    expect([await key(99), await key(103), await key(Number.NaN)]).toEqual([null, null, null]);
  });

  it.each([2 ** 32 - 1, 2 ** 32 + 5])('are found where a header has only the lower 32 bits of their rows: %d', async first => {
    const table = { f: u32(0), n: u32(3), c: { prefix: u32(0, 0, 0) }, s: [{ first }] };
    const [, ...keys] = parts({}, { firstRow: first, rows: 3 });
    const head = { firstRow: first, rows: 3 };
    const blocks = [
      block({ body: encode({ ...VALUE, times: f64(10), topics: { tasks: [table] } }), ...head }),
      block({ kind: KEYS, body: encode(about), ...head }),
      keys[1]
    ];
    const found: unknown[] = [];
    for (const row of [first - 1, first, first + 1, first + 2, first + 3]) {
      found.push(await key(row, blocks));
    }
    expect(found).toEqual([
      null,
      { key: 'first', type: 'int' },
      { key: 'second-key', type: 'float' },
      { key: 'x', type: '' },
      null
    ]);
  });

  it('are not known where a part of them is missing', async () => {
    const [chunk, keys, bodies] = parts();
    expect([await key(100, [chunk, keys]), await key(100, [chunk, bodies]), await key(100, [keys, bodies])]).toEqual([
      ...[null, null, null]
    ]);
    expect(await key(100, parts({}, { firstRow: 99, rows: 3 }))).toBeNull();
    expect(await key(100, [chunk, block({ kind: KEYS, body: encode('text'), ...rows }), bodies])).toBeNull();
    await expect(key(102, parts({ length: u32(1, 2) }))).rejects.toThrow('do not fit its tasks');
  });

  it('have the names of the keyframe and of the chunks behind it', async () => {
    const hex = joined([new Uint8Array([1]), new Uint8Array([0xab, 0x01])]);
    const keys = (prefix: number): Uint8Array[] => [
      block({ kind: KEYS, body: encode({ ...about, length: u32(hex.length) }), firstRow: 100, rows: 1 }),
      block({ kind: PACKED_KEYS, body: hex, firstRow: 100, rows: 1 }),
      block({
        body: encode({
          ...{ ...VALUE, times: f64(10), names: [[0, { prefixes: { from: 1, values: ['late'] } }]] },
          topics: { tasks: [{ f: u32(0), n: u32(1), c: { prefix: u32(prefix) }, s: [{ first: 100 }] }] }
        }),
        ...{ firstRow: 100, rows: 1 }
      })
    ];
    const keyframe = (names: unknown): Uint8Array =>
      block({ kind: KEYFRAME, body: encode({ ...VALUE, times: f64(5), names: [[0, names]] }), frames: 1 });
    const known = keyframe({ prefixes: { from: 0, values: ['early'] } });
    expect([await key(100, [known, ...keys(0)]), await key(100, [known, ...keys(1)]), await key(100, keys(1))]).toMatchObject([
      { key: 'early-ab01' },
      { key: 'late-ab01' },
      { key: 'late-ab01' }
    ]);
    // Chunks before the last keyframe add nothing to it; without one that can be read, all of them count.
    expect(await key(100, [...keys(1), known])).toBeNull();
    const broken = known.slice();
    broken[HEADER] ^= 1;
    expect(await key(100, [...keys(1), broken])).toMatchObject({ key: 'late-ab01' });
  });
});

it('a recording has the facts of its first block of facts, and the times of its chunks', async () => {
  const chunk = (start: number, end: number, rows: number): Uint8Array =>
    block({ body: encode({ ...VALUE, times: f64(start) }), start, end, rows, firstRow: 0 });
  const info = (value: unknown): Uint8Array => block({ kind: INFO, body: encode(value) });
  const recording = await openRecording(
    fileOf([info({ name: 'a' }), chunk(1, 2, 4), chunk(3, 4, 5), info({ name: 'b' })]).buffer as ArrayBuffer
  );
  expect([recording.info, recording.start, recording.end, recording.tasks]).toEqual([{ name: 'a' }, 1, 4, 9]);
  const empty = await openRecording(fileOf([info('text')]));
  expect([empty.info, empty.start, empty.end, empty.tasks, empty.chunks, empty.keyframes]).toEqual([
    ...[{}, Number.NaN, Number.NaN, 0, [], []]
  ]);
  expect((await openRecording(fileOf([]))).info).toEqual({});
  const keyframe = block({ kind: KEYFRAME, body: encode({ ...VALUE, times: f64() }) });
  const odd = await openRecording(fileOf([keyframe]));
  await expect(odd.readKeyframe(odd.keyframes[0] as Block)).rejects.toThrow('A keyframe of the recording is empty.');
});
