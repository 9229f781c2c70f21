/**
 * A picture of every cause that the adviser knows, with its evidence, on the recording of a workload that has it;
 * `UPDATE_SCREENSHOTS=1` writes those of the documentation.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment, ROOT, tool } from '../../scripts/lib/environment.mjs';
import { expect, test } from '../e2e/harness/test';
import type { Widget } from '@lumino/widgets';

const FOLDER = join(
  ...(process.env.UPDATE_SCREENSHOTS ? [ROOT, 'docs', 'pictures', 'advice'] : [ROOT, 'test-results', 'pictures', 'advice'])
);
/** Recordings of `npm run bench -- advice`; what is missing is recorded. */
const RECORDINGS = join(ROOT, 'test-results', 'advice');
const MINUTE = 60_000;

/** In CSS pixels: the list beside the plot that proves the cause. */
const SCREEN = { width: 1440, height: 460 };

/** Causes and their workloads, as the documentation names them. */
const CAUSES = [...readFileSync(join(ROOT, 'docs', 'advice.md'), 'utf8').matchAll(/^`([\w-]+)`; shown by `[\w/]+\/(\w+)\.py`/gm)];

function recorded(workload: string): string {
  const path = join(RECORDINGS, `${workload}.bad.0.dask-run`);
  if (!existsSync(path)) {
    execFileSync(tool('python'), [join(ROOT, 'test', 'advice', 'record.py'), RECORDINGS, '0', workload], { env: environment() });
  }
  return path;
}

/** The function of the computation whose time a workload is about; empty where it is about all. */
function selectedIn(workload: string): string {
  const source = readFileSync(join(ROOT, 'test', 'advice', 'workloads', `${workload}.py`), 'utf8');
  return /^SELECTED = "(\w+)"$/m.exec(source)?.[1] ?? '';
}

for (const [, cause, workload] of CAUSES) {
  test(`${cause}: what is reported, and the plot that proves it`, async ({ lab }) => {
    test.setTimeout(6 * MINUTE);
    mkdirSync(FOLDER, { recursive: true });
    mkdirSync(join(lab.root, lab.name), { recursive: true });
    const file = `${lab.name}/${workload}.dask-run`;
    copyFileSync(recorded(workload), join(lab.root, file));
    await lab.page.setViewportSize(SCREEN);
    await lab.command('dask-panes:open-recording', { path: file });
    const recording = lab.page.locator('.dp-Recording:visible');
    await expect(recording).toHaveAttribute('data-state', 'ready');
    const selected = selectedIn(workload);
    if (selected !== '') {
      await recording.getByRole('button', { name: 'Computations', exact: true }).click();
      const row = lab.pane('computations').locator('.dp-Table-body .dp-Table-row', { hasText: `: ${selected}` });
      await row.locator('[role="gridcell"]').nth(1).click();
      await expect(lab.pane('computations').locator('[aria-selected="true"]')).toHaveCount(1);
      await lab.command('dask-panes:open-recording', { path: file });
    }
    await recording.getByRole('button', { name: 'Advice', exact: true }).click();
    const verdict = lab.pane('advice').locator(`[data-cause="${cause}"]`);
    await verdict.getByRole('button', { name: 'Show me' }).click();
    const proof = lab.page.locator('.dp-Pane[data-plot]:not([data-plot="advice"]):visible');
    await expect(proof).toBeVisible();
    // The plot beside the list, and both instead of what they cover.
    await lab.page.evaluate(
      plot => {
        const { shell } = window.jupyterapp;
        const all = [...shell.widgets('main')];
        const of = (id: string): Widget | undefined => {
          const selector = `.dp-Pane[data-plot="${id}"]`;
          return all.find(({ node }) => node.matches(selector) || node.querySelector(selector) !== null);
        };
        const [list, pane] = [of('advice'), of(plot)];
        const [first, ...others] = all.filter(each => each !== list && each !== pane);
        for (const each of others) {
          shell.add(each, 'main', { mode: 'tab-before', ref: first.id, activate: false });
        }
        list && shell.add(list, 'main', { mode: 'tab-after', ref: first.id });
        pane && shell.add(pane, 'main', { mode: 'split-right', ref: list?.id });
      },
      (await proof.getAttribute('data-plot')) ?? ''
    );
    await verdict.scrollIntoViewIfNeeded();
    for (const pane of [lab.pane('advice'), proof]) {
      await expect(pane).not.toHaveAttribute('data-state', /loading|connecting/);
      await expect(pane).not.toContainText('Loading');
    }
    // Plots are painted in parts, a few milliseconds in each frame.
    const panel = lab.page.locator('#jp-main-dock-panel');
    let before = '';
    await expect
      .poll(async () => {
        const last = before;
        before = (await panel.screenshot()).toString('base64');
        return before === last;
      })
      .toBe(true);
    writeFileSync(join(FOLDER, `${cause}.png`), Buffer.from(before, 'base64'));
  });
}
