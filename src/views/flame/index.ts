import type { FlamePlot } from '../../plot/plot';
import type { View, ViewHost } from '../view';
import { FlameView } from './view';

/**
 * Create the view of a flame graph plot.
 *
 * @throws Error if the browser provides no 2D canvas
 */
export function createFlame(plot: FlamePlot, host: ViewHost): Promise<View> {
  return Promise.resolve(new FlameView(plot, host));
}
