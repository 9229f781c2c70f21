import { describe, expect, it, vi } from 'vitest';
import { Catalogue, checkedPlot } from '../../../src/panes/catalogue';
import { plotById } from '../../../src/plots';

const make = (): Catalogue<{ id: string }> => new Catalogue([{ id: 'progress' }, { id: 'task-stream' }]);

describe('a catalogue', () => {
  it('has ours first, and what is registered until that is disposed', () => {
    const catalogue = make();
    const changed = vi.fn();
    catalogue.changed.connect(changed);
    const [a, b] = [catalogue.add({ id: 'mine.a' }), catalogue.add({ id: 'mine.b' })];
    expect(catalogue.all.map(({ id }) => id)).toEqual(['progress', 'task-stream', 'mine.a', 'mine.b']);
    a.dispose();
    a.dispose();
    expect(catalogue.all.map(({ id }) => id)).toEqual(['progress', 'task-stream', 'mine.b']);
    expect(catalogue.find('mine.a')).toBeUndefined();
    expect(changed).toHaveBeenCalledTimes(3);
    b.dispose();
    // An id that was given back can be used again.
    expect(catalogue.add({ id: 'mine.a' }).isDisposed).toBe(false);
  });

  it('refuses ids that are taken, and what is no id', () => {
    const catalogue = make();
    catalogue.add({ id: 'mine.a' });
    expect(() => catalogue.add({ id: 'progress' })).toThrow('is taken');
    expect(() => catalogue.add({ id: 'mine.a' })).toThrow('is taken');
    for (const id of ['', 'A', 'a b', '-a', 'a-', 'a..b', '<img>', '__proto__', 'a'.repeat(101)]) {
      expect(() => catalogue.add({ id })).toThrow('is not an id');
    }
    expect(catalogue.all).toHaveLength(3);
  });

  it('refuses plots of unknown topics', () => {
    const plot = plotById('progress');
    expect(plot && checkedPlot(plot)).toBe(plot);
    expect(() => plot && checkedPlot({ ...plot, topics: [...plot.topics, 'later' as never] })).toThrow('later');
    const choiceTopics = [{ option: 'unit', value: 'group', topics: ['groups' as const, 'chosen' as never] }];
    expect(() => plot && checkedPlot({ ...plot, choiceTopics })).toThrow('chosen');
  });
});
