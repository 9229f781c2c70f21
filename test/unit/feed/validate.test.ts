import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { encode } from '@msgpack/msgpack';
import { describe, expect, it } from 'vitest';
import { decodeFrame, type Frame, FrameError, type FrameNames, type TopicBody } from '../../../src/feed/frame';
import { openRecording } from '../../../src/feed/recordings/recording';
import { PROTOCOL } from '../../../src/feed/schema';
import { FrameValidator } from '../../../src/feed/validate';

const folder = fileURLToPath(new URL('../../fixtures/', import.meta.url));
const files = readdirSync(folder).filter(name => name.endsWith('.frame'));
const recorded = files.map((_, i) => new Uint8Array(readFileSync(`${folder}${i}.frame`)));

const WORKER = { address: 'tcp://a', name: 'a', host: 'h', nthreads: 1, memory_limit: 0 };

function frame(topics: Frame['topics'], names: FrameNames = {}, more: Partial<Frame> = {}): Frame {
  return { feed: 'f', epoch: 0, seq: 0, time: 1e9, cursor: {}, names, topics, ...more };
}

/** A dictionary of two functions and one lane of one worker. */
const NAMES: FrameNames = {
  prefixes: { from: 0, values: ['inc', 'add'] },
  workers: { from: 0, values: [WORKER] },
  lanes: { from: 0, values: [[0, 123]] }
};

function tasks(changes: Partial<TopicBody['columns']> = {}, scalars: TopicBody['scalars'] = { first: 0 }): TopicBody {
  const columns = {
    lane: Uint16Array.of(0, 0),
    prefix: Uint16Array.of(0, 1),
    start: Float64Array.of(1e9, 1e9 + 1),
    duration: Float32Array.of(1, 1),
    status: Uint8Array.of(0, 1),
    nbytes: Float32Array.of(8, 0),
    ...changes
  };
  return { columns: columns as TopicBody['columns'], scalars };
}

/** What is said of one topic. */
function problemOf(topics: Frame['topics'], names: FrameNames = NAMES): string | undefined {
  return new FrameValidator().check(frame(topics, names)).problems[0];
}

describe('frames of a real cluster', () => {
  it('are as they were', () => {
    const validator = new FrameValidator();
    for (const data of recorded) {
      const checked = validator.check(decodeFrame(data));
      expect(checked.problems).toEqual([]);
      expect(checked.frame).toEqual(decodeFrame(data));
    }
  });

  it('of a recording are too', async () => {
    const validator = new FrameValidator();
    const recording = await openRecording(readFileSync(`${folder}run.dask-run`));
    for (const chunk of recording.chunks) {
      for (const each of (await recording.read(chunk)).frames) {
        expect(validator.check(each).problems).toEqual([]);
      }
    }
  });
});

