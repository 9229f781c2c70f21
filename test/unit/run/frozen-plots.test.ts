/** Every plot of the list, drawn from a frozen run while the run itself goes on, forgets rows, marks them and begins again. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Frame, TopicBody, Column } from '../../../src/feed/frame';
import { openRecording } from '../../../src/feed/recordings/recording';
import { type Topic, TOPICS } from '../../../src/feed/schema';
import { frozen } from '../../../src/run/frozen';
import { Run } from '../../../src/run/run';
import { FOLD_NAMES, RunState } from '../../../src/run/run-state';
import { madeBody, madeFrame, ROWS } from '../feed/made-feed';
import { allShown } from '../plots/shown';

/**
 * A body that continues one of `madeBody`: further rows where rows are appended, other values everywhere, ids of other rows
 * where there are ids.
 */
function later(topic: Topic, times: number): TopicBody {
  const body = madeBody(topic);
  const moved = (columns: Readonly<Record<string, Column>>): Record<string, Column> =>
    Object.fromEntries(
      Object.entries(columns).map(([name, column]) => [
        name,
        column.map(value => value + (column instanceof Float64Array ? 7.5 * times : times))
      ])
    );
  return {
    columns: moved(body.columns),
    scalars: { ...body.scalars, first: times * ROWS },
    ...(body.moves === undefined ? {} : { moves: moved(body.moves) })
  };
}

async function recorded(): Promise<readonly Frame[]> {
  const recording = await openRecording(new Uint8Array(readFileSync(new URL('../../fixtures/run.dask-run', import.meta.url))));
  const chunks = await Promise.all(recording.chunks.map(chunk => recording.read(chunk)));
  return chunks.flatMap(chunk => chunk.frames);
}

/** A frozen run draws the same after each of several things that happen to its run. */
function expectFixed(run: Run, events: Readonly<Record<string, () => void>>): void {
  const held = frozen(run);
  const before = allShown(held);
  expect(allShown(run)).toEqual(before);
  for (const [name, happen] of Object.entries(events)) {
    happen();
    expect(allShown(run), `${name} changes something`).not.toEqual(before);
    for (const [id, text] of Object.entries(allShown(held))) {
      // Keys are asked for when their rows are seen: of a run that has ended no answer comes any more.
      const shown = id === 'tasks' ? text.replaceAll('"key not kept"', '"…"') : text;
      expect(shown, `${id}, after: ${name}`).toBe(before[id]);
    }
  }
}

describe('a frozen run', () => {
  it('draws the same in every plot while frames of every topic come', () => {
    const run = new Run();
    const apply = (frame: Frame): void => run.apply(frame, frame.time * 1000);
    apply(madeFrame());
    const next = (times: number): Frame => ({
      ...madeFrame(),
      seq: times,
      time: madeFrame().time + times,
      names: { prefixes: { from: 4, values: Array.from({ length: times }, (_, i) => `new ${i}`) } },
      topics: Object.fromEntries(TOPICS.map(topic => [topic, later(topic, times)]))
    });
    expectFixed(run, {
      'the next frame': () => apply(next(1)),
      'another frame': () => apply(next(2)),
      'older executions are forgotten': () => run.keepTasks(3),
      'everything begins again': () => apply({ ...madeFrame(), feed: 'another', topics: {} }),
      'with other frames': () => apply({ ...next(3), feed: 'another' })
    });
  });

  it('draws the same in every plot while a real cluster works', async () => {
    const frames = await recorded();
    const run = new Run();
    const apply = (some: readonly Frame[]): void => {
      for (const frame of some) {
        run.apply(frame, frame.time * 1000);
      }
    };
    const half = frames.length >> 1;
    apply(frames.slice(0, half));
    expectFixed(run, {
      'the cluster goes on': () => apply(frames.slice(half)),
      'older executions are forgotten': () => run.keepTasks(10),
      'everything begins again': () => apply(frames.map(frame => ({ ...frame, epoch: frame.epoch + 1 })))
    });
  });

  it('holds everything that a topic fills', () => {
    expect([...FOLD_NAMES].sort()).toEqual(Object.keys(new RunState()).sort());
  });
});
