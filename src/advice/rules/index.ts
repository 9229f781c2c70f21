/** All rules. Where two could claim the same time, the first one has it: what is more certain comes first. */
import type { Rule } from '../rule';
import { spilling } from './memory/spilling';
import { littleParallelism } from './scheduling/little-parallelism';
import { smallTasks } from './scheduling/small-tasks';
import { straggler } from './scheduling/straggler';
import { transfers } from './transfer/transfers';

export const RULES: readonly Rule[] = [spilling, transfers, smallTasks, straggler, littleParallelism];

/** Topics that rules need: who shows advice subscribes to them. */
export const ADVICE_TOPICS = [
  ...new Set(['meta', 'workers', 'running', 'computations', ...RULES.flatMap(rule => rule.needs)] as const)
];
