/** Events as signs where time is an axis: above the picture of the card and the samples of the profile. */
import { expect, test } from './harness/test';

const CLIENT = `from time import sleep
from distributed import Client
client = Client(n_workers=1, threads_per_worker=2, processes=False, protocol='tcp', dashboard_address=None)
client`;
/** A graph of more than 10 MiB between tasks that the profile samples: each cell is a computation. */
const SLEEP = 'client.submit(sleep, 2, pure=False).result()';
const BIG = 'client.submit(len, bytes(11 * 2**20), pure=False).result()';

test('a big graph is marked on the card and in the profile, and a click leads to it', async ({ lab }) => {
  const notebook = await lab.openNotebook([CLIENT, SLEEP, BIG, SLEEP]);
  await notebook.runAll();
  const card = notebook.output(0).locator('.dp-ClientView-strip');
  const mark = card.locator('.dp-EventMark[data-kind="graph"]');
  await expect(mark).toHaveAttribute('title', /a graph of 1 task arrived, 11\.\d MiB/);
  const [strip, sign] = [await card.boundingBox(), await mark.boundingBox()];
  expect(sign?.height).toBeGreaterThan(10);
  expect(sign?.x).toBeGreaterThan(strip?.x ?? 0);
  await mark.click();
  await lab.paneIs('computations', 'live', 'idle');

  const profile = await lab.openPlot('profile');
  const marked = profile.locator('.dp-Flame-marks .dp-EventMark[data-kind="graph"]');
  await expect(marked).toBeVisible();
  // It is above the samples, and a press on it selects no period.
  const [samples, above] = [await profile.locator('.dp-Flame-strip').boundingBox(), await marked.boundingBox()];
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual((samples?.y ?? 0) + 1);
  await marked.click();
  await expect(lab.pane('computations')).toBeVisible();
  await lab.openPlot('profile');
  await expect(profile.locator('.dp-Flame-brush')).toBeHidden();
});
