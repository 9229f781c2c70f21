// The clock of a recording: reading, playing, pausing and going back, with frames made up and time moved by hand.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Frame, FrameNames, TopicBody } from '../../../../src/feed/frame';
import { FileFeed, SPEEDS } from '../../../../src/feed/recordings/file-feed';
import { type Block, type Recording, RecordingError } from '../../../../src/feed/recordings/recording';
import { tasksBody } from '../../run/synthetic';

const START = 1000;

function frameAt(seconds: number, topics: Record<string, TopicBody> = {}, epoch = 0): Frame {
  return { feed: 'f', epoch, seq: 0, time: START + seconds, cursor: {}, names: {}, topics };
}

/** A recording with a chunk for each list of frames; a chunk that is not a list is damaged. */
function recordingOf(chunks: readonly (readonly Frame[] | string)[], keyframes: readonly Frame[] = []): Recording {
  const at = (time: number, offset: number): Block => ({ offset, start: time, end: time }) as Block;
  const blocks = chunks.map((_, i) => at(START, 10 * i));
  return {
    info: {},
    start: START,
    end: START + 100,
    tasks: 0,
    complete: true,
    why: '',
    missing: [],
    damaged: 0,
    chunks: blocks,
    // After the chunk of its number.
    keyframes: keyframes.map((frame, i) => at(frame.time, 10 * i + 5)),
    read: block => {
      const frames = chunks[block.offset / 10];
      return typeof frames === 'string'
        ? Promise.reject(new RecordingError(frames))
        : Promise.resolve({ frames, tasks: frames.flatMap(({ topics }) => topics.tasks ?? []) });
    },
    readKeyframe: block => Promise.resolve(keyframes[(block.offset - 5) / 10]),
    key: row => Promise.resolve(row === 7 ? { key: 'k', type: 'int' } : null)
  };
}

const ALL = Array.from({ length: 11 }, (_, i) => frameAt(10 * i));

interface Heard {
  readonly feed: FileFeed;
  /** Seconds after the start of the frames since the last time they started over. */
  times: number[];
  rewinds: number;
  moves: number;
  states: unknown[];
}

function listen(recording: Recording): Heard {
  const feed = new FileFeed(recording);
  const heard: Heard = { feed, times: [], rewinds: 0, moves: 0, states: [] };
  feed.frame.connect((_, { time }) => heard.times.push(time - START));
  feed.rewound.connect(() => {
    heard.rewinds += 1;
    heard.times = [];
  });
  feed.moved.connect(() => {
    heard.moves += 1;
  });
  feed.stateChanged.connect((_, { playing, reason }) => heard.states.push([playing, reason]));
  return heard;
}

