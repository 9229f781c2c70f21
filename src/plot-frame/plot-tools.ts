/** Shared content of a plot's header in a pane, in a cell output and in a report. */
import { catalogueText } from '../plot/translation';
import { element, setData, setText } from '../base/element';
import { periodNotes } from '../charts/over-time/span';
import type { Plot, PlotContext, PlotLink, PlotOption, TitlePart, Translate } from '../plot/plot';
import type { Run } from '../run/run';

/** Opens a plot with values of its options. */
export type PlotOpener = (plot: PlotLink['plot'], args: PlotLink['args']) => void;

/** The dot is in one element with the part after it: a line without room for that part has no dot at its end. */
const DOT = '· ';
/** Where the links of a title line lead now. */
const leads = new WeakMap<Element, PlotLink>();

/**
 * Show the counts of a title line, joined by middle dots. Elements are reused, since counts change several times per second
 * and a button that is replaced while it is pressed loses its click.
 *
 * @param open - opens the plot of a part that is a link
 */
export function showTitle(host: HTMLElement, parts: readonly TitlePart[], open: PlotOpener): void {
  const kinds = parts.map(({ opens }) => (opens === undefined ? 'SPAN' : 'BUTTON'));
  if (kinds.join() !== [...host.children].map(child => child.lastElementChild?.tagName).join()) {
    const whole = (part: TitlePart, i: number): HTMLElement => element('span', {}, i > 0 ? DOT : '', titlePart(part, open));
    host.replaceChildren(...parts.flatMap((part, i) => [...(i > 0 ? [' '] : []), whole(part, i)]));
  }
  for (const [i, part] of parts.entries()) {
    const whole = host.children[i];
    if (whole instanceof HTMLElement) {
      setData(whole, 'cut', String(part.cut === true));
    }
    const node = whole.lastElementChild;
    if (node instanceof HTMLElement) {
      setText(node, part.text);
      setData(node, 'tone', part.tone ?? 'plain');
      if (part.opens !== undefined) {
        leads.set(node, part.opens);
      }
    }
  }
}

/** All parts of a title line, for where there is no room for them. */
export function titleText(parts: readonly TitlePart[]): string {
  return parts.map(part => part.text).join(' · ');
}

function titlePart({ opens }: TitlePart, open: PlotOpener): HTMLElement {
  if (opens === undefined) {
    return element('span');
  }
  const link = element('button', {
    class: 'dp-Pane-link',
    onClick: () => {
      const { plot, args } = leads.get(link) ?? opens;
      open(plot, args);
    }
  });
  return link;
}

/** Whether a plot shows the common time of the views of a run. */
export function sharesTime(plot: Plot): boolean {
  return plot.view === 'vega' && plot.sharesTime === true;
}

/** What is missing or uncertain in a plot, and which part of the run's time it shows if the user has gone there. */
export function notesOf(plot: Plot, run: Run, context: PlotContext): readonly string[] {
  return [...(sharesTime(plot) ? periodNotes(run, context.trans) : []), ...plot.notes(run, context)];
}

/** The button that switches between the picture of a plot and its table. */
export function tableButton(plot: Plot, trans: Translate, show: (asTable: boolean) => void): HTMLElement {
  let asTable = false;
  const table = element('button', {
    class: 'dp-Button dp-Plot-table',
    text: trans.__('Table'),
    title: trans.__('Show as table'),
    attributes: { 'aria-pressed': 'false', 'aria-label': trans.__('%1 as table', catalogueText(trans, plot.title)) },
    onClick: () => {
      asTable = !asTable;
      table.setAttribute('aria-pressed', String(asTable));
      show(asTable);
    }
  });
  return table;
}

/** The choices of a plot option. */
export function optionSelect(option: PlotOption, trans: Translate, choose: (value: string) => void): HTMLSelectElement {
  const select = element('select', { class: 'dp-Plot-select', attributes: { 'aria-label': catalogueText(trans, option.label) } });
  offerChoices(select, option, trans);
  select.value = option.initial;
  select.addEventListener('change', () => choose(select.value));
  return select;
}

/** Offer the choices that an option has now; what is chosen stays so. */
export function offerChoices(select: HTMLSelectElement, { choices }: PlotOption, trans: Translate): void {
  const now = choices.map(({ value, label }) => [value, catalogueText(trans, label)] as const);
  const shown = [...select.options].map(({ value, text }) => [value, text]);
  if (JSON.stringify(now) !== JSON.stringify(shown)) {
    const { value: chosen } = select;
    select.replaceChildren(...now.map(([value, text]) => new Option(text, value)));
    select.value = chosen;
  }
}
