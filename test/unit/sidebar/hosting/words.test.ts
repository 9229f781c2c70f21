import { describe, expect, it } from 'vitest';
import type { HostFacts, HostState } from '../../../../src/clients/hosting/model';
import { parseHostFacts } from '../../../../src/clients/hosting/parse-facts';
import { cardWords, connectCode } from '../../../../src/sidebar/hosting/words';
import { scaledMemory } from '../../../../src/panes/forms/scaled-memory';
import { translate as trans } from '../../translate';

const FACTS: HostFacts = {
  state: 'running',
  name: 'a',
  error: '',
  client: 'Client-1',
  workers: 2,
  asked: 2,
  threads: 4,
  memory: 2 ** 30,
  machine: 2 ** 32,
  grouped: false,
  tasks: 0,
  clients: 0,
  adaptive: null,
  dashboard: '',
  kind: 'LocalCluster',
  fixed: '',
  problem: ''
};

const AS_OF = new Date(2026, 10, 22, 10, 42, 7).getTime() / 1000;

function words(facts: Partial<HostFacts> | null, state: HostState = 'running'): string {
  const { text, more } = cardWords({ state, facts: facts && { ...FACTS, ...facts }, asOf: AS_OF, emptySince: AS_OF }, trans);
  return [text, more].filter(Boolean).join(' | ');
}

describe('the words of a card', () => {
  it('show size, use and that an idle one may be ended', () => {
    expect(words({})).toBe(
      '2 workers · 4 threads · 1.00 GiB | no tasks at 10:42:07 (a server that stops idle kernels may stop it)'
    );
    // One that a client uses may be at work by now.
    expect(words({ clients: 1 })).toBe('2 workers · 4 threads · 1.00 GiB | 1 client · no tasks at 10:42:07');
    expect(words({ tasks: 1, clients: 2 })).toBe('2 workers · 4 threads · 1.00 GiB | 2 clients · 1 task');
    expect(words({ memory: 0, tasks: 3 })).toBe('2 workers · 4 threads | 3 tasks');
  });

  it('show a class other than the default, what it cannot do and what it refused', () => {
    expect(words({ kind: 'SLURMCluster', tasks: 1 })).toBe('SLURMCluster · 2 workers · 4 threads · 1.00 GiB | 1 task');
    expect(words({ tasks: 1, fixed: 'A Plain cannot be scaled.' })).toContain('1 task · A Plain cannot be scaled.');
    const problem = 'ValueError: <b>no</b> workers on Sundays';
    const { more, tone } = cardWords(
      { state: 'running', facts: { ...FACTS, tasks: 1, fixed: 'x', problem }, asOf: AS_OF, emptySince: 0 },
      trans
    );
    expect([more, tone]).toEqual([`1 task · ${problem}`, 'bad']);
  });

  it('say since when a kernel has been seen without a cluster, and what to do', () => {
    expect(words(null, 'empty')).toBe(
      'no cluster in its kernel | Seen so since 10:42:07. Another tab may be starting it. If none does, or its kernel was restarted, remove it.'
    );
  });

  it('show workers that are still to start, unless Dask chooses the number', () => {
    expect(words({ asked: 3, tasks: 1 })).toContain('2 of 3 workers');
    expect(words({ asked: 3, tasks: 1, adaptive: [1, 8] })).toBe(
      '2 workers · 4 threads · 1.00 GiB | adapts between 1 and 8 · 1 task'
    );
  });

  it('show workers that nobody asked for, or that are still to end', () => {
    expect(words({ workers: 3, asked: 2, tasks: 1 })).toContain('3 workers (2 asked for) · ');
    expect(words({ workers: 1, asked: 0, tasks: 1 })).toContain('1 worker (0 asked for) · ');
  });

  it('show that an adaptive cluster may grow without a limit', () => {
    expect(words({ tasks: 1, adaptive: [1, 100_000] })).toContain('| adapts, at least 1 worker · 1 task');
    expect(words({ tasks: 1, adaptive: [0, 99_999] })).toContain('| adapts between 0 and 99,999 · 1 task');
  });

  it('show how far a start is', () => {
    expect(words(null, 'starting')).toBe('starting its kernel');
    // The class may take minutes, of which its kernel has long been there.
    expect(words({ state: 'starting', workers: 0, asked: 0 }, 'starting')).toBe('starting the cluster');
    expect(words({ state: 'starting', workers: 1, asked: 2 }, 'starting')).toBe('starting · 1 of 2 workers');
  });

  it('have a sign that is not the one of a running cluster for everything else', () => {
    const states = ['asking', 'empty', 'silent', 'disconnected', 'starting', 'closing', 'closed', 'failed'] as const;
    for (const state of states) {
      expect(cardWords({ state, facts: null, asOf: 0, emptySince: 0 }, trans).sign).not.toBe('disc');
      expect(words(null, state)).not.toBe('');
    }
  });

  it('show what another number of workers may use, and when the machine has less', () => {
    expect(scaledMemory(FACTS, 8, trans)).toBe('Up to 4.00 GiB in total, of 4.00 GiB on their machine');
    expect(scaledMemory(FACTS, 9, trans)).toBe('Up to 4.50 GiB in total, more than the 4.00 GiB on their machine');
    expect(scaledMemory({ ...FACTS, machine: 0 }, 4, trans)).toBe('Up to 2.00 GiB in total');
    for (const [facts, wanted] of [
      [{ workers: 0 }, 4],
      [{ memory: 0 }, 4],
      [{}, Number.NaN]
    ] as const) {
      expect(scaledMemory({ ...FACTS, ...facts }, wanted, trans)).toBe('');
    }
  });

  it('make a line that Python takes', () => {
    expect(connectCode('a.b-1')).toContain('client = dask_panes.connect("a.b-1")\n');
  });
});

describe('what a kernel reports', () => {
  it('is read field by field', () => {
    const { kind, ...others } = FACTS;
    expect(parseHostFacts({ ...others, class: kind, adaptive: [1, 2], more: 'x' })).toEqual({ ...FACTS, adaptive: [1, 2] });
  });

  it('is taken for nothing where it has no state', () => {
    for (const value of [null, 7, 'running', [], {}, { state: 'flying' }]) {
      expect(parseHostFacts(value)).toBeNull();
    }
  });

  it('does no harm where its fields are something else', () => {
    const facts = parseHostFacts({ state: 'running', name: 7, workers: 'two', memory: -1, adaptive: [1] });
    expect(facts).toMatchObject({ name: '', workers: 0, memory: 0, adaptive: null });
    const huge = { workers: 1e300, threads: Number.NaN, memory: Number.POSITIVE_INFINITY, tasks: [1], error: { toString: 'x' } };
    expect(parseHostFacts({ state: 'failed', ...huge })).toMatchObject({
      workers: 0,
      threads: 0,
      memory: 0,
      tasks: 0,
      error: ''
    });
  });
});
