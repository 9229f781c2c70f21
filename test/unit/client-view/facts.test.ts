import { describe, expect, it } from 'vitest';
import { readFacts } from '../../../src/client-view/cell/facts';
import { saved } from './saved';

describe('readFacts', () => {
  it('reads what the kernel writes', () => {
    const facts = readFacts(saved());
    expect(facts?.kind).toBe('client');
    expect(facts?.time).toBe(1_795_244_385.5);
    expect(facts?.info).toEqual({
      key: 'Client-1',
      variable: 'client',
      cluster: 'LocalCluster',
      address: 'tcp://127.0.0.1:38215',
      scheduler: 'Scheduler-1',
      dashboard: 'http://127.0.0.1:8787/status',
      dashboardReason: '',
      status: 'running',
      workers: 8,
      threads: 32,
      memoryLimit: 34_359_738_368,
      created: 1_795_244_380,
      limited: ''
    });
  });

  it('drops everything that it does not know', () => {
    const facts = readFacts(saved({ script: 'alert(1)', versions: { python: '3.11' } }));
    expect(JSON.stringify(facts)).not.toContain('alert');
    // Only an answering kernel offers actions, and knows when a client closed.
    expect(readFacts(saved({ actions: '', closedAt: 1, notice: 'x' }))?.info).toEqual(readFacts(saved())?.info);
  });

  it.each([
    ['nothing', null],
    ['a text', 'client'],
    ['a list', [saved()]],
    ['an empty object', {}],
    ['another version', saved({ version: 2 })],
    ['an unknown kind', saved({ kind: 'worker' })],
    ['an unknown status', saved({ status: 'constructor' })],
    ['a key that is no text', saved({ key: { toString: 'x' } })],
    ['a count that is a text', saved({ workers: '8' })],
    ['a count below zero', saved({ workers: -1 })],
    ['a count beyond all counts', saved({ threads: 1e300 })],
    ['a count that is no number', saved({ memoryLimit: Number.NaN })],
    ['a link that is no text', saved({ dashboard: ['javascript:alert(1)'] })],
    ['a missing field', saved({ address: undefined })],
    ['a key that would name a recording', saved({ key: 'recording:run.dask-run' })]
  ])('refuses %s', (_, value) => {
    expect(readFacts(value)).toBeNull();
  });

  it('cuts texts and drops links that are too long', () => {
    const facts = readFacts(saved({ address: 'a'.repeat(1_000_000), dashboard: `http://host/${'b'.repeat(1_000_000)}` }));
    expect(facts?.info.address.length).toBe(300);
    expect(facts?.info.address.endsWith('…')).toBe(true);
    expect(facts?.info.dashboard).toBe('');
    const { variable, cluster } = readFacts(saved({ variable: '😀'.repeat(300), cluster: '😀'.repeat(301) }))?.info ?? {};
    expect(variable).toBe('😀'.repeat(300));
    expect(cluster).toBe(`${'😀'.repeat(299)}…`);
  });

  it('takes out control characters and marks of the reading order', () => {
    const facts = readFacts(saved({ cluster: 'Local\u202eretsulC\u0000\n' }));
    expect(facts?.info.cluster).toBe('LocalretsulC');
  });
});
