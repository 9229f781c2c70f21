import { changeset, truthy } from 'vega';
import type { PlotContext, VegaFrame, VegaPlot } from '../../../src/plot/plot';
import type { Run } from '../../../src/run/run';
import { startChart } from '../../../src/views/vega/compile';
import { WHOLE, rowWindow } from '../../../src/views/vega/row-window';
import { context, theme } from '../plots/cluster';

/** The frame that a view of a size hands to a plot. */
export function frameOf(plot: VegaPlot, run: Run, width = 400, height = 300, ctx = context()): VegaFrame {
  const { rows } = plot.picture(run, ctx, { width, height });
  const window = rows === undefined ? WHOLE : rowWindow(rows.count, height, rows.pitch, rows.margins, 0);
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
  const picture = plot.picture(run, ctx, frame);
  const { params, data } = picture.draw(frame);
  const chart = startChart(picture.spec(), null, options.interpret ?? false);
  chart.view.width(frame.width).height(frame.height);
  for (const [name, value] of Object.entries(params)) {
    chart.view.signal(name, value);
  }
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
