import type { FlamePlot } from '../../plot/plot';
import type { View, ViewHost } from '../view';
import { FlameView } from './view';

/**
 * Make the view of a plot that is a flame graph.
 *
 * @throws Error where the browser gives no 2D canvas
 */
export function createFlame(plot: FlamePlot, host: ViewHost): Promise<View> {
  return Promise.resolve(new FlameView(plot, host));
}
