import type { ProfileFold, ProfileStore } from '../../run/logs/profile';

/**
 * Samples in the file format of speedscope, which other viewers read as well.
 *
 * One sample for each stack in which some function was innermost, weighted by its time: speedscope shows such a file left heavy
 * or as a sandwich; the order of its samples says nothing. Without a known interval, weights are numbers of samples.
 *
 * @param name - shown by the viewer
 * @returns JSON text
 */
export function speedscope(store: ProfileStore, fold: ProfileFold, name: string): string {
  const { interval } = store.status;
  const scale = interval > 0 ? interval : 1;
  const samples: number[][] = [];
  const weights: number[] = [];
  for (let stack = 1; stack < store.stacks; stack++) {
    if (fold.own[stack] > 0) {
      samples.push(functionsOf(store, stack));
      weights.push(fold.own[stack] * scale);
    }
  }
  const frames = store.frames.map(frame =>
    frame === null
      ? { name: 'one of several callees' }
      : { name: frame.name || '?', ...(frame.file === '' ? {} : { file: frame.file, line: frame.first }) }
  );
  return JSON.stringify({
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    exporter: 'dask-panes',
    name,
    shared: { frames },
    profiles: [
      {
        type: 'sampled',
        name,
        unit: interval > 0 ? 'seconds' : 'none',
        startValue: 0,
        endValue: weights.reduce((sum, weight) => sum + weight, 0),
        samples,
        weights
      }
    ]
  });
}

/** Numbers of the functions of a stack, the entry first. */
function functionsOf(store: ProfileStore, stack: number): number[] {
  const functions: number[] = [];
  for (let at = stack; at > 0; at = store.parent(at)) {
    functions.push(store.frameNumber(at));
  }
  return functions.reverse();
}
