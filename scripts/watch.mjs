// `npm run watch`: builds again what changes in `src` and `style`, until Ctrl+C. A reload of the page shows it.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { environment, ROOT, tool } from './lib/environment.mjs';
import { main } from './lib/process.mjs';
import { setup } from './setup.mjs';

/** @type {(readonly [program: string, ...args: string[]])[]} */
const WATCHERS = [
  [process.execPath, join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'), '-b', '--watch', '--preserveWatchOutput'],
  [tool('jupyter-builder'), 'watch', '.']
];

await main(async () => {
  await setup();
  // What is built from now on is a development build: the next set-up builds again.
  rmSync(join(ROOT, 'lib', '.dask-panes-stamp'), { force: true });
  console.log('dask-panes: watching. Reload the page after a change; restart the kernel after one of the bridge.');
  // Each in a separate process group: the bundler is a child of its command.
  const watchers = WATCHERS.map(([program, ...args]) =>
    spawn(program, args, { cwd: ROOT, env: environment(), stdio: ['ignore', 'inherit', 'inherit'], detached: true })
  );
  await new Promise(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.once(signal, resolve);
    }
    for (const watcher of watchers) {
      watcher.once('exit', resolve);
      watcher.once('error', resolve);
    }
  });
  for (const { pid, exitCode } of watchers) {
    if (pid !== undefined && exitCode === null) {
      // The bundler's command ignores a request to end; nothing of a watcher needs to be put in order.
      process.kill(-pid, 'SIGKILL');
    }
  }
});
