import type { Column, TopicBody } from '../../../src/feed/frame';

/** A repeatable source of numbers in [0, 1). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** One execution of a made-up run. */
export interface Row {
  lane?: number;
  prefix?: number;
  start: number;
  duration: number;
  status?: number;
  nbytes?: number;
}

/** One move of a made-up run; `at` is the position of its row. */
export interface Move {
  at: number;
  kind: number;
  start: number;
  duration: number;
  peer?: number;
}

/** A body of topic `tasks`. */
export function tasksBody(rows: readonly Row[], first = 0, moves: readonly Move[] = []): TopicBody {
  const move: Record<string, Column> = {
    at: Uint32Array.from(moves, m => m.at),
    kind: Uint8Array.from(moves, m => m.kind),
    start: Float64Array.from(moves, m => m.start),
    duration: Float32Array.from(moves, m => m.duration),
    peer: Uint16Array.from(moves, m => m.peer ?? 0)
  };
  return {
    columns: {
      lane: Uint32Array.from(rows, r => r.lane ?? 0),
      prefix: Uint32Array.from(rows, r => r.prefix ?? 0),
      start: Float64Array.from(rows, r => r.start),
      duration: Float32Array.from(rows, r => r.duration),
      status: Uint8Array.from(rows, r => r.status ?? 0),
      nbytes: Float32Array.from(rows, r => r.nbytes ?? 0)
    },
    scalars: { first, lost: 0 },
    moves: move
  };
}

/** A running task of a made-up cluster; state 0 ends the row. */
export interface RunningRow {
  id: number;
  state?: number;
  worker?: number;
  prefix?: number;
  start: number;
  as_of?: number;
  key?: string;
}

/** The body of topic `running` with these rows. */
export function runningBody(rows: readonly RunningRow[], unlisted = 0): TopicBody {
  return {
    columns: {
      id: Uint32Array.from(rows, row => row.id),
      state: Uint8Array.from(rows, row => row.state ?? 1),
      worker: Uint32Array.from(rows, row => row.worker ?? 0),
      prefix: Uint32Array.from(rows, row => row.prefix ?? 0),
      start: Float64Array.from(rows, row => row.start),
      as_of: Float64Array.from(rows, row => row.as_of ?? row.start)
    },
    scalars: { keys: rows.filter(row => row.state !== 0).map(row => [row.id, row.key ?? `key-${row.id}`]), unlisted }
  };
}
