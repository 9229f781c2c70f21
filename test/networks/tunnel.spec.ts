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
  const stream = lab.pane('task-stream');
  await expect(stream).toHaveAttribute('data-state', 'disconnected');
  await tunnel.connect();
  await stream.locator('.dp-Banner').getByRole('button', { name: 'Reconnect' }).click();
  await shows(lab, 60);
  await page
    .locator('.jp-Dialog')
    .getByRole('button')
    .last()
    .click({ timeout: 1000 })
    .catch(() => undefined);
  await notebook.runAgain(2);
  await shows(lab, 90);
});
