/** Tooltip and live region text of a box. Texts are untrusted and only ever shown as text. */
import { formatCount, formatDuration, formatPercent } from '../../base/format';
import type { Theme } from '../../base/theme';
import type { TooltipContent, Translate } from '../../plot/plot';
import { differenceOf, differenceWords } from '../../selectors/profile/compared';
import type { ComparedFolds } from '../../selectors/profile/profile-folds';
import { isCell, packageColour, packagesOf } from '../../selectors/profile/profile-package';
import { sampledTime, stackLabel } from '../../selectors/profile/profile-rows';
import { SampledTree, type StackTree } from '../../selectors/profile/trees/stack-tree';
import { oneLine } from '../../plot/text';
import type { ProfileFold, ProfileStore } from '../../run/logs/profile';

/** Callees listed if Dask does not report which one it was. */
const NAMED = 4;

/** What the boxes of a picture are of. */
export interface Drawn {
  readonly tree: StackTree;
  /** Samples of the whole picture. */
  readonly all: number;
  /** What is compared; `null` for ordinary samples. */
  readonly compared: ComparedFolds | null;
}

/** What a tooltip is about. */
interface TipSubject extends Drawn {
  readonly stack: number;
  /** What a click does. */
  readonly hint: string;
}

/**
 * What a click on a box does.
 *
 * @param tasks - whether the samples are those of tasks, which it also selects
 */
export function hintOf(stack: number, sandwich: boolean, tasks: boolean, trans: Translate): string {
  if (sandwich) {
    return tasks
      ? trans.__('Click: show its callers and callees, select its tasks · Esc: back')
      : trans.__('Click: show its callers and callees · Esc: back');
  }
  if (stack === 0) {
    return trans.__('Click: show everything');
  }
  return tasks ? trans.__('Click: zoom in, select its tasks · Esc: zoom out') : trans.__('Click: zoom in · Esc: zoom out');
}

/** What fills the width, or is in the middle of a sandwich; empty for everything. */
export function zoomWords(tree: StackTree, root: number, sandwich: boolean, trans: Translate): string {
  const label = root === 0 ? '' : stackLabel(tree, root, trans);
  if (sandwich) {
    return root === 0 ? trans.__('the function has no samples here') : trans.__('%1: callers above, callees below', label);
  }
  return label && trans.__('in %1', label);
}

/**
 * Describe the function of a node and its samples.
 */
export function tipOf(
  store: ProfileStore,
  { tree, stack, all, hint, compared }: TipSubject,
  theme: Theme,
  trans: Translate
): TooltipContent {
  const frame = tree.frame(stack);
  const rows: Rows = [];
  if (frame !== null) {
    // Compiled functions have no lines; those of a cell have, though not where another kernel has defined them.
    if (frame.text !== '' || isCell(frame.file)) {
      rows.push([trans.__('Line %1', frame.line), oneLine(frame.text) || trans.__('not known')]);
    }
  } else if (stack > 0) {
    rows.push([trans.__('Which'), candidates(tree, stack, trans)]);
  }
  if (compared === null) {
    rows.push(...sampleRows(store, tree, stack, all, trans));
  } else {
    const { a, b } = compared;
    rows.push(
      [trans.__('A'), shareOf(a, stack, trans)],
      [trans.__('B'), shareOf(b, stack, trans)],
      [trans.__('Difference'), differenceWords(differenceOf(compared, stack), trans)]
    );
  }
  return {
    title: stackLabel(tree, stack, trans),
    ...(frame === null ? {} : { state: packagesOf(store).names[packagesOf(store).of(tree.frameNumber(stack))] ?? '' }),
    ...(stack === 0 ? {} : { colour: packageColour(theme, packagesOf(store).of(tree.frameNumber(stack))) }),
    ...(frame === null ? (stack > 0 ? { pattern: 'diagonal' as const } : {}) : { key: `${oneLine(frame.file)}:${frame.first}` }),
    rows,
    hint
  };
}

type Rows = (readonly [string, string])[];

function sampleRows(store: ProfileStore, tree: StackTree, stack: number, all: number, trans: Translate): Rows {
  const total = tree.total(stack);
  const parent = tree.parent(stack);
  const rows: Rows = [
    [trans.__('Samples'), amount(store, total, trans)],
    [trans.__('Of all'), formatPercent(total / all)]
  ];
  if (parent > 0) {
    rows.push([trans.__('Of %1', stackLabel(tree, parent, trans)), formatPercent(total / tree.total(parent))]);
  }
  if (tree.frame(stack) !== null && tree.own(stack) > 0) {
    rows.push([trans.__('Innermost'), amount(store, tree.own(stack), trans)]);
  }
  return rows;
}

/** "12 % · 120 samples". */
function shareOf({ total }: ProfileFold, stack: number, trans: Translate): string {
  const samples = trans._n('1 sample', '%2 samples', total[stack], formatCount(total[stack]));
  return `${formatPercent(total[stack] / total[0])} · ${samples}`;
}

function amount(store: ProfileStore, samples: number, trans: Translate): string {
  const time = sampledTime(store, samples);
  const count = trans._n('1 sample', '%2 samples', samples, formatCount(samples));
  return Number.isFinite(time) ? `${formatCount(samples)} · ≈ ${formatDuration(time)}` : count;
}

/** Callees of the same caller: the innermost function was one of them. Other trees put stacks of several callers together. */
function candidates(tree: StackTree, stack: number, trans: Translate): string {
  if (!(tree instanceof SampledTree)) {
    return trans.__('not distinguished');
  }
  const names = [...tree.callees(tree.parent(stack))]
    .filter(callee => callee !== stack && tree.total(callee) > 0)
    .map(callee => stackLabel(tree, callee, trans));
  const list = names.slice(0, NAMED).join(', ');
  const others = names.length - NAMED;
  return others > 0
    ? trans._n('%2 or 1 other', '%2 or %3 others', others, list, formatCount(others))
    : list || trans.__('not distinguished');
}
