import type { TopicBody } from '../../../src/feed/frame';

/** A row: when it ended (ms), worker, prefix, stack and samples; a cycle of 1 s. */
export type SampleRow = readonly [at: number, worker: number, prefix: number, stack: number, samples: number];

/** A function: name and file, defined in line 1. */
export const fn = (name: string, file = `/home/me/${name}.py`): readonly [string, string, number, number, string] => [
  name,
  file,
  1,
  2,
  `${name}()`
];

/** What a body of a profile is made of; stacks are pairs of parent and frame. */
export interface Made {
  readonly first?: number;
  readonly frames?: readonly (readonly [string, string, number, number, string])[];
  readonly prefixes?: readonly string[];
  readonly stacks?: readonly (readonly [number, number])[];
  readonly rows?: readonly SampleRow[];
  readonly span?: number;
  readonly scalars?: TopicBody['scalars'];
}

/** A body of topic `profile`. */
export function profileBody({
  first = 0,
  frames = [],
  prefixes = [],
  stacks = [],
  rows = [],
  span = 1000,
  scalars = {}
}: Made): TopicBody {
  const column = (index: number): Uint16Array => Uint16Array.from(rows, row => row[index]);
  return {
    columns: {
      at: Uint32Array.from(rows, row => row[0]),
      span: Uint16Array.from(rows, () => span),
      worker: column(1),
      prefix: column(2),
      stack: column(3),
      samples: column(4)
    },
    moves: { parent: Uint16Array.from(stacks, pair => pair[0]), frame: Uint16Array.from(stacks, pair => pair[1]) },
    scalars: {
      first,
      since: 1000,
      frames: frames.map(frame => [...frame]),
      prefixes: [...prefixes],
      interval: 0.01,
      cycle: 1,
      servers: 2,
      ...scalars
    }
  };
}

/** `main` calls `load` and `fit`; `fit` calls `load` too, or one of several. Two prefixes on two workers in 4 s. */
export const EXAMPLE: Made = {
  frames: [fn('main'), fn('load', '/env/lib/python3.12/site-packages/pandas/io.py'), fn('fit', '/tmp/ipykernel_12/1.py')],
  prefixes: ['read', 'train'],
  //       1       2       3       4       5
  stacks: [
    [0, 1],
    [1, 2],
    [1, 3],
    [3, 2],
    [3, 0]
  ],
  rows: [
    [1000, 1, 0, 2, 40],
    [2000, 1, 1, 3, 10],
    [3000, 2, 1, 4, 20],
    [4000, 2, 1, 5, 30]
  ]
};
