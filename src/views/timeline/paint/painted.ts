import type { DevicePixels } from '../../../base/units';

/** Tracks which columns of which bands were painted in a frame and are not on the canvas yet. */
export class Painted {
  constructor(bands: number) {
    this.begins = new Int32Array(bands);
    this.ends = new Int32Array(bands);
  }

  /** First painted band, and the end (exclusive). */
  first = Number.POSITIVE_INFINITY;
  end = 0;

  /** Columns `from` to `to` (exclusive) of a band; the gap between two such ranges is included. */
  add(band: number, from: DevicePixels, to: DevicePixels): void {
    const known = this.has(band);
    this.begins[band] = known ? Math.min(this.begins[band], from) : from;
    this.ends[band] = known ? Math.max(this.ends[band], to) : to;
    this.first = Math.min(this.first, band);
    this.end = Math.max(this.end, band + 1);
  }

  /** Whether anything of a band was painted. */
  has(band: number): boolean {
    return this.ends[band] > 0;
  }

  /** First painted column of a band. */
  from(band: number): DevicePixels {
    return this.begins[band];
  }

  /** End of its painted columns (exclusive). */
  to(band: number): DevicePixels {
    return this.ends[band];
  }

  clear(): void {
    this.ends.fill(0);
    this.first = Number.POSITIVE_INFINITY;
    this.end = 0;
  }

  private readonly begins: Int32Array;
  private readonly ends: Int32Array;
}
