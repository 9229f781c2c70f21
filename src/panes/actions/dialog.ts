/** Confirmations of actions. */
import { Dialog, showDialog } from '@jupyterlab/apputils';
import { Widget } from '@lumino/widgets';
import { element } from '../../base/element';
import type { Translate } from '../../plot/plot';

/** A list of names in a dialog. */
export interface Names {
  readonly title: string;
  readonly names: readonly string[];
}

/** A confirmation. */
export interface Question {
  readonly title: string;
  readonly sentences: readonly string[];
  readonly lists: readonly Names[];
  /** Label of the button that confirms. */
  readonly accept: string;
  /** Whether something is lost. */
  readonly warns: boolean;
}

/** Why there is nothing to confirm. */
export interface Nothing {
  readonly title: string;
  readonly sentences: readonly string[];
  readonly lists: readonly Names[];
}

/** Ask for confirmation, or say why there is nothing to confirm; returns whether the user agreed. */
export async function confirmed(question: Question | Nothing, trans: Translate): Promise<boolean> {
  const { title } = question;
  const body = new Widget({ node: bodyOf(question) });
  const close = (label: string): Dialog.IButton => Dialog.cancelButton({ label });
  if (!('accept' in question)) {
    await showDialog({ title, body, buttons: [close(trans.__('Close'))] });
    return false;
  }
  const { accept: label, warns } = question;
  const accept = warns ? Dialog.warnButton({ label }) : Dialog.okButton({ label });
  // "Cancel" would be ambiguous where tasks are cancelled.
  const buttons = [close(trans.__('Leave as it is')), accept];
  const { button } = await showDialog({ title, body, buttons, defaultButton: warns ? 0 : 1 });
  return button.accept;
}

/** The content of a dialog; all names as text. */
export function bodyOf({ sentences, lists }: Pick<Question, 'sentences' | 'lists'>): HTMLElement {
  return element(
    'div',
    { class: 'dp-Confirm' },
    ...sentences.map(text => element('p', { text })),
    ...lists.flatMap(list => listOf(list))
  );
}

function listOf({ title, names }: Names): readonly HTMLElement[] {
  if (names.length === 0) {
    return [];
  }
  const items = names.map(name => element('li', {}, element('bdi', { text: name })));
  return [element('p', { class: 'dp-Confirm-title', text: title }), element('ul', { class: 'dp-Confirm-names' }, ...items)];
}
