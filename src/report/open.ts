import { FileFeed, type RecordedRows } from '../feed/recordings/file-feed';
import type { ClientInfo } from '../feed/kernel/kernel-channel';
import { openRecording, type Recording } from '../feed/recordings/recording';
import { RecordedClient } from '../clients/recordings/recorded-client';
import type { Run } from '../run/run';
import { Totals } from './totals';

/** A recording with its clock at the end. */
export interface Recorded {
  readonly recording: Recording;
  readonly feed: FileFeed;
  readonly run: Run;
  readonly totals: Totals;
  /** Whether all of it was saved at once, from a scheduler: there is no history to play. */
  readonly ofOneMoment: boolean;
}

/** A report has no kernel with more facts of its client. */
const NOBODY: ClientInfo = {
  key: 'report',
  variable: '',
  cluster: '',
  address: '',
  dashboard: '',
  dashboardReason: '',
  status: 'closed',
  workers: 0,
  threads: 0,
  memoryLimit: 0,
  created: 0,
  limited: ''
};

/**
 * Read a recording to its end.
 *
 * @throws RecordingError if it is not a recording
 */
export async function openRun(bytes: Uint8Array): Promise<Recorded> {
  const recording = await openRecording(bytes);
  const feed = new FileFeed(recording);
  const { run } = new RecordedClient('', NOBODY, feed);
  const totals = new Totals();
  const count = (_: FileFeed, { tasks }: RecordedRows): void => {
    for (const body of tasks) {
      totals.add(body);
    }
  };
  feed.rows.connect(count);
  await feed.load();
  feed.rows.disconnect(count);
  // What was saved of a scheduler came at once, after all of it: its time begins with its first task, as in the pane. Of a block
  // the facts have the address.
  const ofOneMoment = recording.info.address === undefined;
  if (ofOneMoment) {
    run.anchor = Math.min(run.anchor, run.tasks.firstStart);
  }
  return { recording, feed, run, totals, ofOneMoment };
}

/** What of a recording could not be read, in sentences. Untrusted. */
export function unreadOf({ recording, feed }: Recorded): readonly string[] {
  const cut = recording.damaged > 0 && feed.problems.length === 0;
  return [...feed.problems, ...(cut ? ['A part of the recording in this file cannot be read.'] : [])];
}
