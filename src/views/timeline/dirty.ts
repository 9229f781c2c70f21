import type { DevicePixels } from '../../base/units';

/** Which columns of which bands have to be queried: one range for each band, since changes come at the end of lanes. */
export class DirtyColumns {
  constructor(
    private readonly bands: number,
    private readonly width: DevicePixels
  ) {
    this.first = new Int32Array(bands);
    this.end = new Int32Array(bands);
  }

  /** Bands with dirty columns. */
  pending = 0;

  /** First dirty column of a band. */
  from(band: number): number {
    return this.first[band];
  }

  /** Column behind the last dirty one of a band. */
  to(band: number): number {
    return this.end[band];
  }

  has(band: number): boolean {
    return this.first[band] < this.end[band];
  }

  /** Every column of every band. */
  all(): void {
    this.first.fill(0);
    this.end.fill(this.width);
    this.pending = this.width > 0 ? this.bands : 0;
  }

  /** Columns `from` to `to` (exclusive) of a band; what is outside of the window does not count. */
  add(band: number, from: number, to: number): void {
    const first = Math.max(0, from);
    const end = Math.min(this.width, to);
    if (first >= end) {
      return;
    }
    if (this.has(band)) {
      this.first[band] = Math.min(this.first[band], first);
      this.end[band] = Math.max(this.end[band], end);
    } else {
      this.pending += 1;
      this.first[band] = first;
      this.end[band] = end;
    }
  }

  clean(band: number): void {
    if (this.has(band)) {
      this.pending -= 1;
    }
    this.first[band] = 0;
    this.end[band] = 0;
  }

  /** The picture moved by columns to earlier places. */
  shift(columns: number): void {
    for (let band = 0; band < this.bands; band++) {
      if (this.has(band)) {
        const from = this.first[band] - columns;
        const to = this.end[band] - columns;
        this.clean(band);
        this.add(band, from, to);
      }
    }
  }

  private readonly first: Int32Array;
  private readonly end: Int32Array;
}
