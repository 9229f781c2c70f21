// @vitest-environment jsdom
// The visible controls by themselves: which can be reached, in which width, with which keys.
import { afterEach, expect, test } from 'vitest';
import { Toolbar } from '../../../../src/views/timeline/controls/toolbar';
import type { TimelineAction } from '../../../../src/views/timeline-actions';
import { translate as trans } from '../../translate';

afterEach(() => document.body.replaceChildren());

function stand(menu = true) {
  const acts: TimelineAction[] = [];
  const opened: HTMLElement[] = [];
  const lanes = { open: (anchor: HTMLElement) => opened.push(anchor) };
  const toolbar = new Toolbar(
    { trans, ...(menu ? { menu: (() => undefined) as never } : {}) },
    action => acts.push(action),
    lanes
  );
  document.body.append(toolbar.node, document.createElement('input'));
  const button = (text: string): HTMLButtonElement =>
    [...toolbar.node.querySelectorAll('button')].find(each => each.textContent === text) as HTMLButtonElement;
  const press = (key: string): Event => {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
    return event;
  };
  const rest = toolbar.node.querySelector('.dp-Timeline-rest') as HTMLElement;
  const focused = (): string => document.activeElement?.textContent ?? '';
  return { toolbar, acts, opened, button, press, rest, focused };
}

test('buttons act, and say which of them is on and which cannot be used', () => {
  const { toolbar, acts, opened, button } = stand();
  for (const text of ['−', '+', 'Whole run', 'Follow', 'Search']) {
    button(text).click();
  }
  expect(acts).toEqual(['zoom-out', 'zoom-in', 'whole-run', 'follow', 'search']);
  button('Rows').click();
  expect(opened).toEqual([button('Rows')]);
  const state = (following: boolean, computation: boolean): unknown[] => {
    toolbar.update({ following, computation, flowing: true });
    return [button('Follow').getAttribute('aria-pressed'), button('Last computation').disabled];
  };
  expect([state(true, false), state(false, true), state(false, true), state(true, false)]).toEqual([
    ['true', true],
    ['false', false],
    ['false', false],
    ['true', true]
  ]);
  // A sign alone says nothing to those who do not see it.
  expect([button('+').getAttribute('aria-label'), button('Follow').getAttribute('aria-label')]).toEqual([
    'Zoom in (W)',
    'Follow'
  ]);
  expect(stand(false).button('Rows')).toBeUndefined();
});

test('in a narrow view all but the zoom are under "More"', () => {
  const { toolbar, button, rest } = stand();
  const more = button('More');
  expect([more.hidden, rest.hidden]).toEqual([true, false]);
  toolbar.arrange(460);
  expect([more.hidden, rest.hidden, toolbar.node.dataset.narrow]).toEqual([true, false, 'false']);
  toolbar.arrange(459);
  expect([more.hidden, rest.hidden, toolbar.node.dataset.narrow, more.getAttribute('aria-expanded')]).toEqual([
    false,
    true,
    'true',
    'false'
  ]);
  const shown = (): unknown[] => [rest.hidden, more.getAttribute('aria-expanded')];
  more.click();
  expect(shown()).toEqual([false, 'true']);
  more.click();
  expect(shown()).toEqual([true, 'false']);
  more.click();
  button('Follow').click();
  expect(shown()).toEqual([true, 'false']);
  more.click();
  // It closes when the focus leaves the toolbar, and not before.
  button('Follow').dispatchEvent(new FocusEvent('focusout', { bubbles: true, relatedTarget: button('Search') }));
  expect(shown()).toEqual([false, 'true']);
  button('Follow').dispatchEvent(new FocusEvent('focusout', { bubbles: true, relatedTarget: document.querySelector('input') }));
  expect(shown()).toEqual([true, 'false']);
  more.click();
  button('Follow').dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
  expect(shown()).toEqual([true, 'false']);
  toolbar.arrange(900);
  expect([rest.hidden, more.getAttribute('aria-expanded')]).toEqual([false, 'false']);
});

test('arrows, Home and End go around what can be used; one button is in the order of focus', () => {
  const { toolbar, button, press, focused } = stand();
  toolbar.update({ following: true, computation: false, flowing: true });
  const stops = (): string[] =>
    [...toolbar.node.querySelectorAll('button')].filter(({ tabIndex }) => tabIndex === 0).map(each => each.textContent ?? '');
  expect(stops()).toEqual(['−']);
  button('−').focus();
  const walk = (...keys: string[]): string[] =>
    keys.map(key => {
      expect(press(key).defaultPrevented).toBe(true);
      expect(stops()).toEqual([focused()]);
      return focused();
    });
  expect(walk('ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'End', 'ArrowRight', 'ArrowLeft', 'Home')).toEqual([
    '+',
    'Whole run',
    'Follow',
    'Whole run',
    'Rows',
    '−',
    'Rows',
    '−'
  ]);
  expect(press('x').defaultPrevented).toBe(false);
  toolbar.arrange(300);
  button('+').focus();
  expect(walk('ArrowRight', 'ArrowRight', 'ArrowLeft')).toEqual(['More', '−', 'More']);
});

test('Escape closes what "More" opened, and nothing else', () => {
  const { toolbar, button, press, rest, focused } = stand();
  let heard = 0;
  document.body.addEventListener('keydown', () => {
    heard += 1;
  });
  toolbar.arrange(300);
  button('More').click();
  button('Follow').focus();
  press('Escape');
  expect([rest.hidden, focused(), heard]).toEqual([true, 'More', 0]);
  press('Escape');
  expect(heard).toBe(1);
  toolbar.arrange(900);
  button('Follow').focus();
  press('Escape');
  expect([rest.hidden, heard]).toEqual([false, 2]);
});

test('nothing is to be followed in a recording that does not play', () => {
  const { toolbar, button } = stand();
  const shown = (flowing: boolean): boolean => {
    toolbar.update({ following: true, computation: false, flowing });
    return !button('Follow').hidden;
  };
  expect([shown(false), shown(true), shown(false)]).toEqual([false, true, false]);
});

test('a button that cannot be used any more leaves the order of focus, and the focus, to another', () => {
  const { toolbar, button, press, focused } = stand();
  const stops = (): string[] =>
    [...toolbar.node.querySelectorAll('button')].filter(({ tabIndex }) => tabIndex === 0).map(each => each.textContent ?? '');
  const state = { following: true, computation: true, flowing: true };
  toolbar.update(state);
  // An item of "More".
  toolbar.arrange(300);
  button('−').focus();
  for (const key of ['ArrowRight', 'ArrowRight']) {
    press(key);
  }
  button('More').click();
  press('ArrowRight');
  button('Whole run').click();
  expect([stops(), focused()]).toEqual([['More'], 'More']);
  // A pane becomes wide, and narrow.
  toolbar.arrange(900);
  expect([stops(), focused()]).toEqual([['−'], '−']);
  press('End');
  toolbar.arrange(300);
  expect([stops(), focused()]).toEqual([['More'], 'More']);
  // The kernel ends; the cluster is restarted.
  toolbar.arrange(900);
  for (const [text, then] of [
    ['Follow', { ...state, flowing: false }],
    ['Last computation', { ...state, computation: false }]
  ] as const) {
    toolbar.update(state);
    while (focused() !== text) {
      press('ArrowRight');
    }
    toolbar.update(then);
    expect([stops(), focused()]).toEqual([['−'], '−']);
  }
  // What has the focus elsewhere keeps it.
  document.querySelector('input')?.focus();
  toolbar.update({ ...state, flowing: false });
  expect(document.activeElement).toBe(document.querySelector('input'));
});
