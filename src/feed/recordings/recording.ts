/**
 * A recording is a feed in a file (`docs/recording.md` is normative). This file imports nothing of JupyterLab, so that
 * a document, a report and a test can use it.
 */
import { isMap, listOf, mapOf, numberOf, textOf } from '../../base/untrusted';
import type { Bytes, Seconds } from '../../base/units';
import type { Column, Frame, FrameNames, Scalar, TopicBody } from '../frame';
import { type Block, blockValue, CHUNK, findBlocks, INFO, KEYFRAME, KEYS, PACKED_KEYS, payload } from './recording-blocks';
import { previousRows, RecordingError, unpackColumn } from './recording-columns';
import { unpackKey } from './recording-keys';
import { LIMITS } from '../schema-checks';

export { RecordingError };
export type { Block };

/** A header has the number of a row modulo this. */
const ROWS = 2 ** 32;

/** Frames of one chunk. */
export interface RecordedChunk {
  readonly frames: readonly Frame[];
  /**
   * The bodies of topic `tasks` in order, as few and as large as possible, for a reader that processes many rows at
   * once.
   */
  readonly tasks: readonly TopicBody[];
}

/** Key and result type of one execution. Untrusted texts. */
export interface RecordedKey {
  readonly key: string;
  readonly type: string;
}

/** An opened recording: contents are read and inflated on access. */
export interface Recording {
  /** Metadata from the writer: protocol, version, created (wall clock), name … Untrusted. */
  readonly info: Readonly<Record<string, unknown>>;
  /** Scheduler time of the first and last frame; NaN if there are none. */
  readonly start: Seconds;
  readonly end: Seconds;
  /** Number of recorded executions. */
  readonly tasks: number;
  /** Whether it was finished: after a crash it ends with the last whole chunk. */
  readonly complete: boolean;
  /** Why it ended early, else ''. Untrusted. */
  readonly why: string;
  /** Data that was unavailable when it was written, as messages. Untrusted. */
  readonly missing: readonly string[];
  /** Bytes that could not be read as blocks. */
  readonly damaged: Bytes;
  /** Consecutive parts of the feed, in order. */
  readonly chunks: readonly Block[];
  /** Keyframes: complete states, after which later chunks are sufficient. */
  readonly keyframes: readonly Block[];
  /** @throws RecordingError if the chunk is damaged */
  read(chunk: Block): Promise<RecordedChunk>;
  /** One frame with the whole state; @throws RecordingError if it is damaged */
  readKeyframe(keyframe: Block): Promise<Frame>;
  /** @returns `null` if the recording has no key of the row; @throws RecordingError if it is damaged */
  key(row: number): Promise<RecordedKey | null>;
}

/**
 * Open a recording.
 *
 * @param data - the whole file
 * @throws RecordingError with a message for users if it is not a recording
 */
export async function openRecording(data: ArrayBuffer | Uint8Array): Promise<Recording> {
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  const found = await findBlocks(bytes);
  const of = (kind: number): Block[] => found.blocks.filter(block => block.kind === kind);
  const [about] = of(INFO);
  const info = about === undefined ? {} : await factsOf(bytes, about);
  return new FileRecording(bytes, mapOf(info), found, {
    chunks: of(CHUNK),
    keyframes: of(KEYFRAME),
    keys: of(KEYS),
    packed: of(PACKED_KEYS)
  });
}

/** Metadata for users; the recording is usable without it. */
async function factsOf(bytes: Uint8Array, about: Block): Promise<unknown> {
  try {
    return await blockValue(bytes, about);
  } catch (error) {
    if (error instanceof RecordingError) {
      return {};
    }
    throw error;
  }
}

interface Parts {
  readonly chunks: readonly Block[];
  readonly keyframes: readonly Block[];
  readonly keys: readonly Block[];
  readonly packed: readonly Block[];
}

class FileRecording implements Recording {
  constructor(
    private readonly bytes: Uint8Array,
    readonly info: Readonly<Record<string, unknown>>,
    found: { readonly complete: boolean; readonly why: string; readonly missing: readonly string[]; readonly damaged: Bytes },
    private readonly parts: Parts
  ) {
    this.complete = found.complete;
    this.why = found.why;
    this.missing = found.missing;
    this.damaged = found.damaged;
    this.start = parts.chunks[0]?.start ?? Number.NaN;
    this.end = parts.chunks.at(-1)?.end ?? Number.NaN;
    this.tasks = parts.chunks.reduce((sum, chunk) => sum + chunk.rows, 0);
  }

