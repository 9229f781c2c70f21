/** What panes save, and what is in it. */
import { readFile } from 'node:fs/promises';
import type { Lab } from './lab';

/** What an item of a pane's menu downloads. */
export async function savedFile(lab: Lab, plot: string, item: string): Promise<Buffer> {
  await lab.pane(plot).getByRole('button', { name: 'More', exact: true }).click();
  const download = lab.page.waitForEvent('download');
  await lab.page.getByRole('menuitem', { name: item }).click();
  return readFile(await (await download).path());
}

/** What an SVG has, as the browser reads it. */
export interface SvgContent {
  readonly title: string;
  readonly description: string;
  readonly texts: readonly string[];
  /** Names of the elements that it has. */
  readonly names: readonly string[];
}

/** Read an SVG; fails where it is no XML. */
export function contentOf(lab: Lab, svg: Buffer): Promise<SvgContent> {
  return lab.page.evaluate(text => {
    const root = new DOMParser().parseFromString(text, 'image/svg+xml');
    const of = (selector: string): string[] => [...root.querySelectorAll(selector)].map(({ textContent }) => textContent ?? '');
    return {
      title: of('svg > title').join(),
      description: of('svg > desc').join(),
      texts: of('text'),
      names: [...new Set([...root.querySelectorAll('*')].map(({ localName }) => localName))]
    };
  }, svg.toString());
}

/** How alike two pictures of a pane are. */
export interface Likeness {
  /** Points within areas of one colour that is not that of most of the picture. */
  readonly coloured: number;
  /** Those that have another colour in the other picture, with both colours. */
  readonly wrong: readonly string[];
}

/** Compare an SVG, drawn by the browser, with the PNG of the same pane. */
export function likeness(lab: Lab, png: Buffer, svg: Buffer): Promise<Likeness> {
  const urls = [`data:image/png;base64,${png.toString('base64')}`, `data:image/svg+xml;base64,${svg.toString('base64')}`];
  return lab.page.evaluate(async ([first, second]) => {
    const shown = new Image();
    shown.src = first;
    await shown.decode();
    const { width, height } = shown;
    const drawn = new Image(width, height);
    drawn.src = second;
    await drawn.decode();
    const [is, other] = [shown, drawn].map(image => {
      const canvas = Object.assign(document.createElement('canvas'), { width, height });
      const context = canvas.getContext('2d');
      context?.drawImage(image, 0, 0, width, height);
      return new Uint32Array(context?.getImageData(0, 0, width, height).data.buffer ?? new ArrayBuffer(0));
    });
    const counts = new Map<number, number>();
    for (const pixel of is) {
      counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
    }
    const [ground] = [...counts].reduce((most, each) => (each[1] > most[1] ? each : most));
    const away = (a: number, b: number): number =>
      Math.max(...[0, 8, 16].map(shift => Math.abs(((a >>> shift) & 255) - ((b >>> shift) & 255))));
    let coloured = 0;
    const wrong: string[] = [];
    for (let y = 4; y < height - 4; y += 3) {
      for (let x = 4; x < width - 4; x += 3) {
        const pixel = is[y * width + x];
        const uniform = (): boolean => {
          for (let dy = -3; dy <= 3; dy++) {
            for (let dx = -3; dx <= 3; dx++) {
              if (is[(y + dy) * width + x + dx] !== pixel) {
                return false;
              }
            }
          }
          return true;
        };
        if (pixel !== ground && uniform()) {
          coloured += 1;
          if (away(pixel, other[y * width + x]) > 4) {
            wrong.push(`${x},${y}: ${[pixel, other[y * width + x]].map(each => each.toString(16)).join(' ')}`);
          }
        }
      }
    }
    return { coloured, wrong };
  }, urls);
}
