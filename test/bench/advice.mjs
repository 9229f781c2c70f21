// How often the adviser is right. Runs every workload of `test/advice/workloads` on a real LocalCluster, slow and healthy,
// records it, and asks the rules about the recording. Rows:
//
// - recall: slow runs whose cause is among the verdicts. top1: among them first.
// - precision: verdicts on slow runs that are the cause, or another that the workload names as true (`ALSO`).
// - false_alarms_on_healthy: verdicts on healthy runs.
// - cost_ratio: share of the slow workloads whose stated cost is 0.5 to 2 times what the healthy twin saves.
// - advise_ms: CPU for a run of 1,000,000 tasks. live_share: of the main thread, for as many and for 100,000 tasks.
//
// ADVICE_ROUNDS is how often each runs (3), ADVICE_FOLDER a folder with recordings of before, which are not made again.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createInterface } from 'node:readline';
import { rolldown } from 'rolldown';
import { ROOT, environment, tool } from '../../scripts/lib/environment.mjs';

const ROUNDS = Number(process.env.ADVICE_ROUNDS ?? 3);
const TASKS = 1_000_000;
/** Tasks of the newest work on a busy cluster: more are examined less often than each second. */
const LIVE_TASKS = 100_000;
const BUNDLE = join(ROOT, 'test-results', 'advice-bench.mjs');

/**
 * @typedef {object} Recorded
 * @property {string} name
 * @property {'bad' | 'healthy'} variant
 * @property {string} cause
 * @property {readonly string[]} also
 * @property {string} file
 * @property {number} wall
 */

/** @param {string} name @param {number} value @param {string} unit @param {number | null} baseline @param {object} [more] */
function report(name, value, unit, baseline, more = {}) {
  const ratio = baseline ? Number((value / baseline).toFixed(3)) : null;
  console.log(JSON.stringify({ bench: 'advice', name, value: Number(value.toPrecision(4)), unit, baseline, ratio, ...more }));
}

/** @returns {Promise<typeof import('./_advice')>} */
async function rules() {
  const bundle = await rolldown({ input: join(ROOT, 'test', 'bench', '_advice.ts'), platform: 'node' });
  await bundle.write({ file: BUNDLE, format: 'esm', codeSplitting: false });
  await bundle.close();
  return import(pathToFileURL(BUNDLE).href);
}

/**
 * @param {string} folder
 * @param {number} round
 * @returns {Promise<Recorded[]>}
 */
function record(folder, round) {
  return new Promise((resolve, reject) => {
    const args = [join(ROOT, 'test', 'advice', 'record.py'), folder, String(round)];
    const child = spawn(tool('python'), args, { cwd: ROOT, env: environment(), stdio: ['ignore', 'pipe', 'inherit'] });
    /** @type {Recorded[]} */
    const rows = [];
    createInterface({ input: child.stdout }).on('line', line => {
      if (line.startsWith('{')) {
        rows.push(JSON.parse(line));
      }
    });
    child.once('error', reject);
    child.once('close', code => (code === 0 ? resolve(rows) : reject(new Error(`record.py: exit status ${code}`))));
  });
}

const folder = process.env.ADVICE_FOLDER ?? mkdtempSync(join(tmpdir(), 'dask-panes-advice-'));
const list = join(folder, 'recordings.json');
try {
  /** @type {Recorded[]} */
  const recorded = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
  for (let round = 0; recorded.length === 0 || (!existsSync(list) && round < ROUNDS); round++) {
    recorded.push(...(await record(folder, round)));
  }
  writeFileSync(list, JSON.stringify(recorded));
  const { told, speed, load } = await rules();
  const counts = { bad: 0, found: 0, first: 0, verdicts: 0, right: 0, healthy: 0, alarms: 0, priced: 0, near: 0 };
  for (const run of recorded) {
    const { verdicts, unknown, headline } = await told(run.file);
    const causes = verdicts.map(each => each.cause);
    console.error(`${run.name} ${run.variant}: ${causes.join(', ') || '-'} | ${headline}`);
    if (run.variant === 'healthy') {
      counts.healthy += 1;
      counts.alarms += causes.filter(cause => !run.also.includes(cause)).length;
      continue;
    }
    counts.bad += 1;
    counts.verdicts += causes.length;
    counts.right += causes.filter(cause => cause === run.cause || run.also.includes(cause)).length;
    counts.found += causes.includes(run.cause) ? 1 : 0;
    counts.first += causes[0] === run.cause ? 1 : 0;
    if (!causes.includes(run.cause)) {
      console.error(`  not found: ${run.cause}${unknown.includes(run.cause) ? ' (not known)' : ''}`);
    }
    const twin = recorded.find(each => each.name === run.name && each.variant === 'healthy');
    const cost = verdicts.find(each => each.cause === run.cause)?.seconds ?? 0;
    const saved = twin === undefined ? 0 : run.wall - twin.wall;
    if (cost > 0 && saved > 0.2 * run.wall) {
      counts.priced += 1;
      counts.near += cost / saved >= 0.5 && cost / saved <= 2 ? 1 : 0;
    }
  }
  report('recall', counts.found / counts.bad, 'share', 0.95, { runs: counts.bad });
  report('top1', counts.first / counts.bad, 'share', 0.9);
  report('precision', counts.verdicts ? counts.right / counts.verdicts : 1, 'share', null, { verdicts: counts.verdicts });
  report('false_alarms_on_healthy', counts.alarms, 'count', null, { runs: counts.healthy });
  report('cost_ratio', counts.priced ? counts.near / counts.priced : 0, 'share within 0.5 to 2', 0.8, {
    workloads: counts.priced
  });
  const [fastest = Number.NaN] = speed(TASKS, 5).sort((a, b) => a - b);
  report('advise_ms', fastest, 'ms', 200, { tasks: TASKS });
  report('live_share', load(fastest), 'share of the main thread', 0.02, { tasks: TASKS });
  const [live = Number.NaN] = speed(LIVE_TASKS, 5).sort((a, b) => a - b);
  report('live_share', load(live), 'share of the main thread', 0.02, { tasks: LIVE_TASKS });
} finally {
  if (process.env.ADVICE_FOLDER === undefined) {
    rmSync(folder, { recursive: true, force: true });
  }
}
