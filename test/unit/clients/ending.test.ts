import { expect, it } from 'vitest';
import { endingWords } from '../../../src/clients/ending';
import { parseClients } from '../../../src/feed/kernel/parse-clients';
import { translate as trans } from '../translate';

function words(ending: unknown, status = 'running'): string {
  const [info] = parseClients([{ key: 'c', status, ending }]);
  return endingWords(info, trans);
}

it('the end of a block says what it does, and how far it is', () => {
  const end = { what: 'recording', doing: 'workers', share: 0.4 };
  expect(words(end)).toBe('finishing a recording · last look at the workers, 40 %');
  expect(words({ ...end, doing: 'history' })).toBe('finishing a recording · waiting for the scheduler');
  expect(words({ ...end, what: 'report', doing: 'file' })).toBe('finishing a report · writing the file');
});

it('nothing is said without one, nor of a client that has closed before it was over', () => {
  expect(words(undefined)).toBe('');
  expect(words({ what: 'recording', doing: 'file', share: 1 }, 'closed')).toBe('');
});

it('what a kernel sends is not trusted', () => {
  expect(words(7)).toBe('');
  expect(words({ what: [], doing: 'x', share: 1e15 })).toBe('finishing a recording · last look at the workers, 100 %');
});
