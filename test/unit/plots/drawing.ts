import type { PlotContext, VegaDrawing, VegaFrame, VegaPlot } from '../../../src/plot/plot';
import type { Run } from '../../../src/run/run';

/** Datasets of a picture. */
export function dataOf(plot: VegaPlot, run: Run, context: PlotContext, frame: VegaFrame): VegaDrawing['data'] {
  return plot.picture(run, context, frame).draw(frame).data;
}

/** Parameters of a picture. */
export function paramsOf(plot: VegaPlot, run: Run, context: PlotContext, frame: VegaFrame): VegaDrawing['params'] {
  return plot.picture(run, context, frame).draw(frame).params;
}

/** Rows of a picture, in view or not. */
export function rowCountOf(plot: VegaPlot, run: Run, context: PlotContext): number {
  return plot.picture(run, context, { width: 600, height: 300 }).rows?.count ?? 0;
}
