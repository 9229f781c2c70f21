/** Starting and ending a JupyterLab from outside. */
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** Milliseconds that JupyterLab may take to answer; a cold machine needs about ten seconds. */
const START = 90_000;
/** Milliseconds that it may take to end its kernels and itself. */
const STOP = 20_000;

/**
 * Wait until JupyterLab answers.
 *
 * @param url - its address
 * @param server - its process
 * @param log - the file that it writes to
 * @throws Error with the end of the log when it ends or stays silent
 */
export async function answers(url: string, server: ChildProcess, log: string): Promise<void> {
  const deadline = Date.now() + START;
  while (Date.now() < deadline && server.exitCode === null) {
    const answer = await fetch(`${url}/api`).catch(() => null);
    if (answer?.ok) {
      return;
    }
    await new Promise(resolve => setTimeout(resolve, 200));
  }
  throw new Error(`JupyterLab does not answer. The end of its log:\n${readFileSync(log, 'utf8').slice(-3000)}`);
}

/** Ask it to end, which ends its kernels too; be rough only when it does not. */
export async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) {
    return;
  }
  const ended = new Promise<void>(resolve => server.once('exit', () => resolve()));
  server.kill('SIGTERM');
  const timer = setTimeout(() => server.kill('SIGKILL'), STOP);
  await ended;
  clearTimeout(timer);
}

/** A port of this machine that is free now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no free port'))));
    });
  });
}
