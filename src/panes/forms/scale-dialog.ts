import { formatCount } from '../../base/format';
import { Dialog, showDialog } from '@jupyterlab/apputils';
import { element, setText } from '../../base/element';
import type { Translate } from '../../plot/plot';
import { countError } from './count';
import { FormBody, FormDialog, FormField } from './form-dialog';
import { type Scaling, scaledMemory } from './scaled-memory';

/** A number of workers, or bounds for adaptive scaling. */
export type Scale = { readonly workers: number } | { readonly minimum: number; readonly maximum: number };

/**
 * Ask for the number of workers of a cluster, and for confirmation if workers will be removed.
 *
 * @param name - display name of the cluster
 * @param most - maximum number of workers
 * @returns `null` if cancelled
 */
export async function askForScale(name: string, now: Scaling, most: number, trans: Translate): Promise<Scale | null> {
  const dialog = new FormDialog(
    new ScaleForm(now, most, trans),
    [Dialog.cancelButton({ label: trans.__('Cancel') }), Dialog.okButton({ label: trans.__('Scale') })],
    trans.__('Scale %1', name)
  );
  const { button, value } = await dialog.launch();
  return button.accept && value !== null && (await confirmLoss(name, now, value, trans)) ? value : null;
}

/** Whether workers may be removed, if necessary. */
export async function confirmLoss(name: string, now: Scaling, scale: Scale, trans: Translate): Promise<boolean> {
  const left = 'workers' in scale ? scale.workers : scale.maximum;
  // Dask gives up first what was asked for and has not started, and ends no worker that the cluster has not started. None are
  // asked for where all end at this moment, or a class does not say it.
  const own = now.asked > 0 ? Math.min(now.workers, now.asked) : now.workers;
  const going = own - left;
  // Dask takes all jobs with several workers for not started, and gives up any.
  const may = now.grouped && 'workers' in scale ? Math.min(own, now.asked - left) : going;
  if (may <= 0) {
    return true;
  }
  const { button } = await showDialog({
    title: trans.__('Scale %1 down?', name),
    body:
      left === 0 && own === now.workers
        ? trans.__('All its workers end and their results are lost. Tasks that are still needed are computed again.')
        : 'workers' in scale
          ? may > going
            ? mayEndWords(may, trans)
            : endWords(going, trans)
          : trans._n(
              '1 worker ends. Its results move to other workers that have room. Its running tasks are computed again.',
              '%2 workers end. Their results move to other workers that have room. Their running tasks are computed again.',
              going,
              formatCount(going)
            ),
    buttons: [Dialog.cancelButton({ label: trans.__('Cancel') }), Dialog.warnButton({ label: trans.__('Scale down') })],
    defaultButton: 0
  });
  return button.accept;
}

/**
 * What `scale` does. A `SpecCluster` (`LocalCluster`, batch systems) asks the scheduler to retire workers by their names where it
 * expects addresses, so none is retired before it ends (distributed 2026.8). Adaptive scaling retires them first.
 */
function endWords(going: number, trans: Translate): string {
  const words = trans._n(
    '1 worker ends. Most kinds of clusters do not move its results first: what only it has is lost. If it is still needed, it is computed again, as are its running tasks; data that was scattered is not.',
    '%2 workers end. Most kinds of clusters do not move their results first: what only they have is lost. If it is still needed, it is computed again, as are their running tasks; data that was scattered is not.',
    going,
    formatCount(going)
  );
  return `${words} ${trans.__('To keep the results, retire single workers instead.')}`;
}

function mayEndWords(may: number, trans: Translate): string {
  return trans._n(
    '1 worker that runs may end: where jobs have several workers, Dask does not know which jobs have started. What only it has is lost. If it is still needed, it is computed again, as are its running tasks; data that was scattered is not.',
    'Up to %2 workers that run may end: where jobs have several workers, Dask does not know which jobs have started. What only they have is lost. If it is still needed, it is computed again, as are their running tasks; data that was scattered is not.',
    may,
    formatCount(may)
  );
}

class ScaleForm extends FormBody<Scale> {
  constructor(
    private readonly now: Scaling,
    private readonly most: number,
    private readonly trans: Translate
  ) {
    super();
    const { workers, asked, adaptive } = now;
    const [least, greatest] = adaptive ?? [Math.min(1, workers), Math.max(1, asked)];
    const field = (id: string, label: string, hint: string, value: number): FormField =>
      new FormField({ id, label, hint, value: String(Math.min(value, most)), numeric: true });
    this.workers = field('workers', trans.__('Workers'), trans.__('This number, until you change it'), asked);
    this.minimum = field('minimum', trans.__('At least'), trans.__('Workers when there is little to do'), least);
    this.maximum = field('maximum', trans.__('At most'), trans.__('Workers when there is much to do'), greatest);
    this.adaptive = element('input', { attributes: { type: 'checkbox', name: 'adaptive', id: 'dp-field-adaptive' } });
    this.adaptive.checked = adaptive !== null;
    this.adaptive.addEventListener('change', () => this.arrange());
    this.node.addEventListener('input', () => this.arrange());
    this.node.append(
      this.workers.node,
      element(
        'label',
        { class: 'dp-Field-check', attributes: { for: 'dp-field-adaptive' } },
        this.adaptive,
        trans.__('Let Dask choose the number by the load')
      ),
      this.minimum.node,
      this.maximum.node,
      this.total
    );
    this.arrange();
  }

  check(): boolean {
    const { most } = this;
    for (const field of [this.workers, this.minimum, this.maximum]) {
      const shown = !field.node.hidden;
      const least = field === this.maximum ? 1 : 0;
      const empty = field.value.trim() === '' ? this.trans.__('A whole number from %1 to %2', least, most) : '';
      field.complain(shown ? empty || countError(field.value, least, most, this.trans) : '');
    }
    if (this.adaptive.checked && Number(this.minimum.value) > Number(this.maximum.value)) {
      this.minimum.complain(this.trans.__('Must not be more than the maximum'));
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
    const wanted = Number((this.adaptive.checked ? this.maximum : this.workers).value);
    setText(this.total, scaledMemory(this.now, wanted, this.trans));
  }

  private readonly workers: FormField;
  private readonly minimum: FormField;
  private readonly maximum: FormField;
  private readonly adaptive: HTMLInputElement;
  private readonly total = element('div', { class: 'dp-Field-hint', attributes: { 'aria-live': 'polite' } });
}
