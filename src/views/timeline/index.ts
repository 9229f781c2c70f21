import type { Plot } from '../../plot/plot';
import type { View, ViewHost } from '../view';
import { TimelineView } from './view';

export { LOCATE_EVENT, type Location, type LocateDetail } from './pointing/locate';
export { TimelineView, timelineOf } from './view';

/**
 * Create the view of a timeline plot.
 *
 * @throws Error if the browser provides no 2D canvas
 */
export function createTimeline(plot: Plot, host: ViewHost): Promise<View> {
  return Promise.resolve(new TimelineView(plot, host));
}
