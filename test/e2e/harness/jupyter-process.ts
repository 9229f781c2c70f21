/** Starts and ends a JupyterLab from outside. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { ROOT } from '../../../scripts/lib/environment.mjs';

/** Timeout in milliseconds for JupyterLab to answer; a cold machine needs about ten seconds. */
const START = 150_000;
/** Timeout in milliseconds for it to end its kernels and itself. */
const GRACE = 15_000;
const SUPERVISE = join(ROOT, 'test', 'e2e', 'harness', 'supervise.mjs');

/**
 * Wait until JupyterLab answers.
 *
 * @param url - its address
 * @param server - its process
 * @param log - its log file
 * @throws Error with the end of the log if it ends or stays silent
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

/** Environment of a test program. */
export interface Place {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** File for its output. */
  readonly log: string;
}

/** Start a program that always ends with this process. */
export function supervised(program: string, args: readonly string[], { cwd, env, log }: Place): ChildProcess {
  mkdirSync(dirname(log), { recursive: true });
  const file = openSync(log, 'a');
  const child = spawn(process.execPath, [SUPERVISE, String(GRACE), program, ...args], { cwd, env, stdio: ['pipe', file, file] });
  closeSync(file);
  return child;
}

/** Ask it to end, which also ends its kernels; its supervisor kills it if that does not help. */
export async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) {
    return;
  }
  const ended = new Promise<void>(resolve => server.once('exit', () => resolve()));
  server.stdin?.end();
  await ended;
}

/** Ports outside the system's ephemeral range: no outgoing connection can occupy them before a server does. */
const PORTS = { first: 20_000, count: 12_000 } as const;

/** A currently free port of this machine. */
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
