/** The file of a recording as blocks, see `docs/recording.md`; the counterpart of `dask_panes/files/blocks.py`. */
import { mapOf, textOf, textsOf } from '../../base/untrusted';
import { decode } from '@msgpack/msgpack';
import type { Bytes, Seconds } from '../../base/units';
import { checkShape, ShapeError } from '../msgpack-shape';
import { RecordingError } from './recording-columns';
import { LIMITS } from '../schema-checks';

const MAGIC = [0x89, 0x44, 0x50, 0x52, 0x0d, 0x0a, 0x1a, 0x0a];
const VERSION = 1;
const FILE_HEADER: Bytes = 16;
const MARK = [0xd5, 0x44, 0x50, 0x42];
const HEADER: Bytes = 48;
/** Start of the checksummed part of a header. */
const SUMMED: Bytes = 20;
const END = 'DPR-END\n';
const TRAILER: Bytes = 16;
/** More than this is damage, not data: a file must not make us allocate more memory at once. */
const LARGEST_BLOCK: Bytes = LIMITS.frameBytes;

/** Kinds of blocks: the facts of the recording. */
export const INFO = 1;
/** Consecutive frames. */
export const CHUNK = 2;
/** One frame with the whole state. */
export const KEYFRAME = 3;
/** Lengths, groups and types of the keys of executions. */
export const KEYS = 4;
/** The keys themselves, one after the other. */
export const PACKED_KEYS = 5;
const INDEX = 6;

/** Fields of a block's header. */
export interface Block {
  readonly kind: number;
  readonly offset: Bytes;
  readonly deflated: boolean;
  /** Bytes in the file, and after inflating. */
  readonly stored: Bytes;
  readonly raw: Bytes;
  readonly crc: number;
  /** Checksum of the header: an intact one of the index stands for a damaged one. */
  readonly headCrc: number;
  readonly frames: number;
  /** Scheduler time of the first and last frame. */
  readonly start: Seconds;
  readonly end: Seconds;
  /** First row of topic `tasks` in the block, modulo 2³², and the number of rows. */
  readonly firstRow: number;
  readonly rows: number;
}

/** The blocks of one file. */
export interface BlockList {
  readonly blocks: readonly Block[];
  /** Whether the file was finished. */
  readonly complete: boolean;
  /** Why it ended early, else ''. */
  readonly why: string;
  /** Data that was unavailable when it was written, as messages. Untrusted. */
  readonly missing: readonly string[];
  /** Bytes that belong to no whole block. */
  readonly damaged: Bytes;
}

/**
 * Find the blocks of a file: by its index, or sequentially if it has none.
 *
 * @throws RecordingError if it is not a recording, or of another version
 */
export async function findBlocks(bytes: Uint8Array): Promise<BlockList> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length === 0) {
    throw new RecordingError('This is not a recording of Dask Panes: the file is empty.');
  }
  if (bytes.length < FILE_HEADER || !begins(bytes, 0, MAGIC)) {
    throw new RecordingError('This is not a recording of Dask Panes.');
  }
  const version = view.getUint32(MAGIC.length, true);
  if (version !== VERSION) {
    const versions = `The recording has version ${version} of its format; this reader knows ${VERSION}.`;
    throw new RecordingError(`${versions} Another version of Dask Panes reads it.`);
  }
  return (await fromIndex(bytes, view)) ?? scan(bytes, view);
}

/**
 * The bytes of a block.
 *
 * @throws RecordingError if they are damaged
 */
export async function payload(bytes: Uint8Array, block: Block): Promise<Uint8Array> {
  const from = block.offset + HEADER;
  const stored = bytes.subarray(from, from + block.stored);
  if (stored.length < block.stored) {
    throw new RecordingError('A block of the recording is cut off.');
  }
  if (!isWhole(block, stored)) {
    throw new RecordingError('A block of the recording is damaged: its checksum is wrong.');
  }
  return block.deflated ? inflate(stored, block.raw) : stored;
}

/**
 * The msgpack value of a block.
 *
 * @throws RecordingError if it is damaged
 */
export async function blockValue(bytes: Uint8Array, block: Block): Promise<unknown> {
  const data = await payload(bytes, block);
  try {
    checkShape(data);
    return decode(data);
  } catch (error) {
    throw new RecordingError(
      `A block of the recording is damaged: ${error instanceof ShapeError ? error.message : String(error)}`
    );
  }
}

function begins(bytes: Uint8Array, at: number, mark: readonly number[]): boolean {
  return mark.every((byte, i) => bytes[at + i] === byte);
}

