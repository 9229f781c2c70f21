// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Legend } from '../../../src/plot-frame/legend';
import type { MenuItem } from '../../../src/plot-frame/menu-item';
import type { LegendItem } from '../../../src/plot/plot';
import { LEGEND_RANK_EVENT } from '../../../src/selectors/tasks/task-legend';
import { translate as trans } from '../translate';

const items: LegendItem[] = ['inc', '<b>add</b>', 'erred'].map(id => ({ id, label: id, colour: '#2f6fd1', pattern: 'none' }));
const changed = vi.fn<(hidden: readonly string[]) => void>();
const openMenu = vi.fn();
let legend: Legend;

const press = (at: number, init: MouseEventInit = {}, type = 'click'): void => {
  legend.node.querySelectorAll('button')[at].dispatchEvent(new MouseEvent(type, { bubbles: true, detail: 1, ...init }));
};

beforeEach(() => {
  changed.mockReset();
  legend = new Legend(trans, changed, openMenu);
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

  it('leaves one item alone with shift, and shows all with the same again', () => {
    press(2, { shiftKey: true });
    expect(changed).toHaveBeenLastCalledWith(['inc', '<b>add</b>']);
    legend.update(items, new Set(['inc', '<b>add</b>']));
    press(2, { shiftKey: true });
    expect(changed).toHaveBeenLastCalledWith([]);
  });

  it('leaves one item alone with a double click, and shows all again with a second one, of which the first click hides the item itself', () => {
    let hidden: readonly string[] = [];
    changed.mockImplementation(ids => {
      hidden = ids;
      legend.update(items, new Set(ids));
    });
    const twice = (): void => {
      press(0, { detail: 1 });
      press(0, { detail: 2 });
      press(0, { detail: 2 }, 'dblclick');
    };
    twice();
    expect(hidden).toEqual(['<b>add</b>', 'erred']);
    twice();
    expect(hidden).toEqual([]);
  });

  it('has items that only explain, which cannot be pressed and are not hidden with others', () => {
    const scale: LegendItem = { id: 'most', label: '5 MiB/s', colour: '#123456', pattern: 'none', inert: true };
    legend.update([...items, scale], new Set());
    const explained = legend.node.querySelector<HTMLElement>('[data-legend="most"]');
    expect([explained?.tagName, explained?.hasAttribute('aria-pressed')]).toEqual(['SPAN', false]);
    expect(explained?.textContent).toBe('5 MiB/s');
    for (const type of ['click', 'dblclick']) {
      explained?.dispatchEvent(new MouseEvent(type, { bubbles: true, detail: 1 }));
    }
    expect(changed).not.toHaveBeenCalled();
    press(0, { shiftKey: true });
    expect(changed).toHaveBeenLastCalledWith(['<b>add</b>', 'erred']);
  });

  it('keeps its elements while nothing changed, so that a press is not lost', () => {
    const before = legend.node.firstChild;
    legend.update([...items], new Set());
    expect(legend.node.firstChild).toBe(before);
  });
});

describe('the focus on an item', () => {
  const focused = (): boolean => legend.node.contains(document.activeElement);
  const more: LegendItem = { id: 'sum', label: 'sum', colour: '#000000', pattern: 'none' };

  afterEach(() => document.body.replaceChildren());

  it('stays on it when the items change', () => {
    document.body.append(legend.node);
    legend.node.querySelector('button')?.focus();
    legend.update([...items, more], new Set());
    expect(focused() && document.activeElement?.textContent).toBe('inc');
  });

  it('is not taken from the same item of another pane', () => {
    const other = new Legend(trans, changed, openMenu);
    other.update(items, new Set());
    document.body.append(legend.node, other.node);
    other.node.querySelector('button')?.focus();
    legend.update([...items, more], new Set());
    expect([focused(), other.node.contains(document.activeElement)]).toEqual([false, true]);
  });
});

