/** Memory of chunks: intervals, then the nodes of each level of the pyramid over them. */
import type { Bytes } from '../../../base/units';

/** See {@link FAN_OUT}. */
export const FAN_OUT_SHIFT = 3;

/**
 * Children of a node of the summary pyramid. Measured against 4, 16 and 64: the best compromise between traversal time
 * and memory.
 */
export const FAN_OUT = 1 << FAN_OUT_SHIFT;

/** 32-bit words of an interval. */
export const INTERVAL_WORDS = 6;
/** 32-bit words of a node. */
export const NODE_WORDS = 6;

/** One buffer, viewed as each number type. */
export interface ChunkMemory {
  readonly f64: Float64Array<ArrayBuffer>;
  readonly f32: Float32Array<ArrayBuffer>;
  readonly u32: Uint32Array<ArrayBuffer>;
}

/** Memory for a number of intervals. */
interface Shape {
  readonly words: number;
  /** Word at which the nodes of each level begin; the first is unused. */
  readonly levels: readonly number[];
  /** Memory that is not in use. */
  readonly spare: ChunkMemory[];
}

/** Memory that waits to be used again, of all shapes. */
const MOST_SPARE: Bytes = 4 * 2 ** 20;

const shapes = new Map<number, Shape>();
let waiting: Bytes = 0;

function shapeOf(capacity: number): Shape {
  let shape = shapes.get(capacity);
  if (shape === undefined) {
    const levels = [0];
    let words = capacity * INTERVAL_WORDS;
    let count = capacity;
    do {
      count = Math.ceil(count / FAN_OUT);
      levels.push(words);
      words += count * NODE_WORDS;
    } while (count > 1);
    shape = { words, levels, spare: [] };
    shapes.set(capacity, shape);
  }
  return shape;
}

/** Word at which the nodes of each level begin. */
export function levelsFor(capacity: number): readonly number[] {
  return shapeOf(capacity).levels;
}

/** Memory for a number of intervals. It may be that of another chunk, with its numbers in it. */
export function takeMemory(capacity: number): ChunkMemory {
  const { words, spare } = shapeOf(capacity);
  const memory = spare.pop();
  if (memory !== undefined) {
    waiting -= memory.u32.byteLength;
    return memory;
  }
  const buffer = new ArrayBuffer(words * 4);
  return { f64: new Float64Array(buffer), f32: new Float32Array(buffer), u32: new Uint32Array(buffer) };
}

/**
 * Memory that nobody reads any more: to make new memory takes longer than to copy a growing chunk, of which there is one in each of
 * thousands of lanes.
 */
export function giveMemory(capacity: number, memory: ChunkMemory): void {
  const size = memory.u32.byteLength;
  if (waiting + size <= MOST_SPARE) {
    waiting += size;
    shapeOf(capacity).spare.push(memory);
  }
}
