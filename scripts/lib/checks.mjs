// The checks that need no running program: style, types, generated files, order of the rooms.
import { ROOT, environment, tool } from './environment.mjs';
import { collect } from './process.mjs';

/**
 * @typedef {object} Check
 * @property {string} name
 * @property {readonly [string, ...string[]]} command
 * @property {string} [repair] - what repairs most of what it finds, where the check does not say so itself
 */

/** Applies the style. */
const FORMAT = 'npm run format';

/**
 * Two sequences that run in parallel, for the two cores of a small machine. The second `tsc` and the page of reports read the
 * output of the first `tsc`.
 *
 * @type {readonly (readonly Check[])[]}
 */
const ROWS = [
  [
    { name: 'tsc', command: [process.execPath, 'node_modules/typescript/bin/tsc', '-b'] },
    { name: 'tsc (tests, scripts)', command: [process.execPath, 'node_modules/typescript/bin/tsc', '-p', 'test'] },
    { name: 'page of reports', command: [process.execPath, 'scripts/report-page.mjs'] },
    { name: 'program for terminals', command: [process.execPath, 'scripts/program/build.mjs'] },
    { name: 'schema', command: [process.execPath, 'scripts/schema.mjs', '--check'] },
    { name: 'rooms', command: [process.execPath, 'scripts/lint-rooms.mjs'] },
    { name: 'words', command: [process.execPath, 'scripts/lint-words.mjs'] },
    { name: 'engines', command: [process.execPath, 'scripts/lint-engines.mjs'] }
  ],
  [
    { name: 'mypy', command: [tool('mypy')] },
    {
      name: 'biome',
      command: [process.execPath, 'node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
      repair: FORMAT
    },
    { name: 'ruff', command: [tool('ruff'), 'check', '--no-cache', '.'], repair: FORMAT },
    { name: 'ruff (format)', command: [tool('ruff'), 'format', '--no-cache', '--check', '.'], repair: FORMAT },
    { name: 'pages of the documentation', command: [process.execPath, 'scripts/docs/pages.mjs', '--check'] },
    // After the pages: both write the catalogue to the same file.
    { name: 'translations', command: [process.execPath, 'scripts/i18n.mjs', '--check'] }
  ]
];

/**
 * Run every check; prints the output of failing ones.
 *
 * @returns {Promise<{ passed: number, failed: string[] }>} how many passed, and names of those that failed
 */
export async function runChecks() {
  const failed = (await Promise.all(ROWS.map(runRow))).flat();
  for (const command of repairs(failed)) {
    console.log(`Run \`${command}\`: it repairs most of this.`);
  }
  return { passed: ROWS.flat().length - failed.length, failed };
}

/**
 * What to run after a failure.
 *
 * @param {readonly string[]} failed - names of checks
 * @returns {string[]} commands, each once
 */
export function repairs(failed) {
  const found = ROWS.flat().flatMap(({ name, repair }) => (repair !== undefined && failed.includes(name) ? [repair] : []));
  return [...new Set(found)];
}

/**
 * @param {readonly Check[]} row
 * @returns {Promise<string[]>} names of the checks that failed
 */
async function runRow(row) {
  const failed = [];
  for (const {
    name,
    command: [program, ...args]
  } of row) {
    const { code, output } = await collect(program, args, { cwd: ROOT, env: environment() });
    const ok = code === 0;
    console.log(`${ok ? '✓' : '✗'} ${name}`);
    if (!ok) {
      failed.push(name);
      console.log(output.trimEnd().replace(/^/gm, '  '));
    }
  }
  return failed;
}
