/** What a report says besides its recording: written as JSON by `bridge/dask_panes/files/report.py`, read here. */
import type { Seconds } from '../base/units';

/** See `docs/report.md`. All texts are hostile: they come from a cluster, a notebook or an exception. */
export interface ReportFacts {
  readonly title: string;
  /** What wrote the file: `dask_panes 1.2.3`. */
  readonly generator: string;
  /** Wall clock at the end of what is reported; NaN where unknown. */
  readonly created: Seconds;
  /** Length of the block of code; NaN for a report that was saved without one. */
  readonly duration: Seconds;
  /** Source of the code that ran the block; empty where there is none. */
  readonly code: string;
  /** The exception with which the block ended; empty where it ended well. */
  readonly failure: string;
  /** Versions of packages by where they run: `client`, `scheduler`, `workers`. */
  readonly versions: readonly { readonly where: string; readonly package: string; readonly version: string }[];
  /** Ids of the plots to show; empty for all. */
  readonly plots: readonly string[];
  /** Sentences about what could not be had. */
  readonly missing: readonly string[];
}

/** Read facts from parsed JSON; what is missing or odd is as if it were not there. */
export function readFacts(value: unknown): ReportFacts {
  const map = isMap(value) ? value : {};
  return {
    title: text(map.title),
    generator: text(map.generator),
    created: figure(map.created),
    duration: figure(map.duration),
    code: text(map.code),
    failure: text(map.failure),
    versions: list(map.versions).flatMap(entry =>
      isMap(entry) ? [{ where: text(entry.where), package: text(entry.package), version: text(entry.version) }] : []
    ),
    plots: list(map.plots).filter(id => typeof id === 'string'),
    missing: list(map.missing).filter(sentence => typeof sentence === 'string')
  };
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function figure(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : Number.NaN;
}
