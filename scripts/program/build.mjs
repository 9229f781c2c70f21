// Writes bridge/dask_panes/files/program.mjs: the commands of the terminal as one file for Node, without further packages.
// `python -m dask_panes` runs it, and so does `dask-panes.cjs`, the command of the npm package.
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { ROOT } from '../lib/environment.mjs';

const PROGRAM = join(ROOT, 'bridge', 'dask_panes', 'files', 'program.mjs');

const built = await rolldown({ input: join(ROOT, 'scripts', 'program', 'main.mjs'), platform: 'node' });
const { output } = await built.generate({ format: 'esm', minify: true, codeSplitting: false });
const [chunk, ...others] = output;
if (others.length > 0) {
  throw new Error('the program for terminals is more than one file');
}
if (chunk.imports.some(name => !name.startsWith('node:'))) {
  throw new Error(`the program for terminals imports ${chunk.imports.join(', ')}`);
}
await mkdir(dirname(PROGRAM), { recursive: true });
await writeFile(PROGRAM, `#!/usr/bin/env node\n${chunk.code.trim()}\n`);
await chmod(PROGRAM, 0o755);
