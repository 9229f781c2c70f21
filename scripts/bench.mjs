// `npm run bench`: all benchmarks, `npm run bench -- NAME…` only those, `npm run bench -- NAME --OPTION…` one with its options.
// Prints one JSON object per line and nothing else on the standard output: {"bench","name","value","unit","baseline","ratio"}.
// Rows of the bench "machine" come before each: the load, and the CPU time of fixed work.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { provideChromium } from './lib/chromium.mjs';
import { ROOT, environment, tool } from './lib/environment.mjs';
import { machineRows } from '../test/bench/_machine.mjs';
import { Advice, main } from './lib/process.mjs';
import { RESULTS } from './lib/stages.mjs';
import { statusTopics } from './lib/catalogue.mjs';
import { setup } from './setup.mjs';

const FOLDER = join(ROOT, 'test', 'bench');
/** How a benchmark runs, by the ending of its file; a `.bench.ts` drives a real JupyterLab and writes to `$BENCH_OUTPUT`. */
const KINDS = ['.bench.ts', '.mjs', '.py'];

/** @returns {Map<string, string[]>} files by name; a leading underscore marks helper modules */
function benchmarks() {
  const found = new Map();
  for (const file of readdirSync(FOLDER).sort()) {
    const ending = KINDS.find(kind => file.endsWith(kind));
    if (ending && !file.startsWith('_')) {
      const name = file.slice(0, -ending.length);
      found.set(name, [...(found.get(name) ?? []), file]);
    }
  }
  return found;
}

/**
 * Run a program that prints figures to the standard output; its other output goes to the standard error.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ code: number, figures: number }>}
 */
function figuresOf(program, args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] });
    let figures = 0;
    const lines = createInterface({ input: child.stdout });
    lines.on('line', line => {
      figures += show(line);
    });
    child.once('error', reject);
    child.once('close', code => resolve({ code: code ?? 128, figures }));
  });
}

/**
 * @param {string} line
 * @returns {number} 1 for a figure, 0 for anything else
 */
function show(line) {
  const figure = /^\{.*"bench".*\}$/.test(line);
  (figure ? process.stdout : process.stderr).write(`${line}\n`);
  return figure ? 1 : 0;
}

/**
 * @param {string} file
 * @param {readonly string[]} options - of the benchmark
 * @returns {Promise<boolean>} whether it succeeded and printed a figure
 */
async function bench(file, options) {
  const path = join(FOLDER, file);
  const topics = { DASK_PANES_STATUS_TOPICS: JSON.stringify(await statusTopics()) };
  if (!file.endsWith('.bench.ts')) {
    const { code, figures } = await figuresOf(
      file.endsWith('.py') ? tool('python') : process.execPath,
      [path, ...options],
      environment(topics)
    );
    return code === 0 && figures > 0;
  }
  const output = join(RESULTS, 'bench.jsonl');
  mkdirSync(RESULTS, { recursive: true });
  rmSync(output, { force: true });
  const env = environment({ ...topics, CHROMIUM: await provideChromium({ whole: true }), BENCH_OUTPUT: output });
  const args = ['node_modules/@playwright/test/cli.js', 'test', '--project=bench', '--reporter=line', `/${file}`];
  const { code } = await figuresOf(process.execPath, args, env);
  const lines = existsSync(output) ? readFileSync(output, 'utf8').split('\n').filter(Boolean) : [];
  return code === 0 && lines.reduce((sum, line) => sum + show(line), 0) > 0;
}

await main(async () => {
  const all = benchmarks();
  const words = process.argv.slice(2);
  const end = words.findIndex(word => word.startsWith('-'));
  const asked = end < 0 ? words : words.slice(0, end);
  const options = words.slice(asked.length);
  const unknown = asked.filter(name => !all.has(name));
  if (unknown.length) {
    throw new Advice(`no benchmark ${unknown.join(', ')}: there are ${[...all.keys()].join(', ')}`);
  }
  if (options.length > 0 && asked.length !== 1) {
    throw new Advice(`${options.join(' ')}: options belong to one benchmark, npm run bench -- NAME ${options.join(' ')}`);
  }
  await setup();
  let failed = 0;
  for (const file of [...all].flatMap(([name, files]) => (asked.length === 0 || asked.includes(name) ? files : []))) {
    for (const row of machineRows()) {
      show(JSON.stringify({ bench: 'machine', ...row, baseline: null, ratio: null, before: file }));
    }
    if (!(await bench(file, options))) {
      console.error(`dask-panes: benchmark ${file} failed`);
      failed += 1;
    }
  }
  return failed ? 1 : 0;
});
