import type { IDisposable } from '@lumino/disposable';
import type { CssPixels, Seconds, Share } from '../../../base/units';
import type { TimeAxis } from '../../../plot/plot';
import type { Run } from '../../../run/run';
import { type Period, selectionOf } from '../../../run/selection/selection';
import { windowOf } from '../../../run/time-window';
import { knownTime } from '../../../charts/over-time/span';
import { type Keys, onKeys } from '../../canvas/keys';
import { PART_KEYS, type PictureControls, positionIn } from '../../canvas/picture-input';
import { wheelFactor, wheelOverTime } from '../../canvas/wheel';
import { isInScroller, type WheelHint } from '../../canvas/wheel-hint';
import { selectedAround } from '../../selection/period';
import { fitted, keptIn, type Part, panned, zoomed } from './moves';

/** Shorter periods are not shown: most of what charts show is measured once a second. */
const SHORTEST: Seconds = 0.01;

/** What is drawn. */
export interface Shown {
  readonly run: Run;
  readonly axis: TimeAxis;
}

type Controls = Pick<PictureControls, 'zoom' | 'panShare' | 'fit'> & { follow(): void };

const KEYS: Keys<Controls> = { ...PART_KEYS, follow: controls => controls.follow() };

/**
 * The visible time of all views of a run, changed from a chart: wheel and keys as in the task stream, a double click shows the
 * selected period, or, elsewhere, what was shown before.
 *
 * Guarantees: each step goes from where the previous one has led, also before that is drawn. Without a time axis, or
 * with nothing known of the run, nothing changes, and the wheel stays with the page.
 */
export class TimeZoom implements IDisposable, Controls {
  /**
   * @param node - what is pointed at; its left edge is position 0
   * @param shown - what is drawn; `null` without a time axis
   */
  constructor(
    private readonly node: HTMLElement,
    private readonly shown: () => Shown | null,
    private readonly hint: WheelHint
  ) {
    const { signal } = this.listening;
    node.addEventListener('wheel', event => this.wheel(event), { signal, passive: false });
    node.addEventListener('dblclick', event => this.doubleClick(positionIn(node, event).x), { signal });
    onKeys<Controls>(node, 'chart', KEYS, this, signal);
  }

  get isDisposed(): boolean {
    return this.listening.signal.aborted;
  }

  dispose(): void {
    this.listening.abort();
  }

  /** Show `factor` times as much time; `x` stays fixed, NaN for the middle. */
  zoom(factor: number, x: CssPixels): void {
    this.move((part, { left, right }) => {
      const share = (x - left) / (right - left);
      return zoomed(part, factor, Number.isNaN(share) ? 0.5 : Math.min(1, Math.max(0, share)));
    });
  }

  /** Move to later times (`distance` > 0). */
  pan(distance: CssPixels): void {
    this.move((part, { left, right }) => panned(part, (distance * (part.right - part.left)) / (right - left)));
  }

  panShare(share: Share): void {
    this.move(part => panned(part, share * (part.right - part.left)));
  }

  /** Show the whole run. */
  fit(): void {
    this.move((_, __, run) => fitted(run));
  }

  /** Show what was shown before the user went away. */
  follow(): void {
    const { shown } = this;
    const window = this.window(shown());
    if (window !== null && window.next !== null) {
      window.go(null);
    }
  }

  private wheel(event: WheelEvent): void {
    const shown = this.shown();
    if (shown !== null && runOn(shown) !== null) {
      wheelOverTime(event, {
        zoom: turned => this.zoom(wheelFactor(turned), positionIn(this.node, turned).x),
        pan: distance => this.pan(distance),
        scrolls: () => this.scrolls()
      });
    }
  }

  private scrolls(): boolean {
    const scrolls = isInScroller(this.node);
    if (scrolls) {
      this.hint.show();
    }
    return scrolls;
  }

  private doubleClick(x: CssPixels): void {
    const shown = this.shown();
    const period = shown && selectedAround(selectionOf(shown.run).current.period, shown.axis.timeAt(x));
    if (period) {
      this.window(shown)?.go(period);
    } else {
      this.follow();
    }
  }

  private move(step: (part: Part, axis: Part, run: Part) => Part): void {
    const shown = this.shown();
    const run = shown && runOn(shown);
    if (shown === null || run === null) {
      return;
    }
    const { axis } = shown;
    const window = windowOf(shown.run);
    const drawn = { from: axis.timeAt(axis.left), to: axis.timeAt(axis.right) };
    const before = window.next ?? drawn;
    const { left, right } = keptIn(step(partOf(before, axis), axis, run), run);
    const period = { from: axis.timeAt(left), to: axis.timeAt(right) };
    if (period.to - period.from >= Math.min(SHORTEST, before.to - before.from)) {
      window.go(period);
    }
  }

  private window(shown: Shown | null): ReturnType<typeof windowOf> | null {
    return shown === null ? null : windowOf(shown.run);
  }

  private readonly listening = new AbortController();
}

/** Positions of a period. */
function partOf({ from, to }: Period, axis: TimeAxis): Part {
  return { left: axis.at(from), right: axis.at(to) };
}

/** Where the run is on an axis; `null` while nothing is known of it. */
function runOn({ run, axis }: Shown): Part | null {
  const known = knownTime(run);
  return known === null ? null : partOf(known, axis);
}
