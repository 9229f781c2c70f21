/**
 * What travels over the websocket of a kernel, both ways, while the Status layout shows a cluster that idles. Row
 * idle_lease_bytes_per_second: beats and renewals of the lease; the bar is 500. Row idle_frames_bytes_per_second: frames, sent
 * when memory or CPU of a worker leaves its dead-band, as those of real processes do now and then. The baseline is what
 * Bokeh sends of an idle cluster of 100 workers. The envelopes of the websocket are not counted.
 */
import { expect, test } from '../e2e/harness/test';
import { reporter } from './_rows';

const SETUP = `
from distributed import Client
client = Client(n_workers=2, threads_per_worker=2, dashboard_address=":0")
client.gather(client.map(abs, range(100)))
client`;
/** Three renewals. */
const SECONDS = 60;
const BOKEH = 240_000;
/** Bytes a second that the lease of one kernel may take. */
const LEASE = 500;

const report = reporter('idle');

test('idle', async ({ lab }) => {
  test.setTimeout(300_000);
  const sums = { lease: { bytes: 0, messages: 0 }, frames: { bytes: 0, messages: 0 } };
  const count = ({ payload }: { readonly payload: string | Buffer }): void => {
    const sum = payload.includes('"kind": "frame"') ? sums.frames : sums.lease;
    sum.bytes += Buffer.byteLength(payload);
    sum.messages += 1;
  };
  lab.page.on('websocket', socket => {
    if (socket.url().includes('/channels')) {
      socket.on('framesent', count);
      socket.on('framereceived', count);
    }
  });
  const notebook = await lab.openNotebook([SETUP]);
  await notebook.run(0);
  await lab.command('dask-panes:layout', { name: 'status' });
  await lab.paneIs('task-stream', 'idle');
  await expect(lab.pane('task-stream').locator('.dp-Status-text')).toContainText('idle since');
  // Workers settle: their memory moves for a while after the last task.
  await lab.page.waitForTimeout(10_000);
  for (const sum of Object.values(sums)) {
    Object.assign(sum, { bytes: 0, messages: 0 });
  }
  await lab.page.waitForTimeout(SECONDS * 1000);
  await lab.paneIs('task-stream', 'idle');
  for (const [name, { bytes, messages }] of Object.entries(sums)) {
    if (name === 'lease') {
      expect(bytes / SECONDS).toBeLessThanOrEqual(LEASE);
    }
    report(`idle_${name}_bytes_per_second`, bytes / SECONDS, 'B/s', BOKEH, { messages });
  }
});
