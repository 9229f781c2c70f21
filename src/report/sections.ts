/** Which plots a report shows, and under which tabs: what the catalogue has and the recording holds. */
import type { Topic } from '../feed/schema';
import { GROUP_TITLES, PLOT_GROUPS, type Plot, type PlotGroup } from '../plot/plot';
import type { Run } from '../run/run';

/** Topics that a plot can do without: recordings of earlier versions lack them. */
const ADDED: ReadonlySet<Topic> = new Set<Topic>(['running', 'attempts']);

/** A tab with plots. */
export interface Section {
  readonly id: string;
  /** In English. */
  readonly title: string;
  readonly plots: readonly Plot[];
}

/** What a report can show, and what its recording has nothing of. */
export interface Contents {
  readonly sections: readonly Section[];
  readonly absent: readonly Plot[];
}

/** Groups that most clusters have nothing of: they are not missed. */
const SELDOM: ReadonlySet<PlotGroup> = new Set<PlotGroup>(['local', 'gpu']);

/**
 * Arrange the catalogue for a recording.
 *
 * @param wanted - ids of the plots to show; empty for all
 */
export function contentsOf(catalogue: readonly Plot[], run: Run, wanted: readonly string[]): Contents {
  const fits = (plot: Plot): boolean => !plot.needsScheduler && (plot.about !== 'local' || run.meta.local !== undefined);
  const chosen = catalogue.filter(plot => fits(plot) && (wanted.length === 0 || wanted.includes(plot.id)));
  const held = chosen.filter(plot => plot.topics.every(topic => run.has(topic) || ADDED.has(topic)));
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
