import type { Colour, Theme } from '../../base/theme';
import { inkOn } from '../../base/theme';
import type { CssPixels, DevicePixels } from '../../base/units';
import type { Translate } from '../../plot/plot';
import { differenceOf, differenceStep, points } from '../../selectors/profile/compared';
import { differenceColour, differenceId } from '../../selectors/profile/compared-texts';
import type { ComparedFolds } from '../../selectors/profile/profile-folds';
import { packageColour, type Packages, packagesOf } from '../../selectors/profile/profile-package';
import { stackLabel } from '../../selectors/profile/profile-rows';
import type { StackTree } from '../../selectors/profile/trees/stack-tree';
import type { ProfileStore } from '../../run/logs/profile';
import { contextOf } from '../canvas/canvas-stage';
import { drawnBy } from '../canvas/drawn/drawn';
import type { Pen } from '../canvas/drawn/pen';
import { Patterns } from '../canvas/patterns';
import type { FlameLayout, FlameRow } from './layout';

const ROW_HEIGHT: CssPixels = 18;
/** Narrower boxes have no label. */
const LABEL_WIDTH: CssPixels = 28;
/** Opacity of boxes excluded by a search or the legend, and of callers of the zoomed box. */
const DIMMED = 0.28;
const SIZE: CssPixels = 11;

const SURROGATES = /[\ud800-\udfff]/;

/** A fill and what is legible on it. */
interface Shade {
  readonly colour: Colour;
  readonly ink: Colour;
}
/** Keys of shades of differences, beyond those of packages. */
const DIFFERENCES = 1_000_000;

/** Height of a row of boxes. */
export function rowHeight({ fontScale }: Theme): CssPixels {
  return Math.round(ROW_HEIGHT * fontScale);
}

/** Input of a picture. */
export interface FlameScene {
  readonly store: ProfileStore;
  readonly tree: StackTree;
  readonly layout: FlameLayout;
  readonly theme: Theme;
  readonly trans: Translate;
  /** What is compared; `null` for ordinary samples. */
  readonly compared: ComparedFolds | null;
  /** Functions found by a search; `null` without a search. */
  readonly found: ReadonlySet<number> | null;
  /** Packages switched off in the legend. */
  readonly hidden: ReadonlySet<string>;
  readonly width: DevicePixels;
  readonly height: DevicePixels;
  readonly ratio: number;
  /** Scroll position of the window in the content. */
  readonly scroll: DevicePixels;
}

/** Draws the visible rows. */
export class FlamePainter {
  constructor(readonly canvas: HTMLCanvasElement) {}

