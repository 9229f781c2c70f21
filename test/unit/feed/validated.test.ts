/** Whatever comes in is validated, once: frames of a kernel, recordings, and outputs of notebooks. */
import { encode } from '@msgpack/msgpack';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readProfile } from '../../../src/client-view/profile/read';
import { RecordedClient } from '../../../src/clients/recordings/recorded-client';
import { ClientFeed } from '../../../src/feed/client-feed';
import type { Frame, TopicBody } from '../../../src/feed/frame';
import { FileFeed } from '../../../src/feed/recordings/file-feed';
import { openRecording } from '../../../src/feed/recordings/recording';
import { FrameValidator } from '../../../src/feed/validate';
import { Run } from '../../../src/run/run';
import { chunkOf, encodeFrame, madeBody, madeFrame, recordingOf } from './made-feed';

/** The body of a topic with other values in some columns, or other scalars. */
function body(
  topic: 'tasks' | 'series' | 'groups',
  columns: Record<string, number>,
  scalars: TopicBody['scalars'] = {}
): TopicBody {
  const made = madeBody(topic);
  const first = Object.entries(made.columns).map(([name, column]) => {
    const one = column.slice(0, 1);
    return [name, name in columns ? (columns[name] < 2 ** 32 ? Uint32Array : Float64Array).of(columns[name]) : one];
  });
  return { columns: Object.fromEntries(first), scalars: { first: 0, ...scalars } };
}

/** Frames of some hundred bytes that would take gigabytes, or name what there is not. */
const HOSTILE: readonly (readonly [string, Frame])[] = [
  ['a thread far out', { tasks: body('tasks', { lane: 4_294_967_290 }) }],
  ['a function far out', { tasks: body('tasks', { prefix: 4_000_000_000 }) }],
  ['a first row far out', { tasks: body('tasks', {}, { first: 2 ** 60 }) }],
  ['a group far out', { groups: body('groups', { id: 4_000_000_000 }) }],
  ['a first point far out', { series: body('series', {}, { first: 2 ** 60 }) }]
].map(([label, topics]) => [label as string, { ...madeFrame(), topics } as unknown as Frame]);

afterEach(() => vi.restoreAllMocks());

describe.each(HOSTILE)('%s', (_, hostile) => {
  const [topic] = Object.keys(hostile.topics);

  it('is small', () => {
    expect(encodeFrame(hostile).length).toBeLessThan(2000);
  });

  it('is left out of what a kernel sends, which is said', () => {
    const want = vi.fn();
    const feed = new ClientFeed('c', { want, acknowledge: vi.fn(), requestClient: vi.fn() } as never, () => undefined);
    const taken: Frame[] = [];
    feed.frame.connect((_sender, frame) => taken.push(frame));
    feed.connect();
    feed.subscribe(['tasks', 'groups', 'series']);
    const [[, { gen }]] = want.mock.calls as [[string, { gen: number }]];
    feed.receive(encodeFrame({ ...madeFrame(), topics: {} }), 0, gen);
    expect(taken).toHaveLength(1);
    expect(feed.state.reason).toBe('');
    const check = vi.spyOn(FrameValidator.prototype, 'check');
    feed.receive(encodeFrame(hostile), 1, gen);
    expect(check).toHaveBeenCalledTimes(1);
    expect(taken.slice(1).flatMap(frame => Object.keys(frame.topics))).toEqual([]);
    expect(feed.state.status).toBe('limited');
    expect(feed.state.reason).not.toBe('');
    feed.dispose();
  });

  it('is left out of a recording, which is said', async () => {
    const apply = vi.spyOn(Run.prototype, 'apply');
    const check = vi.spyOn(FrameValidator.prototype, 'check');
    const good = { ...madeFrame(), topics: {} };
    const feed = new FileFeed(await openRecording(recordingOf([encode(chunkOf([good, hostile]))])));
    const client = new RecordedClient('hostile', {} as never, feed);
    await feed.load();
    expect(check).toHaveBeenCalledTimes(2);
    expect(apply.mock.calls.flatMap(([frame]) => Object.keys(frame.topics))).not.toContain(topic);
    expect(client.run.tasks.count).toBe(0);
    expect(feed.state.reason).not.toBe('');
    client.dispose();
  });

  it('makes an output one that cannot be read', () => {
    const base64 = (frame: Frame): string => btoa(String.fromCharCode(...encodeFrame(frame)));
    const profile = (frame: Frame): unknown => ({
      version: 1,
      plots: ['local-tasks'],
      frames: [base64(frame)],
      keys: [],
      tasks: []
    });
    expect(readProfile(profile({ ...madeFrame(), topics: { tasks: madeBody('tasks') } }))?.frames).toHaveLength(1);
    expect(readProfile(profile(hostile))).toBeNull();
  });
});
