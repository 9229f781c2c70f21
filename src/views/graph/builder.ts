import type { Milliseconds } from '../../base/units';
import type { GraphPicture } from '../../plot/plot';
import { type Former, layOut, type Placement } from '../../run/graph/graph-layout';
import type { Links } from '../../run/graph/links';
import type { Run } from '../../run/run';
import { BoxScene } from './scene/box-scene';
import type { Scene } from './scene/scene';
import { TaskScene } from './scene/task-scene';

/** Creates scenes from pictures. The layout is computed in steps so that it does not block frames. */
export class SceneBuilder {
  /** Whether a scene is being created. */
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
      return;
    }
    this.run = run;
    this.structure = picture.structure;
    if (picture.kind === 'boxes') {
      const former = last instanceof BoxScene ? formerOf(last, node => picture.boxes[node].id) : undefined;
      this.begin(picture.links, former, placement => new BoxScene(picture.boxes, picture.links, placement, picture.opens));
    } else {
      const part = picture.part();
      const former = last instanceof TaskScene ? formerOf(last, node => part.numbers[node]) : undefined;
      this.begin(part.links, former, placement => new TaskScene(run, part, placement));
    }
  }

  /** Continue for a time. Returns the scene when it is ready. */
  step(until: Milliseconds): Scene | null {
    while (this.steps !== null) {
      const step = this.steps.next();
      if (step.done) {
        this.steps = null;
        const scene = this.make(step.value);
        mark(scene, this.path);
        return scene;
      }
      if (performance.now() >= until) {
        return null;
      }
    }
    return null;
  }

  /** Discard the layout: the run has started over. */
  reset(): void {
    this.structure = '';
    this.steps = null;
  }

  private begin(links: Links, former: Former | undefined, make: (placement: Placement) => Scene): void {
    this.make = make;
    this.steps = layOut(links, former);
  }

  /** Ids of the nodes of the critical path. */
  private path: readonly number[] = [];
  private structure = '';
  private run: Run | null = null;
  private steps: Generator<undefined, Placement> | null = null;
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
