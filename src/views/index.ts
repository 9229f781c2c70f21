/** Creates views for plots. Vega is loaded with the first pane that needs it. */
import type { Plot } from '../plot/plot';
import { AdviceView } from './advice/view';
import { TableView } from './table/view';
import { TaskView } from './task/view';
import type { View, ViewHost } from './view';
import { WorkerView } from './worker/view';

/**
 * Create the view of a plot.
 *
 * @throws Error if a part of the extension cannot be loaded, for example because the server is gone
 */
export async function createView(plot: Plot, host: ViewHost): Promise<View> {
  switch (plot.view) {
    case 'vega': {
      const { createVega } = await import('./vega');
      return createVega(plot, host);
    }
    case 'timeline': {
      const { createTimeline } = await import('./timeline');
      return createTimeline(plot, host);
    }
    case 'flame': {
      const { createFlame } = await import('./flame');
      return createFlame(plot, host);
    }
    case 'graph': {
      const { createGraph } = await import('./graph');
      return createGraph(plot, host);
    }
    case 'task':
      return new TaskView(host);
    case 'worker':
      return new WorkerView(host);
    case 'advice':
      return new AdviceView(host);
    case 'table':
      return createTableView(plot, host);
  }
}

/** Show the rows of any plot as a table. */
export function createTableView(plot: Plot, host: ViewHost): Promise<View> {
  return Promise.resolve(new TableView(plot, host));
}
