// The processes that run tests: one vitest and one Python, which stay from mutant to mutant.
import { fork, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, environment, tool } from '../lib/environment.mjs';
import { mutate, pointsOf } from './points.mjs';

/**
 * @typedef {import('./points.mjs').Point} Point
 *
 * @typedef {object} Verdict
 * @property {boolean} noticed
 * @property {string} by - the test that failed, or `time` when a test did not end
 *
 * @typedef {object} Engine
 * @property {(files: readonly string[]) => Promise<Point[]>} points
 * @property {(test: string, files: readonly string[], out: string) => Promise<boolean>} cover - runs a test file with probes; whether it passed, where
 *   the file is what fails
 * @property {(point: Point, tests: readonly { test: string, seconds: number }[]) => Promise<Verdict>} attempt
 * @property {() => Promise<void>} end
 */

/** Seconds that a test may take longer than without a mutation, besides five times as long. */
const PATIENCE = 20;

/** @returns {Engine} */
export function typescript() {
  /** @type {import('node:child_process').ChildProcess | null} */
  let child = null;
  let covers = false;

  /** @param {string | undefined} hits */
  async function start(hits) {
    const env = { ...environment(), ...(hits === undefined ? {} : { MUTATION_HITS: hits }) };
    child = fork(join(ROOT, 'scripts/mutation/vitest.mjs'), [], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc']
    });
    await message(child, 120);
  }

  async function end() {
    const left = child;
    child = null;
    if (left !== null && left.exitCode === null) {
      left.kill('SIGKILL');
      await new Promise(resolve => left.once('exit', resolve));
    }
  }

  /**
   * @param {import('./vitest.mjs').Order} order
   * @param {number} seconds
   * @param {string} [hits]
   * @returns {Promise<import('./vitest.mjs').Ran | null>} `null` when it took too long
   */
  async function ask(order, seconds, hits) {
    if (covers !== (hits !== undefined)) {
      await end();
      covers = hits !== undefined;
    }
    if (child === null) {
      await start(hits);
    }
    const running = /** @type {import('node:child_process').ChildProcess} */ (/** @type {unknown} */ (child));
    running.send(order);
    try {
      return /** @type {import('./vitest.mjs').Ran} */ (await message(running, seconds));
    } catch {
      await end();
      return null;
    }
  }

  let checked = false;

  /**
   * Once: a source that cannot be loaded is noticed, and the source itself is not, after it.
   *
   * @param {string} file
   * @param {string} test
   */
  async function check(file, test) {
    const order = { tests: [test], file, probed: [] };
    const broken = await ask({ ...order, text: 'throw new Error();' }, 120);
    const whole = await ask({ ...order, text: readFileSync(join(ROOT, file), 'utf8') }, 120);
    if (broken?.failed !== test || whole?.failed !== null) {
      throw new Error(`${test} does not tell a broken ${file} (${broken?.by}) from a whole one (${whole?.by})`);
    }
    checked = true;
  }

  return {
    points: async files => files.flatMap(file => pointsOf(file).points),
    cover: async (test, files, out) => {
      const ran = await ask({ tests: [test], file: null, text: '', probed: files }, 600, out);
      return ran !== null && ran.failed === null;
    },
    attempt: async (point, tests) => {
      if (!checked) {
        await check(point.file, tests[0].test);
      }
      const text = mutate(readFileSync(join(ROOT, point.file), 'utf8'), point);
      for (const { test, seconds } of tests) {
        const ran = await ask({ tests: [test], file: point.file, text, probed: [] }, PATIENCE + 5 * seconds);
        if (ran === null) {
          return { noticed: true, by: `${test}: time` };
        }
        if (ran.failed !== null) {
          return { noticed: true, by: `${ran.failed}: ${ran.by}` };
        }
      }
      return { noticed: false, by: '' };
    },
    end
  };
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {number} seconds
 * @returns {Promise<unknown>} its next message
 */
function message(child, seconds) {
  return new Promise((resolve, reject) => {
    const done = () => {
      clearTimeout(timer);
      child.off('message', got);
      child.off('exit', gone);
    };
    const got = (/** @type {unknown} */ value) => {
      done();
      resolve(value);
    };
    const gone = () => {
      done();
      reject(new Error('the process with vitest has ended'));
    };
    const timer = setTimeout(() => {
      done();
      reject(new Error('time'));
    }, seconds * 1000);
    child.once('message', got);
    child.once('exit', gone);
  });
}

/** @returns {Engine} */
export function python() {
  const child = spawn(tool('python'), [join(ROOT, 'scripts/mutation/engine.py')], {
    cwd: ROOT,
    env: environment(),
    stdio: ['pipe', 'pipe', 'inherit']
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();

  /** @param {object} order @returns {Promise<any>} */
  async function ask(order) {
    child.stdin.write(`${JSON.stringify(order)}\n`);
    const { value, done } = await lines.next();
    if (done) {
      throw new Error('the process with pytest has ended');
    }
    return JSON.parse(value);
  }

  return {
    points: files => ask({ list: files }),
    cover: async (test, files, out) => {
      await ask({ cover: out, files, tests: [test], seconds: 900 });
      return true;
    },
    attempt: async ({ file, start, end, text }, tests) => {
      const seconds = 2 * PATIENCE + 3 * tests.reduce((sum, { seconds }) => sum + seconds, 0);
      const { status, by } = await ask({ file, start, end, text, tests: tests.map(({ test }) => test), seconds });
      return { noticed: status !== 0, by: status === null ? 'time' : by };
    },
    end: async () => {
      child.stdin.end();
      await new Promise(resolve => (child.exitCode === null ? child.once('exit', resolve) : resolve(null)));
    }
  };
}
