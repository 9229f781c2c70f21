// Entry of the program for terminals: reads the file, writes the lines, ends with the status.
import { readFile } from 'node:fs/promises';
import { printed } from '../../src/terminal/command';

/** Oldest release with all that the program calls. */
const OLDEST = 20;

const [major = '0'] = process.versions.node.split('.');
if (Number(major) < OLDEST) {
  process.stderr.write(`dask-panes: Node.js ${process.versions.node} is too old; version ${OLDEST} or later is needed.\n`);
  process.exitCode = 2;
} else {
  const { out, err, status } = await printed(process.argv.slice(2), path => readFile(path));
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', error => {
      // Who reads only the first lines closes the pipe.
      if (!('code' in error && error.code === 'EPIPE')) {
        process.exitCode = 2;
      }
    });
  }
  process.stderr.write(err.map(line => `${line}\n`).join(''));
  process.stdout.write(out.map(line => `${line}\n`).join(''));
  process.exitCode = status;
}
