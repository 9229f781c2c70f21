import type { DevicePixels } from '../../base/units';
import type { PlotContext } from '../../plot/plot';
import type { ProfileFold, ProfileStore } from '../../run/logs/profile';
import { type Arrangement, arrangementOf, functionKey, nodeAt, pathOf, treeOf } from '../../selectors/profile/trees/arrangement';
import { CENTRE } from '../../selectors/profile/trees/sandwich';
import type { StackTree } from '../../selectors/profile/trees/stack-tree';
import { type FlameLayout, layoutFlame } from './layout';

/**
 * The tree that a flame graph draws, and the part of it that fills the width.
 *
 * Guarantees: tree and boxes are made again only when the samples, the arrangement, the zoom or the width have changed; a zoom
 * follows its functions into the next tree, and ends where they have no samples.
 */
export class FlamePicture {
  /** @param centre - key of the function in the middle of a sandwich; empty for that with the most own samples */
  constructor(centre: string) {
    this.centreKey = centre;
  }

  get arrangement(): Arrangement {
    return this.arranged;
  }

  /** Key of the function that the user has put in the middle of a sandwich; empty for none. */
  get centre(): string {
    return this.centreKey;
  }

  /** Whether a part fills the width. */
  get zoomed(): boolean {
    return this.arranged === 'sandwich' ? this.centres.length > 0 : this.root !== 0;
  }

  /** Number of the function that fills the width, or is in the middle because the user has put it there; 0 for none. */
  get focus(): number {
    const node = this.arranged === 'sandwich' ? CENTRE : this.root;
    return this.tree !== null && this.zoomed ? this.tree.frameNumber(node) : 0;
  }

  /** Adopt samples and options. */
  take(store: ProfileStore, fold: ProfileFold, options: PlotContext['options']): StackTree {
    const arrangement = arrangementOf(options);
    if (fold !== this.fold || arrangement !== this.arranged || this.tree === null) {
      const path = this.tree === null || arrangement !== this.arranged ? [] : pathOf(this.tree, this.root);
      this.fold = fold;
      this.arranged = arrangement;
      this.tree = treeOf(store, fold, arrangement, this.centreKey);
      this.root = arrangement === 'sandwich' ? 0 : nodeAt(this.tree, path);
      this.layout = null;
    }
    return this.tree;
  }

  /** The boxes at a width; {@link take} must have been called. */
  boxes(tree: StackTree, width: DevicePixels): FlameLayout {
    if (this.layout === null || this.width !== width) {
      this.width = width;
      this.layout = layoutFlame(tree, this.root, width);
    }
    return this.layout;
  }

  /** Whether a node fills the width because the user has zoomed to it. */
  fills(node: number): boolean {
    return this.arranged !== 'sandwich' && node !== 0 && node === this.root;
  }

  /** Zoom to a node, or put its function in the middle of a sandwich. Returns false where that is not possible. */
  show(tree: StackTree, node: number): boolean {
    if (this.arranged !== 'sandwich') {
      this.root = node;
      this.layout = null;
      return true;
    }
    const frame = tree.frame(node);
    const middle = tree.frame(CENTRE);
    if (frame === null || middle === null || functionKey(frame) === functionKey(middle)) {
      return false;
    }
    this.centres.push(this.centreKey);
    this.setCentre(functionKey(frame));
    return true;
  }

  /** Zoom out to the caller, or put the function before in the middle. */
  back(tree: StackTree): void {
    if (this.arranged === 'sandwich') {
      this.setCentre(this.centres.pop() ?? this.centreKey);
    } else {
      this.root = this.root === 0 ? 0 : tree.parent(this.root);
      this.layout = null;
    }
  }

  /** Show everything; of a sandwich, the function with the most own samples. */
  fit(): void {
    this.root = 0;
    this.layout = null;
    if (this.arranged === 'sandwich') {
      this.centres.length = 0;
      this.setCentre('');
    }
  }

  /** Forget what belongs to a run. */
  restart(): void {
    this.root = 0;
    this.centres.length = 0;
    this.fold = this.tree = this.layout = null;
  }

  private setCentre(key: string): void {
    this.centreKey = key;
    this.tree = this.layout = null;
  }

  private arranged: Arrangement = '';
  private centreKey: string;
  /** Functions that were in the middle before, the newest last. */
  private readonly centres: string[] = [];
  private root = 0;
  private width: DevicePixels = 0;
  private fold: ProfileFold | null = null;
  private tree: StackTree | null = null;
  private layout: FlameLayout | null = null;
}
