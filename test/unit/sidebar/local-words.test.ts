import { describe, expect, it } from 'vitest';
import type { KernelEntry } from '../../../src/clients/model';
import { Run } from '../../../src/run/run';
import { localWords } from '../../../src/sidebar/clients/kernel-words';
import { client } from '../clients/fakes';
import { translate as trans } from '../translate';

const kernel = (state: KernelEntry['state']): KernelEntry => ({
  ...{
    kernelId: 'k',
    path: 'a.ipynb',
    name: 'a.ipynb',
    kind: 'notebook',
    version: '1',
    reason: '',
    clients: [],
    hosting: false,
    state
  },
  look: () => undefined,
  addBridge: () => Promise.resolve(),
  options: () => Promise.resolve(null),
  act: () => Promise.reject(new Error('not asked in these tests'))
});
const info = client('local-1', { kind: 'local', cluster: 'threads' });

function run(outcome: string): Run {
  const found = new Run();
  found.facts.meta = {
    local: { scheduler: 'threads', workers: 2, began: 0, ended: outcome === 'running' ? null : Date.now() / 1000, outcome }
  };
  return found;
}

describe('the row of local schedulers', () => {
  it.each([
    ['running', 'disc', 'computing on 2 threads'],
    ['done', 'ring', /^2 threads · done \d\d?:\d\d/],
    ['erred', 'cross', /^2 threads · raised \d\d?:\d\d/],
    ['interrupted', 'ring', /^2 threads · interrupted \d\d?:\d\d/]
  ])('says what they do: %s', (outcome, sign, text) => {
    const words = localWords(info, run(outcome), kernel('ready'), trans);
    expect(words.sign).toBe(sign);
    expect(words.text).toMatch(text);
  });

  it('says what it is while nothing is known, and that the kernel does not answer', () => {
    expect(localWords(info, null, kernel('ready'), trans).text).toBe('computations without a Client');
    expect(localWords(info, run('running'), kernel('silent'), trans).sign).toBe('square');
    expect(localWords({ ...info, status: 'closed' }, run('done'), kernel('ready'), trans).text).toContain('closed');
  });
});
