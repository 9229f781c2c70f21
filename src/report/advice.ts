import { adviceOf } from '../advice/shown';
import { element } from '../base/element';
import { messageOf } from '../base/format';
import type { Translate } from '../plot/plot';
import type { Run } from '../run/run';

/** What the line is about, and a way to all advice; `null` if the report does not have it. */
interface LineInput {
  readonly run: Run;
  readonly trans: Translate;
  readonly advise: (() => void) | null;
}

/** What "Advice" says first. It is computed after the page is shown, and stays empty if no task has run. */
export function adviceLine(input: LineInput): HTMLElement {
  const node = element('p', { class: 'dp-AdviceLine' });
  setTimeout(() => {
    try {
      write(node, input);
    } catch (error) {
      node.textContent = input.trans.__('Advice could not be computed: %1', messageOf(error));
    }
  });
  return node;
}

function write(node: HTMLElement, { run, trans, advise }: LineInput): void {
  const { period, headline, verdicts } = adviceOf(run, null, trans);
  if (period === null) {
    return;
  }
  const found = verdicts.length > 0;
  node.dataset.tone = found ? 'warn' : 'plain';
  if (found) {
    node.append(element('span', { class: 'dp-AdviceLine-sign', text: '▲', attributes: { 'aria-hidden': 'true' } }));
  }
  node.append(element('bdi', { text: headline }));
  if (found && advise !== null) {
    node.append(' ', element('button', { class: 'dp-Link', text: trans.__('Show me'), onClick: advise }));
  }
}
