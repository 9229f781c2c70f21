/**
 * The only Vega-Lite spec of all bar charts. Lengths are values on a linear axis from zero, rows are units of a second
 * axis, and texts are placed in pixels. Edges and axis end are parameters, so that neither a new size nor a longer bar
 * needs a recompilation.
 */
import type { Theme } from '../../base/theme';
import { drawnAs, pictureSpec } from '../picture-spec';
import type { Json } from '../../plot/plot';

const AT_VALUE: Json = {
  type: 'quantitative',
  axis: null,
  scale: { domain: [0, { expr: 'end' }], range: [{ expr: 'left' }, { expr: 'right' }], nice: false, zero: false }
};
const AT_ROW: Json = {
  type: 'quantitative',
  axis: null,
  scale: { domain: [0, { expr: 'rows' }], range: [{ expr: 'top' }, { expr: 'bottom' }], nice: false, zero: false }
};

function onAxis(field: string, axis: Json): Json {
  return { field, ...(axis as { readonly [key: string]: Json }) };
}

const RECT = { x: onAxis('from', AT_VALUE), x2: { field: 'to' }, y: onAxis('y0', AT_ROW), y2: { field: 'y1' } };
const RULE = { x: onAxis('at', AT_VALUE), y: onAxis('y0', AT_ROW), y2: { field: 'y1' }, stroke: drawnAs('stroke', 'nominal') };

/** A rectangle in pixels. */
const BOX = {
  x: drawnAs('x', 'quantitative'),
  x2: { field: 'x2' },
  y: drawnAs('y', 'quantitative'),
  y2: { field: 'y2' }
};

/** A layer, without descriptions for assistive technology: the view has a summary and a table. */
function layer(data: string, mark: { readonly [key: string]: Json }, encoding: Json): Json {
  return { data: { name: data }, mark: { aria: false, ...mark }, encoding };
}

/** The spec of all bar charts. Field names are fixed; data from a cluster is only ever a value. */
export function barSpec(theme: Theme): Json {
  return pictureSpec(
    theme,
    [
      layer('ticks', { type: 'rule', strokeWidth: 1 }, RULE),
      layer('tracks', { type: 'rect' }, { ...RECT, fill: drawnAs('fill', 'nominal') }),
      layer(
        'segments',
        { type: 'rect', strokeWidth: 1 },
        { ...RECT, fill: drawnAs('fill', 'nominal'), stroke: drawnAs('stroke', 'nominal') }
      ),
      layer(
        'hatches',
        { type: 'point', filled: false, size: 4, strokeWidth: 1, opacity: 1 },
        {
          x: onAxis('from', AT_VALUE),
          y: onAxis('y0', AT_ROW),
          shape: drawnAs('path', 'nominal'),
          stroke: drawnAs('stroke', 'nominal')
        }
      ),
      layer('lines', { type: 'rule', strokeWidth: 1.5 }, { ...RULE, strokeDash: drawnAs('dash', 'nominal') }),
      layer(
        'texts',
        {
          type: 'text',
          baseline: 'middle',
          fontSize: { expr: 'datum.size' },
          dir: { expr: 'datum.dir' },
          align: { expr: 'datum.align' },
          fontWeight: { expr: 'datum.weight' },
          limit: { expr: 'datum.limit' }
        },
        {
          x: drawnAs('x', 'quantitative'),
          y: drawnAs('y', 'quantitative'),
          text: { field: 'text', type: 'nominal' },
          fill: drawnAs('fill', 'nominal')
        }
      ),
      layer('band', { type: 'rect' }, { ...BOX, fill: drawnAs('fill', 'nominal') }),
      layer('bandHits', { type: 'rect', fill: 'transparent' }, BOX),
      layer(
        'hits',
        { type: 'rect', fill: 'transparent' },
        { x: { value: 0 }, x2: drawnAs('right', 'quantitative'), y: onAxis('y0', AT_ROW), y2: { field: 'y1' } }
      )
    ],
    ['left', 'right', 'top', 'bottom', 'rows', 'end'].map(name => ({ name, value: 1 }))
  );
}
