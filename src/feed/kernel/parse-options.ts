import type { ClusterKinds, InitialCluster, KernelOptions } from './kernel-channel';

/** Longest list and longest text kept from a kernel's configuration. */
const LIST_LIMIT = 100;
const TEXT_LIMIT = 1000;
const NAME_LIMIT = 64;
/** Most clusters that are started without being asked for. */
const INITIAL_LIMIT = 8;

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
    problems: problems.slice(0, LIST_LIMIT).map(text => text.slice(0, TEXT_LIMIT)),
    clusters: parseKinds(map.clusters)
  };
}

/** The kinds of clusters in a kernel's configuration; what is unusable is left out. */
function parseKinds(value: unknown): ClusterKinds {
  const map = record(value);
  return {
    factory: text(map.factory),
    presets: entries(map.presets)
      .map(({ name, class: kind }) => ({ name: text(name), kind: text(kind) }))
      .filter(({ name }) => name !== ''),
    initial: parseInitial(map.initial)
  };
}

/** Clusters that are to run from the start, of a kernel's configuration or of JupyterLab's settings. */
export function parseInitial(value: unknown): InitialCluster[] {
  return entries(value)
    .slice(0, INITIAL_LIMIT)
    .map(({ name, preset, workers, minimum, maximum }) => ({
      name: text(name),
      ...(text(preset) ? { preset: text(preset) } : {}),
      ...(isCount(maximum) && maximum > 0
        ? { minimum: isCount(minimum) ? minimum : 0, maximum }
        : isCount(workers) && workers > 0
          ? { workers }
          : {})
    }));
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function entries(value: unknown): Readonly<Record<string, unknown>>[] {
  return (Array.isArray(value) ? value : []).slice(0, LIST_LIMIT).map(record);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, NAME_LIMIT) : '';
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}
