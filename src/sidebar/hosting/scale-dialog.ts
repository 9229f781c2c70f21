import { Dialog } from '@jupyterlab/apputils';
import { element } from '../../base/element';
import type { HostFacts } from '../../clients/hosting/model';
import { HOSTING } from '../../feed/schema';
import type { Translate } from '../../plots/plot';
import { countError } from './form';
import { FormBody, FormDialog, FormField } from './form-dialog';

/** A number of workers, or the bounds between which Dask chooses it. */
export type Scale = { readonly workers: number } | { readonly minimum: number; readonly maximum: number };

/** Ask how many workers a cluster is to have; `null` where the person changed their mind. */
export async function askForScale(name: string, facts: HostFacts, trans: Translate): Promise<Scale | null> {
  const dialog = new FormDialog(
    new ScaleForm(facts, trans),
    [Dialog.cancelButton({ label: trans('Cancel') }), Dialog.okButton({ label: trans('Scale') })],
    trans('Scale %1', name)
  );
  const { button, value } = await dialog.launch();
  return button.accept ? value : null;
}

class ScaleForm extends FormBody<Scale> {
  constructor(
    facts: HostFacts,
    private readonly trans: Translate
  ) {
    super();
    const [least, greatest] = facts.adaptive ?? [Math.min(1, facts.workers), Math.max(1, facts.asked)];
    const field = (id: string, label: string, hint: string, value: number): FormField =>
      new FormField({ id, label, hint, value: String(value), numeric: true });
    this.workers = field('workers', trans('Workers'), trans('Work of those that go is done again'), facts.asked);
    this.minimum = field('minimum', trans('At least'), trans('Workers when there is little to do'), least);
    this.maximum = field('maximum', trans('At most'), trans('Workers when there is much to do'), greatest);
    this.adaptive = element('input', { attributes: { type: 'checkbox', name: 'adaptive', id: 'dp-field-adaptive' } });
    this.adaptive.checked = facts.adaptive !== null;
    this.adaptive.addEventListener('change', () => this.arrange());
    this.node.append(
      this.workers.node,
      element(
        'label',
        { class: 'dp-Field-check', attributes: { for: 'dp-field-adaptive' } },
        this.adaptive,
        trans('Let Dask choose the number by the load')
      ),
      this.minimum.node,
      this.maximum.node
    );
    this.arrange();
  }

  check(): boolean {
    const { mostWorkers } = HOSTING;
    for (const field of [this.workers, this.minimum, this.maximum]) {
      const shown = !field.node.hidden;
      const least = field === this.maximum ? 1 : 0;
      const empty = field.value.trim() === '' ? this.trans('A whole number from %1 to %2', least, mostWorkers) : '';
      field.complain(shown ? empty || countError(field.value, least, mostWorkers, this.trans) : '');
    }
    if (this.adaptive.checked && Number(this.minimum.value) > Number(this.maximum.value)) {
      this.minimum.complain(this.trans('No more than the greatest number'));
    }
    const first = this.node.querySelector<HTMLElement>('[aria-invalid="true"]');
    first?.focus();
    return first === null;
  }

  getValue(): Scale {
    return this.adaptive.checked
      ? { minimum: Number(this.minimum.value), maximum: Number(this.maximum.value) }
      : { workers: Number(this.workers.value) };
  }

  private arrange(): void {
    this.workers.node.hidden = this.adaptive.checked;
    this.minimum.node.hidden = this.maximum.node.hidden = !this.adaptive.checked;
  }

  private readonly workers: FormField;
  private readonly minimum: FormField;
  private readonly maximum: FormField;
  private readonly adaptive: HTMLInputElement;
}
