import { expect, it } from 'vitest';
import { mergedSaves } from '../../../src/views/merged-saves';
import type { ViewHost } from '../../../src/views/view';

it('parts of a view that save do not replace what others have saved', () => {
  const saved: Record<string, unknown>[] = [];
  const holder = { saved: { scroll: 3, sort: 'name' }, save: (state: Record<string, unknown>) => saved.push(state) };
  const host = mergedSaves(holder as unknown as ViewHost);
  host.save({ selection: 'a' });
  host.save({ scroll: 7 });
  expect(saved).toEqual([
    { scroll: 3, sort: 'name', selection: 'a' },
    { scroll: 7, sort: 'name', selection: 'a' }
  ]);
  // The holder's other members are those of the present, not copies.
  holder.saved = { scroll: 9, sort: 'name' };
  expect(host.saved.scroll).toBe(9);
});
