/** Tooltip and live region text of a box. Texts are untrusted and only ever shown as text. */
import { formatCount, formatDuration, formatPercent } from '../../base/format';
import type { Theme } from '../../base/theme';
import type { TooltipContent, Translate } from '../../plot/plot';
import { packageColour, packagesOf } from '../../selectors/profile/profile-package';
import { sampledTime, stackLabel } from '../../selectors/profile/profile-rows';
import { SampledTree, type StackTree } from '../../selectors/profile/trees/stack-tree';
import { oneLine } from '../../plot/text';
import type { ProfileStore } from '../../run/logs/profile';

/** Callees listed if Dask does not report which one it was. */
const NAMED = 4;

/**
 * Describe the function of a node and its samples.
 *
 * @param all - samples of the whole picture
 * @param hint - what a click does
 */
export function tipOf(
  store: ProfileStore,
  { tree, stack, all, hint }: { readonly tree: StackTree; readonly stack: number; readonly all: number; readonly hint: string },
  theme: Theme,
  trans: Translate
): TooltipContent {
  const frame = tree.frame(stack);
  const total = tree.total(stack);
  const parent = tree.parent(stack);
  const rows: (readonly [string, string])[] = [];
  if (frame !== null) {
    if (frame.text !== '') {
      rows.push([trans.__('Line %1', frame.line), oneLine(frame.text)]);
    }
  } else if (stack > 0) {
    rows.push([trans.__('Which'), candidates(tree, stack, trans)]);
  }
  rows.push([trans.__('Samples'), amount(store, total, trans)], [trans.__('Of all'), formatPercent(total / all)]);
  if (parent > 0) {
    rows.push([trans.__('Of %1', stackLabel(tree, parent, trans)), formatPercent(total / tree.total(parent))]);
  }
  if (frame !== null && tree.own(stack) > 0) {
    rows.push([trans.__('Innermost'), amount(store, tree.own(stack), trans)]);
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
  return names.length > NAMED
    ? trans.__('%1 or %2 others', list, formatCount(names.length - NAMED))
    : list || trans.__('not distinguished');
}
