// `npm run test:soak [-- --hours 2] [--again]`: a real JupyterLab, Chromium and cluster at 200 tasks/s, memory every minute.
// Ctrl+C ends it with what there is; the next run does what is left of the hours, in new processes, unless `--again`.
// Fails where kernel, scheduler or tab grew beyond the limits of docs/security.md; writes the dated table docs/soak.md.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from './lib/environment.mjs';
import { playwright } from './lib/chromium.mjs';
import { Advice, main } from './lib/process.mjs';
import { RESULTS } from './lib/stages.mjs';
import { setup } from './setup.mjs';

const FILE = join(RESULTS, 'soak', 'samples.jsonl');
const TABLE = join(ROOT, 'docs', 'soak.md');
const MB = 1e6;
/** Minutes after which growth counts: until then modules load and caches fill. */
const WARM = 3;

/** Executions and tasks of the graph that are kept, at most. */
const [RING, GRAPH] = [1_000_000, 200_000];

/**
 * New groups and functions a task, by the work of test/soak, and what Dask itself keeps for each of them in the scheduler, twice
 * over: the collector's own share is bounded.
 */
const [NAMES, NAME] = [1 / 4 / 20 + 1 / 40, 2000];

/**
 * Bytes by which each may have grown after the first minutes, by the number of tasks that have ended since:
 * docs/security.md, "Memory over hours".
 *
 * @type {Readonly<Record<'kernel' | 'scheduler' | 'tab', (tasks: number) => number>>}
 */
const LIMITS = {
  kernel: () => 60 * MB,
  scheduler: tasks => 100 * MB + 60 * Math.min(tasks, RING) + 150 * Math.min(tasks, GRAPH) + NAME * NAMES * tasks,
  tab: tasks => 60 * MB + 100 * Math.min(tasks, RING)
};

/**
 * @typedef {object} Sample
 * @property {number} begin - of its segment, in milliseconds since the epoch
 * @property {number} minute
 * @property {number} kernel - bytes, as the others
 * @property {number} scheduler
 * @property {number} tab
 * @property {number} tasks - that the pane has seen
 */

/** @returns {Sample[][]} the runs between two interruptions, each in separate processes */
function segments() {
  const lines = existsSync(FILE) ? readFileSync(FILE, 'utf8').trim().split('\n').filter(Boolean) : [];
  /** @type {Map<number, Sample[]>} */
  const found = new Map();
  for (const line of lines) {
    /** @type {Sample} */
    const sample = JSON.parse(line);
    found.set(sample.begin, [...(found.get(sample.begin) ?? []), sample]);
  }
  return [...found.values()];
}

/** @param {Sample[]} samples */
function minutesOf(samples) {
  return samples.at(-1)?.minute ?? 0;
}

/** @param {Sample[]} samples */
function judge(samples) {
  const warm = samples.find(({ minute }) => minute >= WARM);
  const last = samples.at(-1);
  if (!warm || !last || last.minute - warm.minute < WARM) {
    return [];
  }
  const tasks = last.tasks - warm.tasks;
  return Object.entries(LIMITS).map(([name, limit]) => {
    const key = /** @type {keyof typeof LIMITS} */ (name);
    // A single figure may catch a moment before a collection.
    const end = Math.min(...samples.slice(-3).map(sample => sample[key]));
    const growth = end - warm[key];
    return {
      name,
      from: warm[key],
      to: end,
      growth,
      limit: limit(tasks),
      minutes: last.minute,
      tasks: last.tasks,
      begin: last.begin
    };
  });
}

/** @param {number} bytes */
const mb = bytes => `${(bytes / MB).toFixed(0)} MB`;

/**
 * @param {ReturnType<typeof judge>} rows
 * @param {number} left - minutes
 */
function table(rows, left) {
  const lines = rows.map(
    ({ begin, minutes, tasks, name, from, to, growth, limit }) =>
      `| ${new Date(begin).toISOString().slice(0, 10)} | ${minutes} | ${tasks.toLocaleString('en')} | ${name} | ${mb(from)} | ${mb(to)} | ${mb(growth)} | ${mb(limit)} | ${growth <= limit ? 'within' : 'BEYOND'} |`
  );
  return `# Memory over hours

Written by \`npm run test:soak\`: a real JupyterLab and Chromium with the Status layout, a scheduler and a worker in processes of their
own, 200 tasks/s asked for (a busy machine does fewer: the table has how many ended). "From" is the ${WARM}rd minute, "to" the end; the limits are those of [security.md](security.md), for the number of tasks
that had ended. Memory of kernel and scheduler is what they have in RAM, Dask's own included; that of the tab is its heap and buffers.
${left > 0 ? `\n**Not run: ${left} minutes of those that were asked for.**\n` : ''}
| date | minutes | tasks | of | from | to | growth | limit | |
|---|---|---|---|---|---|---|---|---|
${lines.join('\n')}
`;
}

await main(async () => {
  const { values } = parseArgs({
    options: { hours: { type: 'string', default: '2' }, again: { type: 'boolean', default: false } }
  });
  const asked = Math.round(Number(values.hours) * 60);
  if (!(asked >= 2 * WARM)) {
    throw new Advice(`--hours ${values.hours}: at least ${2 * WARM} minutes are needed to see growth`);
  }
  await setup();
  mkdirSync(dirname(FILE), { recursive: true });
  if (values.again) {
    rmSync(FILE, { force: true });
  }
  const before = segments().reduce((sum, samples) => sum + minutesOf(samples), 0);
  const seed = 1 + segments().length;
  let code = 0;
  if (before < asked) {
    console.log(`seed ${seed}, ${asked - before} minutes of ${asked}; Ctrl+C ends it with what there is`);
    process.on('SIGINT', () => console.error('ending'));
    const env = { SOAK_MINUTES: String(asked - before), SOAK_FILE: FILE, SOAK_SEED: String(seed) };
    code = await playwright('soak', [], env);
  }
  const all = segments();
  const rows = all.flatMap(judge);
  const left = Math.max(0, asked - all.reduce((sum, samples) => sum + minutesOf(samples), 0));
  writeFileSync(TABLE, table(rows, left));
  for (const { name, minutes, growth, limit } of rows) {
    console.log(`${growth <= limit ? 'within' : 'BEYOND'} ${name}: ${mb(growth)} in ${minutes} minutes, limit ${mb(limit)}`);
  }
  if (left > 0) {
    console.log(`not run: ${left} of ${asked} minutes`);
  }
  return code === 0 && left === 0 && rows.length > 0 && rows.every(({ growth, limit }) => growth <= limit) ? 0 : 1;
});
