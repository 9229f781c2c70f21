import type { Plot } from '../../plot/plot';
import type { View, ViewHost } from '../view';
import { TimelineView } from './view';

export { LOCATE_EVENT, type Location, type LocateDetail, type Point, TimelineView, timelineOf } from './view';

/**
 * Make the view of a plot that is a timeline.
 *
 * @throws Error where the browser gives no 2D canvas
 */
export function createTimeline(plot: Plot, host: ViewHost): Promise<View> {
  return Promise.resolve(new TimelineView(plot, host));
}
