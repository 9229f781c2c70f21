// `npm run test:repeat [-- --runs 5 --loaded 2 --together --again]`: `.ci/run` again and again, each time in an empty folder
// with a fresh clone of the last commit, the last of them beside a load of 4, or `--together`, each as the load of the others.
// Resumable: a run that passed on this commit counts without `--again`. Prints one line a run, with the machine's mean load
// meanwhile; the logs are in test-results/repeat.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from './lib/environment.mjs';
import { capture, main, must, run } from './lib/process.mjs';
import { RESULTS } from './lib/stages.mjs';

/** Processes that each keep a core busy. */
const LOAD = 4;
const FOLDER = join(RESULTS, 'repeat');
const STATE = join(FOLDER, 'state.json');

/** @typedef {'nothing' | 'processes' | 'runs'} Load */

/** @type {Readonly<Record<Load, string>>} */
const BESIDE = {
  nothing: 'without a load of its own',
  processes: `beside ${LOAD} busy processes`,
  runs: 'beside another run'
};

/**
 * @typedef {object} Ended
 * @property {boolean} passed
 * @property {Load} load - what ran beside it
 * @property {string} commit
 * @property {string} line - what is printed
 */

/**
 * @template T
 * @param {() => Promise<T>} body
 */
async function besideLoad(body) {
  const busy = Array.from({ length: LOAD }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
  try {
    return await body();
  } finally {
    for (const child of busy) {
      child.kill();
    }
  }
}

/**
 * The result of a body and the machine's mean load meanwhile, so that a run says what else was running.
 *
 * @template T
 * @param {() => Promise<T>} body
 * @returns {Promise<[T, number]>}
 */
async function withLoad(body) {
  /** @type {number[]} */
  const loads = [];
  const timer = setInterval(() => loads.push(loadavg()[0]), 10_000);
  try {
    const result = await body();
    return [result, loads.reduce((sum, load) => sum + load, 0) / Math.max(1, loads.length)];
  } finally {
    clearInterval(timer);
  }
}

/**
 * @param {number} number - of the run, from 1
 * @param {string} commit
 * @param {Load} load
 * @returns {Promise<Ended>}
 */
async function once(number, commit, load) {
  const parent = mkdtempSync(join(tmpdir(), 'dask-panes-clone-'));
  const clone = join(parent, 'clone');
  const log = join(FOLDER, `${number}.log`);
  try {
    await must('git', ['clone', '--quiet', ROOT, clone]);
    await must('git', ['-C', clone, 'checkout', '--quiet', commit]);
    const output = openSync(log, 'w');
    const test = () => run(join(clone, '.ci', 'run'), [], { cwd: clone, stdio: ['ignore', output, output] });
    const started = performance.now();
    const [code, mean] = await withLoad(() => (load === 'processes' ? besideLoad(test) : test()));
    const minutes = ((performance.now() - started) / 60_000).toFixed(1);
    const last = readFileSync(log, 'utf8').trimEnd().split('\n').at(-1) ?? '';
    const beside = `${BESIDE[load]}, mean load ${mean.toFixed(1)}`;
    const date = new Date().toISOString().slice(0, 16);
    const line = `${date} ${commit.slice(0, 9)} run ${number}, ${beside}: status ${code}, ${minutes} min, ${last}`;
    return { passed: code === 0, load, commit, line };
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

await main(async () => {
  const { values } = parseArgs({
    options: { runs: { type: 'string' }, loaded: { type: 'string' }, together: { type: 'boolean' }, again: { type: 'boolean' } }
  });
  const [runs, loaded] = [Number(values.runs ?? 5), Number(values.loaded ?? 2)];
  const commit = capture('git', ['-C', ROOT, 'rev-parse', 'HEAD']) ?? '';
  mkdirSync(FOLDER, { recursive: true });
  /** @type {Record<string, Ended>} */
  const state = !values.again && existsSync(STATE) ? JSON.parse(readFileSync(STATE, 'utf8')) : {};
  console.log(
    `load of this machine at the start: ${loadavg()
      .map(figure => figure.toFixed(1))
      .join(' ')}`
  );
  let failed = 0;
  /**
   * @param {number} number
   * @param {Load} load
   */
  const next = async (number, load) => {
    const known = state[number];
    const ended = known?.passed && known.commit === commit && known.load === load ? known : await once(number, commit, load);
    state[number] = ended;
    writeFileSync(STATE, JSON.stringify(state, null, 1));
    console.log(ended.line);
    failed += ended.passed ? 0 : 1;
  };
  const numbers = Array.from({ length: runs }, (_, i) => i + 1);
  const alone = values.together ? numbers.slice(0, runs - loaded) : numbers;
  for (const number of alone) {
    await next(number, number > runs - loaded ? 'processes' : 'nothing');
  }
  await Promise.all(numbers.slice(alone.length).map(number => next(number, 'runs')));
  return failed > 0 ? 1 : 0;
});
