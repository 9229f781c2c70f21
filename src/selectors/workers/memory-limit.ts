import type { Bytes } from '../../base/units';
import { total, type WorkerRow } from './worker-rows';

/** The limits of several workers together; NaN if any has none, or 0: then they have none together. */
export function sumOfLimits(rows: readonly WorkerRow[], limit: (row: WorkerRow) => Bytes): Bytes {
  return rows.length > 0 && rows.every(row => limit(row) > 0) ? total(rows, limit) : Number.NaN;
}

/** The memory limit of several workers together; NaN if any has none. */
export function limitOf(rows: readonly WorkerRow[]): Bytes {
  return sumOfLimits(rows, row => row.limit);
}
