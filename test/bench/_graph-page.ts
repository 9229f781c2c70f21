// The page of the task graph benchmark: a made-up graph of any size in a real view, driven from outside.
import { readTheme } from '../../src/base/theme';
import { english } from '../../src/plot/translation';
import { taskGraph } from '../../src/plots/tasks/task-graph';
import { Run } from '../../src/run/run';
import { NOTHING_SELECTED } from '../../src/run/selection/selection';
import { LOCATE_NODE_EVENT, type LocateNodeDetail } from '../../src/views/graph/locate';
import { GraphView } from '../../src/views/graph/view';

const FUNCTIONS = 30;
/** Tasks of a level need tasks at most this far from their own place, as blocks of an array do, or now and then any. */
const NEAR = 3;
const LEVELS = 40;

/** Repeatable numbers in [0, 1). */
let state = 1;
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 4_294_967_296;
}
const below = (count: number): number => Math.floor(random() * count);

/** Add tasks from `first` on to a graph with `perLevel` tasks a level; each needs three of the level before. */
function add(run: Run, first: number, count: number, perLevel: number, edges: number): number {
  const sources: number[] = [];
  const targets: number[] = [];
  for (let number = Math.max(first, perLevel); number < first + count; number++) {
    const place = number % perLevel;
    for (let i = 0; i < 3; i++) {
      const near = random() < 0.01 ? below(perLevel) : Math.min(perLevel - 1, Math.max(0, place + below(2 * NEAR + 1) - NEAR));
      sources.push(number - place - perLevel + near);
      targets.push(number);
    }
  }
  const numbers = Array.from({ length: count }, (_, i) => first + i);
  const names = { from: 0, values: Array.from({ length: FUNCTIONS }, (_, i) => `function_${i}`) };
  run.apply(
    {
      ...{ feed: 'made-up', epoch: 0, seq: 0, time: 1000, cursor: {}, names: { prefixes: names, groups: names } },
      topics: {
        graph: {
          columns: {
            prefix: Uint32Array.from(numbers, number => Math.floor(number / perLevel) % FUNCTIONS),
            group: Uint32Array.from(numbers, number => Math.floor(number / perLevel) % FUNCTIONS),
            state: new Uint8Array(count)
          },
          moves: { source: Uint32Array.from(sources), target: Uint32Array.from(targets) },
          scalars: {
            ...{ first, first_edge: edges, kept: 0, not_kept: 0, edges_not_kept: 0, latest: 0, waiting: 0 }
          }
        }
      }
    },
    1_000_000
  );
  return edges + sources.length;
}

let view: GraphView | null = null;
let run: Run | null = null;
let [tasks, edges] = [0, 0];

/** Script of the main thread since the last look: callbacks of frames and what is measured by hand. */
let spent = 0;
let longest = 0;
function count(milliseconds: number): void {
  spent += milliseconds;
  longest = Math.max(longest, milliseconds);
}
const request = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = callback =>
  request(time => {
    const begin = performance.now();
    callback(time);
    count(performance.now() - begin);
  });

const frame = (): Promise<void> => new Promise(resolve => request(() => setTimeout(resolve)));

/** Whether a task is in the picture. */
function isDrawn(id: number): boolean {
  const places: unknown[] = [];
  const detail: LocateNodeDetail = { id, reply: place => places.push(place) };
  view?.node.dispatchEvent(new CustomEvent(LOCATE_NODE_EVENT, { detail }));
  return places.some(place => place !== null);
}

/** Milliseconds until a picture is there: by the clock, of script, and of its longest part. */
interface Taken {
  readonly clock: number;
  readonly script: number;
  readonly longest: number;
}

/** Wait for a picture with all tasks. */
async function pictured(): Promise<Taken> {
  const begin = performance.now();
  [spent, longest] = [0, 0];
  view?.update();
  while (!isDrawn(tasks - 1)) {
    await frame();
  }
  return { clock: performance.now() - begin, script: spent, longest };
}

const bench = {
  /** Show a graph of this many tasks; see `pictured`. */
  async load(size: number, threads: boolean): Promise<Taken> {
    view?.dispose();
    if (!threads) {
      Object.assign(window, { Worker: undefined });
    }
    run = new Run();
    [tasks, edges] = [size, add(run, 0, size, size / LEVELS, 0)];
    const theme = readTheme(document.body);
    view = new GraphView(taskGraph, {
      ...{ run, feed: null, trans: english, saved: {}, save: () => undefined, open: () => undefined },
      get context() {
        const options = { detail: 'tasks', tasks: 'all' };
        return { theme, trans: english, options, hidden: new Set<string>(), selection: NOTHING_SELECTED };
      }
    });
    document.body.append(view.node);
    view.setVisible(true);
    view.resize(document.body.clientWidth, document.body.clientHeight);
    return pictured();
  },

  /** Add tasks; see `pictured`. */
  async grow(more: number): Promise<Taken> {
    edges = run === null ? 0 : add(run, tasks, more, tasks / LEVELS, edges);
    tasks += more;
    return pictured();
  },

  /** Zoom in and pan; milliseconds of script for each frame. */
  async pan(frames: number, zoom: number): Promise<number[]> {
    const times: number[] = [];
    view?.fit();
    view?.zoom(zoom, document.body.clientWidth / 2, document.body.clientHeight / 2);
    await frame();
    for (let i = 0; i < frames && view !== null; i++) {
      spent = 0;
      const begin = performance.now();
      view.pan(i % 40 < 20 ? 7 : -7, i % 20 < 10 ? 3 : -3);
      const own = performance.now() - begin;
      await frame();
      times.push(own + spent);
    }
    return times;
  }
};

Object.assign(window, { bench });
