import type { ProfileFrame } from '../../../run/logs/profile';
import type { SampledStacks, StackTree } from './stack-tree';

/** Stacks with the samples that each of them contributes; arrays of equal length. */
export interface Shares {
  readonly stacks: number[];
  readonly samples: number[];
}

/** From the stacks of a node to those of which the nodes below it are made. */
export type Step = (stack: number, samples: number, add: (stack: number, samples: number) => void) => void;

/**
 * A tree whose nodes are stacks with the same function, put together.
 *
 * Guarantees: nodes below a node are made when they are asked for, so the cost depends on what is drawn; they are ordered by
 * their samples, then by the number of the function; each sample of a node is in at most one node below it.
 */
export class GroupedTree implements StackTree {
  /**
   * @param total - samples of the root
   * @param top - the stacks of the nodes below the root
   * @param ownOf - samples of a stack in which its function was the innermost; without it no node has any of its own
   */
  constructor(
    private readonly store: SampledStacks,
    total: number,
    top: Shares,
    private readonly step: Step,
    private readonly ownOf?: (stack: number) => number
  ) {
    this.totals = [total];
    this.top = top;
  }

  frameNumber(node: number): number {
    return this.frames[node] ?? 0;
  }

  frame(node: number): ProfileFrame | null {
    return this.store.frames[this.frameNumber(node)] ?? null;
  }

  parent(node: number): number {
    return this.parents[node] ?? 0;
  }

  total(node: number): number {
    return this.totals[node] ?? 0;
  }

  own(node: number): number {
    const { ownOf } = this;
    const stacks = this.members[node]?.stacks ?? [];
    return ownOf === undefined ? Number.NaN : stacks.reduce((sum, stack) => sum + ownOf(stack), 0);
  }

  callees(node: number): readonly number[] {
    const known = this.below[node];
    if (known !== undefined) {
      return known;
    }
    const found = this.group(node, node === 0 ? this.top : this.stepped(node));
    this.below[node] = found;
    return found;
  }

  private stepped(node: number): Shares {
    const next: Shares = { stacks: [], samples: [] };
    const { stacks, samples } = this.members[node] ?? { stacks: [], samples: [] };
    for (const [i, stack] of stacks.entries()) {
      this.step(stack, samples[i], (found, count) => {
        next.stacks.push(found);
        next.samples.push(count);
      });
    }
    return next;
  }

  private group(node: number, shares: Shares): readonly number[] {
    const byFrame = new Map<number, { readonly stacks: number[]; readonly samples: number[]; total: number }>();
    for (const [i, stack] of shares.stacks.entries()) {
      const frame = this.store.frameNumber(stack);
      let members = byFrame.get(frame);
      if (members === undefined) {
        members = { stacks: [], samples: [], total: 0 };
        byFrame.set(frame, members);
      }
      members.stacks.push(stack);
      members.samples.push(shares.samples[i]);
      members.total += shares.samples[i];
    }
    const ordered = [...byFrame].sort(([a, x], [b, y]) => y.total - x.total || a - b);
    return ordered.map(([frame, members]) => {
      const number = this.totals.push(members.total) - 1;
      this.parents[number] = node;
      this.frames[number] = frame;
      this.members[number] = members;
      return number;
    });
  }

  private readonly top: Shares;
  private readonly totals: number[];
  private readonly parents: number[] = [0];
  private readonly frames: number[] = [0];
  private readonly members: Shares[] = [{ stacks: [], samples: [] }];
  private readonly below: (readonly number[])[] = [];
}
