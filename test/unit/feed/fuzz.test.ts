import { encode } from '@msgpack/msgpack';
import { describe, expect, it } from 'vitest';
import { PLOTS } from '../../../src/plots';
import { context } from '../plots/cluster';
import { bounded, FrameReader, mutatedFile, mutatedFrame, type Outcome, random, readFile, somePlots } from './fuzz';
import { chunkOf, encodeFrame, madeBody, madeFrame, recordingOf } from './made-feed';

/** Another run of the same mutations begins with the seed that this one prints. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_122);
const FRAMES = Number(process.env.FUZZ_FRAMES ?? 18_000);
const FILES = Number(process.env.FUZZ_FILES ?? 900);
/** Whatever comes, a reader takes no more than this for it, together with what the collector of garbage has not freed. */
const MOST_MEMORY = 400e6;

/** Of time: how long it takes depends on what else the machine does. */
const NO_LIMIT = 24 * 3_600_000;

/** Read mutations, each from a seed of its own. */
async function readAll(count: number, read: (seed: number) => Outcome | Promise<Outcome>): Promise<Record<Outcome, number>> {
  const outcomes = { taken: 0, partly: 0, refused: 0 };
  const before = process.memoryUsage().rss;
  for (let i = 0; i < count; i++) {
    try {
      outcomes[await read(SEED + i)] += 1;
    } catch (error) {
      throw new Error(`seed ${SEED + i}: ${error instanceof Error ? error.stack : String(error)}`, { cause: error });
    }
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(MOST_MEMORY);
  return outcomes;
}

describe(`mutations from seed ${SEED}`, () => {
  it('begin with a frame and a file that are taken', async () => {
    expect(new FrameReader(context()).read(encodeFrame(madeFrame()), PLOTS)).toBe('taken');
    expect(await readFile(recordingOf([encode(chunkOf([madeFrame()]))]), PLOTS, context())).toBe('taken');
  });

  it(
    `${FRAMES} frames are taken and shown, or refused with a message`,
    async () => {
      let reader = new FrameReader(context());
      const outcomes = await readAll(FRAMES, seed => {
        const chance = random(seed);
        reader = seed % 100 === 0 ? new FrameReader(context()) : reader;
        return reader.read(mutatedFrame(chance), somePlots(chance));
      });
      expect(Math.min(...Object.values(outcomes))).toBeGreaterThan(FRAMES / 100);
    },
    NO_LIMIT
  );

  it(
    `${FILES} recordings are read and shown, or refused with a message`,
    async () => {
      const outcomes = await readAll(FILES, seed => {
        const chance = random(seed);
        const bytes = mutatedFile(chance);
        const plots = somePlots(chance);
        return bounded(bytes, plots, () => readFile(bytes, plots, context()));
      });
      expect(Math.min(outcomes.taken, outcomes.partly)).toBeGreaterThan(FILES / 100);
    },
    NO_LIMIT
  );
});

describe('a small file', () => {
  it('with one row of a group far out takes no memory for the groups before it', async () => {
    const far = 1_000_000;
    const { columns, scalars } = madeBody('groups');
    const body = { columns: { ...columns, id: Uint32Array.from([far, far + 1, far + 2, far + 3]) }, scalars };
    const names = { ...madeFrame().names, groups: { from: far, values: ['a', 'b', 'c', 'd'] } };
    const file = recordingOf([encode(chunkOf([{ ...madeFrame(), names, topics: { groups: body } }]))]);
    const before = process.memoryUsage().rss;
    expect(await readFile(file, PLOTS, context())).toBe('taken');
    expect(process.memoryUsage().rss - before).toBeLessThan(50e6);
  });

  it('with points of a series far apart takes no memory for those that are missing', async () => {
    const chunks = [10, 1.5e8, 3e8].map((first, i) => {
      const { columns, scalars } = madeBody('series');
      const frame = {
        ...madeFrame(),
        time: 1.7e9 + i,
        names: {},
        topics: { series: { columns, scalars: { ...scalars, first } } }
      };
      return encode(chunkOf([frame]));
    });
    const file = recordingOf(chunks);
    // A few bytes for each of the columns of a point.
    expect(file.length).toBeLessThan(chunks.length * Object.keys(madeBody('series').columns).length * 64);
    const before = process.memoryUsage().rss;
    expect(await readFile(file, PLOTS, context())).toBe('taken');
    expect(process.memoryUsage().rss - before).toBeLessThan(50e6);
  });
});
