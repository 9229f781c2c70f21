// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Legend } from '../../../src/panes/legend';
import type { LegendItem } from '../../../src/plots/plot';

const items: LegendItem[] = ['inc', '<b>add</b>', 'erred'].map(id => ({ id, label: id, colour: '#2f6fd1', pattern: 'none' }));
const trans = (text: string): string => text;
const changed = vi.fn<(hidden: readonly string[]) => void>();
let legend: Legend;

const press = (at: number, init: MouseEventInit = {}, type = 'click'): void => {
  legend.node.querySelectorAll('button')[at].dispatchEvent(new MouseEvent(type, { bubbles: true, detail: 1, ...init }));
};

beforeEach(() => {
  changed.mockReset();
  legend = new Legend(trans, changed);
  legend.update(items, new Set());
});

describe('the legend', () => {
  it('shows labels as text', () => {
    expect(legend.node.querySelector('b')).toBeNull();
    expect(legend.node.textContent).toContain('<b>add</b>');
  });

  it('filters one item with a click, and shows it again with the next', () => {
    press(0);
    expect(changed).toHaveBeenLastCalledWith(['inc']);
    legend.update(items, new Set(['inc']));
    expect(legend.node.querySelectorAll('[aria-pressed="false"]')).toHaveLength(1);
    press(0);
    expect(changed).toHaveBeenLastCalledWith([]);
  });

  it('leaves one item alone with shift or a double click, and shows all with the same again', () => {
    press(2, { shiftKey: true });
    expect(changed).toHaveBeenLastCalledWith(['inc', '<b>add</b>']);
    legend.update(items, new Set(['inc', '<b>add</b>']));
    press(2, {}, 'dblclick');
    expect(changed).toHaveBeenLastCalledWith([]);
  });

  it('keeps its elements while nothing changed, so that a press is not lost', () => {
    const before = legend.node.firstChild;
    legend.update([...items], new Set());
    expect(legend.node.firstChild).toBe(before);
  });
});
