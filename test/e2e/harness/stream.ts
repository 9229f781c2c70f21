/** Content of a task stream, and what its canvas shows. */
import type { Locator, Page } from '@playwright/test';
import type { DEPTH_SHIFT as DepthShift, ERRED as ErredBit } from '../../../src/run/lanes/lane-chunk';

/** Playwright cannot load the extension's sources, but their types apply: different values do not compile. */
const ERRED: typeof ErredBit = 1;
export const DEPTH_SHIFT: typeof DepthShift = 1;

/** One execution in the pane. Times are in seconds of scheduler time. */
export interface Block {
  readonly row: number;
  readonly lane: number;
  /** Its sub-lane: executions of one thread occasionally overlap. */
  readonly depth: number;
  readonly start: number;
  readonly duration: number;
  readonly erred: boolean;
}

/** Number of executions in the title line of a task stream; NaN without one. */
export async function tasksInTitle(pane: Locator): Promise<number> {
  const text = (await pane.locator('.dp-Pane-counts').textContent()) ?? '';
  return Number(/([\d,]+) executions?/.exec(text)?.[1].replaceAll(',', ''));
}

/** All executions in the task stream's pane, in the order of the feed. */
export async function blocks(page: Page): Promise<readonly Block[]> {
  const held = await page.evaluate(() =>
    window.daskPanesTest.run('task-stream').tasks.lanes.flatMap((lane, number) =>
      (lane?.compute.chunks ?? []).flatMap(chunk =>
        Array.from({ length: chunk.length }, (_, i) => {
          const { row, start, duration, flags } = chunk.at(i);
          return { row, lane: number, start, duration, flags };
        })
      )
    )
  );
  return held
    .map(({ flags, ...block }) => ({ ...block, depth: flags >> DEPTH_SHIFT, erred: (flags & ERRED) !== 0 }))
    .sort((a, b) => a.row - b.row);
}

/**
 * The colours of the canvas along the middle of a block, from its first quarter to its last, as `#rrggbb`.
 *
 * @param pane - of the task stream
 * @returns none while the block is not visible
 */
export function coloursOf(pane: Locator, block: Block): Promise<string[]> {
  return pane.locator('.dp-Timeline').evaluate((timeline, { lane, depth, start, duration }) => {
    interface Pixel {
      readonly x: number;
      readonly y: number;
    }
    const context = timeline.querySelector<HTMLCanvasElement>('canvas.dp-Timeline-data')?.getContext('2d');
    if (!context) {
      throw new Error('the task stream has no canvas');
    }
    const find = (share: number): Pixel | null => {
      const found: Pixel[] = [];
      const reply = (location: { readonly pixel: Pixel } | null): void => {
        found.push(...(location ? [location.pixel] : []));
      };
      timeline.dispatchEvent(new CustomEvent('dp-locate', { detail: { lane, depth, time: start + duration * share, reply } }));
      return found[0] ?? null;
    };
    const [first, last] = [find(0.25), find(0.75)];
    if (first === null || last === null) {
      return [];
    }
    const { data } = context.getImageData(first.x, first.y, Math.max(1, last.x - first.x), 1);
    const hex = (value: number): string => value.toString(16).padStart(2, '0');
    return Array.from({ length: data.length / 4 }, (_, i) => `#${[...data.slice(4 * i, 4 * i + 3)].map(hex).join('')}`);
  }, block);
}

/** The colour of an entry of a pane's legend, as `#rrggbb`. */
export async function legendColour(pane: Locator, label: string): Promise<string> {
  // "get or store data" is there on a busy machine.
  const item = pane.locator('.dp-Legend-item').and(pane.getByRole('button', { name: label, exact: true }));
  const colour = await item
    .locator('.dp-Swatch')
    .evaluate(swatch => (swatch as HTMLElement).style.getPropertyValue('--dp-swatch'));
  return colour.trim().toLowerCase();
}
