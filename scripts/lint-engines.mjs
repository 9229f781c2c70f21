// Every package of the lock file must support the oldest Node that package.json promises.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { minVersion, satisfies } from 'semver';
import { ROOT } from './lib/environment.mjs';

const read = (/** @type {string} */ name) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'));
const oldest = minVersion(read('package.json').engines.node);
if (oldest === null) {
  throw new Error('package.json names no range of Node versions under engines.node');
}
const packages = /** @type {[string, { version?: string, engines?: { node?: string } }][]} */ (
  Object.entries(read('package-lock.json').packages)
);
const refusing = packages.filter(([, { engines }]) => engines?.node !== undefined && !satisfies(oldest, engines.node));
for (const [path, { version, engines }] of refusing) {
  console.error(
    `${path.replace(/^.*node_modules\//, '')} ${version} needs Node ${engines?.node}, package.json promises ${oldest.version}`
  );
}
process.exitCode = refusing.length ? 1 : 0;
