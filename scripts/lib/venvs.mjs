// Virtual environments of tests, besides that of the checkout.
import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, environment, tool } from './environment.mjs';
import { must } from './process.mjs';
import { digest } from './stamp.mjs';

/**
 * An environment with these packages; made once.
 *
 * @param {string} venv - its folder
 * @param {readonly string[]} packages - as pip takes them
 * @returns {Promise<string>} the folder of its programs
 */
export async function provideVenv(venv, packages) {
  return make(venv, packages, async () => undefined);
}

/**
 * The same with this checkout installed into it; its extension is a link to what was built.
 *
 * @param {string} venv
 * @param {readonly string[]} packages
 * @returns {Promise<string>}
 */
export async function provideVenvWithCheckout(venv, packages) {
  return make(venv, packages, async install => {
    // The hook of the build would run npm; the extension is built already.
    const env = environment({ SKIP_JUPYTER_BUILDER: '1' });
    await must(tool('uv'), [...install, '--no-deps', '-e', ROOT], { env });
    const installed = join(venv, 'share', 'jupyter', 'labextensions', 'dask-panes');
    rmSync(installed, { recursive: true, force: true });
    symlinkSync(join(ROOT, 'bridge', 'dask_panes', 'labextension'), installed, 'junction');
  });
}

/**
 * @param {string} venv
 * @param {readonly string[]} packages
 * @param {(install: readonly string[]) => Promise<void>} finish - is given the beginning of a command that installs
 */
async function make(venv, packages, finish) {
  const bin = join(venv, 'bin');
  const stamp = join(venv, `installed-${digest([], packages).slice(0, 12)}`);
  if (!existsSync(stamp)) {
    await must(tool('uv'), ['venv', '--quiet', '--clear', '--python', tool('python'), venv]);
    const install = ['pip', 'install', '--quiet', '--python', join(bin, 'python')];
    await must(tool('uv'), [...install, ...packages]);
    await finish(install);
    writeFileSync(stamp, '');
  }
  return bin;
}
