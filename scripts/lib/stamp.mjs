// Stamps: a step is done again only when what it depends on has changed.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './environment.mjs';

/** What a build writes among its own sources. */
const BUILT = new Set(['__pycache__', 'labextension', '_version.py', 'bridge-source.ts', 'report.html']);

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
 * @param {string} file - the stamp, in the folder that the step makes: who deletes that deletes the stamp
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
