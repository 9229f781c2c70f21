import { element, setHidden } from '../../base/element';
import { messageOf } from '../../base/format';
import { isRecorded } from '../../feed/feed';
import { readCallStack } from '../task/facts';
import { stackParts } from '../task/sections';
import type { ViewHost } from '../view';

/** Where the tasks of a worker are in their code, only when the user asks: the worker itself has to answer. */
export class CallStacks {
  readonly node: HTMLElement;

  constructor(private readonly host: ViewHost) {
    const { trans } = host;
    this.button.textContent = trans.__('Look now');
    this.button.addEventListener('click', () => void this.ask());
    this.node = element(
      'section',
      { class: 'dp-Task-section', data: { part: 'stacks' } },
      element('h3', { text: trans.__('Call stacks') }),
      this.content,
      this.button
    );
  }

  /** @param worker - address; '' if it cannot be asked */
  show(worker: string): void {
    const { feed } = this.host;
    if (worker !== this.worker) {
      this.worker = worker;
      this.content.replaceChildren();
    }
    setHidden(this.node, worker === '' || feed === null || isRecorded(feed));
  }

  private async ask(): Promise<void> {
    const { worker } = this;
    const { feed } = this.host;
    if (feed === null) {
      return;
    }
    const stacks = await feed.request('callstack', { worker }).then(readCallStack, messageOf);
    if (worker === this.worker) {
      const nothing = this.host.trans.__('No task is running on it at this moment.');
      this.content.replaceChildren(...stackParts(stacks, nothing, true));
    }
  }

  private worker = '';
  private readonly content = element('div');
  private readonly button = element('button', { class: 'dp-Button' });
}
