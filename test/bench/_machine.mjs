// How quick this machine is now: benchmarks print it beside their figures, so that figures of two days can be compared.
import { spawnSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { environment, tool } from '../../scripts/lib/environment.mjs';
import { Advice } from '../../scripts/lib/process.mjs';

const ROUNDS = 5;

/** CPU time of one round each, in ms: a loop over a dictionary, as the bridge's code is. */
const PYTHON = `
from time import process_time
for _ in range(${ROUNDS}):
    begin, table = process_time(), {}
    for i in range(200_000):
        table[i % 5_000] = table.get(i % 5_000, 0) + i
    print(1000 * (process_time() - begin))`;

/** @returns {number} CPU time in ms of a loop over typed arrays, as the page's code is */
function javascript() {
  const begin = process.cpuUsage();
  const values = new Float64Array(100_000);
  for (let turn = 0; turn < 20; turn++) {
    for (let i = 0; i < values.length; i++) {
      values[i] = Math.sqrt(values[(i * 7919) % values.length] + i + turn);
    }
  }
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1000;
}

/** @param {number[]} values @returns {number} */
function median(values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** @returns {{ name: string, value: number, unit: string }[]} load of the last minute, and CPU time of fixed work */
export function machineRows() {
  const { status, stdout } = spawnSync(tool('python'), ['-c', PYTHON], { env: environment(), encoding: 'utf8' });
  if (status !== 0) {
    throw new Advice('python did not run: npm run setup');
  }
  const rows = {
    load: [loadavg()[0] ?? Number.NaN, ''],
    python_ms: [median(stdout.trim().split('\n').map(Number)), 'ms'],
    javascript_ms: [median(Array.from({ length: ROUNDS }, javascript)), 'ms']
  };
  return Object.entries(rows).map(([name, [value, unit]]) => ({
    name,
    value: Number(Number(value).toFixed(2)),
    unit: String(unit)
  }));
}
