/** Validates the form of a new cluster before anything is started. Pure. */
import type { Bytes } from '../../base/units';
import { formatBytes } from '../../base/format';
import type { ClusterOptions } from '../../clients/hosting/model';
import { RULES } from './rules';
import { countError, MOST_WORKERS } from '../../panes/forms/count';
import type { Translate } from '../../plot/plot';

/** The fields of the form, in order. */
export const FIELDS = ['name', 'preset', 'workers', 'threads', 'memory', 'dashboard'] as const;
/** A field of the form. */
export type Field = (typeof FIELDS)[number];

/** Values of the fields; empty ones except the name are left to Dask. */
export type FormValues = Readonly<Record<Field, string>>;

/** Initial values for a new cluster, from the user or a command. */
export type InitialValues = Partial<FormValues> & {
  /** Name of the kernel spec. */
  readonly spec?: string;
};

/** Either the validated values or an error message for each invalid field. */
export type Checked =
  | { readonly options: ClusterOptions; readonly errors: null }
  | { readonly options: null; readonly errors: Partial<Record<Field, string>> };

const SUFFIXES: Readonly<Record<string, Bytes>> = Object.fromEntries(
  ['k', 'm', 'g', 't', 'p'].flatMap((letter, i) => [
    [`${letter}b`, 1000 ** (i + 1)],
    [`${letter}ib`, 1024 ** (i + 1)]
  ])
);
const LAST_PORT = 65_535;
/** The class where Dask's configuration names no other. */
export const LOCAL = 'LocalCluster';
/** Longest name of a preset in Dask's configuration. */
const LONGEST_PRESET = 64;

/** The values that arguments of a command give to the form; those of another type than text or number are left out. */
export function initialValuesOf(args: Readonly<Record<string, unknown>>): InitialValues {
  const given = FIELDS.flatMap(field => {
    const value = args[field];
    return typeof value === 'string' || typeof value === 'number' ? [[field, String(value)] as const] : [];
  });
  return { ...Object.fromEntries(given), ...(typeof args.kernel === 'string' ? { spec: args.kernel } : {}) };
}

/** An unused name: `cluster`, then `cluster-2` … */
export function freeName(taken: readonly string[]): string {
  let name = 'cluster';
  for (let number = 2; taken.includes(name); number++) {
    name = `cluster-${number}`;
  }
  return name;
}

/** Whether a text is a valid cluster name, safe to insert into a line of Python. */
export function isName(text: string): boolean {
  return whole(RULES.name, text);
}

/**
 * Validate the form.
 *
 * @param taken - names of clusters that have a card
 * @param factory - class of a cluster without a preset, as far as known
 */
export function checkForm(values: FormValues, taken: readonly string[], trans: Translate, factory = ''): Checked {
  const [name, preset] = [values.name.trim(), values.preset.trim()];
  const local = preset === '' && (factory || LOCAL) === LOCAL;
  const errors: Partial<Record<Field, string>> = {
    ...wrong('name', nameError(name, taken, trans)),
    ...wrong('preset', preset.length > LONGEST_PRESET ? trans.__('At most %1 characters', LONGEST_PRESET) : ''),
    // Workers of a LocalCluster are processes of one machine; the kernel knows which class a preset has.
    ...wrong('workers', countError(values.workers, 0, local ? RULES.mostWorkers : MOST_WORKERS, trans)),
    ...wrong('threads', countError(values.threads, 1, RULES.mostThreads, trans)),
    ...wrong('memory', memoryError(values.memory.trim(), trans)),
    ...wrong('dashboard', dashboardError(values.dashboard.trim(), trans))
  };
  if (Object.keys(errors).length > 0) {
    return { options: null, errors };
  }
  const { workers, threads, memory, dashboard } = values;
  return {
    errors: null,
    options: {
      name,
      ...(preset ? { preset } : {}),
      ...(workers.trim() ? { workers: Number(workers) } : {}),
      ...(threads.trim() ? { threads: Number(threads) } : {}),
      ...(memory.trim() ? { memory: memory.trim() } : {}),
      ...(dashboard.trim() ? { dashboard: dashboard.trim() } : {})
    }
  };
}

function nameError(name: string, taken: readonly string[], trans: Translate): string {
  if (!isName(name)) {
    return trans.__('1 to 64 letters (a–z), digits, dots, hyphens or underscores, starting with a letter or digit');
  }
  return taken.includes(name)
    ? trans.__('There is a cluster with this name: choose another name, or remove it if it has ended')
    : '';
}

function memoryError(text: string, trans: Translate): string {
  if (text === '') {
    return '';
  }
  if (!whole(RULES.memory, text)) {
    return trans.__('A number with a unit, such as 4 GiB');
  }
  const [, figure, unit] = /^([\d.]+) *(\w+)$/.exec(text) ?? [];
  const bytes = Number(figure) * (SUFFIXES[String(unit).toLowerCase()] ?? Number.NaN);
  return bytes >= RULES.leastMemory ? '' : trans.__('A worker needs at least %1', formatBytes(RULES.leastMemory));
}

function dashboardError(text: string, trans: Translate): string {
  const port = Number(text.slice(text.lastIndexOf(':') + 1));
  return text === '' || (whole(RULES.dashboard, text) && port <= LAST_PORT)
    ? ''
    : trans.__('An address of this machine, such as 127.0.0.1:8787: the dashboard has no password');
}

function wrong(field: Field, error: string): Partial<Record<Field, string>> {
  return error === '' ? {} : { [field]: error };
}

function whole(pattern: string, text: string): boolean {
  return new RegExp(`^(?:${pattern})$`).test(text);
}
