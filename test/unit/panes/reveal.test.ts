import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { INotebookTracker } from '@jupyterlab/notebook';
import { describe, expect, it, vi } from 'vitest';
import { findCell, type KnownCell, revealCell } from '../../../src/panes/notebook/reveal';
import type { ClientInfo } from '../../../src/feed/kernel/kernel-channel';
import type { CellPlace } from '../../../src/plot/plot';
import { english } from '../../../src/plot/translation';

const cell = (id: string, shown: number, source: string): KnownCell => ({ id, shown, source });
const CELLS = [cell('a', 1, 'import dask'), cell('b', 6, 'total.compute()'), cell('c', 0, 'later()')];

describe('the cell of a computation', () => {
  it('is found by its id, wherever it has moved', () => {
    const place = { cellId: 'b', shown: 6, source: 'total.compute()' };
    expect(findCell(CELLS, place)).toEqual({ index: 1, note: 'none', shown: 6 });
    expect(findCell([...CELLS].reverse(), place)).toMatchObject({ index: 1, note: 'none' });
  });

  it('is reported as run again, or as edited', () => {
    expect(findCell([cell('b', 9, 'total.compute()')], { cellId: 'b', shown: 6, source: 'total.compute()' })).toEqual({
      index: 0,
      note: 'run-again',
      shown: 9
    });
    expect(findCell([cell('b', 6, 'other()')], { cellId: 'b', shown: 6, source: 'total.compute()' })).toMatchObject({
      index: 0,
      note: 'edited'
    });
    // Outputs that were cleared have no number: this is no other run.
    expect(findCell([cell('b', 0, 'total.compute()')], { cellId: 'b', shown: 6, source: 'total.compute()' })).toMatchObject({
      note: 'none'
    });
  });

  it('is found by number and source without an id, not by one of them', () => {
    expect(findCell(CELLS, { cellId: '', shown: 6, source: 'total' })).toMatchObject({ index: 1 });
    expect(findCell(CELLS, { cellId: '', shown: 6, source: 'x' })).toMatchObject({ index: -1, note: 'gone' });
    expect(findCell(CELLS, { cellId: '', shown: 6, source: '' })).toMatchObject({ index: -1 });
    expect(findCell(CELLS, { cellId: '', shown: 0, source: 'later()' })).toMatchObject({ index: -1 });
  });

  it('is gone when it was deleted', () => {
    expect(findCell(CELLS, { cellId: 'z', shown: 7, source: 'gone()' })).toEqual({ index: -1, note: 'gone', shown: 0 });
    expect(findCell([], { cellId: 'b', shown: 6, source: '' })).toMatchObject({ index: -1 });
  });
});

/** A notebook with {@link CELLS}, and what is done with it. */
function notebook(path: string, others: readonly string[] = [], client = 'own') {
  const widgets = CELLS.map(({ id, shown, source }) => ({
    model: { id, type: 'code', executionCount: shown || null, sharedModel: { getSource: () => source } },
    node: { animate: vi.fn() }
  }));
  const content = { widgets, activeCellIndex: 0, scrollToItem: vi.fn(async () => undefined) };
  const panels = [path, ...others].map(each => ({
    id: `panel ${each}`,
    content,
    sessionContext: { path: each },
    context: { path: each }
  }));
  // Each has a client of its own, of one scheduler.
  const kernels = panels.map(({ context }, i) => ({
    ...{ path: context.path, kind: 'notebook' as const },
    clients: [{ key: i === 0 ? client : `of ${context.path}` } as ClientInfo]
  }));
  const app = { shell: { activateById: vi.fn() } };
  const reveal = (at: string, place: CellPlace): Promise<string> =>
    revealCell(
      app as unknown as JupyterFrontEnd,
      { find: (test: (each: (typeof panels)[number]) => boolean) => panels.find(test) } as unknown as INotebookTracker,
      kernels,
      { path: at, info: { key: 'own' } },
      place,
      english
    );
  return { widgets, content, app, reveal };
}

