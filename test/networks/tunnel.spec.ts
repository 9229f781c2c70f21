/** `ssh -L` to Jupyter and to nothing else: the daemon refuses every other port. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../e2e/harness/jupyter-process';
import { startOn } from '../e2e/harness/server';
import { expect, homeOf, shows, smoke, test } from './smoke';
import { startSshd, Tunnel } from './ssh';

test('a tunnel of ssh to Jupyter only, which is lost and comes back', async ({ page, afterwards }) => {
  test.setTimeout(300_000);
  const home = homeOf('tunnel');
  rmSync(home, { recursive: true, force: true });
  const jupyter = await freePort();
  afterwards(await startOn(jupyter, home));
  const folder = join(home, 'ssh');
  const daemon = await startSshd(folder, jupyter, afterwards);
  const tunnel = await Tunnel.open(folder, daemon, jupyter, afterwards);

  const { lab, notebook } = await smoke(page, tunnel.url);

  await tunnel.close();
  // JupyterLab's own question may come over the page at any time while the server cannot be reached.
  const question = page.locator('.jp-Dialog', { hasText: 'Server Connection Error' });
  await page.addLocatorHandler(question, dialog => dialog.getByRole('button').last().click());
  const stream = lab.pane('task-stream');
  await expect(stream).toHaveAttribute('data-state', 'disconnected');
  await tunnel.connect();
  // JupyterLab tries again by itself, half a minute later at most.
  await expect(stream).toHaveAttribute('data-state', /^(live|idle)$/, { timeout: 90_000 });
  await notebook.runAgain(2);
  await shows(lab, 90);
});
