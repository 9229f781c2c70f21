/** A pane as SVG. */
import { chartOf } from '../../../views/canvas/drawn/drawn';
import { contextOf } from '../../../views/canvas/canvas-stage';
import { Colours } from './colours';
import { escaped, figure, SvgOutput, TooDetailed } from './output';
import { Walk } from './walk';

/** What a picture is of, for those who cannot see it. */
export interface Described {
  readonly title: string;
  readonly description: string;
}

/**
 * SVG of an element as it is displayed: texts as texts, boxes, charts and canvases as shapes.
 *
 * @returns `null` if that would be more than programs can show
 */
export async function svgOf(node: HTMLElement, described: Described): Promise<string | null> {
  const charts = new Map<Element, string>();
  for (const element of node.querySelectorAll('*')) {
    const chart = chartOf(element);
    if (chart !== undefined) {
      charts.set(element, await chart());
    }
  }
  try {
    return written(node, charts, described);
  } catch (error) {
    if (error instanceof TooDetailed) {
      return null;
    }
    throw error;
  }
}

/** All in one go, since the page goes on. */
function written(node: HTMLElement, charts: ReadonlyMap<Element, string>, { title, description }: Described): string {
  const out = new SvgOutput();
  const box = node.getBoundingClientRect();
  const ground = new Colours().attributes('fill', getComputedStyle(node).getPropertyValue('--jp-layout-color1').trim());
  const { x, y, width, height } = box;
  if (ground !== null) {
    out.add('rect', { x, y, width, height, ...ground });
  }
  const measure = contextOf(document.createElement('canvas'));
  new Walk(out, measure, charts).draw(node, { clip: box, cutAt: Number.POSITIVE_INFINITY });
  const [w, h] = [width, height].map(figure);
  const view = [x, y, width, height].map(figure).join(' ');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="${view}" role="img" aria-labelledby="dp-title dp-desc">`,
    `<title id="dp-title">${escaped(title)}</title>`,
    `<desc id="dp-desc">${escaped(description)}</desc>`,
    `<defs>${out.definitions}</defs>`,
    out.markup,
    '</svg>',
    ''
  ].join('\n');
}