async function loaded(recording: Recording): Promise<Heard> {
  const heard = listen(recording);
  await heard.feed.load();
  return heard;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('reading', () => {
  it('shows the end of what has been read, and then the end of the file', async () => {
    const heard = listen(recordingOf([ALL.slice(0, 3), ALL.slice(3)]));
    const { feed } = heard;
    expect([feed.position, feed.loaded, feed.partsRead, feed.atEnd]).toEqual([Number.NEGATIVE_INFINITY, 0, 0, true]);
    const seen: unknown[] = [];
    feed.moved.connect(() => seen.push([feed.loaded, feed.partsRead, feed.position - START]));
    await feed.load();
    expect(seen).toEqual([
      [0.5, 1, 20],
      [1, 2, 100],
      [1, 2, 100]
    ]);
    expect(heard.times).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
    expect(heard.rewinds).toBe(0);
    expect(heard.states).toEqual([[false, '']]);
    expect(feed.state).toMatchObject({ status: 'recorded', playing: false, reason: '' });
  });

  it('leaves damaged parts out, and says so', async () => {
    const { feed, times } = await loaded(recordingOf([ALL.slice(0, 3), 'It is broken.', ALL.slice(9)]));
    expect(times).toEqual([0, 10, 20, 90, 100]);
    expect([feed.partsRead, feed.loaded, feed.state.reason]).toEqual([2, 1, 'It is broken. What it held is left out.']);
  });

  it('hands on the executions and the names of each part at once, whatever moment is shown', async () => {
    const tasks = tasksBody([{ start: START, duration: 1 }]);
    const worker = { address: 'tcp://a', name: 'a', host: 'h', nthreads: 1, memory_limit: 0 };
    const names: FrameNames = {
      prefixes: { from: 0, values: ['inc'] },
      workers: { from: 0, values: [worker] },
      lanes: { from: 0, values: [[0, 1]] }
    };
    const parts = [[{ ...frameAt(0, { tasks }), names }, frameAt(10)], [frameAt(20)]];
    const feed = new FileFeed(recordingOf(parts, [frameAt(5)]));
    const emitted: unknown[] = [];
    const sent: string[] = [];
    feed.rows.connect((_, rows) => emitted.push([rows.names.map(each => each.prefixes?.values), rows.tasks.length]));
    feed.frame.connect((_, { topics }) => sent.push(...Object.keys(topics)));
    feed.seek(START);
    await feed.load();
    // The first part, the keyframe behind it, and the second one.
    expect(emitted).toEqual([
      [[['inc'], undefined], 1],
      [[undefined], 0],
      [[undefined], 0]
    ]);
    expect(sent, 'executions are in no frame').toEqual([]);
  });

  it('ends when no view shows it any more', async () => {
    const heard = listen(recordingOf([ALL.slice(0, 3), ALL.slice(3)]));
    const reading = heard.feed.load();
    heard.feed.dispose();
    await reading;
    expect([heard.feed.isDisposed, heard.feed.partsRead, heard.times, heard.moves, heard.states]).toEqual([true, 0, [], 0, []]);
  });

  it('of an empty file ends at once', async () => {
    const empty = { ...recordingOf([]), start: Number.NaN, end: Number.NaN };
    const { feed } = await loaded(empty);
    expect([feed.start, feed.end, feed.position, feed.loaded]).toEqual([0, 0, 0, 1]);
    expect(feed.begin).toMatchObject({ time: 0, topics: {}, epoch: 0 });
  });
});

describe('another moment', () => {
  it('within the file gets the frames up to it; going back starts over', async () => {
    const heard = await loaded(recordingOf([ALL]));
    const { feed } = heard;
    feed.seek(START + 35);
    expect([heard.rewinds, heard.times, feed.position - START, feed.atEnd]).toEqual([1, [0, 10, 20, 30], 35, false]);
    feed.seek(START + 60);
    expect([heard.rewinds, heard.times]).toEqual([1, [0, 10, 20, 30, 40, 50, 60]]);
    feed.seek(START + 59);
    expect([heard.rewinds, heard.times.length]).toEqual([2, 6]);
    feed.seek(START - 50);
    expect([feed.position, heard.times]).toEqual([START, [0]]);
    feed.seek(START + 500);
    expect([feed.position, feed.atEnd, heard.times.length]).toEqual([START + 100, true, 11]);
  });

  it('that has not been read yet is shown when it has', async () => {
    const heard = listen(recordingOf([ALL.slice(0, 6), ALL.slice(6)]));
    heard.feed.seek(START + 75);
    expect(heard.times).toEqual([]);
    await heard.feed.load();
    expect(heard.times.at(-1)).toBe(70);
    expect(heard.feed.position).toBe(START + 75);
  });

  it('begins with the last restart of the cluster before it', async () => {
    const frames = ALL.map(({ time }, i) => frameAt(time - START, {}, i < 5 ? 0 : 1));
    const heard = await loaded(recordingOf([frames]));
    expect([heard.rewinds, heard.times]).toEqual([1, [50, 60, 70, 80, 90, 100]]);
    heard.feed.seek(START + 45);
    expect(heard.times).toEqual([0, 10, 20, 30, 40]);
    // A run receives all of them as of one epoch.
    const epochs = new Set<unknown>();
    heard.feed.frame.connect((_, { epoch, feed }) => epochs.add(`${feed} ${epoch}`));
    heard.feed.seek(START + 100);
    expect([...epochs]).toEqual([`recording ${START} 0`]);
  });

  it('begins with the keyframe a minute before it, and with what that does not contain', async () => {
    const body: TopicBody = { columns: {}, scalars: {} };
    const frames = ALL.map(({ time }) => frameAt(time - START, { meta: body, events: body }));
    const keyframe = frameAt(30, { meta: body });
    const heard = await loaded(recordingOf([frames.slice(0, 4), frames.slice(4)], [keyframe]));
    const sent = (seconds: number): string[] => {
      const list: string[] = [];
      const note = (_: unknown, { time, topics }: Frame): void => {
        list.push(`${time - START} ${Object.keys(topics).join(' ')}`);
      };
      heard.feed.seek(START);
      heard.feed.frame.connect(note);
      heard.feed.seek(START + seconds);
      heard.feed.frame.disconnect(note);
      return list;
    };
    // The frame at the start was sent before.
    expect(sent(90)).toEqual([
      ...['10 events', '20 events', '30 events', '30 meta'],
      ...[40, 50, 60, 70, 80, 90].map(time => `${time} meta events`)
    ]);
    expect(sent(89)).toEqual([10, 20, 30, 40, 50, 60, 70, 80].map(time => `${time} meta events`));
  });

  it('does not call a keyframe damaged that has the texts of more shuffles than a frame', async () => {
    const texts = Array.from({ length: 51 }, (_, id) => ({ id, name: 'join', kind: 'DataFrameShuffleSpec', on_disk: true }));
    const keyframe = frameAt(30, { shuffles: { columns: {}, scalars: { texts } } });
    const { feed } = await loaded(recordingOf([ALL.slice(0, 4), ALL.slice(4)], [keyframe]));
    expect(feed.problems).toEqual([]);
  });

  it.each(['attempts', 'computations', 'groups', 'errors', 'shuffles'] as const)(
    'sends all of %s from before a keyframe, which had only a part of it',
    async topic => {
      const body: TopicBody = { columns: {}, scalars: {} };
      const frames = ALL.map(({ time }) => frameAt(time - START, { meta: body, [topic]: body }));
      const heard = await loaded(
        recordingOf([frames.slice(0, 4), frames.slice(4)], [frameAt(30, { meta: body, [topic]: body })])
      );
      const times: number[] = [];
      heard.feed.seek(START);
      heard.feed.frame.connect((_, frame) => {
        times.push(...(topic in frame.topics ? [frame.time - START] : []));
      });
      heard.feed.seek(START + 90);
      expect(times).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90]);
    }
  );
});

