import type { Seconds } from '../../base/units';

/** Number of changes kept; a reader that falls behind redraws everything. */
const CAPACITY = 16_384;

/**
 * Records which lanes changed, and from which time on, for any number of readers at their own pace. A reader remembers
 * the number of the last change that it has read.
 */
export class ChangeLog {
  /** Number of the next change. */
  get head(): number {
    return this.next;
  }

  /** Record that a lane changed at `from` or later. */
  add(lane: number, from: Seconds): void {
    const at = this.next % CAPACITY;
    this.lane[at] = lane;
    this.from[at] = from;
    this.next += 1;
  }

  /** Everything changed: no reader can continue from its position. */
  reset(): void {
    this.next += CAPACITY + 1;
  }

  /**
   * Read the changes since a number.
   *
   * @returns false if the log does not reach back far enough: everything may have changed
   */
  since(number: number, visit: (lane: number, from: Seconds) => void): boolean {
    if (this.next - number > CAPACITY) {
      return false;
    }
    for (let n = number; n < this.next; n++) {
      visit(this.lane[n % CAPACITY], this.from[n % CAPACITY]);
    }
    return true;
  }

  private next = 0;
  private readonly lane = new Uint32Array(CAPACITY);
  private readonly from = new Float64Array(CAPACITY);
}
