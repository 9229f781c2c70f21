import type { GraphPlot } from '../../plot/plot';
import type { View, ViewHost } from '../view';
import { GraphView } from './view';

export { LOCATE_NODE_EVENT, type LocateNodeDetail } from './locate';

/** Create the view of a graph. */
export function createGraph(plot: GraphPlot, host: ViewHost): View {
  return new GraphView(plot, host);
}
