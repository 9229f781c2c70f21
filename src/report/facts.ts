/** Facts of a report besides its recording: JSON written by `bridge/dask_panes/files/report.py`, parsed here. */
import { isMap, listOf, mapOf, numberOf, textOf, textsOf } from '../base/untrusted';
import type { Seconds } from '../base/units';

/** See `docs/report.md`. All texts are untrusted: they come from a cluster, a notebook or an exception. */
export interface ReportFacts {
  readonly title: string;
  /** The program that wrote the file: `dask_panes 1.2.3`. */
  readonly generator: string;
  /** Wall clock at the end of the report; NaN if unknown. */
  readonly created: Seconds;
  /** Duration of the block of code; NaN for a report without one. */
  readonly duration: Seconds;
  /** Source of the code that ran the block; empty if there is none. */
  readonly code: string;
  /** The exception that ended the block; empty if there was none. */
  readonly failure: string;
  /** Package versions by location: `client`, `scheduler`, `workers`. */
  readonly versions: readonly { readonly where: string; readonly package: string; readonly version: string }[];
  /** Ids of the plots to show; empty for all. */
  readonly plots: readonly string[];
  /** Messages about missing data. */
  readonly missing: readonly string[];
}

/** Read facts from parsed JSON; missing or malformed ones are ignored. */
export function readFacts(value: unknown): ReportFacts {
  const map = mapOf(value);
  return {
    title: textOf(map.title),
    generator: textOf(map.generator),
    created: finiteOf(map.created),
    duration: finiteOf(map.duration),
    code: textOf(map.code),
    failure: textOf(map.failure),
    versions: listOf(map.versions).flatMap(entry =>
      isMap(entry) ? [{ where: textOf(entry.where), package: textOf(entry.package), version: textOf(entry.version) }] : []
    ),
    plots: textsOf(map.plots),
    missing: textsOf(map.missing)
  };
}

function finiteOf(value: unknown): number {
  const number = numberOf(value, Number.NaN);
  return Number.isFinite(number) ? number : Number.NaN;
}
