/** Frames, bytes and files of a feed with something of every topic, made of the schema: what it does not state they do not have. */
import { crc32 } from 'node:zlib';
import { encode, ExtData } from '@msgpack/msgpack';
import type { ColumnCheck, ValueCheck } from '../../../src/feed/checks';
import type { Column, Frame, FrameNames, Scalar, TopicBody } from '../../../src/feed/frame';
import { DTYPE_CODES, PROTOCOL, TOPICS, type Topic } from '../../../src/feed/schema';
import { CHECKS } from '../../../src/feed/schema-checks';

export const ROWS = 4;
const NOW = 1.7e9;

const CONSTRUCTORS = [Uint8Array, Uint16Array, Uint32Array, Float32Array, Float64Array];

const NAMES: FrameNames = {
  workers: {
    from: 0,
    values: [0, 1, 2, 3].map(i => ({
      address: `tcp://${i}`,
      name: `w${i}`,
      host: `h${i % 2}`,
      nthreads: 2,
      memory_limit: 2 ** 32
    }))
  },
  prefixes: { from: 0, values: ['load', 'inc', 'sum', 'store'] },
  groups: { from: 0, values: ['load-1', 'inc-2', 'sum-3', 'store-4'] },
  lanes: { from: 0, values: [0, 1, 2, 3].map(i => [i, 100 + i] as const) }
};

/** A number between the bounds of a check. */
function numberOf(check: ColumnCheck | ValueCheck, i: number): number {
  if ('in' in check) {
    // The first stack has no parent: none may come before itself.
    return check.in === 'own.stacks' || check.in === 'own.frames' ? 0 : i;
  }
  const { least, most } = check as { readonly least: number; readonly most: number };
  return most > NOW && most < 1e10 && least === 0 && !('whole' in check) ? NOW + i : Math.min(most, Math.max(0, least) + i);
}

function columnsOf(checks: Readonly<Record<string, ColumnCheck>>): Record<string, Column> {
  const columns: Record<string, Column> = {};
  for (const [name, check] of Object.entries(checks)) {
    const values = Array.from({ length: ROWS }, (_, i) => numberOf(check, i));
    for (const each of name.startsWith('*') ? ['cpu', 'process'] : ['']) {
      columns[name.replace('*', each)] = check.float ? Float64Array.from(values) : Uint32Array.from(values);
    }
  }
  return columns;
}

function scalarOf(check: ValueCheck, i: number): Scalar {
  if ('list' in check) {
    return Array.from({ length: ROWS }, (_, row) => scalarOf(check.list, row));
  }
  if ('tuple' in check) {
    return check.tuple.map(part => scalarOf(part, i));
  }
  if ('fields' in check) {
    return Object.fromEntries(Object.entries(check.fields).map(([name, field]) => [name, scalarOf(field, i)]));
  }
  if ('map' in check) {
    return { some: scalarOf(check.map, i) };
  }
  if ('flag' in check) {
    return true;
  }
  return 'least' in check || 'in' in check ? numberOf(check, i) : `text ${i}`;
}

/** A body of a topic within all its bounds. */
export function madeBody(topic: Topic): TopicBody {
  const { columns, moves, scalars } = CHECKS[topic];
  const made = Object.fromEntries(Object.entries(scalars).map(([name, check]) => [name, scalarOf(check, 0)]));
  return {
    columns: columnsOf(columns),
    scalars: { ...made, first: 0, lost: 0, kept: 0, limited: '' },
    ...(moves === undefined ? {} : { moves: columnsOf(moves) })
  };
}

/** A frame with every topic. */
export function madeFrame(): Frame {
  const topics = Object.fromEntries(TOPICS.map(topic => [topic, madeBody(topic)]));
  return { feed: 'made', epoch: 0, seq: 0, time: NOW + 10, cursor: { tasks: ROWS }, names: NAMES, topics };
}

function extension(column: Column): ExtData {
  const code = DTYPE_CODES[CONSTRUCTORS.findIndex(Typed => column instanceof Typed)];
  return new ExtData(code, new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
}

/** A frame as a kernel would send it; values that are no columns go as they are. */
export function encodeFrame({ topics, ...rest }: Frame): Uint8Array {
  const table = (columns: Readonly<Record<string, unknown>> = {}): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(columns).map(([name, column]) => [name, ArrayBuffer.isView(column) ? extension(column as Column) : column])
    );
  const bodies = Object.entries(topics).map(([name, body]) => [
    name,
    { c: table(body.columns), s: body.scalars, ...(body.moves === undefined ? {} : { m: table(body.moves) }) }
  ]);
  return encode({ v: PROTOCOL, ...rest, topics: Object.fromEntries(bodies) });
}

function packed(column: Column): unknown[] {
  const { type, data } = extension(column);
  return [type, 0, data];
}

/** The value of a chunk that holds frames. */
export function chunkOf(frames: readonly Frame[]): Record<string, unknown> {
  const topics: Record<string, unknown[]> = {};
  for (const [at, frame] of frames.entries()) {
    for (const [topic, { columns, moves, scalars }] of Object.entries(frame.topics)) {
      const rows = (table: Readonly<Record<string, Column>>): number => Object.values(table)[0]?.length ?? 0;
      const pack = (table: Readonly<Record<string, Column>>): object =>
        Object.fromEntries(Object.entries(table).map(([name, column]) => [name, packed(column)]));
      const more = moves === undefined ? {} : { k: packed(Uint32Array.of(rows(moves))), m: pack(moves) };
      const table = { f: packed(Uint32Array.of(at)), n: packed(Uint32Array.of(rows(columns))), c: pack(columns), s: [scalars] };
      topics[topic] = [...(topics[topic] ?? []), { ...table, ...more }];
    }
  }
  return {
    feed: frames[0].feed,
    epoch: frames[0].epoch,
    times: packed(Float64Array.from(frames, ({ time }) => time)),
    names: frames.map(({ names }, at) => [at, names]),
    topics
  };
}

/** A file of chunks, each of which is any bytes, with checksums that are right. */
export function recordingOf(chunks: readonly Uint8Array[]): Uint8Array {
  const parts: Uint8Array[] = [Uint8Array.from([0x89, 0x44, 0x50, 0x52, 0x0d, 0x0a, 0x1a, 0x0a, 1, 0, 0, 0, 0, 0, 0, 0])];
  for (const data of chunks) {
    const header = new DataView(new ArrayBuffer(48));
    for (const [i, byte] of [0xd5, 0x44, 0x50, 0x42, 2].entries()) {
      header.setUint8(i, byte);
    }
    header.setUint32(8, data.length, true);
    header.setUint32(12, data.length, true);
    header.setUint32(20, 1, true);
    header.setFloat64(24, NOW, true);
    header.setFloat64(32, NOW + 20, true);
    header.setUint32(44, ROWS, true);
    const bytes = new Uint8Array(header.buffer);
    header.setUint32(16, crc32(data, crc32(bytes.subarray(20))), true);
    parts.push(bytes, data);
  }
  return new Uint8Array(Buffer.concat(parts));
}
