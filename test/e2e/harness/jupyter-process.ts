/** Starting and ending a JupyterLab from outside. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { ROOT } from '../../../scripts/lib/environment.mjs';

/** Milliseconds that JupyterLab may take to answer; a cold machine needs about ten seconds. */
const START = 150_000;
/** Milliseconds that it may take to end its kernels and itself. */
const GRACE = 15_000;
const SUPERVISE = join(ROOT, 'test', 'e2e', 'harness', 'supervise.mjs');

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

/** What a program of the tests runs with. */
export interface Surroundings {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** File that takes its output. */
  readonly log: string;
}

/** Start a program that ends with this process, however this process ends. */
export function supervised(program: string, args: readonly string[], { cwd, env, log }: Surroundings): ChildProcess {
  mkdirSync(dirname(log), { recursive: true });
  const file = openSync(log, 'a');
  const child = spawn(process.execPath, [SUPERVISE, String(GRACE), program, ...args], { cwd, env, stdio: ['pipe', file, file] });
  closeSync(file);
  return child;
}

/** Ask it to end, which ends its kernels too; its supervisor is rough where that does not help. */
export async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) {
    return;
  }
  const ended = new Promise<void>(resolve => server.once('exit', () => resolve()));
  server.stdin?.end();
  await ended;
}

/** Ports that a system gives to nobody who asks for any one: no outgoing connection takes them before a server does. */
const PORTS = { first: 20_000, count: 12_000 } as const;

/** A port of this machine that is free now. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
    if (await isFree(port)) {
      return port;
    }
  }
  throw new Error('no free port');
}

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
