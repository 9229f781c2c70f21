import { frameLoop, type Painter } from '../../base/frame-loop';
import type { CssPixels, Milliseconds } from '../../base/units';
import { cutMiddle } from '../../plots/text';
import type { ViewHost } from '../view';
import type { Box } from './overlay';
import type { Target } from './picking';
import { type Tip, tipOf } from './tip';
import type { TipBox } from './tip-box';
import type { Arrangement } from './arrangement';
import type { Palette } from './palette';

/** A tooltip comes after the pointer has rested so long; from one block to the next at once. */
const DELAY: Milliseconds = 80;
/** Longer keys are cut in their middle. */
const LONGEST_KEY = 160;

/** Where a tooltip goes: CSS pixels within the view. */
export interface TipPlace {
  readonly x: CssPixels;
  readonly anchor: Box;
  readonly bounds: { readonly width: CssPixels; readonly height: CssPixels };
}

/** Shows what is known of the interval under the pointer, and asks the scheduler for its key. */
export class Inspector implements Painter {
  constructor(
    private readonly host: ViewHost,
    private readonly arrangement: Arrangement,
    private readonly box: TipBox
  ) {}

  /** Describe a target for the live region, without showing it. */
  describe(target: Target, palette: Palette): Tip {
    const lanes = this.arrangement.worker(target.band.worker);
    return tipOf(target, this.host.run, lanes, palette, this.host.trans);
  }

  /** Show the tip of a target soon; `null` hides it. A pinned tip stays. */
  point(target: Target | null, palette: Palette, place: TipPlace): void {
    if (this.box.pinned) {
      return;
    }
    if (target === null) {
      this.hide();
      return;
    }
    this.wanted = { target, palette, place };
    if (!this.box.node.hidden) {
      this.show();
    } else if (this.due === 0) {
      this.due = performance.now() + DELAY;
      frameLoop.request(this);
    }
  }

  /** Show the tip of a target at once and keep it. */
  pin(target: Target, palette: Palette, place: TipPlace): void {
    this.hide();
    this.wanted = { target, palette, place };
    this.show();
    this.box.pin();
  }

  hide(): void {
    this.wanted = null;
    this.shownRow = -1;
    this.due = 0;
    this.box.hide();
  }

  paint(now: Milliseconds): void {
    if (this.wanted === null || this.due === 0) {
      return;
    }
    if (now < this.due) {
      frameLoop.request(this);
    } else {
      this.show();
    }
  }

  dispose(): void {
    this.hide();
    frameLoop.remove(this);
  }

  private show(): void {
    if (this.wanted === null) {
      return;
    }
    const { target, palette, place } = this.wanted;
    const tip = this.describe(target, palette);
    const known = this.keys.get(tip.row);
    this.due = 0;
    this.box.show({ ...tip.content, key: known ?? '…' }, place.x, place.anchor, place.bounds);
    if (tip.row !== this.shownRow) {
      this.shownRow = tip.row;
      if (known === undefined) {
        void this.ask(tip.row);
      }
    }
  }

  private async ask(row: number): Promise<void> {
    const key = await this.keyOf(row);
    if (this.keys.size >= 256) {
      this.keys.clear();
    }
    this.keys.set(row, key);
    if (this.shownRow === row) {
      this.box.setKey(key);
    }
  }

  /** The key of a row as text; a row that has left the scheduler's ring has none any more. */
  private async keyOf(row: number): Promise<string> {
    const { feed, trans } = this.host;
    if (feed === null) {
      return trans('key not kept');
    }
    try {
      const answer = await feed.request('key', { row });
      const key = typeof answer === 'object' && answer !== null && !Array.isArray(answer) ? answer.key : null;
      return typeof key === 'string' ? cutMiddle(key, LONGEST_KEY) : trans('key not kept');
    } catch (error) {
      return trans('key unknown: %1', error instanceof Error ? error.message : String(error));
    }
  }

  private wanted: { readonly target: Target; readonly palette: Palette; readonly place: TipPlace } | null = null;
  private due: Milliseconds = 0;
  private shownRow = -1;
  private readonly keys = new Map<number, string>();
}
