import type { Bytes, Seconds } from '../../../base/units';
import { LABEL_MASK, NOTHING } from '../lane-chunk';

/**
 * Records of cells, as 32-bit words: begin and busy time (f64), weight of the vote (f32), intervals that began in the cell, those of
 * them that raised, and the label of the vote with two bytes: where in the cell the first interval begins and the last ends.
 */
const WORDS = 8;
const BUSY = 1;
const WEIGHT = 4;
const COUNT = 5;
const ERRORS = 6;
const PLACE = 7;
const FIRST_SHIFT = 16;
const LAST_SHIFT = 24;
/** Steps of a cell in which its two bytes count. */
const STEPS = 256;

const FIRST_CAPACITY = 8;

/** Sums of intervals in cells of time of one width, which begin at whole multiples of it. In order; those without any are left out. */
export class Cells {
  constructor(public width: Seconds) {}

  length = 0;

  get byteLength(): Bytes {
    return this.u32.byteLength;
  }

  /** Beginning of the first interval of a cell, to a 256th of the cell. */
  firstOf(i: number): Seconds {
    return this.f64[(i * WORDS) >> 1] + (((this.u32[i * WORDS + PLACE] >>> FIRST_SHIFT) & 0xff) * this.width) / STEPS;
  }

  /** End of the last interval of a cell, or of the cell: later by less than a 256th of the cell. */
  lastOf(i: number): Seconds {
    return this.f64[(i * WORDS) >> 1] + (((this.u32[i * WORDS + PLACE] >>> LAST_SHIFT) + 1) * this.width) / STEPS;
  }

  /** Beginning of a cell. */
  beginOf(i: number): Seconds {
    return this.f64[(i * WORDS) >> 1];
  }

  /** Time of the intervals within a cell; of those at the same time, each counts. */
  busyOf(i: number): Seconds {
    return this.f64[((i * WORDS) >> 1) + BUSY];
  }

  /** The label that has more than half of that time, if one has. */
  labelOf(i: number): number {
    return this.u32[i * WORDS + PLACE] & LABEL_MASK;
  }

  /** Time that it has at least. */
  weightOf(i: number): Seconds {
    return this.f32[i * WORDS + WEIGHT];
  }

  /** Intervals that began in a cell. */
  countOf(i: number): number {
    return this.u32[i * WORDS + COUNT];
  }

  /** Of these, the ones that raised. */
  errorsOf(i: number): number {
    return this.u32[i * WORDS + ERRORS];
  }

  /** The first cell that ends after a time. */
  after(time: Seconds): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.lastOf(middle) <= time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** An interval begins in a cell. */
  note(cell: number, erred: number): void {
    this.u32[cell * WORDS + COUNT] += 1;
    this.u32[cell * WORDS + ERRORS] += erred;
  }

  /** Add the part of an interval from one moment of a cell to another. */
  put(cell: number, from: Seconds, to: Seconds, label: number): void {
    const { f64, f32, u32 } = this;
    const word = cell * WORDS;
    const time = to - from;
    const scale = STEPS / this.width;
    const place = u32[word + PLACE];
    const first = Math.min((place >>> FIRST_SHIFT) & 0xff, Math.floor(from * scale));
    const last = Math.max(place >>> LAST_SHIFT, Math.min(STEPS, Math.ceil(to * scale)) - 1, first);
    f64[(word >> 1) + BUSY] += time;
    this.vote(word, label, time, f32[word + WEIGHT]);
    u32[word + PLACE] = ((u32[word + PLACE] & LABEL_MASK) | (first << FIRST_SHIFT) | (last << LAST_SHIFT)) >>> 0;
  }

  /** A weighted majority vote (Boyer and Moore), as in the nodes of a chunk. */
  private vote(word: number, label: number, time: Seconds, weight: Seconds): void {
    const { f32, u32 } = this;
    if ((u32[word + PLACE] & LABEL_MASK) === label) {
      f32[word + WEIGHT] = weight + time;
    } else if (time > weight) {
      u32[word + PLACE] = ((u32[word + PLACE] & ~LABEL_MASK) | label) >>> 0;
      f32[word + WEIGHT] = time - weight;
    } else {
      f32[word + WEIGHT] = weight - time;
    }
  }

