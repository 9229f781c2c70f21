/** Actions on single tasks and on one worker, clicked where the user meets them, on a cluster with a process of its own. */
import type { Locator } from '@playwright/test';
import { expect, test } from './harness/test';

const CLIENT = `
import os
from dask.distributed import Client, Event
client = Client(n_workers=1, threads_per_worker=2, memory_limit="500 MiB", dashboard_address=None)
there = os.path.abspath("there")
def fails_first(there):
    assert os.path.exists(there)
    return 7
def held(): Event("go").wait()
failed = client.submit(fails_first, there, key="failed-1")
waits = client.submit(held, key="held-1")`;

const PID = 'list(client.run(os.getpid).values())[0]';

test('a task is retried or cancelled, memory is trimmed, a worker and the cluster restarted by a click, after a question', async ({
  lab
}) => {
  const notebook = await lab.openNotebook([CLIENT]);
  await notebook.run(0);
  const dialog = lab.page.getByRole('dialog');
  const act = async (pane: Locator, button: string, question: RegExp, accept: string): Promise<void> => {
    await pane.getByRole('button', { name: button }).click();
    await expect(dialog).toContainText(question);
    await dialog.getByRole('button', { name: accept, exact: true }).click();
    await expect(dialog).toHaveCount(0);
  };
  const said = (text: string): Promise<void> => expect(lab.page.locator('.Toastify')).toContainText(text);
  // A client has one action at a time.
  const ended = (): Promise<void> =>
    expect
      .poll(() => notebook.value<number>('len(activate.channel()._actions._running)', 'from dask_panes.kernel import activate'))
      .toBe(0);

  await test.step('an erred task', async () => {
    await lab.command('dask-panes:open', { plot: 'task', number: 1, saved: { key: 'failed-1', number: -1 } });
    const task = await lab.openPlot('task');
    await expect(task).toContainText('AssertionError');
    await notebook.execute('open(there, "w").close()');
    await act(task, 'Retry task…', /failed-1/, 'Retry');
    await expect.poll(() => notebook.value<string>('failed.status')).toBe('finished');
    expect(await notebook.value<number>('failed.result()')).toBe(7);
    await expect(task.locator('.dp-Task-state').first()).toHaveText('in memory');
    await ended();
  });

  await test.step('a running task', async () => {
    await lab.command('application:close');
    await expect(lab.pane('task')).toHaveCount(0);
    await lab.command('dask-panes:open', { plot: 'task', number: 1, saved: { key: 'held-1', number: -1 } });
    const task = await lab.openPlot('task');
    await expect(task).toContainText('held-1');
    await act(task, 'Cancel task…', /1 unfinished task that this client wants is cancelled/, 'Cancel tasks');
    await expect.poll(() => notebook.value<string>('waits.status')).toBe('cancelled');
    await notebook.execute('Event("go").set()');
    await ended();
  });

  const address = await notebook.value<string>('list(client.scheduler_info()["workers"])[0]');
  await lab.command('dask-panes:open', { plot: 'worker', number: 1, options: { worker: address } });
  const worker = await lab.openPlot('worker');
  await expect(worker.locator('.dp-Worker-name')).toHaveText('worker 0');

  await test.step('its largest results are told', async () => {
    await expect(worker.locator('[data-part="holdings"]')).toContainText('failed-1');
  });

  await test.step('the memory of a worker', async () => {
    await act(worker, 'Trim memory…', /Results and tasks stay/, 'Trim memory');
    await said('1 worker gave back');
    await ended();
  });

  await test.step('a worker', async () => {
    const before = await notebook.value<number>(PID);
    await act(worker, 'Restart worker…', /Restart worker 0/, 'Restart');
    await said('Worker 0 was restarted.');
    expect(await notebook.value<number>(PID)).not.toBe(before);
    expect(await notebook.value<number>('client.submit(abs, -3).result()')).toBe(3);
    await ended();
  });

  await test.step('the cluster', async () => {
    await notebook.execute('kept = client.submit(abs, -4); kept.result()');
    const before = await notebook.value<number>(PID);
    const sidebar = await lab.sidebar();
    await sidebar.getByRole('button', { name: 'Actions on the cluster' }).click();
    await lab.page.getByRole('menuitem', { name: 'Restart the cluster…' }).click();
    await expect(dialog).toContainText('Its worker ends and starts again.');
    await expect(dialog).toContainText(/All tasks are lost: \d results?/);
    await dialog.getByRole('button', { name: 'Leave as it is' }).click();
    await expect(dialog).toHaveCount(0);
    expect(await notebook.value<string>('kept.status')).toBe('finished');
    await ended();
    await sidebar.getByRole('button', { name: 'Actions on the cluster' }).click();
    await lab.page.getByRole('menuitem', { name: 'Restart the cluster…' }).click();
    await dialog.getByRole('button', { name: 'Restart', exact: true }).click();
    await said('LocalCluster was restarted.');
    expect(await notebook.value<string>('kept.status')).toBe('cancelled');
    expect(await notebook.value<number>(PID)).not.toBe(before);
    expect(await notebook.value<number>('client.submit(abs, -5).result()')).toBe(5);
  });
});
