import { describe, expect, it } from 'vitest';
import { findCell, type KnownCell } from '../../../src/panes/notebook/reveal';

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
