/** Causes that are "not helpful": with the notebook where it can be written, else with the pane. */
import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import { afterEach, describe, expect, it } from 'vitest';
import { hiddenAt, hiddenCauses, hideCauses, keepHidden, keepHiddenIn } from '../../../src/advice/hidden';
import { adviceChanged } from '../../../src/advice/shown';
import { METADATA, NotebookCauses } from '../../../src/panes/notebook/hidden-advice';
import { frozen } from '../../../src/run/frozen';
import { made } from '../advice/made';

interface Notebook {
  readonly path: string;
  readonly metadata: Map<string, unknown>;
  readonly readOnly?: boolean;
  readonly writable?: boolean;
}

function tracker(...notebooks: readonly Notebook[]): INotebookTracker {
  const panels = notebooks.map(({ path, metadata, readOnly = false, writable = true }) => ({
    sessionContext: { path },
    context: { contentsModel: { writable } },
    content: {
      model: {
        readOnly,
        getMetadata: (key: string) => metadata.get(key),
        setMetadata: (key: string, value: unknown) => void metadata.set(key, value),
        deleteMetadata: (key: string) => void metadata.delete(key)
      }
    }
  }));
  return {
    find: (is: (panel: NotebookPanel) => boolean) => panels.find(each => is(each as unknown as NotebookPanel))
  } as unknown as INotebookTracker;
}

const notebook = (path = 'a.ipynb', value?: unknown): Notebook => ({
  path,
  metadata: new Map(value === undefined ? [] : [[METADATA, value]])
});

afterEach(() => keepHiddenIn(null));

describe('a notebook', () => {
  it('keeps hidden causes in its metadata, and nothing when there are none', () => {
    const one = notebook();
    const causes = new NotebookCauses(tracker(one));
    expect(causes.of('a.ipynb')).toEqual(new Set());
    expect(causes.keep('a.ipynb', ['gil', 'straggler'])).toBe(true);
    expect(Object.fromEntries(one.metadata)).toEqual({ dask_panes: { hidden_advice: ['gil', 'straggler'] } });
    const hidden = causes.of('a.ipynb');
    expect(hidden).toEqual(new Set(['gil', 'straggler']));
    expect(causes.of('a.ipynb')).toBe(hidden);
    expect(causes.keep('a.ipynb', [])).toBe(true);
    expect(one.metadata.size).toBe(0);
    expect(causes.of('a.ipynb')).toEqual(new Set());
  });

  it('keeps what else is below our key', () => {
    const one = notebook('a.ipynb', { later: 1, hidden_advice: ['gil'] });
    const causes = new NotebookCauses(tracker(one));
    causes.keep('a.ipynb', []);
    expect(one.metadata.get(METADATA)).toEqual({ later: 1 });
  });

  it.each([
    ['read-only', { readOnly: true }],
    ['not writable', { writable: false }]
  ])('that is %s is not written, and keeps nothing', (_, how) => {
    const one = { ...notebook('a.ipynb', { hidden_advice: ['gil'] }), ...how };
    const causes = new NotebookCauses(tracker(one));
    expect(causes.of('a.ipynb')).toBeNull();
    expect(causes.keep('a.ipynb', [])).toBe(false);
    expect(one.metadata.get(METADATA)).toEqual({ hidden_advice: ['gil'] });
  });

  it('may have anything below our key', () => {
    for (const odd of [null, 7, 'gil', ['gil'], { hidden_advice: 'gil' }, { hidden_advice: { 0: 'gil' } }]) {
      expect(new NotebookCauses(tracker(notebook('a.ipynb', odd))).of('a.ipynb')).toEqual(new Set());
    }
    const mixed = [7, null, 'gil', ['spill'], 'x'.repeat(101), 'gil', '\ud800', { id: 'gil' }];
    expect(new NotebookCauses(tracker(notebook('a.ipynb', { hidden_advice: mixed }))).of('a.ipynb')).toEqual(
      new Set(['gil', '\ud800'])
    );
  });

  it('that is not open keeps nothing', () => {
    const causes = new NotebookCauses(tracker(notebook('b.ipynb')));
    expect([causes.of('a.ipynb'), causes.keep('a.ipynb', ['gil'])]).toEqual([null, false]);
  });

  it.each([[null], ['gil'], [['gil']], [{ hidden_advice: 'gil' }], [{ hidden_advice: [1, null, {}, 'x'.repeat(101)] }]])(
    'with odd metadata hides nothing: %j',
    value => {
      expect(new NotebookCauses(tracker(notebook('a.ipynb', value))).of('a.ipynb')).toEqual(new Set());
    }
  );

  it('hides at most 100 causes', () => {
    const many = Array.from({ length: 500 }, (_, i) => `cause ${i}`);
    expect(new NotebookCauses(tracker(notebook('a.ipynb', { hidden_advice: many }))).of('a.ipynb')?.size).toBe(100);
  });
});

describe('a run', () => {
  it('has the causes of its notebook, else those of its pane', () => {
    const run = made({});
    hideCauses(run, new Set(['gil']));
    expect(hiddenCauses(run, 'a.ipynb')).toEqual(new Set(['gil']));
    const one = notebook('a.ipynb', { hidden_advice: ['straggler'] });
    keepHiddenIn(new NotebookCauses(tracker(one)));
    expect(hiddenCauses(run)).toEqual(new Set(['straggler']));
    expect(hiddenCauses(frozen(run))).toEqual(new Set(['straggler']));
    expect(keepHidden('a.ipynb', ['paused'])).toBe(true);
    expect(hiddenCauses(run)).toEqual(hiddenAt('a.ipynb'));
    // Views of the run learn of it, though the notebook had it before.
    let count = 0;
    adviceChanged(run).connect(() => {
      count += 1;
    });
    hideCauses(run, hiddenCauses(run));
    hideCauses(run, hiddenCauses(run));
    expect(count).toBe(1);
    expect([hiddenAt('other.ipynb'), hiddenAt(null), keepHidden(null, ['gil'])]).toEqual([null, null, false]);
    expect(hiddenCauses(made({}), 'other.ipynb')).toEqual(new Set());
  });
});
