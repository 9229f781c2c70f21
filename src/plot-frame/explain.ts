/** "How to read this plot": a text, and an example where there is one. */
import { element } from '../base/element';
import type { Plot, PlotExample, Translate } from '../plot/plot';
import { catalogueText } from '../plot/translation';
import { sharesTime } from './plot-tools';
import { openPopover } from './popover';

/** The example of a plot; `null` if it has none. */
export type ExampleOf = (plot: Plot, trans: Translate) => Promise<PlotExample | null>;

/**
 * Explain how to read a plot, next to the pressed button.
 *
 * @param exampleOf - absent in reports, which contain no pictures of examples
 */
export function explainPlot(plot: Plot, anchor: HTMLElement, trans: Translate, exampleOf?: ExampleOf): void {
  const content = element(
    'div',
    {},
    element('div', { class: 'dp-Popover-head', text: catalogueText(trans, plot.title) }),
    ...catalogueText(trans, plot.howToRead)
      .split('\n\n')
      .map(text => element('p', { text })),
    ...(plot.acts === undefined ? [] : [element('p', { text: selectingWords(trans) })]),
    ...(sharesTime(plot) ? [element('p', { text: howToMove(trans) })] : [])
  );
  openPopover(anchor, trans.__('How to read this plot'), [content]);
  // Panes and cards say which scheme they have.
  const dark = anchor.closest<HTMLElement>('[data-scheme]')?.dataset.scheme === 'dark';
  // The text is complete without the example.
  exampleOf?.(plot, trans).then(
    example => example && content.append(figure(example, dark, trans)),
    (error: unknown) => console.warn('dask-panes:', error)
  );
}

/** What a click does in a plot whose marks or rows stand for functions or workers. */
function selectingWords(trans: Translate): string {
  return trans.__(
    'A click on a function or a worker selects its tasks in all panes, with Ctrl (⌘ on a Mac) in addition to others. A second click or Escape ends that.'
  );
}

/** What pointer and keys do in every chart over time. */
function howToMove(trans: Translate): string {
  return trans.__(
    'The wheel zooms at the pointer, in all views of the run; where the page scrolls, with Ctrl. Shift and drag pan. A drag selects a period: a double click on it shows it, one elsewhere goes back. Keys: W and S zoom, A and D pan, 0 shows the whole run, L goes back.'
  );
}

function figure({ light, dark, alt, size }: PlotExample, inDark: boolean, trans: Translate): HTMLElement {
  const picture = element('img', { class: 'dp-Popover-picture', attributes: { alt } });
  if (size !== undefined) {
    // Its place is there before it has been loaded.
    [picture.width, picture.height] = [size.width, size.height];
  }
  const caption = element('figcaption', { text: trans.__('An example, not your data') });
  const node = element('figure', { class: 'dp-Popover-example' }, picture, caption);
  picture.addEventListener('error', () => node.remove());
  picture.src = inDark ? (dark ?? light) : light;
  return node;
}

/** The button that explains a plot. */
export function helpButton(plot: Plot, trans: Translate, exampleOf?: ExampleOf): HTMLElement {
  const label = trans.__('How to read this plot');
  const help = element('button', {
    class: 'dp-IconButton dp-Pane-help',
    text: '?',
    title: label,
    attributes: { 'aria-label': `${label}: ${catalogueText(trans, plot.title)}`, 'aria-haspopup': 'dialog' },
    onClick: () => explainPlot(plot, help, trans, exampleOf)
  });
  return help;
}
