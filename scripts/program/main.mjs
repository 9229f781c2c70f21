// Entry of the program for terminals: reads the file, writes the lines, ends with the status.
// `dask-panes.cjs` and `python -m dask_panes` refuse a Node that is too old for it.
import { readFile } from 'node:fs/promises';
import { printed } from '../../src/terminal/command';

const { out, err, status } = await printed(process.argv.slice(2), path => readFile(path));
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', error => {
    // A program that reads only the first lines, such as head, closes the pipe.
    if (!('code' in error && error.code === 'EPIPE')) {
      process.exitCode = 2;
    }
  });
}
process.stderr.write(err.map(line => `${line}\n`).join(''));
process.stdout.write(out.map(line => `${line}\n`).join(''));
process.exitCode = status;
