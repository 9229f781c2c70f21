import type { PlotLink } from '../../plot/tooltip';
import type { ClusterKind } from '../../run/graph/graph-part';
import type { Run } from '../../run/run';

/** What a task graph is opened at. */
export type GraphPlace =
  | { readonly kind: 'task'; readonly number: number }
  | { readonly kind: 'execution'; readonly row: number }
  | { readonly kind: 'cluster'; readonly by: ClusterKind; readonly id: number };

/** Opens the task graph at a place; with all tasks where there is none. Numbers mean something in this run only. */
export function graphLink(run: Run, place: GraphPlace | null): PlotLink {
  const text =
    place === null
      ? ''
      : place.kind === 'task'
        ? `task ${place.number}`
        : place.kind === 'execution'
          ? `execution ${place.row}`
          : `${place.by} ${place.id}`;
  return { plot: 'task-graph', args: { at: text, of: run.identity } };
}

/** The place that a pane was opened at, and of what run; `null` for all tasks. What a saved layout has is untrusted. */
export function graphPlace(run: Run, saved: Readonly<Record<string, unknown>> | undefined): GraphPlace | null {
  const { at, of } = saved ?? {};
  if (typeof at !== 'string' || of !== run.identity) {
    return null;
  }
  const [, kind, digits] = /^(task|execution|group|prefix|level) (\d{1,15})$/.exec(at) ?? [];
  const value = Number(digits);
  switch (kind) {
    case 'task':
      return { kind, number: value };
    case 'execution':
      return { kind, row: value };
    case 'group':
    case 'prefix':
    case 'level':
      return { kind: 'cluster', by: kind, id: value };
    default:
      return null;
  }
}
