// The order of the rooms, their size and their circles, and the length of comments. `--report` prints what there is as JSON lines.
import { relative, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './lib/environment.mjs';
import { circles } from './rooms/circles.mjs';
import { longComments } from './rooms/comments.mjs';
import { PYTHON_ROOMS, TYPESCRIPT_ROOMS, checkOrder } from './rooms/order.mjs';
import { exceptions, sizes } from './rooms/sizes.mjs';

/**
 * Everything that breaks a rule.
 *
 * @param {string} root - a checkout
 * @returns {import('./rooms/sources.mjs').Violation[]}
 */
export function checkRooms(root) {
  const reasons = exceptions(root);
  const all = sizes(root);
  const large = all.filter(({ value, most }) => value > most);
  const known = new Set(large.map(({ path }) => path));
  return [
    ...checkOrder(root),
    ...longComments(root),
    ...circles(root).map(files => ({ file: files[0] ?? '', line: 1, text: `imports in a circle: ${files.join(', ')}` })),
    ...large
      .filter(({ path }) => !(path in reasons))
      .map(({ path, unit, value, most }) => ({
        file: path,
        line: 1,
        text: `${value} ${unit}, ${most} at most without a reason`
      })),
    // A list of exceptions that no longer apply hides those that do.
    ...Object.keys(reasons)
      .filter(path => !known.has(path))
      .map(path => ({ file: path, line: 1, text: 'needs no exception any more: take it off scripts/rooms/exceptions.json' }))
  ];
}

/** @param {string} root */
function report(root) {
  const all = sizes(root);
  const reasons = exceptions(root);
  for (const [folder, rooms] of [
    ['src', TYPESCRIPT_ROOMS],
    ['bridge/dask_panes', PYTHON_ROOMS]
  ]) {
    for (const room of rooms) {
      const files = all.filter(({ path, unit }) => unit === 'lines' && path.startsWith(`${folder}/${room}/`));
      const lines = files.reduce((sum, { value }) => sum + value, 0);
      console.log(JSON.stringify({ room: `${folder}/${room}`, files: files.length, lines }));
    }
  }
  for (const unit of ['files', 'lines']) {
    const sorted = all.filter(size => size.unit === unit).sort((a, b) => b.value - a.value);
    for (const { path, value, most } of sorted.filter((size, i) => i === 0 || size.value > size.most)) {
      console.log(JSON.stringify({ path, [unit]: value, most, reason: reasons[path] ?? null }));
    }
  }
  console.log(JSON.stringify({ circles: circles(root).length, exceptions: Object.keys(reasons).length }));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (process.argv.includes('--report')) {
    report(ROOT);
  }
  const violations = checkRooms(ROOT);
  for (const { file, line, text } of violations) {
    console.error(`${relative('.', join(ROOT, file))}:${line}: ${text}`);
  }
  process.exitCode = violations.length ? 1 : 0;
}