  /** The cell that begins at a time, made if there is none. Intervals are dropped nearly in order: usually it is the last. */
  cell(begin: Seconds, label: number): number {
    let at = this.length;
    while (at > 0 && this.beginOf(at - 1) > begin) {
      at -= 1;
    }
    if (at > 0 && this.beginOf(at - 1) === begin) {
      return at - 1;
    }
    if (this.length * WORDS === this.u32.length) {
      this.resize(Math.max(FIRST_CAPACITY, Math.ceil(this.length * 1.125)));
    }
    const word = at * WORDS;
    this.u32.copyWithin(word + WORDS, word, this.length * WORDS);
    this.u32.fill(0, word, word + WORDS);
    this.f64[word >> 1] = begin;
    // Nothing yet: from the end of the cell to its start.
    this.u32[word + PLACE] = (label | (0xff << FIRST_SHIFT)) >>> 0;
    this.length += 1;
    return at;
  }

  /** Double the width: neighbours become one. */
  widen(): void {
    this.width *= 2;
    const { width } = this;
    const old = { f64: this.f64, f32: this.f32, u32: this.u32, length: this.length };
    this.length = 0;
    this.resize(old.length);
    let last = Number.NaN;
    for (let i = 0, from = 0; i < old.length; i++, from += WORDS) {
      const before = old.f64[from >> 1];
      const begin = Math.floor(before / width) * width;
      const place = old.u32[from + PLACE];
      const shift = before > begin ? STEPS / 2 : 0;
      const first = shift + (((place >>> FIRST_SHIFT) & 0xff) >> 1);
      const end = shift + ((place >>> LAST_SHIFT) >> 1);
      if (begin === last) {
        const word = (this.length - 1) * WORDS;
        this.merge(word, old.u32[from + COUNT], old.u32[from + ERRORS], old.f64[(from >> 1) + BUSY], end);
        this.vote(word, place & LABEL_MASK, old.f32[from + WEIGHT], this.f32[word + WEIGHT]);
      } else {
        const word = this.length * WORDS;
        this.u32.set(old.u32.subarray(from, from + WORDS), word);
        this.f64[word >> 1] = begin;
        this.u32[word + PLACE] = ((place & LABEL_MASK) | (first << FIRST_SHIFT) | (end << LAST_SHIFT)) >>> 0;
        this.length += 1;
        last = begin;
      }
    }
    this.resize(this.length);
  }

  private merge(word: number, count: number, errors: number, busy: Seconds, end: number): void {
    const { f64, u32 } = this;
    u32[word + COUNT] += count;
    u32[word + ERRORS] += errors;
    f64[(word >> 1) + BUSY] += busy;
    u32[word + PLACE] = ((u32[word + PLACE] & 0xffffff) | (end << LAST_SHIFT)) >>> 0;
  }

  /** The same cells: they share memory with these until one of the two changes. */
  copy(): Cells {
    const copy = new Cells(this.width);
    const { length, f64, f32, u32 } = this;
    this.shared = true;
    return Object.assign(copy, { length, f64, f32, u32, shared: true });
  }

  /**
   * What had been by a moment. Of the cell in which the moment is, it has as large a share as of the time of its intervals:
   * nothing else is known.
   */
  until(moment: Seconds): Cells {
    const cut = this.copy();
    const cell = this.after(moment);
    const begin = cell < this.length ? this.firstOf(cell) : Number.POSITIVE_INFINITY;
    cut.length = begin < moment ? cell + 1 : cell;
    cut.own();
    if (begin < moment) {
      const { f64, f32, u32 } = cut;
      const word = cell * WORDS;
      const share = (moment - begin) / (this.lastOf(cell) - begin);
      const last = Math.max(0, Math.ceil(((moment - this.beginOf(cell)) / this.width) * STEPS) - 1);
      f64[(word >> 1) + BUSY] *= share;
      f32[word + WEIGHT] *= share;
      u32[word + COUNT] = Math.round(u32[word + COUNT] * share);
      u32[word + ERRORS] = Math.round(u32[word + ERRORS] * share);
      u32[word + PLACE] = ((u32[word + PLACE] & 0xffffff) | (last << LAST_SHIFT)) >>> 0;
    }
    return cut;
  }

  /** Before a change: memory that other cells read is copied. */
  own(): void {
    if (this.shared) {
      this.resize(this.length);
    }
  }

  private resize(capacity: number): void {
    const buffer = new ArrayBuffer(capacity * WORDS * 4);
    const old = this.u32.subarray(0, this.length * WORDS);
    this.f64 = new Float64Array(buffer);
    this.f32 = new Float32Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.u32.set(old);
    this.shared = false;
  }

  private f64 = NOTHING.f64;
  private f32 = NOTHING.f32;
  private u32 = NOTHING.u32;
  /** Whether other cells read the same memory. */
  private shared = false;
}