describe('what leads back to a cell', () => {
  it('activates its notebook, scrolls to it and marks it for two seconds, and no other cell', async () => {
    const { widgets, content, app, reveal } = notebook('a.ipynb');
    await expect(reveal('a.ipynb', { cellId: 'b', shown: 6, source: 'total.compute()' })).resolves.toBe('');
    expect(app.shell.activateById).toHaveBeenCalledExactlyOnceWith('panel a.ipynb');
    expect(content.activeCellIndex).toBe(1);
    expect(content.scrollToItem).toHaveBeenCalledExactlyOnceWith(1, 'smart');
    const [frames, duration] = widgets[1].node.animate.mock.calls[0];
    expect(duration).toBe(2000);
    expect(frames.map((frame: Keyframe) => frame.boxShadow)).toEqual([
      'inset 0 0 0 3px var(--jp-brand-color1)',
      'inset 0 0 0 3px var(--jp-brand-color1)',
      'inset 0 0 0 3px transparent'
    ]);
    expect([widgets[0], widgets[2]].map(each => each.node.animate.mock.calls.length)).toEqual([0, 0]);
  });

  it('says what is not as it was, and marks nothing where the cell or its notebook is gone', async () => {
    const { widgets, app, reveal } = notebook('a.ipynb');
    await expect(reveal('a.ipynb', { cellId: 'b', shown: 2, source: 'total' })).resolves.toContain('its number is 6 now');
    await expect(reveal('a.ipynb', { cellId: 'b', shown: 6, source: 'x' })).resolves.toContain('has been edited');
    expect(widgets[1].node.animate).toHaveBeenCalledTimes(2);
    await expect(reveal('a.ipynb', { cellId: 'z', shown: 7, source: 'gone()' })).resolves.toContain('not in the notebook');
    await expect(reveal('b.ipynb', { cellId: 'b', shown: 6, source: '' })).resolves.toContain('not from a notebook');
    expect(widgets[1].node.animate).toHaveBeenCalledTimes(2);
    expect(app.shell.activateById).toHaveBeenCalledTimes(2);
  });

  it('is that of the notebook whose client ran it, not of another one of the same scheduler', async () => {
    const { app, reveal } = notebook('a.ipynb', ['copy.ipynb']);
    const place = { cellId: 'b', shown: 6, source: 'total.compute()' };
    await expect(reveal('a.ipynb', { ...place, client: 'of copy.ipynb' })).resolves.toBe('');
    expect(app.shell.activateById).toHaveBeenLastCalledWith('panel copy.ipynb');
    await expect(reveal('a.ipynb', { ...place, client: 'own' })).resolves.toBe('');
    expect(app.shell.activateById).toHaveBeenLastCalledWith('panel a.ipynb');
  });

  it('of a client that is not known, as in older recordings, is looked for as that of the pane', async () => {
    const { app, reveal } = notebook('a.ipynb', ['copy.ipynb']);
    const place = { cellId: '', shown: 6, source: 'total.compute()', client: '' };
    await expect(reveal('a.ipynb', place)).resolves.toBe('');
    expect(app.shell.activateById).toHaveBeenLastCalledWith('panel a.ipynb');
  });

  it('of a client that nobody here has is found by its id only, and said to be perhaps a copy', async () => {
    const { app, reveal } = notebook('a.ipynb');
    const place = { cellId: 'b', shown: 6, source: 'total.compute()', client: 'gone' };
    await expect(reveal('a.ipynb', { ...place, cellId: 'z' })).resolves.toBe(
      'The code is not from a notebook that is open here.'
    );
    expect(app.shell.activateById).not.toHaveBeenCalled();
    await expect(reveal('a.ipynb', place)).resolves.toContain('a copy of the notebook');
    expect(app.shell.activateById).toHaveBeenCalledExactlyOnceWith('panel a.ipynb');
    // Its kernel has restarted, and the pane still shows it.
    const restarted = notebook('a.ipynb', [], 'next');
    await expect(restarted.reveal('a.ipynb', { ...place, client: 'own' })).resolves.toBe('');
  });
});
