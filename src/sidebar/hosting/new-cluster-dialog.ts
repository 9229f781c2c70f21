import { Dialog } from '@jupyterlab/apputils';
import { element, setText } from '../../base/element';
import { formatExactCount } from '../../base/format';
import type { ClusterKinds } from '../../feed/kernel/kernel-channel';
import type { ClusterOptions } from '../../clients/hosting/model';
import type { Translate } from '../../plot/plot';
import { checkForm, type Field, FIELDS, type FormValues, LOCAL } from './form';
import { FormBody, FormDialog, FormField } from '../../panes/forms/form-dialog';
import { startTroubleWords } from './words';

/** The input, and the selected kernel. */
export interface NewCluster {
  readonly values: FormValues;
  /** Name of the kernel spec. */
  readonly spec: string;
}

/** A kernel spec that can host a cluster. */
export interface HostSpec {
  readonly name: string;
  readonly label: string;
}

/** Initial values of the form. */
export interface NewClusterFormOptions {
  readonly initial: NewCluster;
  readonly specs: readonly HostSpec[];
  /** What Dask's configuration offers, as far as the kernels of this window report it; never fails. */
  readonly kinds: Promise<ClusterKinds>;
  /**
   * Let a new kernel of a spec report what its configuration offers.
   *
   * @throws Error with a message for users
   */
  lookUp(spec: string): Promise<ClusterKinds>;
  /** Names of running clusters. */
  taken(): readonly string[];
  /** Error of the last attempt, '' at first. */
  readonly refusal: string;
  readonly trans: Translate;
}

/** Ask for the options of a new cluster; `null` if cancelled. */
export async function askForCluster(
  options: NewClusterFormOptions
): Promise<{ readonly asked: NewCluster; readonly options: ClusterOptions } | null> {
  const { trans } = options;
  const form = new NewClusterForm(options);
  const dialog = new FormDialog(
    form,
    [Dialog.cancelButton({ label: trans.__('Cancel') }), Dialog.okButton({ label: trans.__('Start') })],
    trans.__('New Dask cluster')
  );
  const { button, value } = await dialog.launch();
  const checked = button.accept && value ? checkForm(value.values, [], trans, form.factory) : null;
  return checked?.options && value ? { asked: value, options: checked.options } : null;
}

/** The fields of the form, with their first values. */
function fieldsOf(values: FormValues, trans: Translate): Readonly<Record<Field, FormField>> {
  const automatic = trans.__('automatic');
  const field = (id: Field, label: string, hint: string, placeholder = automatic, numeric = false): FormField =>
    new FormField({ id, label, hint, value: values[id], placeholder, numeric });
  const count = (id: Field, label: string, hint: string): FormField => field(id, label, hint, automatic, true);
  return {
    name: field('name', trans.__('Name'), trans.__('Notebooks connect to it by this name'), ''),
    preset: field(
      'preset',
      trans.__('Kind'),
      trans.__(
        "Name of a kind of cluster in Dask's configuration. If empty: as set in labextension.factory there, otherwise a LocalCluster"
      ),
      'LocalCluster'
    ),
    workers: count(
      'workers',
      trans.__('Workers'),
      trans.__('If empty: as configured; for a LocalCluster by the number of cores')
    ),
    threads: count(
      'threads',
      trans.__('Threads per worker'),
      trans.__('For a LocalCluster. If empty: chosen by the number of cores')
    ),
    memory: field(
      'memory',
      trans.__('Memory per worker'),
      trans.__('For a LocalCluster, such as 4 GiB. If empty: an equal share')
    ),
    dashboard: field(
      'dashboard',
      trans.__('Dashboard address'),
      trans.__("For a LocalCluster: address of Dask's own dashboard, such as 127.0.0.1:8787; panes do not need it"),
      trans.__('none')
    )
  };
}

/** The choice of a kernel. */
function specSelect(specs: readonly HostSpec[], selected: string): HTMLSelectElement {
  const select = element('select', {
    class: 'dp-Field-input jp-mod-styled',
    attributes: { id: 'dp-field-spec', name: 'spec' }
  });
  select.append(
    ...specs.map(({ name, label }) => {
      const option = element('option', { text: label });
      option.value = name;
      option.selected = name === selected;
      return option;
    })
  );
  return select;
}

/** What the configuration of an environment was found to have. */
function foundWords({ presets, unlisted }: ClusterKinds, trans: Translate): string {
  const names = presets.map(({ name }) => name).join(', ');
  return names === ''
    ? trans.__('Its configuration has no presets')
    : [trans.__('Found: %1', names), unlistedWords(unlisted, trans)].filter(Boolean).join(' · ');
}

