import { Dialog } from '@jupyterlab/apputils';
import { Widget } from '@lumino/widgets';
import { element, setText } from '../../base/element';

/** The body of a dialog whose input is validated before it is accepted. */
export abstract class FormBody<T> extends Widget implements Dialog.IBodyWidget<T> {
  constructor() {
    super();
    this.addClass('dp-Form');
  }

  /** Validate the input and show errors next to each field; returns `true` if valid. */
  abstract check(): boolean;
  abstract getValue(): T;
}

/** A dialog that stays open, with its input, until that is valid. */
export class FormDialog<T> extends Dialog<T> {
  constructor(
    private readonly form: FormBody<T>,
    private readonly actions: readonly Dialog.IButton[],
    title: string
  ) {
    // What is typed goes to the first field; Enter accepts from there, too.
    super({ title, body: form, buttons: actions, defaultButton: actions.length - 1, focusNodeSelector: 'input' });
    this.addClass('dp-Dialog');
  }

  /** Enter presses a button of the form, and does not accept the dialog. */
  override handleEvent(event: Event): void {
    const { activeElement } = document;
    const pressed = event instanceof KeyboardEvent && event.type === 'keydown' && event.key === 'Enter';
    if (!(pressed && activeElement instanceof HTMLButtonElement && this.form.node.contains(activeElement))) {
      super.handleEvent(event);
    }
  }

  override resolve(index?: number): void {
    if (!this.actions[index ?? this.actions.length - 1]?.accept || this.form.check()) {
      super.resolve(index);
    }
  }
}

/** A label, an input, a hint below it, and the error message. */
export class FormField {
  readonly node: HTMLElement;
  readonly input: HTMLInputElement;

  constructor(options: {
    readonly id: string;
    readonly label: string;
    readonly hint: string;
    readonly value: string;
    readonly placeholder?: string;
    readonly numeric?: boolean;
  }) {
    fields += 1;
    const id = `dp-field-${fields}`;
    this.input = element('input', {
      class: 'dp-Field-input jp-mod-styled',
      attributes: {
        id,
        name: options.id,
        type: 'text',
        autocomplete: 'off',
        spellcheck: 'false',
        'aria-describedby': `${id}-hint ${id}-error`,
        ...(options.placeholder ? { placeholder: options.placeholder } : {}),
        ...(options.numeric ? { inputmode: 'numeric' } : {})
      }
    });
    this.input.value = options.value;
    this.known = element('datalist', { attributes: { id: `${id}-known` } });
    this.error = element('div', { class: 'dp-Field-error', role: 'alert', attributes: { id: `${id}-error` } });
    this.node = element(
      'div',
      { class: 'dp-Field', data: { field: options.id } },
      element('label', { class: 'dp-Field-label', text: options.label, attributes: { for: id } }),
      this.input,
      element('div', { class: 'dp-Field-hint', text: options.hint, attributes: { id: `${id}-hint` } }),
      this.error
    );
  }

  get value(): string {
    return this.input.value;
  }

  /** Show the error; '' for none. */
  complain(sentence: string): void {
    setText(this.error, sentence);
    this.input.setAttribute('aria-invalid', String(sentence !== ''));
  }

  /** Suggest known values, each with an explanation. Others can be typed, too. */
  suggest(values: readonly (readonly [value: string, explanation: string])[]): void {
    this.known.replaceChildren(
      ...values.map(([value, explanation]) => {
        const option = element('option', { text: explanation });
        option.value = value;
        return option;
      })
    );
    if (values.length > 0) {
      this.node.append(this.known);
      this.input.setAttribute('list', this.known.id);
    } else {
      this.known.remove();
      this.input.removeAttribute('list');
    }
  }

  private readonly known: HTMLDataListElement;
  private readonly error: HTMLElement;
}

let fields = 0;
