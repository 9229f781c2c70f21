import { element, setHidden, setText } from '../../base/element';
import { formatWallClock } from '../../base/format';
import { messageOf } from '../../base/untrusted';
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
      element('h3', {}, trans.__('Call stacks'), this.time),
      this.content,
      this.button
    );
  }

  /** @param worker - address; '' if it cannot be asked */
  show(worker: string): void {
    const { feed, run } = this.host;
    if (worker !== this.worker) {
      this.worker = worker;
      this.content.replaceChildren();
      setText(this.time, '');
    }
    // Nobody can answer any more: what was seen stays.
    setHidden(this.button, run.hasEnded);
    const lost = run.hasEnded && this.content.childElementCount === 0;
    setHidden(this.node, worker === '' || feed === null || isRecorded(feed) || lost);
  }

  private async ask(): Promise<void> {
    const { worker } = this;
    const { feed, run, trans } = this.host;
    if (feed === null) {
      return;
    }
    const stacks = await feed.request('callstack', { worker }).then(readCallStack, messageOf);
    if (worker === this.worker) {
      const nothing = trans.__('No thread of it runs a task at this moment.');
      setText(this.time, trans.__('as of %1', formatWallClock(run.clock.at(performance.now()))));
      this.content.replaceChildren(...stackParts(stacks, nothing, true));
    }
  }

  private worker = '';
  private readonly content = element('div');
  private readonly time = element('span', { class: 'dp-Task-count' });
  private readonly button = element('button', { class: 'dp-Button' });
}
