// Installing with apt, where there is one and this user may.
import { capture, run } from './process.mjs';

const PREFIX = process.getuid?.() === 0 ? [] : ['sudo', '-n'];

/** @returns {boolean} whether apt is there and asks for no password */
export function mayInstall() {
  return capture('apt-get', ['--version']) !== null && (PREFIX.length === 0 || capture('sudo', ['-n', 'true']) !== null);
}

/** Get the lists of packages, without which apt knows none. */
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
