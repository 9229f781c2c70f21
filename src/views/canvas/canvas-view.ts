import type { Milliseconds } from '../../base/units';
import type { Plot, PlotContext } from '../../plot/plot';
import type { Run } from '../../run/run';
import { PacedView } from '../paced-view';
import { Summary } from '../summary';
import type { ViewHost } from '../view';
import type { CanvasStage } from './canvas-stage';

/**
 * A picture on canvases with a pointer, a keyboard cursor and a tooltip: timeline, flame graph, task graph.
 *
 * Guarantees, in addition to those of {@link PacedView}:
 * 1. `restart` is called once whenever another run is shown than before; a run that begins during a pause is shown, and
 *    reported, only after it.
 * 2. `release` is called whenever the view becomes hidden, and before it is disposed: no tooltip outlives its picture.
 * 3. The plot's `aria-label` summarises the picture and changes at most every 10 s; what the keyboard cursor reaches is
 *    announced at once.
 */
export abstract class CanvasView<P extends Plot, S extends CanvasStage> extends PacedView {
  constructor(
    protected readonly plot: P,
    host: ViewHost,
    protected readonly stage: S
  ) {
    super(host);
    this.summary = new Summary(stage.plot);
    this.shown.began.connect(this.restart, this);
  }

  override get node(): HTMLElement {
    return this.stage.node;
  }

  override setVisible(visible: boolean): void {
    super.setVisible(visible);
    if (!visible) {
      this.summary.rest();
      this.release();
    }
  }

  override focus(): void {
    this.stage.focus();
  }

  override dispose(): void {
    if (!this.isDisposed) {
      this.summary.rest();
      this.release();
      super.dispose();
      this.node.remove();
    }
  }

  /** Forget what belongs to the previous run, and draw the other one. */
  protected abstract restart(): void;

  /** Release what is outside the view's element: the tooltip, shares of other views. */
  protected abstract release(): void;

  /** Announce what the keyboard cursor has reached. */
  protected announce(text: string): void {
    this.stage.live.textContent = text;
  }

  /** Describe the picture to assistive technology. */
  protected summarise(now: Milliseconds): void {
    const { plot, shown } = this;
    this.summary.renewInSteps(() => stepsOf(plot, shown.run, this.context()), now);
  }

  private readonly summary: Summary;
}

/** The summary of a plot, in steps where it has them. */
function* stepsOf(plot: Plot, run: Run, context: PlotContext): Generator<void, string, void> {
  return plot.summarySteps === undefined ? plot.summary(run, context) : yield* plot.summarySteps(run, context);
}
