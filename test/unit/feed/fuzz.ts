/** Mutated frames and files for the readers: what they take must be foldable, what they refuse must be an error of ours. */
import { encode } from '@msgpack/msgpack';
import { MOST_STEPS } from '../../../src/advice/time/grid';
import { RecordedClient } from '../../../src/clients/recordings/recorded-client';
import { FileFeed } from '../../../src/feed/recordings/file-feed';
import { decodeFrame, type Frame, FrameError } from '../../../src/feed/frame';
import { LIMITS } from '../../../src/feed/schema-checks';
import { openRecording, RecordingError } from '../../../src/feed/recordings/recording';
import { FrameValidator } from '../../../src/feed/validate';
import { PLOTS } from '../../../src/plots';
import type { Plot, PlotContext } from '../../../src/plot/plot';
import { Run } from '../../../src/run/run';
import { chunkOf, encodeFrame, madeFrame, recordingOf } from './made-feed';

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Random = () => number;

const ODD: readonly unknown[] = [
  ...[0, -0, -1, 0.5, 1, 255, 65_535, 65_536, 2 ** 31, 2 ** 32 - 1, 2 ** 53, 1e16, 1e300, -1e300, 5e-324],
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  ...[null, true, false, '', 'x', '\u0000', '\ud800', '<img src=x onerror=alert(1)>', 'long '.repeat(5000)],
  ...[[], [[]], {}, { from: 2 ** 32 - 1, values: ['x'] }, [1, 2, 3, 4, 5, 6, 7], new Uint8Array(3), -(2 ** 31)]
];

function pick<T>(list: readonly T[], chance: Random): T {
  return list[Math.floor(chance() * list.length)];
}

/** Bytes with some of them changed, left out or doubled. */
export function mutateBytes(bytes: Uint8Array, chance: Random): Uint8Array {
  let changed = bytes.slice();
  for (let times = 1 + Math.floor(chance() * 4); times > 0; times--) {
    const at = Math.floor(chance() * changed.length);
    const kind = chance();
    if (kind < 0.4) {
      changed[at] = Math.floor(chance() * 256);
    } else if (kind < 0.6) {
      changed[at] ^= 1 << Math.floor(chance() * 8);
    } else if (kind < 0.8) {
      changed.fill(pick([0, 0x7f, 0x80, 0xdd, 0xff], chance), at, at + pick([2, 4, 8], chance));
    } else if (kind < 0.9) {
      changed = changed.slice(0, Math.max(1, at));
    } else {
      const part = changed.subarray(at, at + Math.floor(chance() * 40));
      changed = new Uint8Array(Buffer.concat([changed.subarray(0, at), part, changed.subarray(at)]));
    }
  }
  return changed;
}

/** A value of which one part, anywhere in it, is something odd, or missing. */
export function mutateValue(value: unknown, chance: Random): unknown {
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    const column = (value as Float64Array).slice();
    if (column.length === 0 || chance() < 0.1) {
      return pick(ODD, chance);
    }
    column[Math.floor(chance() * column.length)] = Number(
      pick(
        ODD.filter(odd => typeof odd === 'number'),
        chance
      )
    );
    return chance() < 0.1 ? column.subarray(1) : chance() < 0.05 ? Float32Array.from(column) : column;
  }
  if (typeof value !== 'object' || value === null) {
    return pick(ODD, chance);
  }
  if (Array.isArray(value)) {
    const list = [...(value as unknown[])];
    const at = Math.floor(chance() * list.length);
    return chance() < 0.1 || list.length === 0
      ? pick(ODD, chance)
      : list.map((item, i) => (i === at ? mutateValue(item, chance) : item));
  }
  const names = Object.keys(value);
  const name = pick(names, chance);
  if (name === undefined || chance() < 0.03) {
    return pick(ODD, chance);
  }
  const { [name]: one, ...rest } = value as Record<string, unknown>;
  return chance() < 0.08 ? rest : { ...rest, [name]: mutateValue(one, chance) };
}

/** What of plots a reader would see; a value that is not a figure must not be among it. */
export function look(run: Run, plots: readonly Plot[], context: PlotContext): void {
  for (const plot of plots) {
    const texts = [
      plot.summary(run, context),
      ...plot.notes(run, context),
      ...plot.titleLine(run, context).map(part => part.text)
    ];
    texts.push(...plot.legend(run, context).map(item => item.label));
    if (plot.empty(run, context) === null) {
      texts.push(...plot.table(run, context).rows.flatMap(row => row.cells.map(cell => cell.text)));
      if (plot.view === 'vega') {
        const picture = plot.picture(run, context, { width: 400, height: 300 });
        picture.draw({ width: 400, height: 300, firstRow: 0, endRow: Math.min(20, picture.rows?.count ?? 0) });
      }
    }
    const odd = texts.find(text => /\bNaN\b|Infinity|undefined|\[object/.test(text));
    if (odd !== undefined) {
      throw new Error(`${plot.id} says "${odd}"`);
    }
  }
}

/** Bytes that a value takes at least: entries of arrays and columns, and characters. */
export function sizeOf(value: unknown): number {
  let size = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const one = waiting.pop();
    if (ArrayBuffer.isView(one)) {
      size += one.byteLength;
    } else if (typeof one === 'string') {
      size += one.length;
    } else if (typeof one === 'object' && one !== null) {
      const parts = Object.entries(one);
      for (const [name, part] of parts) {
        size += 8 + name.length;
        waiting.push(part);
      }
    }
  }
  return size;
}

