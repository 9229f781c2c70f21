/** The plots and tabs of a report: the catalogue, filtered by the content of the recording. */
import type { Topic } from '../feed/schema';
import { GROUP_TITLES, PLOT_GROUPS, type Plot, type PlotGroup } from '../plot/plot';
import type { Run } from '../run/run';
import { hasGpu } from '../selectors/workers/gpu-rows';
import { allWorkers } from '../selectors/workers/worker-rows';

/** Optional topics of a plot: recordings of earlier versions lack them, or they are for the signs of events above it only. */
const ADDED: ReadonlySet<Topic> = new Set<Topic>(['running', 'attempts', 'computations', 'events']);

/** Topics that a kind of view does without. */
const DOES_WITHOUT: Partial<Record<Plot['view'], (topic: Topic) => boolean>> = {
  timeline: topic => topic === 'series',
  advice: topic => topic !== 'tasks',
  worker: topic => topic !== 'workers'
};

/** A tab with plots. */
export interface Section {
  readonly id: string;
  /** In English. */
  readonly title: string;
  readonly plots: readonly Plot[];
}

/** Plots that a report can show, and plots without data in the recording. */
export interface Contents {
  readonly sections: readonly Section[];
  readonly absent: readonly Plot[];
}

/** Groups for which most clusters have no data: they are not reported as missing. */
const SELDOM: ReadonlySet<PlotGroup> = new Set<PlotGroup>(['local', 'gpu']);

/**
 * Filter and group the catalogue for a recording.
 *
 * @param wanted - ids of the plots to show; empty for all
 */
export function contentsOf(catalogue: readonly Plot[], run: Run, wanted: readonly string[]): Contents {
  const gpus = allWorkers(run).some(hasGpu);
  const fits = (plot: Plot): boolean =>
    !plot.needsScheduler &&
    (plot.about !== 'local' || run.meta.local !== undefined) &&
    (plot.needs !== 'gpu' || gpus || wanted.includes(plot.id));
  const chosen = catalogue.filter(plot => fits(plot) && (wanted.length === 0 || wanted.includes(plot.id)));
  // Advice and the details of a worker say themselves what they cannot know. Every recording has facts about the scheduler: they alone are no data of a plot.
  const has = ({ topics, view }: Plot): boolean =>
    topics.every(topic => run.has(topic) || ADDED.has(topic) || DOES_WITHOUT[view]?.(topic) === true) &&
    topics.some(topic => topic !== 'meta' && run.has(topic));
  const held = chosen.filter(has);
  const alone = held.filter(plot => plot.wholePage);
  const rest = held.filter(plot => !plot.wholePage);
  const groups = PLOT_GROUPS.filter(group => rest.some(plot => plot.group === group));
  return {
    sections: [
      ...alone.map(plot => ({ id: plot.id, title: plot.title, plots: [plot] })),
      ...groups.map(group => ({
        id: group,
        title: GROUP_TITLES[group],
        plots: rest.filter(plot => plot.group === group)
      }))
    ],
    absent: chosen.filter(plot => !held.includes(plot) && !SELDOM.has(plot.group))
  };
}