describe('a legend with more items than room', () => {
  /** Buttons of a line, in a browser whose buttons are 18 pixels high. */
  let perLine = 3;

  beforeEach(() => {
    vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(18);
    vi.spyOn(HTMLElement.prototype, 'offsetTop', 'get').mockImplementation(function (this: HTMLElement) {
      const buttons = [...(this.parentElement?.querySelectorAll<HTMLElement>('button') ?? [])].filter(other => !other.hidden);
      return 18 * Math.floor(buttons.indexOf(this as HTMLButtonElement) / perLine);
    });
  });

  const functions = (count: number): LegendItem[] =>
    Array.from({ length: count }, (_, i) => ({ id: `${i}`, label: `f${i}`, colour: '#2f6fd1', pattern: 'none' }));
  const show = (count: number): string[] => {
    legend = new Legend(trans, changed, openMenu);
    legend.update(functions(count), new Set());
    const buttons = [...legend.node.querySelectorAll('button')];
    return buttons.filter(button => !button.hidden).map(button => button.textContent ?? '');
  };

  it('shows all that fit, without a number', () => {
    expect(show(9)).toHaveLength(9);
  });

  it('ends in the number of the rest, named in its tooltip', () => {
    expect(show(12)).toEqual(['f0', 'f1', 'f2', 'f3', 'f4', 'f5', 'f6', 'f7', '+ 4']);
    expect(legend.node.querySelector<HTMLElement>('.dp-Legend-more')?.title).toBe('f8, f9, f10, f11');
  });

  it('folds when the styles of a new theme come after the items', () => {
    let due: (() => void) | null = null;
    vi.stubGlobal('requestAnimationFrame', (callback: () => void) => {
      due = callback;
      return 1;
    });
    perLine = 12;
    expect(show(12)).toHaveLength(12);
    perLine = 3;
    due!();
    expect([...legend.node.querySelectorAll('button')].filter(button => !button.hidden).at(-1)?.textContent).toBe('+ 4');
    vi.unstubAllGlobals();
  });

  const rank = (ids: readonly string[]): void => {
    const body = document.createElement('div');
    legend.rankBy(body);
    vi.stubGlobal('requestAnimationFrame', (callback: () => void) => {
      callback();
      return 1;
    });
    body.dispatchEvent(new CustomEvent(LEGEND_RANK_EVENT, { detail: ids }));
    vi.unstubAllGlobals();
  };
  const shown = (): (string | null)[] =>
    [...legend.node.querySelectorAll('button')].filter(button => !button.hidden).map(button => button.textContent);

  it('shows what the picture shows first, and leaves the rest in order', () => {
    show(12);
    rank(['10', '8']);
    expect(shown()).toEqual(['f10', 'f8', 'f0', 'f1', 'f2', 'f3', 'f4', 'f5', '+ 4']);
    expect(legend.node.querySelector<HTMLElement>('.dp-Legend-more')?.title).toBe('f6, f7, f9, f11');
  });

  it('stays in order while all fit', () => {
    show(3);
    rank(['2']);
    expect(shown()).toEqual(['f0', 'f1', 'f2']);
  });

  it('moves nothing below the pointer', () => {
    show(12);
    vi.spyOn(legend.node, 'matches').mockReturnValue(true);
    rank(['10']);
    expect(shown()[0]).toBe('f0');
    vi.mocked(legend.node.matches).mockReturnValue(false);
    legend.node.dispatchEvent(new MouseEvent('mouseleave'));
    expect(shown()[0]).toBe('f10');
  });

  it('stays folded and in its order when it is clicked, and when a function is new, below the pointer', () => {
    show(12);
    rank(['10', '8']);
    vi.spyOn(legend.node, 'matches').mockReturnValue(true);
    legend.update(functions(12), new Set(['8']));
    expect(shown()).toEqual(['f10', 'f8', 'f0', 'f1', 'f2', 'f3', 'f4', 'f5', '+ 4']);
    legend.update(functions(13), new Set(['8']));
    expect(shown()).toEqual(['f10', 'f8', 'f0', 'f1', 'f2', 'f3', 'f4', 'f5', '+ 5']);
  });

  it('shows after a press what was new, also if the ranks were new later, and the other way round', () => {
    vi.useFakeTimers();
    const pressed = (during: () => void): void => {
      legend.node.dispatchEvent(new MouseEvent('pointerdown'));
      during();
      window.dispatchEvent(new MouseEvent('pointerup'));
      vi.runAllTimers();
    };
    show(12);
    pressed(() => {
      legend.update(functions(13), new Set());
      rank(['10']);
    });
    expect(shown()).toEqual(['f10', 'f0', 'f1', 'f2', 'f3', 'f4', 'f5', 'f6', '+ 5']);
    pressed(() => {
      rank(['11']);
      legend.update(functions(13), new Set());
    });
    expect(shown()[0]).toBe('f11');
    vi.useRealTimers();
  });

  it('has the colours of the rest in its menu', () => {
    show(12);
    legend.node.querySelector<HTMLElement>('.dp-Legend-more')?.click();
    const [given] = openMenu.mock.lastCall as [readonly MenuItem[]];
    expect(given[0]).toMatchObject({ label: 'f8', swatch: { colour: '#2f6fd1', pattern: 'none' } });
  });

  it('keeps one item in the narrowest pane', () => {
    perLine = 1;
    legend.node.style.setProperty('--dp-legend-lines', '1');
    expect(show(5)[0]).toBe('f0');
    expect(show(5).at(-1)).toMatch(/^\+ \d$/);
  });
});
