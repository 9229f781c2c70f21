import type { Bytes } from '../../base/units';
import { total, type WorkerRow } from './worker-rows';

/** The memory limit of several workers together; NaN if any has none: then they have none. */
export function limitOf(rows: readonly WorkerRow[]): Bytes {
  return rows.length > 0 && rows.every(row => row.limit > 0) ? total(rows, row => row.limit) : Number.NaN;
}
