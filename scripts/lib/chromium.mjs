// The Chromium for the end-to-end tests: an installed one, else one from apt if permitted. The headless shell is preferred:
// the same browser without a window frame, which reduces the time of the tests by an eighth.
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { install, mayInstall, refresh } from './apt.mjs';
import { ROOT, environment } from './environment.mjs';
import { Advice, capture, run } from './process.mjs';

const SHELL = 'chromium-headless-shell';
const NAMES = [SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const ADVICE =
  'No Chromium that starts: install one (Debian: apt install chromium; anywhere: npx playwright install --with-deps chromium), ' +
  'or name one in $CHROMIUM.';

/**
 * Flags for a headless browser on a machine without a screen and a graphics processor, also as root, without network requests
 * by the browser itself.
 */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync'
];

/**
 * A working Chromium: `$CHROMIUM`, one on the path, or one downloaded by Playwright.
 *
 * @param {readonly string[]} names - of programs, preferred first
 * @returns {string | null} its program, or `null`
 */
export function findChromium(names = NAMES) {
  const candidates = process.env.CHROMIUM ? [process.env.CHROMIUM] : [...names.flatMap(onPath), ...fetchedByPlaywright()];
  // A name alone is not sufficient: some distributions install a stub that only points to another package system.
  return candidates.find(program => capture(program, ['--version'], { timeout: 30_000 }) !== null) ?? null;
}

/**
 * @param {string} name
 * @returns {string[]} programs of this name on the path, the first first
 */
function onPath(name) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map(folder => join(folder, name)).filter(existsSync);
}

/** @returns {string[]} the newest first */
function fetchedByPlaywright() {
  const caches = process.platform === 'darwin' ? join(homedir(), 'Library', 'Caches') : join(homedir(), '.cache');
  const cache = process.env.PLAYWRIGHT_BROWSERS_PATH ?? join(caches, 'ms-playwright');
  if (!existsSync(cache)) {
    return [];
  }
  const inside = [
    ['chrome-linux', 'chrome'],
    ['chrome-linux64', 'chrome'],
    ['chrome-mac', 'Chromium.app', 'Contents', 'MacOS', 'Chromium'],
    ['chrome-win', 'chrome.exe']
  ];
  return readdirSync(cache)
    .filter(name => /^chromium-\d+$/.test(name))
    .sort((a, b) => Number(b.slice(9)) - Number(a.slice(9)))
    .flatMap(name => inside.map(parts => join(cache, name, ...parts)))
    .filter(existsSync);
}

/**
 * A working Chromium, installed with apt if missing and permitted.
 *
 * @param {{ whole?: boolean }} [options] - whole: the full browser, with the drawing cost of users' browsers, not the
 *   headless shell
 * @returns {Promise<string>} its program
 * @throws Advice with installation instructions
 */
export async function provideChromium({ whole = false } = {}) {
  const names = whole ? NAMES.filter(name => name !== SHELL) : NAMES;
  const found = findChromium(names);
  if (found !== null) {
    return found;
  }
  if (process.env.CHROMIUM || !mayInstall()) {
    throw new Advice(ADVICE);
  }
  await refresh();
  await install([whole || capture('apt-cache', ['show', SHELL]) === null ? 'chromium' : SHELL]);
  const installed = findChromium(names);
  if (installed === null) {
    throw new Advice(ADVICE);
  }
  return installed;
}

/**
 * Run the tests of one project of playwright.config.mts, for scripts with a separate project.
 *
 * @param {string} project - its name in playwright.config.mts
 * @param {readonly string[]} [options] - files and options of Playwright
 * @param {Record<string, string>} [more] - variables of the environment
 * @returns {Promise<number>} the exit status
 */
export async function playwright(project, options = [], more = {}) {
  const env = environment({ ...more, CHROMIUM: await provideChromium() });
  const args = ['node_modules/@playwright/test/cli.js', 'test', `--project=${project}`, '--reporter=list', ...options];
  return run(process.execPath, args, { cwd: ROOT, env });
}