  /**
   * Draw a scene.
   *
   * @throws Error if the browser provides no 2D canvas
   */
  paint(scene: FlameScene): void {
    const { canvas } = this;
    const { width, height, ratio } = scene;
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
      canvas.style.width = `${width / ratio}px`;
      canvas.style.height = `${height / ratio}px`;
    }
    const context = contextOf(canvas);
    context.clearRect(0, 0, width, height);
    this.draw(context, scene);
    // Patterns belong to their context.
    drawnBy(canvas, pen => new FlamePainter(canvas).draw(pen, scene));
  }

  private draw(context: Pen, scene: FlameScene): void {
    const { height, ratio, theme } = scene;
    if (this.theme !== theme || this.ratio !== ratio) {
      this.theme = theme;
      this.ratio = ratio;
      this.patterns = new Patterns(theme, ratio);
      this.shades.clear();
    }
    this.packages = packagesOf(scene.store);
    const font = `${SIZE * theme.fontScale * ratio}px ${theme.fontFamily}`;
    if (font !== this.font) {
      this.font = font;
      this.widths.clear();
    }
    context.font = font;
    context.textBaseline = 'middle';
    const pitch = Math.round(rowHeight(theme) * ratio);
    const { rows } = scene.layout;
    const last = Math.min(rows.length, Math.ceil((scene.scroll + height) / pitch));
    for (let depth = Math.max(0, Math.floor(scene.scroll / pitch)); depth < last; depth++) {
      this.row(context, scene, rows[depth], depth, depth * pitch - scene.scroll, pitch);
    }
  }

  private row(context: Pen, scene: FlameScene, row: FlameRow, depth: number, top: DevicePixels, pitch: DevicePixels): void {
    const gap = Math.max(1, Math.round(scene.ratio));
    for (let i = 0; i < row.stacks.length; i++) {
      const left = Math.floor(row.left[i]);
      const width = Math.max(1, Math.floor(row.left[i] + row.width[i]) - left - (row.width[i] > 3 * gap ? gap : 0));
      this.box(context, scene, row.stacks[i], depth, { left, top, width, height: pitch - gap });
    }
  }

  private box(
    context: Pen,
    scene: FlameScene,
    stack: number,
    depth: number,
    box: { readonly left: number; readonly top: number; readonly width: number; readonly height: number }
  ): void {
    const { tree, theme, layout, compared } = scene;
    const { packages } = this;
    const frame = tree.frameNumber(stack);
    const slot = packages.of(frame);
    const difference = compared === null ? 0 : differenceOf(compared, stack);
    const step = differenceStep(difference);
    const group = compared === null ? (packages.names[slot] ?? '') : differenceId(step);
    const dimmed =
      (scene.found !== null && !scene.found.has(frame)) || scene.hidden.has(group) || (depth < layout.depth && !layout.halves);
    const { colour, ink } = this.shadeOf(theme, slot, compared === null ? null : step);
    const alpha = dimmed && stack > 0 ? DIMMED : 1;
    // Most boxes are opaque: to set what is set takes as long as a part of the box.
    if (alpha !== 1) {
      context.globalAlpha = alpha;
    }
    context.fillStyle = colour;
    context.fillRect(box.left, box.top, box.width, box.height);
    const hatched = stack > 0 && (frame === 0 || step < 0);
    if (hatched) {
      context.fillStyle = this.patterns?.fill(frame === 0 ? 'dark-bars' : 'diagonal', context, 0) ?? colour;
      context.globalAlpha = alpha * 0.35;
      context.fillRect(box.left, box.top, box.width, box.height);
    }
    if (alpha !== 1 || hatched) {
      context.globalAlpha = 1;
    }
    const middle = box.top + box.height / 2 + 1;
    const half = (SIZE * theme.fontScale * scene.ratio) / 2;
    // Nor has a box whose label would be cut by the window.
    if (box.width < LABEL_WIDTH * scene.ratio || middle < half || middle + half > scene.height) {
      return;
    }
    const padding = Math.round(4 * scene.ratio);
    const plain = slot < 0 && compared === null;
    context.fillStyle = dimmed && stack > 0 ? theme.textSecondary : plain ? theme.text : ink;
    const figure = step === 0 ? '' : `${points(difference)} `;
    const text = this.fit(context, figure + stackLabel(tree, stack, scene.trans), box.width - 2 * padding);
    context.fillText(text, box.left + padding, middle);
  }

  /** Colours of a package, or of a step of a difference, which take longer to mix than a box to draw. */
  private shadeOf(theme: Theme, slot: number, step: number | null): Shade {
    const key = step === null ? slot : DIFFERENCES + step;
    let shade = this.shades.get(key);
    if (shade === undefined) {
      const colour = step === null ? packageColour(theme, slot) : differenceColour(theme, step);
      shade = { colour, ink: inkOn(colour) };
      this.shades.set(key, shade);
    }
    return shade;
  }

  /** A text cut to a width, with an ellipsis. */
  private fit(context: Pen, text: string, room: DevicePixels): string {
    const width = this.widthOf(context, text);
    if (width <= room) {
      return text;
    }
    // About as many as fit: letters differ in width.
    for (let kept = Math.floor((text.length * room) / width) - 1; kept > 0; kept--) {
      const cut = `${firstOf(text, kept)}…`;
      if (this.widthOf(context, cut) <= room) {
        return cut;
      }
    }
    return '';
  }

  /** Width of a text, measured once. */
  private widthOf(context: Pen, text: string): DevicePixels {
    let width = this.widths.get(text);
    if (width === undefined) {
      if (this.widths.size > 5_000) {
        this.widths.clear();
      }
      width = context.measureText(text).width;
      this.widths.set(text, width);
    }
    return width;
  }

  private packages: Pick<Packages, 'of' | 'names'> = { of: () => -1, names: [] };
  private readonly shades = new Map<number, Shade>();
  private theme: Theme | null = null;
  private ratio = 0;
  private patterns: Patterns | null = null;
  /** The font on the canvas: to ask the canvas for it takes longer than to cut a text. */
  private font = '';
  private readonly widths = new Map<string, DevicePixels>();
}

/** The first characters of a text; surrogates of one character stay together. */
function firstOf(text: string, count: number): string {
  const begin = text.slice(0, count);
  return SURROGATES.test(begin) ? [...text].slice(0, count).join('') : begin;
}
