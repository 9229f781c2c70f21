import { describe, expect, it } from 'vitest';
import { writeSelection } from '../../../src/run/selection/saved-selection';
import { NOTHING_SELECTED, selectionOf } from '../../../src/run/selection/selection';
import { Run } from '../../../src/run/run';
import { KeptSelection } from '../../../src/views/selection/kept-selection';
import type { ViewHost } from '../../../src/views/view';

const SAVED = writeSelection({ ...NOTHING_SELECTED, functions: ['load'] });

function runOf(): Run {
  const run = new Run();
  run.apply({ feed: 'f', epoch: 0, seq: 0, time: 1000, cursor: {}, names: {}, topics: {} }, 0);
  return run;
}

/** A view, and what was saved of it last. */
function viewOf(run: Run, selection?: string): () => unknown {
  let saved: ViewHost['saved'] = selection === undefined ? {} : { selection };
  new KeptSelection({ run, saved, save: more => (saved = { ...saved, ...more }) });
  return () => saved.selection;
}

describe('The selection that a view saves', () => {
  it('of a tab that is opened after a selection was cleared is cleared, too, for the next reload', () => {
    const run = runOf();
    viewOf(run, SAVED);
    expect(selectionOf(run).current.functions).toEqual(['load']);
    selectionOf(run).clear();
    expect([viewOf(run, SAVED)(), viewOf(run)()]).toEqual(['', '']);
  });

  it('of a tab that is opened after something was selected is that, and not that nothing is', () => {
    const run = runOf();
    const hidden = viewOf(run, SAVED)();
    expect([hidden, viewOf(run, '')()]).toEqual([SAVED, SAVED]);
  });

  it('is saved of no view in which nothing was selected', () => {
    expect(viewOf(runOf())()).toBeUndefined();
  });
});
