// Install with apt, if it is available and this user has permission.
import { capture, run } from './process.mjs';

const PREFIX = process.getuid?.() === 0 ? [] : ['sudo', '-n'];

/** @returns {boolean} whether apt is available without a password */
export function mayInstall() {
  return capture('apt-get', ['--version']) !== null && (PREFIX.length === 0 || capture('sudo', ['-n', 'true']) !== null);
}

/** Download the package lists, without which apt knows no packages. */
export async function refresh() {
  await apt('update');
}

/**
 * @param {readonly string[]} packages - of Debian or Ubuntu
 */
export async function install(packages) {
  console.error(`dask-panes: Installing ${packages.join(', ')} with apt …`);
  await apt('install', '--no-install-recommends', ...packages);
}

/** @param {...string} args */
async function apt(...args) {
  const [program = '', ...before] = [...PREFIX, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-y', '-qq'];
  await run(program, [...before, ...args]);
}
