/** Trees that begin at functions instead of at the entry of a thread: bottom-up, and the callers and callees of a function. */
import type { ProfileFold } from '../../../run/logs/profile';
import { GroupedTree, type Shares, type Step } from './grouped-tree';
import type { SampledStacks } from './stack-tree';

/** From a stack to its caller. */
function callersOf(store: SampledStacks): Step {
  return (stack, samples, add) => {
    const caller = store.parent(stack);
    if (caller > 0) {
      add(caller, samples);
    }
  };
}

/** From a stack to what it called, with their own samples. */
function calleesOf(store: SampledStacks, { total }: ProfileFold): Step {
  return (stack, _samples, add) => {
    for (const callee of store.callees(stack)) {
      if (total[callee] > 0) {
        add(callee, total[callee]);
      }
    }
  };
}

/** The innermost functions with their samples, and below each the callers through which it was reached. */
export function bottomUp(store: SampledStacks, fold: ProfileFold): GroupedTree {
  const top: Shares = { stacks: [], samples: [] };
  for (let stack = 1; stack < store.stacks; stack++) {
    if (fold.own[stack] > 0) {
      top.stacks.push(stack);
      top.samples.push(fold.own[stack]);
    }
  }
  return new GroupedTree(store, fold.total[0], top, callersOf(store));
}

/**
 * The callers of a function and what it called, over all stacks that contain it. The function is the only node below the root
 * of either tree.
 *
 * A recursive call counts as a callee: only the outermost call on a stack begins both trees, so no sample counts twice.
 */
export function aroundFunction(
  store: SampledStacks,
  fold: ProfileFold,
  frame: number
): { readonly callers: GroupedTree; readonly callees: GroupedTree } {
  const outermost: Shares = { stacks: [], samples: [] };
  const within = new Uint8Array(store.stacks);
  let total = 0;
  // A caller has a smaller number than what it called.
  for (let stack = 1; stack < store.stacks; stack++) {
    const inside = within[store.parent(stack)] === 1;
    const found = store.frameNumber(stack) === frame;
    within[stack] = inside || found ? 1 : 0;
    if (found && !inside && fold.total[stack] > 0) {
      outermost.stacks.push(stack);
      outermost.samples.push(fold.total[stack]);
      total += fold.total[stack];
    }
  }
  return {
    callers: new GroupedTree(store, total, outermost, callersOf(store)),
    callees: new GroupedTree(store, total, outermost, calleesOf(store, fold), stack => fold.own[stack])
  };
}
