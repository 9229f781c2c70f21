/** When a pane would have reported a cause, from the frames that a browser tab got and the times at which they arrived. */
import { readFileSync } from 'node:fs';
import { advise } from '../../src/advice/advise';
import type { AskedPeriod } from '../../src/advice/period';
import { paceOf } from '../../src/advice/shown';
import type { Seconds } from '../../src/base/units';
import { decodeFrame } from '../../src/feed/frame';
import { FrameValidator } from '../../src/feed/validate';
import { english } from '../../src/plot/translation';
import { Run } from '../../src/run/run';
import { selectedBy } from '../../src/selectors/computations/selected';

/** Of each frame: Unix time of its arrival (float64), and its length (uint32). */
const HEAD = 12;
/** How finely the first frame with which the rules find a cause is looked for. */
const FINE: Seconds = 0.1;

/** What a pane reported while a workload ran. */
export interface Live {
  /** From the scheduler's time of the frame that shows the cause until it was reported; `null` if it never was. */
  readonly seconds: Seconds | null;
  /** From the start of the workload until it was reported. */
  readonly since: Seconds | null;
  /** All causes that were reported at any time. */
  readonly causes: readonly string[];
}

interface Arrived {
  readonly at: Seconds;
  readonly bytes: Uint8Array;
}

/**
 * The time of the computation of a function, as it is when a user selects it.
 *
 * @returns `null` before it is known
 */
export function timeOf(run: Run, selected: string): AskedPeriod | null {
  const computation = run.computations.list.find(({ id }) =>
    run.computations.functionsOf(id).some(({ prefix }) => run.prefixNames[prefix] === selected)
  );
  const period = computation && selectedBy(run, computation)?.period;
  return computation && period ? { ...period, computation: computation.id } : null;
}

/** What was recorded. */
interface Workload {
  /** Unix time; scheduler and tab have the same clock. */
  readonly begin: Seconds;
  /** That is looked for. */
  readonly cause: string;
  /** Function of the computation in whose time it is; without one, in all. */
  readonly selected?: string;
}

/**
 * Advice as a pane computes it, each second or less often, on frames as they arrived.
 *
 * @param path - of the frames
 */
export function live(path: string, { begin, cause, selected = '' }: Workload): Live {
  const frames = arrivals(readFileSync(path));
  const [run, validator] = [new Run(), new FrameValidator()];
  const seenCauses = new Set<string>();
  let shown = Number.NaN;
  let looked = Number.NEGATIVE_INFINITY;
  let tick = begin;
  let until: Seconds | null = null;
  const causes = (): readonly string[] => {
    const period = selected === '' ? { from: begin, to: Number.POSITIVE_INFINITY } : timeOf(run, selected);
    return period === null ? [] : advise(run, period, english).verdicts.map(each => each.cause);
  };
  /** The pane computes until a moment. */
  const wait = (to: Seconds): void => {
    while (tick <= to) {
      const started = performance.now();
      const now = causes();
      const took = performance.now() - started;
      for (const each of now) {
        seenCauses.add(each);
      }
      if (until === null && cause !== '' && now.includes(cause)) {
        until = tick + took / 1000;
      }
      tick += paceOf(took) / 1000;
    }
  };
  for (const { at, bytes } of frames) {
    wait(at);
    const { frame, problems } = validator.check(decodeFrame(bytes));
    if (problems.length > 0) {
      throw new Error(`${path}: ${problems.join(' ')}`);
    }
    run.apply(frame, at * 1000);
    if (Number.isNaN(shown) && cause !== '' && frame.time - looked >= FINE) {
      looked = frame.time;
      shown = causes().includes(cause) ? frame.time : shown;
    }
  }
  const last = frames.at(-1);
  if (last !== undefined) {
    wait(last.at + 1.5);
  }
  return {
    // A verdict may come and go between two computations of the pane: then the next one counts.
    seconds: until === null ? null : until - Math.min(shown, until),
    since: until === null ? null : until - begin,
    causes: [...seenCauses]
  };
}

function arrivals(data: Buffer): Arrived[] {
  const frames: Arrived[] = [];
  for (let at = 0; at + HEAD <= data.length; ) {
    const length = data.readUInt32LE(at + 8);
    // A `Buffer` would share its memory where a frame copies it.
    frames.push({ at: data.readDoubleLE(at), bytes: new Uint8Array(data.buffer, data.byteOffset + at + HEAD, length) });
    at += HEAD + length;
  }
  return frames;
}
