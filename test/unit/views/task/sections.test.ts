// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { Run } from '../../../../src/run/run';
import { readFacts } from '../../../../src/views/task/facts';
import { failureSection } from '../../../../src/views/task/sections';
import { context } from '../../plots/cluster';

it('names the task that failed where a language has the name', () => {
  const facts = readFacts({ known: true, key: 'k', state: 'erred', exception: 'ValueError()', blamed: 'first' });
  const { theme, trans } = context();
  const words = (text: string): string | undefined => {
    const language = {
      ...trans,
      __: (each: string, ...of: (string | number)[]) => trans.__(each === 'of %1' ? text : each, ...of)
    };
    const pen = { theme, trans: language, run: new Run(), open: () => undefined, errors: () => undefined };
    return failureSection(facts, pen)?.querySelector('p')?.textContent ?? undefined;
  };
  expect([words('of %1'), words('%1 の')]).toEqual(['of first', 'first の']);
});
