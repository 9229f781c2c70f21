import type { Former } from '../../run/graph/graph-layout';
import type { Links } from '../../run/graph/links';

/** Positions by node; NaN for nodes that an earlier layout did not have. */
export interface FormerPlaces {
  readonly x: Float32Array;
  readonly y: Float32Array;
}

/** What the thread of layouts is asked for; its answer is a `Placement`. */
export interface LayoutRequest {
  readonly count: number;
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
  readonly former: FormerPlaces | null;
}

/** A request with copies of everything that a layout needs. */
export function layoutRequest({ count, sources, targets }: Links, former: Former | undefined): LayoutRequest {
  return { count, sources, targets, former: former === undefined ? null : placesOf(count, former) };
}

/** Positions that were sent, as a layout reads them. */
export function formerIn({ x, y }: FormerPlaces): Former {
  return node => (Number.isNaN(x[node]) ? undefined : { x: x[node], y: y[node] });
}

function placesOf(count: number, former: Former): FormerPlaces {
  const places = { x: new Float32Array(count).fill(Number.NaN), y: new Float32Array(count).fill(Number.NaN) };
  for (let node = 0; node < count; node++) {
    const place = former(node);
    if (place !== undefined) {
      places.x[node] = place.x;
      places.y[node] = place.y;
    }
  }
  return places;
}
