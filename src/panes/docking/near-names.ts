import { formatCount } from '../../base/format';
import type { PlotFacts, Translate } from '../../plot/plot';
import { oneLine } from '../../plot/text';
import type { PaneLayout } from './layouts';

/** Names that are offered at most. */
const OFFERED = 3;
/** Layouts that are listed where no name is similar. */
const LISTED = 12;
/** Share of pairs of characters that similar names have in common. */
const SIMILAR = 0.4;

/** The message for a name that `dask_panes.show()` cannot find, with similar names that it can. */
export function unknownName(what: string, layouts: readonly PaneLayout[], plots: readonly PlotFacts[], trans: Translate): string {
  const head = trans.__('There is no layout or plot named "%1".', oneLine(what));
  const names = [
    ...layouts.map(({ id, title, saved }) => ({ name: saved ? title : id, title })),
    ...plots.map(({ id, title }) => ({ name: id, title }))
  ];
  const near = names
    .map(({ name, title }) => ({ name, likeness: Math.max(likeness(what, name), likeness(what, title)) }))
    .filter(each => each.likeness >= SIMILAR)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, OFFERED);
  if (near.length > 0) {
    return `${head} ${trans.__('Did you mean %1?', near.map(({ name }) => quoted(name)).join(', '))}`;
  }
  const listed = names.slice(0, Math.min(layouts.length, LISTED)).map(({ name }) => quoted(name));
  const more = layouts.length - listed.length;
  const rest = more > 0 ? [trans._n('1 more', '%2 more', more, formatCount(more))] : [];
  return `${head} ${trans.__('Layouts: %1. The sidebar lists the plots.', [...listed, ...rest].join(', '))}`;
}

function quoted(name: string): string {
  return `"${oneLine(name)}"`;
}

/** Share of pairs of neighbouring characters that two names have in common, from 0 to 1. */
function likeness(a: string, b: string): number {
  const [first, second] = [pairsOf(a), pairsOf(b)];
  const common = [...first].filter(pair => second.has(pair)).length;
  return (2 * common) / Math.max(1, first.size + second.size);
}

function pairsOf(name: string): Set<string> {
  const letters = name
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  return new Set(Array.from({ length: Math.max(0, letters.length - 1) }, (_, i) => letters.slice(i, i + 2)));
}