describe('playing', () => {
  it('goes on with the clock at its speed, and ends at the end', async () => {
    const heard = await loaded(recordingOf([ALL]));
    const { feed } = heard;
    feed.seek(START + 20);
    expect([feed.playing, feed.speed]).toEqual([false, 1]);
    feed.play();
    expect([feed.playing, feed.state.playing]).toEqual([true, true]);
    vi.advanceTimersByTime(10_000);
    expect(feed.position).toBeCloseTo(START + 30);
    feed.speed = 2;
    vi.advanceTimersByTime(10_000);
    expect(feed.position).toBeCloseTo(START + 50);
    // It is playing: it does not begin a second time.
    feed.play();
    vi.advanceTimersByTime(5000);
    expect(feed.position).toBeCloseTo(START + 60);
    feed.pause();
    expect([feed.playing, vi.getTimerCount()]).toEqual([false, 0]);
    const count = heard.states.length;
    feed.pause();
    vi.advanceTimersByTime(5000);
    expect([feed.position, heard.states.length]).toEqual([expect.closeTo(START + 60), count]);
    feed.play();
    vi.advanceTimersByTime(60_000);
    expect([feed.position, feed.playing, vi.getTimerCount()]).toEqual([START + 100, false, 0]);
    expect(heard.states.map(state => (state as unknown[])[0])).toEqual([false, true, false, true, false]);
  });

  it('at the end begins again, and shows its moments in steps that the eye does not see', async () => {
    const heard = await loaded(recordingOf([ALL]));
    heard.feed.play();
    expect([heard.feed.position, heard.rewinds]).toEqual([START, 1]);
    const moves = heard.moves;
    vi.advanceTimersByTime(1000);
    expect(heard.moves - moves).toBe(20);
    heard.feed.dispose();
    expect(vi.getTimerCount()).toBe(0);
    heard.feed.play();
    expect([heard.feed.playing, vi.getTimerCount()]).toEqual([false, 0]);
  });

  it('waits for what has not been read', async () => {
    const heard = listen(recordingOf([ALL.slice(0, 4), ALL.slice(4)]));
    const { feed } = heard;
    feed.seek(START + 90);
    let moved = 0;
    feed.moved.connect(() => {
      moved += 1;
      if (moved === 1) {
        feed.play();
        vi.advanceTimersByTime(1000);
        // It plays from the end of what has been read.
        expect(feed.position - START).toBe(30);
      }
    });
    await feed.load();
    expect(feed.position - START).toBeLessThan(40);
  });

  it('has speeds from a tenth to ten minutes a second, each faster than the one before', () => {
    expect([SPEEDS[0], SPEEDS.at(-1)]).toEqual([0.1, 600]);
    expect(SPEEDS).toContain(1);
    expect([...SPEEDS].sort((a, b) => a - b)).toEqual(SPEEDS);
  });
});

it('answers which key an execution had, and nothing else', async () => {
  const feed = new FileFeed(recordingOf([ALL]));
  expect(await feed.request('key', { row: 7 })).toEqual({ key: 'k', type: 'int' });
  expect(await feed.request('key', { row: 8 })).toBeNull();
  await expect(feed.request('key', { row: 'seven' })).rejects.toThrow('only what was recorded is there');
  await expect(feed.request('series', { row: 7 })).rejects.toThrow('only what was recorded is there');
  expect(feed.subscribe(['tasks']).isDisposed).toBe(false);
});

it.each([
  [20, ''],
  [21, '1 more part could not be read.'],
  [25, '5 more parts could not be read.']
])('lists 20 damaged parts and counts the others: %d', async (count, rest) => {
  const { feed } = await loaded(recordingOf(Array.from({ length: count }, (_, i) => `Part ${i}.`)));
  expect([feed.problems.length, feed.problems[19]]).toEqual([Math.min(count, 21), 'Part 19. What it held is left out.']);
  expect(feed.problems[20] ?? '').toBe(rest);
});
