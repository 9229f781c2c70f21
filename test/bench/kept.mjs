// What views keep of 5,000,000 executions on 2,000 lanes beside the executions themselves, in Node: bytes after a collection of
// garbage, and CPU time. `busy_*`: "Busy threads by function" with the whole run in view, with 30 and 1,000 functions.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { ROOT } from '../../scripts/lib/environment.mjs';

const SIZES = { tasks: 5_000_000, lanes: 2000 };
const FUNCTIONS = [30, 1000];
/** Renewals of a picture while the run goes on. */
const RENEWALS = 5;

/**
 * @param {string} name
 * @param {number} value
 * @param {string} unit
 */
function report(name, value, unit) {
  const row = { bench: 'kept', name, value: Number(value.toPrecision(4)), unit, baseline: null, ratio: null };
  console.log(JSON.stringify(row));
}

/** @returns {number} bytes in use, those of typed arrays included */
function used() {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/**
 * @param {() => void} act
 * @returns {number} CPU time in ms
 */
function cpu(act) {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** @param {string} module */
async function measure(module) {
  const { runOf, busy } = await import(module);
  for (const functions of FUNCTIONS) {
    const run = runOf({ ...SIZES, functions });
    const before = used();
    const first = cpu(() => busy(run));
    report(`busy_mb_${functions}`, (used() - before) / 1e6, 'MB');
    report(`busy_first_cpu_ms_${functions}`, first, 'ms');
    let later = 0;
    const again = cpu(() => {
      for (let i = 0; i < RENEWALS; i++) {
        later += 1e-6;
        busy(run, later);
      }
    });
    report(`busy_again_cpu_ms_${functions}`, again / RENEWALS, 'ms');
  }
}

const folder = await mkdtemp(join(tmpdir(), 'kept-'));
try {
  const file = join(folder, 'run.mjs');
  if (process.argv[2] === undefined) {
    const bundle = await rolldown({ input: join(ROOT, 'test', 'bench', '_kept-run.ts'), platform: 'node' });
    await bundle.write({ file, format: 'esm' });
    const flags = ['--expose-gc', '--max-old-space-size=4096'];
    const { status } = spawnSync(process.execPath, [...flags, import.meta.filename, file], { stdio: 'inherit' });
    process.exitCode = status ?? 1;
  } else {
    await measure(pathToFileURL(process.argv[2]).href);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
