// `node supervise.mjs GRACE PROGRAM ARGUMENT…`: runs a program until its standard input ends or it receives SIGTERM, and
// cleans up completely. The input ends with the process at its other end, however that ends. The program is asked to end, and
// killed with its process group if it has not ended after GRACE milliseconds: a Jupyter server that receives SIGTERM while a
// kernel starts continues forever.
import { spawn } from 'node:child_process';

const [grace, program, ...args] = process.argv.slice(2);
const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], detached: true });

/** @param {NodeJS.Signals} signal */
function signalGroup(signal) {
  try {
    process.kill(-(child.pid ?? 0), signal);
  } catch (error) {
    // The group has ended meanwhile.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') {
      throw error;
    }
  }
}

let ending = false;
function end() {
  if (!ending) {
    ending = true;
    child.kill('SIGTERM');
    setTimeout(() => signalGroup('SIGKILL'), Number(grace));
  }
}

child.once('error', error => {
  console.error(error);
  process.exit(127);
});
child.once('exit', (code, signal) => {
  // Remaining processes in the program's group.
  signalGroup('SIGKILL');
  process.exit(code ?? (signal ? 128 : 0));
});
process.once('SIGTERM', end);
process.once('SIGINT', end);
process.stdin.once('end', end);
process.stdin.once('error', end);
process.stdin.resume();
