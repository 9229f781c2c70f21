import { describe, expect, it } from 'vitest';
import { type MainArea, placeOfDocument } from '../../../src/panes/docking/document-place';

/** Capital letters are documents, small ones panes; each text is a tab bar. */
function place(bars: readonly string[], current: string | null, recent: string | null = null): string | null {
  const area: MainArea<string> = {
    bars: bars.map(bar => [...bar]),
    current,
    recent,
    isPane: widget => widget === widget.toLowerCase()
  };
  return placeOfDocument(area);
}

describe('a new document while a pane is current', () => {
  it('goes to the document used last', () => {
    expect(place(['AB', 'C', 'pq'], 'q', 'B')).toBe('B');
    expect(place(['AB', 'C', 'pq'], 'p', 'C')).toBe('C');
  });

  it('goes to the tabs of any document if the one used last is closed, or none has been used', () => {
    expect(place(['pq', 'A', 'B'], 'q', 'Z')).toBe('A');
    expect(place(['pq', 'A', 'B'], 'q')).toBe('A');
  });

  it('goes to tabs without a pane before those with one', () => {
    expect(place(['p', 'qA', 'B'], 'p')).toBe('B');
    expect(place(['p', 'qA'], 'p')).toBe('A');
  });

  it('goes beside everything if only panes are open', () => {
    expect(place(['p'], 'p')).toBe('aside');
    expect(place(['p', 'qr'], 'r', 'Z')).toBe('aside');
  });
});

describe('a new document while nothing is current, as after the only document was closed', () => {
  it('goes beside everything if only panes are open', () => {
    expect(place(['p', 'qr'], null, 'Z')).toBe('aside');
  });

  it('goes to the tabs of a document that is open', () => {
    expect(place(['p', 'A'], null, 'Z')).toBe('A');
  });
});

describe('the place of a new document is left to JupyterLab', () => {
  it('while a document is current', () => {
    expect(place(['A', 'p'], 'A', 'A')).toBeNull();
  });

  it('in tabs where the user has put panes and documents together', () => {
    expect(place(['B', 'pA'], 'p', 'B')).toBeNull();
  });

  it('without a current widget where its own place is no pane, and where that is not in the main area', () => {
    expect(place(['A', 'p'], null, 'A')).toBeNull();
    expect(place([], null)).toBeNull();
    expect(place(['A', 'p'], 'x', 'A')).toBeNull();
  });
});
