/** Rows of the writer: what a recording weighs and costs; and what observing a local scheduler does. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT, tool } from '../../../scripts/lib/environment.mjs';
import { FOLDER, report } from './report';

interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly baseline: number | null;
}

/** Run measurements in Python and report what they print. */
function measure(script: string, wanted: (name: string) => boolean = () => true): void {
  const output = execFileSync(tool('python'), [script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const rows = output
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as Row);
  for (const { name, value, unit, baseline } of rows.filter(row => wanted(row.name))) {
    report(name, value, unit, baseline);
  }
}

export function measureWriter(): void {
  measure(join(FOLDER, 'write.py'));
}

/** The row of `npm run bench -- local` that belongs to this list; its baseline is Dask's own profiler. */
export function measureLocal(): void {
  measure(join(ROOT, 'test', 'bench', 'local.py'), name => name === 'local_us_per_task');
}
