import { describe, expect, it } from 'vitest';
import { countError } from '../../../../src/panes/forms/count';
import { checkForm, type Field, freeName, isName, initialValuesOf } from '../../../../src/sidebar/hosting/form';
import { translate as trans } from '../../translate';

const EMPTY = { name: 'a', preset: '', workers: '', threads: '', memory: '', dashboard: '' };

function errors(values: Partial<Record<Field, string>>, taken: readonly string[] = []): Partial<Record<Field, string>> {
  return checkForm({ ...EMPTY, ...values }, taken, trans).errors ?? {};
}

describe('the form of a new cluster', () => {
  it('leaves what is empty to Dask', () => {
    expect(checkForm(EMPTY, [], trans)).toEqual({ errors: null, options: { name: 'a' } });
  });

  it('reads what is there', () => {
    const values = {
      name: ' my.cluster_1 ',
      preset: ' batch ',
      workers: ' 4',
      threads: '2 ',
      memory: ' 1.5 GiB ',
      dashboard: ' :8787 '
    };
    expect(checkForm(values, [], trans).options).toEqual({
      name: 'my.cluster_1',
      preset: 'batch',
      workers: 4,
      threads: 2,
      memory: '1.5 GiB',
      dashboard: ':8787'
    });
  });

  it('takes no workers as a number of workers', () => {
    expect(checkForm({ ...EMPTY, workers: '0' }, [], trans).options).toEqual({ name: 'a', workers: 0 });
  });

  it('limits the workers of a LocalCluster to those of a machine, other classes know their own limit', () => {
    expect(checkForm({ ...EMPTY, preset: 'batch', workers: '5000' }, [], trans).options).toMatchObject({ workers: 5000 });
    expect(errors({ preset: 'batch', workers: '100001' })).toHaveProperty('workers');
    expect(checkForm({ ...EMPTY, workers: '600' }, [], trans, 'SLURMCluster').options).toMatchObject({ workers: 600 });
    expect(checkForm({ ...EMPTY, workers: '600' }, [], trans, 'LocalCluster').errors).toHaveProperty('workers');
  });

  it.each([
    ['name', ''],
    ['name', '../evil'],
    ['name', '.hidden'],
    ['name', 'a b'],
    ['name', '"); import os; ("'],
    ['name', '<b>'],
    ['name', 'a'.repeat(65)],
    ['preset', 'x'.repeat(65)],
    ['workers', '-1'],
    ['workers', '513'],
    ['workers', '1.5'],
    ['workers', '1e2'],
    ['threads', '-1'],
    ['threads', 'many'],
    ['memory', '4'],
    ['memory', '4 apples'],
    ['memory', '1..5 GiB'],
    ['memory', '127 MiB'],
    ['dashboard', '0.0.0.0:8787'],
    ['dashboard', 'example.org:80'],
    ['dashboard', '127.0.0.1'],
    ['dashboard', ':65536'],
    ['dashboard', '127.0.0.1:x']
  ] as const)('refuses %s %j in words, and nothing else', (field, value) => {
    const found = errors({ [field]: value });
    expect(Object.keys(found)).toEqual([field]);
    expect(found[field]?.length).toBeGreaterThan(10);
  });

  it.each([
    ['memory', '128 MiB'],
    ['memory', '4GB'],
    ['memory', '0.5 gib'],
    ['dashboard', '8787'],
    ['dashboard', 'localhost:0'],
    ['dashboard', '127.0.0.1:65535']
  ] as const)('takes %s %j', (field, value) => {
    expect(errors({ [field]: value })).toEqual({});
  });

  it('reports all errors at once', () => {
    expect(Object.keys(errors({ name: '', workers: '-1', memory: 'x' }))).toEqual(['name', 'workers', 'memory']);
  });

  it('knows the names that are taken', () => {
    // It may have ended, or have failed, and wait on its card to be removed.
    expect(errors({ name: 'a' }, ['a']).name).toBe(
      'There is a cluster with this name: choose another name, or remove it if it has ended'
    );
    expect(freeName([])).toBe('cluster');
    expect(freeName(['cluster', 'cluster-2'])).toBe('cluster-3');
    expect(isName(freeName(['cluster']))).toBe(true);
  });

  it('takes texts and numbers from the arguments of a command, and nothing else', () => {
    expect(initialValuesOf({ name: 'a', workers: 3, memory: '4 GiB', kernel: 'python3', ask: false, other: 'x' })).toEqual({
      ...{ name: 'a', workers: '3', memory: '4 GiB', spec: 'python3' }
    });
    expect(
      initialValuesOf({ name: null, preset: ['a'], workers: { toString: 'x' }, threads: true, dashboard: undefined, kernel: 3 })
    ).toEqual({});
    // The form says what is wrong with these.
    const odd = initialValuesOf({ workers: 1e300, threads: Number.NaN });
    expect(Object.keys(errors(odd))).toEqual(['workers', 'threads']);
  });

  it('counts within bounds', () => {
    expect(countError('0', 0, 3, trans)).toBe('');
    expect(countError('4', 0, 3, trans)).toBe('A whole number from 0 to 3');
  });
});
