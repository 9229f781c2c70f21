// Installing with apt, where there is one and this user may.
import { capture, run } from './process.mjs';

const PREFIX = process.getuid?.() === 0 ? [] : ['sudo', '-n'];

/** @returns {boolean} whether apt is there and asks for no password */
export function mayInstall() {
  return capture('apt-get', ['--version']) !== null && (PREFIX.length === 0 || capture('sudo', ['-n', 'true']) !== null);
}

/**
 * @param {readonly string[]} packages - of Debian or Ubuntu
 */
export async function install(packages) {
  console.error(`dask-panes: Installing ${packages.join(', ')} with apt …`);
  const [apt = '', ...args] = [...PREFIX, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-y', '-qq'];
  await run(apt, [...args, 'update']);
  await run(apt, [...args, 'install', '--no-install-recommends', ...packages]);
}
