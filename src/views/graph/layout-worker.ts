/** The script of the thread that lays out large graphs; see `layout-thread.ts`. */
import { layOutNow } from '../../run/graph/graph-layout';
import { Links } from '../../run/graph/links';
import { formerIn, type LayoutRequest } from './layout-request';

addEventListener('message', ({ data }: MessageEvent<LayoutRequest>) => {
  const { count, sources, targets, former } = data;
  const placement = layOutNow(new Links(count, sources, targets), former === null ? undefined : formerIn(former));
  postMessage(placement, { transfer: [placement.x.buffer, placement.y.buffer] });
});
