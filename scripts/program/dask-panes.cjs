#!/usr/bin/env node
// The command `dask-panes` of the npm package. An old Node cannot parse the program, and would end with 1, as if a cause had been
// found. So nothing is written here that Node 10 does not understand.

/** Oldest release with all that the program calls. */
const OLDEST = 20;

/** @param {string} message */
function fail(message) {
  process.stderr.write(`dask-panes: ${message}\n`);
  process.exitCode = 2;
}

if (Number(process.versions.node.split('.')[0]) < OLDEST) {
  fail(`Node.js ${process.versions.node} is too old; version ${OLDEST} or later is needed.`);
} else {
  import('../../bridge/dask_panes/files/program.mjs').catch(error => fail(`the program could not be started: ${error.message}`));
}
