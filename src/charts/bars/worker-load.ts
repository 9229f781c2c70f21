/** How busy a worker is, drawn alike in the plots of tasks and of occupancy. */
import { mix } from '../../base/theme';
import type { BarSegment, BarText } from '.';
import type { LegendItem, PlotContext } from '../../plot/plot';
import { isHalted, type WorkerRow, workerWord } from '../../selectors/workers/worker-rows';

/** Legend ids of loads: a click hides the workers with that load. */
const LOAD_LEGEND = { idle: 'load:idle', busy: 'load:busy', saturated: 'load:saturated' } as const;

/** Whether the legend shows a worker. */
export function loadShown(row: WorkerRow, context: PlotContext): boolean {
  return !context.hidden.has(LOAD_LEGEND[row.load]);
}

/** The full colour of a worker's load. */
export function loadColour(row: WorkerRow, context: PlotContext): string {
  return isHalted(row) ? context.theme.worker.paused : context.theme.worker[row.load];
}

/** Fill of a segment: the full colour, pale with an outline, or an outline only. */
export type Fullness = 'full' | 'pale' | 'hollow';

/** A segment in the colour of a worker's load; idle workers are hollow. */
export function loadSegment(row: WorkerRow, size: number, fullness: Fullness, context: PlotContext): BarSegment {
  const colour = loadColour(row, context);
  const { background } = context.theme;
  switch (row.load === 'idle' && !isHalted(row) ? 'hollow' : fullness) {
    case 'full':
      return { size, fill: colour };
    case 'pale':
      return { size, fill: mix(colour, background, 0.6), outline: colour };
    case 'hollow':
      return { size, fill: background, outline: colour };
  }
}

/** The symbol of a worker's state after its value; none if it is simply busy. */
export function loadSign(row: WorkerRow, context: PlotContext): BarText {
  const word = workerWord(row, context.theme, context.trans);
  return { text: word.sign === '■' ? '' : word.sign, colour: word.tone === 'bad' ? context.theme.bad : word.colour };
}

/** Legend of loads. */
export function loadLegend({ theme, trans }: PlotContext): LegendItem[] {
  return [
    { id: LOAD_LEGEND.busy, label: trans.__('busy'), colour: theme.worker.busy, pattern: 'none' },
    { id: LOAD_LEGEND.saturated, label: trans.__('◆ saturated'), colour: theme.worker.saturated, pattern: 'none' },
    { id: LOAD_LEGEND.idle, label: trans.__('idle'), colour: theme.worker.idle, pattern: 'hollow' }
  ];
}
