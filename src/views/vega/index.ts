import type { VegaPlot } from '../../plot/plot';
import type { View, ViewHost } from '../view';
import { VegaView } from './view';

/** Create the view of a Vega-Lite plot. This file imports Vega: import it dynamically when a pane needs it. */
export function createVega(plot: VegaPlot, host: ViewHost): View {
  return new VegaView(plot, host);
}