describe('a topic that breaks a bound is left out, and said', () => {
  const rows = (count: number): Float64Array => new Float64Array(count).fill(1e9);

  it('but not one that keeps them', () => {
    const checked = new FrameValidator().check(frame({ tasks: tasks() }, NAMES));
    expect(checked.problems).toEqual([]);
    expect(checked.frame.topics.tasks).toEqual(tasks());
  });

  it.each<[string, Frame['topics'], string]>([
    ['a lane beyond the dictionary', { tasks: tasks({ lane: Uint16Array.of(0, 1) }) }, 'column lane of topic tasks'],
    ['a function beyond the dictionary', { tasks: tasks({ prefix: Uint32Array.of(0, 4294967295) }) }, 'column prefix'],
    ['a status that there is not', { tasks: tasks({ status: Uint8Array.of(0, 2) }) }, 'column status'],
    ['a column of another type', { tasks: tasks({ lane: Float64Array.of(0, 0) }) }, 'is of another type'],
    ['no column of starts', { tasks: { columns: { lane: Uint16Array.of(0) }, scalars: {} } }, 'has no column prefix'],
    ['a first row of -1', { tasks: tasks({}, { first: -1 }) }, 'first of topic tasks'],
    ['a first row of 1.5', { tasks: tasks({}, { first: 1.5 }) }, 'first of topic tasks'],
    ['a first row that is a text', { tasks: tasks({}, { first: 'x' }) }, 'first of topic tasks'],
    [
      'a row of a worker that there is not',
      { workers: { columns: { id: Uint32Array.of(1_000_000) }, scalars: {} } },
      'column id of topic workers has a value that cannot be (1000000 in row 0)'
    ],
    ['a time of 1e300', { series: { columns: { time: Float64Array.of(1e300), until: rows(1) }, scalars: {} } }, 'column time'],
    ['a time that is no number', { events: { columns: { time: Float64Array.of(Number.NaN) }, scalars: {} } }, 'column time'],
    ['more texts than rows', { events: { columns: { time: rows(1) }, scalars: { text: ['a', 'b'] } } }, 'text of topic events'],
    ['a text that is a number', { events: { columns: { time: rows(1) }, scalars: { text: [7] } } }, 'text of topic events'],
    ['a fact of another type', { meta: { columns: {}, scalars: { idle_since: 'x' } } }, 'idle_since of topic meta'],
    [
      'a stack that has not come',
      {
        profile: {
          columns: Object.fromEntries(
            ['at', 'span', 'worker', 'prefix', 'stack', 'samples'].map(name => [name, Uint32Array.of(1)])
          ),
          scalars: { first: 0, prefixes: ['a', 'b'] }
        }
      },
      'column stack of topic profile'
    ]
  ])('%s', (_, topics, words) => {
    expect(problemOf(topics)).toMatch(/^This frame is damaged: .*\.$/);
    expect(problemOf(topics)).toContain(words);
    const { frame: whole } = new FrameValidator().check(frame({ ...topics, held: { columns: {}, scalars: {} } }, NAMES));
    expect(Object.keys(whole.topics)).toEqual(['held']);
  });

  it('what is measured by workers is not known where it cannot be', () => {
    const start = Float64Array.of(-5, 1e300);
    const checked = new FrameValidator().check(
      frame({ tasks: tasks({ start, duration: Float32Array.of(Number.POSITIVE_INFINITY, -1) }) }, NAMES)
    );
    expect(checked.problems).toEqual([]);
    expect(checked.frame.topics.tasks.columns.start).toEqual(Float64Array.of(Number.NaN, Number.NaN));
    expect(checked.frame.topics.tasks.columns.duration).toEqual(Float32Array.of(Number.NaN, Number.NaN));
  });

  it('texts are cut, and what this version does not know is left out', () => {
    const text = ['x'.repeat(10_000)];
    const events = { columns: { time: rows(1), tomorrow: rows(1) }, scalars: { text, later: [[]] } };
    const { topics } = new FrameValidator().check(frame({ events, tomorrow: events })).frame;
    expect(topics).toEqual({ events: { columns: { time: rows(1) }, scalars: { text: ['x'.repeat(2000)] } } });
  });

  it('a map is no text', () => {
    expect(() =>
      new FrameValidator().check(frame({}, { ...NAMES, prefixes: { from: 0, values: [{} as unknown as string] } }))
    ).toThrow('This frame is damaged: the dictionary prefixes is not what it should be.');
    expect(problemOf({ events: { columns: { time: rows(1) }, scalars: { text: [{ a: 1 }] } } })).toContain(
      'text of topic events'
    );
  });

  it('a share that is not a number from 0 to 1 is unknown', () => {
    const scalars = { thresholds: { target: 0.6, spill: 'x', pause: Number.NaN, terminate: 7 } };
    const { topics } = new FrameValidator().check(frame({ meta: { columns: {}, scalars } })).frame;
    expect(topics.meta.scalars.thresholds).toEqual({ target: 0.6, spill: null, pause: null, terminate: null });
  });
});

