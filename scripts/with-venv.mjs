// Runs a program with the checkout's virtual environment as a last resort: a build in pip's isolated environment
// has its own programs first on the path, a user in a plain terminal does not.
import { delimiter, dirname } from 'node:path';
import { tool } from './lib/environment.mjs';
import { main, run } from './lib/process.mjs';

await main(async () => {
  const [program, ...args] = process.argv.slice(2);
  if (!program) {
    throw new Error('usage: node scripts/with-venv.mjs PROGRAM [ARGUMENT…]');
  }
  const path = [process.env.PATH ?? '', dirname(tool('python'))].join(delimiter);
  return run(program, args, { env: { ...process.env, PATH: path } });
});
