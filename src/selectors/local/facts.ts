/** Facts about the newest compute of local schedulers: `meta.local` of the schema. */
import type { Seconds } from '../../base/units';
import type { Run } from '../../run/run';

/** The newest compute of a kernel's local schedulers. */
export interface LocalFacts {
  /** Dask's name: `threads`, `processes`, `sync`; '' if unknown. */
  readonly scheduler: string;
  /** Threads or processes of its pool. */
  readonly workers: number;
  readonly began: Seconds;
  /** NaN while it runs. */
  readonly ended: Seconds;
  readonly total: number;
  readonly done: number;
  readonly running: number;
  readonly outcome: 'running' | 'done' | 'erred' | 'interrupted';
  /** Measurements of results by finished profilers; '' if only their number and bytes are known. */
  readonly metric: string;
}

const OUTCOMES: readonly LocalFacts['outcome'][] = ['running', 'done', 'erred', 'interrupted'];

/** Facts of the newest compute; `null` if the feed is not of local schedulers, or nothing was computed yet. */
export function localFacts(run: Pick<Run, 'meta'>): LocalFacts | null {
  const { local } = run.meta;
  if (local === null || local === undefined) {
    return null;
  }
  return {
    scheduler: local.scheduler ?? '',
    workers: local.workers ?? 0,
    began: local.began ?? Number.NaN,
    ended: local.ended ?? Number.NaN,
    total: local.total ?? 0,
    done: local.done ?? 0,
    running: local.running ?? 0,
    outcome: OUTCOMES.find(outcome => outcome === local.outcome) ?? 'done',
    metric: local.metric ?? ''
  };
}
