// The Chromium that the end-to-end tests drive: one that is there, else one from apt where that may be done. The headless shell
// is preferred: the same browser without a frame of its own, which takes an eighth less of the time of the tests.
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
 * Flags for a headless browser on a machine without a screen and without a graphics processor, also as root, which
 * asks nothing of the network of its own.
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
 * A Chromium that starts: `$CHROMIUM`, one on the path, one that Playwright has fetched.
 *
 * @param {readonly string[]} names - of programs, the preferred first
 * @returns {string | null} its program, or `null`
 */
export function findChromium(names = NAMES) {
  const candidates = process.env.CHROMIUM ? [process.env.CHROMIUM] : [...names.flatMap(onPath), ...fetchedByPlaywright()];
  // A name alone is not enough: some distributions install a stub that only points to another package system.
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
 * A Chromium that starts, installed by apt where there is none and this user may.
 *
 * @param {{ whole?: boolean }} [options] - whole: the browser that people have, whose pictures cost what theirs cost, and
 *   not the headless shell
 * @returns {Promise<string>} its program
 * @throws Advice that says what to install
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
 * Run the tests of one project of playwright.config.mts, for the scripts that have a project of their own.
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
