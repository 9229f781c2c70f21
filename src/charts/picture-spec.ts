/** What the Vega-Lite specs of all pictures have in common. */
import type { Theme } from '../base/theme';
import type { Json } from '../plot/plot';

/**
 * A spec with layers, which neither loads nor sizes anything by itself.
 *
 * @param params - parameters with their initial values
 */
export function pictureSpec(theme: Theme, layer: readonly Json[], params: readonly Json[] = []): Json {
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    padding: 0,
    width: 100,
    height: 100,
    autosize: 'none',
    background: 'transparent',
    ...(params.length > 0 ? { params } : {}),
    config: { font: theme.fontFamily, view: { stroke: null }, mark: { invalid: null } },
    layer
  };
}

/** A channel whose field holds the drawn value: a colour, a pixel. */
export function drawnAs(field: string, type: 'nominal' | 'quantitative'): Json {
  return { field, type, scale: null };
}

/** The layer of dataset `texts`, whose rows have a place in pixels, an alignment, a limit and a colour. */
export const TEXTS: Json = {
  data: { name: 'texts' },
  mark: {
    type: 'text',
    aria: false,
    baseline: 'middle',
    fontSize: 11,
    align: { expr: 'datum.align' },
    limit: { expr: 'datum.limit' }
  },
  encoding: {
    x: drawnAs('x', 'quantitative'),
    y: drawnAs('y', 'quantitative'),
    text: { field: 'text', type: 'nominal' },
    fill: drawnAs('fill', 'nominal')
  }
};
