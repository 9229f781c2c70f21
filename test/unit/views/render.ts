import { changeset, truthy } from 'vega';
import type { PlotContext, VegaFrame, VegaPlot } from '../../../src/plot/plot';
import type { Run } from '../../../src/run/run';
import { startChart } from '../../../src/views/vega/compile';
import { rowWindow } from '../../../src/views/vega/row-window';
import { context, theme } from '../plots/cluster';

/** The frame that a view of a size hands to a plot. */
export function frameOf(plot: VegaPlot, run: Run, width = 400, height = 300, ctx = context()): VegaFrame {
  const rows = plot.rowCount(run, ctx);
  const margins = plot.rowMargins?.(run, ctx, width, height) ?? { top: 0, bottom: 0 };
  const pitch = plot.rowPitch?.(rows, height - margins.top - margins.bottom) ?? 25;
  const window = rowWindow(rows, height, pitch, margins, 0);
  return { width, height, firstRow: window.first, endRow: window.end };
}

/** What the view does, without a canvas. */
export async function render(
  plot: VegaPlot,
  run: Run,
  options: { interpret?: boolean; dark?: boolean; width?: number; height?: number; choices?: PlotContext['options'] } = {}
) {
  const ctx = context({ theme: theme(options.dark ? '#111111' : '#ffffff'), options: options.choices ?? {} });
  const frame = frameOf(plot, run, options.width, options.height, ctx);
  const chart = startChart(plot.spec(run, ctx, frame), null, options.interpret ?? false);
  chart.view.width(frame.width).height(frame.height);
  for (const [name, value] of Object.entries(plot.params?.(run, ctx, frame) ?? {})) {
    chart.view.signal(name, value);
  }
  const data = plot.data(run, ctx, frame);
  for (const [name, rows] of Object.entries(data)) {
    chart.view.change(
      name,
      changeset()
        .remove(truthy)
        .insert([...rows])
    );
  }
  await chart.view.runAsync();
  const svg = await chart.view.toSVG();
  const fault = chart.takeFault();
  chart.view.finalize();
  return { svg, fault, data };
}
