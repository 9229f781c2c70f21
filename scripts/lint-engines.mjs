// Every package of the lock file must support the oldest Node of each range that package.json promises.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { minVersion, Range, satisfies } from 'semver';
import { ROOT } from './lib/environment.mjs';

const read = (/** @type {string} */ name) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'));
const oldest = new Range(read('package.json').engines.node).set.map(parts => minVersion(parts.join(' ')));
if (oldest.length === 0) {
  throw new Error('package.json names no range of Node versions under engines.node');
}
const packages = /** @type {[string, { version?: string, engines?: { node?: string } }][]} */ (
  Object.entries(read('package-lock.json').packages)
);
const refusing = oldest.flatMap(promised =>
  packages
    .filter(([, { engines }]) => promised !== null && engines?.node !== undefined && !satisfies(promised, engines.node))
    .map(([path, { version, engines }]) => ({ promised, name: path.replace(/^.*node_modules\//, ''), version, engines }))
);
for (const { promised, name, version, engines } of refusing) {
  console.error(`${name} ${version} needs Node ${engines?.node}, package.json promises ${promised?.version}`);
}
process.exitCode = refusing.length ? 1 : 0;
