import { catalogueText } from '../plot/translation';
import { GROUP_TITLES, PLOT_GROUPS, type PlotFacts, type PlotGroup, type Translate } from '../plot/plot';

/** Lower case, without accents, as users type. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();
}

/** Whether every word of a query occurs in a plot's title, caption, synonyms or id, in English or in the user's language. */
export function matches(plot: PlotFacts, query: string, trans: Translate): boolean {
  const texts = [plot.title, plot.caption, GROUP_TITLES[plot.group]];
  const translated = texts.map(text => catalogueText(trans, text));
  const haystack = plain([plot.id, ...plot.synonyms, ...texts, ...translated].join('\n'));
  return plain(query)
    .split(/\s+/)
    .every(word => haystack.includes(word));
}

/** Whether a plot is in the list: one whose workers lack what it needs is found by a search only, unless chosen. */
export function isListed(plot: PlotFacts, gpus: boolean, chosen: boolean): boolean {
  return plot.needs === undefined || gpus || chosen;
}

/** The matching plots by group, in the order of the sidebar; groups without a match are omitted. */
export function groupPlots(
  plots: readonly PlotFacts[],
  query: string,
  trans: Translate
): { readonly group: PlotGroup; readonly plots: readonly PlotFacts[] }[] {
  return PLOT_GROUPS.map(group => ({
    group,
    plots: plots.filter(plot => plot.group === group && matches(plot, query, trans))
  })).filter(entry => entry.plots.length > 0);
}
