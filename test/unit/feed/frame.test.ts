import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { encode } from '@msgpack/msgpack';
import { describe, expect, it } from 'vitest';
import { type Column, decodeFrame, FrameError, type Frame } from '../../../src/feed/frame';
import { PROTOCOL, TASKS_COLUMNS, WORKERS_COLUMNS } from '../../../src/feed/schema';
import { Run } from '../../../src/run/run';

const folder = fileURLToPath(new URL('../../fixtures/', import.meta.url));
const names = readdirSync(folder).filter(name => name.endsWith('.frame'));
const frames = names.map((_, i) => new Uint8Array(readFileSync(`${folder}${i}.frame`)));

interface Expected {
  feed: string;
  epoch: number;
  seq: number;
  time: number;
  names: unknown;
  cursor: unknown;
  topics: Record<string, { c?: ExpectedColumns; s?: unknown; m?: ExpectedColumns }>;
}
type ExpectedColumns = Record<string, { typecode: string; values: (number | null)[] }>;
const expected = JSON.parse(readFileSync(`${folder}expected.json`, 'utf8')) as Expected[];

const TYPECODES: Record<string, string> = {
  B: 'Uint8Array',
  H: 'Uint16Array',
  I: 'Uint32Array',
  f: 'Float32Array',
  d: 'Float64Array'
};

function plain(columns: Readonly<Record<string, Column>>): Record<string, { type: string; values: (number | null)[] }> {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [
      name,
      { type: column.constructor.name, values: Array.from(column, value => (Number.isNaN(value) ? null : value)) }
    ])
  );
}

function recorded(columns: ExpectedColumns = {}): Record<string, { type: string; values: (number | null)[] }> {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, { type: TYPECODES[column.typecode], values: column.values }])
  );
}

describe('frames recorded from a real cluster', () => {
  it('are there', () => expect(frames.length).toBeGreaterThanOrEqual(5));

  it.each(frames.map((data, i) => [i, data] as const))('frame %i reads as Python wrote it', (i, data) => {
    const frame = decodeFrame(data);
    const wanted = expected[i];
    expect([frame.feed, frame.epoch, frame.seq, frame.time]).toEqual([wanted.feed, wanted.epoch, wanted.seq, wanted.time]);
    expect(frame.names).toEqual(wanted.names);
    expect(frame.cursor).toEqual(wanted.cursor);
    expect(Object.keys(frame.topics)).toEqual(Object.keys(wanted.topics));
    for (const [topic, body] of Object.entries(frame.topics)) {
      expect(plain(body.columns)).toEqual(recorded(wanted.topics[topic].c));
      expect(plain(body.moves ?? {})).toEqual(recorded(wanted.topics[topic].m));
      expect(body.scalars).toEqual(wanted.topics[topic].s ?? {});
    }
  });

  it('reads the same at any alignment of the buffer', () => {
    const shifted = new Uint8Array(frames[1].length + 3);
    shifted.set(frames[1], 3);
    expect(decodeFrame(shifted.subarray(3))).toEqual(decodeFrame(frames[1]));
  });

  it('carries the columns of the schema', () => {
    const frame = decodeFrame(frames[1]);
    expect(Object.keys(frame.topics.tasks.columns).sort()).toEqual([...TASKS_COLUMNS].sort());
    // Columns of GPUs are there where a worker has one; `seceded` is newer than these frames.
    const always = WORKERS_COLUMNS.filter(name => !/^((gpu|rmm|cudf)_|seceded$)/.test(name));
    expect(Object.keys(frame.topics.workers.columns).sort()).toEqual([...always].sort());
  });

  it('folds into a run, and a new epoch starts over', () => {
    const run = new Run();
    let began = 0;
    run.began.connect(() => began++);
    for (const data of frames.slice(0, -1)) {
      run.apply(decodeFrame(data), 0);
    }
    expect(began).toBe(1);
    expect(run.tasks.count).toBe(47);
    expect(run.workers.size).toBe(2);
    expect(run.prefixNames).toEqual(expect.arrayContaining(['inc', 'total', 'fail']));
    run.apply(decodeFrame(frames[frames.length - 1]), 0);
    expect(began).toBe(2);
    // The history comes again from the ring, with what ran after the restart.
    expect(run.tasks.count).toBe(52);
  });
});

function packed(changes: Record<string, unknown>): Uint8Array {
  return encode({ v: PROTOCOL, feed: 'f', epoch: 0, seq: 0, time: 1, topics: {}, ...changes });
}

describe('bytes that are no frame', () => {
  it.each([
    ['nothing', new Uint8Array(0)],
    ['a list', encode([1, 2])],
    ['a later protocol', packed({ v: PROTOCOL + 1 })],
    ['a feed that is no text', packed({ feed: 7 })],
    ['a time that is no number', packed({ time: 'now' })],
    ['a topic that is no map', packed({ topics: { tasks: 7 } })],
    ['a column that is a list', packed({ topics: { tasks: { c: { start: [1, 2] } } } })],
    ['a truncated frame', frames[1].subarray(0, frames[1].length - 5)]
  ])('%s is refused', (_, data) => {
    expect(() => decodeFrame(data)).toThrow(FrameError);
  });

  it('columns of different lengths are refused', () => {
    const frame: Frame = decodeFrame(frames[1]);
    expect(new Set(Object.values(frame.topics.tasks.columns).map(c => c.length)).size).toBe(1);
  });
});
