import { adviceOfAll, showEvidence } from '../advice/shown';
import { noticedVerdicts, thoseThreads, withoutVerdictWords } from '../advice/words';
import { element } from '../base/element';
import { messageOf } from '../base/untrusted';
import type { Translate } from '../plot/plot';
import type { Run } from '../run/run';

/** What the line is about, and a way to all advice; `null` if the report does not have it. */
interface LineInput {
  readonly run: Run;
  readonly trans: Translate;
  readonly advise: (() => void) | null;
}

/** What costs most in all of the recording. It is computed after the page is shown, and stays empty if no task has run. */
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
  const { advice, asked } = adviceOfAll(run, trans);
  const [first] = noticedVerdicts(advice, new Set());
  const found = first !== undefined;
  const words = found ? first.sentence : withoutVerdictWords(advice, new Set(), '', trans);
  if (advice.period === null || words === '') {
    return;
  }
  // "Advice" is about the newest work by itself.
  const text =
    asked === null || advise === null
      ? words
      : trans.__(
          '%1 This is about all that was recorded (%2), the list of advice about the newest work only.',
          words,
          thoseThreads(advice, trans)
        );
  node.dataset.tone = found ? 'warn' : 'plain';
  if (found) {
    node.append(element('span', { class: 'dp-AdviceLine-sign', text: '▲', attributes: { 'aria-hidden': 'true' } }));
  }
  node.append(element('bdi', { text }));
  if (found && advise !== null) {
    const show = (): void => {
      if (asked !== null) {
        showEvidence(run, first, asked);
      }
      advise();
    };
    node.append(' ', element('button', { class: 'dp-Link', text: trans.__('Show me'), onClick: show }));
  }
}
