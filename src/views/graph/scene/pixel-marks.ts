import type { DevicePixels } from '../../../base/units';
import type { GraphPart } from '../../../run/graph/graph-part';
import type { Placement } from '../../../run/graph/graph-layout';
import type { Run } from '../../../run/run';
import { stateOf } from '../../../run/graph/task-graph';
import type { StateLook } from '../../../selectors/tasks/task-states';
import type { Pen } from '../../canvas/drawn/pen';
import { pixelsOf } from './marks';
import { type Brush, DIMMED, type LeftOut } from './scene';

/** From this distance of columns on, each is drawn by itself: what is between them has no pixels, but would take most of the time. */
const APART: DevicePixels = 8;

/** Where the columns of a graph are in an image, and that on the canvas. */
interface Grid {
  readonly image: ImageData;
  /** Column of the image by column of the graph; -1 for one that is not in view. */
  readonly slots: Int32Array;
  /** Position of the first row, and distance of rows. */
  readonly top: DevicePixels;
  readonly pitch: DevicePixels;
  /** Parts of the image with pixels, and by how much they are moved on the canvas. */
  readonly parts: readonly { readonly left: DevicePixels; readonly width: DevicePixels; readonly by: DevicePixels }[];
  /** From the first to behind the last row with pixels. */
  readonly rows: readonly [from: DevicePixels, to: DevicePixels];
}

/** Tasks as pixels. */
export class PixelMarks {
  constructor(
    private readonly run: Run,
    private readonly part: GraphPart,
    private readonly placement: Placement
  ) {}

  /**
   * Draw nodes.
   *
   * @param hidden - names of states that are not drawn
   */
  draw(brush: Brush, nodes: Uint32Array, looks: readonly StateLook[], hidden: ReadonlySet<string>, leftOut: LeftOut): void {
    const grid = this.gridOf(brush);
    const { image, parts, rows } = grid;
    const pixels = new Uint32Array(image.data.buffer);
    pixels.fill(0, rows[0] * image.width, rows[1] * image.width);
    const colours = pixelsOf(looks).map((colour, code) => (hidden.has(stateOf(code)) ? 0 : colour));
    if (leftOut === null) {
      this.put(grid, pixels, nodes, colours);
    } else {
      const selected = nodes.filter(node => !leftOut(node));
      // What is selected wins its pixel.
      this.put(grid, pixels, nodes.filter(leftOut), colours.map(pale));
      this.put(grid, pixels, selected, colours);
    }
    for (const { left, width, by } of parts) {
      brush.context.putImageData(image, by, 0, left, rows[0], width, rows[1] - rows[0]);
    }
  }

  /** @param colours - by code of state; 0 for those that are not drawn */
  private put({ image, slots, top, pitch }: Grid, pixels: Uint32Array, nodes: Uint32Array, colours: Uint32Array): void {
    const { x, y } = this.placement;
    const { graph } = this.run;
    const { numbers } = this.part;
    const { width, height } = image;
    // Written out: this is done for every task in every frame of a pan.
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[i];
      const colour = colours[graph.state(numbers[node])];
      const slot = slots[x[node]];
      const row = Math.round(top + y[node] * pitch);
      if (colour !== 0 && slot >= 0 && row >= 0 && row < height) {
        pixels[row * width + slot] = colour;
      }
    }
  }

  private gridOf({ context, camera, ratio, width, height }: Brush): Grid {
    const { columns, rows } = this.placement;
    const [left, top] = [camera.toX(0) * ratio, camera.toY(0) * ratio];
    const [wide, pitch] = [camera.toX(1) * ratio - left, camera.toY(1) * ratio - top];
    const apart = wide >= APART;
    const slots = new Int32Array(columns).fill(-1);
    const parts: { left: DevicePixels; width: DevicePixels; by: DevicePixels }[] = [];
    for (let column = 0; column < columns; column++) {
      const at = Math.round(left + column * wide);
      if (at >= 0 && at < width) {
        slots[column] = apart ? parts.length : at;
        parts.push({ left: slots[column], width: 1, by: at - slots[column] });
      }
    }
    const [first, last] = [parts[0]?.left ?? 0, parts[parts.length - 1]?.left ?? -1];
    return {
      ...{ slots, top, pitch },
      image: this.imageOf(context, apart ? Math.ceil(width / wide) + 1 : width, height),
      parts: apart ? parts : [{ left: first, width: last + 1 - first, by: 0 }],
      rows: [within(Math.round(top), height), within(Math.round(top + (rows - 1) * pitch) + 1, height)]
    };
  }

  /** The image of a size: the same one again, since a new one for every frame takes longer to make than to fill. */
  private imageOf(context: Pen, width: DevicePixels, height: DevicePixels): ImageData {
    if (this.image?.width !== width || this.image.height !== height) {
      this.image = context.createImageData(width, height);
    }
    return this.image;
  }

  private image: ImageData | null = null;
}

function within(row: DevicePixels, height: DevicePixels): DevicePixels {
  return Math.min(height, Math.max(0, row));
}

/** A pixel that is dimmed as marks are; 0 stays 0. */
function pale(pixel: number): number {
  return pixel === 0 ? 0 : ((pixel & 0xffffff) | (Math.round(DIMMED * 255) << 24)) >>> 0;
}
