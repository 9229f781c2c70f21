// @vitest-environment jsdom
import { Dialog } from '@jupyterlab/apputils';
import { afterEach, expect, it, vi } from 'vitest';
import { FormBody, FormDialog, FormField } from '../../../src/panes/forms/form-dialog';

class Form extends FormBody<string> {
  constructor() {
    super();
    this.node.append(this.field.node);
  }

  readonly field = new FormField({ id: 'name', label: 'Name', value: 'cluster', hint: '' });

  check(): boolean {
    return true;
  }

  getValue(): string {
    return this.field.input.value;
  }
}

afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

it('begins in the first field of its form, and Enter accepts from there', async () => {
  // JupyterLab draws the title then.
  vi.stubGlobal('requestIdleCallback', (draw: () => void) => draw());
  const form = new Form();
  const dialog = new FormDialog<string>(form, [Dialog.cancelButton(), Dialog.okButton({ label: 'Start' })], 'New Dask cluster');
  const result = dialog.launch();
  await dialog.ready;
  expect(document.activeElement).toBe(form.field.input);
  form.field.input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 13, bubbles: true }));
  expect((await result).button.label).toBe('Start');
});