function parseHeader(bytes: Uint8Array, view: DataView, at: Bytes, offset: Bytes): Block | null {
  if (at < 0 || at + HEADER > bytes.length || !begins(bytes, at, MARK)) {
    return null;
  }
  const method = view.getUint8(at + 5);
  const stored = view.getUint32(at + 8, true);
  const raw = view.getUint32(at + 12, true);
  if (method > 1 || view.getUint16(at + 6, true) !== 0 || Math.max(stored, raw) > LARGEST_BLOCK) {
    return null;
  }
  return {
    kind: view.getUint8(at + 4),
    offset,
    deflated: method === 1,
    stored,
    raw,
    crc: view.getUint32(at + 16, true),
    headCrc: crc32(bytes.subarray(at + SUMMED, at + HEADER), 0),
    frames: view.getUint32(at + 20, true),
    start: view.getFloat64(at + 24, true),
    end: view.getFloat64(at + 32, true),
    firstRow: view.getUint32(at + 40, true),
    rows: view.getUint32(at + 44, true)
  };
}

async function fromIndex(bytes: Uint8Array, view: DataView): Promise<BlockList | null> {
  const at = bytes.length - TRAILER;
  const end = [...END].map(letter => letter.charCodeAt(0));
  if (at < FILE_HEADER || !begins(bytes, at + 8, end)) {
    return null;
  }
  const offset = Number(view.getBigUint64(at, true));
  const index = parseHeader(bytes, view, offset, offset);
  if (index?.kind !== INDEX) {
    return null;
  }
  let value: unknown;
  try {
    value = await blockValue(bytes, index);
  } catch (error) {
    if (error instanceof RecordingError) {
      // Without its index a file is read block by block.
      return null;
    }
    throw error;
  }
  const { offsets, headers, why, missing } = mapOf(value);
  if (!(offsets instanceof Uint8Array) || !(headers instanceof Uint8Array) || headers.length !== (offsets.length / 8) * HEADER) {
    return null;
  }
  const places = new DataView(offsets.buffer, offsets.byteOffset, offsets.byteLength);
  const heads = new DataView(headers.buffer, headers.byteOffset, headers.byteLength);
  const blocks: Block[] = [];
  for (let i = 0; i < offsets.length / 8; i++) {
    const block = parseHeader(headers, heads, i * HEADER, places.getFloat64(i * 8, true));
    if (block === null || !(block.offset >= FILE_HEADER && block.offset < bytes.length)) {
      // What it says of one block is no more certain of the others.
      return null;
    }
    blocks.push(block);
  }
  return { blocks, complete: true, why: textOf(why), missing: textsOf(missing), damaged: 0 };
}

function scan(bytes: Uint8Array, view: DataView): BlockList {
  const blocks: Block[] = [];
  let damaged: Bytes = 0;
  let checked: Bytes = 0;
  let offset = FILE_HEADER;
  while (offset < bytes.length) {
    const block = parseHeader(bytes, view, offset, offset);
    if (block !== null) {
      const next = offset + HEADER + block.stored;
      let believed = next <= bytes.length;
      if (believed && !leadsOn(bytes, next)) {
        // A file of such headers is not read again for each of them.
        checked += HEADER + block.stored;
        believed = checked <= bytes.length && isWhole(block, bytes.subarray(offset + HEADER, next));
      }
      if (believed) {
        if (block.kind !== INDEX) {
          blocks.push(block);
        }
        offset = next;
        continue;
      }
    }
    const found = findMark(bytes, offset + 1);
    damaged += found - offset;
    offset = found;
  }
  return { blocks, complete: false, why: '', missing: [], damaged };
}

/** Whether a block that ends here, by the size in its header, is followed by another one, or the file ends. */
function leadsOn(bytes: Uint8Array, next: Bytes): boolean {
  return next === bytes.length - TRAILER || MARK.every((byte, i) => next + i >= bytes.length || bytes[next + i] === byte);
}

function isWhole(block: Block, stored: Uint8Array): boolean {
  return crc32(stored, block.headCrc) === block.crc;
}

/** The next possible start of a block; the end if there is none. */
function findMark(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(MARK[0], from); at >= 0; at = bytes.indexOf(MARK[0], at + 1)) {
    if (begins(bytes, at, MARK)) {
      return at;
    }
  }
  return bytes.length;
}

/** Inflate, and stop as soon as the result exceeds the size in the header: a small file must not use much memory. */
async function inflate(stored: Uint8Array, size: Bytes): Promise<Uint8Array> {
  const data = new Uint8Array(size);
  let filled = 0;
  const reader = new Blob([stored as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw'))
    .getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (filled + part.value.length > size) {
        throw new RecordingError('A block of the recording is larger than it says.');
      }
      data.set(part.value, filled);
      filled += part.value.length;
    }
  } catch (error) {
    // An error of cancelling adds nothing to the reason.
    void reader.cancel().catch(() => undefined);
    throw error instanceof RecordingError ? error : new RecordingError(`A block of the recording is damaged: ${String(error)}`);
  }
  if (filled !== size) {
    throw new RecordingError('A block of the recording is smaller than it says.');
  }
  return data;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) {
    c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  }
  return c;
});

/** zlib's checksum, continued from `start`. */
function crc32(bytes: Uint8Array, start: number): number {
  let c = ~start;
  for (let i = 0; i < bytes.length; i++) {
    c = TABLE[(c ^ bytes[i]) & 0xff] ^ (c >>> 8);
  }
  return ~c >>> 0;
}
