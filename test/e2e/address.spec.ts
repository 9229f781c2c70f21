/** A scheduler that runs somewhere, with TLS: from the form to a pane with its tasks. */
import { expect, test } from './harness/test';

/** `dask scheduler` and `dask worker`, as people start them, with certificates in files. */
const CLUSTER = `
import atexit, json, os, subprocess, sys, time
from distributed.security import Security
role = Security.temporary().get_tls_config_for_role("scheduler")
for name in ("cert", "key"):
    with open(f"{name}.pem", "w") as file:
        file.write(role[name])
files = [f"--tls-{option}={name}.pem" for option, name in (("ca-file", "cert"), ("cert", "cert"), ("key", "key"))]
def start(*command):
    process = subprocess.Popen([sys.executable, "-m", "dask", *command, *files])
    atexit.register(process.kill)
start("scheduler", "--protocol=tls", "--host=127.0.0.1", "--port=0", "--dashboard-address=127.0.0.1:0", "--scheduler-file=scheduler.json")
while not os.path.exists("scheduler.json"):
    time.sleep(0.1)
start("worker", "--scheduler-file=scheduler.json", "--no-nanny", "--nthreads=1", "--no-dashboard")
with open("scheduler.json") as file:
    address = json.load(file)["address"]`;

test('a notebook connects to an address with TLS by the files of its certificates', async ({ lab }) => {
  const notebook = await lab.openNotebook([CLUSTER]);
  await notebook.run(0);
  const address = await notebook.value<string>('address');
  expect(address).toMatch(/^tls:\/\/127\.0\.0\.1:\d+$/);
  const folder = await notebook.value<string>('os.getcwd()');
  const sidebar = await lab.sidebar();
  await sidebar.getByRole('button', { name: 'Connect to address…' }).click();
  const dialog = lab.page.getByRole('dialog');
  await dialog.locator('input[name="scheduler"]').fill(address);
  await dialog.locator('input[name="key"]').fill(`${folder}/key.pem`);
  await dialog.getByRole('button', { name: 'Insert the code' }).click();
  await expect(dialog.locator('.dp-Field[data-field="ca"] .dp-Field-error')).toContainText('is needed');
  await dialog.locator('input[name="ca"]').fill(`${folder}/cert.pem`);
  await dialog.locator('input[name="certificate"]').fill(`${folder}/cert.pem`);
  await dialog.getByRole('button', { name: 'Insert the code' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(notebook.cell(1)).toContainText('tls_client_key');
  await notebook.run(1);
  expect(await notebook.value<readonly unknown[]>('[client.scheduler.address, client.submit(abs, -2).result()]')).toEqual([
    address,
    2
  ]);
  await lab.openPlot('progress');
  await expect(lab.pane('progress').locator('.dp-Pane-counts')).toContainText('1 / 1 done');
});
