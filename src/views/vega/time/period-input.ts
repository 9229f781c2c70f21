import type { IDisposable } from '@lumino/disposable';
import type { CssPixels, Seconds } from '../../../base/units';
import type { TimeAxis } from '../../../plot/plot';
import type { Period, RunSelection } from '../../../run/selection/selection';
import { CLICK_RADIUS, pansBy, positionIn } from '../../canvas/picture-input';
import { movedPeriod } from '../../selection/period';

interface Drag {
  readonly pointer: number;
  readonly from: CssPixels;
  /** The time there: a picture that follows moves on meanwhile. */
  readonly time: Seconds;
  /** Whether it moves through time; else it selects. */
  readonly pans: boolean;
  /** Where the pointer was last. */
  x: CssPixels;
  moves: boolean;
}

/**
 * The pointer and the keyboard on a time axis: they move the run's time cursor and select its period. A drag selects, the
 * arrow keys move the selected period, with Shift only its end, and Escape selects nothing. A drag with Shift or the middle
 * button moves through time, where that is possible.
 *
 * Guarantees: a drag is never also a click; other conditions of the selection stay.
 */
export class PeriodInput implements IDisposable {
  /**
   * @param node - what is pointed at; its left edge is position 0
   * @param axis - the axis that is drawn; `null` if there is none
   * @param began - called at the start of a drag
   * @param pan - moves to later times; `null` if the picture does not move
   */
  constructor(
    private readonly node: HTMLElement,
    private readonly axis: () => TimeAxis | null,
    private readonly selection: RunSelection,
    private readonly began: () => void,
    private readonly pan: ((distance: CssPixels) => void) | null = null
  ) {
    const { signal } = this.listening;
    node.addEventListener('pointerdown', event => this.down(event), { signal });
    node.addEventListener('pointermove', event => this.move(event), { signal });
    node.addEventListener('pointerup', event => this.release(event), { signal });
    node.addEventListener('pointercancel', event => this.release(event), { signal });
    node.addEventListener('pointerleave', () => this.leave(), { signal });
    node.addEventListener('click', event => this.click(event), { signal, capture: true });
    // The middle button would start autoscroll.
    node.addEventListener('mousedown', event => event.button === 1 && pan !== null && event.preventDefault(), { signal });
    node.addEventListener('keydown', event => this.key(event), { signal });
  }

  get isDisposed(): boolean {
    return this.listening.signal.aborted;
  }

  dispose(): void {
    if (!this.isDisposed) {
      this.listening.abort();
      this.leave();
      this.selection.settle();
    }
  }

  /** Whether the pointer is on the axis. */
  get points(): boolean {
    return this.pointing;
  }

  /** The pointer is no longer on the axis. */
  leave(): void {
    if (this.pointing) {
      this.pointing = false;
      this.selection.moveCursor(Number.NaN);
    }
  }

  private down(event: PointerEvent): void {
    // A drag with another button, or one that was broken off, is followed by no click; the next one is of this press.
    this.dragged = false;
    const axis = this.axis();
    const { x } = positionIn(this.node, event);
    // A finger scrolls the page.
    const pans = this.pan !== null && pansBy(event);
    if (axis !== null && (pans || event.button === 0) && event.pointerType !== 'touch' && x >= axis.left && x <= axis.right) {
      this.drag = { pointer: event.pointerId, from: x, time: axis.timeAt(x), pans, x, moves: false };
    }
  }

  private move(event: PointerEvent): void {
    const axis = this.axis();
    if (axis === null) {
      return;
    }
    const { x } = positionIn(this.node, event);
    this.point(axis, x);
    const { drag } = this;
    if (drag === null || drag.pointer !== event.pointerId) {
      return;
    }
    if (!drag.moves && Math.abs(x - drag.from) >= CLICK_RADIUS) {
      drag.moves = true;
      this.dragged = true;
      this.node.focus({ preventScroll: true });
      this.node.setPointerCapture(event.pointerId);
      this.began();
    }
    if (drag.moves && drag.pans) {
      this.pan?.(drag.x - x);
      drag.x = x;
    } else if (drag.moves) {
      this.selection.change({ period: between(axis, drag.time, x) }, true);
    }
  }

  private point(axis: TimeAxis, x: CssPixels): void {
    if (x < axis.left || x > axis.right) {
      this.leave();
    } else {
      this.pointing = true;
      this.selection.moveCursor(axis.timeAt(x));
    }
  }

  private release(event: PointerEvent): void {
    if (this.drag?.pointer === event.pointerId) {
      const { moves, pans } = this.drag;
      this.drag = null;
      if (moves && !pans) {
        this.selection.settle();
      }
    }
  }

  /** The click that follows the release of a drag pins no tooltip. */
  private click(event: MouseEvent): void {
    if (this.dragged) {
      this.dragged = false;
      event.stopPropagation();
      event.preventDefault();
    }
  }

  private key(event: KeyboardEvent): void {
    const axis = this.axis();
    const sign = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
    if (axis === null || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (sign !== 0) {
      const { period } = this.selection.current;
      // In positions, not in times: a step looks the same on both sides of a folded pause.
      const selected = period === null ? null : { from: axis.at(period.from), to: axis.at(period.to) };
      const { from, to } = movedPeriod(selected, { from: axis.left, to: axis.right }, sign, event.shiftKey);
      this.selection.change({ period: { from: axis.timeAt(from), to: axis.timeAt(to) } });
      event.preventDefault();
    } else if (event.key === 'Escape') {
      this.selection.clear();
    }
  }

  private readonly listening = new AbortController();
  private drag: Drag | null = null;
  /** The last press was a drag, and its click has not come yet. */
  private dragged = false;
  private pointing = false;
}

/** The period between a time and a visible position, at least one pixel long. */
function between(axis: TimeAxis, time: Seconds, x: CssPixels): Period {
  const other = axis.timeAt(Math.min(Math.max(x, axis.left), axis.right));
  const [from, to] = time < other ? [time, other] : [other, time];
  return { from, to: Math.max(to, axis.timeAt(axis.at(from) + 1)) };
}
