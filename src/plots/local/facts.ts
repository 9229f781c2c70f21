/** What a feed of local schedulers says of the newest compute: `meta.local` of the schema. */
import type { Seconds } from '../../base/units';
import type { Scalar } from '../../feed/frame';
import type { Run } from '../../run/run';

/** The newest compute of a kernel's local schedulers. */
export interface LocalFacts {
  /** Dask's name: `threads`, `processes`, `sync`; '' where it is not known. */
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
  /** What finished profilers measured of results; '' where only number and bytes are known. */
  readonly metric: string;
}

const OUTCOMES: readonly LocalFacts['outcome'][] = ['running', 'done', 'erred', 'interrupted'];

/** Facts of the newest compute; `null` where the feed is none of local schedulers, or nothing was computed yet. */
export function localFacts(run: Pick<Run, 'meta'>): LocalFacts | null {
  const { local } = run.meta;
  if (typeof local !== 'object' || local === null || Array.isArray(local)) {
    return null;
  }
  const number = (value: Scalar | undefined, otherwise = 0): number =>
    typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
  const text = (value: Scalar | undefined): string => (typeof value === 'string' ? value : '');
  return {
    scheduler: text(local.scheduler),
    workers: number(local.workers),
    began: number(local.began, Number.NaN),
    ended: number(local.ended, Number.NaN),
    total: number(local.total),
    done: number(local.done),
    running: number(local.running),
    outcome: OUTCOMES.find(outcome => outcome === local.outcome) ?? 'done',
    metric: text(local.metric)
  };
}
