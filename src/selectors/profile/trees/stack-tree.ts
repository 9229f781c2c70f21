/** What a picture of stacks draws: the samples of a profile, put together in one of several ways. */
import type { ProfileFold, ProfileFrame } from '../../../run/logs/profile';

/** A tree of functions. Nodes are numbers; 0 is the root, which stands for all samples. */
export interface StackTree {
  /** Number of the function of a node; 0 for the root, and where Dask reports only one of several. */
  frameNumber(node: number): number;
  /** The function of a node; `null` for number 0. */
  frame(node: number): ProfileFrame | null;
  parent(node: number): number;
  /** Nodes below a node, in the order in which they are drawn from left to right. */
  callees(node: number): ArrayLike<number> & Iterable<number>;
  /** Samples of a node. */
  total(node: number): number;
  /** Samples of a node that are not those of a node below it; NaN where that says nothing. */
  own(node: number): number;
}

/** The stacks as they were sampled, callers first, in order of first appearance. */
export interface SampledStacks {
  readonly frames: readonly (ProfileFrame | null)[];
  readonly stacks: number;
  frameNumber(stack: number): number;
  frame(stack: number): ProfileFrame | null;
  parent(stack: number): number;
  callees(stack: number): Uint32Array;
}

/** A tree of the stacks of a profile with the samples of a fold. */
export class SampledTree implements StackTree {
  /** @param heaviestFirst - order nodes by their samples; else by their first appearance, so that none changes its place */
  constructor(
    private readonly store: SampledStacks,
    private readonly fold: ProfileFold,
    private readonly heaviestFirst: boolean
  ) {}

  frameNumber(node: number): number {
    return this.store.frameNumber(node);
  }

  frame(node: number): ProfileFrame | null {
    return this.store.frame(node);
  }

  parent(node: number): number {
    return this.store.parent(node);
  }

  callees(node: number): Uint32Array {
    const callees = this.store.callees(node);
    if (!this.heaviestFirst || callees.length < 2) {
      return callees;
    }
    let sorted = this.sorted.get(node);
    if (sorted === undefined) {
      const { total } = this.fold;
      // A stable sort: equal ones keep the order of their appearance.
      sorted = callees.slice().sort((a, b) => total[b] - total[a] || a - b);
      this.sorted.set(node, sorted);
    }
    return sorted;
  }

  total(node: number): number {
    return this.fold.total[node];
  }

  own(node: number): number {
    return this.fold.own[node];
  }

  /** By node: a zoom asks for the same ones again. */
  private readonly sorted = new Map<number, Uint32Array>();
}
