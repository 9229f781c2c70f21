/** The ways in which every pane of the catalogue is looked at. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { CDPSession, Locator } from '@playwright/test';
import type { Lab } from '../e2e/harness/lab';
import { expect } from '../e2e/harness/test';
import { installDrawLog } from './draw-log';
import { type Painted, paintedBy } from './painted';
import { FUNCTION, HOSTILE } from './work';

/** Size of JupyterLab's interface font: the largest that the tests of the page's style take. */
const LARGEST = 20;
const ORDINARY = 13;
const SIZE = { width: 1600, height: 1000 };
/** Width of a narrow pane in CSS pixels. */
const NARROW = 300;

export const SIGHTS = ['light', 'narrow', 'zoom', 'font', 'dark'] as const;
export type Sight = (typeof SIGHTS)[number];

/** Looks at panes in one way after the other. */
export class Sights {
  constructor(private readonly lab: Lab) {}

  /** Log what is drawn, from a reload on. */
  async begin(): Promise<void> {
    await this.lab.page.addInitScript(installDrawLog);
    await this.lab.reload();
    this.session = await this.lab.page.context().newCDPSession(this.lab.page);
  }

  /**
   * Change the page.
   *
   * @param plot - an open pane, which is made narrow
   */
  async take(sight: Sight, plot: string): Promise<void> {
    const { lab } = this;
    this.taken = sight;
    await this.font(sight === 'font' ? LARGEST : ORDINARY);
    await lab.theme(sight === 'dark' ? 'Dark' : 'Light');
    if (sight === 'zoom') {
      await this.screen(SIZE.width / 2, SIZE.height / 2, 2);
      return;
    }
    await this.screen(SIZE.width, SIZE.height, 1);
    if (sight === 'narrow') {
      // Beside another area of the dock, a pane gets a part of what the page gets: less with each step is missing.
      let { width } = SIZE;
      await expect(async () => {
        await lab.frames();
        const wide = (await lab.pane(plot).boundingBox())?.width ?? NARROW;
        width = Math.max(NARROW, Math.min(SIZE.width, width + Math.round(NARROW - wide)));
        await this.screen(width, SIZE.height, 1);
        await lab.page.waitForFunction(wanted => window.innerWidth === wanted, width);
        await lab.frames();
        expect(Math.abs(wide - NARROW)).toBeLessThanOrEqual(1);
      }).toPass({ intervals: [100] });
    }
  }

  /** Undo it. */
  async end(): Promise<void> {
    await this.font(ORDINARY);
    await this.session?.send('Emulation.clearDeviceMetricsOverride');
  }

  /** Save a picture of a pane. Playwright's own would undo the size of the screen. */
  async picture(pane: Locator, path: string): Promise<void> {
    const { x, y, width, height } = (await pane.boundingBox()) ?? { x: 0, y: 0, width: 1, height: 1 };
    const { data } = (await this.session?.send('Page.captureScreenshot', { clip: { x, y, width, height, scale: 1 } })) ?? {};
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, Buffer.from(data ?? '', 'base64'));
  }

  /** Why a visible pane is not seen in the way that was taken; empty if it is. */
  async notSeen(plot: string): Promise<string> {
    const { taken, lab } = this;
    const width = (await lab.pane(plot).boundingBox())?.width ?? Number.NaN;
    const ratio = await lab.page.evaluate(() => window.devicePixelRatio);
    const wanted = taken === 'zoom' ? 2 : 1;
    const narrow = Math.abs(width - NARROW) <= 1;
    return ratio !== wanted || narrow !== (taken === 'narrow') ? `is ${width} px wide at ${ratio} pixels per px (${taken})` : '';
  }

  /** What a visible pane has painted, once its picture is whole or stays cut for a time in milliseconds. */
  async look(plot: string, patience = 30_000): Promise<Painted> {
    const { page } = this.lab;
    let painted: Painted = { marks: 0, cut: [] };
    await expect(async () => {
      await this.lab.frames();
      painted = await page.evaluate(paintedBy, [plot, [HOSTILE, FUNCTION]] as const);
      expect(painted.marks).toBeGreaterThan(0);
      expect(painted.cut).toEqual([]);
    })
      .toPass({ timeout: patience })
      .catch(() => undefined);
    return painted;
  }

  /** Labels of a visible pane without a picture that are cut now. */
  async cut(plot: string): Promise<readonly string[]> {
    await this.lab.frames();
    return (await this.lab.page.evaluate(paintedBy, [plot, [HOSTILE, FUNCTION]] as const)).cut;
  }

  private async screen(width: number, height: number, deviceScaleFactor: number): Promise<void> {
    await this.session?.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor, mobile: false });
  }

  private async font(size: number): Promise<void> {
    await this.lab.page.evaluate(value => document.documentElement.style.setProperty('--jp-ui-font-size1', value), `${size}px`);
  }

  private session: CDPSession | null = null;
  private taken: Sight = 'light';
}
