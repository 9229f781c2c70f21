/** The pictures of "How to read this plot": small panes, light and dark, as WebP. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { EXAMPLE_SIZE, exampleFile } from '../../scripts/docs/examples.mjs';
import { ROOT, tool } from '../../scripts/lib/environment.mjs';
import type { Lab } from '../e2e/harness/lab';
import { expect } from '../e2e/harness/test';

const FOLDER = join(ROOT, ...(process.env.UPDATE_SCREENSHOTS ? ['style', 'pictures'] : ['test-results', 'pictures']));
const START = { width: 1000, height: 400 };

/**
 * Make the page so small that its panes have the size of the pictures.
 *
 * @param plot - the pane in front in the area of the dock that has them all
 */
export async function makeSmall(lab: Lab, plot: string): Promise<void> {
  // A pane gets a part of what the page gets: less with each step is missing.
  const page = { ...START };
  await expect(async () => {
    await lab.page.setViewportSize(page);
    await lab.frames();
    const box = await lab.pane(plot).boundingBox();
    const width = Math.round(EXAMPLE_SIZE.width - (box?.width ?? 0));
    const height = Math.round(EXAMPLE_SIZE.height - (box?.height ?? 0));
    page.width += width;
    page.height += height;
    expect(Math.max(Math.abs(width), Math.abs(height))).toBeLessThanOrEqual(1);
  }).toPass({ intervals: [100], timeout: 60_000 });
}

/** Take the small picture of a pane. */
export async function takeSmall(lab: Lab, plot: string, scheme: 'light' | 'dark'): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const { width, height } = EXAMPLE_SIZE;
  const file = join(FOLDER, exampleFile(plot, scheme));
  const program = join(ROOT, 'test', 'pictures', 'encode.py');
  execFileSync(tool('python'), [program, file, String(width), String(height)], { input: await lab.pane(plot).screenshot() });
}
