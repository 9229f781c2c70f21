import type { Seconds } from '../../base/units';

/** Changes remembered; who reads less often draws everything anew. */
const CAPACITY = 16_384;

/**
 * Which lanes changed from which time on, for any number of readers, each at its own pace.
 * A reader keeps the number of the last change that it has seen.
 */
export class ChangeLog {
  /** Number of the next change. */
  get head(): number {
    return this.next;
  }

  /** Note that a lane changed at `from` or later. */
  add(lane: number, from: Seconds): void {
    const at = this.next % CAPACITY;
    this.lane[at] = lane;
    this.from[at] = from;
    this.next += 1;
  }

  /** Everything changed: no reader can go on from where it was. */
  reset(): void {
    this.next += CAPACITY + 1;
  }

  /**
   * Read what changed since a number.
   *
   * @returns false when the log does not reach back so far: everything may have changed
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
