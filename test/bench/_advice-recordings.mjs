// The recordings of `npm run bench -- advice`: made once for each workload and round, kept while the rules change.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT, environment, tool } from '../../scripts/lib/environment.mjs';
import { RESULTS } from '../../scripts/lib/stages.mjs';
import { digest } from '../../scripts/lib/stamp.mjs';

const WORKLOADS = join('test', 'advice', 'workloads');
export const FOLDER = join(RESULTS, 'advice');

/**
 * One variant of a workload, recorded.
 *
 * @typedef {object} Recorded
 * @property {string} name
 * @property {'bad' | 'healthy'} variant
 * @property {string} cause - empty for a healthy run
 * @property {readonly string[]} also - what else is true of it
 * @property {string} [selected] - the function of the computation whose time is examined; without one, the whole run
 * @property {string} file - in the folder of recordings
 * @property {string | null} frames - what a browser tab got meanwhile
 * @property {number} begin - of the work, Unix time
 * @property {number} wall
 * @property {number} load - of the machine when the work ended, over the last minute
 */

/**
 * A workload in a round.
 *
 * @typedef {object} Ended
 * @property {string} name
 * @property {number} round
 * @property {string} digest - of what the recordings depend on
 * @property {string} date
 * @property {readonly Recorded[]} runs
 * @property {string} failed - why a variant is missing; empty if none is
 */

/** @returns {string[]} the names of all workloads */
export function workloads() {
  return readdirSync(join(ROOT, WORKLOADS))
    .filter(file => /^[a-z]\w*\.py$/.test(file))
    .map(file => file.slice(0, -'.py'.length))
    .sort();
}

/**
 * A digest of what a recording depends on; the rules are not part of it.
 *
 * @param {string} name
 */
export function sourcesOf(name) {
  const bridge = ['scheduler', 'kernel', 'feed', 'files'].map(room => join('bridge', 'dask_panes', room));
  return digest([join(WORKLOADS, `${name}.py`), join('test', 'advice', 'record.py'), ...bridge]);
}

/** @param {string} folder @param {string} name @param {number} round */
const place = (folder, name, round) => join(folder, `${name}.${round}.json`);

/**
 * What is known of a workload in a round, if it can be used.
 *
 * @param {string} name
 * @param {number} round
 * @param {boolean} keep - also where sources have changed since
 * @param {string} [folder]
 * @returns {Ended | null} `null` if it has to run: not run before, other sources, or failed
 */
export function known(name, round, keep, folder = FOLDER) {
  const path = place(folder, name, round);
  if (!existsSync(path)) {
    return null;
  }
  /** @type {Ended} */
  const ended = JSON.parse(readFileSync(path, 'utf8'));
  const whole = ended.failed === '' && ended.runs.every(({ file }) => existsSync(join(folder, file)));
  return whole && (keep || ended.digest === sourcesOf(name)) ? ended : null;
}

/**
 * Write down what came of a workload in a round.
 *
 * @param {Ended} ended
 * @param {string} [folder]
 */
export function keepResult(ended, folder = FOLDER) {
  const path = place(folder, ended.name, ended.round);
  mkdirSync(folder, { recursive: true });
  // Never half a file, whenever this process is ended.
  writeFileSync(`${path}.new`, JSON.stringify(ended, null, 1));
  renameSync(`${path}.new`, path);
}

/**
 * Run a workload, both variants. A failure is a result, too; it is tried again the next time.
 *
 * @param {string} name
 * @param {number} round
 * @param {readonly string[]} topics - of a tab that shows advice
 * @returns {Promise<Ended>}
 */
export async function recordWorkload(name, round, topics) {
  const sources = sourcesOf(name);
  const { runs, failed } = await recorded(name, round, topics);
  const ended = { name, round, digest: sources, date: new Date().toISOString().slice(0, 16), runs, failed };
  keepResult(ended);
  return ended;
}

/**
 * @param {string} name
 * @param {number} round
 * @param {readonly string[]} topics
 * @returns {Promise<{ runs: Recorded[], failed: string }>}
 */
function recorded(name, round, topics) {
  return new Promise(resolve => {
    const args = [join(ROOT, 'test', 'advice', 'record.py'), FOLDER, String(round), name];
    const env = environment({ DASK_PANES_ADVICE_TOPICS: JSON.stringify(topics) });
    const child = spawn(tool('python'), args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
    /** @type {Recorded[]} */
    const runs = [];
    let last = '';
    createInterface({ input: child.stdout }).on('line', line => {
      if (line.startsWith('{')) {
        runs.push(JSON.parse(line));
      }
    });
    // Workers that are ended on purpose write much; the last line says what failed.
    createInterface({ input: child.stderr }).on('line', line => {
      last = line.trim() || last;
    });
    child.once('error', error => resolve({ runs, failed: error.message }));
    child.once('close', code => resolve({ runs, failed: code === 0 ? '' : last || `exit status ${code}` }));
  });
}
