/** Tooltip of time for which only sums of tasks are kept. Texts may be untrusted and are only ever shown as text. */
import { formatCount, formatElapsed, formatPercent } from '../../../base/format';
import { KIND } from '../../../feed/schema';
import type { TooltipContent, Translate } from '../../../plot/plot';
import { oneLine } from '../../../plot/text';
import type { Run } from '../../../run/run';
import { clockAt } from '../../../selectors/moments';
import { anyKindWord } from '../../../selectors/tasks/kind-words';
import type { Palette } from '../paint/palette';
import type { Target } from '../picking';

/** Describe a cell; `place` is its worker and thread. */
export function pastContent(
  run: Run,
  { cell, moves }: NonNullable<Target['past']>,
  place: string,
  { theme, move }: Pick<Palette, 'theme' | 'move'>,
  trans: Translate
): TooltipContent {
  const { from, to, busy, label, mostly, count, erred } = cell;
  const name = moves ? anyKindWord(run, KIND[label], trans) : oneLine(String(run.prefixNames[label] ?? ''));
  const several = moves ? trans.__('transfers and disk') : trans.__('several functions');
  const swatch = !mostly ? {} : moves ? (move(label) ?? theme.kind('transfer')) : theme.prefix(label);
  const [begin, end] = [from, to].map(time => formatElapsed(time - run.origin));
  return {
    title: mostly ? trans.__('mostly %1', name) : several,
    state: trans.__('about %1 busy', formatPercent(busy)),
    ...swatch,
    rows: [
      [trans.__('Time'), `${begin} – ${end} · ${clockAt(from, run)}`],
      [trans.__('Worker'), place],
      [moves ? trans.__('Intervals') : trans.__('Tasks'), formatCount(count)],
      ...(erred > 0 ? [[trans.__('Erred'), formatCount(erred)] as const] : [])
    ],
    hint: trans.__('Only sums are kept for tasks this old: no single one can be shown')
  };
}
