import type { IDisposable } from '@lumino/disposable';
import { element, setHidden } from '../../base/element';
import type { CssPixels, Seconds } from '../../base/units';
import type { Run } from '../../run/run';
import { type RunSelection, selectionOf } from '../../run/selection/selection';

/** The times of a strip. */
export interface StripTimes {
  readonly width: CssPixels;
  /** Position of a time; NaN outside of the strip. */
  at(time: Seconds): CssPixels;
  words(time: Seconds): string;
}

/**
 * The time cursor of a run on a strip of time: a line where another view is pointed at. The view that is pointed at has none,
 * as in charts over time.
 */
export class StripCursor implements IDisposable {
  constructor(
    run: Run,
    private readonly times: () => StripTimes
  ) {
    this.selection = selectionOf(run);
    this.selection.cursorMoved.connect(this.draw, this);
  }

  readonly node = element('div', { class: 'dp-Flame-cursor', attributes: { hidden: '', 'aria-hidden': 'true' } });

  get isDisposed(): boolean {
    return this.disposed;
  }

  dispose(): void {
    this.disposed = true;
    this.point(Number.NaN);
    this.selection.cursorMoved.disconnect(this.draw, this);
  }

  /** The pointer is at a time of the strip, or, NaN, has left it. */
  point(time: Seconds): void {
    if (!Number.isNaN(time) || this.pointed) {
      this.pointed = !Number.isNaN(time);
      this.selection.moveCursor(time);
    }
  }

  /** The strip was drawn. */
  draw(): void {
    const { cursor } = this.selection;
    const { at, width, words } = this.times();
    const x = this.pointed ? Number.NaN : at(cursor);
    setHidden(this.node, Number.isNaN(x));
    if (!Number.isNaN(x)) {
      this.node.style.left = `${x}px`;
      this.node.dataset.time = words(cursor);
      this.node.dataset.side = x > width / 2 ? 'left' : 'right';
    }
  }

  private readonly selection: RunSelection;
  private pointed = false;
  private disposed = false;
}
