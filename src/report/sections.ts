/** Which plots a report shows, and under which tabs: what the catalogue has and the recording holds. */
import type { Topic } from '../feed/schema';
import type { Plot, PlotGroup } from '../plot/plot';
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

/** Plots that are looked at alone and need the whole page. */
const ALONE: readonly string[] = ['task-stream', 'profile'];

const TITLES: Readonly<Record<PlotGroup, string>> = {
  tasks: 'Tasks',
  memory: 'Memory',
  workers: 'Workers',
  time: 'Over time',
  transfers: 'Transfers',
  diagnosis: 'Diagnosis',
  system: 'System',
  local: 'Local scheduler',
  gpu: 'GPU'
};

/** Groups that most clusters have nothing of: they are not missed. */
const SELDOM: ReadonlySet<PlotGroup> = new Set<PlotGroup>(['local', 'gpu']);

/**
 * Arrange the catalogue for a recording.
 *
 * @param wanted - ids of the plots to show; empty for all
 */
export function contentsOf(catalogue: readonly Plot[], run: Run, wanted: readonly string[]): Contents {
  // Details of one task are asked of a scheduler.
  const drawn = (plot: Plot): boolean => plot.topics.length > 0 && plot.view !== 'task';
  const fits = (plot: Plot): boolean => drawn(plot) && (plot.group !== 'local' || run.meta.local !== undefined);
  const chosen = catalogue.filter(plot => fits(plot) && (wanted.length === 0 || wanted.includes(plot.id)));
  const held = chosen.filter(plot => plot.topics.every(topic => run.has(topic) || ADDED.has(topic)));
  const alone = ALONE.flatMap(id => held.filter(plot => plot.id === id));
  const rest = held.filter(plot => !alone.includes(plot));
  const groups = Object.keys(TITLES).filter(group => rest.some(plot => plot.group === group)) as PlotGroup[];
  return {
    sections: [
      ...alone.map(plot => ({ id: plot.id, title: plot.title, plots: [plot] })),
      ...groups.map(group => ({
        id: group,
        title: TITLES[group],
        plots: rest.filter(plot => plot.group === group)
      }))
    ],
    absent: chosen.filter(plot => !held.includes(plot) && !SELDOM.has(plot.group))
  };
}
