/** A finished profile as the kernel wrote it into an output (`bridge/dask_panes/local/profilers.py`); untrusted. */
import { fromBase64 } from '../../base/arrays';
import { boundedText, listOf, mapOf } from '../../base/untrusted';
import { decodeFrame, type Frame, FrameError } from '../../feed/frame';
import { FrameValidator } from '../../feed/validate';
import { PLOTS } from '../../plots';
import type { Plot } from '../../plot/plot';

/** Supported version of the JSON. */
export const VERSION = 1;

/** Maximum frames, keys and calls read from one output. */
const MOST_FRAMES = 1000;
const MOST_KEYS = 20_000;
/** Longest key or call; longer ones are cut. */
const LONGEST = 400;

/** Content of an output. */
export interface Profile {
  /** Plots for the profilers in the output, in the order of the catalogue. */
  readonly plots: readonly Plot[];
  readonly frames: readonly Frame[];
  /** Keys and calls of tasks, by row. */
  readonly keys: readonly string[];
  readonly tasks: readonly string[];
}

/** @returns the profile, or `null` if this version cannot read it */
export function readProfile(value: unknown): Profile | null {
  const { version, plots, frames, keys, tasks } = mapOf(value);
  if (version !== VERSION) {
    return null;
  }
  const wanted = texts(plots, 10);
  try {
    return {
      plots: PLOTS.filter(plot => plot.group === 'local' && wanted.includes(plot.id)),
      frames: framesOf(texts(frames, MOST_FRAMES, Number.POSITIVE_INFINITY)),
      keys: texts(keys, MOST_KEYS),
      tasks: texts(tasks, MOST_KEYS)
    };
  } catch (error) {
    if (error instanceof FrameError) {
      return null;
    }
    throw error;
  }
}

function texts(value: unknown, most: number, longest = LONGEST): string[] {
  return listOf(value)
    .slice(0, most)
    .map(item => boundedText(item, longest));
}

function framesOf(encoded: readonly string[]): Frame[] {
  const validator = new FrameValidator();
  return encoded.map(text => {
    const { frame, problems } = validator.check(decodeFrame(bytesOf(text)));
    if (problems.length > 0) {
      throw new FrameError(problems[0]);
    }
    return frame;
  });
}

function bytesOf(base64: string): Uint8Array {
  try {
    return fromBase64(base64);
  } catch {
    throw new FrameError('not base64');
  }
}