/** Times its bytes that a mutation may take: what is decoded of it, and buffers that are allocated for it. */
const MOST_DECODED = 32;
const MOST_ALLOCATED = 64;
/** What a group without a name is called. */
const UNNAMED_GROUP = '?';
/** Bytes that any may take: tables and stores begin with some room. */
const ROOM = 4e6;
/** Bytes that advice may take, whatever the file: at most this many numbers for each step into which it divides a period. */
const ADVICE_ROOM = 64 * MOST_STEPS * Float64Array.BYTES_PER_ELEMENT;

/**
 * Call a function, and check what it allocates in buffers against the bytes that it reads. A collection of garbage meanwhile
 * only makes it less.
 */
export async function bounded<T>(bytes: Uint8Array, plots: readonly Plot[], read: () => Promise<T>): Promise<T> {
  const before = process.memoryUsage().arrayBuffers;
  const result = await read();
  checkAllocated(bytes, before, plots.some(plot => plot.id === 'advice') ? ROOM + ADVICE_ROOM : ROOM);
  return result;
}

/**
 * @param before - bytes of all buffers before anything was read
 * @param room - bytes that it may take in any case
 */
function checkAllocated(bytes: Uint8Array, before: number, room = ROOM): void {
  const allocated = process.memoryUsage().arrayBuffers - before;
  if (allocated > MOST_ALLOCATED * bytes.length + room) {
    throw new Error(`${bytes.length} bytes made it allocate ${allocated}`);
  }
}

/**
 * @throws what is decoded of a frame exceeds its share of the bytes. Groups whose names were left out have placeholders: as
 * many as a dictionary may have entries, whatever the bytes are, and not counted here.
 */
function checkDecoded(frame: Frame, bytes: Uint8Array): void {
  const { groups, ...others } = frame.names;
  const values = groups?.values ?? [];
  if (values.length > LIMITS.entries) {
    throw new Error(`${values.length} names of groups`);
  }
  const size = sizeOf({ ...frame, names: others }) + sizeOf(values.filter(name => name !== UNNAMED_GROUP));
  if (size > MOST_DECODED * bytes.length) {
    throw new Error(`${bytes.length} bytes were decoded to ${size}`);
  }
}

/** How one mutation ended. */
export type Outcome = 'taken' | 'partly' | 'refused';

/** A reader of frames that has seen a good one. */
export class FrameReader {
  constructor(private readonly context: PlotContext) {
    this.read(FRAME_BYTES);
  }

  /** @throws any error that is not ours */
  read(bytes: Uint8Array, plots: readonly Plot[] = []): Outcome {
    const before = process.memoryUsage().arrayBuffers;
    let frame: Frame;
    let outcome: Outcome;
    try {
      const checked = this.validator.check(decodeFrame(bytes));
      frame = checked.frame;
      outcome = checked.problems.length > 0 ? 'partly' : 'taken';
    } catch (error) {
      if (error instanceof FrameError) {
        return 'refused';
      }
      throw error;
    }
    checkDecoded(frame, bytes);
    this.run.apply(frame, 0);
    // What plots take depends on all that the run has, not on this frame.
    checkAllocated(bytes, before);
    look(this.run, plots, this.context);
    return outcome;
  }

  private readonly validator = new FrameValidator();
  private readonly run = new Run();
}

const FRAME = madeFrame();
const FRAME_BYTES = encodeFrame(FRAME);
const CHUNK = chunkOf([FRAME, { ...FRAME, time: FRAME.time + 1, names: {} }]);
const CHUNK_BYTES = encode(CHUNK);

/** One mutated frame: of its bytes or of one of its values. */
export function mutatedFrame(chance: Random): Uint8Array {
  if (chance() < 0.3) {
    return mutateBytes(FRAME_BYTES, chance);
  }
  // Most of a frame are its topics: one of them, so that the rest costs nothing.
  const [topic, body] = pick(Object.entries(FRAME.topics), chance);
  const topics = chance() < 0.85 ? { [topic]: mutateValue(body, chance) } : { [topic]: body };
  const other = { ...FRAME, topics } as unknown as Frame;
  const mutated = chance() < 0.2 ? ({ ...(mutateValue({ ...other, topics: {} }, chance) as object), topics } as Frame) : other;
  try {
    return encodeFrame(mutated);
  } catch {
    // What encodes to nothing was none.
    return encode(mutated.names ?? null);
  }
}

/** One mutated file: its own bytes, or those or the values of a chunk whose checksum is right. */
export function mutatedFile(chance: Random): Uint8Array {
  if (chance() < 0.2) {
    return mutateBytes(recordingOf([CHUNK_BYTES]), chance);
  }
  if (chance() < 0.4) {
    return recordingOf([mutateBytes(CHUNK_BYTES, chance), CHUNK_BYTES]);
  }
  return recordingOf([encode(mutateValue(CHUNK, chance)), CHUNK_BYTES]);
}

/** Read a whole file as JupyterLab does. @throws any error that is not ours */
export async function readFile(bytes: Uint8Array, plots: readonly Plot[], context: PlotContext): Promise<Outcome> {
  try {
    const recording = await openRecording(bytes);
    const feed = new FileFeed(recording);
    const client = new RecordedClient('fuzz', {} as never, feed);
    await feed.load();
    look(client.run, plots, context);
    client.dispose();
    return feed.state.reason === '' ? 'taken' : 'partly';
  } catch (error) {
    if (error instanceof RecordingError) {
      return 'refused';
    }
    throw error;
  }
}

/** A few plots now and then: a picture takes a hundred times as long as a frame. */
export function somePlots(chance: Random): readonly Plot[] {
  return chance() < 0.1 ? [pick(PLOTS, chance)] : [];
}
