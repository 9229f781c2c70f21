import { Dialog } from '@jupyterlab/apputils';
import { FormBody, FormDialog, FormField } from '../../panes/forms/form-dialog';
import type { Translate } from '../../plot/plot';
import { addressErrors, type AddressField, type AddressValues } from './scheduler-address';

/** Ask for the address of a scheduler; `null` if cancelled. */
export async function askForAddress(initial: AddressValues, trans: Translate): Promise<AddressValues | null> {
  const buttons = [Dialog.cancelButton({ label: trans.__('Cancel') }), Dialog.okButton({ label: trans.__('Insert the code') })];
  const dialog = new FormDialog(new AddressForm(initial, trans), buttons, trans.__('Connect to a Dask scheduler'));
  const { button, value } = await dialog.launch();
  return button.accept ? value : null;
}

class AddressForm extends FormBody<AddressValues> {
  constructor(
    initial: AddressValues,
    private readonly trans: Translate
  ) {
    super();
    const field = (id: AddressField, label: string, hint: string, placeholder = ''): FormField =>
      new FormField({ id, label, hint, value: initial[id], placeholder });
    const where = trans.__('A file path, as seen from the kernel of the notebook');
    this.fields = {
      scheduler: field(
        'scheduler',
        trans.__('Address or scheduler file'),
        trans.__('As seen from the kernel of the notebook'),
        'tcp://10.0.0.1:8786'
      ),
      ca: field('ca', trans.__('Certificate authority (tls only)'), where, trans.__("from Dask's configuration")),
      certificate: field('certificate', trans.__('Certificate of the client'), where),
      key: field('key', trans.__('Key of the client'), trans.__('Leave empty if the certificate file contains it'))
    };
    this.node.append(...Object.values(this.fields).map(({ node }) => node));
  }

  check(): boolean {
    const errors = addressErrors(this.getValue(), this.trans);
    for (const [id, field] of Object.entries(this.fields)) {
      field.complain(errors[id as AddressField] ?? '');
    }
    this.node.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    return Object.keys(errors).length === 0;
  }

  getValue(): AddressValues {
    const { scheduler, ca, certificate, key } = this.fields;
    return { scheduler: scheduler.value, ca: ca.value, certificate: certificate.value, key: key.value };
  }

  private readonly fields: Readonly<Record<AddressField, FormField>>;
}
