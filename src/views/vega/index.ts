import type { VegaPlot } from '../../plot/plot';
import type { View, ViewHost } from '../view';
import { VegaView } from './view';

/** Make the view of a plot that is a Vega-Lite spec. Importing this file brings Vega: import it when a pane needs it. */
export function createVega(plot: VegaPlot, host: ViewHost): View {
  return new VegaView(plot, host);
}
