/** Texts for users use the words of `docs/glossary.md`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../../scripts/lib/environment.mjs';

const texts = [
  ...readFileSync(join(ROOT, 'bridge/dask_panes/locale/dask_panes.pot'), 'utf8').matchAll(
    /^(?:msgid|msgid_plural) ((?:".*"\n)+)/gm
  )
]
  .map(([, quoted]) => [...(quoted ?? '').matchAll(/"(.*)"\n/g)].map(([, part]) => part).join(''))
  .filter(Boolean);

test('tasks and executions erred: only attempts, and what is no task, failed', () => {
  expect(texts.length).toBeGreaterThan(1000);
  const of = /\b(tasks?|executions?)\b/i;
  const wrong = texts
    .flatMap(text => text.split(/[.;:] /))
    .filter(part => of.test(part) && /\bfail(s|ed|ing|ures?)?\b/i.test(part));
  expect(wrong).toEqual([]);
});
