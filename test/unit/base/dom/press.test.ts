// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { element } from '../../../../src/base/element';
import { Press } from '../../../../src/base/dom/press';

describe('a pressed element', () => {
  let node: HTMLElement;
  let button: HTMLButtonElement;
  let press: Press;
  const again = vi.fn<() => void>();

  beforeEach(() => {
    vi.useFakeTimers();
    button = element('button');
    node = element('div', {}, button);
    document.body.append(node);
    press = new Press(node);
  });

  afterEach(() => {
    press.dispose();
    node.remove();
    again.mockReset();
    vi.useRealTimers();
  });

  const fire = (target: EventTarget, type: string, init: MouseEventInit = {}): void => {
    target.dispatchEvent(new MouseEvent(type, { bubbles: true, ...init }));
  };

  it('may change while nothing is pressed', () => {
    expect(press.holds(again)).toBe(false);
    vi.runAllTimers();
    expect(again).not.toHaveBeenCalled();
  });

  it('waits for the release and the click that follows, then draws what came last', () => {
    const order: string[] = [];
    button.addEventListener('click', () => order.push('click'));
    fire(button, 'pointerdown');
    expect(press.holds(() => order.push('first'))).toBe(true);
    expect(press.holds(() => order.push('second'))).toBe(true);
    fire(window, 'pointerup');
    fire(button, 'click');
    vi.runAllTimers();
    expect(order).toEqual(['click', 'second']);
    expect(press.holds(again)).toBe(false);
  });

  it.each(['pointerup', 'pointercancel', 'blur'])('is free again after %s anywhere, a second time too', release => {
    for (let time = 0; time < 2; time++) {
      fire(button, 'pointerdown');
      expect(press.holds(again)).toBe(true);
      fire(window, release);
      vi.runAllTimers();
      expect(press.holds(again)).toBe(false);
    }
    expect(again).toHaveBeenCalledTimes(2);
  });

  it('counts the space bar, but neither other keys nor other buttons', () => {
    button.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
    fire(button, 'pointerdown', { button: 2 });
    expect(press.holds(again)).toBe(false);
    button.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true }));
    expect(press.holds(again)).toBe(true);
    button.dispatchEvent(new KeyboardEvent('keyup', { key: ' ', bubbles: true }));
    vi.runAllTimers();
    expect(press.holds(again)).toBe(false);
  });

  it('does nothing and listens to nothing once disposed', () => {
    fire(button, 'pointerdown');
    press.holds(again);
    const removed = vi.spyOn(window, 'removeEventListener');
    press.dispose();
    fire(window, 'pointerup');
    vi.runAllTimers();
    expect(again).not.toHaveBeenCalled();
    expect(removed.mock.calls.map(([type]) => type).sort()).toEqual(['blur', 'keyup', 'pointercancel', 'pointerup']);
    removed.mockRestore();
  });
});