  readonly complete: boolean;
  readonly why: string;
  readonly missing: readonly string[];
  readonly damaged: Bytes;
  readonly start: Seconds;
  readonly end: Seconds;
  readonly tasks: number;

  get chunks(): readonly Block[] {
    return this.parts.chunks;
  }

  get keyframes(): readonly Block[] {
    return this.parts.keyframes;
  }

  async read(chunk: Block): Promise<RecordedChunk> {
    return decodeChunk(await blockValue(this.bytes, chunk));
  }

  async readKeyframe(keyframe: Block): Promise<Frame> {
    const [frame] = decodeChunk(await blockValue(this.bytes, keyframe)).frames;
    if (frame === undefined) {
      throw new RecordingError('A keyframe of the recording is empty.');
    }
    return frame;
  }

  async key(row: number): Promise<RecordedKey | null> {
    const placeIn = ({ firstRow }: Block): number => (((row - firstRow) % ROWS) + ROWS) % ROWS;
    const holds = (block: Block): boolean => placeIn(block) < block.rows;
    const about = this.parts.keys.find(holds);
    const packed = this.parts.packed.find(block => block.firstRow === about?.firstRow);
    const chunk = this.parts.chunks.find(holds);
    if (about === undefined || packed === undefined || chunk === undefined) {
      return null;
    }
    const { tasks } = await this.read(chunk);
    const value = await blockValue(this.bytes, about);
    if (!isMap(value)) {
      return null;
    }
    const lengths = unpackColumn(value.length);
    const types = unpackColumn(value.type);
    const i = placeIn(about);
    const begin = total(lengths, i);
    const prefix = tasks.map(body => body.columns.prefix?.[row - numberOf(body.scalars.first)]).find(id => id !== undefined);
    if (i >= lengths.length || prefix === undefined) {
      throw new RecordingError('The keys of the recording do not fit its tasks.');
    }
    const body = (await payload(this.bytes, packed)).subarray(begin, begin + lengths[i]);
    const key = unpackKey(body, (await this.prefixNames())[prefix], id => entry(value.groups, id));
    return key === null ? null : { key, type: entry(value.types, types[i] ?? 0) };
  }

  /** All prefix names: those of the last keyframe, and those added by later chunks. */
  private async prefixNames(): Promise<readonly string[]> {
    if (this.prefixes === null) {
      const names: string[] = [];
      const last = this.parts.keyframes.at(-1);
      const from = await this.namesFrom(last);
      for (const chunk of this.parts.chunks.filter(other => from.length === 0 || other.offset > (last?.offset ?? 0))) {
        from.push(...(await this.namesOf(chunk)));
      }
      for (const news of from) {
        news.prefixes?.values.forEach((name, i) => {
          names[(news.prefixes?.from ?? 0) + i] = name;
        });
      }
      this.prefixes = names;
    }
    return this.prefixes;
  }

  private async namesFrom(keyframe: Block | undefined): Promise<FrameNames[]> {
    if (keyframe === undefined) {
      return [];
    }
    try {
      return [(await this.readKeyframe(keyframe)).names];
    } catch {
      // Damage here affects nothing else: the chunks contain the same.
      return [];
    }
  }

  private async namesOf(chunk: Block): Promise<readonly FrameNames[]> {
    try {
      return (await this.read(chunk)).frames.map(frame => frame.names);
    } catch {
      // Its contents are skipped and reported when the frames are read.
      return [];
    }
  }

  private prefixes: readonly string[] | null = null;
}

function entry(names: unknown, id: number): string {
  return textOf(mapOf(names)[id]);
}

interface OpenFrame {
  readonly feed: string;
  readonly epoch: number;
  readonly seq: number;
  readonly time: Seconds;
  readonly cursor: Record<string, never>;
  names: FrameNames;
  readonly topics: Record<string, TopicBody>;
}

