// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TooltipContent } from '../../../src/plot/plot';
import { Tooltip, tooltipText } from '../../../src/views/tooltip';

const content = (title: string): TooltipContent => ({
  title,
  rows: [['Threads', '4']],
  key: 'k'.repeat(10_000),
  hint: 'Click: pin'
});
const box = (): HTMLElement | null => document.querySelector('.dp-Tooltip');
const AT = { x: 10, y: 10 };

describe('the tooltip', () => {
  let tooltip: Tooltip;
  const view = {};

  beforeEach(() => {
    vi.useFakeTimers();
    vi.advanceTimersByTime(10_000);
    tooltip = new Tooltip();
  });

  afterEach(() => {
    tooltip.release(view);
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  it('comes after a moment, and at once when the pointer moves on', () => {
    tooltip.show(view, content('one'), AT);
    expect(box()).toBeNull();
    vi.advanceTimersByTime(100);
    expect(box()?.textContent).toContain('one');
    tooltip.show(view, content('two'), AT);
    expect(box()?.textContent).toContain('two');
    tooltip.hide(view);
    expect(box()).toBeNull();
  });

  it('shows text and never markup, and cuts endless keys', () => {
    tooltip.show(view, { ...content('<img src=x>'), rows: [['<b>', '<script>']] }, AT);
    vi.advanceTimersByTime(100);
    expect(box()?.querySelector('img, b, script')).toBeNull();
    expect(box()?.textContent).toContain('<img src=x>');
    expect(box()?.textContent?.length).toBeLessThan(1000);
  });

  it('when pinned says no longer that a click pins, and has its buttons in one row', () => {
    const links = ['Profile', 'Task details'].map(label => ({ label, plot: 'profile', args: {} }));
    tooltip.show(view, { ...content('one'), links }, AT);
    vi.advanceTimersByTime(100);
    expect(box()?.textContent).toContain('Click: pin');
    const open = vi.fn();
    tooltip.togglePin(view, { open });
    expect(box()?.textContent).toContain('one');
    expect(box()?.textContent).not.toContain('Click: pin');
    tooltip.replace(view, { ...content('later'), links });
    expect(box()?.textContent).not.toContain('Click: pin');
    expect(box()?.querySelectorAll('.dp-Tooltip-links > button')).toHaveLength(2);
    box()?.querySelector('button')?.click();
    expect(open).toHaveBeenCalledWith('profile', {});
    expect(box()).toBeNull();
  });

  it('when pinned is within the window with its buttons, and with what arrives later', () => {
    const links = [{ label: 'Profile', plot: 'profile', args: {} }];
    const { innerHeight } = window;
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
      const height = 100 + 40 * this.querySelectorAll('button').length;
      return { left: Number.parseFloat(this.style.left), top: Number.parseFloat(this.style.top), width: 300, height } as DOMRect;
    });
    const end = (): number => Number.parseFloat(box()?.style.top ?? '') + (box()?.getBoundingClientRect().height ?? 0);
    tooltip.show(view, { ...content('one'), links }, { x: 10, y: innerHeight - 120 });
    vi.advanceTimersByTime(100);
    expect(end()).toBe(innerHeight - 12);
    tooltip.togglePin(view, { open: vi.fn() });
    // There is no room below any more.
    expect(end()).toBe(innerHeight - 128);
    tooltip.release(view);
    tooltip.show(view, { ...content('two'), links }, { x: 10, y: innerHeight - 160 });
    tooltip.togglePin(view, { open: vi.fn() });
    expect(end()).toBe(innerHeight - 12);
    tooltip.replace(view, { ...content('later'), links: [...links, ...links] });
    expect(end()).toBe(innerHeight - 8);
  });

  it('when pinned stays before the right edge where what arrives later makes it wider', () => {
    const { innerWidth } = window;
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
      const [left, top] = [this.style.left, this.style.top].map(Number.parseFloat);
      return { left, top, width: this.textContent?.includes('later') ? 320 : 256, height: 100 } as DOMRect;
    });
    const place = (): readonly (string | undefined)[] => [box()?.style.left, box()?.style.top];
    tooltip.show(view, content('one'), { x: innerWidth - 20, y: 10 });
    vi.advanceTimersByTime(100);
    tooltip.togglePin(view, { open: vi.fn() });
    expect(place()).toEqual([`${innerWidth - 264}px`, '18px']);
    tooltip.replace(view, content('later'));
    expect(place()).toEqual([`${innerWidth - 328}px`, '18px']);
    tooltip.release(view);
    // Where there is room, it does not move.
    tooltip.show(view, content('two'), { x: 100, y: 10 });
    tooltip.togglePin(view, { open: vi.fn() });
    tooltip.replace(view, content('later'));
    expect(place()).toEqual(['108px', '18px']);
  });

  it('when pinned has its buttons next in the order of Tab, and gives the focus back', () => {
    const plot = document.body.appendChild(document.createElement('div'));
    plot.tabIndex = 0;
    plot.focus();
    const links = ['Profile', 'Task details'].map(label => ({ label, plot: 'profile', args: {} }));
    tooltip.show(view, { ...content('one'), links: links.slice(0, 1) }, AT);
    vi.advanceTimersByTime(100);
    const tab = (shiftKey = false): string | null => {
      const event = new KeyboardEvent('keydown', { key: 'Tab', shiftKey, cancelable: true });
      document.dispatchEvent(event);
      return event.defaultPrevented ? (document.activeElement?.textContent ?? '') : null;
    };
    expect(tab()).toBeNull();
    expect(plot.hasAttribute('aria-describedby')).toBe(false);
    tooltip.togglePin(view, { open: vi.fn() });
    expect(plot.getAttribute('aria-describedby')).toBe(box()?.id);
    expect(tab(true)).toBeNull();
    expect(tab()).toBe('Profile');
    // Another button arrives later.
    tooltip.replace(view, { ...content('later'), links });
    expect(document.activeElement?.textContent).toBe('Profile');
    expect([tab(), tab(true), tab()]).toEqual(['Task details', 'Profile', 'Task details']);
    expect([tab(), document.activeElement === plot]).toEqual(['', true]);
    // It keeps nobody: the next Tab goes on in the page.
    expect(tab()).toBeNull();
    tooltip.togglePin(view);
    tooltip.show(view, { ...content('two'), links }, AT);
    tooltip.togglePin(view, { open: vi.fn() });
    expect(tab()).toBe('Profile');
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
    expect([box(), document.activeElement === plot, plot.hasAttribute('aria-describedby')]).toEqual([null, true, false]);
    plot.remove();
  });

  it('stays when pinned, until Escape or a press elsewhere', () => {
    tooltip.show(view, content('one'), AT);
    vi.advanceTimersByTime(100);
    tooltip.togglePin(view);
    tooltip.hide(view);
    tooltip.show({}, content('two'), AT);
    expect(box()?.textContent).toContain('one');
    expect(box()?.dataset.pinned).toBe('true');
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
    expect(box()).toBeNull();

    tooltip.show(view, content('three'), AT);
    vi.advanceTimersByTime(100);
    tooltip.togglePin(view);
    box()?.dispatchEvent(new Event('pointerdown', { bubbles: true }));
    expect(box()).not.toBeNull();
    document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }));
    expect(box()).toBeNull();
  });

  it('goes with its view, and only with it', () => {
    tooltip.show(view, content('one'), AT);
    vi.advanceTimersByTime(100);
    tooltip.release({});
    tooltip.togglePin(view);
    expect(box()).not.toBeNull();
    tooltip.release(view);
    expect(box()).toBeNull();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is one line for a live region', () => {
    expect(tooltipText({ title: 'w1', state: 'busy', rows: [['CPU', '4 %']] })).toBe('w1, busy, CPU 4 %');
  });
});
