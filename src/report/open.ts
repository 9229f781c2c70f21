import { openRecording, type Recording } from '../feed/recording';
import { Run } from '../run/run';
import { Totals } from './totals';

/** The end of what a recording tells. */
export interface Recorded {
  readonly recording: Recording;
  readonly run: Run;
  readonly totals: Totals;
}

/**
 * Fold a recording to its end.
 *
 * @throws RecordingError when it is none
 */
export async function openRun(bytes: Uint8Array): Promise<Recorded> {
  const recording = await openRecording(bytes);
  const run = new Run();
  const totals = new Totals();
  // The browser inflates beside this thread: all chunks are asked for at once, and taken in their order.
  const chunks = await Promise.all(recording.chunks.map(chunk => recording.read(chunk)));
  for (const frame of chunks.flatMap(chunk => chunk.frames)) {
    totals.add(frame);
    run.apply(frame, frame.time * 1000);
  }
  return { recording, run, totals };
}
