import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/lib/environment.mjs';

const SUPERVISE = join(ROOT, 'test', 'e2e', 'harness', 'supervise.mjs');
/** A server that does not hear SIGTERM, with a child of its own; it prints the numbers of both processes. */
const STUBBORN = `process.on('SIGTERM', () => undefined);
const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)']);
console.log(process.pid, child.pid);
setInterval(() => 0, 1000);`;
/** What starts it, as a test does. */
const STARTER = `require('node:child_process').spawn(process.execPath, ${JSON.stringify([SUPERVISE, '200', process.execPath, '-e', STUBBORN])},
  { stdio: ['pipe', 'inherit', 'inherit'] });
setInterval(() => 0, 1000);`;

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The numbers of the processes, once they run. */
async function started(starter: ChildProcess): Promise<readonly number[]> {
  const lines = createInterface({ input: starter.stdout ?? process.stdin });
  const [line] = (await once(lines, 'line')) as [string];
  return line.split(' ').map(Number);
}

describe('a supervised server', () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'ends with the process that started it, also by %s',
    async signal => {
      const starter = spawn(process.execPath, ['-e', STARTER], { stdio: ['ignore', 'pipe', 'inherit'] });
      const pids = await started(starter);
      expect(pids.every(alive)).toBe(true);
      starter.kill(signal);
      // Four programs start and end for this: on a busy machine each takes its time.
      await expect.poll(() => pids.some(alive), { timeout: 60_000, interval: 50 }).toBe(false);
    },
    120_000
  );
});
