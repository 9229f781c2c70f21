/**
 * One cause with its cost, the evidence and the remedy, as an element. Names in the texts are untrusted and only ever shown as
 * text.
 */
import type { Verdict } from '../../advice/advice';
import { confidenceWords } from '../../advice/words';
import { element } from '../../base/element';
import { formatDuration, formatPercent } from '../../base/format';
import { safeLink } from '../../base/dom/link';
import type { Translate } from '../../plot/plot';

/** What the buttons of a verdict do; the second is missing where a cause cannot be hidden. */
export interface VerdictActions {
  show(verdict: Verdict): void;
  readonly hide?: ((verdict: Verdict) => void) | undefined;
}

/** An item of the list of verdicts. */
export function verdictItem(verdict: Verdict, actions: VerdictActions, trans: Translate): HTMLElement {
  const show = element('button', {
    class: 'dp-Button dp-Advice-show',
    text: trans.__('Show me'),
    title: trans.__('Select the evidence and open the plot that proves it'),
    attributes: { 'aria-label': trans.__('Show me: %1', verdict.title) },
    data: { action: 'show' },
    onClick: () => actions.show(verdict)
  });
  return element(
    'li',
    { class: 'dp-Advice-verdict', data: { cause: verdict.cause } },
    costOf(verdict, trans),
    element('div', { class: 'dp-Advice-text' }, ...textsOf(verdict, actions, trans)),
    show
  );
}

function costOf({ cost }: Verdict, trans: Translate): HTMLElement {
  return cost.seconds > 0
    ? element(
        'div',
        { class: 'dp-Advice-cost', title: trans.__('Of wall time × threads, and in thread-seconds') },
        element('strong', { text: formatPercent(cost.share) }),
        element('span', { text: formatDuration(cost.seconds) })
      )
    : element('div', { class: 'dp-Advice-cost' }, element('span', { text: trans.__('no cost measured') }));
}

function textsOf(verdict: Verdict, { hide }: VerdictActions, trans: Translate): HTMLElement[] {
  const { confidence, doubt, evidence } = verdict;
  const certainty =
    confidence === 'high'
      ? []
      : [
          element('span', {
            class: 'dp-Advice-confidence',
            text: confidenceWords(confidence, trans),
            ...(doubt === '' ? {} : { title: doubt })
          })
        ];
  const figures = evidence.figures.map(({ label, text }) =>
    element('span', {}, `${label} `, element('bdi', { class: 'dp-Advice-value', text }))
  );
  return [
    element('h3', { class: 'dp-Advice-what' }, verdict.title, ...certainty),
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
