import type { Milliseconds } from '../../base/units';
import type { GraphPicture } from '../../plot/plot';
import { type Former, layOut, type Placement } from '../../run/graph/graph-layout';
import type { Links } from '../../run/graph/links';
import type { Run } from '../../run/run';
import type { LayoutThread } from './layout-thread';
import { BoxScene } from './scene/box-scene';
import type { Scene } from './scene/scene';
import { TaskScene } from './scene/task-scene';

/** A picture to be laid out. */
interface Wanted {
  readonly picture: GraphPicture;
  readonly run: Run;
}

/**
 * Creates scenes from pictures. The layout of a small graph is computed in steps, so that it does not block frames; that
 * of a large one in a thread of its own, where there is one.
 *
 * A graph that grows while it is laid out is laid out again when that is done, from the positions found: otherwise one
 * that always grows would never be shown.
 */
export class SceneBuilder {
  /**
   * @param thread - lays out large graphs
   * @param wake - called when the thread has: `step` has a scene then
   */
  constructor(
    private readonly thread: Pick<LayoutThread, 'start' | 'cancel'>,
    private readonly wake: () => void
  ) {}

  /** Whether a scene is being created in steps. */
  get busy(): boolean {
    return this.steps !== null;
  }

  /**
   * Set the picture. A new structure starts a layout from the last scene's positions; otherwise the scene only updates
   * the content of its nodes.
   */
  take(picture: GraphPicture, run: Run, last: Scene | null): void {
    this.path = picture.path;
    if (last !== null) {
      mark(last, this.path);
    }
    if (last instanceof BoxScene && picture.kind === 'boxes' && picture.structure === this.structure) {
      last.boxes = picture.boxes;
      last.opens = picture.opens;
    }
    if (picture.structure === this.structure && (this.run === run || picture.kind === 'boxes')) {
      this.wanted &&= { picture, run };
      return;
    }
    const grown = this.run === run && picture.subject === this.subject;
    this.run = run;
    this.structure = picture.structure;
    this.subject = picture.subject;
    this.wanted = { picture, run };
    if (!grown || (this.steps === null && !this.waiting)) {
      this.begin(last);
    }
  }

  /** Continue for a time. Returns the scene when it is ready. */
  step(until: Milliseconds): Scene | null {
    while (this.steps !== null) {
      const step = this.steps.next();
      if (step.done) {
        this.placement = step.value;
        this.steps = null;
      } else if (performance.now() >= until) {
        return null;
      }
    }
    const { placement } = this;
    if (placement === null) {
      return null;
    }
    this.placement = null;
    const scene = this.make(placement);
    mark(scene, this.path);
    this.begin(scene);
    return scene;
  }

  /** Discard the layout: the run has started over. */
  reset(): void {
    this.thread.cancel();
    this.structure = '';
    this.steps = this.wanted = this.placement = null;
    this.waiting = false;
  }

  /** Begin with what is wanted, if anything is; what was in progress is discarded. */
  private begin(last: Scene | null): void {
    const { wanted } = this;
    if (wanted === null) {
      return;
    }
    const { picture, run } = wanted;
    this.wanted = this.placement = null;
    if (picture.kind === 'boxes') {
      const { boxes, links, opens, subject } = picture;
      const former = last instanceof BoxScene && last.subject === subject ? formerOf(last, node => boxes[node].id) : undefined;
      this.make = placement => new BoxScene(boxes, links, placement, opens, subject);
      this.layOut(links, former);
    } else {
      const part = picture.part();
      const former = last instanceof TaskScene ? formerOf(last, node => part.numbers[node]) : undefined;
      this.make = placement => new TaskScene(run, part, placement);
      this.layOut(part.links, former);
    }
  }

  private layOut(links: Links, former: Former | undefined): void {
    this.thread.cancel();
    this.steps = null;
    this.waiting = this.thread.start(links, former, placement => {
      this.waiting = false;
      this.placement = placement;
      // A thread that has failed is replaced by steps.
      this.steps = placement === null ? layOut(links, former) : null;
      this.wake();
    });
    if (!this.waiting) {
      this.steps = layOut(links, former);
    }
  }

  /** Ids of the nodes of the critical path. */
  private path: readonly number[] = [];
  private structure = '';
  private subject = '';
  private run: Run | null = null;
  /** The newest picture that is not being laid out yet. */
  private wanted: Wanted | null = null;
  private steps: Generator<undefined, Placement> | null = null;
  /** Whether the thread has something to do. */
  private waiting = false;
  /** The result of a layout. */
  private placement: Placement | null = null;
  private make: (placement: Placement) => Scene = () => {
    throw new Error('nothing has been laid out');
  };
}

/** Mark the nodes of the critical path that a scene has. */
function mark(scene: Scene, path: readonly number[]): void {
  scene.path = path.map(id => scene.nodeOf(id)).filter(node => node >= 0);
}

/** Positions from an earlier scene for the nodes of a later one. */
function formerOf(last: Scene, idOf: (node: number) => number): Former {
  const { x, y } = last.places.placement;
  return node => {
    const before = last.nodeOf(idOf(node));
    return before < 0 ? undefined : { x: x[before], y: y[before] };
  };
}
