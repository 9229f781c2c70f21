/** Tooltip and live region text of a box. Texts are untrusted and only ever shown as text. */
import { formatCount, formatDuration, formatPercent } from '../../base/format';
import type { Theme } from '../../base/theme';
import type { TooltipContent, Translate } from '../../plot/plot';
import { packageColour, packagesOf } from '../../selectors/profile/profile-package';
import { sampledTime, stackLabel } from '../../selectors/profile/profile-rows';
import { oneLine } from '../../plot/text';
import type { ProfileFold, ProfileStore } from '../../run/logs/profile';

/** Callees listed if Dask does not report which one it was. */
const NAMED = 4;

/** Describe a stack's innermost function and its samples. */
export function tipOf(store: ProfileStore, fold: ProfileFold, stack: number, theme: Theme, trans: Translate): TooltipContent {
  const frame = store.frame(stack);
  const total = fold.total[stack];
  const parent = store.parent(stack);
  const rows: (readonly [string, string])[] = [];
  if (frame !== null) {
    if (frame.text !== '') {
      rows.push([trans.__('Line %1', frame.line), oneLine(frame.text)]);
    }
  } else if (stack > 0) {
    rows.push([trans.__('Which'), candidates(store, fold, stack, trans)]);
  }
  rows.push([trans.__('Samples'), amount(store, total, trans)], [trans.__('Of all'), formatPercent(total / fold.total[0])]);
  if (parent > 0) {
    rows.push([trans.__('Of %1', stackLabel(store, parent, trans)), formatPercent(total / fold.total[parent])]);
  }
  if (frame !== null && fold.own[stack] > 0) {
    rows.push([trans.__('Innermost'), amount(store, fold.own[stack], trans)]);
  }
  return {
    title: stackLabel(store, stack, trans),
    ...(frame === null ? {} : { state: packagesOf(store).names[packagesOf(store).of(store.frameNumber(stack))] ?? '' }),
    ...(stack === 0 ? {} : { colour: packageColour(theme, packagesOf(store).of(store.frameNumber(stack))) }),
    ...(frame === null ? (stack > 0 ? { pattern: 'diagonal' as const } : {}) : { key: `${oneLine(frame.file)}:${frame.first}` }),
    rows,
    hint: stack === 0 ? trans.__('Click: show everything') : trans.__('Click: zoom in · Esc: zoom out')
  };
}

function amount(store: ProfileStore, samples: number, trans: Translate): string {
  const time = sampledTime(store, samples);
  const count = trans._n('1 sample', '%2 samples', samples, formatCount(samples));
  return Number.isFinite(time) ? `${formatCount(samples)} · ≈ ${formatDuration(time)}` : count;
}

/** Callees of the same caller: the innermost function was one of them. */
function candidates(store: ProfileStore, fold: ProfileFold, stack: number, trans: Translate): string {
  const names = [...store.callees(store.parent(stack))]
    .filter(callee => callee !== stack && fold.total[callee] > 0)
    .map(callee => stackLabel(store, callee, trans));
  const list = names.slice(0, NAMED).join(', ');
  return names.length > NAMED
    ? trans.__('%1 or %2 others', list, formatCount(names.length - NAMED))
    : list || trans.__('not distinguished');
}
