import { element, setHidden, setText } from '../../base/element';
import type { ViewAction } from '../../views/view';

/**
 * The buttons of actions that a plot offers, above its picture. A button stays the same element while it is shown: a
 * click that began is never lost.
 */
export class OfferBar {
  readonly node = element('div', { class: 'dp-Pane-offers', attributes: { hidden: '' } });

  /** Show the actions as they are possible now. */
  show(actions: readonly ViewAction[]): void {
    this.actions = actions;
    while (this.buttons.length < actions.length) {
      const at = this.buttons.length;
      const button = element('button', { class: 'dp-Button', onClick: () => this.run(at) });
      this.buttons.push(button);
      this.node.append(button);
    }
    for (const [i, button] of this.buttons.entries()) {
      const action = actions[i];
      setHidden(button, action === undefined);
      if (action !== undefined) {
        setText(button, action.label);
        button.title = action.refusal;
        button.setAttribute('aria-disabled', String(action.refusal !== ''));
      }
    }
    const refusal = actions.find(action => action.refusal !== '')?.refusal ?? '';
    setText(this.reason, refusal);
    setHidden(this.reason, refusal === '');
    setHidden(this.node, actions.length === 0);
    this.node.append(this.reason);
  }

  private run(at: number): void {
    const action = this.actions[at];
    if (action?.refusal === '') {
      action.run();
    }
  }

  private actions: readonly ViewAction[] = [];
  private readonly buttons: HTMLButtonElement[] = [];
  private readonly reason = element('span', { class: 'dp-Pane-refusal' });
}
