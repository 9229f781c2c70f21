/** What a worker reports its GPU. */
import type { Bytes } from '../../base/units';
import type { WorkersColumn } from '../../feed/schema';

/** What a worker reports its GPU; NaN if not reported. */
export interface GpuValues {
  /** In use on the whole GPU, by whatever process. */
  readonly memory: Bytes;
  readonly limit: Bytes;
  /** Per cent of the time. */
  readonly utilization: number;
  /** Allocated by RMM in the worker, and held by it: its pool. */
  readonly rmmUsed: Bytes;
  readonly rmmPool: Bytes;
  /** Moved to the host by cuDF. */
  readonly cudfSpilled: Bytes;
}

/** @param get - a value of the worker's row */
export function gpuValues(get: (column: WorkersColumn) => number): GpuValues {
  return {
    memory: get('gpu_memory'),
    limit: get('gpu_limit'),
    utilization: get('gpu_utilization'),
    rmmUsed: get('rmm_used'),
    rmmPool: get('rmm_pool'),
    cudfSpilled: get('cudf_spilled')
  };
}
