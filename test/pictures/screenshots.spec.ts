/** Pictures of the Status layout on the demo's work; `UPDATE_SCREENSHOTS=1` writes those of the documentation. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/environment.mjs';
import type { Lab } from '../e2e/harness/lab';
import type { Notebook } from '../e2e/harness/notebook';
import { expect, test } from '../e2e/harness/test';

const EXAMPLES = join(ROOT, 'docs', 'examples');
/** A normal run leaves the checkout as it is. */
const FOLDER = process.env.UPDATE_SCREENSHOTS ? join(ROOT, 'docs') : join(ROOT, 'test-results', 'screenshots');

/** Cells of the demo. */
const [CLIENT, FUTURES, ARRAY] = [1, 3, 5];

/** Put the demo and its workspace into this JupyterLab, with a tenth of its small tasks, and open them. */
async function openDemo(lab: Lab): Promise<Notebook> {
  const demo = readFileSync(join(EXAMPLES, 'demo.ipynb'), 'utf8');
  const smaller = demo.replaceAll('range(4000)', 'range(400)').replace('12,000 tasks', '1,200 tasks');
  expect(smaller).not.toBe(demo);
  writeFileSync(join(lab.root, 'demo.ipynb'), smaller);
  const workspace = JSON.parse(readFileSync(join(EXAMPLES, 'demo.jupyterlab-workspace'), 'utf8'));
  const body = JSON.stringify({ ...workspace, metadata: { id: 'demo' } });
  expect((await fetch(`${lab.url}/lab/api/workspaces/demo`, { method: 'PUT', body })).ok).toBe(true);
  await lab.page.goto(`${lab.url}/lab/workspaces/demo`);
  await expect(lab.page.locator('.jp-NotebookPanel')).toBeVisible();
  return lab.notebook('demo.ipynb');
}

/** What makes the picture worth looking at. */
function sights(lab: Lab): Promise<{ functions: number; transfers: boolean; disk: boolean; spilled: boolean; running: boolean }> {
  return lab.page.evaluate(() => {
    const { tasks, workers } = window.daskPanesTest.run('task-stream');
    const sum = (column: 'spilled' | 'executing'): number => workers.ids.reduce((all, id) => all + workers.get(id, column), 0);
    const kinds = tasks.countOfKind.map((count, kind) => (count ? kind : -1));
    return {
      functions: tasks.countOfPrefix.filter(Boolean).length,
      transfers: kinds.includes(1),
      disk: kinds.includes(2) || kinds.includes(3),
      spilled: sum('spilled') > 0,
      running: sum('executing') > 0
    };
  });
}

test('the Status layout shows the work of the demo, light and dark', async ({ lab }) => {
  const notebook = await openDemo(lab);
  await notebook.run(CLIENT);
  await notebook.run(FUTURES);
  await notebook.start(ARRAY);
  await expect
    .poll(() => sights(lab), { timeout: 60_000 })
    .toMatchObject({ transfers: true, disk: true, spilled: true, running: true });
  expect((await sights(lab)).functions).toBeGreaterThanOrEqual(6);
  mkdirSync(FOLDER, { recursive: true });
  for (const scheme of ['Light', 'Dark'] as const) {
    await lab.theme(scheme);
    for (const pane of await lab.page.locator('.dp-Pane:visible').all()) {
      await expect(pane).toHaveAttribute('data-scheme', scheme.toLowerCase());
    }
    await notebook.reveal(ARRAY);
    await lab.page.screenshot({ path: join(FOLDER, `status-${scheme.toLowerCase()}.png`) });
  }
  // Threads may rest for a moment, and one figure of one heartbeat would say so; the work is not done.
  expect(await notebook.kernelStatus()).toBe('busy');
  await notebook.interrupt();
});
