import type { ChildProcess } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/environment.mjs';
import { answers, freePort, stop, supervised } from './harness/jupyter-process';
import { expect, test } from './harness/test';

const HOME = join(ROOT, 'test-results', 'demo');
const WORKSPACE = join(ROOT, 'docs', 'examples', 'demo.jupyterlab-workspace');
const LOG = join(ROOT, 'test-results', 'demo.log');

/** `npm start` as a user on a server types it, with a home of its own. */
function start(port: number): ChildProcess {
  const args = ['scripts/start.mjs', '--no-browser', '--port', String(port), '--IdentityProvider.token='];
  const env = { ...process.env, DASK_PANES_DEMO_HOME: HOME };
  return supervised(process.execPath, args, { cwd: ROOT, env, log: LOG });
}

test('npm start opens the demo with the Status layout beside it', async ({ page }) => {
  rmSync(HOME, { recursive: true, force: true });
  rmSync(LOG, { force: true });
  const port = await freePort();
  const demo = start(port);
  try {
    const url = `http://127.0.0.1:${port}`;
    await answers(url, demo, LOG);
    await page.goto(`${url}/lab`);
    await expect(page.locator('.jp-NotebookPanel')).toBeVisible();
    const plots = Object.keys(JSON.parse(readFileSync(WORKSPACE, 'utf8')).data).flatMap(
      key => /^dask-panes:(.+):1$/.exec(key)?.[1] ?? []
    );
    expect(plots).toContain('task-stream');
    for (const plot of plots) {
      await expect(page.locator(`[data-plot="${plot}"][data-state]`)).toBeAttached();
    }
    await expect(page.locator('[data-plot="task-stream"][data-state]')).toBeVisible();
    await expect(page.locator('.dp-Sidebar')).toBeVisible();
    // JupyterLab asks whether it may fetch news where its setting does not say so, some time after its start.
    const answer = await fetch(`${url}/lab/api/settings/@jupyterlab/apputils-extension:notification`);
    expect(JSON.parse(((await answer.json()) as { readonly raw: string }).raw)).toMatchObject({ fetchNews: 'false' });
    await expect(page.getByText('notified about official Jupyter news')).toHaveCount(0);

    // The file of the repository stays as it is: the demo is a copy.
    expect(readFileSync(join(HOME, 'notebooks', 'demo.ipynb'), 'utf8')).toContain('Dask Panes: a first look');
  } finally {
    await stop(demo);
  }
});
