// Child processes, the same way everywhere: arguments as a list (paths may contain spaces), no shell.
import { spawn, spawnSync } from 'node:child_process';

/** An action required from the user at the terminal; shown as one line, without a stack trace. */
export class Advice extends Error {}

/**
 * Run a program with its output on this terminal.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<number>} its exit status; 128 when a signal ended it
 */
export function run(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { stdio: ['ignore', 'inherit', 'inherit'], ...options });
    child.once('error', reject);
    child.once('exit', code => resolve(code ?? 128));
  });
}

/**
 * Run a program and keep what it writes.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<{ code: number, output: string }>} its exit status, 128 when a signal ended it, and its output of both kinds
 */
export function collect(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    /** @type {Buffer[]} */
    const parts = [];
    child.stdout?.on('data', part => parts.push(part));
    child.stderr?.on('data', part => parts.push(part));
    child.once('error', reject);
    child.once('close', code => resolve({ code: code ?? 128, output: Buffer.concat(parts).toString() }));
  });
}

/**
 * Run a program that must succeed. Its output goes to the standard error: the standard output belongs to the calling script.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<void>}
 * @throws Error that names the program and its exit status
 */
export async function must(program, args, options) {
  const code = await run(program, args, { stdio: ['ignore', 2, 2], ...options });
  if (code !== 0) {
    throw new Error(`${[program, ...args].join(' ')} ended with status ${code}`);
  }
}

/**
 * The output of a program, or `null` when it is absent or fails.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnSyncOptions} [options]
 * @returns {string | null}
 */
export function capture(program, args, options = {}) {
  const result = spawnSync(program, [...args], { stdio: ['ignore', 'pipe', 'ignore'], ...options, encoding: 'utf8' });
  return result.status === 0 ? result.stdout.trim() : null;
}

/**
 * Run a script's main function: {@link Advice} and failed programs end as one line and status 1.
 *
 * @param {() => Promise<number | void>} body - returns the exit status, 0 when nothing
 */
export async function main(body) {
  try {
    process.exitCode = (await body()) ?? 0;
  } catch (error) {
    console.error(`dask-panes: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}
