/** The picture of a cluster map: all positions are in pixels, so the spec never has to be compiled again. */
import { drawnAs, pictureSpec, TEXTS } from '../../../charts/picture-spec';
import type { Theme } from '../../../base/theme';
import type { Json } from '../../../plot/plot';

/** The spec, with the datasets `links`, `hits`, `texts`, `flows` and `heads`. */
export function mapSpec(theme: Theme): Json {
  const as = (field: string, type: 'nominal' | 'quantitative' = 'quantitative'): Json => drawnAs(field, type);
  const rect = { x: as('x'), x2: { field: 'x2' }, y: as('y'), y2: { field: 'y2' } };
  const rule = (name: string, mark: Readonly<Record<string, Json>>, width: Json): Json => ({
    data: { name },
    mark: { type: 'rule', aria: false, ...mark },
    encoding: { ...rect, strokeWidth: width }
  });
  const transfer = theme.kind('transfer').colour;
  return pictureSpec(theme, [
    rule('links', { stroke: theme.border }, { value: 1 }),
    {
      data: { name: 'hits' },
      mark: { type: 'rect', aria: false, strokeWidth: 1 },
      encoding: { ...rect, fill: as('fill', 'nominal'), stroke: as('stroke', 'nominal') }
    },
    rule('flows', { stroke: transfer, strokeOpacity: 0.75, strokeCap: 'round' }, as('width')),
    {
      data: { name: 'heads' },
      mark: { type: 'point', aria: false, shape: 'triangle', filled: true, fill: transfer, opacity: 1 },
      encoding: { x: as('x'), y: as('y'), angle: as('angle'), size: as('size') }
    },
    // Above the transfers, which cross the boxes of other workers.
    TEXTS
  ]);
}
