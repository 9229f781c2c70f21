import { boundedText, countOf, isMap, isWhole, listOf, mapOf, textsOf } from '../../base/untrusted';
import type { ClusterKinds, InitialCluster, KernelOptions } from './kernel-channel';

/** Longest list and longest text kept from a kernel's configuration. */
const LIST_LIMIT = 100;
const TEXT_LIMIT = 1000;
const NAME_LIMIT = 64;
/** Most clusters that are started without being asked for. */
const INITIAL_LIMIT = 8;

/** The answer to the request `options`; `null` if the kernel has not imported Dask, or the answer is unusable. */
export function parseOptions(value: unknown): KernelOptions | null {
  if (!isMap(value)) {
    return null;
  }
  const { code, profileHistory, ringRows, activityInterval } = value;
  const intervals = Object.entries(mapOf(value.intervals)).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number'
  );
  return {
    enabled: value.enabled !== false,
    attach: value.attach !== false,
    local: value.local !== false,
    actions: value.actions !== false,
    code: typeof code === 'boolean' ? code : null,
    profileHistory: typeof profileHistory === 'boolean' ? profileHistory : null,
    ringRows: typeof ringRows === 'number' ? ringRows : null,
    intervals: new Map(intervals.slice(0, LIST_LIMIT).map(([topic, seconds]) => [boundedText(topic, TEXT_LIMIT), seconds])),
    activityInterval: typeof activityInterval === 'number' ? activityInterval : null,
    problems: textsOf(value.problems)
      .slice(0, LIST_LIMIT)
      .map(text => boundedText(text, TEXT_LIMIT)),
    clusters: parseKinds(value.clusters)
  };
}

/** The kinds of clusters in a kernel's configuration; what is unusable is left out. */
function parseKinds(value: unknown): ClusterKinds {
  const map = mapOf(value);
  return {
    factory: text(map.factory),
    presets: entries(map.presets)
      .map(({ name, class: kind }) => ({ name: text(name), kind: text(kind) }))
      .filter(({ name }) => name !== ''),
    unlisted: countOf(map.unlisted),
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
      ...(countOf(maximum) > 0
        ? { minimum: countOf(minimum), maximum: countOf(maximum) }
        : isWhole(workers)
          ? { workers: countOf(workers) }
          : {})
    }));
}

function entries(value: unknown): Readonly<Record<string, unknown>>[] {
  return listOf(value).slice(0, LIST_LIMIT).map(mapOf);
}

function text(value: unknown): string {
  return boundedText(value, NAME_LIMIT);
}
