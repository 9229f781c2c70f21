import type { IDisposable } from '@lumino/disposable';
import { element } from '../../base/element';
import type { CssPixels } from '../../base/units';
import type { Run } from '../../run/run';
import { AdviceMarks, type MarkedAxis } from '../advice/marks';
import type { ViewHost } from '../view';
import { EventStrip } from './strip';

/** What is above a time axis in room of its own: causes of lost time, below them events. */
export class TimeMarks implements IDisposable {
  /** @param changed - the advice about the run has changed */
  constructor(host: ViewHost, changed: () => void) {
    this.causes = new AdviceMarks(host, changed);
    this.events = new EventStrip(host);
    this.node = element('div', { class: 'dp-TimeMarks' }, this.causes.node, this.events.node);
  }

  readonly node: HTMLElement;

  get isDisposed(): boolean {
    return this.causes.isDisposed;
  }

  dispose(): void {
    this.causes.dispose();
    this.events.dispose();
  }

  /** The height that they take, 0 without any. */
  get height(): CssPixels {
    return this.causes.height + this.events.height;
  }

  /**
   * Write the marks of a run. Returns whether their height is another one.
   *
   * @param height - of the view
   * @param font - interface font size relative to the default
   */
  update(run: Run, axis: MarkedAxis, height: CssPixels, font: number): boolean {
    const moved = this.causes.update(run, axis, height, font);
    return this.events.update(run, axis, height, font) || moved;
  }

  private readonly causes: AdviceMarks;
  private readonly events: EventStrip;
}
