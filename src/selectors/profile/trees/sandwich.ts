import type { ProfileFold, ProfileFrame } from '../../../run/logs/profile';
import type { GroupedTree } from './grouped-tree';
import { aroundFunction } from './inverted';
import type { SampledStacks, StackTree } from './stack-tree';

/** The node of the function in a {@link Sandwich}. */
export const CENTRE = 2;

/**
 * Callers and callees of one function as one tree: both are below the function's node, {@link CENTRE}.
 *
 * Even numbers are nodes of the callees' tree, odd ones of the callers'. `callees` returns what a function called; the half
 * with the callers is `callersHalf`.
 */
export class Sandwich implements StackTree {
  constructor(store: SampledStacks, fold: ProfileFold, frame: number) {
    const { callers, callees } = aroundFunction(store, fold, frame);
    this.callers = callers;
    this.calledBy = callees;
    // The function's node, which is the only one below the root.
    callers.callees(0);
    callees.callees(0);
  }

  frameNumber(node: number): number {
    return this.treeOf(node).frameNumber(node >> 1);
  }

  frame(node: number): ProfileFrame | null {
    return this.treeOf(node).frame(node >> 1);
  }

  parent(node: number): number {
    const parent = this.treeOf(node).parent(node >> 1);
    return (node & 1) === 1 && parent > 1 ? parent * 2 + 1 : parent * 2;
  }

  total(node: number): number {
    return this.treeOf(node).total(node >> 1);
  }

  own(node: number): number {
    return this.treeOf(node).own(node >> 1);
  }

  callees(node: number): readonly number[] {
    return (node & 1) === 1 ? this.callersOf(node) : this.calledBy.callees(node >> 1).map(found => found * 2);
  }

  /** The same nodes, in a tree in which the callers are below the function. */
  get callersHalf(): StackTree {
    return {
      frameNumber: node => this.frameNumber(node),
      frame: node => this.frame(node),
      parent: node => this.parent(node),
      callees: node => this.callersOf(node),
      total: node => this.total(node),
      own: node => this.own(node)
    };
  }

  private callersOf(node: number): readonly number[] {
    return node === 0 ? [CENTRE] : this.callers.callees(node >> 1).map(found => found * 2 + 1);
  }

  private treeOf(node: number): GroupedTree {
    return (node & 1) === 1 ? this.callers : this.calledBy;
  }

  private readonly callers: GroupedTree;
  private readonly calledBy: GroupedTree;
}
