/**
 * Frames, the elements of a feed. `docs/feed.md` is normative; the columns of each topic are in `schema.ts`. This file
 * imports nothing of JupyterLab, so that a file reader, a report and a test can use it.
 */
import { decode, ExtensionCodec } from '@msgpack/msgpack';
import type { Seconds } from '../base/units';
import { isMap, mapOf } from '../base/untrusted';
import { checkShape, ShapeError } from './msgpack-shape';
import { DTYPE_CODES, PROTOCOL } from './schema';

/** A typed column of a topic. */
export type Column = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

/** Values of a topic other than columns. */
export type Scalar = number | string | boolean | null | Scalar[] | { [key: string]: Scalar };

/** The body of one topic in one frame. */
export interface TopicBody {
  /** Columns by name, all of the same length. */
  readonly columns: Readonly<Record<string, Column>>;
  /** Other values: first row, rows lost, lists of text. */
  readonly scalars: Readonly<Record<string, Scalar>>;
  /** The second table: other intervals for `tasks`, dependencies for `graph` and `groups`. */
  readonly moves?: Readonly<Record<string, Column>>;
}

/** New entries of one dictionary: they start at position `from`. */
export interface NameEntries<T> {
  readonly from: number;
  readonly values: readonly T[];
}

/** Constant facts of a worker, from the dictionary `workers`. */
export interface WorkerName {
  readonly address: string;
  readonly name: string;
  readonly host: string;
  readonly nthreads: number;
  readonly memory_limit: number;
  readonly pid?: number;
  readonly dashboard?: string;
  readonly version?: string;
  /** When the scheduler added it; scheduler clock. */
  readonly joined?: Seconds;
  /** Name of its GPU, if reported. */
  readonly gpu?: string;
  /** For local schedulers: what a lane is (`thread`, `process` …). */
  readonly lane?: string;
}

/** A lane is one thread of one worker: [index into workers, thread id]. */
export type LaneName = readonly [worker: number, thread: number];

/** Dictionary entries that the reader did not have. */
export interface FrameNames {
  readonly prefixes?: NameEntries<string>;
  readonly groups?: NameEntries<string>;
  readonly workers?: NameEntries<WorkerName>;
  readonly lanes?: NameEntries<LaneName>;
}

/** One frame of a feed. */
export interface Frame {
  /** Random id of the collector: cursors of another feed are invalid. */
  readonly feed: string;
  /** Incremented by each `client.restart()`. */
  readonly epoch: number;
  /** Number of the frame within its subscription, from 0, without gaps. */
  readonly seq: number;
  /** Scheduler time when the frame was read. */
  readonly time: Seconds;
  /** Position of the reader after this frame; opaque, sent back to continue from here. */
  readonly cursor: Cursor;
  readonly names: FrameNames;
  readonly topics: Readonly<Record<string, TopicBody>>;
}

/** An opaque position in a feed: counts by topic and dictionary. */
export type Cursor = Readonly<Record<string, number>>;

/** The buffer is not a frame of a supported version. */
export class FrameError extends Error {}

/** Types of columns, in the order of `DTYPE_CODES`. */
export const COLUMN_TYPES = [Uint8Array, Uint16Array, Uint32Array, Float32Array, Float64Array] as const;

const codec = new ExtensionCodec();
for (const [index, code] of DTYPE_CODES.entries()) {
  const Typed = COLUMN_TYPES[index];
  codec.register({
    type: code,
    encode: () => null,
    // msgpack does not align values: the bytes are copied into a separate buffer.
    decode: bytes => {
      if (bytes.byteLength % Typed.BYTES_PER_ELEMENT !== 0) {
        throw new FrameError(`a column of ${bytes.byteLength} bytes is no ${Typed.name}`);
      }
      const copy = bytes.slice();
      return new Typed(copy.buffer, 0, copy.byteLength / Typed.BYTES_PER_ELEMENT);
    }
  });
}

function number(map: Record<string, unknown>, key: string): number {
  const value = map[key];
  if (typeof value !== 'number') {
    throw new FrameError(`frame.${key} is not a number`);
  }
  return value;
}

function columnsOf(value: unknown, where: string): Record<string, Column> {
  const columns: Record<string, Column> = {};
  if (value === undefined) {
    return columns;
  }
  if (!isMap(value)) {
    throw new FrameError(`${where} is not a map of columns`);
  }
  let length = -1;
  for (const [name, column] of Object.entries(value)) {
    if (!COLUMN_TYPES.some(Typed => column instanceof Typed)) {
      throw new FrameError(`${where}.${name} is not a typed column`);
    }
    const typed = column as Column;
    if (length >= 0 && typed.length !== length) {
      throw new FrameError(`${where}.${name} has ${typed.length} rows, another column has ${length}`);
    }
    length = typed.length;
    columns[name] = typed;
  }
  return columns;
}

function topicOf(value: unknown, name: string): TopicBody {
  if (!isMap(value)) {
    throw new FrameError(`topic ${name} is not a map`);
  }
  const body: { columns: Record<string, Column>; scalars: Readonly<Record<string, Scalar>>; moves?: Record<string, Column> } = {
    columns: columnsOf(value.c, name),
    scalars: mapOf(value.s) as Readonly<Record<string, Scalar>>
  };
  if (value.m !== undefined) {
    body.moves = columnsOf(value.m, `${name}.moves`);
  }
  return body;
}

/**
 * Decode one frame.
 *
 * @param buffer - msgpack bytes from the kernel channel or a file
 * @returns the frame, checked only for its form: validate it with a `FrameValidator` before use
 * @throws FrameError if the bytes are not a frame, or of a later protocol
 */
export function decodeFrame(buffer: ArrayBuffer | Uint8Array | DataView): Frame {
  const bytes =
    buffer instanceof Uint8Array
      ? buffer
      : buffer instanceof DataView
        ? new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
        : new Uint8Array(buffer);
  let value: unknown;
  try {
    checkShape(bytes);
    value = decode(bytes, { extensionCodec: codec });
  } catch (error) {
    const why = error instanceof ShapeError ? error.message : String(error);
    throw error instanceof FrameError ? error : new FrameError(`not a frame: ${why}`);
  }
  if (!isMap(value)) {
    throw new FrameError('a frame is a map');
  }
  const version = number(value, 'v');
  if (version !== PROTOCOL) {
    throw new FrameError(`frame of protocol ${version}; this reader knows ${PROTOCOL}`);
  }
  if (typeof value.feed !== 'string') {
    throw new FrameError('frame.feed is not a text');
  }
  const topics: Record<string, TopicBody> = {};
  for (const [name, body] of Object.entries(mapOf(value.topics))) {
    topics[name] = topicOf(body, name);
  }
  return {
    feed: value.feed,
    epoch: number(value, 'epoch'),
    seq: number(value, 'seq'),
    time: number(value, 'time'),
    cursor: mapOf(value.cursor) as Cursor,
    names: mapOf(value.names) as FrameNames,
    topics
  };
}
