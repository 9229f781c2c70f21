import { expect, it } from 'vitest';
import { Run } from '../../../src/run/run';
import { currentFacts } from '../../../src/sidebar/clients/kernel-words';
import { frame, info, workers } from '../client-view/fakes';

it('counts the workers of a run that has arrived, not those of its client’s last word', () => {
  const facts = info({ workers: 3, threads: 6 });
  const run = new Run();
  expect(currentFacts(facts, null)).toBe(facts);
  expect(currentFacts(facts, run)).toBe(facts);
  run.apply(frame(1, { workers: workers({ threads: 4 }, { threads: 2 }) }), 0);
  expect(currentFacts(facts, run)).toMatchObject({ workers: 2, threads: 6 });
  const closed = info({ status: 'closed', workers: 3 });
  expect(currentFacts(closed, run)).toBe(closed);
});
