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
const [RING, KEPT, GRAPH] = [1_000_000, 5_000_000, 200_000];

/**
 * Bytes by which each may have grown after the first minutes, by the number of tasks that have ended since:
 * docs/security.md, "Memory over hours". Of the scheduler, more than one without Dask Panes that did the same work: Dask
 * itself keeps every function, with its fine metrics, and every span forever, some 500 bytes a task of this work.
 *
 * @type {Readonly<Record<'kernel' | 'scheduler' | 'tab', (tasks: number) => number>>}
 */
const LIMITS = {
  kernel: () => 60 * MB,
  scheduler: tasks => 100 * MB + 60 * Math.min(tasks, RING) + 150 * Math.min(tasks, GRAPH),
  tab: tasks => 60 * MB + 100 * Math.min(tasks, KEPT)
};

/**
 * @typedef {object} Sample
 * @property {number} begin - of its segment, in milliseconds since the epoch
 * @property {number} minute
 * @property {number} kernel - bytes, as the others
 * @property {number} scheduler
 * @property {number} tab
 * @property {number} tasks - that the pane has seen
 * @property {number} bare - of the scheduler without Dask Panes
 * @property {number} bareTasks - that it was given
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

/**
 * Growth between two samples, to the least of the last three: a single figure may catch a moment before a collection.
 *
 * @param {Sample[]} samples
 * @param {Sample} warm
 * @param {'kernel' | 'scheduler' | 'tab' | 'bare'} key
 */
function growthOf(samples, warm, key) {
  const to = Math.min(...samples.slice(-3).map(sample => sample[key]));
  return { from: warm[key], to, growth: to - warm[key] };
}

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {number} from - bytes, as the others
 * @property {number} to
 * @property {number} growth
 * @property {number} limit - NaN where there is none
 * @property {number} minutes
 * @property {number} tasks
 * @property {number} begin
 */

/**
 * @param {Sample[]} samples
 * @returns {Row[]}
 */
function judge(samples) {
  const warm = samples.find(({ minute }) => minute >= WARM);
  const last = samples.at(-1);
  if (!warm || !last || last.minute - warm.minute < WARM) {
    return [];
  }
  const tasks = last.tasks - warm.tasks;
  const facts = { minutes: last.minute, tasks: last.tasks, begin: last.begin };
  const bare = growthOf(samples, warm, 'bare');
  // Both are asked for the same rate; a busy machine may have given one of them a little less to do.
  const share = tasks / (last.bareTasks - warm.bareTasks);
  const rows = Object.entries(LIMITS).map(([name, limit]) => {
    const found = growthOf(samples, warm, /** @type {keyof typeof LIMITS} */ (name));
    const growth = name === 'scheduler' ? found.growth - share * bare.growth : found.growth;
    return { name, ...found, growth, limit: limit(tasks), ...facts };
  });
  return [...rows, { name: 'scheduler without Dask Panes', ...bare, limit: Number.NaN, ...facts }];
}

/** @param {Row} row */
function verdict({ growth, limit }) {
  return Number.isNaN(limit) ? '' : growth <= limit ? 'within' : 'BEYOND';
}

/** @param {number} bytes */
const mb = bytes => (Number.isNaN(bytes) ? '' : `${(bytes / MB).toFixed(0)} MB`);

/** @param {number} begin */
const day = begin => new Date(begin).toISOString().slice(0, 10);

/**
 * The rows of other days that the table has.
 *
 * @param {Row[]} rows
 */
function earlier(rows) {
  const days = new Set(rows.map(({ begin }) => day(begin)));
  const lines = existsSync(TABLE) ? readFileSync(TABLE, 'utf8').split('\n') : [];
  return lines.filter(line => /^\| \d{4}-/.test(line) && !days.has(line.slice(2, 12)));
}

/**
 * @param {Row[]} rows
 * @param {number} left - minutes
 */
function table(rows, left) {
  const lines = rows.map(row => {
    const cells = [day(row.begin), row.minutes, row.tasks.toLocaleString('en'), row.name];
    return `| ${[...cells, ...[row.from, row.to, row.growth, row.limit].map(mb), verdict(row)].join(' | ')} |`;
  });
  return `# Memory over hours

Written by \`npm run test:soak\`: a real JupyterLab and Chromium with the Status layout, a scheduler and a worker in processes of their
own, 200 tasks/s asked for (a busy machine does fewer: the table has how many ended), a new group for every 80 tasks and a new function for every 40. "From" is the ${WARM}rd minute, "to" the end;
the limits are those of [security.md](security.md), for the number of tasks that had ended. Memory of kernel and scheduler is what they have in RAM; that of the tab is its heap and buffers.

Dask itself keeps each function forever, with its fine metrics, and each span. So beside it, the same work runs on a scheduler without Dask Panes; the growth of the other one is what it has grown
more than that. Rows without such a neighbour are older: there the growth has Dask's own in it, and the limit too.
${left > 0 ? `\n**Not run: ${left} minutes of those that were asked for.**\n` : ''}
| date | minutes | tasks | of | from | to | growth | limit | |
|---|---|---|---|---|---|---|---|---|
${[...lines, ...earlier(rows)].join('\n')}
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
  for (const row of rows) {
    console.log(`${verdict(row)} ${row.name}: ${mb(row.growth)} in ${row.minutes} minutes, limit ${mb(row.limit)}`.trim());
  }
  if (left > 0) {
    console.log(`not run: ${left} of ${asked} minutes`);
  }
  return code === 0 && left === 0 && rows.length > 0 && rows.every(row => verdict(row) !== 'BEYOND') ? 0 : 1;
});
