import type { KernelOptions } from './kernel-channel';

/** Longest list and longest text kept from a kernel's configuration. */
const LIST_LIMIT = 100;
const TEXT_LIMIT = 1000;

/** The answer to the request `options`; `null` if the kernel has not imported Dask, or the answer is unusable. */
export function parseOptions(value: unknown): KernelOptions | null {
  if (typeof value !== 'object' || value === null) {
    return null;
  }
  const map = value as Record<string, unknown>;
  const given = typeof map.intervals === 'object' && map.intervals !== null ? Object.entries(map.intervals) : [];
  const intervals = given.filter((entry): entry is [string, number] => typeof entry[1] === 'number');
  const problems = (Array.isArray(map.problems) ? map.problems : []).filter(text => typeof text === 'string');
  return {
    enabled: map.enabled !== false,
    attach: map.attach !== false,
    local: map.local !== false,
    actions: map.actions !== false,
    ringRows: typeof map.ringRows === 'number' ? map.ringRows : null,
    intervals: new Map(intervals.slice(0, LIST_LIMIT).map(([topic, seconds]) => [topic.slice(0, TEXT_LIMIT), seconds])),
    problems: problems.slice(0, LIST_LIMIT).map(text => text.slice(0, TEXT_LIMIT))
  };
}
