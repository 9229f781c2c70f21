/**
 * One cause with its cost, the evidence and the remedy, as an element. Names in the texts are untrusted and only ever shown as
 * text.
 */
import type { Verdict } from '../../advice/advice';
import { confidenceWords } from '../../advice/words';
import { element } from '../../base/element';
import { formatDuration, formatPercent, UNKNOWN } from '../../base/format';
import type { Seconds } from '../../base/units';
import { safeLink } from '../../base/dom/link';
import type { Translate } from '../../plot/plot';

/** What the buttons of a verdict do; the second is missing where a cause cannot be hidden. */
export interface VerdictActions {
  show(verdict: Verdict): void;
  /** In a low view, where a cause is one line: all of it is shown, or its line again. */
  unfold(item: HTMLElement, verdict: Verdict): void;
  readonly hide?: ((verdict: Verdict) => void) | undefined;
}

/** A verdict, and for how long it left no worker, where that is most of what it costs; else 0. */
export interface ShownVerdict {
  readonly verdict: Verdict;
  readonly workerless: Seconds;
}

/**
 * An item of the list of verdicts.
 *
 * @param unfolded - whether all of it is shown in a low view
 */
export function verdictItem(shown: ShownVerdict, unfolded: boolean, actions: VerdictActions, trans: Translate): HTMLElement {
  const { verdict } = shown;
  const show = element('button', {
    class: 'dp-Button dp-Advice-show',
    text: trans.__('Show me'),
    title: trans.__('Select the evidence and open the plot that proves it'),
    attributes: { 'aria-label': trans.__('Show me: %1', verdict.title) },
    data: { action: 'show' },
    onClick: () => actions.show(verdict)
  });
  const line = element(
    'button',
    { class: 'dp-Advice-line', data: { action: 'unfold' }, onClick: () => actions.unfold(item, verdict) },
    element('strong', { text: figureOf(shown) }),
    ...certaintyOf(verdict, trans),
    element('bdi', { text: verdict.sentence })
  );
  const item = element(
    'li',
    { class: 'dp-Advice-verdict', data: { cause: verdict.cause } },
    line,
    costOf(shown, trans),
    element('div', { class: 'dp-Advice-text' }, ...textsOf(verdict, actions, trans)),
    show
  );
  setUnfolded(item, unfolded);
  return item;
}

/** Show all of an item in a low view, or its line. */
export function setUnfolded(item: HTMLElement, unfolded: boolean): void {
  item.dataset.unfolded = String(unfolded);
  item.querySelector('.dp-Advice-line')?.setAttribute('aria-expanded', String(unfolded));
}

/** The large figure. Time without any worker is no share of thread time: there was none. */
function figureOf({ verdict: { cost }, workerless }: ShownVerdict): string {
  return workerless > 0 ? formatDuration(workerless) : cost.seconds > 0 ? formatPercent(cost.share) : UNKNOWN;
}

function costOf(shown: ShownVerdict, trans: Translate): HTMLElement {
  const { verdict, workerless } = shown;
  const { cost } = verdict;
  if (workerless > 0) {
    const beside = cost.seconds > 0 ? trans.__('without any worker, and %1 of the rest', formatPercent(cost.share)) : '';
    return element(
      'div',
      { class: 'dp-Advice-cost', title: trans.__('Of wall time, and of wall time × threads while there were any') },
      element('strong', { text: figureOf(shown) }),
      element('span', { text: beside === '' ? trans.__('without any worker') : beside })
    );
  }
  return cost.seconds > 0
    ? element(
        'div',
        { class: 'dp-Advice-cost', title: trans.__('Of wall time × threads, and in thread-seconds') },
        element('strong', { text: figureOf(shown) }),
        element('span', { text: formatDuration(cost.seconds) })
      )
    : element('div', { class: 'dp-Advice-cost' }, element('span', { text: trans.__('no cost measured') }));
}

function certaintyOf({ confidence, doubt }: Verdict, trans: Translate): HTMLElement[] {
  return confidence === 'high'
    ? []
    : [
        element('span', {
          class: 'dp-Advice-confidence',
          text: confidenceWords(confidence, trans),
          ...(doubt === '' ? {} : { title: doubt })
        })
      ];
}

function textsOf(verdict: Verdict, { hide }: VerdictActions, trans: Translate): HTMLElement[] {
  const { doubt, evidence } = verdict;
  const figures = evidence.figures.map(({ label, text }) =>
    element('span', {}, `${label} `, element('bdi', { class: 'dp-Advice-value', text }))
  );
  return [
    element('h3', { class: 'dp-Advice-what' }, verdict.title, ...certaintyOf(verdict, trans)),
    paragraph('dp-Advice-sentence', verdict.sentence),
    ...(figures.length > 0 ? [element('div', { class: 'dp-Advice-figures' }, ...figures)] : []),
    ...(doubt === '' ? [] : [paragraph('dp-Advice-remedy', doubt)]),
    paragraph('dp-Advice-remedy', verdict.remedy),
    element('div', { class: 'dp-Advice-links' }, ...documentation(verdict, trans), ...notHelpful(verdict, hide, trans))
  ];
}

function documentation({ link, title }: Verdict, trans: Translate): HTMLElement[] {
  const href = safeLink(link, 'https://docs.dask.org/');
  return href === null
    ? []
    : [
        element('a', {
          class: 'dp-Link',
          text: trans.__("Dask's documentation"),
          title: href,
          attributes: {
            href,
            target: '_blank',
            rel: 'noopener noreferrer',
            'aria-label': trans.__("Dask's documentation: %1", title)
          },
          data: { action: 'read' }
        })
      ];
}

function notHelpful(verdict: Verdict, hide: VerdictActions['hide'], trans: Translate): HTMLElement[] {
  return hide === undefined
    ? []
    : [
        element('button', {
          class: 'dp-Link',
          text: trans.__('Not helpful'),
          title: trans.__(
            'Hide this cause here and in the lines about this client. The notebook remembers this; without a notebook, this pane does. Hidden causes can be shown again at the end of the list.'
          ),
          attributes: { 'aria-label': trans.__('Not helpful: %1', verdict.title) },
          data: { action: 'hide' },
          onClick: () => hide(verdict)
        })
      ];
}

function paragraph(name: string, text: string): HTMLElement {
  return element('p', { class: name }, element('bdi', { text }));
}
