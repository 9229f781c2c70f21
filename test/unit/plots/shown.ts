import { chosenOptions } from '../../../src/plot/options';
import type { Plot } from '../../../src/plot/plot';
import { rowsFrom } from '../../../src/run/lanes/lane-search';
import type { Run } from '../../../src/run/run';
import { PLOTS } from '../../../src/plots';
import { context } from './cluster';

const SIZE = { width: 700, height: 400 };

/** All that a plot shows of a run, as text: by default, and with each choice that needs other topics. */
function shown(plot: Plot, run: Run): string {
  const chosen = (plot.choiceTopics ?? []).map(({ option, value }) => ({ [option]: value }));
  return [{}, ...chosen].map(given => shownWith(plot, run, given)).join('\n');
}

function shownWith(plot: Plot, run: Run, given: Readonly<Record<string, string>>): string {
  const at = context({ options: chosenOptions(plot, given) });
  const picture = plot.view === 'vega' ? plot.picture(run, at, SIZE) : null;
  return JSON.stringify([
    plot.empty(run, at),
    plot.titleLine(run, at),
    plot.legend(run, at),
    plot.notes(run, at),
    plot.table(run, at),
    plot.summary(run, at),
    picture?.draw({ ...SIZE, firstRow: 0, endRow: Math.min(20, picture.rows?.count ?? 0) }),
    // `structure` counts changes: it says when to lay out again, and nothing of the run.
    plot.view === 'graph' ? { ...plot.picture(run, at), structure: '' } : null,
    plot.view === 'timeline' ? rowsFrom(run.tasks.lanes, 0) : null,
    plot.view === 'flame' ? [...run[plot.topic].fold().own] : null
  ]);
}

/** All that the plots of the list show of a run, by id. */
export function allShown(run: Run): Record<string, string> {
  return Object.fromEntries(PLOTS.map(plot => [plot.id, shown(plot, run)]));
}
