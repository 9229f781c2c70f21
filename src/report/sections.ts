/** The plots and tabs of a report: the catalogue, filtered by the content of the recording. */
import { GROUP_TITLES, PLOT_GROUPS, type Plot, type PlotGroup } from '../plot/plot';
import type { Run } from '../run/run';
import { fitsRecording, hasRecordedTopics } from '../selectors/recorded-plots';

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
  const chosen = catalogue.filter(plot =>
    wanted.length === 0
      ? fitsRecording(plot, run)
      : wanted.includes(plot.id) && (plot.needs === 'gpu' || fitsRecording(plot, run))
  );
  const held = chosen.filter(plot => hasRecordedTopics(plot, run));
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
