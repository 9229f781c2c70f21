import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, it } from 'vitest';

const path = (name: string): string => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
/** One of its tasks ends with an error. */
const FILE = path('test/fixtures/run.dask-run');

let folder = '';
let program = '';
/** The command of the npm package, at its place beside the program. */
let command = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dask-panes-'));
  program = join(folder, 'bridge/dask_panes/files/program.mjs');
  const built = await rolldown({ input: path('scripts/program/main.mjs'), platform: 'node' });
  const { output } = await built.generate({ format: 'esm', codeSplitting: false });
  const { bin } = JSON.parse(await readFile(path('package.json'), 'utf8'));
  command = join(folder, bin['dask-panes']);
  await mkdir(dirname(program), { recursive: true });
  await mkdir(dirname(command), { recursive: true });
  await writeFile(program, output[0].code);
  await copyFile(path(bin['dask-panes']), command);
});

afterAll(() => rm(folder, { recursive: true }));

/** What becomes of an output: it is read, nobody reads it, or its disk is full. */
type Output = 'read' | 'closed' | 'full';

/** The exit status. */
async function statusOf(args: readonly string[], out: Output = 'read', err: Output = 'read'): Promise<unknown> {
  const full = [out, err].includes('full') ? await open('/dev/full', 'w') : null;
  const stdio = [out, err].map(kind => (kind === 'full' ? full?.fd : 'pipe'));
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', ...stdio] });
  for (const [stream, kind] of [
    [child.stdout, out],
    [child.stderr, err]
  ] as const) {
    void (kind === 'closed' ? stream?.destroy() : stream?.resume());
  }
  const [status] = await once(child, 'close');
  await full?.close();
  return status;
}

it.each([
  [0, ['advise', FILE, '--fail-on', 'data-by-value']],
  [1, ['advise', FILE, '--fail-on', 'failures']],
  [2, ['info', 'nothing.dask-run']]
])('ends with %d, also where nobody reads its outputs to the end', async (status, args) => {
  expect(await statusOf(args)).toBe(status);
  expect(await statusOf(args, 'read', 'closed')).toBe(status);
  expect(await statusOf(args, 'closed', 'closed')).toBe(status);
});

it.skipIf(process.platform !== 'linux')('has failed where an output cannot be written', async () => {
  expect(await statusOf(['info', FILE], 'full')).toBe(2);
  expect(await statusOf(['advise', FILE, '--fail-on', 'data-by-value'], 'read', 'full')).toBe(2);
  expect(await statusOf(['advise', FILE, '--fail-on', 'failures'], 'full', 'closed')).toBe(2);
});

/** What the command of the npm package says, and how it ends. */
async function said(node: readonly string[], ...args: readonly string[]): Promise<{ err: string; status: unknown }> {
  const child = spawn(process.execPath, [...node, command, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let err = '';
  child.stderr?.on('data', text => {
    err += text;
  });
  const [status] = await once(child, 'close');
  return { err, status };
}

it('is the command of the npm package', async () => {
  expect(await said([], 'advise', FILE, '--fail-on', 'failures')).toEqual({ err: '', status: 1 });
  expect(await said([], 'info', 'nothing.dask-run')).toMatchObject({ status: 2 });
});

it('has found no cause where Node is too old to read the program, or the program is missing', async () => {
  const old = join(folder, 'old.cjs');
  await writeFile(old, "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '12.22.9' } });");
  expect(await said(['-r', old], 'advise', FILE, '--fail-on', 'failures')).toEqual({
    err: 'dask-panes: Node.js 12.22.9 is too old; version 20 or later is needed.\n',
    status: 2
  });
  await rm(program);
  expect(await said([], 'info', FILE)).toEqual({ err: expect.stringContaining('could not be started: Cannot find'), status: 2 });
});
