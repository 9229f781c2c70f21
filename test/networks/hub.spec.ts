/** JupyterHub with the simple spawner on loopback: a user logs in and gets a server behind the hub's proxy. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jupyterHome } from '../../scripts/lib/jupyter.mjs';
import { freePort, stop, supervised } from '../e2e/harness/jupyter-process';
import { ROOT_VARIABLE } from '../e2e/harness/server';
import { expect, given, homeOf, smoke, test, until } from './smoke';

const PERSON = 'anna';
const PASSWORD = 'a-password-of-this-test';

test('JupyterHub with the simple spawner', async ({ page, afterwards }) => {
  test.setTimeout(300_000);
  const home = homeOf('hub');
  rmSync(home, { recursive: true, force: true });
  const folder = join(home, 'hub');
  mkdirSync(folder, { recursive: true });
  const { root, env } = jupyterHome(home);
  const [port, hub, proxy] = [await freePort(), await freePort(), await freePort()];
  const folders = Object.fromEntries(Object.entries(env).filter(([name]) => /^(JUPYTER|IPYTHON)/.test(name)));
  const asRoot = process.getuid?.() === 0 ? ['--allow-root'] : [];
  const args = [...asRoot, '--LabApp.expose_app_in_browser=True', '--LabApp.extension_manager=readonly'];
  const bin = given('DASK_PANES_TEST_HUB');
  const options = {
    'JupyterHub.bind_url': `http://127.0.0.1:${port}`,
    'JupyterHub.hub_bind_url': `http://127.0.0.1:${hub}`,
    'JupyterHub.cookie_secret_file': join(folder, 'cookie-secret'),
    'JupyterHub.db_url': `sqlite:///${join(folder, 'hub.sqlite')}`,
    'JupyterHub.authenticator_class': 'dummy',
    'JupyterHub.spawner_class': 'simple',
    'DummyAuthenticator.password': PASSWORD,
    'Authenticator.allow_all': 'True',
    'ConfigurableHTTPProxy.command': given('DASK_PANES_TEST_HUB_PROXY'),
    'ConfigurableHTTPProxy.api_url': `http://127.0.0.1:${proxy}`,
    'ConfigurableHTTPProxy.pid_file': join(folder, 'proxy.pid'),
    'SimpleLocalProcessSpawner.home_dir_template': folder,
    'Spawner.cmd': join(bin, 'jupyterhub-singleuser'),
    'Spawner.notebook_dir': root,
    'Spawner.default_url': '/lab'
  };
  const lines = [
    'c = get_config()',
    ...Object.entries(options).map(([name, value]) => `c.${name} = ${value === 'True' ? value : JSON.stringify(value)}`),
    `c.Spawner.args = ${JSON.stringify(args)}`,
    `c.Spawner.environment = ${JSON.stringify(folders)}`
  ];
  writeFileSync(join(folder, 'jupyterhub_config.py'), `${lines.join('\n')}\n`);
  const log = join(home, 'hub.log');
  const server = supervised(join(bin, 'jupyterhub'), ['-f', 'jupyterhub_config.py'], { cwd: folder, env, log });
  afterwards(() => stop(server));

  const url = `http://127.0.0.1:${port}`;
  await until('the hub answers', () =>
    fetch(`${url}/hub/api`).then(
      answer => answer.ok,
      () => false
    )
  );
  process.env[ROOT_VARIABLE] = root;
  await page.goto(url);
  await page.locator('input[name="username"]').fill(PERSON);
  await page.locator('input[name="password"]').fill(PASSWORD);
  await page.locator('input[type="submit"], button[type="submit"]').click();
  await expect(page).toHaveURL(new RegExp(`/user/${PERSON}/lab`), { timeout: 90_000 });
  await smoke(page, `${url}/user/${PERSON}`);
});