describe('a frame is refused', () => {
  it.each<[string, Frame]>([
    ['that leaves out entries', frame({}, { prefixes: { from: 5_000_000, values: ['a'] } })],
    ['with more entries than any feed has', frame({}, { prefixes: { from: 4_294_967_290, values: ['a'] } })],
    ['with a name that is not a text', frame({}, { prefixes: { from: 0, values: [7 as unknown as string] } })],
    ['with a lane of no worker', frame({}, { lanes: { from: 0, values: [[0, 1]] } })],
    ['with entries that are not a list', frame({}, { groups: { from: 0, values: 'abc' as unknown as string[] } })],
    ['of an impossible time', frame({}, {}, { time: 1e300 })],
    ['without a time', frame({}, {}, { time: Number.NaN })],
    ['with an invalid epoch', frame({}, {}, { epoch: 0.5 })],
    ['with an invalid cursor', frame({}, {}, { cursor: { tasks: -1 } })]
  ])('%s', (_, refused) => {
    expect(() => new FrameValidator().check(refused)).toThrow(FrameError);
  });

  it('but not for groups of which the oldest are dropped, however many there were', () => {
    const validator = new FrameValidator();
    expect(validator.check(frame({}, { groups: { from: 30_000, values: ['late'] } })).problems).toEqual([]);
    expect(validator.check(frame({}, { groups: { from: 2 ** 31, values: ['later'] } })).frame.names.groups?.values).toEqual([]);
  });

  it('and the next one is held to what was known before', () => {
    const validator = new FrameValidator();
    validator.check(frame({}, NAMES));
    expect(() => validator.check(frame({}, { prefixes: { from: 3, values: ['x'] } }))).toThrow('leaves out entries');
    expect(validator.check(frame({ tasks: tasks() })).problems).toEqual([]);
    // Another epoch begins with nothing.
    expect(validator.check(frame({ tasks: tasks() }, {}, { epoch: 1 })).problems).toHaveLength(1);
  });
});

describe('after a part that is missing', () => {
  it('names that were in it are "?", and lanes belong to no worker', () => {
    const validator = new FrameValidator();
    validator.check(frame({}, NAMES));
    validator.gap();
    const { names } = validator.check(
      frame({}, { prefixes: { from: 4, values: ['late'] }, lanes: { from: 3, values: [[0, 7]] } })
    ).frame;
    expect(names.prefixes).toEqual({ from: 2, values: ['?', '?', 'late'] });
    expect(names.lanes).toEqual({
      from: 1,
      values: [
        [-1, 0],
        [-1, 0],
        [0, 7]
      ]
    });
  });

  it('a topic with lists of its own is readable when it starts over', () => {
    const validator = new FrameValidator();
    validator.check(frame({}, NAMES));
    validator.gap();
    const profile = (first: number): Frame => frame({ profile: { columns: {}, scalars: { first, prefixes: ['a'] } } });
    expect(validator.check(profile(5)).problems[0]).toContain('goes on from a part that is missing');
    expect(validator.check(profile(0)).problems).toEqual([]);
    expect(validator.check(profile(6)).problems).toEqual([]);
  });
});

describe('bytes that would become more than any frame', () => {
  const nested = (depth: number, inner: number[]): Uint8Array =>
    Uint8Array.from([...Array<number[]>(depth).fill([0xdd, 0, 0, 255, 0]), inner].flat());

  it.each([
    ['arrays that say more than there is', Uint8Array.from([0xdd, 0xff, 0xff, 0xff, 0xff, 1])],
    ['maps that say more than there is', Uint8Array.from([0xdf, 0x7f, 0xff, 0xff, 0xff, 0xa1, 0x61])],
    ['an extension that says more than there is', Uint8Array.from([0xc9, 0x7f, 0xff, 0xff, 0xff, 1, 0])],
    ['arrays in arrays', nested(10_000, [1])],
    ['a hundred levels', Uint8Array.from([...Array<number>(100).fill(0x91), 1])],
    ['something after the frame', Uint8Array.from([...encode({ v: PROTOCOL }), 1])],
    ['a byte that msgpack never uses', Uint8Array.of(0xc1)]
  ])('%s', (_, bytes) => {
    const before = process.memoryUsage().rss;
    expect(() => decodeFrame(bytes)).toThrow(/^not a frame: it |^not a frame: something follows it/);
    expect(process.memoryUsage().rss - before).toBeLessThan(50e6);
  });
});
