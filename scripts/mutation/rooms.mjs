// What is mutated: pure code, by room. What only hands over to a canvas, a page or another process is left to other tests.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/environment.mjs';

/**
 * @typedef {object} Room
 * @property {string} name
 * @property {'typescript' | 'python'} language
 * @property {readonly string[]} folders
 * @property {readonly string[]} [without] - files and folders, each with its reason in docs/mutation.md
 */

/** @type {readonly Room[]} */
export const ROOMS = [
  { name: 'run', language: 'typescript', folders: ['src/run'] },
  {
    name: 'feed',
    language: 'typescript',
    folders: ['src/feed'],
    without: ['src/feed/schema.ts', 'src/feed/schema-checks.ts', 'src/feed/bridge-source.ts']
  },
  { name: 'selectors', language: 'typescript', folders: ['src/selectors'] },
  { name: 'charts', language: 'typescript', folders: ['src/charts'] },
  {
    name: 'timeline',
    language: 'typescript',
    folders: ['src/views/timeline'],
    without: ['view.ts', 'stage.ts', 'input.ts', 'pointing/inspector.ts', 'paint/surface.ts', 'lanes/gutter.ts'].map(
      name => `src/views/timeline/${name}`
    )
  },
  {
    name: 'graph',
    language: 'typescript',
    folders: ['src/views/graph'],
    without: ['view.ts', 'stage.ts', 'input.ts', 'inspector.ts', 'scene/marks.ts'].map(name => `src/views/graph/${name}`)
  },
  {
    name: 'flame',
    language: 'typescript',
    folders: ['src/views/flame'],
    without: ['view.ts', 'stage.ts', 'painter.ts', 'strip.ts', 'tools.ts'].map(name => `src/views/flame/${name}`)
  },
  { name: 'collector', language: 'python', folders: ['bridge/dask_panes/scheduler/collector'] },
  { name: 'files', language: 'python', folders: ['bridge/dask_panes/files'] }
];

/**
 * @param {Room} room
 * @returns {string[]} its sources, relative to the checkout
 */
export function filesOf({ language, folders, without = [] }) {
  const ending = language === 'typescript' ? '.ts' : '.py';
  // A file that has moved would be mutated unnoticed.
  const missing = without.filter(left => !existsSync(join(ROOT, left)));
  if (missing.length > 0) {
    throw new Error(`scripts/mutation/rooms.mjs leaves out what does not exist: ${missing.join(', ')}`);
  }
  return folders
    .flatMap(folder => readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(name => `${folder}/${name}`))
    .filter(file => file.endsWith(ending) && !without.some(left => file === left || file.startsWith(`${left}/`)))
    .sort();
}
