/**
 * The only Vega-Lite spec of all charts over time. Lines and bands are data; edges and ends of the axes are parameters,
 * so that neither a new size nor a longer run needs a recompilation.
 */
import type { Theme } from '../../base/theme';
import { drawnAs, pictureSpec, TEXTS } from '../picture-spec';
import type { Json } from '../../plot/plot';

type Channel = { readonly [key: string]: Json };

const AT_TIME: Channel = {
  type: 'quantitative',
  axis: null,
  scale: {
    domain: [{ expr: 'from' }, { expr: 'to' }],
    range: [{ expr: 'left' }, { expr: 'right' }],
    nice: false,
    zero: false
  }
};
const AT_VALUE: Channel = {
  type: 'quantitative',
  axis: null,
  stack: null,
  scale: { domain: [0, { expr: 'end' }], range: [{ expr: 'bottom' }, { expr: 'top' }], nice: false, zero: false, clamp: true }
};

/** A layer, without descriptions for assistive technology: the view has a summary and a table. */
function layer(data: string, mark: Channel, encoding: Json): Json {
  return { data: { name: data }, mark: { aria: false, ...mark }, encoding };
}

const TIME: Json = { field: 'at', ...AT_TIME };
const GROUP: Json = { field: 'group', type: 'nominal' };

/** The spec of all charts over time. Field names are fixed; data from a cluster is only ever a value. */
export function timeSpec(theme: Theme): Json {
  return pictureSpec(
    theme,
    [
      layer(
        'grid',
        { type: 'rule', strokeWidth: 1 },
        {
          x: drawnAs('x', 'quantitative'),
          x2: { field: 'x2' },
          y: drawnAs('y', 'quantitative'),
          y2: { field: 'y2' },
          stroke: drawnAs('stroke', 'nominal')
        }
      ),
      layer(
        'bands',
        { type: 'area', opacity: 1, interpolate: 'linear' },
        {
          ...{ x: TIME, y: { field: 'low', ...AT_VALUE }, y2: { field: 'high' } },
          ...{ fill: drawnAs('fill', 'nominal'), fillOpacity: drawnAs('opacity', 'quantitative'), detail: GROUP }
        }
      ),
      layer(
        'limits',
        { type: 'rule', strokeWidth: 1.5 },
        {
          x: drawnAs('x', 'quantitative'),
          x2: { field: 'x2' },
          y: { field: 'value', ...AT_VALUE },
          stroke: drawnAs('stroke', 'nominal')
        }
      ),
      layer(
        'lines',
        { type: 'line', strokeWidth: 1.5, strokeJoin: 'round' },
        {
          x: TIME,
          y: { field: 'value', ...AT_VALUE },
          stroke: drawnAs('stroke', 'nominal'),
          strokeDash: drawnAs('dash', 'nominal'),
          detail: GROUP
        }
      ),
      layer(
        'dots',
        { type: 'point', shape: 'circle', filled: true, size: 12, opacity: 1 },
        { x: TIME, y: { field: 'value', ...AT_VALUE }, fill: drawnAs('fill', 'nominal') }
      ),
      TEXTS,
      layer(
        'hits',
        { type: 'rect', fill: 'transparent' },
        { x: TIME, x2: { field: 'until' }, y: drawnAs('y', 'quantitative'), y2: { field: 'y2' } }
      )
    ],
    ['left', 'right', 'top', 'bottom', 'from', 'to', 'end'].map((name, i) => ({ name, value: i }))
  );
}
