// Stamps: a step is done again only when what it depends on has changed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ROOT } from './environment.mjs';

/** Output of a build among its sources. */
const BUILT = new Set(['__pycache__', 'labextension', '_version.py', 'bridge-source.ts', 'report.html', 'program.mjs']);

/**
 * A digest of files, of all files in folders, and of further texts.
 *
 * @param {readonly string[]} paths - relative to the checkout; what is absent counts as empty
 * @param {readonly string[]} [texts]
 */
export function digest(paths, texts = []) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap(files)) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(ROOT, path)))
      .update('\0');
  }
  return hash.update(texts.join('\0')).digest('hex');
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function files(path) {
  const full = join(ROOT, path);
  if (!existsSync(full)) {
    return [];
  }
  try {
    return readdirSync(full)
      .filter(name => !BUILT.has(name))
      .sort()
      .flatMap(name => files(join(path, name)));
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOTDIR') {
      return [path];
    }
    throw error;
  }
}

/**
 * Do a step unless its stamp says that it was done for the same digest.
 *
 * @param {string} file - the stamp, in the folder that the step makes, so that deleting the folder deletes it, too
 * @param {string} value - from {@link digest}
 * @param {() => Promise<void>} step
 * @returns {Promise<boolean>} whether it was done now
 */
export async function once(file, value, step) {
  if (existsSync(file) && readFileSync(file, 'utf8') === value) {
    return false;
  }
  await step();
  writeFileSync(file, value);
  return true;
}

/** The checkout is being set up or built by the process whose number this file holds. */
const LOCK = join(ROOT, 'test-results', 'setup.lock');

/**
 * Do something exclusively among the processes of this checkout; waits for the lock.
 *
 * @param {() => Promise<void>} act
 */
export async function exclusively(act) {
  mkdirSync(dirname(LOCK), { recursive: true });
  while (!taken()) {
    await delay(200);
  }
  try {
    await act();
  } finally {
    rmSync(LOCK, { force: true });
  }
}

/** @returns {boolean} whether the lock is ours now */
function taken() {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') {
      throw error;
    }
  }
  if (abandoned()) {
    rmSync(LOCK, { force: true });
  }
  return false;
}

/** @returns {boolean} whether the process that took the lock has ended without giving it back */
function abandoned() {
  try {
    const { mtimeMs } = statSync(LOCK);
    const pid = Number.parseInt(readFileSync(LOCK, 'utf8'), 10);
    // The number is written a moment after the file is made.
    return Number.isNaN(pid) ? Date.now() - mtimeMs > 5000 : !alive(pid);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') {
      throw error;
    }
    // Released just now.
    return false;
  }
}

/** @param {number} pid */
function alive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process of another user is alive, too.
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
