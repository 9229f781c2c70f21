/**
 * Recordings and reports: bytes and CPU of a recorded task, opening a million of them, moving their clock, the report of
 * 100,000 tasks beside Dask's own. The head of each module in `_recording` says what its rows are; a further part is a
 * module of its own, called here.
 */
import { test } from '../e2e/harness/test';
import { measureReader } from './_recording/open';
import { measureReports } from './_recording/reports';
import { measureLocal, measureWriter } from './_recording/write';

test('recording', async ({ lab, browser }) => {
  test.setTimeout(900_000);
  measureWriter();
  measureLocal();
  await measureReader(lab);
  await measureReports(browser);
});
