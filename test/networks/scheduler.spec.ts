/**
 * A scheduler that only the kernel can reach: both are in a network namespace with nothing but a loopback interface. The
 * Jupyter server and the browser are outside of it; server and kernel speak over Unix sockets.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, environment, tool } from '../../scripts/lib/environment.mjs';
import { freePort } from '../e2e/harness/jupyter-process';
import { startOn } from '../e2e/harness/server';
import { expect, smoke, test } from './smoke';

/** Ends with this process: its input ends with it. */
function startCluster(port: number): ChildProcess {
  const script = join(ROOT, 'test', 'networks', 'namespace_cluster.py');
  const args = ['--user', '--map-root-user', '--net', tool('python'), script, String(port)];
  return spawn('unshare', args, { env: environment(), stdio: ['pipe', 'pipe', 'inherit'] });
}

/** Whether a process listens on a port of this machine. */
function isReached(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
  });
}

test('a scheduler that only the kernel can reach', async ({ page, afterwards }) => {
  test.setTimeout(240_000);
  // The path of a Unix socket has about a hundred characters at most.
  const home = mkdtempSync(join(tmpdir(), 'dask-panes-'));
  afterwards(() => rmSync(home, { recursive: true, force: true }));
  const port = await freePort();
  const cluster = startCluster(port);
  const ended = once(cluster, 'exit');
  afterwards(async () => {
    cluster.stdin?.end();
    await ended;
  });
  const [said] = (await once(cluster.stdout ?? cluster, 'data')) as [Buffer];
  expect(said.toString().trim()).toBe(`tcp://127.0.0.1:${port}`);
  expect(await isReached(port)).toBe(false);

  const spec = join(home, 'data', 'kernels', 'inside');
  mkdirSync(spec, { recursive: true });
  const inside = ['nsenter', '--target', String(cluster.pid), '--user', '--net', '--preserve-credentials'];
  const argv = [...inside, tool('python'), '-m', 'ipykernel_launcher', '-f', '{connection_file}'];
  writeFileSync(join(spec, 'kernel.json'), JSON.stringify({ argv, display_name: 'Python 3 (inside)', language: 'python' }));
  const open = ['--ServerApp.disable_check_xsrf=True', '--IdentityProvider.token='];
  const server = await freePort();
  // The server talks to its kernels over Unix sockets, as everywhere in these tests: those reach into another network.
  afterwards(await startOn(server, home, { options: open }));

  const client = `from distributed import Client\nclient = Client('tcp://127.0.0.1:${port}')`;
  await smoke(page, `http://127.0.0.1:${server}`, { client, kernel: 'inside' });
  expect(await isReached(port)).toBe(false);
});
