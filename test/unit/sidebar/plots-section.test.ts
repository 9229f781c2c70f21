// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import type { PaneManager } from '../../../src/panes/manager';
import { PLOT_FACTS } from '../../../src/plots/facts';
import type { Favourites } from '../../../src/sidebar/favourites';
import { PlotsSection } from '../../../src/sidebar/plots-section';
import { translate as trans } from '../translate';

afterEach(() => document.body.replaceChildren());

it('the menu of a plot opens it beside or below what is there, which a drag does for the mouse only', async () => {
  const reveal = vi.fn();
  const find = (id: string): unknown => PLOT_FACTS.find(plot => plot.id === id);
  const manager = { reveal, isOpen: () => false, parts: { plots: { all: PLOT_FACTS, find } } };
  const toggle = vi.fn();
  const favourites = { ids: ['cpu'], recent: [], toggle };
  const section = new PlotsSection(manager as unknown as PaneManager, favourites as unknown as Favourites, trans);
  document.body.append(section.node);
  const labels = (plot: string): (string | null)[] => {
    const row = section.node.querySelector(`[data-plot="${plot}"] .dp-Plot-title`);
    const event = new MouseEvent('contextmenu', { bubbles: true, cancelable: true });
    row?.dispatchEvent(event);
    expect(event.defaultPrevented).toBe(true);
    return [...document.querySelectorAll('.dp-Menu .lm-Menu-itemLabel')].map(({ textContent }) => textContent);
  };
  const choose = (at: number): void => {
    const menu = document.querySelector('.dp-Menu');
    for (const keyCode of [...Array(at + 1).fill(40), 13]) {
      menu?.dispatchEvent(new KeyboardEvent('keydown', { keyCode, bubbles: true, cancelable: true }));
    }
  };
  expect(labels('progress').filter(Boolean)).toEqual(['Open', 'New pane to the right', 'New pane below', 'Favourite']);
  choose(1);
  await vi.waitFor(() => expect(reveal).toHaveBeenCalledWith('progress', { mode: 'split-right', anew: true }));
  labels('cpu');
  expect(document.querySelector('.lm-mod-toggled')?.textContent).toContain('Favourite');
  choose(3);
  await vi.waitFor(() => expect(toggle).toHaveBeenCalledWith('cpu'));
  // With Shift, the browser's menu opens.
  const event = new MouseEvent('contextmenu', { bubbles: true, cancelable: true, shiftKey: true });
  section.node.querySelector('[data-plot="cpu"]')?.dispatchEvent(event);
  expect(event.defaultPrevented).toBe(false);
});

it('says that nothing matches to those who do not see it, not as a plot', () => {
  const manager = { isOpen: () => false, parts: { plots: { all: PLOT_FACTS, find: () => undefined } } };
  const favourites = { ids: [], recent: [] };
  const section = new PlotsSection(manager as unknown as PaneManager, favourites as unknown as Favourites, trans);
  document.body.append(section.node);
  const list = section.node.querySelector('[role="listbox"]');
  const status = section.node.querySelector('[role="status"]');
  const search = section.node.querySelector('input') as HTMLInputElement;
  const find = (text: string): unknown[] => {
    search.value = text;
    search.dispatchEvent(new Event('input'));
    return [list?.childElementCount === 0, status?.textContent];
  };
  expect([find('no such plot'), find('')]).toEqual([
    [true, 'No plot matches.'],
    [false, '']
  ]);
});

it('says once after a pause in typing how many plots were found', () => {
  vi.useFakeTimers();
  const manager = { isOpen: () => false, parts: { plots: { all: PLOT_FACTS, find: () => undefined } } };
  const section = new PlotsSection(manager as unknown as PaneManager, { ids: [], recent: [] } as unknown as Favourites, trans);
  document.body.append(section.node);
  const live = section.node.querySelector('[aria-live="polite"]');
  const search = section.node.querySelector('input') as HTMLInputElement;
  const find = (text: string): string | null | undefined => {
    search.value = text;
    search.dispatchEvent(new Event('input'));
    return live?.textContent;
  };
  const said = (): string | null | undefined => {
    vi.advanceTimersByTime(500);
    return live?.textContent;
  };
  expect([find('h'), find('hos'), find('host'), said()]).toEqual(['', '', '', expect.stringMatching(/^\d+ plots? found$/)]);
  const listed = section.node.querySelectorAll('.dp-Plot').length;
  expect(live?.textContent).toMatch(new RegExp(`^${listed} `));
  // Another question with the same answer is answered, too.
  expect([find('hosts'), find('no such plot'), said(), find(''), said()]).toEqual(['', '', '', '', '']);
  vi.useRealTimers();
});
