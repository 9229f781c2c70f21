import { element, setHidden } from '../../base/element';
import { messageOf } from '../../base/format';
import { isRecorded } from '../../feed/feed';
import { oneLine } from '../../plot/text';
import { readCallStack } from '../task/facts';
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
    const content = await feed.request('callstack', { worker }).then(
      answer => this.stacksOf(readCallStack(answer)),
      (error: unknown) => [element('p', { text: messageOf(error) })]
    );
    if (worker === this.worker) {
      this.content.replaceChildren(...content);
    }
  }

  private stacksOf(stacks: ReturnType<typeof readCallStack>): HTMLElement[] {
    return stacks.length === 0
      ? [element('p', { text: this.host.trans.__('No task is running on it at this moment.') })]
      : stacks.flatMap(({ key, frames }) => [
          element('p', { class: 'dp-Task-file' }, element('bdi', { text: oneLine(key) })),
          element('pre', { class: 'dp-Task-block', text: frames, attributes: { tabindex: '0' } })
        ]);
  }

  private worker = '';
  private readonly content = element('div');
  private readonly button = element('button', { class: 'dp-Button' });
}
