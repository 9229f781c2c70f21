import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/lib/environment.mjs';

/** Where the parts of this benchmark lie. */
export const FOLDER = join(ROOT, 'test', 'bench', '_recording');

/** Report one figure. */
export function report(name: string, value: number, unit: string, baseline: number | null): void {
  const ratio = baseline === null ? null : Number((value / baseline).toFixed(3));
  const row = { bench: 'recording', name, value: Number(value.toFixed(2)), unit, baseline, ratio };
  appendFileSync(process.env.BENCH_OUTPUT ?? '/dev/stdout', `${JSON.stringify(row)}\n`);
}