function decodeChunk(value: unknown): RecordedChunk {
  if (!isMap(value) || typeof value.feed !== 'string' || typeof value.epoch !== 'number' || !isMap(value.topics)) {
    throw new RecordingError('A chunk of the recording is damaged.');
  }
  const { feed, epoch } = value;
  const times = unpackColumn(value.times);
  if (times.length > LIMITS.frames) {
    throw new RecordingError(`A chunk of the recording has ${times.length} frames: that many cannot be.`);
  }
  const frames: OpenFrame[] = Array.from(times, (time, seq) => ({ feed, epoch, seq, time, cursor: {}, names: {}, topics: {} }));
  for (const pair of listOf(value.names)) {
    const [at, names] = listOf(pair);
    const frame = frames[numberOf(at)];
    if (frame !== undefined && isMap(names)) {
      frame.names = names as FrameNames;
    }
  }
  const whole: TopicBody[] = [];
  for (const [topic, tables] of Object.entries(value.topics)) {
    for (const table of listOf(tables)) {
      const body = decodeTable(topic, table, frames);
      if (topic === 'tasks') {
        whole.push(body);
      }
    }
  }
  // Rows of several tables can be separated only by their frames.
  return { frames, tasks: whole.length > 1 ? frames.flatMap(frame => frame.topics.tasks ?? []) : whole };
}

/** Assign each frame its body of a table. Returns the table as one body. */
function decodeTable(topic: string, table: unknown, frames: readonly OpenFrame[]): TopicBody {
  if (!isMap(table)) {
    throw new RecordingError(`topic ${topic} is no table`);
  }
  const places = unpackColumn(table.f);
  const counts = unpackColumn(table.n);
  const columns = unpackColumns(table.c, counts, topic);
  const moveCounts = table.k === undefined ? new Uint32Array(places.length) : unpackColumn(table.k);
  const moves = unpackColumns(table.m, moveCounts, `${topic}.moves`);
  const scalars = listOf(table.s);
  if (counts.length !== places.length || moveCounts.length !== places.length) {
    throw new RecordingError(`topic ${topic} has several numbers of frames`);
  }
  const at = Uint32Array.from(moves.at ?? []);
  let row = 0;
  let move = 0;
  for (let i = 0; i < places.length; i++) {
    const frame = frames[places[i]];
    if (frame === undefined) {
      throw new RecordingError(`topic ${topic} has a frame too many`);
    }
    const body: { columns: Record<string, Column>; scalars: Readonly<Record<string, Scalar>>; moves?: Record<string, Column> } = {
      columns: cut(columns, row, row + counts[i]),
      scalars: mapOf(scalars[i]) as Readonly<Record<string, Scalar>>
    };
    if (moveCounts[i] > 0) {
      body.moves = cut(moves, move, move + moveCounts[i]);
    }
    frame.topics[topic] = body;
    for (let m = move; m < move + moveCounts[i]; m++) {
      at[m] += row;
    }
    row += counts[i];
    move += moveCounts[i];
  }
  const lost = scalars.reduce((sum: number, extra) => sum + numberOf(mapOf(extra).lost), 0);
  const whole = { columns, scalars: { first: numberOf(mapOf(scalars[0]).first), lost } };
  return move === 0 ? whole : { ...whole, moves: { ...moves, at } };
}

function unpackColumns(value: unknown, counts: Column, where: string): Record<string, Column> {
  const columns: Record<string, Column> = {};
  if (!isMap(value)) {
    return columns;
  }
  const rows = total(counts, counts.length);
  const ids = value.id === undefined ? null : unpackColumn(value.id);
  const previous = ids === null ? null : previousRows(ids);
  for (const [name, packed] of Object.entries(value)) {
    const column = name === 'id' && ids !== null ? ids : unpackColumn(packed, previous);
    if (column.length !== rows) {
      throw new RecordingError(`${where}.${name} has ${column.length} rows, its frames have ${rows}`);
    }
    columns[name] = column;
  }
  return columns;
}

function total(counts: Column, to: number): number {
  let sum = 0;
  for (let i = 0; i < to; i++) {
    sum += counts[i];
  }
  return sum;
}

function cut(columns: Readonly<Record<string, Column>>, from: number, to: number): Record<string, Column> {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column.subarray(from, to)]));
}