/** That there are kinds which are not offered; empty if all are. */
function unlistedWords(unlisted: number, trans: Translate): string {
  return unlisted === 0
    ? ''
    : trans._n('1 more kind can be typed', '%2 more kinds can be typed', unlisted, formatExactCount(unlisted));
}

class NewClusterForm extends FormBody<NewCluster> {
  constructor(private readonly options: NewClusterFormOptions) {
    super();
    const { initial, specs, refusal, trans } = options;
    this.fields = fieldsOf(initial.values, trans);
    this.spec = specSelect(specs, initial.spec);
    this.look = element('button', {
      class: 'dp-Button',
      text: trans.__('Look up'),
      title: trans.__('Start a kernel for a moment, to read which presets the configuration of its environment has'),
      onClick: () => void this.lookUp()
    });
    this.fields.preset.node.append(element('div', { class: 'dp-Field-more' }, this.look, this.found));
    this.spec.addEventListener('change', () => this.forget());
    this.forget();
    this.node.append(
      ...(refusal === '' ? [] : [element('div', { class: 'dp-Form-refusal', role: 'alert', text: refusal })]),
      ...FIELDS.map(name => this.fields[name].node),
      element(
        'div',
        { class: 'dp-Field', data: { field: 'spec' } },
        element('label', { class: 'dp-Field-label', text: trans.__('Kernel'), attributes: { for: 'dp-field-spec' } }),
        this.spec,
        element('div', { class: 'dp-Field-hint', text: trans.__('The workers run in its environment') })
      )
    );
    for (const name of FIELDS) {
      // An error disappears as soon as it no longer applies; a new one appears only on "Start".
      this.fields[name].input.addEventListener('input', () => {
        if (!this.errors()[name]) {
          this.fields[name].complain('');
        }
      });
    }
  }

  check(): boolean {
    const errors = this.errors();
    for (const name of FIELDS) {
      this.fields[name].complain(errors[name] ?? '');
    }
    const first = FIELDS.find(name => errors[name]);
    if (first) {
      this.fields[first].input.focus();
    }
    return first === undefined;
  }

  getValue(): NewCluster {
    const text = (name: Field): string => this.fields[name].value;
    return {
      spec: this.spec.value,
      values: {
        name: text('name'),
        preset: text('preset'),
        workers: text('workers'),
        threads: text('threads'),
        memory: text('memory'),
        dashboard: text('dashboard')
      }
    };
  }

  /** Offer kinds of clusters. */
  private offer({ factory, presets, unlisted }: ClusterKinds): void {
    const { preset } = this.fields;
    setText(this.found, unlistedWords(unlisted, this.options.trans));
    this.factory = factory;
    preset.input.placeholder = factory || LOCAL;
    preset.suggest(presets.map(({ name, kind }) => [name, kind]));
  }

  /** What was found is of the environment of another kernel. */
  private forget(): void {
    this.look.ariaDisabled = 'false';
    setText(this.found, '');
    this.offerReported(++this.asked);
  }

  /** Offer what the kernels of this window report, unless something else is asked meanwhile. */
  private offerReported(asked: number): void {
    void this.options.kinds.then(kinds => {
      if (asked === this.asked) {
        this.offer(kinds);
      }
    });
  }

  private async lookUp(): Promise<void> {
    const { trans, lookUp } = this.options;
    if (this.look.ariaDisabled === 'true') {
      return;
    }
    const asked = ++this.asked;
    // It keeps the focus: without it, no key would reach the dialog.
    this.look.ariaDisabled = 'true';
    setText(this.found, trans.__('A kernel starts to read its configuration …'));
    let words = '';
    try {
      const kinds = await lookUp(this.spec.value);
      words = foundWords(kinds, trans);
      if (asked === this.asked) {
        this.offer(kinds);
      }
    } catch (error) {
      words = startTroubleWords(error, trans);
      this.offerReported(asked);
    }
    if (asked === this.asked) {
      setText(this.found, words);
      this.look.ariaDisabled = 'false';
    }
  }

  private errors(): Partial<Record<Field, string>> {
    const { taken, trans } = this.options;
    return checkForm(this.getValue().values, taken(), trans, this.factory).errors ?? {};
  }

  /** Class of a cluster without a preset, '' if unknown. */
  factory = '';
  /** Number of the last question: answers to earlier ones may be of another kernel, whose environment others may not share. */
  private asked = 0;
  private readonly found = element('span', { class: 'dp-Field-found', role: 'status' });
  private readonly look: HTMLButtonElement;
  private readonly fields: Readonly<Record<Field, FormField>>;
  private readonly spec: HTMLSelectElement;
}
