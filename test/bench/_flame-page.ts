// The page of the flame graph benchmark: a made-up profile of any size in a real view, driven from outside.
import { english } from '../../src/plot/translation';
import { readTheme } from '../../src/base/theme';
import { profile } from '../../src/plots/time/profile';
import { Run } from '../../src/run/run';
import { NOTHING_SELECTED } from '../../src/run/selection/selection';
import { FlameView } from '../../src/views/flame/view';

const EPOCH = 1_700_000_000;
const FUNCTIONS = 3_000;
const PACKAGES = 20;
/** Samples are taken from a tree of this depth at most. */
const DEEPEST = 60;

/** Repeatable numbers in [0, 1). */
let state = 1;
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 4_294_967_296;
}
const below = (count: number): number => Math.floor(random() * count);

/** A profile with a number of boxes, in which small branches hang on a few large ones. */
function profileOf(boxes: number): Run {
  const run = new Run();
  const depth = new Uint16Array(boxes + 1);
  const parent = new Uint32Array(boxes);
  for (let i = 0; i < boxes; i++) {
    let above = i === 0 ? 0 : below(random() < 0.5 ? Math.min(i, 200) : i) + 1;
    above = depth[above] >= DEEPEST ? 0 : above;
    parent[i] = above;
    depth[i + 1] = depth[above] + 1;
  }
  const column = (value: (i: number) => number): Uint32Array => Uint32Array.from({ length: boxes }, (_, i) => value(i));
  run.profile.apply({
    columns: {
      ...{ at: column(i => 1000 * (1 + (i % 600))), span: column(() => 1000) },
      ...{ worker: column(i => 1 + (i % 4)), prefix: column(i => i % 2) },
      ...{ stack: column(i => i + 1), samples: column(() => 1 + below(100)) }
    },
    moves: { parent, frame: column(i => 1 + (Math.imul(i, 7919) % FUNCTIONS)) },
    scalars: {
      ...{ first: 0, since: EPOCH, interval: 0.01, cycle: 1, servers: 4, prefixes: ['load', 'fit'] },
      frames: Array.from({ length: FUNCTIONS }, (_, i) => [
        `function_${i}`,
        `/env/lib/python3.12/site-packages/package_${i % PACKAGES}/module.py`,
        ...[i, i, '']
      ])
    }
  });
  return run;
}

let options: Record<string, string> = {};
let view: FlameView | null = null;

const nextFrame = (): Promise<unknown> => new Promise(requestAnimationFrame);

const bench = {
  /** Show a profile with this many boxes. */
  load(boxes: number): void {
    const run = profileOf(boxes);
    const theme = readTheme(document.body);
    const trans = english;
    view = new FlameView(profile, {
      ...{ run, feed: null, trans, saved: {}, save: () => undefined, open: () => undefined },
      get context() {
        return { theme, trans, options, hidden: new Set<string>(), selection: NOTHING_SELECTED };
      }
    });
    document.body.append(view.node);
    view.setVisible(true);
    view.resize(document.body.clientWidth, document.body.clientHeight);
  },

  /** Choose options of the pane. */
  choose(chosen: Record<string, string>): void {
    options = chosen;
    view?.update();
  },

  /** Zoom to boxes in turn, and out. Each takes two frames: one with the click, and one in which it is drawn. */
  async zoom(count: number): Promise<void> {
    for (let i = 0; i < count && view !== null; i++) {
      await nextFrame();
      if (i % 4 === 3) {
        view.fit();
      } else {
        view.click(document.body.clientWidth * random(), 20 * (1 + below(8)));
      }
      await nextFrame();
    }
  }
};

Object.assign(window, { bench });
