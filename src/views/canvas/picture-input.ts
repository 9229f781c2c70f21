import type { IDisposable } from '@lumino/disposable';
import type { CssPixels, Share } from '../../base/units';
import type { PictureKind } from './key-actions';
import { type Keys, onKeys } from './keys';
import { wheelFactor } from './wheel';

/** User actions on a picture with pointer and keyboard. Positions are CSS pixels from its upper left corner. */
export interface PictureControls {
  /** Show `factor` times as much; the given position stays fixed, NaN for the middle. */
  zoom(factor: number, x: CssPixels, y: CssPixels): void;
  /** Pan by a fraction of the visible width. */
  panShare(share: Share): void;
  fit(): void;
  /** Go to the next or previous item along (`x`) or across (`y`). */
  walk(x: -1 | 0 | 1, y: -1 | 0 | 1): void;
  hover(x: CssPixels, y: CssPixels): void;
  leave(): void;
  /** @param adds - whether with Ctrl, or Cmd on a Mac */
  click(x: CssPixels, y: CssPixels, adds: boolean): void;
  escape(): void;
  /** Activate the item at the keyboard cursor, as a click does. */
  enter(): void;
}

/** The position of a pointer event in an element. */
export function positionIn(node: HTMLElement, event: MouseEvent): { readonly x: CssPixels; readonly y: CssPixels } {
  const box = node.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

/** Whether a drag that begins so moves a picture through time: with the middle button, or with Shift. */
export function pansBy({ button, shiftKey }: MouseEvent): boolean {
  return button === 1 || (button === 0 && shiftKey);
}

/** A pressed pointer. */
export interface Held {
  readonly pointer: number;
}

/** A smaller pointer movement is a click, not a drag. */
export const CLICK_RADIUS: CssPixels = 4;

const KEY_ZOOM = 0.8;
const KEY_PAN: Share = 0.15;
/** Keys that change which part of a picture is visible. */
export const PART_KEYS: Keys<Pick<PictureControls, 'zoom' | 'panShare' | 'fit'>> = {
  'zoom-in': controls => controls.zoom(KEY_ZOOM, Number.NaN, Number.NaN),
  'zoom-out': controls => controls.zoom(1 / KEY_ZOOM, Number.NaN, Number.NaN),
  'pan-left': controls => controls.panShare(-KEY_PAN),
  'pan-right': controls => controls.panShare(KEY_PAN),
  'show-all': controls => controls.fit()
};

/** Keys that walk from item to item, and into and out of one. */
export const WALK_KEYS: Keys<Pick<PictureControls, 'walk' | 'enter' | 'escape'>> = {
  'go-left': controls => controls.walk(-1, 0),
  'go-right': controls => controls.walk(1, 0),
  'go-up': controls => controls.walk(0, -1),
  'go-down': controls => controls.walk(0, 1),
  activate: controls => controls.enter(),
  leave: controls => controls.escape()
};

const KEYS: Keys<PictureControls> = { ...PART_KEYS, ...WALK_KEYS };

/** Translates events of a picture into control calls, until disposed; the picture defines what wheel and drag do. */
export abstract class PictureInput<C extends PictureControls, D extends Held> implements IDisposable {
  /**
   * @param kind - of the picture
   * @param node - the focusable picture
   * @param controls - receives the calls
   * @param keys - keys in addition to those of every picture
   */
  constructor(
    kind: PictureKind,
    protected readonly node: HTMLElement,
    protected readonly controls: C,
    keys: Keys<C> = {}
  ) {
    const { signal } = this.listening;
    onKeys<C>(node, kind, { ...KEYS, ...keys }, controls, signal);
    node.addEventListener('wheel', event => this.wheel(event), { signal, passive: false });
    node.addEventListener('pointerdown', event => this.down(event), { signal });
    node.addEventListener('pointermove', event => this.move(event), { signal });
    node.addEventListener('pointerup', event => this.up(event), { signal });
    node.addEventListener('pointercancel', () => this.release(), { signal });
    node.addEventListener('pointerleave', () => controls.leave(), { signal });
    // The middle button would start autoscroll.
    node.addEventListener('mousedown', event => event.button === 1 && event.preventDefault(), { signal });
  }

  get isDisposed(): boolean {
    return this.listening.signal.aborted;
  }

  dispose(): void {
    this.listening.abort();
  }

  /** Aborted by {@link dispose}. */
  protected get signal(): AbortSignal {
    return this.listening.signal;
  }

  protected abstract wheel(event: WheelEvent): void;
  protected abstract down(event: PointerEvent): void;
  protected abstract move(event: PointerEvent): void;
  /** The pressed pointer was released: possibly a click. */
  protected abstract clicked(held: D, event: PointerEvent): boolean;

  /** The pressed pointer was released, or taken by the browser. */
  protected released(_held: D): void {}

  protected zoomBy(event: WheelEvent): void {
    event.preventDefault();
    const { x, y } = positionIn(this.node, event);
    this.controls.zoom(wheelFactor(event), x, y);
  }

  protected hover(event: PointerEvent): void {
    const { x, y } = positionIn(this.node, event);
    this.controls.hover(x, y);
  }

  private up(event: PointerEvent): void {
    const { held } = this;
    this.release();
    if (held !== null && held.pointer === event.pointerId && this.clicked(held, event)) {
      const { x, y } = positionIn(this.node, event);
      this.controls.click(x, y, event.ctrlKey || event.metaKey);
    }
  }

  private release(): void {
    const { held } = this;
    if (held === null) {
      return;
    }
    if (this.node.hasPointerCapture(held.pointer)) {
      this.node.releasePointerCapture(held.pointer);
    }
    this.held = null;
    this.released(held);
  }

  private readonly listening = new AbortController();
  protected held: D | null = null;
}
